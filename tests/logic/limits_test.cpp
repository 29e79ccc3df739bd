// Limits that hold: large problems on a small stack and with little work, one deadline for every phase,
// memory that is counted. What should never end is not timed: a limit that is not kept runs into the limit of
// the test.
#include "allocations.hpp"
#include "ggsnn/logic/closure.hpp"
#include "ggsnn/logic/prover.hpp"
#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/logic/smtlib.hpp"

#include <gtest/gtest.h>

#include <pthread.h>

#include <chrono>
#include <functional>

namespace ggsnn::logic {
namespace {

using Clock = std::chrono::steady_clock;

std::string numbered(const char* name, int i) {
    return fmt::format("{}{}", name, i);
}

std::string list_of(int count, const std::function<std::string(int)>& part, const char* between = " * ") {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i > 0 ? between : "") + part(i);
    return text;
}

// x0 |-> {next: x1} * .. up to NULL, or the same with ls.
std::string chain(int count, bool lists) {
    return list_of(count, [&](int i) {
        const std::string end = i + 1 < count ? numbered("x", i + 1) : "NULL";
        return lists ? fmt::format("ls(x{}, {})", i, end) : fmt::format("x{} |-> {{next: {}}}", i, end);
    });
}

// Nothing whose depth the input decides may recurse: 256 KB are enough for any problem. Frames with
// sanitizers are several times as large.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t small_stack = std::size_t{1} << 21;
#else
constexpr std::size_t small_stack = std::size_t{1} << 18;
#endif

void on_a_small_stack(const std::function<void()>& what) {
    pthread_attr_t attributes;
    ASSERT_EQ(pthread_attr_init(&attributes), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&attributes, small_stack), 0);
    pthread_t thread;
    const auto run = [](void* argument) -> void* {
        (*static_cast<const std::function<void()>*>(argument))();
        return nullptr;
    };
    std::function<void()> copy = what;
    ASSERT_EQ(pthread_create(&thread, &attributes, run, &copy), 0);
    ASSERT_EQ(pthread_join(thread, nullptr), 0);
    pthread_attr_destroy(&attributes);
}

struct Case {
    std::string name, left, right;
    Validity expected;
    std::uint64_t work = 0; // large cases: about twice the units that the prover needs for it
};

Answer answer(const Case& c, const ProverLimits& limits = {}) {
    return prove(parse_formula(c.left, Reading::program), parse_formula(c.right, Reading::program), limits);
}

std::vector<Case> large_cases() {
    const std::string cells = chain(6000, false), lists = chain(2000, true);
    const std::string apart = list_of(2000, [](int i) { return fmt::format("ls(x{}, NULL)", i); });
    const std::string tree = list_of(2000, [](int i) {
        const auto child = [](int k) { return k < 2000 ? numbered("x", k) : "NULL"; };
        return fmt::format("x{} |-> {{left: {}, right: {}}}", i, child(2 * i + 1), child(2 * i + 2));
    });
    const std::string open = "exists " +
                             list_of(
                                 5999, [](int i) { return numbered("e", i + 1); }, ", ") +
                             " . x0 |-> {next: e1} * " + list_of(5999, [](int i) {
                                 const std::string end = i < 5998 ? numbered("e", i + 2) : "NULL";
                                 return fmt::format("e{} |-> {{next: {}}}", i + 1, end);
                             });
    const auto equal = [](bool first) {
        return list_of(5000, [=](int i) { return fmt::format("x{} = x{}", first ? 0 : i, i + 1); });
    };
    const auto differ = list_of(5000, [](int i) { return fmt::format("x{} != x{}", i, i + 1); });
    const auto none = list_of(3000, [](int i) { return fmt::format("none(x{})", i); });
    const auto shapes =
        list_of(500, [](int i) { return fmt::format("ls(x{0}, NULL, \\t -> t |-> {{f{0}: NULL}})", i); });
    return {{"cells", cells, "ls(x0, NULL)", Validity::valid, 5'000'000},
            {"cells, one missing", cells, "ls(x1, NULL)", Validity::invalid, 5'000'000},
            {"the same cells", cells, cells, Validity::valid, 2'000'000},
            {"existential cells", cells, open, Validity::valid, 2'000'000},
            {"existential cells on the left", open, "ls(x0, NULL)", Validity::valid, 2'000'000},
            {"lists", lists, "ls(x0, NULL)", Validity::valid, 80'000'000},
            {"the same lists", lists, lists, Validity::valid, 120'000'000},
            {"lists apart", apart, apart, Validity::valid, 120'000'000},
            {"a tree", tree, "tree(x0)", Validity::valid, 16'000'000},
            {"equalities", equal(false), equal(true), Validity::valid, 2'000},
            {"disequalities", differ, differ, Validity::valid, 20'000},
            {"dangling names", none, none, Validity::valid, 300'000},
            {"500 definitions", shapes, shapes, Validity::valid, 5'000'000}};
}

TEST(Limits, LargeProblemsAreAnsweredOnASmallStack) {
    on_a_small_stack([] {
        for (const Case& c : large_cases()) {
            ProverLimits limits;
            limits.seconds = 1000;
            limits.work = c.work;
            const Answer result = answer(c, limits);
            EXPECT_EQ(result.verdict, c.expected) << c.name << ": " << result.reason;
        }
    });
}

// Far more than can be done: the answer is unknown once a limit is reached, whatever phase that falls into.
std::vector<Case> endless_cases() {
    std::string nested =
        "exists a, b, c, d, e, f . ls(t, a) * ls(a, b) * ls(b, c) * ls(c, d) * ls(d, e) * ls(e, f)";
    const std::string open = nested;
    for (int i = 0; i < 12; ++i) nested = open.substr(0, open.size() - 1) + ", \\t -> " + nested + ")";
    const std::string bodies =
        list_of(40, [&](int i) { return fmt::format("ls(x{}, NULL, \\t -> {} * t != x{})", i, nested, i); });
    std::string deep = "emp";
    for (int i = 0; i < 90; ++i) deep = "ls(x, NULL, \\t -> " + deep + " * ls(t, NULL))";
    const std::string either = list_of(2000, [](int i) { return fmt::format("ls(x, y{})", i); }, " \\/ ");
    const std::string lists = list_of(8000, [](int i) { return fmt::format("ls(x{}, NULL)", i); });
    return {{"bodies to compile", bodies, bodies, Validity::unknown},
            {"deep bodies", deep, deep, Validity::unknown},
            {"disjunctions", either, either, Validity::unknown},
            {"lists, one too many", lists, lists + " * ls(y, NULL)", Validity::unknown}};
}

void ask_everything(const Case& c, const std::function<ProverLimits()>& limits, const std::string& reason) {
    const Formula left = parse_formula(c.left, Reading::program),
                  right = parse_formula(c.right, Reading::program);
    const Answer result = prove(left, right, limits());
    EXPECT_EQ(result.verdict, Validity::unknown) << c.name;
    EXPECT_EQ(result.reason, reason) << c.name;
    prove_on_a_part(left, right, limits());
    refute(left, limits());
    infer_frame(left.heaps[0], right, limits());
    Closure(left.heaps[0], limits());
}

ProverLimits without_limits() {
    ProverLimits limits;
    limits.seconds = 1e6;
    limits.bytes = std::uint64_t{1} << 32;
    return limits;
}

TEST(Limits, TheDeadlineHoldsInEveryPhase) {
    on_a_small_stack([] {
        for (const Case& c : endless_cases())
            ask_everything(
                c,
                [] {
                    ProverLimits limits = without_limits();
                    limits.deadline = Clock::now() + std::chrono::milliseconds(300);
                    return limits;
                },
                "the time limit of the whole run was reached");
    });
}

// Work is counted in every phase: a limit of it holds where no clock is looked at.
TEST(Limits, TheLimitOfWorkHoldsInEveryPhase) {
    on_a_small_stack([] {
        for (const Case& c : endless_cases())
            ask_everything(
                c,
                [] {
                    ProverLimits limits = without_limits();
                    limits.work = 5'000;
                    return limits;
                },
                "the limit of 5000 units of work was reached");
    });
}

TEST(Limits, WorkIsTheSameEveryTime) {
    const Case chains{"", chain(60, true), "ls(x0, NULL)", Validity::valid};
    ProverLimits limits = without_limits();
    const auto enough = [&](std::uint64_t work) {
        limits.work = work;
        return answer(chains, limits).verdict == Validity::valid;
    };
    std::uint64_t most = 1;
    while (most < std::uint64_t{1} << 40 && !enough(most)) most *= 2;
    std::uint64_t least = most / 2;
    while (most - least > 1) {
        const std::uint64_t middle = least + (most - least) / 2;
        (enough(middle) ? most : least) = middle;
    }
    for (int again = 0; again < 3; ++again) {
        EXPECT_TRUE(enough(most));
        EXPECT_FALSE(enough(most - 1));
    }
}

TEST(Limits, AfterTheDeadlineNothingIsKnown) {
    ProverLimits limits;
    limits.deadline = Clock::now() - std::chrono::seconds(1);
    const Formula left = parse_formula("x != y * ls(x, y) * ls(y, NULL)", Reading::program),
                  right = parse_formula("ls(x, NULL)", Reading::program);
    const std::string reason = "the time limit of the whole run was reached";
    EXPECT_EQ(prove(left, right, limits).reason, reason);
    EXPECT_EQ(prove_on_a_part(left, right, limits).reason, reason);
    EXPECT_EQ(refute(left, limits).reason, reason);
    const FrameAnswer frame = infer_frame(left.heaps[0], right, limits);
    EXPECT_EQ(frame.verdict, Validity::unknown);
    EXPECT_EQ(frame.reason, reason);
    const Closure closure(left.heaps[0], limits);
    EXPECT_FALSE(closure.contradictory());
    EXPECT_FALSE(closure.apart("x", "y"));
    EXPECT_FALSE(closure.allocated("x"));
    EXPECT_TRUE(closure.same("x", "x"));
    EXPECT_EQ(solve(read_smtlib("(check-sat)", limits), limits).reason, reason);

    limits.deadline = Clock::now() + std::chrono::hours(1);
    EXPECT_EQ(prove(left, right, limits).verdict, Validity::valid);
    EXPECT_TRUE(Closure(left.heaps[0], limits).apart("x", "y"));
}

TEST(Limits, MemoryIsCounted) {
    ProverLimits limits;
    limits.bytes = std::uint64_t{1} << 23;
    for (const Case& c : large_cases()) {
        if (c.name != "lists" && c.name != "lists apart") continue;
        const Answer result = answer(c, limits);
        EXPECT_EQ(result.verdict, Validity::unknown) << c.name;
        EXPECT_EQ(result.reason, "the memory limit of 8 MB was reached") << c.name;
    }
    const Formula cells = parse_formula(chain(2000, false), Reading::program);
    EXPECT_EQ(infer_frame(cells.heaps[0], parse_formula("emp", Reading::program), limits).reason,
              "the memory limit of 8 MB was reached")
        << "two million disequalities";
    // What is done with is free again: the choices of 200 cases do not add up.
    const std::string lists = chain(60, true);
    const auto cases = list_of(200, [&](int i) { return fmt::format("y{} = NULL * {}", i, lists); }, " \\/ ");
    const Answer many = answer({"", cases, "ls(x0, NULL)", Validity::valid}, limits);
    EXPECT_EQ(many.verdict, Validity::valid) << many.reason;
}

// The end of a list is searched for among all nodes, again for each of many lists.
TEST(Limits, TheSatisfactionCheckHasADeadline) {
    Heap heap;
    for (int i = 0; i < 60; ++i) heap.add_node(true);
    for (int i = 1; i <= 60; ++i) heap.link(i, "next", i % 60 + 1);
    const Formula formula = parse_formula(
        "exists " +
            list_of(
                24, [](int i) { return numbered("e", i); }, ", ") +
            " . " + list_of(23, [](int i) { return fmt::format("ls(e{}, e{})", i, i + 1); }) + " * none(e23)",
        Reading::program);
    const Checker checker(formula);
    SatisfyLimits limits;
    limits.steps = std::uint64_t{1} << 60;
    limits.deadline = Clock::now() + std::chrono::milliseconds(200);
    EXPECT_EQ(checker(heap, limits), Truth::unknown);
}

// Twice the text, about twice the memory asked for. The factor leaves room for vectors that double.
void expect_linear(const char* name, const std::function<std::uint64_t(int)>& bytes, int size) {
    const std::uint64_t once = bytes(size), twice = bytes(2 * size), four_times = bytes(4 * size);
    EXPECT_GT(once, static_cast<std::uint64_t>(size)) << name << ": nothing was counted";
    EXPECT_LT(static_cast<double>(twice), 2.9 * static_cast<double>(once)) << name;
    EXPECT_LT(static_cast<double>(four_times), 5.5 * static_cast<double>(once)) << name;
}

TEST(Limits, ParsingIsLinear) {
    const auto parsing = [](const std::string& text) {
        return testing::bytes_allocated_by([&] { parse_formula(text, Reading::program); });
    };
    expect_linear(
        "equalities",
        [&](int n) { return parsing(list_of(n, [](int i) { return fmt::format("x{} = y", i); })); }, 5000);
    expect_linear("cells", [&](int n) { return parsing(chain(n, false)); }, 5000);
    expect_linear(
        "disjuncts",
        [&](int n) {
            return parsing(list_of(n, [](int i) { return fmt::format("ls(x{}, NULL)", i); }, " \\/ "));
        },
        1000);
    expect_linear(
        "bodies",
        [&](int n) {
            return parsing(list_of(
                n, [](int i) { return fmt::format("ls(x{0}, NULL, \\t -> t |-> {{f{0}: NULL}})", i); }));
        },
        1000);
}

TEST(Limits, FormulasThatAreTooLargeAreRefused) {
    const auto same = list_of(90000, [](int) { return "x = y"; });
    EXPECT_EQ(parse_formula(same, Reading::program).heaps[0].pure.size(), 90000U);
    EXPECT_THROW(parse_formula(same + " * " + same, Reading::program), SyntaxError) << "too many parts";
    const auto either = list_of(4000, [](int) { return "x = y"; }, " \\/ ");
    EXPECT_THROW(
        parse_formula("(" + either + ") * " + list_of(9000, [](int) { return "x = y"; }), Reading::program),
        SyntaxError)
        << "pure parts count, once for each disjunct";
    EXPECT_THROW(
        parse_formula(list_of(20000, [](int i) { return fmt::format("(exists t . ls(x{}, t))", i); }),
                      Reading::program),
        SyntaxError);
    const auto brackets = list_of(300, [](int i) { return fmt::format("(exists t . ls(x{}, t))", i); });
    EXPECT_EQ(parse_formula(brackets, Reading::program).heaps[0].exists.size(), 300U);
}

TEST(Limits, CanonicalFormsAreLinear) {
    const auto forming = [](const std::string& text) {
        const Formula formula = parse_formula(text, Reading::program);
        return testing::bytes_allocated_by([&] { canonical(formula); });
    };
    expect_linear("cells", [&](int n) { return forming(chain(n, false)); }, 2000);
    expect_linear("lists", [&](int n) { return forming(chain(n, true)); }, 1000);
    expect_linear(
        "disequalities",
        [&](int n) { return forming(list_of(n, [](int i) { return fmt::format("x{} != x{}", i, i + 1); })); },
        2000);
    expect_linear(
        "disjuncts",
        [&](int n) {
            return forming(list_of(n, [](int i) { return fmt::format("ls(x, y{})", i); }, " \\/ "));
        },
        1000);
}

// Permutations of existentials and bodies in bodies cost what the effort allows, not what their number asks.
TEST(Limits, CanonicalFormsOfLargeHeapsAreNotForEver) {
    for (const Case& c : endless_cases()) {
        const Formula formula = parse_formula(c.left, Reading::program);
        EXPECT_LT(testing::bytes_allocated_by([&] { canonical(formula); }), std::uint64_t{1} << 28) << c.name;
    }
    for (const Case& c : large_cases()) canonical(parse_formula(c.right, Reading::program));
}

TEST(Limits, LargeFilesOfDefinitions) {
    const std::string head = "(declare-sort R 0)(declare-datatype T ((c (next R))))";
    const auto definitions = [](int count) {
        return list_of(
            count,
            [=](int i) {
                return fmt::format("(define-fun-rec p{} ((x R)(y R)) Bool (or (and (= x y) (_ emp R T))"
                                   " (exists ((u R)) (and (distinct x y) (sep (pto x (c u)) (p{} u y))))))",
                                   i, (i + 1) % count);
            },
            "");
    };
    const auto constants = list_of(501, [](int i) { return fmt::format("(declare-const x{} R)", i); }, "");
    const auto all = list_of(500, [](int i) { return fmt::format("(p{} x{} x{})", i, i, i + 1); }, " ");
    ProverLimits limits = without_limits();
    limits.work = 5'000'000;
    const auto word = [&](const std::string& assertions) {
        const Answer result = solve(
            read_smtlib(head + constants + definitions(500) + assertions + "(check-sat)", limits), limits);
        return std::string(smt_word(result.verdict));
    };
    EXPECT_EQ(word("(assert (sep " + all + "))(assert (not (sep " + all + ")))"), "unsat");
    EXPECT_EQ(word("(assert (sep " + all + "))(assert (not (p1 x0 x1)))"), "sat");
    EXPECT_EQ(word("(assert (p0 x0 x1))(assert (not (p1 x0 x1)))"), "unknown")
        << "a ring of 500 definitions needs induction";
}

} // namespace
} // namespace ggsnn::logic
