// The prover against enumeration of all small heaps (lists) and against sampled heaps (everything else). A
// disagreement is shrunk before it is reported.
#include "brute.hpp"
#include "ggsnn/logic/closure.hpp"
#include "ggsnn/logic/prover.hpp"
#include "ggsnn/logic/satisfy.hpp"

#include <gtest/gtest.h>

namespace ggsnn::logic {
namespace {

// Finds a heap of the left side that is none of the right, independently of the prover.
using Refuter = std::function<std::optional<Heap>(const Entailment&)>;

struct Tally {
    int valid = 0, invalid = 0, unknown = 0;
    std::string text() const {
        return fmt::format("{} valid, {} invalid, {} unknown", valid, invalid, unknown);
    }
};

// What is wrong with the prover's answer, or an empty string. complete: unknown counts as wrong.
std::string fault(const Entailment& entailment, const Refuter& refuter, bool complete, Tally& tally) {
    ProverLimits limits;
    limits.seconds = complete ? 10 : 0.05;
    const Answer answer = prove(entailment.left, entailment.right, limits);
    if (answer.verdict == Validity::unknown) {
        ++tally.unknown;
        return complete ? "unknown: " + answer.reason : "";
    }
    if (answer.verdict == Validity::invalid) {
        ++tally.invalid;
        if (!answer.counter) return "invalid without a heap";
        const Heap& heap = *answer.counter;
        if (heap.nodes.size() > 26)
            return ""; // beyond the reference; the prover has checked it by satisfies()
        if (!brute::holds(heap, entailment.left))
            return "the heap does not satisfy the left side: " + heap_text(heap);
        if (brute::holds(heap, entailment.right))
            return "the heap satisfies the right side: " + heap_text(heap);
        return "";
    }
    ++tally.valid;
    const std::optional<Heap> counter = refuter(entailment);
    return counter ? "valid, but there is " + heap_text(*counter) : "";
}

std::string shrunk_report(const Entailment& entailment, const Refuter& refuter, bool complete) {
    Tally unused;
    const Entailment small = brute::shrink(
        entailment, [&](const Entailment& e) { return !fault(e, refuter, complete, unused).empty(); });
    return print(small, Reading::program) + "   " + fault(small, refuter, complete, unused) + "   (from " +
           print(entailment, Reading::program) + ")";
}

// Half of the right sides are changes of the left side: such entailments are valid far more often.
Entailment random_entailment(const brute::FormulaStyle& left, const brute::FormulaStyle& right,
                             Random& random) {
    Entailment entailment{brute::random_formula(left, random), brute::random_formula(right, random)};
    if (random.chance(0.5)) return entailment;
    SymbolicHeap& heap = entailment.right.heaps[0];
    const std::vector<Atom> others = heap.atoms;
    heap.atoms = entailment.left.heaps[0].atoms;
    for (Atom& atom : heap.atoms)
        for (std::string& argument : atom.arguments)
            if (!heap.exists.empty() && random.chance(0.15) && argument != null_name)
                argument = heap.exists[0];
            else if (argument == "e" && heap.exists.empty())
                argument = right.names[0];
    for (Atom& atom : heap.atoms)
        for (auto& link : atom.links)
            if (link.second == "e" && heap.exists.empty()) link.second = right.names[0];
    random.shuffle(heap.atoms);
    if (heap.atoms.size() > 1 && random.chance(0.5)) heap.atoms.pop_back();
    if (!heap.atoms.empty() && !others.empty() && random.chance(0.6)) heap.atoms.back() = others[0];
    if (random.chance(0.8)) heap.pure.clear();
    return entailment;
}

void compare(const brute::FormulaStyle& left, const brute::FormulaStyle& right, const Refuter& refuter,
             bool complete, int count, std::uint64_t seed, Tally& tally) {
    Random random(seed);
    for (int i = 0; i < count; ++i) {
        const Entailment entailment = random_entailment(left, right, random);
        ASSERT_EQ(fault(entailment, refuter, complete, tally), "")
            << shrunk_report(entailment, refuter, complete);
    }
}

void compare_lists(const std::vector<std::string>& names, int locations, int count, int max_atoms,
                   double disjunct, std::uint64_t seed, Tally& tally) {
    const brute::SmallModels models(names, locations);
    brute::FormulaStyle left, right;
    left.names = right.names = names;
    left.max_atoms = right.max_atoms = max_atoms;
    left.disjunct = disjunct;
    compare(
        left, right, [&](const Entailment& e) { return models.counter_model(e); }, true, count, seed, tally);
}

TEST(ProverRandom, ListsAgainstAllSmallHeaps) {
    Tally tally;
    ASSERT_NO_FATAL_FAILURE(compare_lists({"x", "y", "z"}, 5, 160000, 4, 0, 1, tally));
    ASSERT_NO_FATAL_FAILURE(compare_lists({"x", "y", "z", "w"}, 4, 100000, 5, 0, 2, tally));
    ASSERT_NO_FATAL_FAILURE(compare_lists({"x", "y", "z"}, 4, 60000, 4, 0.3, 3, tally));
    std::printf("%s\n", tally.text().c_str());
    EXPECT_GE(tally.valid + tally.invalid, 300000);
    EXPECT_GT(tally.valid, 30000);
    EXPECT_GT(tally.invalid, 30000);
}

TEST(ProverRandom, DisjunctionsOnTheRight) {
    const std::vector<std::string> names{"x", "y", "z"};
    const brute::SmallModels models(names, 4);
    brute::FormulaStyle left, right;
    right.disjunct = 0.6;
    left.max_atoms = right.max_atoms = 3;
    Tally tally;
    compare(
        left, right, [&](const Entailment& e) { return models.counter_model(e); }, false, 40000, 4, tally);
    std::printf("%s\n", tally.text().c_str());
    EXPECT_GT(tally.valid, 3000);
    EXPECT_LT(tally.unknown, 400);
}

// Heaps of the left side, sampled.
std::optional<Heap> sampled_counter_model(const Entailment& entailment, const std::vector<std::string>& names,
                                          int attempts, Random& random) {
    for (int i = 0; i < attempts; ++i) {
        const std::optional<Heap> heap = brute::random_model(entailment.left, names, random);
        if (!heap || heap->nodes.size() > 12) continue;
        if (satisfies(*heap, entailment.left) != Truth::yes ||
            satisfies(*heap, entailment.right) != Truth::no)
            continue;
        if (brute::holds(*heap, entailment.left) && !brute::holds(*heap, entailment.right)) return heap;
    }
    return std::nullopt;
}

void compare_sampled(const char* name, const brute::FormulaStyle& style, int count, double most_unknown) {
    Tally tally;
    Random sampler(9);
    const Refuter refuter = [&](const Entailment& e) {
        return sampled_counter_model(e, style.names, 40, sampler);
    };
    compare(style, style, refuter, false, count, 5, tally);
    std::printf("%s: %s\n", name, tally.text().c_str());
    EXPECT_GT(tally.valid, count / 50) << name;
    EXPECT_LT(tally.unknown, most_unknown * count) << name;
}

TEST(ProverRandom, OtherShapesAgainstSampledHeaps) {
    brute::FormulaStyle exists, strict, trees, dlls, nested;
    exists.exists = 0.5;
    strict.strict = strict.none = true;
    strict.exists = 0.3;
    trees.trees = trees.strict = true;
    trees.max_atoms = 3;
    dlls.dlls = true;
    dlls.max_atoms = 3;
    nested.nested = nested.trees = nested.strict = nested.none = true;
    nested.max_atoms = 3;
    nested.exists = 0.2;
    compare_sampled("existentials", exists, 10000, 0.2);
    compare_sampled("strict and none", strict, 10000, 0.2);
    compare_sampled("trees", trees, 10000, 0.2);
    compare_sampled("doubly linked", dlls, 10000, 0.2);
    compare_sampled("nested", nested, 10000, 0.2);
    brute::FormulaStyle tags = nested;
    tags.dlls = true;
    tags.tags = {"", "#1"};
    compare_sampled("tags", tags, 10000, 0.2);
}

// Definitions as SMT-LIB files may have them: with the guards of ls and dll removed, or dll's second one
// added. The judge is the satisfaction check on sampled heaps.
void compare_variant(const char* name, const brute::FormulaStyle& style,
                     const std::function<void(Definition&)>& change, double most_unknown) {
    Random random(6), sampler(10);
    Tally tally;
    const int count = 8000;
    for (int i = 0; i < count; ++i) {
        const Entailment e = random_entailment(style, style, random);
        Problem problem = compile(e.left, e.right);
        for (Definition& definition : problem.definitions) {
            definition.segment.reset();
            change(definition);
        }
        ASSERT_EQ(analyse(problem.definitions), "");
        ProverLimits limits;
        limits.seconds = 0.05;
        const Validity verdict = prove(problem, limits).verdict;
        ++(verdict == Validity::valid     ? tally.valid
           : verdict == Validity::invalid ? tally.invalid
                                          : tally.unknown);
        for (int k = 0; k < 30 && verdict == Validity::valid; ++k) {
            const std::optional<Heap> heap = brute::random_model(e.left, style.names, sampler);
            ASSERT_FALSE(heap && satisfies(*heap, problem.left, problem) == Truth::yes &&
                         satisfies(*heap, problem.right, problem) == Truth::no)
                << name << ": " << print(e, Reading::program) << " but there is " << heap_text(*heap);
        }
    }
    std::printf("%s: %s\n", name, tally.text().c_str());
    EXPECT_GT(tally.valid, count / 50) << name;
    EXPECT_LT(tally.unknown, most_unknown * count) << name;
}

TEST(ProverRandom, DefinitionsWithOtherGuards) {
    brute::FormulaStyle lists, dlls;
    dlls.dlls = true;
    dlls.lists = false;
    dlls.max_atoms = 3;
    const auto unguarded = [](Definition& d) { d.rules[1].distinct.clear(); };
    const auto two_guards = [](Definition& d) {
        if (d.parameters == 4) d.rules[1].distinct.emplace_back(2, 3);
    };
    compare_variant("unguarded lists", lists, unguarded, 0.02);
    compare_variant("unguarded doubly linked", dlls, unguarded, 0.02);
    compare_variant("doubly linked with two guards", dlls, two_guards, 0.02);
}

// right * rest for every disjunct and every case.
Formula together(const Formula& right, const std::vector<SymbolicHeap>& cases) {
    Formula result;
    for (const SymbolicHeap& rest : cases)
        for (SymbolicHeap heap : right.heaps) {
            heap.exists.insert(heap.exists.end(), rest.exists.begin(), rest.exists.end());
            heap.pure.insert(heap.pure.end(), rest.pure.begin(), rest.pure.end());
            heap.atoms.insert(heap.atoms.end(), rest.atoms.begin(), rest.atoms.end());
            result.heaps.push_back(std::move(heap));
        }
    return result;
}

void compare_frames(const char* name, const brute::FormulaStyle& left, const brute::FormulaStyle& right) {
    Random random(8), sampler(12);
    int found = 0, judged = 0;
    for (int i = 0; i < 4000; ++i) {
        const Entailment e = random_entailment(left, right, random);
        ProverLimits limits;
        limits.seconds = 0.05;
        const FrameAnswer frame = infer_frame(e.left.heaps[0], e.right, limits);
        if (frame.verdict != Validity::valid) continue;
        ++found;
        const Formula whole = together(e.right, frame.cases);
        for (int k = 0; k < 20; ++k) {
            const std::optional<Heap> heap = brute::random_model(e.left, left.names, sampler);
            if (!heap || heap->nodes.size() > 10 || !brute::holds(*heap, e.left)) continue;
            ++judged;
            ASSERT_TRUE(!whole.heaps.empty() && brute::holds(*heap, whole))
                << name << ": " << print(e, Reading::program) << "\nnot " << print(whole, Reading::program)
                << "\non " << heap_text(*heap);
        }
    }
    std::printf("frames, %s: %d found, %d heaps\n", name, found, judged);
    EXPECT_GT(found, 200) << name;
    EXPECT_GT(judged, 500) << name;
}

TEST(ProverRandom, FramesAgainstSampledHeaps) {
    brute::FormulaStyle lists, others, small_lists, small_others;
    others.trees = others.dlls = others.nested = others.strict = true;
    others.max_atoms = 3;
    small_lists.max_atoms = 2;
    small_lists.disjunct = 0.3;
    small_lists.exists = 0.3;
    small_others = others;
    small_others.max_atoms = 1;
    small_others.exists = 0.3;
    compare_frames("lists", lists, small_lists);
    compare_frames("other shapes", others, small_others);
    others.tags = small_others.tags = {"", "#1"};
    compare_frames("tags", others, small_others);
}

TEST(ProverRandom, ClosuresAgainstSampledHeaps) {
    brute::FormulaStyle style;
    style.trees = style.dlls = style.nested = style.strict = style.none = true;
    Random random(9), sampler(13);
    int judged = 0;
    for (int i = 0; i < 5000; ++i) {
        const Formula formula = brute::random_formula(style, random);
        const Closure closure(formula.heaps[0]);
        for (int k = 0; k < 5; ++k) {
            const std::optional<Heap> heap = brute::random_model(formula, style.names, sampler);
            if (!heap || !brute::holds(*heap, formula)) continue;
            ++judged;
            ASSERT_FALSE(closure.contradictory()) << print(formula, Reading::program);
            for (const std::string& a : style.names)
                for (const std::string& b : style.names) {
                    const int na = heap->variable(a), nb = heap->variable(b);
                    ASSERT_FALSE(closure.same(a, b) && na != nb)
                        << print(formula, Reading::program) << a << b;
                    ASSERT_FALSE(closure.apart(a, b) && na == nb)
                        << print(formula, Reading::program) << a << b;
                    ASSERT_FALSE(closure.allocated(a) && !heap->nodes[static_cast<std::size_t>(na)].allocated)
                        << print(formula, Reading::program) << a;
                }
        }
    }
    EXPECT_GT(judged, 2000);
}

TEST(Shrinker, FindsTheSmallestProblemThatStillFails) {
    // As if the prover were wrong whenever a list starts on the left where a cell stands on the right.
    const auto fails = [](const Entailment& e) {
        for (const SymbolicHeap& l : e.left.heaps)
            for (const Atom& a : l.atoms)
                for (const SymbolicHeap& r : e.right.heaps)
                    for (const Atom& b : r.atoms)
                        if (a.kind == Atom::Kind::list && b.kind == Atom::Kind::cell && a.root() == b.root())
                            return true;
        return false;
    };
    brute::FormulaStyle style;
    style.disjunct = 0.4;
    style.max_atoms = 6;
    Random random(3);
    int tried = 0;
    while (tried < 50) {
        const Entailment entailment = random_entailment(style, style, random);
        if (!fails(entailment)) continue;
        ++tried;
        const Entailment small = brute::shrink(entailment, fails);
        ASSERT_TRUE(fails(small));
        ASSERT_EQ(small.left.heaps.size(), 1u);
        ASSERT_EQ(small.right.heaps.size(), 1u);
        EXPECT_EQ(small.left.heaps[0].atoms.size() + small.right.heaps[0].atoms.size(), 2u);
        EXPECT_TRUE(small.left.heaps[0].pure.empty() && small.right.heaps[0].pure.empty());
    }
}

} // namespace
} // namespace ggsnn::logic
