// Satisfiability with any definitions: base pairs in a few words against the plain ones, counters with many
// pairs, and integers against small heaps and models.
#include "ggsnn/logic/induct/arithmetic.hpp"
#include "ggsnn/logic/induct/induct.hpp"
#include "ggsnn/logic/induct/packed.hpp"
#include "ggsnn/logic/induct/pairs.hpp"
#include "ggsnn/logic/smtlib.hpp"
#include "induct_brute.hpp"
#include "induct_draw.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace ggsnn::logic {
namespace {

int problems_asked(int otherwise) {
    const char* text = std::getenv("GGSNN_RANDOM");
    return text ? std::atoi(text) : otherwise;
}

// Three definitions of six parameters, which call each other with parameters and locals in any order: mostly
// many pairs, some of them with cells.
class DrawPairs {
  public:
    explicit DrawPairs(std::uint64_t seed) : random_(seed) {}

    std::vector<Definition> definitions() {
        std::vector<Definition> result;
        for (int d = 0; d < 3; ++d) {
            Definition definition;
            definition.name = fmt::format("p{}", d);
            definition.parameters = 6;
            const int rules = 3 + below(3);
            for (int r = 0; r < rules; ++r) definition.rules.push_back(clause(7, r < 2 ? 0 : 2));
            result.push_back(std::move(definition));
        }
        return result;
    }
    Clause clause(int terms, int most_calls) {
        Clause result;
        result.terms = terms + (most_calls > 0 ? below(3) : 0);
        const auto term = [&] { return below(result.terms); };
        for (int i = below(3); i > 0; --i) result.equal.emplace_back(term(), below(3) > 0 ? 0 : term());
        for (int i = below(3); i > 0; --i) result.distinct.emplace_back(term(), below(3) > 0 ? 0 : term());
        if (below(6) == 0) result.cells.push_back({term(), {{0, term()}}});
        for (int i = most_calls > 0 ? 1 + below(most_calls) : 0; i > 0; --i)
            result.calls.push_back({below(3), {term(), term(), term(), term(), term(), term()}});
        return result;
    }

  private:
    int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
    std::mt19937_64 random_;
};

TEST(Satisfiability, PairsInAFewWordsSayWhatPlainOnesSay) {
    const int problems = problems_asked(1000);
    int satisfiable = 0, unsatisfiable = 0, large = 0;
    for (int seed = 1; seed <= problems; ++seed) {
        DrawPairs draw(static_cast<std::uint64_t>(seed));
        const std::vector<Definition> definitions = draw.definitions();
        ProverLimits limits;
        limits.work = 300'000;
        try {
            Budget budget(limits);
            const induct::Pairs plain(definitions, budget);
            induct::PackedPairs packed(definitions, budget);
            for (int i = 0; i < 8; ++i) {
                const Clause clause = draw.clause(4, 3);
                bool found = false;
                plain.choices(clause, budget, [&](const std::vector<int>&) {
                    found = true;
                    return false;
                });
                EXPECT_EQ(packed.satisfiable(clause), found) << "seed " << seed << " clause " << i;
                ++(found ? satisfiable : unsatisfiable);
            }
            large += plain.of(0).size() > 16 || plain.of(1).size() > 16 || plain.of(2).size() > 16;
        } catch (const OutOfBudget&) {
        }
    }
    std::printf("%d satisfiable, %d not, %d with many pairs\n", satisfiable, unsatisfiable, large);
    EXPECT_GT(satisfiable, problems);
    EXPECT_GT(unsatisfiable, problems / 2);
    EXPECT_GT(large, problems / 20);
}

// A counter: NULL is the digit 0, all else 1. From all zeros it goes on by one, or (even) by two.
std::string counter(int bits, bool even) {
    const auto names = [&](char name, int from, const char* form) {
        std::string result;
        for (int i = from; i <= bits; ++i) result += fmt::format(fmt::runtime(form), name, i);
        return result;
    };
    std::string definitions =
        "(declare-sort R 0)(declare-datatypes ((T 0)) (((c (f R)))))(declare-heap (R T))\n"
        "(define-fun-rec one ((x R)) Bool (and (_ emp R T) (distinct x (as nil R))))\n"
        "(define-fun-rec zero ((x R)) Bool (and (_ emp R T) (= x (as nil R))))\n";
    for (int k = bits; k >= 1; --k) { // digit k and those above
        std::string same;
        for (int i = k + 1; i <= bits; ++i) same += fmt::format(" (= x{} y{})", i, i);
        definitions +=
            fmt::format("(define-fun-rec next{} ({}{}) Bool (or (and (sep (zero x{}) (one y{})){}){}))\n", k,
                        names('x', k, "({}{} R)"), names('y', k, "({}{} R)"), k, k, same,
                        k == bits ? std::string()
                                  : fmt::format(" (sep (one x{}) (zero y{}) (next{}{}{}))", k, k, k + 1,
                                                names('x', k + 1, " {}{}"), names('y', k + 1, " {}{}")));
    }
    const std::string step =
        even ? fmt::format("(= x1 y1) (next2{}{})", names('x', 2, " {}{}"), names('y', 2, " {}{}"))
             : fmt::format("(next1{}{})", names('x', 1, " {}{}"), names('y', 1, " {}{}"));
    definitions +=
        fmt::format("(define-fun-rec reached ({}) Bool (or (and (_ emp R T){}) (exists ({}) (and{} "
                    "(sep {} (reached{}))))))\n",
                    names('y', 1, "({}{} R)"), names('y', 1, " (= {}{} (as nil R))"),
                    names('x', 1, "({}{} R)"), even ? " (= x1 y1)" : "",
                    even ? step.substr(step.find(" (next2") + 1) : step, names('x', 1, " {}{}"));
    return definitions + names('x', 1, "(declare-const {}{} R)") +
           fmt::format("(assert (sep{} (reached{})))(check-sat)", names('x', 1, " (one {}{})"),
                       names('x', 1, " {}{}"));
}

TEST(Satisfiability, CountersGoThroughAllTheirStates) {
    for (const int bits : {2, 5, 9})
        for (const bool even : {false, true}) {
            const SmtProblem problem = read_smtlib(counter(bits, even));
            EXPECT_EQ(solve(problem).verdict, even ? Validity::valid : Validity::invalid)
                << bits << " bits, even: " << even << " " << problem.unsupported;
        }
}

// ---- integers

const char* const with_integers = R"((declare-sort R 0)(declare-datatypes ((T 0)) (((c (next R)))))
(define-fun-rec len ((x R)(n Int)(y R)(m Int)) Bool (or (and (_ emp R T) (= x y) (= n m))
  (exists ((u R)(k Int)) (and (= n (+ k 1)) (sep (pto x (c u)) (len u k y m))))))
(define-fun-rec even ((x R)(n Int)) Bool (or (and (_ emp R T) (= x (as nil R)) (= n 0))
  (exists ((u R)(v R)(k Int)) (and (= n (+ k 2)) (sep (pto x (c u)) (pto u (c v)) (even v k))))))
(define-fun-rec odd ((x R)(y R)(n Int)) Bool (or (and (pto x (c y)) (= y (as nil R)) (= n 1))
  (exists ((u R)(k Int)) (and (= n (+ k 2)) (sep (pto y (c u)) (odd x u k))))))
(define-fun-rec steep ((x R)(d Int)(n Int)(y R)(e Int)) Bool (or (and (_ emp R T) (= x y) (= d e) (= n 0))
  (exists ((u R)(c Int)(k Int)) (and (< (+ c 1) d) (= n (+ k 1)) (sep (pto x (c u)) (steep u c k y e))))))
(define-fun-rec none ((x R)(n Int)) Bool (exists ((u R)(k Int)) (and (= n (+ k 1)) (sep (pto x (c u)) (none u k)))))
(declare-const x R)(declare-const y R)(declare-const z R)(declare-const n Int)(declare-const m Int)
(declare-const d Int)(declare-const e Int)
)";

TEST(Satisfiability, OfIntegersThatNoUnfoldingReaches) {
    if (!induct::Arithmetic::available()) GTEST_SKIP() << "built without Z3";
    const struct {
        const char* formula;
        Validity expected; // valid: there is no heap
    } cases[] = {
        {"(and (= n (+ m 100000)) (len x n y m))", Validity::invalid},
        {"(and (= n (+ m 100000)) (= x y) (len x n y m))", Validity::invalid}, // a cycle
        {"(and (= n (+ m 100000)) (sep (pto y (c z)) (len x n y m)))", Validity::invalid},
        {"(and (= n (+ m 100000)) (sep (pto x (c z)) (len x n y m)))", Validity::valid},
        {"(and (< n m) (len x n y m))", Validity::valid},
        {"(and (= n 320000) (even x n))", Validity::invalid},
        {"(and (= n 320001) (even x n))", Validity::valid},
        {"(and (= n (+ m m 1)) (sep (even x n) (even y m)))", Validity::valid},
        {"(and (= n (+ m 2)) (= m 70000) (sep (even x n) (even y m)))", Validity::invalid},
        {"(and (= n 320001) (odd x y n))", Validity::invalid},
        {"(and (= n 320000) (odd x y n))", Validity::valid},
        {"(and (> n 320000) (= x y) (odd x y n))", Validity::valid},
        {"(and (= n 50000) (= d (+ e 100000)) (steep x d n y e))", Validity::invalid},
        {"(and (= n 50000) (= d (+ e 99999)) (steep x d n y e))", Validity::valid},
        {"(and (= n 50000) (none x n))", Validity::valid},
    };
    for (const auto& one : cases) {
        const Answer answer =
            solve(read_smtlib(std::string(with_integers) + "(assert " + one.formula + ")(check-sat)"));
        EXPECT_EQ(answer.verdict, one.expected) << one.formula << ": " << answer.reason;
    }
}

// Where a small heap is found by trying all there is no `unsat`. Integers of random definitions are small, so
// what is said to be satisfiable has a model, which a check of its own confirms.
TEST(Satisfiability, OfRandomDefinitionsWithIntegers) {
    if (!induct::Arithmetic::available()) GTEST_SKIP() << "built without Z3";
    const int problems = problems_asked(60);
    int satisfiable = 0, unsatisfiable = 0, unknown = 0;
    for (int seed = 1; seed <= problems; ++seed) {
        Problem problem = Draw(static_cast<std::uint64_t>(seed), true).problem();
        problem.right.clear();
        ProverLimits limits;
        limits.seconds = 1000;
        limits.work = 200'000;
        const Answer answer = prove_by_induction(problem, limits);
        if (answer.verdict == Validity::invalid) {
            ++satisfiable;
            EXPECT_TRUE(answer.counter) << "seed " << seed;
        }
        unknown += answer.verdict == Validity::unknown;
        if (answer.verdict != Validity::valid) continue;
        ++unsatisfiable;
        BruteMeaning meaning(problem);
        SmallHeap heap;
        for (int cells = 0; cells < 25; ++cells)
            for (int place = 0; place < 16; ++place)
                for (int n = -2; n <= 3; ++n) {
                    heap.next = {-1, cells % 5 - 1, cells / 5 - 1};
                    heap.values = {0, place % 4, place / 4, n};
                    ASSERT_FALSE(meaning.holds(heap, problem.left)) << "seed " << seed;
                }
    }
    std::printf("%d satisfiable, %d not, %d unknown\n", satisfiable, unsatisfiable, unknown);
    EXPECT_GT(satisfiable, problems / 3);
    EXPECT_GT(unsatisfiable, problems / 20);
    EXPECT_LT(unknown, problems / 10);
}

} // namespace
} // namespace ggsnn::logic
