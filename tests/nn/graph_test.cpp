// A chunk's adjacency against the lists of edges it was made from: small graphs, which are copied, and a
// large one, which is looked at where it is.
#include "samples.hpp"

#include <gtest/gtest.h>

namespace ggsnn {
namespace {

// For each node of a chunk the neighbours in one slot, in increasing order.
using Heard = std::vector<std::vector<int>>;

Heard heard_in(const Chunk<float>& chunk, int slot) {
    const Adjacency& edges = chunk.adjacency[slot];
    Heard all(chunk.nodes);
    EXPECT_EQ(edges.starts.size(), edges.rows.size() + 1);
    bool single = true;
    for (int i = 0; i < edges.size(); ++i) {
        for (int e = edges.starts[i]; e < edges.starts[i + 1]; ++e)
            all[edges.rows[i]].push_back(edges.neighbours[e]);
        EXPECT_EQ(edges.degree(i), static_cast<int>(all[edges.rows[i]].size()));
        EXPECT_TRUE(i == 0 || edges.rows[i - 1] < edges.rows[i]);
        EXPECT_EQ(edges.lower(edges.rows[i]), i);
        single = single && all[edges.rows[i]].size() == 1;
    }
    EXPECT_EQ(edges.single, single) << "slot " << slot;
    return all;
}

void add(Heard& all, const std::vector<Edge>& list, int slot, int first) {
    for (const Edge& e : list)
        if (e.type == slot / 2)
            all[first + (slot % 2 == incoming ? e.target : e.source)].push_back(
                first + (slot % 2 == incoming ? e.source : e.target));
}

void expect_agrees(const Chunk<float>& chunk, const std::vector<std::vector<Edge>>& lists,
                   const std::vector<int>& firsts, int edge_types) {
    std::vector<int> hears[2];
    std::vector<std::vector<char>> marks(2, std::vector<char>(chunk.nodes, 0));
    for (int slot = 0; slot < 2 * edge_types; ++slot) {
        Heard expected(chunk.nodes);
        for (std::size_t g = 0; g < lists.size(); ++g) add(expected, lists[g], slot, firsts[g]);
        for (auto& list : expected) std::sort(list.begin(), list.end());
        ASSERT_EQ(heard_in(chunk, slot), expected) << "slot " << slot;
        for (int v = 0; v < chunk.nodes; ++v)
            if (!expected[v].empty()) marks[slot % 2][v] = 1;
    }
    for (int direction = 0; direction < 2; ++direction) {
        for (int v = 0; v < chunk.nodes; ++v)
            if (marks[direction][v] != 0) hears[direction].push_back(v);
        EXPECT_EQ(chunk.hearing[direction], hears[direction]);
    }
}

TEST(Chunk, HoldsTheEdgesOfAllItsGraphs) {
    Random random(3);
    Chunk<float> chunk;
    for (int round = 0; round < 5; ++round) { // a chunk is used again and again
        chunk.reset(4, 1);
        std::vector<std::vector<Edge>> lists;
        std::vector<int> firsts;
        for (int g = 0; g < 6; ++g) {
            const int nodes = static_cast<int>(random.below(8)); // none, too
            lists.push_back(test::random_edges(random, nodes, 3, 2 * nodes));
            firsts.push_back(chunk.append(Graph(nodes, lists.back()), g % 2));
        }
        expect_agrees(chunk, lists, firsts, 4);
    }
}

TEST(Chunk, LooksAtALargeGraphWhereItIs) {
    Random random(4);
    const int nodes = large_rows + 100;
    std::vector<Edge> list = test::random_edges(random, nodes, 2, 3 * nodes);
    // A later slot where every degree is one.
    for (int v = 0; v < nodes; v += 2) list.push_back({v, 2, (v + 7) % nodes});
    const Graph graph(nodes, list), small(3, std::vector<Edge>{{0, 0, 1}, {2, 3, 1}});
    Chunk<float> chunk;
    for (int round = 0; round < 2; ++round) {
        chunk.reset(4, 1);
        EXPECT_EQ(chunk.append(graph, 1), 0);
        EXPECT_EQ(chunk.nodes, nodes + 1);
        EXPECT_EQ(chunk.adjacency[0].neighbours.data(), graph.neighbours().data());
        EXPECT_TRUE(chunk.adjacency[4].single);
        EXPECT_FALSE(chunk.adjacency[0].single);
        expect_agrees(chunk, {list}, {0}, 4);
        chunk.reset(4, 1);
        chunk.append(small);
        expect_agrees(chunk, {{{0, 0, 1}, {2, 3, 1}}}, {0}, 4);
    }
    // After others it is copied.
    const int first = chunk.append(graph);
    expect_agrees(chunk, {{{0, 0, 1}, {2, 3, 1}}, list}, {0, first}, 4);
}

TEST(Chunk, MovesWithItsEdges) {
    Random random(5);
    Chunk<float> from;
    from.reset(2, 1);
    const auto list = test::random_edges(random, 9, 2, 20);
    from.append(Graph(9, list));
    const Chunk<float> to = std::move(from);
    expect_agrees(to, {list}, {0}, 2);
}

} // namespace
} // namespace ggsnn
