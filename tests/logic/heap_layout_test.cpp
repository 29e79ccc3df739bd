#include "ggsnn/logic/heap_layout.hpp"

#include "ggsnn/base/random.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ggsnn::logic {
namespace {

Heap list_of(int cells, const char* name) {
    Heap heap;
    int before = 0;
    for (int i = 0; i < cells; ++i) {
        const int cell = heap.add_node(true);
        heap.link(cell, "next", 0);
        if (before != 0) heap.link(before, "next", cell);
        if (before == 0) heap.set_variable(name, cell);
        before = cell;
    }
    return heap;
}

TEST(HeapLayout, ListsAreStraight) {
    Heap heap = list_of(6, "a");
    heap.set_variable("cur", 4); // in the middle: it does not break the line
    const HeapLayout layout = layout_heap(heap);
    for (int v = 1; v <= 6; ++v) {
        EXPECT_EQ(layout.spots[static_cast<std::size_t>(v)].column, v - 1);
        EXPECT_EQ(layout.spots[static_cast<std::size_t>(v)].row, 0);
    }
    EXPECT_EQ(layout.rows, 1);
}

TEST(HeapLayout, DoublyLinkedListsAndCyclesAreStraight) {
    Heap heap = list_of(5, "x");
    for (int v = 2; v <= 5; ++v) heap.link(v, "prev", v - 1);
    heap.link(5, "next", 1);
    const HeapLayout layout = layout_heap(heap);
    for (int v = 1; v <= 5; ++v) {
        EXPECT_EQ(layout.spots[static_cast<std::size_t>(v)].column, v - 1);
        EXPECT_EQ(layout.spots[static_cast<std::size_t>(v)].row, 0);
    }
}

TEST(HeapLayout, AShortListStandsBesideTheEndOfTheLongOneThatItJoins) {
    Heap heap = list_of(6, "x");
    const int short_one = heap.add_node(true);
    heap.link(short_one, "next", 6);
    heap.set_variable("y", short_one);
    const HeapLayout layout = layout_heap(heap);
    EXPECT_EQ(layout.spots[static_cast<std::size_t>(short_one)].column, 4);
    EXPECT_NE(layout.spots[static_cast<std::size_t>(short_one)].row, 0);
    for (int v = 1; v <= 6; ++v) EXPECT_EQ(layout.spots[static_cast<std::size_t>(v)].row, 0);
}

TEST(HeapLayout, TreesHaveParentsBetweenTheirChildren) {
    Heap heap;
    for (int i = 0; i < 7; ++i) heap.add_node(true);
    for (int v = 1; v <= 3; ++v) {
        heap.link(v, "left", 2 * v);
        heap.link(v, "right", 2 * v + 1);
    }
    heap.set_variable("t", 1);
    const HeapLayout layout = layout_heap(heap);
    for (int v = 1; v <= 3; ++v) {
        const double left = layout.spots[static_cast<std::size_t>(2 * v)].row;
        const double right = layout.spots[static_cast<std::size_t>(2 * v + 1)].row;
        EXPECT_LT(left, layout.spots[static_cast<std::size_t>(v)].row);
        EXPECT_GT(right, layout.spots[static_cast<std::size_t>(v)].row);
    }
}

// Whatever is linked to whatever: every cell has a place of its own, and links that are not back links lead
// on.
TEST(HeapLayout, NoTwoNodesShareAPlace) {
    Random random(7);
    for (int round = 0; round < 300; ++round) {
        Heap heap;
        const int nodes = 1 + static_cast<int>(random.below(12));
        for (int i = 0; i < nodes; ++i) heap.add_node(random.below(4) != 0);
        const char* fields[] = {"next", "left", "right", "val", "prev"};
        for (int v = 1; v <= nodes; ++v)
            for (const char* field : fields)
                if (random.below(3) == 0)
                    heap.link(v, field,
                              static_cast<int>(random.below(static_cast<std::uint64_t>(nodes) + 1)));
        for (const char* name : {"a", "b", "c"})
            heap.set_variable(name, static_cast<int>(random.below(static_cast<std::uint64_t>(nodes) + 1)));
        const HeapLayout layout = layout_heap(heap);
        std::set<std::pair<int, double>> taken;
        for (int v = 1; v <= nodes; ++v) {
            const HeapLayout::Spot& spot = layout.spots[static_cast<std::size_t>(v)];
            ASSERT_GE(spot.column, 0);
            ASSERT_LT(spot.column, layout.columns);
            ASSERT_LT(spot.row, layout.rows);
            EXPECT_TRUE(taken.emplace(spot.column, spot.row).second) << heap_text(heap);
        }
        EXPECT_EQ(heap_svg(heap).find("nan"), std::string::npos);
    }
}

TEST(HeapLayout, LongHeapsAreNoDepth) {
    const Heap heap = list_of(100'000, "x");
    EXPECT_EQ(layout_heap(heap).columns, 100'000);
}

} // namespace
} // namespace ggsnn::logic
