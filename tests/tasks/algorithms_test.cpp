// Graph algorithms as tasks: families of graphs against their definitions, every answer against a plain
// reference that works another way, hints against answers and neighbours, and the way through a file.
#include "folder.hpp"
#include "ggsnn/tasks/algorithms.hpp"
#include "ggsnn/tasks/generate.hpp"
#include "ggsnn/tasks/random_graphs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace ggsnn {
namespace {

using ::testing::HasSubstr;

std::vector<Record> draw(const std::string& task, const std::string& family, int nodes, long count,
                         bool hints = true) {
    std::vector<Record> records;
    generate_algorithm({task, family, nodes, count, 5, hints},
                       [&](const Record& record) { records.push_back(record); });
    return records;
}

// Lengths in whole steps; 0: no edge.
using Matrix = std::vector<std::vector<long>>;

Matrix matrix_of(const Record& record) {
    Matrix lengths(record.nodes, std::vector<long>(record.nodes, 0));
    for (std::size_t i = 0; i < record.edges.size(); ++i) {
        const RawEdge& e = record.edges[i];
        lengths[e.source][e.target] =
            record.edge_weights.empty() ? 1 : std::lround(double(record.edge_weights[i]) * (1 << 18));
    }
    return lengths;
}

// All distances, by Floyd and Warshall.
Matrix distances_of(const Matrix& lengths) {
    const std::size_t n = lengths.size();
    Matrix d(n, std::vector<long>(n, 1L << 50));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (i == j || lengths[i][j] > 0) d[i][j] = i == j ? 0 : lengths[i][j];
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    return d;
}

// The first neighbour on a shortest way from the source.
std::vector<int> shortest_parents(const Matrix& lengths, int source) {
    const Matrix d = distances_of(lengths);
    std::vector<int> parents;
    for (int v = 0; v < static_cast<int>(lengths.size()); ++v) {
        int parent = v;
        for (int u = static_cast<int>(lengths.size()); u-- > 0 && v != source;)
            if (lengths[u][v] > 0 && d[source][u] + lengths[u][v] == d[source][v]) parent = u;
        parents.push_back(parent);
    }
    return parents;
}

void visit(const Matrix& lengths, int v, int from, std::vector<int>& parents) {
    parents[v] = from;
    for (int u = 0; u < static_cast<int>(lengths.size()); ++u)
        if (lengths[v][u] > 0 && parents[u] < 0) visit(lengths, u, v, parents);
}

// Kruskal, with union by relabelling.
std::set<std::array<int, 2>> spanning_tree(const Matrix& lengths) {
    std::vector<std::tuple<long, int, int>> edges;
    for (int a = 0; a < static_cast<int>(lengths.size()); ++a)
        for (int b = a + 1; b < static_cast<int>(lengths.size()); ++b)
            if (lengths[a][b] > 0) edges.emplace_back(lengths[a][b], a, b);
    std::sort(edges.begin(), edges.end());
    std::vector<int> part(lengths.size());
    std::iota(part.begin(), part.end(), 0);
    std::set<std::array<int, 2>> tree;
    for (const auto& [length, a, b] : edges) {
        if (part[a] == part[b]) continue;
        tree.insert({a, b});
        std::replace(part.begin(), part.end(), int(part[a]), int(part[b]));
    }
    return tree;
}

const std::vector<int>& parents_in(const Record& record) {
    return record.questions[0].answer.nodes;
}

class Algorithms : public ::testing::TestWithParam<std::string> {};

TEST_P(Algorithms, SearchesAreThoseOfPlainReferences) {
    for (int nodes : {4, 7, 16, 40}) {
        for (const Record& r : draw("bfs", GetParam(), nodes, 15))
            EXPECT_EQ(parents_in(r), shortest_parents(matrix_of(r), r.questions[0].arguments[0]));
        for (const Record& r : draw("dijkstra", GetParam(), nodes, 15))
            EXPECT_EQ(parents_in(r), shortest_parents(matrix_of(r), r.questions[0].arguments[0]));
        for (const Record& r : draw("dfs", GetParam(), nodes, 15)) {
            std::vector<int> parents(nodes, -1);
            const int source = r.questions[0].arguments[0];
            visit(matrix_of(r), source, source, parents);
            EXPECT_EQ(parents_in(r), parents);
        }
        for (const Record& r : draw("eccentricity", GetParam(), nodes, 15)) {
            const Matrix d = distances_of(matrix_of(r));
            const auto& row = d[r.questions[0].arguments[0]];
            ASSERT_EQ(r.questions[0].answer.values.size(), 1u);
            EXPECT_EQ(r.questions[0].answer.values[0], float(*std::max_element(row.begin(), row.end())));
        }
    }
}

TEST_P(Algorithms, TreesAndSetsAreThoseOfPlainReferences) {
    for (int nodes : {4, 7, 16, 40}) {
        for (const Record& r : draw("mst", GetParam(), nodes, 15)) {
            std::set<std::array<int, 2>> tree;
            const int source = r.questions[0].arguments[0];
            for (int v = 0; v < nodes; ++v) {
                const int u = parents_in(r)[v];
                EXPECT_EQ(u == v, v == source);
                if (u != v) tree.insert({std::min(u, v), std::max(u, v)});
                int up = v, hops = 0; // to the source, and in no circle
                while (up != source && hops <= nodes) up = parents_in(r)[up], ++hops;
                EXPECT_EQ(up, source);
            }
            EXPECT_EQ(tree, spanning_tree(matrix_of(r))) << "no two lengths of this seed are equal";
        }
        for (const Record& r : draw("mis", GetParam(), nodes, 15)) {
            const Matrix lengths = matrix_of(r);
            std::vector<std::string> expected(nodes, "in");
            for (int v = 0; v < nodes; ++v)
                for (int u = 0; u < v; ++u)
                    if (lengths[u][v] > 0 && expected[u] == "in") expected[v] = "out";
            EXPECT_EQ(r.questions[0].answer.words, expected);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Families, Algorithms, ::testing::Values("erdos-renyi", "watts-strogatz", "delaunay"),
                         [](const auto& given) {
                             std::string name = given.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(AlgorithmHints, LeadToTheAnswerAlongEdges) {
    for (const std::string& task : algorithm_names())
        for (const Record& r : draw(task, "all", 16, 9)) {
            ASSERT_NE(r.questions[0].hints, nullptr);
            const Hints& h = *r.questions[0].hints;
            const std::size_t n = r.nodes;
            ASSERT_EQ(h.bits.size(), h.steps * n * h.width);
            ASSERT_EQ(h.pointers.size(), h.steps * n);
            const Matrix lengths = matrix_of(r);
            for (std::size_t i = 0; i < h.pointers.size(); ++i)
                EXPECT_TRUE(h.pointers[i] == int(i % n) || lengths[h.pointers[i]][i % n] > 0);
            const std::vector<int> last(h.pointers.end() - r.nodes, h.pointers.end());
            if (!parents_in(r).empty()) EXPECT_EQ(parents_in(r), last);
            // The last step changes nothing, the one before does.
            ASSERT_GE(h.steps, 3);
            const auto end = h.bits.end() - static_cast<std::ptrdiff_t>(n * h.width);
            EXPECT_TRUE(std::equal(end, h.bits.end(), end - static_cast<std::ptrdiff_t>(n * h.width)));
            EXPECT_EQ(h.chosen.empty(), task == "bfs" || task == "mis");
        }
}

TEST(AlgorithmHints, WalksGiveTheAnswerNodeByNode) {
    for (const char* task : {"shortest-path", "eulerian-circuit"})
        for (int scale : {1, 2, 5})
            generate_stories({task, 20, 3, scale}, [&](const Story& story) {
                const Record r = walk_record(story, true);
                const Hints& h = *r.questions[0].hints;
                std::vector<int> walk;
                for (int k = 0; k < h.steps; ++k)
                    for (int v = 0; v < r.nodes; ++v)
                        if (h.bits[(static_cast<std::size_t>(k) * r.nodes + v) * h.width] != 0)
                            walk.push_back(v);
                EXPECT_EQ(walk, parents_in(r));
            });
}

TEST(AlgorithmFiles, ComeBack) {
    const testing::Folder folder;
    for (const std::string& task : algorithm_names())
        for (bool hints : {false, true}) {
            const std::vector<Record> records = draw(task, "all", 9, 3, hints);
            std::string text;
            for (const Record& r : records) text += to_json_line(r);
            folder.put("graphs", text);
            const auto reader = open_records(folder / "graphs", {});
            Record read;
            for (const Record& r : records) {
                ASSERT_TRUE(reader->next(read));
                EXPECT_EQ(read.nodes, r.nodes);
                EXPECT_EQ(read.edge_weights, r.edge_weights);
                const RawQuestion &q = read.questions[0], &expected = r.questions[0];
                EXPECT_EQ(q.arguments, expected.arguments);
                EXPECT_EQ(q.answer.nodes, expected.answer.nodes);
                EXPECT_EQ(q.answer.words, expected.answer.words);
                EXPECT_EQ(q.answer.values, expected.answer.values);
                ASSERT_EQ(q.hints != nullptr, hints);
                if (hints) EXPECT_EQ(*q.hints, *expected.hints);
            }
            EXPECT_FALSE(reader->next(read));
        }
}

TEST(AlgorithmFiles, WrongHintsAreNamed) {
    const testing::Folder folder;
    const auto reason = [&](const std::string& hints) -> std::string {
        folder.put(
            "graphs",
            R"({"nodes": 2, "edges": [[0, "e", 1]], "question": {"answer": {"nodes": [0, 0]}, "hints": )" +
                hints + "}}\n");
        try {
            Record record;
            open_records(folder / "graphs", {})->next(record);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(reason(R"({"bits": [[[0], [1]]], "pointers": [[0, 0]], "chosen": [null]})"), "");
    EXPECT_THAT(reason("5"), HasSubstr(":1: hints is the number 5; expected an object with bits"));
    EXPECT_THAT(reason(R"({"bits": []})"), HasSubstr("expected an object with bits: a matrix for each step"));
    EXPECT_THAT(reason(R"({"bits": [[[0], [1]]], "bit": [1]})"),
                HasSubstr("hints: unknown key \"bit\"; expected bits, pointers or chosen"));
    EXPECT_THAT(reason(R"({"bits": [[[0], [1]]], "chosen": []})"),
                HasSubstr("hints: chosen is a list of 0; expected a list of 1, one for each step"));
    EXPECT_THAT(reason(R"({"bits": [[[0], [1, 0]]]})"),
                HasSubstr("hints: a row has 2 bits; expected 1 as in the first"));
    EXPECT_THAT(reason(R"({"bits": [[[0], [2]]]})"),
                HasSubstr("hints: bits holds the number 2; expected 0 or 1"));
    EXPECT_THAT(reason(R"({"bits": [[[0], []]]})"),
                HasSubstr("hints: a row of bits is a list of 0; expected"));
    EXPECT_THAT(reason(R"({"bits": [[[0]]]})"), HasSubstr("hints: bits"));
    EXPECT_THAT(reason(R"({"bits": [[[0], [1]]], "pointers": [[0, 2]]})"), HasSubstr("hints: node 2"));
}

TEST(AlgorithmOptions, AreChecked) {
    const auto reason = [](const AlgorithmOptions& options) -> std::string {
        try {
            generate_algorithm(options, [](const Record&) {});
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(reason({"bsf", "all"}), HasSubstr("unknown algorithm 'bsf'; expected one of bfs, dfs"));
    EXPECT_THAT(reason({"bfs", "tree"}), HasSubstr("unknown family of graphs 'tree'; expected all, erdos"));
    EXPECT_THAT(reason({"bfs", "all", 3}), HasSubstr("3 nodes with hints; expected 4 to 1000"));
    EXPECT_THAT(reason({"bfs", "all", 20000, 1, 1, false}), HasSubstr("20000 nodes; expected 4 to 10000"));
    EXPECT_THAT(reason({"bfs", "all", 16, 0}), HasSubstr("count 0"));
}

TEST(RandomGraphs, AreOfTheirFamilies) {
    for (const std::string& family : graph_families())
        for (int nodes : {4, 5, 16, 200})
            for (std::uint64_t seed = 1; seed <= 5; ++seed) {
                Random random(seed);
                const UndirectedEdges edges = draw_graph(family, nodes, random);
                EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
                EXPECT_EQ(std::set(edges.begin(), edges.end()).size(), edges.size());
                for (const auto& [a, b] : edges) EXPECT_TRUE(0 <= a && a < b && b < nodes);
                const double n = nodes, count = double(edges.size());
                EXPECT_GE(count, n - 1);
                if (family == "delaunay") EXPECT_LE(count, 3 * n - 6);
                if (family == "watts-strogatz" && nodes > 16)
                    EXPECT_TRUE(count == 2 * n || count == 3 * n || count == 4 * n) << count;
                if (family == "erdos-renyi" && nodes == 200)
                    EXPECT_TRUE(count > 0.8 * std::log(n) * n / 2 && count < 2.3 * std::log(n) * n / 2);
            }
    Random random(1);
    EXPECT_THROW(draw_graph("ring", 10, random), UsageError);
}

// An edge belongs to the triangulation if it is one of a triangle whose circle holds no other point.
TEST(Delaunay, IsThatOfAllTriplesTried) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        Random random(seed);
        std::vector<GridPoint> points;
        for (std::uint64_t i = 0, n = 4 + random.below(12); i < n; ++i)
            points.push_back({std::int64_t(random.below(1000)), std::int64_t(random.below(1000))});
        std::set<std::array<int, 2>> expected;
        const int n = static_cast<int>(points.size());
        for (int a = 0; a < n; ++a)
            for (int b = a + 1; b < n; ++b)
                for (int c = b + 1; c < n; ++c) {
                    // The centre by Cramer's rule, in floating point.
                    const double ax = double(points[a].x), ay = double(points[a].y),
                                 bx = double(points[b].x) - ax, by = double(points[b].y) - ay,
                                 cx = double(points[c].x) - ax, cy = double(points[c].y) - ay,
                                 twice = 2 * (bx * cy - by * cx);
                    if (twice == 0) continue;
                    const double ux = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / twice,
                                 uy = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / twice;
                    bool empty = true;
                    for (int d = 0; d < n; ++d) {
                        const double dx = double(points[d].x) - ax - ux, dy = double(points[d].y) - ay - uy;
                        empty = empty && (d == a || d == b || d == c ||
                                          dx * dx + dy * dy > (ux * ux + uy * uy) * (1 - 1e-9));
                    }
                    if (empty)
                        for (const auto& edge : {std::array{a, b}, std::array{b, c}, std::array{a, c}})
                            expected.insert(edge);
                }
        const UndirectedEdges found = delaunay(points);
        EXPECT_EQ(std::set(found.begin(), found.end()), expected) << "seed " << seed;
    }
}

TEST(Delaunay, TakesPointsOnLines) {
    // A row of points and one above it.
    EXPECT_EQ(delaunay({{0, 0}, {10, 0}, {20, 0}, {30, 0}, {15, 40}}).size(), 7u);
    EXPECT_EQ(delaunay({{20, 0}, {0, 0}, {10, 0}, {15, 40}, {30, 0}}).size(), 7u);
    EXPECT_THROW(delaunay({{0, 0}, {1, 1}, {2, 2}}), Error);
}

} // namespace
} // namespace ggsnn
