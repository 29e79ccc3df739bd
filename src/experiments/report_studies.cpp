// The report's sections beyond the tables: larger graphs, and appendix A.
#include "ggsnn/experiments/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace ggsnn {

namespace {

constexpr const char* sizes_account =
    "<p>Networks trained on 50 stories of the usual size, tested on 200 graphs 1, 2, 5 and 10 times as "
    "large. "
    "<b>As trained</b>: the same number of propagation steps. <b>Steps chosen</b>: the number of steps, from "
    "2 to 32, "
    "that does best on 50 other graphs of that size. <b>Observed</b>: trained with given annotations between "
    "outputs "
    "(the node to give now, the one after it, those given before) and one propagation step.</p>"
    "<p>Five propagation steps see five edges far: deduction needs two edges whatever the size, a shortest "
    "path on a "
    "larger graph may need more than five. Latent annotations carry the state of a sequence as far as "
    "training made "
    "them; observed ones make each output of a circuit a matter of neighbours.</p>";

constexpr const char* contraction_account =
    "<p>Appendix A of the paper as a measurement: how much the state of a node on a path depends on what the "
    "node at its beginning was given, d edges away, as the largest derivative. The original graph neural "
    "network must be a contraction with constant rho, so influence decays at least as fast as rho^d (dashed, "
    "in the colour of its rho). The gated network (black) need not be one, and once trained it keeps what it "
    "needs.</p>\n";

// The networks with one edge function, random or trained, beside the gated one.
Chart contraction_chart(const std::vector<InfluenceCurve>& curves, const std::string& function,
                        const std::string& state) {
    Chart chart;
    chart.title = fmt::format("{} edge function, {} networks", function, state);
    chart.x_label = "distance d";
    chart.y_label = "influence";
    chart.log_y = true;
    chart.width = 470;
    chart.height = 340;
    int colour = 0;
    for (const InfluenceCurve& c : curves) {
        const bool gated = c.network == "ggnn-" + state;
        if (!gated && c.network != fmt::format("gnn-{}-{}", function, state)) continue;
        Curve curve{gated ? "gated" : fmt::format("rho {:.3g}", c.rho), {}}, bound;
        bound.dashed = true;
        curve.colour = bound.colour = gated ? black : colour++;
        for (std::size_t i = 0; i < c.influence.size(); ++i) {
            const double d = static_cast<double>(i + 1);
            curve.points.emplace_back(d, c.influence[i]);
            if (!gated) bound.points.emplace_back(d, std::pow(c.rho, d));
        }
        if (!gated) chart.curves.push_back(std::move(bound));
        chart.curves.push_back(std::move(curve));
    }
    return chart;
}

} // namespace

// One line a task and method, one column a size.
std::vector<ReportSection> size_sections(const std::vector<SizePoint>& sizes) {
    if (sizes.empty()) return {};
    std::map<std::string, Chart> charts;
    std::vector<int> scales;
    std::vector<std::pair<std::string, std::map<int, double>>> lines; // "task / how"
    for (const SizePoint& p : sizes) {
        Chart& chart = charts[p.task];
        chart.title = task_title(p.task);
        chart.x_label = "graph size, times that of training";
        chart.y_label = "accuracy, %";
        chart.y_max = 100;
        chart.width = 320;
        chart.height = 250;
        if (chart.curves.empty() || chart.curves.back().name != p.how) chart.curves.push_back({p.how, {}});
        chart.curves.back().points.emplace_back(p.scale, p.mean());
        if (std::find(scales.begin(), scales.end(), p.scale) == scales.end()) scales.push_back(p.scale);
        const std::string line =
            fmt::format("<td>{}</td><td class=\"text\">{}</td>", task_title(p.task), p.how);
        if (lines.empty() || lines.back().first != line) lines.push_back({line, {}});
        lines.back().second[p.scale] = p.mean();
    }
    std::string out = std::string(sizes_account) + "<div class=\"charts\">\n";
    for (const auto& [task, chart] : charts) out += "<figure>" + draw_svg(chart) + "</figure>\n";
    out += "</div>\n<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th>Task</th><th "
           "class=\"text\">What was done</th>";
    for (int scale : scales) out += fmt::format("<th>size x {}</th>", scale);
    out += "</tr></thead><tbody>\n";
    for (const auto& [line, values] : lines) {
        out += "<tr>" + line;
        for (int scale : scales)
            out += values.contains(scale) ? fmt::format("<td>{:.2f}</td>", values.at(scale)) : "<td></td>";
        out += "</tr>\n";
    }
    out += "</tbody></table></div>\n";
    return {{"sizes", "Beyond the paper: larger graphs than in training", out, to_json(sizes)}};
}

std::vector<ReportSection> contraction_sections(const std::vector<InfluenceCurve>& curves) {
    if (curves.empty()) return {};
    // One scale for all pictures, so that they can be compared.
    double low = 1, high = 1;
    for (const InfluenceCurve& c : curves) {
        for (double v : c.influence) {
            if (v > 0 && std::isfinite(v)) low = std::min(low, v);
            if (std::isfinite(v)) high = std::max(high, v);
        }
    }
    std::string html = std::string(contraction_account) + "<div class=\"charts\">\n";
    for (const char* state : {"random", "trained"}) {
        for (const char* function : {"linear", "neural"}) {
            Chart chart = contraction_chart(curves, function, state);
            if (chart.curves.empty()) continue;
            chart.y_min = std::pow(10, std::floor(std::log10(low)));
            chart.y_max = std::pow(10, std::ceil(std::log10(high)));
            html += "<figure>" + draw_svg(chart) + "</figure>\n";
        }
    }
    return {{"contraction", "Appendix A: influence over distance", html + "</div>\n", to_json(curves)}};
}

} // namespace ggsnn
