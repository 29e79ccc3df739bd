// Pictures of heaps: SVG, laid out by heap_layout.hpp. Links to NULL are drawn as a short line to a ground
// sign at the cell, as one would by hand; variables that hold NULL are named below. Each node is a group with
// its number
// ("data-node"), so that a page can mark it. Colours are variables of the page's style, or those below.
#include "ggsnn/logic/heap.hpp"

#include "ggsnn/base/html.hpp"
#include "ggsnn/logic/formula.hpp"
#include "ggsnn/logic/heap_layout.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace ggsnn::logic {

namespace {

constexpr double step_x = 96, step_y = 84, radius = 17, margin_x = 40, margin_y = 42, letter = 7.6;

struct Point {
    double x = 0, y = 0;
};

Point operator+(Point a, Point b) {
    return {a.x + b.x, a.y + b.y};
}
Point operator-(Point a, Point b) {
    return {a.x - b.x, a.y - b.y};
}
Point operator*(double s, Point a) {
    return {s * a.x, s * a.y};
}
Point unit(Point a) {
    const double length = std::max(1e-9, std::hypot(a.x, a.y));
    return {a.x / length, a.y / length};
}

class HeapDrawing {
  public:
    HeapDrawing(const Heap& heap, const std::vector<std::string>& labels)
        : heap_(heap), labels_(labels), layout_(layout_heap(heap)) {}

    std::string svg(bool standalone) {
        for (std::size_t v = 1; v < heap_.nodes.size(); ++v) draw_links(v);
        for (std::size_t v = 1; v < heap_.nodes.size(); ++v) draw_node(v);
        const bool any = heap_.nodes.size() > 1;
        double height = any ? std::max(bottom_, 2 * margin_y + (layout_.rows - 1) * step_y) : 12;
        if (const std::string nulls = names_of(0); !nulls.empty()) {
            body_ += fmt::format("<text class=\"null\" x=\"14\" y=\"{:.1f}\">{} = NULL</text>\n", height + 8,
                                 escape_html(nulls));
            right_ = std::max(right_, 14 + letter * static_cast<double>(nulls.size() + 8));
            height += 22;
        }
        if (!any && names_of(0).empty()) {
            body_ += "<text class=\"null\" x=\"14\" y=\"20\">no cells</text>\n";
            height = 34;
        }
        const double width = std::max(right_, 2 * margin_x + (std::max(1, layout_.columns) - 1) * step_x);
        return fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"heap\" viewBox=\"0 {0:.0f} {1:.0f} {2:.0f}\" "
            "width=\"{1:.0f}\" height=\"{2:.0f}\" role=\"img\" aria-label=\"{3}\">\n{4}{5}</svg>\n",
            top_, width, height - top_, escape_html("heap: " + heap_text(heap_)),
            standalone ? fmt::format("<style>{}</style>\n", heap_style()) : "", body_);
    }

  private:
    Point place(std::size_t node) const {
        const HeapLayout::Spot& spot = layout_.spots[node];
        return {margin_x + spot.column * step_x, margin_y + spot.row * step_y};
    }

    std::string names_of(std::size_t node) const {
        std::string text;
        for (const auto& [name, at] : heap_.variables)
            if (static_cast<std::size_t>(at) == node) text += (text.empty() ? "" : ", ") + name;
        return text;
    }

    bool leads_to(std::size_t from, std::size_t to) const {
        return std::ranges::any_of(heap_.nodes[from].links, [&](const auto& link) {
            return static_cast<std::size_t>(link.second) == to;
        });
    }

    void label(Point at, const std::string& text) {
        body_ += fmt::format("<text class=\"field\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", at.x, at.y,
                             escape_html(std::string(bare_field(text))));
        top_ = std::min(top_, at.y - 12);
        bottom_ = std::max(bottom_, at.y + 12);
    }

    // A bow from node to node; bend: how far its middle is aside, to the right of its way if positive.
    void arrow(Point from, Point to, double bend, const std::string& name) {
        const Point way = unit(to - from), aside{-way.y, way.x};
        const Point control = 0.5 * (from + to) + 2 * bend * aside;
        const Point begin = from + radius * unit(control - from),
                    tip = to - (radius + 1) * unit(to - control);
        const Point along = unit(tip - control), across{-along.y, along.x}, base = tip - 8 * along;
        body_ += fmt::format("<path class=\"link\" d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\"/>",
                             begin.x, begin.y, control.x, control.y, base.x, base.y);
        const Point one = base + 3.6 * across, other = base - 3.6 * across;
        body_ += fmt::format("<path class=\"tip\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z\"/>", tip.x,
                             tip.y, one.x, one.y, other.x, other.y);
        const Point middle = 0.25 * begin + 0.5 * control + 0.25 * base;
        // Beside a bow, on its outer side; above what is straight.
        const double lift = bend == 0 ? 0 : bend > 0 ? 9 : -9;
        label(bend == 0 && std::abs(way.y) < 0.3 ? middle + Point{0, -5}
                                                 : middle + lift * aside + Point{0, 3.5},
              name);
    }

    void loop(Point at, const std::string& name, int number) {
        const double size = 20 + 9 * number;
        body_ += fmt::format("<path class=\"link\" d=\"M{:.1f} {:.1f}c{:.1f} {:.1f} {:.1f} {:.1f} 14 0\"/>",
                             at.x - 7, at.y - radius + 1.5, -size, -1.6 * size, size + 14, -1.6 * size);
        body_ += fmt::format("<path class=\"tip\" d=\"M{:.1f} {:.1f}l-1 -8l7 4z\"/>", at.x + 7,
                             at.y - radius + 1.5);
        label({at.x, at.y - radius - 1.25 * size}, name);
    }

    // place: 0 to the right, 1, 2, .. below.
    void ground(Point at, const std::string& name, bool below, double offset) {
        if (!below) {
            const double x = at.x + radius, y = at.y;
            body_ +=
                fmt::format("<path class=\"ground\" d=\"M{:.1f} {:.1f}h30m0 -7v14m4 -11v8m4 -5v2\"/>", x, y);
            label({x + 15, y - 5}, name);
            right_ = std::max(right_, x + 48);
            return;
        }
        const double x = at.x + offset,
                     y = at.y + std::sqrt(std::max(0.0, radius * radius - offset * offset));
        body_ +=
            fmt::format("<path class=\"ground\" d=\"M{:.1f} {:.1f}v9m-7 0h14m-11 3.5h8m-5 3.5h2\"/>", x, y);
        label({x + (offset < 0 ? -4 : offset > 0 ? 4 : 0), y + 27}, name);
    }

    double bend_of(std::size_t node, std::size_t target, int before) const {
        const HeapLayout::Spot &from = layout_.spots[node], &to = layout_.spots[target];
        const int span = to.column - from.column;
        const bool level = std::abs(to.row - from.row) < 0.5;
        if (leads_to(target, node)) return -(9 + 9.0 * (std::abs(span) - 1)) - 14.0 * before;
        if (level && span > 1) return -(20 + 7.0 * (span - 2)) - 14.0 * before;
        if (span <= 0) return -(level ? 22 + 6.0 * -span : 20) - 14.0 * before;
        return -16.0 * before;
    }

    void draw_links(std::size_t node) {
        const Point at = place(node);
        std::map<int, int> before; // links to the same node
        std::vector<std::string> grounds;
        int loops = 0;
        for (const auto& [field, target] : heap_.nodes[node].links) {
            const std::string& name = heap_.fields[static_cast<std::size_t>(field)];
            if (target == 0)
                grounds.push_back(name);
            else if (static_cast<std::size_t>(target) == node)
                loop(at, name, loops++);
            else
                arrow(at, place(static_cast<std::size_t>(target)),
                      bend_of(node, static_cast<std::size_t>(target), before[target]++), name);
        }
        draw_grounds(at, grounds);
    }

    void draw_grounds(Point at, std::vector<std::string> names) {
        const auto next =
            std::ranges::find_if(names, [](const auto& name) { return bare_field(name) == "next"; });
        if (next != names.end() || names.size() == 1) {
            const auto one = next != names.end() ? next : names.begin();
            ground(at, *one, false, 0);
            names.erase(one);
        }
        const double gap = names.size() > 2 ? 30.0 / static_cast<double>(names.size() - 1) : 22;
        for (std::size_t i = 0; i < names.size(); ++i)
            ground(at, names[i], true,
                   gap * (static_cast<double>(i) - static_cast<double>(names.size() - 1) / 2));
    }

    void draw_node(std::size_t node) {
        const Point at = place(node);
        const bool labelled = node < labels_.size() && !labels_[node].empty();
        body_ += fmt::format(
            "<g class=\"{}\" data-node=\"{}\"><circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/><text "
            "class=\"number\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
            heap_.nodes[node].allocated ? "cell" : "dangling", node, at.x, at.y, radius, at.x, at.y + 4,
            labelled ? escape_html(labels_[node]) : std::to_string(node));
        if (const std::string names = names_of(node); !names.empty()) {
            body_ += fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                                 at.x - radius - 4, at.y - radius - 5, escape_html(names));
            right_ = std::max(right_, at.x - radius + 6 + letter * static_cast<double>(names.size()));
        }
        body_ += "</g>\n";
        right_ = std::max(right_, at.x + radius + 8);
    }

    const Heap& heap_;
    const std::vector<std::string>& labels_;
    HeapLayout layout_;
    std::string body_;
    double right_ = 0, bottom_ = 0, top_ = 0;
};

} // namespace

const char* heap_style() {
    return ".heap{font:12px system-ui,sans-serif;color:var(--ink,#222)}"
           ".heap text{fill:var(--ink,#222);text-anchor:middle}"
           ".heap .link,.heap .ground{fill:none;stroke:var(--line,#5b6472);stroke-width:1.4}"
           ".heap .tip{fill:var(--line,#5b6472)}"
           ".heap circle{fill:var(--cell,#e9effc);stroke:var(--cell-edge,#3f5f9e);stroke-width:1.5}"
           ".heap .dangling circle{fill:var(--paper,#fff);stroke:var(--bad,#b3261e);stroke-dasharray:4 3}"
           ".heap "
           ".field{font-size:10.5px;fill:var(--soft,#566070);paint-order:stroke;stroke:var(--paper,#fff);"
           "stroke-width:4px;stroke-linejoin:round}"
           ".heap .name{font-weight:700;fill:var(--accent,#0b5d53);text-anchor:start;paint-order:stroke;"
           "stroke:var(--paper,#fff);stroke-width:3px}"
           ".heap .null{text-anchor:start;font-weight:600;fill:var(--soft,#566070)}"
           ".heap .explained circle{fill:var(--explained,#cfeadd);stroke:var(--explained-edge,#1d7a4c)}"
           ".heap .named circle{stroke-width:2.6}"
           ".heap .active circle{fill:var(--active,#ffe08a);stroke:var(--active-edge,#9a6b00);stroke-width:3}"
           ".heap .chosen circle{stroke:var(--chosen,#c2410c);stroke-width:3.4}";
}

std::string heap_svg(const Heap& heap, bool standalone, const std::vector<std::string>& labels) {
    return HeapDrawing(heap, labels).svg(standalone);
}

} // namespace ggsnn::logic
