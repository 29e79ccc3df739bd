// The baseline's features: their number does not depend on the heap, they follow the nodes when these change
// places, they tell apart what the decisions are about, and they are numbers.
#include "ggsnn/base/random.hpp"
#include "ggsnn/logic/sample.hpp"
#include "ggsnn/shapes/features.hpp"
#include "ggsnn/shapes/heap_data.hpp"
#include "samples.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace ggsnn::shapes {
namespace {

using logic::Heap;

Marks marks_of(const Heap& heap, int active) {
    Marks marks(heap.nodes.size());
    for (const auto& [name, node] : heap.variables)
        if (node > 0) marks.named[static_cast<std::size_t>(node)] = 1;
    if (active > 0) marks.active = {active};
    return marks;
}

std::vector<float> whole_row(const Heap& heap, const Marks& marks) {
    return features_of(Decision::predicate, heap, marks).values;
}

std::vector<float> node_row(const FeatureRows& rows, int node) {
    return {rows.row(node), rows.row(node) + rows.width};
}

TEST(Features, ClassesHaveOneRowAndNodesOneEach) {
    const Heap heap = panhandle();
    const Marks marks = marks_of(heap, 1);
    for (const Decision d : all_decisions) {
        const FeatureRows rows = features_of(d, heap, marks);
        const bool of_heap = d == Decision::quantify || d == Decision::predicate;
        EXPECT_EQ(rows.rows(), of_heap ? 1 : 5) << name_of(d);
        EXPECT_EQ(static_cast<int>(rows.values.size()), rows.rows() * rows.width);
    }
}

TEST(Features, TheWidthIsTheSameForEveryHeapAndAllAreNumbers) {
    Heap only_null, bare;
    bare.add_node(true);
    bare.set_variable("x", 1);
    Random random(9);
    std::vector<Heap> heaps{only_null, bare, panhandle(), list_heap(40)};
    for (const bool nested : {false, true})
        for (const auto& formula : logic::enumerate_shapes(space_of(nested, false))) {
            logic::SampleSizes sizes;
            sizes.val = nested;
            heaps.push_back(logic::sample_heap(formula.heaps[0], sizes, random));
            if (heaps.size() % 50 == 0) break;
        }
    for (const Decision d : all_decisions) {
        const int width = features_of(d, heaps[0], marks_of(heaps[0], 0)).width;
        EXPECT_GT(width, 10);
        for (const Heap& heap : heaps)
            for (const int active : {0, heap.nodes.size() > 1 ? 1 : 0}) {
                const FeatureRows rows = features_of(d, heap, marks_of(heap, active));
                EXPECT_EQ(rows.width, width);
                for (const float value : rows.values) ASSERT_TRUE(std::isfinite(value)) << name_of(d);
            }
    }
}

TEST(Features, FollowTheNodes) {
    Random random(4);
    const auto formulas = logic::enumerate_shapes({});
    for (int round = 0; round < 40; ++round) {
        const Heap heap = logic::sample_heap(random.pick(formulas).heaps[0], {}, random);
        const std::vector<int> order = any_order(heap.nodes.size(), random);
        const Heap moved = renumbered(heap, order);
        const int active = static_cast<int>(1 + random.below(heap.nodes.size() - 1));
        Marks here = marks_of(heap, active), there = marks_of(moved, order[static_cast<std::size_t>(active)]);
        for (std::size_t v = 1; v < heap.nodes.size(); ++v)
            here.explained[v] = there.explained[static_cast<std::size_t>(order[v])] =
                random.chance(0.5) ? 1 : 0;
        const auto before = whole_row(heap, here), after = whole_row(moved, there);
        ASSERT_EQ(before.size(), after.size());
        for (std::size_t i = 0; i < before.size(); ++i) EXPECT_FLOAT_EQ(before[i], after[i]) << i;
        const FeatureRows nodes = features_of(Decision::end, heap, here),
                          moved_nodes = features_of(Decision::end, moved, there);
        for (std::size_t v = 0; v < heap.nodes.size(); ++v)
            EXPECT_EQ(node_row(nodes, static_cast<int>(v)), node_row(moved_nodes, order[v]));
    }
}

TEST(Features, TellWhereAListEnds) {
    const Heap to_null = list_heap(3);
    Heap round = list_heap(3), to_name = list_heap(3);
    round.link(3, "next", 1);
    to_name.link(3, "next", to_name.add_node(false));
    to_name.set_variable("y", 4);
    const auto a = whole_row(to_null, marks_of(to_null, 1)), b = whole_row(round, marks_of(round, 1)),
               c = whole_row(to_name, marks_of(to_name, 1));
    EXPECT_NE(a, b);
    EXPECT_NE(a, c);
    EXPECT_NE(b, c);
    // The first named node on the way is the one whose row stands out.
    const FeatureRows rows = features_of(Decision::end, to_name, marks_of(to_name, 1));
    Heap unnamed = to_name;
    unnamed.variables.pop_back();
    const FeatureRows others = features_of(Decision::end, unnamed, marks_of(unnamed, 1));
    EXPECT_NE(node_row(rows, 4), node_row(others, 4));
}

TEST(Features, TellTreesFromSharing) {
    const auto heap = [](int right) {
        return heap_of(2, {{1, "left", 2}, {1, "right", right}, {2, "left", 0}, {2, "right", 0}}, {{"x", 1}});
    };
    EXPECT_NE(whole_row(heap(0), marks_of(heap(0), 1)), whole_row(heap(2), marks_of(heap(2), 1)));
}

TEST(Features, EveryMarkIsSeen) {
    const Heap heap = list_heap(3);
    const Marks plain = marks_of(heap, 1);
    Marks named = plain, explained = plain, moved = plain, earlier = plain;
    named.named[2] = 1;
    explained.explained[2] = 1;
    moved.active = {2};
    earlier.earlier = {1, 2, 3};
    for (const Marks* marks : {&named, &explained, &moved}) {
        EXPECT_NE(whole_row(heap, plain), whole_row(heap, *marks));
        EXPECT_NE(node_row(features_of(Decision::explain, heap, plain), 2),
                  node_row(features_of(Decision::explain, heap, *marks), 2));
    }
    const auto row = whole_row(heap, earlier);
    EXPECT_THAT(std::vector<float>(row.end() - 3, row.end()), ::testing::ElementsAre(1, 2, 3));
}

// Named nodes on a ring far away must not be walked to for ever.
TEST(Features, ARingWithoutNamesHasAnEnd) {
    Heap heap = list_heap(3);
    heap.link(3, "next", 2);
    const auto row = whole_row(heap, marks_of(heap, 1));
    EXPECT_FALSE(row.empty());
}

} // namespace
} // namespace ggsnn::shapes
