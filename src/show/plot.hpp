// Line charts as SVG text: what the report shows where a picture says more than a table.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ggsnn {

struct Curve {
    std::string name;
    std::vector<std::pair<double, double>> points;
    bool faint = false;   // one of many: thin, without a legend entry
    bool dashed = false;  // a bound or target: thin and dashed, without a legend entry
    bool thin = false;    // beside a stronger one of its colour
    bool unnamed = false; // without a legend entry
    bool dots = false;    // points without a line
    int colour = -1;      // number in the palette, or black; -1: the next that was not used
};
constexpr int black = 1000;

struct Chart {
    std::string title, x_label, y_label;
    bool log_x = false, log_y = false;
    std::vector<Curve> curves;
    double y_min = 0, y_max = 0; // equal: from the data
    int width = 460, height = 300;
};

// Colour `i` of those that stay apart; after the last the first again.
const char* palette(int i);

// Points that are not finite, or not positive on a logarithmic axis, are left out.
std::string draw_svg(const Chart& chart);
// Charts below one another, as a file of its own on white.
std::string draw_column(const std::vector<Chart>& charts);

} // namespace ggsnn
