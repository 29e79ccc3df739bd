#include "ggsnn/show/plot.hpp"

#include "ggsnn/base/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ggsnn {

namespace {

// Colours that stay apart for colour-blind readers (Okabe and Ito's set).
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#444444"};
constexpr int colour_count = 7;

struct Axis {
    double low, high;
    bool logarithmic;
    double begin, end; // pixels

    bool shows(double v) const { return std::isfinite(v) && (!logarithmic || v > 0); }
    double transform(double v) const { return logarithmic ? std::log10(v) : v; }
    double at(double v) const {
        const double t = (transform(v) - transform(low)) / (transform(high) - transform(low));
        return begin + std::clamp(t, -0.02, 1.02) * (end - begin);
    }
    std::vector<double> ticks() const {
        std::vector<double> out;
        if (logarithmic) {
            const int first = static_cast<int>(std::floor(std::log10(low))),
                      last = static_cast<int>(std::ceil(std::log10(high)));
            const int step = std::max(1, (last - first + 5) / 6);
            // Few powers of ten are not enough to read a value by.
            const std::vector<double> between =
                high < 1000 * low ? std::vector<double>{1, 2, 5} : std::vector<double>{1};
            for (int e = first; e <= last; e += step)
                for (const double times : between)
                    if (const double v = times * std::pow(10, e); v >= low * 0.999 && v <= high * 1.001)
                        out.push_back(v);
            return out;
        }
        const double rough = (high - low) / 5, unit = std::pow(10, std::floor(std::log10(rough)));
        const double step = rough / unit < 1.5   ? unit
                            : rough / unit < 3.5 ? 2 * unit
                            : rough / unit < 7.5 ? 5 * unit
                                                 : 10 * unit;
        for (double v = std::ceil(low / step) * step; v <= high + step * 1e-9; v += step)
            out.push_back(std::abs(v) < step * 1e-9 ? 0 : v);
        return out;
    }
};

Axis make_axis(const Chart& chart, bool x, double begin, double end) {
    Axis axis{INFINITY, -INFINITY, x ? chart.log_x : chart.log_y, begin, end};
    for (const Curve& c : chart.curves) {
        for (const auto& [px, py] : c.points) {
            const double v = x ? px : py;
            if (!axis.shows(v)) continue;
            axis.low = std::min(axis.low, v);
            axis.high = std::max(axis.high, v);
        }
    }
    if (!x && chart.y_min != chart.y_max) {
        axis.low = chart.y_min;
        axis.high = chart.y_max;
    }
    if (!(axis.low <= axis.high)) axis.low = axis.logarithmic ? 0.1 : 0, axis.high = 1;
    if (axis.low == axis.high) {
        axis.high = axis.logarithmic ? axis.low * 10 : axis.low + 1;
    }
    return axis;
}

std::string number(double v) {
    return v != 0 && (std::abs(v) < 1e-3 || std::abs(v) >= 1e6) ? fmt::format("{:.2g}", v)
                                                                : fmt::format("{:.6g}", v);
}

const char* ink_of(const Curve& c, int next) {
    if (c.faint) return "#7d8896";
    if (c.colour == black) return "currentColor";
    return colours[(c.colour >= 0 ? c.colour : next) % colour_count];
}

bool in_legend(const Curve& c) {
    return !c.faint && !c.dashed && !c.unnamed;
}

// Where a legend entry begins, by lines: entries stand side by side as far as they fit.
struct LegendPlace {
    double x;
    int line;
};

std::vector<LegendPlace> legend_places(const Chart& chart, double left, double right) {
    std::vector<LegendPlace> places;
    double x = left;
    int line = 0;
    for (const Curve& c : chart.curves) {
        if (!in_legend(c)) continue;
        const double width = 28 + 6 * static_cast<double>(c.name.size());
        if (x > left && x + width > right) {
            x = left;
            ++line;
        }
        places.push_back({x, line});
        x += width;
    }
    return places;
}

std::string frame_svg(const Chart& chart, const Axis& x, const Axis& y) {
    const double left = x.begin, right = x.end, top = y.end, bottom = y.begin;
    std::string s = fmt::format("<text x=\"{}\" y=\"18\" font-size=\"12\" font-weight=\"bold\">{}</text>",
                                left, escape_html(chart.title));
    for (double v : y.ticks())
        s += fmt::format("<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"currentColor\" "
                         "stroke-opacity=\"0.14\"/><text "
                         "x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>",
                         left, right, y.at(v), left - 5, y.at(v) + 4, number(v));
    for (double v : x.ticks())
        s += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"currentColor\" "
                         "stroke-opacity=\"0.5\"/><text "
                         "x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>",
                         x.at(v), bottom, bottom + 4, bottom + 16, number(v));
    s += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" "
                     "stroke=\"currentColor\" stroke-opacity=\"0.5\"/>",
                     left, top, right - left, bottom - top);
    s += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", (left + right) / 2,
                     bottom + 32, escape_html(chart.x_label));
    return s +
           fmt::format("<text transform=\"translate(13 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                       (top + bottom) / 2, escape_html(chart.y_label));
}

std::string dots_svg(const Curve& c, const Axis& x, const Axis& y, const char* ink) {
    std::string s = fmt::format("<g fill=\"{}\" fill-opacity=\"0.45\">", ink);
    for (const auto& [px, py] : c.points)
        if (x.shows(px) && y.shows(py))
            s += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\"/>", x.at(px), y.at(py));
    return s + "</g>";
}

std::string curve_svg(const Curve& c, const Axis& x, const Axis& y, const char* ink) {
    if (c.dots) return dots_svg(c, x, y, ink);
    std::string path;
    for (const auto& [px, py] : c.points)
        if (x.shows(px) && y.shows(py)) path += fmt::format("{:.1f},{:.1f} ", x.at(px), y.at(py));
    const bool strong = !c.faint && !c.dashed && !c.thin;
    std::string s =
        fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}{} points=\"{}\"/>", ink,
                    strong ? 2 : 1.1, c.dashed ? " stroke-dasharray=\"4 3\"" : "",
                    c.thin ? " stroke-opacity=\"0.5\"" : "", path);
    for (const auto& [px, py] : c.points)
        if (strong && c.points.size() <= 25 && x.shows(px) && y.shows(py))
            s += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.4\" fill=\"{}\"/>", x.at(px),
                             y.at(py), ink);
    return s;
}

} // namespace

const char* palette(int i) {
    return colours[i % colour_count];
}

std::string draw_svg(const Chart& chart) {
    const double left = 58, right = chart.width - 14, top = 34;
    const auto places = legend_places(chart, left, right);
    const bool legend = places.size() > 1;
    const double bottom = chart.height - 46 - (legend ? 18.0 * (places.back().line + 1) : 0);
    const Axis x = make_axis(chart, true, left, right), y = make_axis(chart, false, bottom, top);
    std::string s =
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
                    "width=\"{0}\" height=\"{1}\" role=\"img\" "
                    "font-family=\"sans-serif\" font-size=\"11\" fill=\"currentColor\"><title>{2}</title>",
                    chart.width, chart.height, escape_html(chart.title));
    s += frame_svg(chart, x, y);
    int colour = 0;
    std::size_t entry = 0;
    for (const Curve& c : chart.curves) {
        const char* ink = ink_of(c, colour);
        s += curve_svg(c, x, y, ink);
        if (!in_legend(c)) continue;
        if (legend) {
            const double lx = places[entry].x, ly = bottom + 48 + 18.0 * places[entry].line;
            s += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"12\" height=\"4\" fill=\"{}\"/><text "
                             "x=\"{:.1f}\" y=\"{}\">{}</text>",
                             lx, ly - 5, ink, lx + 16, ly, escape_html(c.name));
        }
        ++entry;
        ++colour;
    }
    return s + "</svg>";
}

std::string draw_column(const std::vector<Chart>& charts) {
    int width = 0, height = 0;
    std::string inside;
    for (const Chart& chart : charts) {
        inside += fmt::format("<g transform=\"translate(0 {})\">{}</g>\n", height, draw_svg(chart));
        width = std::max(width, chart.width);
        height += chart.height;
    }
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
                       "height=\"{1}\"><rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n{2}</svg>\n",
                       width, height, inside);
}

} // namespace ggsnn
