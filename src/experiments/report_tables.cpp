// The report's sections about the paper's tables: figures, wrong answers, learning curves.
#include "ggsnn/experiments/report.hpp"

#include "ggsnn/base/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ggsnn {

namespace {

// "D = 12, 5 steps, 3,465 parameters; 10 runs, of which 5 answer together, L1 0.2; selected on 50 stories"
std::string effort_text(const Row& r) {
    const UnitResult& unit = r.folds.front();
    const Effort& e = unit.effort;
    if (e.sizes.empty()) return "";
    const long parameters = unit.parameters / std::max(1, e.networks * e.together);
    std::string text = fmt::format("{}, {} parameters", e.sizes, parameters);
    if (e.networks > 1) text += fmt::format(", {} networks", e.networks);
    if (e.most_runs == 1) {
        text += "; one run";
    } else if (e.until) {
        text +=
            fmt::format("; runs until one makes no error in training and validation: {:.3g} of at most {}",
                        r.runs(), e.most_runs);
    } else {
        text += fmt::format("; {:.3g} runs", r.runs());
    }
    if (e.together > 1) text += fmt::format(", of which {} answer together", e.together);
    if (e.l1 > 0) text += fmt::format("; L1 {}", e.l1);
    return text + (e.validated > 0 ? fmt::format("; selected on {} further stories", e.validated)
                                   : "; selected on the training stories");
}

std::string figure_or_blank(double value, const char* text) {
    return value < 0 ? "" : fmt::format(fmt::runtime(text), value);
}

constexpr const char* table_header =
    "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th style=\"min-width:11rem\">Task</th><th "
    "class=\"text\">Network</th>"
    "<th>Training stories</th><th>{}</th>{}<th>Single run, %</th><th>Lowest and highest fold</th>"
    "<th>Folds</th><th>Paper, %</th><th>Different problems</th><th>Trained on, %</th><th>Word by word, %</th>"
    "<th>Processor seconds, all folds</th><th class=\"text\" style=\"min-width:26rem\">What it took, a "
    "network and fold</th></tr>"
    "</thead><tbody>\n";

constexpr const char* table_account =
    "<p class=\"note\"><b>Single run</b>: the first of the runs, without restarts, selection or averaging. "
    "<b>Different problems</b>: test questions of all folds that no renaming of nodes turns into each other. "
    "<b>Trained on</b>: test questions whose problem is in the fold's training stories, under these or other "
    "names; graph networks see no names. <b>Word by word</b>: those whose whole story is there as it is "
    "written.</p>\n";

// One line of a table. Sequences also show how many of their single outputs were right.
std::string row_html(const Row& r, bool sequences) {
    const auto [low, high] = std::minmax_element(
        r.folds.begin(), r.folds.end(), [](const auto& a, const auto& b) { return a.accuracy < b.accuracy; });
    const bool reached = r.mean() >= r.paper_mean - 2 * r.paper_deviation - 1e-9;
    std::string html = fmt::format(
        "<tr><td>{}</td><td class=\"text\">{}</td><td>{}</td><td class=\"{}\">{:.2f} ± {:.2f}{}</td>",
        task_title(r.task), model_title(r.model), r.train,
        r.paper_mean < 0 ? ""
        : reached        ? "good"
                         : "low",
        r.mean(), r.deviation(), r.same_files().empty() ? "" : " †");
    if (sequences) html += fmt::format("<td>{:.2f}</td>", r.step_mean());
    html +=
        fmt::format("<td>{}</td><td>{:.2f} – {:.2f}</td><td>{}</td><td>{}</td>",
                    figure_or_blank(r.single(), "{:.2f}"), low->accuracy, high->accuracy, r.folds.size(),
                    r.paper_mean >= 0 ? fmt::format("{:.1f} ± {:.1f}", r.paper_mean, r.paper_deviation) : "");
    html += fmt::format("<td>{}</td><td>{}</td><td>{}</td><td>{:.1f}</td><td class=\"text\">{}</td></tr>\n",
                        r.problems() > 0 ? fmt::format("{}", r.problems()) : "",
                        figure_or_blank(r.seen(), "{:.1f}"), figure_or_blank(r.copied(), "{:.1f}"),
                        r.seconds(), escape_html(effort_text(r)));
    return html;
}

// "† bAbI 4, two-argument relations: in folds 2, 3 the test stories are the training stories." once a task.
std::string same_files_html(const std::vector<Row>& rows) {
    std::map<std::string, std::set<int>> folds;
    for (const Row& r : rows)
        for (int fold : r.same_files()) folds[r.task].insert(fold);
    std::string html;
    for (const auto& [task, same] : folds)
        html += fmt::format("<p class=\"note\">† {}: in fold{} {} the test file is the training file.</p>\n",
                            task_title(task), same.size() > 1 ? "s" : "", fmt::join(same, ", "));
    return html;
}

// "4 of 4 rows at or above the paper's figures, lowest 99.20%".
std::string table_summary(const std::vector<Row>& rows) {
    std::size_t compared = 0, reached = 0;
    double lowest = INFINITY; // of graph networks
    for (const Row& r : rows) {
        if (r.model.starts_with("gg")) lowest = std::min(lowest, r.mean());
        if (r.paper_mean < 0) continue;
        ++compared;
        reached += r.mean() >= r.paper_mean - 2 * r.paper_deviation - 1e-9 ? 1 : 0;
    }
    std::string text = fmt::format("{} of {} rows at or above the paper's figures", reached, compared);
    if (std::isfinite(lowest)) text += fmt::format("; graph networks {:.2f}% at the least", lowest);
    return text;
}

ReportSection table_section(const std::vector<Row>& rows, const std::string& table,
                            const std::string& title) {
    ReportSection section{table, title, ""};
    const bool sequences = table == "table3";
    std::vector<Row> own;
    std::string body;
    for (const Row& r : rows) {
        if (r.table != table) continue;
        body += row_html(r, sequences);
        own.push_back(r);
    }
    if (own.empty()) return section;
    section.html = fmt::format(fmt::runtime(table_header), sequences ? "Whole sequences, %" : "Accuracy, %",
                               sequences ? "<th>Single outputs, %</th>" : "") +
                   body + "</tbody></table></div>\n" + table_account + same_files_html(own);
    section.results = to_json(own);
    section.summary = table_summary(own);
    return section;
}

// "line 5: path A B: n (expected e)" as cells: question, answer, right answer.
std::string failure_html(const std::string& text) {
    const std::size_t right = text.rfind(" (expected ");
    const std::size_t answer = right == std::string::npos ? right : text.rfind(": ", right);
    if (answer == std::string::npos || !text.ends_with(")"))
        return fmt::format("<td><code>{}</code></td><td></td><td></td>", escape_html(text));
    return fmt::format("<td><code>{}</code></td><td><code>{}</code></td><td><code>{}</code></td>",
                       escape_html(text.substr(0, answer)),
                       escape_html(text.substr(answer + 2, right - answer - 2)),
                       escape_html(text.substr(right + 11, text.size() - right - 12)));
}

// What a row got wrong: a few answers of each fold, `most` in all.
std::string row_failures(const Row& r, std::size_t most) {
    std::string items;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        for (const UnitResult& f : r.folds) {
            if (i >= f.failures.size() || shown == most) continue;
            items += fmt::format("<tr><td>{}</td>{}</tr>\n", f.fold, failure_html(f.failures[i]));
            ++shown;
        }
    }
    if (items.empty()) return "";
    return fmt::format("<details><summary>{}, {}, {} stories: {:.2f}% right</summary>\n<table><thead><tr>"
                       "<th>Fold</th><th>Question</th><th>Answered</th><th>Right</th></tr></thead><tbody>\n"
                       "{}</tbody></table></details>\n",
                       task_title(r.task), model_title(r.model), r.train, r.mean(), items);
}

// Rows of the tables, without those that a second table shows again.
std::vector<const Row*> distinct(const std::vector<Row>& rows) {
    std::vector<const Row*> list;
    for (const Row& r : rows) {
        const auto same = [&](const Row* o) {
            return o->task == r.task && o->model == r.model && o->train == r.train;
        };
        if (std::none_of(list.begin(), list.end(), same)) list.push_back(&r);
    }
    return list;
}

// A line a fold, and their mean over the folds that have a point there.
Chart curve_chart(const Row& row, const std::string& title, const std::string& label,
                  std::vector<std::pair<double, double>> UnitResult::* points, double scale) {
    Chart chart;
    chart.title = title;
    chart.x_label = "updates";
    chart.y_label = label;
    chart.width = 340;
    chart.height = 230;
    std::map<double, std::pair<double, int>> mean;
    double least = INFINITY, most = 0;
    for (const UnitResult& f : row.folds) {
        Curve curve;
        curve.faint = true;
        for (const auto& [x, y] : f.*points) {
            curve.points.emplace_back(x, scale * y);
            mean[x].first += scale * y;
            ++mean[x].second;
            least = std::min(least, scale * y);
            most = std::max(most, scale * y);
        }
        chart.curves.push_back(std::move(curve));
    }
    chart.log_y = least > 0 && most > 20 * least;
    Curve average{"mean", {}, false};
    for (const auto& [x, sum] : mean) average.points.emplace_back(x, sum.first / sum.second);
    chart.curves.push_back(std::move(average));
    return chart;
}

} // namespace

std::vector<ReportSection> table_sections(const std::vector<Row>& rows) {
    std::vector<ReportSection> sections = {
        table_section(rows, "table1", "Table 1: single outputs"),
        table_section(rows, "table2", "Table 2: RNN and LSTM on task 4 by training size"),
        table_section(rows, "table3", "Table 3: sequences")};
    std::erase_if(sections, [](const ReportSection& s) { return s.html.empty(); });
    return sections;
}

std::vector<ReportSection> failure_sections(const std::vector<Row>& rows) {
    std::string html;
    for (const bool graph : {true, false}) {
        std::string body;
        bool any = false;
        for (const Row* r : distinct(rows)) {
            if (r->model.starts_with("gg") != graph) continue;
            any = true;
            body += row_failures(*r, graph ? 100 : 6);
        }
        if (!any) continue;
        html += graph ? "<h3>Graph networks</h3>\n" : "<h3>Baselines</h3>\n";
        html +=
            body.empty() ? "<p>Nothing: every test question of every fold was answered right.</p>\n" : body;
    }
    if (html.empty()) return {};
    return {{"failures", "What the networks got wrong",
             "<p class=\"note\">The first wrong answers of each fold, with the right one beside; line "
             "numbers are those of the fold's test file.</p>\n" +
                 html}};
}

std::vector<ReportSection> curve_sections(const std::vector<Row>& rows) {
    std::string figures;
    for (const Row* row : distinct(rows)) {
        const std::string title =
            fmt::format("{}, {}, {} stories", row->task, model_title(row->model), row->train);
        const Chart error = curve_chart(*row, title, "validation error, %", &UnitResult::curve, 100);
        const Chart loss = curve_chart(*row, title, "training loss", &UnitResult::loss, 1);
        const auto any = [](const Chart& chart) {
            return !chart.curves.empty() && !chart.curves.back().points.empty();
        };
        if (!any(error)) continue;
        figures += "<div class=\"pair\"><figure>" + draw_svg(error) + "</figure>\n";
        if (any(loss)) figures += "<figure>" + draw_svg(loss) + "</figure>\n";
        figures += "</div>\n";
    }
    if (figures.empty()) return {};
    return {{"curves", "Learning curves",
             "<p>Validation error and training loss of the run that was selected: one thin line a fold, "
             "their mean in "
             "blue. Each picture has a scale of its own.</p>\n<div class=\"charts\">\n" +
                 figures + "</div>\n"}};
}

} // namespace ggsnn
