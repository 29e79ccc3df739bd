#include "compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ggsnn::bench {

std::string draw_comparison(const std::vector<Comparison>& list) {
    constexpr double left = 170, width = 470, line = 17, most = 1000;
    const auto at = [&](double ratio) { return left + width * std::log10(std::clamp(ratio, 1.0, most)) / 3; };
    const double height = 60 + static_cast<double>(list.size()) * (2 * line + 12);
    std::string s = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 {0:.0f}\" width=\"720\" "
        "height=\"{0:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"12\"><rect width=\"720\" height=\"{0:.0f}\" fill=\"#fff\"/>\n"
        "<text x=\"{1}\" y=\"18\" font-weight=\"bold\">times faster (blue) and times less memory (orange) "
        "than the "
        "fastest form on libtorch</text>\n",
        height, 20);
    for (double v : {1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0})
        s +=
            fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"30\" y2=\"{1:.0f}\" stroke=\"#ddd\"/><text "
                        "x=\"{0:.1f}\" y=\"{2:.0f}\" text-anchor=\"middle\">{3:g}</text>\n",
                        at(v), height - 24, height - 8, v);
    double y = 38;
    for (const Comparison& c : list) {
        s += fmt::format("<text x=\"{}\" y=\"{:.0f}\" text-anchor=\"end\">{}: {}</text>\n", left - 10,
                         y + line + 2, c.workload, c.mode);
        // A bar, and for times the spread of the rounds as a line; the number stands behind both.
        const double low = at(c.ratios.front()), high = std::max(at(c.ratios.back()), low + 1);
        const auto bar = [&](double ratio, const char* colour, double number_at) {
            s += fmt::format(
                "<rect x=\"{:.1f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"{:.0f}\" fill=\"{}\"/><text "
                "x=\"{:.1f}\" y=\"{:.0f}\">{:.3g}</text>\n",
                left, y, std::max(1.0, at(ratio) - left), line - 4, colour, number_at + 5, y + 11, ratio);
        };
        bar(c.ratio(), "#0072b2", std::max(high, at(c.ratio())));
        s += fmt::format("<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#000\" "
                         "stroke-width=\"2\"/>\n",
                         low, high, y + 6.5, y + 6.5);
        y += line;
        bar(c.memory_ratio(), "#d55e00", at(c.memory_ratio()));
        y += line;
        y += 12;
    }
    return s + "</svg>\n";
}

} // namespace ggsnn::bench
