// The satisfaction check against the plain reference, and on large heaps.
#include "brute.hpp"
#include "ggsnn/logic/satisfy.hpp"

#include <gtest/gtest.h>

namespace ggsnn::logic {
namespace {

Formula program(const std::string& text) {
    return parse_formula(text, Reading::program);
}

Heap chain(int cells, int back_to) {
    Heap heap;
    for (int i = 0; i < cells; ++i) heap.add_node(true);
    for (int i = 1; i <= cells; ++i) heap.link(i, "next", i < cells ? i + 1 : back_to);
    heap.set_variable("x", cells > 0 ? 1 : 0);
    return heap;
}

TEST(Satisfy, ListsThatEndCycleOrAreEmpty) {
    EXPECT_EQ(satisfies(chain(3, 0), program("ls(x, NULL)")), Truth::yes);
    EXPECT_EQ(satisfies(chain(0, 0), program("ls(x, NULL)")), Truth::yes);
    EXPECT_EQ(satisfies(chain(0, 0), program("ls+(x, NULL)")), Truth::no);
    EXPECT_EQ(satisfies(chain(3, 1), program("ls(x, x)")), Truth::no) << "acyclic: ls(x,x) is empty";
    EXPECT_EQ(satisfies(chain(3, 1), program("ls+(x, x)")), Truth::yes) << "strict: ls+(x,x) is a cycle";
    EXPECT_EQ(satisfies(chain(3, 1), parse_formula("ls(x, x)", Reading::shape)), Truth::yes);
    EXPECT_EQ(satisfies(chain(4, 3), parse_formula("exists t . ls(x, t) * ls(t, t)", Reading::shape)),
              Truth::yes);
    EXPECT_EQ(satisfies(chain(4, 0), parse_formula("exists t . ls(x, t) * ls(t, t)", Reading::shape)),
              Truth::no);
}

TEST(Satisfy, EveryCellIsCoveredOnce) {
    Heap heap = chain(2, 0);
    heap.add_node(true);
    EXPECT_EQ(satisfies(heap, program("ls(x, NULL)")), Truth::no) << "a cell is left over";
    EXPECT_EQ(satisfies(chain(2, 0), program("ls(x, NULL) * ls(x, NULL)")), Truth::no);
}

TEST(Satisfy, OpenRecordsAndMissingFields) {
    Heap heap = chain(1, 0);
    EXPECT_EQ(satisfies(heap, program("x |-> {next: NULL}")), Truth::yes);
    EXPECT_EQ(satisfies(heap, program("x |-> {}")), Truth::yes);
    EXPECT_EQ(satisfies(heap, program("exists v . x |-> {next: NULL, val: v}")), Truth::no);
    heap.link(1, "val", 0);
    EXPECT_EQ(satisfies(heap, program("x |-> {next: NULL}")), Truth::yes);
    EXPECT_EQ(satisfies(heap, program("tree(x)")), Truth::no);
}

TEST(Satisfy, WitnessSaysWhereExistentialsStand) {
    std::map<std::string, int> witness;
    const Checker checker(parse_formula("exists t . ls(x, t) * ls(t, t)", Reading::shape));
    ASSERT_EQ(checker(chain(5, 3), witness), Truth::yes);
    EXPECT_EQ(witness.at("t"), 3);
}

TEST(Satisfy, FormulaOfThePapersFigure) {
    const Formula formula = parse_formula(
        "ls(arg1, NULL, \\t1 -> ls(t1, NULL)) * tree(arg2, \\t2 -> exists e1 . ls(t2, e1) * ls(e1, e1))",
        Reading::shape);
    Heap heap;
    for (int i = 0; i < 6; ++i) heap.add_node(true);
    heap.link(1, "next", 0);
    heap.link(1, "val", 2);
    heap.link(2, "next", 3);
    heap.link(3, "next", 0);
    heap.link(4, "left", 0);
    heap.link(4, "right", 0);
    heap.link(4, "val", 5);
    heap.link(5, "next", 6);
    heap.link(6, "next", 6);
    heap.set_variable("arg1", 1);
    heap.set_variable("arg2", 4);
    EXPECT_EQ(satisfies(heap, formula), Truth::yes);
    heap.link(6, "next", 0);
    EXPECT_EQ(satisfies(heap, formula), Truth::no);
}

struct Style {
    const char* name;
    brute::FormulaStyle style;
    std::vector<std::string> fields;
};

std::vector<Style> styles() {
    brute::FormulaStyle lists, strict, trees, dlls, nested;
    lists.exists = 0.4;
    strict.strict = strict.none = true;
    strict.exists = 0.4;
    trees.trees = trees.strict = true;
    trees.exists = 0.3;
    dlls.dlls = true;
    dlls.exists = 0.3;
    nested.nested = nested.trees = nested.strict = nested.none = true;
    nested.max_atoms = 3;
    nested.exists = 0.2;
    return {{"lists", lists, {"next"}},
            {"strict", strict, {"next"}},
            {"trees", trees, {"next", "left", "right"}},
            {"dlls", dlls, {"next", "prev"}},
            {"nested", nested, {"next", "left", "right", "val"}}};
}

TEST(Satisfy, AgreesWithTheReferenceOnSmallHeaps) {
    for (const Style& style : styles()) {
        Random random(11, {style.fields.size(), style.style.strict});
        int yes = 0;
        for (int i = 0; i < 12000; ++i) {
            const Formula formula = brute::random_formula(style.style, random);
            Heap heap;
            std::optional<Heap> model;
            if (i % 4 != 0) model = brute::random_model(formula, style.style.names, random);
            heap = model ? *model : brute::random_heap(style.style.names, style.fields, 3, random);
            if (heap.nodes.size() > 10) continue;
            const bool expected = brute::holds(heap, formula);
            yes += expected;
            ASSERT_EQ(satisfies(heap, formula), expected ? Truth::yes : Truth::no)
                << style.name << ": " << print(formula, Reading::program) << " on " << heap_text(heap);
        }
        EXPECT_GT(yes, 500) << style.name
                            << ": too few heaps satisfy their formula for the test to mean much";
    }
}

// The fewest steps with which the check comes to an answer.
std::uint64_t steps_for(const Checker& checker, const Heap& heap, Truth expected) {
    std::uint64_t too_few = 0, enough = 1;
    for (; enough < std::uint64_t{1} << 40 && checker(heap, SatisfyLimits{enough}) == Truth::unknown;
         enough *= 2)
        too_few = enough;
    while (enough - too_few > 1) {
        const std::uint64_t middle = too_few + (enough - too_few) / 2;
        (checker(heap, SatisfyLimits{middle}) == Truth::unknown ? too_few : enough) = middle;
    }
    EXPECT_EQ(checker(heap, SatisfyLimits{enough}), expected);
    return enough;
}

Heap full_tree(int cells) {
    Heap heap;
    for (int i = 0; i < cells; ++i) heap.add_node(true);
    for (int i = 1; i <= cells; ++i) {
        heap.link(i, "left", 2 * i <= cells ? 2 * i : 0);
        heap.link(i, "right", 2 * i < cells ? 2 * i + 1 : 0);
    }
    heap.set_variable("x", 1);
    return heap;
}

TEST(Satisfy, StepsGrowLinearlyWithTheHeap) {
    const Checker list(program("ls(x, NULL)")), tree(program("tree(x)"));
    for (const int cells : {500, 2000, 8000}) {
        const auto most = static_cast<std::uint64_t>(6 * cells);
        EXPECT_LE(steps_for(list, chain(cells, 0), Truth::yes), most) << cells;
        EXPECT_LE(steps_for(list, chain(cells, cells / 2), Truth::no), most) << cells;
        EXPECT_LE(steps_for(tree, full_tree(cells), Truth::yes), most) << cells;
    }
    EXPECT_EQ(list(chain(1'000'000, 0)), Truth::yes);
}

TEST(Satisfy, LimitGivesUnknown) {
    EXPECT_EQ(satisfies(chain(1000, 0), program("ls(x, NULL)"), SatisfyLimits{100}), Truth::unknown);
}

} // namespace
} // namespace ggsnn::logic
