// Pictures of heaps: SVG, laid out here. Links to NULL are drawn as a short arrow to a
// ground sign at the cell, as one would by hand; NULL itself is drawn only where a variable holds it.
#include "ggsnn/logic/heap.hpp"

#include "ggsnn/base/html.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace ggsnn::logic {

namespace {

struct Spot {
    int column = -1, row = 0;
};

// Breadth first from the variables, in order of names; what is left over starts new rows.
std::vector<Spot> layout(const Heap& heap) {
    std::vector<Spot> spots(heap.nodes.size());
    std::vector<int> used; // rows in use, by column
    const auto put = [&](int node, int column) {
        Spot& spot = spots[static_cast<std::size_t>(node)];
        if (spot.column >= 0) return false;
        if (used.size() <= static_cast<std::size_t>(column))
            used.resize(static_cast<std::size_t>(column) + 1, 0);
        spot = {column, used[static_cast<std::size_t>(column)]++};
        return true;
    };
    std::queue<int> queue;
    const auto spread = [&] {
        for (; !queue.empty(); queue.pop()) {
            const int node = queue.front(), column = spots[static_cast<std::size_t>(node)].column;
            for (const auto& [field, target] : heap.nodes[static_cast<std::size_t>(node)].links)
                if (target != 0 && put(target, column + 1)) queue.push(target);
        }
    };
    for (const auto& [name, node] : heap.variables)
        if (put(node, 0)) queue.push(node);
    spread();
    for (std::size_t i = 1; i < heap.nodes.size(); ++i)
        if (put(static_cast<int>(i), 0)) {
            queue.push(static_cast<int>(i));
            spread();
        }
    return spots;
}

constexpr int step_x = 110, step_y = 70, radius = 16, margin = 50, letter = 8;

std::string arrow(double x1, double y1, double x2, double y2, const std::string& label, double bend) {
    const double dx = x2 - x1, dy = y2 - y1;
    const double length = std::max(1.0, std::hypot(dx, dy));
    const double mx = (x1 + x2) / 2 - bend * dy / length, my = (y1 + y2) / 2 + bend * dx / length;
    return fmt::format("<path class=\"e\" d=\"M{:.1f} {:.1f} Q{:.1f} {:.1f} {:.1f} {:.1f}\"/>"
                       "<text class=\"f\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                       x1 + dx / length * radius, y1 + dy / length * radius, mx, my,
                       x2 - dx / length * radius, y2 - dy / length * radius, mx, my - 3, escape_html(label));
}

std::string draw_links(const Heap& heap, std::size_t node, const std::vector<Spot>& spots) {
    std::string svg;
    const double x = margin + spots[node].column * step_x, y = margin + spots[node].row * step_y;
    int grounds = 0;
    for (const auto& [field, target] : heap.nodes[node].links) {
        const std::string& name = heap.fields[static_cast<std::size_t>(field)];
        const Spot& to = spots[static_cast<std::size_t>(target)];
        if (target == 0) {
            const double gx = x - 12 + 24 * grounds++, gy = y + radius + 12;
            svg += fmt::format("<path class=\"g\" d=\"M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {2:.1f}H{4:.1f}\"/>"
                               "<text class=\"f\" x=\"{0:.1f}\" y=\"{5:.1f}\">{6}</text>\n",
                               gx, gy - 12, gy, gx - 5, gx + 5, gy + 10, escape_html(name));
        } else if (static_cast<std::size_t>(target) == node) {
            svg += fmt::format("<path class=\"e\" d=\"M{:.1f} {:.1f}c-14 -34 26 -34 12 0\"/>"
                               "<text class=\"f\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                               x - 6, y - radius + 1, x, y - radius - 26, escape_html(name));
        } else {
            const double bend = to.column > spots[node].column ? 6 : 26;
            svg += arrow(x, y, margin + to.column * step_x, margin + to.row * step_y, name, bend);
        }
    }
    return svg;
}

} // namespace

std::string heap_svg(const Heap& heap) {
    const std::vector<Spot> spots = layout(heap);
    int columns = 1, rows = 1;
    for (const Spot& spot : spots) {
        columns = std::max(columns, spot.column + 1);
        rows = std::max(rows, spot.row + 1);
    }
    int width = 2 * margin + (columns - 1) * step_x;
    const int height = 2 * margin + (rows - 1) * step_y;
    // Names begin above their node and run to the right: room for the longest.
    std::vector<std::string> names(heap.nodes.size());
    for (const auto& [name, node] : heap.variables) {
        std::string& text = names[static_cast<std::size_t>(node)];
        text += (text.empty() ? "" : ", ") + name;
        const int column = std::max(0, spots[static_cast<std::size_t>(node)].column);
        width = std::max(width, margin + column * step_x + letter * static_cast<int>(text.size()));
    }
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "role=\"img\">\n"
        "<title>{2}</"
        "title>\n<style>.e,.g{{fill:none;stroke:#444}}.e{{marker-end:url(#a)}}.c{{fill:#eef;stroke:#336}}"
        ".d{{fill:none;stroke:#933;stroke-dasharray:3 3}}text{{font:12px sans-serif;text-anchor:middle}}"
        ".f{{font-size:9px;fill:#555}}.v{{font-weight:bold;fill:#063;text-anchor:start}}</style>\n"
        "<defs><marker id=\"a\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"6\" "
        "markerHeight=\"6\" "
        "orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" fill=\"#444\"/></marker></defs>\n",
        width, height, escape_html(heap_text(heap)));
    for (std::size_t i = 1; i < heap.nodes.size(); ++i) svg += draw_links(heap, i, spots);
    for (std::size_t i = 0; i < heap.nodes.size(); ++i) {
        if (spots[i].column < 0) continue;
        const int x = margin + spots[i].column * step_x, y = margin + spots[i].row * step_y;
        if (i > 0)
            svg += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
                               heap.nodes[i].allocated ? "c" : "d", x, y, radius);
        svg +=
            fmt::format("<text x=\"{}\" y=\"{}\">{}</text>", x, y + 4, i == 0 ? "NULL" : std::to_string(i));
        if (!names[i].empty())
            svg += fmt::format("<text class=\"v\" x=\"{}\" y=\"{}\">{}</text>", x - radius, y - radius - 5,
                               escape_html(names[i]));
        svg += "\n";
    }
    return svg + "</svg>\n";
}

} // namespace ggsnn::logic
