// Connected random graphs of three families, as benchmarks of learned algorithms use them: Erdos-Renyi,
// Watts-Strogatz, and Delaunay triangulations of random points.
#pragma once

#include "ggsnn/base/random.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ggsnn {

using UndirectedEdges = std::vector<std::array<int, 2>>; // smaller node first, in increasing order

const std::vector<std::string>& graph_families(); // "erdos-renyi", "watts-strogatz", "delaunay"

// A connected graph whose nodes are numbered in random order. Throws UsageError on an unknown family and on
// fewer than 4 nodes.
//   erdos-renyi: every edge with probability c ln(n) / n, c uniform in 1 .. 2
//   watts-strogatz: a ring with 4, 6 or 8 neighbours a node, edges moved with probability 0.05 to 0.2
//   delaunay: of n points uniform in a square
UndirectedEdges draw_graph(const std::string& family, int nodes, Random& random);

struct GridPoint {
    std::int64_t x, y;
};
inline constexpr std::int64_t grid_size = 1 << 20;

// The Delaunay triangulation of distinct points with coordinates from 0 to grid_size - 1, decided in whole
// numbers. Of points on one circle any triangulation may come out.
UndirectedEdges delaunay(const std::vector<GridPoint>& points);

} // namespace ggsnn
