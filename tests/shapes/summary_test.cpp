// Summaries: what is left out, and above all what must not be.
#include "ggsnn/base/random.hpp"
#include "ggsnn/logic/enumerate.hpp"
#include "ggsnn/logic/sample.hpp"
#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/shapes/summary.hpp"
#include "samples.hpp"

#include <gtest/gtest.h>

namespace ggsnn::shapes {
namespace {

using logic::Heap;
using logic::Truth;

TEST(Summary, ChainsKeepTheLimitAndNothingIsDoneBelowIt) {
    for (const int limit : {1, 3, 7}) {
        const SummaryLimits limits{limit, 6};
        EXPECT_FALSE(summarise(list_heap(1 + limit), limits).has_value()) << limit;
        for (const int cells : {2 + limit, 100}) {
            const auto summary = summarise(list_heap(cells), limits);
            ASSERT_TRUE(summary.has_value());
            EXPECT_EQ(summary->cell_count(), static_cast<std::size_t>(1 + limit)) << "x's cell, and the rest";
            EXPECT_EQ(logic::satisfies(*summary, shape("ls(x, NULL)")), Truth::yes);
        }
    }
}

TEST(Summary, ASummaryHasNoSummary) {
    Random random(14);
    for (const auto& formula : logic::enumerate_shapes({})) {
        const auto once = summarise(logic::sample_heap(formula.heaps[0], {20, 40}, random));
        ASSERT_TRUE(once.has_value());
        EXPECT_FALSE(summarise(*once).has_value()) << logic::heap_text(*once);
    }
}

// Links back are mended where cells between are left out.
TEST(Summary, ShapesWithLinksBackStayTrue) {
    Random random(15);
    SummaryLimits limits;
    limits.back = true;
    int shorter = 0;
    const auto formulas = logic::enumerate_wide({"x", "y"}, false);
    for (const auto& formula : formulas) {
        const Heap heap = logic::sample_heap(formula.heaps[0], {10, 30}, random);
        const auto summary = summarise(heap, limits);
        if (!summary) continue;
        ++shorter;
        EXPECT_EQ(logic::satisfies(*summary, formula), Truth::yes) << logic::heap_text(*summary);
    }
    EXPECT_GT(shorter, 50);
}

TEST(Summary, NamedSharedAndDanglingNodesStay) {
    Heap heap = list_heap(12);
    heap.set_variable("middle", 6);
    const int other = heap.add_node(true); // points into the list
    heap.link(other, "next", 9);
    heap.set_variable("y", other);
    const int dangling = heap.add_node(false);
    heap.link(12, "next", dangling);
    const auto summary = summarise(heap);
    ASSERT_TRUE(summary.has_value());
    EXPECT_EQ(summary->variables.size(), 3U);
    const logic::Formula formula =
        shape("exists m, d . ls(x, middle) * ls(middle, m) * ls(y, m) * ls(m, d) * none(d)");
    EXPECT_EQ(logic::satisfies(heap, formula), Truth::yes);
    EXPECT_EQ(logic::satisfies(*summary, formula), Truth::yes) << logic::heap_text(*summary);
}

TEST(Summary, TreesKeepTheirFirstCells) {
    Heap heap;
    for (int i = 0; i < 63; ++i) heap.add_node(true);
    for (int i = 1; i <= 63; ++i) {
        heap.link(i, "left", 2 * i <= 63 ? 2 * i : 0);
        heap.link(i, "right", 2 * i + 1 <= 63 ? 2 * i + 1 : 0);
    }
    heap.set_variable("x", 1);
    const auto summary = summarise(heap, {3, 6});
    ASSERT_TRUE(summary.has_value());
    EXPECT_EQ(summary->cell_count(), 6U);
    EXPECT_EQ(logic::satisfies(*summary, shape("tree(x)")), Truth::yes);
}

// What the summary then satisfies, the heap need not: candidates are always checked on the heap itself.
TEST(Summary, ACellWithTwoPointersIsNotPruned) {
    const Heap shared = heap_of(
        3,
        {{1, "left", 2}, {1, "right", 3}, {2, "left", 3}, {2, "right", 0}, {3, "left", 0}, {3, "right", 0}},
        {{"x", 1}});
    EXPECT_FALSE(summarise(shared).has_value());
    const auto summary = summarise(shared, {3, 1});
    ASSERT_TRUE(summary.has_value());
    EXPECT_EQ(summary->cell_count(), 2U) << "the cell with two pointers stays, one that points to it goes";
}

// Rings that no name leads to, and cells without fields.
TEST(Summary, OddHeapsAreNoTrouble) {
    EXPECT_FALSE(summarise(Heap{}).has_value());
    Heap ring;
    for (int i = 0; i < 20; ++i) ring.add_node(true);
    for (int i = 1; i <= 20; ++i) ring.link(i, "next", i % 20 + 1);
    EXPECT_FALSE(summarise(ring).has_value()) << "no cell that a chain could begin at";
    ring.set_variable("x", 1);
    const auto summary = summarise(ring);
    ASSERT_TRUE(summary.has_value());
    EXPECT_EQ(summary->cell_count(), 4U);
    EXPECT_EQ(logic::satisfies(*summary, shape("ls(x, x)")), Truth::yes);
    EXPECT_FALSE(summarise(heap_of(3, {}, {{"x", 1}})).has_value());
}

} // namespace
} // namespace ggsnn::shapes
