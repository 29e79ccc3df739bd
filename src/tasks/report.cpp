#include "tasks/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ggsnn {

namespace {

constexpr const char* style = R"(
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #ccc; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #e4e4e4; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
thead th { border-bottom: 2px solid #888; }
.good { color: #00694b; font-weight: 600; } .low { color: #a03b00; font-weight: 600; }
.charts { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; } figcaption { font-size: .85rem; color: #555; max-width: 28rem; }
details { margin: .6rem 0; } code { background: #f3f3f3; padding: 0 .25rem; } pre { background: #f6f6f6; padding: .6rem; overflow-x: auto; }
)";

const std::map<std::string, std::string>& task_titles() {
    static const std::map<std::string, std::string> titles = {
        {"babi4", "bAbI 4, two-argument relations"}, {"babi15", "bAbI 15, basic deduction"},
        {"babi16", "bAbI 16, basic induction"},      {"babi18", "bAbI 18, size reasoning"},
        {"babi19", "bAbI 19, path finding"},         {"shortest-path", "Shortest path"},
        {"eulerian-circuit", "Eulerian circuit"}};
    return titles;
}

std::string title_of(const std::string& task) {
    const auto at = task_titles().find(task);
    return at == task_titles().end() ? task : at->second;
}

std::string model_title(const std::string& model) {
    if (model == "ggnn") return "GG-NN";
    if (model == "ggsnn") return "GGS-NN";
    return model == "rnn" ? "RNN" : "LSTM";
}

std::string table_html(const std::vector<Row>& rows, const std::string& table, const std::string& heading) {
    std::string body;
    for (const Row& r : rows) {
        if (r.table != table) continue;
        const auto [low, high] =
            std::minmax_element(r.folds.begin(), r.folds.end(),
                                [](const auto& a, const auto& b) { return a.accuracy < b.accuracy; });
        const bool reached = r.paper_mean < 0 || r.mean() >= r.paper_mean - 2 * r.paper_deviation - 1e-9;
        body += fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"{}\">{:.2f} ± "
            "{:.2f}</td><td>{:.2f}</td><td>{:.2f}</td><td>{}</td><td>{:.1f}</td></tr>\n",
            title_of(r.task), model_title(r.model), r.train, reached ? "good" : "low", r.mean(),
            r.deviation(), low->accuracy, high->accuracy,
            r.paper_mean >= 0 ? fmt::format("{:.1f} ± {:.1f}", r.paper_mean, r.paper_deviation) : "",
            r.seconds());
    }
    if (body.empty()) return "";
    return fmt::format("<h2>{}</h2>\n<table><thead><tr><th>Task</th><th>Network</th><th>Training "
                       "stories</th><th>Accuracy, %</th><th>lowest fold</th><th>highest</th><th>Paper, %</th>"
                       "<th>Seconds, all folds</th></tr></thead><tbody>\n{}</tbody></table>\n",
                       heading, body);
}

std::string curves_html(const std::vector<Row>& rows) {
    std::string figures;
    std::vector<std::string> seen;
    for (const Row& r : rows) {
        const std::string key = r.task + r.model + std::to_string(r.train);
        if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
        seen.push_back(key);
        Chart chart;
        chart.title = fmt::format("{}: {}, {} stories", r.task, model_title(r.model), r.train);
        chart.x_label = "updates";
        chart.y_label = "validation error, %";
        chart.width = 300;
        chart.height = 210;
        chart.y_max = 100;
        std::map<double, std::pair<double, int>> mean;
        for (const UnitResult& f : r.folds) {
            Curve curve;
            curve.faint = true;
            for (const auto& [x, y] : f.curve) {
                curve.points.emplace_back(x, 100 * y);
                mean[x].first += 100 * y;
                ++mean[x].second;
            }
            chart.curves.push_back(curve);
        }
        Curve average{"mean", {}, false};
        for (const auto& [x, sum] : mean) average.points.emplace_back(x, sum.first / sum.second);
        chart.curves.push_back(average);
        figures += "<figure>" + draw_svg(chart) + "</figure>\n";
    }
    if (figures.empty()) return "";
    return "<h2>Learning curves</h2>\n<p>Validation error of the run that was selected, one grey line a "
           "fold, their mean in blue.</p>\n<div class=\"charts\">\n" +
           figures + "</div>\n";
}

std::string failures_html(const std::vector<Row>& rows) {
    if (std::none_of(rows.begin(), rows.end(), [](const Row& r) { return r.model.starts_with("gg"); }))
        return "";
    std::string body;
    for (const Row& r : rows) {
        if (!r.model.starts_with("gg")) continue;
        for (std::size_t i = 0; i < r.folds.size(); ++i) {
            if (r.folds[i].failures.empty()) continue;
            std::string items;
            for (const std::string& text : r.folds[i].failures)
                items += "<li><code>" + escape_html(text) + "</code></li>";
            body += fmt::format("<details><summary>{} with {} stories, fold number {} of the run: "
                                "{:.2f}%</summary><ul>{}</ul></details>\n",
                                title_of(r.task), r.train, i + 1, r.folds[i].accuracy, items);
        }
    }
    return "<h2>What graph networks got wrong</h2>\n" +
           (body.empty()
                ? std::string("<p>Nothing: every test question of every fold was answered right.</p>\n")
                : body);
}

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

// One line a task and method, one column a size.
std::string sizes_html(const std::vector<SizePoint>& sizes) {
    if (sizes.empty()) return "";
    std::map<std::string, Chart> charts;
    std::vector<int> scales;
    std::vector<std::pair<std::string, std::map<int, double>>> lines; // "task / how"
    for (const SizePoint& p : sizes) {
        Chart& chart = charts[p.task];
        chart.title = title_of(p.task);
        chart.x_label = "graph size, times that of training";
        chart.y_label = "accuracy, %";
        chart.y_max = 100;
        chart.width = 320;
        chart.height = 250;
        if (chart.curves.empty() || chart.curves.back().name != p.how)
            chart.curves.push_back({p.how, {}, false});
        chart.curves.back().points.emplace_back(p.scale, p.accuracy);
        if (std::find(scales.begin(), scales.end(), p.scale) == scales.end()) scales.push_back(p.scale);
        const std::string line = fmt::format("<td>{}</td><td>{}</td>", title_of(p.task), p.how);
        if (lines.empty() || lines.back().first != line) lines.push_back({line, {}});
        lines.back().second[p.scale] = p.accuracy;
    }
    std::string out = "<h2>Beyond the paper: larger graphs than in training</h2>\n" +
                      std::string(sizes_account) + "<div class=\"charts\">\n";
    for (const auto& [task, chart] : charts) out += "<figure>" + draw_svg(chart) + "</figure>\n";
    out += "</div>\n<table><thead><tr><th>Task</th><th>What was done</th>";
    for (int scale : scales) out += fmt::format("<th>size x {}</th>", scale);
    out += "</tr></thead><tbody>\n";
    for (const auto& [line, values] : lines) {
        out += "<tr>" + line;
        for (int scale : scales)
            out += fmt::format("<td>{:.2f}</td>", values.contains(scale) ? values.at(scale) : 0.0);
        out += "</tr>\n";
    }
    return out + "</tbody></table>\n";
}

} // namespace

std::string make_report(const ReportContent& c) {
    std::string html = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\">"
        "<title>ggsnn: the paper's experiments</title><style>{}</style></head><body>\n<h1>Gated graph "
        "sequence neural networks: the paper's experiments, run again</h1>\n"
        "<p>Made by <code>{}</code> in {:.0f} s. Networks are selected on 50 validation stories; test "
        "stories choose nothing. Whole answers count: a sequence is right if all "
        "of it is. Green: at or above the paper's mean less two of its standard deviations.</p>\n",
        style, escape_html(c.command), c.seconds);
    html += table_html(c.rows, "table1", "Table 1: single outputs");
    html += table_html(c.rows, "table2", "Table 2: RNN and LSTM on task 4 by training size");
    html += table_html(c.rows, "table3", "Table 3: sequences");
    html += sizes_html(c.sizes);
    for (std::size_t i = 0; i < c.charts.size(); ++i) {
        html += "<h2>" + escape_html(c.charts[i].title) + "</h2>\n<figure>" + draw_svg(c.charts[i]);
        if (i < c.captions.size()) html += "<figcaption>" + escape_html(c.captions[i]) + "</figcaption>";
        html += "</figure>\n";
    }
    if (!c.rows.empty()) html += failures_html(c.rows) + curves_html(c.rows);
    return html + "</body></html>\n";
}

} // namespace ggsnn
