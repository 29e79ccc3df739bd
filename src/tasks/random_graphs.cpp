#include "ggsnn/tasks/random_graphs.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace ggsnn {

namespace {

UndirectedEdges draw_erdos_renyi(int nodes, Random& random) {
    const double p = std::min(1.0, random.uniform(1, 2) * std::log(nodes) / nodes);
    UndirectedEdges edges;
    for (int a = 0; a < nodes; ++a)
        for (int b = a + 1; b < nodes; ++b)
            if (random.chance(p)) edges.push_back({a, b});
    return edges;
}

// Each edge of the ring moves its far end to a node that is not yet a neighbour.
UndirectedEdges draw_watts_strogatz(int nodes, Random& random) {
    const int half = std::min<int>(2 + static_cast<int>(random.below(3)), (nodes - 1) / 2);
    const double p = random.uniform(0.05, 0.2);
    std::set<std::array<int, 2>> edges;
    const auto edge = [](int a, int b) { return std::array{std::min(a, b), std::max(a, b)}; };
    std::vector<int> degree(nodes, 2 * half);
    for (int u = 0; u < nodes; ++u)
        for (int k = 1; k <= half; ++k) edges.insert(edge(u, (u + k) % nodes));
    for (int k = 1; k <= half; ++k)
        for (int u = 0; u < nodes; ++u) {
            const int v = (u + k) % nodes;
            if (!random.chance(p) || degree[u] >= nodes - 1 || !edges.contains(edge(u, v))) continue;
            int w = u;
            while (w == u || edges.contains(edge(u, w))) w = static_cast<int>(random.below(nodes));
            edges.erase(edge(u, v));
            edges.insert(edge(u, w));
            --degree[v];
            ++degree[w];
        }
    return {edges.begin(), edges.end()};
}

UndirectedEdges draw_delaunay(int nodes, Random& random) {
    std::set<std::array<std::int64_t, 2>> taken;
    std::vector<GridPoint> points;
    while (static_cast<int>(points.size()) < nodes) {
        const auto x = static_cast<std::int64_t>(random.below(grid_size));
        const auto y = static_cast<std::int64_t>(random.below(grid_size));
        if (taken.insert({x, y}).second) points.push_back({x, y});
    }
    return delaunay(points);
}

bool is_connected(int nodes, const UndirectedEdges& edges) {
    std::vector<int> root(nodes);
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](int v) {
        while (root[v] != v) v = root[v] = root[root[v]];
        return v;
    };
    int parts = nodes;
    for (const auto& [a, b] : edges)
        if (find(a) != find(b)) {
            root[find(a)] = find(b);
            --parts;
        }
    return parts == 1;
}

struct Family {
    const char* name;
    UndirectedEdges (*draw)(int, Random&);
};
constexpr Family families[] = {
    {"erdos-renyi", draw_erdos_renyi}, {"watts-strogatz", draw_watts_strogatz}, {"delaunay", draw_delaunay}};

// ---- Delaunay, by Bowyer and Watson: points come one by one; triangles whose circle holds the new point go,
// and the hole is filled with triangles that end in it. Beyond each edge of the hull lies a triangle with a
// corner at infinity, whose circle is a half plane.

__extension__ using Wide = __int128; // ISO C++ has none

struct Triangle {
    std::array<int, 3> corner; // counterclockwise
};

// Twice the signed area of a, b, c.
Wide turn(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
    return Wide(b.x - a.x) * (c.y - a.y) - Wide(b.y - a.y) * (c.x - a.x);
}

// Whether d lies inside the circle through a, b, c, which are counterclockwise.
bool in_circle(const GridPoint& a, const GridPoint& b, const GridPoint& c, const GridPoint& d) {
    const Wide ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x, cy = c.y - d.y;
    const Wide a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    return a2 * (bx * cy - by * cx) - b2 * (ax * cy - ay * cx) + c2 * (ax * by - ay * bx) > 0;
}

class Triangulation {
  public:
    // Triangles with the corner `infinity` stand for the half planes beyond edges of the hull.
    static constexpr int infinity = -1;

    explicit Triangulation(const std::vector<GridPoint>& points) : points_(points) {}

    // REQUIRES a, b, c not on a line.
    void begin(int a, int b, int c) {
        if (turn(points_[a], points_[b], points_[c]) < 0) std::swap(b, c);
        triangles_ = {{{a, b, c}}, {{b, a, infinity}}, {{c, b, infinity}}, {{a, c, infinity}}};
    }

    void insert(int p) {
        std::vector<Triangle> kept;
        std::set<std::array<int, 2>> rim; // directed edges of the hole
        for (const Triangle& t : triangles_) {
            if (!conflicts(t, p)) {
                kept.push_back(t);
                continue;
            }
            for (int i = 0; i < 3; ++i) {
                const int a = t.corner[i], b = t.corner[(i + 1) % 3];
                if (rim.erase({b, a}) == 0) rim.insert({a, b});
            }
        }
        for (const auto& [a, b] : rim) {
            Triangle t{{a, b, p}};
            while (t.corner[0] == infinity || t.corner[1] == infinity)
                std::rotate(t.corner.begin(), t.corner.begin() + 1, t.corner.end());
            kept.push_back(t);
        }
        triangles_ = std::move(kept);
    }

    UndirectedEdges edges() const {
        std::set<std::array<int, 2>> all;
        for (const Triangle& t : triangles_)
            for (int i = 0; i < 3; ++i) {
                const int a = t.corner[i], b = t.corner[(i + 1) % 3];
                if (a != infinity && b != infinity) all.insert({std::min(a, b), std::max(a, b)});
            }
        return {all.begin(), all.end()};
    }

  private:
    // A triangle a, b, infinity holds what is left of a, b, and what is on the line between them.
    bool conflicts(const Triangle& t, int p) const {
        const GridPoint &a = points_[t.corner[0]], &b = points_[t.corner[1]], &d = points_[p];
        if (t.corner[2] != infinity) return in_circle(a, b, points_[t.corner[2]], d);
        const Wide side = turn(a, b, d);
        if (side != 0) return side > 0;
        return Wide(d.x - a.x) * (d.x - b.x) + Wide(d.y - a.y) * (d.y - b.y) < 0;
    }

    const std::vector<GridPoint>& points_;
    std::vector<Triangle> triangles_; // infinity, where it is a corner, is the last
};

} // namespace

UndirectedEdges delaunay(const std::vector<GridPoint>& points) {
    const int n = static_cast<int>(points.size());
    int third = 2;
    while (third < n && turn(points[0], points[1], points[third]) == 0) ++third;
    if (third >= n) fail("a triangulation of {} points on a line; expected three that are not", n);
    Triangulation triangulation(points);
    triangulation.begin(0, 1, third);
    for (int p = 2; p < n; ++p)
        if (p != third) triangulation.insert(p);
    return triangulation.edges();
}

const std::vector<std::string>& graph_families() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const Family& family : families) list.emplace_back(family.name);
        return list;
    }();
    return names;
}

UndirectedEdges draw_graph(const std::string& family, int nodes, Random& random) {
    if (nodes < 4) throw UsageError(fmt::format("a graph of {} nodes; expected at least 4", nodes));
    for (const Family& each : families) {
        if (each.name != family) continue;
        UndirectedEdges edges;
        do edges = each.draw(nodes, random);
        while (!is_connected(nodes, edges));
        std::vector<int> names(nodes);
        std::iota(names.begin(), names.end(), 0);
        random.shuffle(names);
        for (auto& [a, b] : edges) {
            a = names[a];
            b = names[b];
            if (a > b) std::swap(a, b);
        }
        std::sort(edges.begin(), edges.end());
        return edges;
    }
    throw UsageError(fmt::format("unknown family of graphs '{}'; expected one of {}", family,
                                 fmt::join(graph_families(), ", ")));
}

} // namespace ggsnn
