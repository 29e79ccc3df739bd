// Limits that hold: large problems on a small stack, one deadline for every phase, memory that is counted.
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

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

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

// Nothing whose depth the input decides may recurse: 256 KB are enough for any problem.
void on_a_small_stack(const std::function<void()>& what) {
    pthread_attr_t attributes;
    ASSERT_EQ(pthread_attr_init(&attributes), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::size_t{1} << 18), 0);
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
    return {{"cells", cells, "ls(x0, NULL)", Validity::valid},
            {"cells, one missing", cells, "ls(x1, NULL)", Validity::invalid},
            {"the same cells", cells, cells, Validity::valid},
            {"existential cells", cells, open, Validity::valid},
            {"existential cells on the left", open, "ls(x0, NULL)", Validity::valid},
            {"lists", lists, "ls(x0, NULL)", Validity::valid},
            {"the same lists", lists, lists, Validity::valid},
            {"lists apart", apart, apart, Validity::valid},
            {"a tree", tree, "tree(x0)", Validity::valid},
            {"equalities", equal(false), equal(true), Validity::valid},
            {"disequalities", differ, differ, Validity::valid},
            {"dangling names", none, none, Validity::valid},
            {"500 definitions", shapes, shapes, Validity::valid}};
}

TEST(Limits, LargeProblemsAreAnsweredOnASmallStack) {
    on_a_small_stack([] {
        for (const Case& c : large_cases()) {
            const Clock::time_point start = Clock::now();
            const Answer result = answer(c);
            EXPECT_EQ(result.verdict, c.expected) << c.name << ": " << result.reason;
            EXPECT_LT(seconds_since(start), 5) << c.name;
        }
    });
}

// Far more than can be done: the answer is unknown, soon after the deadline, whatever phase it falls into.
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

TEST(Limits, TheDeadlineHoldsInEveryPhase) {
    on_a_small_stack([] {
        for (const Case& c : endless_cases()) {
            const Formula left = parse_formula(c.left, Reading::program),
                          right = parse_formula(c.right, Reading::program);
            ProverLimits limits;
            limits.seconds = 1000;
            limits.bytes = std::uint64_t{1} << 32;
            const auto in_time = [&](const char* what, const std::function<void()>& question) {
                const Clock::time_point start = Clock::now();
                limits.deadline = start + std::chrono::milliseconds(300);
                question();
                EXPECT_LT(seconds_since(start), 1.3) << c.name << ", " << what;
            };
            in_time("prove", [&] {
                const Answer result = prove(left, right, limits);
                EXPECT_EQ(result.verdict, Validity::unknown) << c.name;
                EXPECT_EQ(result.reason, "the time limit of the whole run was reached") << c.name;
            });
            in_time("prove_on_a_part", [&] { prove_on_a_part(left, right, limits); });
            in_time("refute", [&] { refute(left, limits); });
            in_time("infer_frame", [&] { infer_frame(left.heaps[0], right, limits); });
            in_time("closure", [&] { Closure(left.heaps[0], limits); });
        }
    });
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
    Clock::time_point start = Clock::now();
    limits.deadline = start + std::chrono::milliseconds(200);
    EXPECT_EQ(checker(heap, limits), Truth::unknown);
    EXPECT_LT(seconds_since(start), 1.2);
}

TEST(Limits, ParsingIsLinear) {
    const Clock::time_point start = Clock::now();
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
    EXPECT_LT(seconds_since(start), 4);
    const auto brackets = list_of(300, [](int i) { return fmt::format("(exists t . ls(x{}, t))", i); });
    EXPECT_EQ(parse_formula(brackets, Reading::program).heaps[0].exists.size(), 300U);
}

TEST(Limits, CanonicalFormsOfLargeHeapsTakeAMoment) {
    const Clock::time_point start = Clock::now();
    for (const Case& c : endless_cases()) canonical(parse_formula(c.left, Reading::program));
    for (const Case& c : large_cases()) canonical(parse_formula(c.right, Reading::program));
    EXPECT_LT(seconds_since(start), 5);
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
    ProverLimits limits;
    limits.seconds = 1000;
    const auto word = [&](const std::string& assertions, double most) {
        const Clock::time_point start = Clock::now();
        limits.deadline = start + std::chrono::seconds(2);
        const Answer result = solve(
            read_smtlib(head + constants + definitions(500) + assertions + "(check-sat)", limits), limits);
        EXPECT_LT(seconds_since(start), most);
        return std::string(smt_word(result.verdict));
    };
    EXPECT_EQ(word("(assert (sep " + all + "))(assert (not (sep " + all + ")))", 2), "unsat");
    EXPECT_EQ(word("(assert (sep " + all + "))(assert (not (p1 x0 x1)))", 2), "sat");
    EXPECT_EQ(word("(assert (p0 x0 x1))(assert (not (p1 x0 x1)))", 3), "unknown")
        << "a ring of 500 definitions needs induction";
}

} // namespace
} // namespace ggsnn::logic
