#include "ggsnn/show/graph_picture.hpp"

#include "ggsnn/base/html.hpp"
#include "ggsnn/show/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

namespace ggsnn {

namespace {

// The margin at the sides leaves room for names.
constexpr double picture_width = 360, picture_height = 280, margin = 36, side_margin = 58, radius = 10;

struct Spot {
    double x = 0, y = 0;
};

std::vector<Edge> edges_of(const Graph& graph) {
    std::vector<Edge> edges;
    for (int slot = incoming; slot < graph.slots(); slot += 2)
        for (int entry = graph.slot_begin(slot); entry < graph.slot_end(slot); ++entry)
            for (int source : graph.neighbours(entry)) edges.push_back({source, slot / 2, graph.row(entry)});
    return edges;
}

// The nodes nearest to the centres, breadth first, in that order.
std::vector<int> nearest_nodes(const Graph& graph, const std::vector<Edge>& edges,
                               const std::vector<int>& centres, int most) {
    std::vector<std::vector<int>> beside(graph.nodes());
    for (const Edge& e : edges) {
        beside[e.source].push_back(e.target);
        beside[e.target].push_back(e.source);
    }
    std::vector<int> order;
    std::vector<char> seen(graph.nodes(), 0);
    const auto reach = [&](int v) {
        if (seen[v] != 0 || static_cast<int>(order.size()) >= most) return;
        seen[v] = 1;
        order.push_back(v);
    };
    std::size_t at = 0;
    const auto spread = [&](int v) {
        reach(v);
        for (; at < order.size(); ++at)
            for (int other : beside[order[at]]) reach(other);
    };
    for (int v : centres) reach(v);
    for (int v = 0; v < graph.nodes(); ++v) spread(v); // parts that no centre reaches come last
    return order;
}

// Fruchterman and Reingold's springs in the unit square, from a circle, a fixed number of rounds.
std::vector<Spot> springs(int nodes, const std::vector<std::pair<int, int>>& links) {
    constexpr int rounds = 300;
    std::vector<Spot> at(nodes), push(nodes);
    for (int v = 0; v < nodes; ++v) {
        const double angle = 2 * std::numbers::pi * v / nodes;
        at[v] = {0.5 + 0.4 * std::cos(angle), 0.5 + 0.4 * std::sin(angle)};
    }
    const double length = 0.8 / std::sqrt(static_cast<double>(nodes));
    const auto force = [&](int a, int b, double strength) {
        const double dx = at[a].x - at[b].x, dy = at[a].y - at[b].y;
        push[a].x += dx * strength, push[a].y += dy * strength;
        push[b].x -= dx * strength, push[b].y -= dy * strength;
    };
    const auto distance = [&](int a, int b) {
        return std::max(1e-3, std::hypot(at[a].x - at[b].x, at[a].y - at[b].y));
    };
    for (int round = 0; round < rounds; ++round) {
        std::fill(push.begin(), push.end(), Spot{});
        for (int a = 0; a < nodes; ++a)
            for (int b = 0; b < a; ++b) force(a, b, length * length / std::pow(distance(a, b), 2));
        for (const auto& [a, b] : links) force(a, b, -distance(a, b) / length);
        const double most = 0.1 * (1 - static_cast<double>(round) / rounds);
        for (int v = 0; v < nodes; ++v) {
            // Towards the middle, so that parts without edges between them stay in the picture.
            push[v].x += 0.5 * (0.5 - at[v].x), push[v].y += 0.5 * (0.5 - at[v].y);
            const double size = std::max(1e-9, std::hypot(push[v].x, push[v].y));
            at[v].x += push[v].x / size * std::min(size, most);
            at[v].y += push[v].y / size * std::min(size, most);
        }
    }
    return at;
}

void fit(std::vector<Spot>& spots) {
    Spot low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    for (const Spot& s : spots) {
        low = {std::min(low.x, s.x), std::min(low.y, s.y)};
        high = {std::max(high.x, s.x), std::max(high.y, s.y)};
    }
    const auto place = [](double v, double from, double to, double size, double border) {
        return to - from < 1e-9 ? size / 2 : border + (v - from) / (to - from) * (size - 2 * border);
    };
    for (Spot& s : spots)
        s = {place(s.x, low.x, high.x, picture_width, side_margin),
             place(s.y, low.y, high.y, picture_height, margin)};
}

// `bend`: how far the middle is moved aside; edges between the same nodes bend differently.
std::string edge_svg(const Spot& a, const Spot& b, double bend, const char* ink, const EdgeLook& look) {
    const std::string stroke =
        fmt::format("stroke-width=\"{:.1f}\"{}", look.width, look.dashed ? " stroke-dasharray=\"5 3\"" : "");
    if (a.x == b.x && a.y == b.y)
        return fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"none\" stroke=\"{}\" {}/>", a.x,
            a.y - radius - 5, 7 + std::abs(bend) / 4, ink, stroke);
    const double length = std::hypot(b.x - a.x, b.y - a.y), ux = (b.x - a.x) / length,
                 uy = (b.y - a.y) / length;
    const Spot middle{(a.x + b.x) / 2 - uy * bend, (a.y + b.y) / 2 + ux * bend};
    const double rest = std::max(1e-9, std::hypot(b.x - middle.x, b.y - middle.y));
    const double vx = (b.x - middle.x) / rest, vy = (b.y - middle.y) / rest;
    const Spot tip{b.x - vx * (radius + 2), b.y - vy * (radius + 2)};
    const Spot base{tip.x - vx * 7, tip.y - vy * 7};
    return fmt::format("<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" stroke=\"{}\" "
                       "{}/><path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\" fill=\"{}\"/>",
                       a.x, a.y, middle.x, middle.y, base.x, base.y, ink, stroke, tip.x, tip.y,
                       base.x - vy * 3.5, base.y + vx * 3.5, base.x + vy * 3.5, base.y - vx * 3.5, ink);
}

std::string node_svg(const Spot& s, const NodeLook& look) {
    std::string out;
    if (!look.ring.empty())
        out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"none\" stroke=\"{}\" "
                           "stroke-width=\"3\"/>",
                           s.x, s.y, radius + 3, look.ring);
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"#555\"/>", s.x, s.y,
                       radius, look.fill);
    if (!look.mark.empty())
        out += fmt::format("<text class=\"on\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" "
                           "font-weight=\"bold\">{}</text>",
                           s.x, s.y + 4, escape_html(look.mark));
    return out + fmt::format(
                     "<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" stroke=\"#fff\" "
                     "stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
                     s.x, s.y + radius + 13, escape_html(look.label));
}

std::string legend_svg(const std::set<int>& types, const Vocabulary& edge_types, double top, double& bottom) {
    std::string out;
    double x = 10, y = top;
    for (int type : types) {
        const std::string& name = edge_types.name(type);
        const double width = 24 + 7 * static_cast<double>(name.size());
        if (x > 10 && x + width > picture_width) x = 10, y += 16;
        out += fmt::format("<rect x=\"{0:.0f}\" y=\"{1:.0f}\" width=\"12\" height=\"3\" fill=\"{2}\"/><text "
                           "x=\"{3:.0f}\" y=\"{4:.0f}\">{5}</text>",
                           x, y - 5, palette(type), x + 15, y, escape_html(name));
        x += width;
    }
    bottom = y + 6;
    return out;
}

} // namespace

std::string draw_graph(const Graph& graph, const Vocabulary& edge_types, const std::vector<NodeLook>& looks,
                       const std::vector<int>& centres, const std::vector<EdgeLook>& edge_looks, int most) {
    const std::vector<Edge> edges = edges_of(graph);
    GGSNN_ASSERT(edge_looks.empty() || edge_looks.size() == edges.size());
    const std::vector<int> shown = nearest_nodes(graph, edges, centres, most);
    std::map<int, int> number;
    for (std::size_t i = 0; i < shown.size(); ++i) number[shown[i]] = static_cast<int>(i);
    std::vector<std::pair<int, int>> links;
    std::vector<Edge> drawn;
    std::vector<EdgeLook> drawn_looks;
    std::set<int> types;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const Edge& e = edges[i];
        if (!number.contains(e.source) || !number.contains(e.target)) continue;
        drawn_looks.push_back(edge_looks.empty() ? EdgeLook{} : edge_looks[i]);
        drawn.push_back({number[e.source], e.type, number[e.target]});
        types.insert(e.type);
        if (e.source != e.target) links.emplace_back(drawn.back().source, drawn.back().target);
    }
    std::vector<Spot> spots = springs(static_cast<int>(shown.size()), links);
    fit(spots);
    std::string body;
    std::map<std::pair<int, int>, int> between;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const Edge& e = drawn[i];
        const int before = between[std::minmax(e.source, e.target)]++;
        // Aside by turns: 0, 14, -14, 28, ...; the sides are those of the pair, not of the edge.
        const double bend = 14.0 * ((before + 1) / 2) * (before % 2 == 0 ? -1 : 1);
        body += edge_svg(spots[e.source], spots[e.target], e.source <= e.target ? bend : -bend,
                         palette(e.type), drawn_looks[i]);
    }
    for (std::size_t i = 0; i < shown.size(); ++i) body += node_svg(spots[i], looks[shown[i]]);
    double bottom = 0;
    body += legend_svg(types, edge_types, picture_height + 14, bottom);
    if (const auto left_out = graph.nodes() - static_cast<int>(shown.size()); left_out > 0) {
        bottom += 14;
        body += fmt::format("<text x=\"10\" y=\"{:.0f}\" fill=\"#777\">{} more nodes are not drawn</text>",
                            bottom - 4, left_out);
    }
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1:.0f}\" width=\"{0}\" "
                       "height=\"{1:.0f}\" role=\"img\" class=\"graph\" font-family=\"sans-serif\" "
                       "font-size=\"11\"><style>.graph "
                       "text{{fill:var(--ink,#222)}}.graph .on{{fill:#222}}.graph "
                       ".name{{stroke:var(--paper,#fff)}}</style>{2}</svg>",
                       picture_width, bottom, body);
}

} // namespace ggsnn
