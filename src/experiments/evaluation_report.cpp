#include "ggsnn/experiments/evaluation_report.hpp"

#include "ggsnn/base/html.hpp"
#include "ggsnn/base/page.hpp"
#include "ggsnn/show/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ggsnn {

namespace {

constexpr const char* evaluation_style = R"(
.matrix td { text-align: center; border: 1px solid var(--paper); } figure { max-width: 23rem; }
b.right { color: var(--good); } b.wrong { color: var(--bad); }
)";

constexpr std::size_t most_curves = 7; // classes with a curve of their own: as many as there are colours
constexpr int most_matrix = 40;
constexpr std::size_t most_points = 400; // of a curve

std::string cell(const OrderedJson& value) {
    if (value.is_number_float()) return fmt::format("{:.4f}", value.get<double>());
    return value.is_null() ? "-" : escape_html(value.is_string() ? value.get<std::string>() : value.dump());
}

std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
    std::string html = "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>";
    for (const std::string& name : head) html += fmt::format("<th>{}</th>", escape_html(name));
    html += "</tr></thead><tbody>\n";
    for (const auto& row : rows) html += fmt::format("<tr><td>{}</td></tr>\n", fmt::join(row, "</td><td>"));
    return html + "</tbody></table></div>\n";
}

std::string figures_html(const Schema& schema, const OrderedJson& result) {
    if (is_regression(schema.answer)) {
        std::vector<std::vector<std::string>> rows;
        for (std::size_t i = 0; i < result["mae"].size(); ++i)
            rows.push_back({std::to_string(i), cell(result["mae"][i]), cell(result["rmse"][i]),
                            cell(result["r2"][i]), cell(result["mean_predictor_mae"][i])});
        return table({"output", "mean absolute error", "RMSE", "R2", "error of the mean alone"}, rows);
    }
    std::vector<std::vector<std::string>> rows;
    for (const auto& [key, value] : result.items())
        if (!value.is_structured()) rows.push_back({escape_html(key), cell(value)});
    std::string html = table({"figure", ""}, rows);
    if (result["by_question_type"].size() > 1) {
        rows.clear();
        for (const auto& [name, part] : result["by_question_type"].items())
            rows.push_back({escape_html(name), cell(part["count"]), cell(part["accuracy"])});
        html += table({"question type", "count", "accuracy"}, rows);
    }
    return html;
}

std::string classes_html(const OrderedJson& result) {
    std::vector<std::vector<std::string>> rows;
    const auto add = [&](const std::string& name, const OrderedJson& entry) {
        std::vector<std::string> row{escape_html(name)};
        for (const char* key : {"count", "precision", "recall", "f1", "roc_auc", "pr_auc"})
            row.push_back(entry.contains(key) ? cell(entry[key]) : "");
        rows.push_back(std::move(row));
    };
    for (const auto& entry : result["classes"]) add(entry["class"].get<std::string>(), entry);
    add("macro", result["macro"]);
    add("micro", result["micro"]);
    return "<h2>Classes</h2>\n" +
           table({"class", "count", "precision", "recall", "F1", "ROC area", "PR area"}, rows);
}

// A row a true class; the darker, the larger the part of its row.
std::string matrix_html(const Evaluation& evaluation) {
    const Confusion& confusion = evaluation.confusion();
    if (confusion.classes() > most_matrix)
        return fmt::format("<p class=\"note\">The confusion matrix of {} classes is not drawn.</p>\n",
                           confusion.classes());
    std::string html = "<h2>Confusion</h2>\n<p class=\"note\">Rows: what is true. Columns: what was "
                       "answered.</p>\n<table class=\"matrix\"><tr><th></th>";
    for (int c = 0; c < confusion.classes(); ++c)
        html += fmt::format("<th>{}</th>", escape_html(evaluation.class_name(c)));
    html += "</tr>\n";
    for (int truth = 0; truth < confusion.classes(); ++truth) {
        html += fmt::format("<tr><th>{}</th>", escape_html(evaluation.class_name(truth)));
        for (int answer = 0; answer < confusion.classes(); ++answer) {
            const long count = confusion.count(truth, answer);
            const double part =
                count > 0 ? static_cast<double>(count) / static_cast<double>(confusion.truths(truth)) : 0;
            html += fmt::format("<td style=\"background: rgba({}, {:.2f})\" title=\"{:.1f}%\">{}</td>",
                                truth == answer ? "0, 158, 115" : "213, 94, 0",
                                count > 0 ? 0.12 + 0.78 * part : 0, 100 * part, count);
        }
        html += "</tr>\n";
    }
    return html + "</table>\n";
}

Chart axes(std::string title, std::string x, std::string y) {
    Chart chart;
    chart.title = std::move(title);
    chart.x_label = std::move(x);
    chart.y_label = std::move(y);
    return chart;
}

Ranking::Points thinned(const Ranking::Points& points) {
    if (points.size() <= most_points) return points;
    Ranking::Points out;
    for (std::size_t i = 0; i < most_points; ++i)
        out.push_back(points[i * (points.size() - 1) / (most_points - 1)]);
    return out;
}

std::string curves_html(const Evaluation& evaluation) {
    Chart roc = axes("ROC, one class against the rest", "false positive rate", "true positive rate");
    Chart precision = axes("Precision and recall", "recall", "precision");
    roc.curves.push_back({"chance", {{0, 0}, {1, 1}}, false, true});
    precision.y_max = 1;
    const std::vector<Ranking> rankings = evaluation.rankings();
    std::vector<int> order;
    for (std::size_t c = 0; c < rankings.size(); ++c)
        if (!rankings[c].roc.empty()) order.push_back(static_cast<int>(c));
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return evaluation.confusion().truths(a) > evaluation.confusion().truths(b);
    });
    if (order.size() > most_curves) order.resize(most_curves);
    for (int c : order) {
        roc.curves.push_back({evaluation.class_name(c), thinned(rankings[c].roc)});
        precision.curves.push_back({evaluation.class_name(c), thinned(rankings[c].precision_recall)});
    }
    return order.empty() ? "" : draw_svg(roc) + draw_svg(precision);
}

std::string calibration_svg(const Evaluation& evaluation) {
    Chart chart = axes("Calibration: how often it is right, by how sure it is", "probability of the answer",
                       "part that is right");
    chart.y_max = 1;
    chart.curves.push_back({"perfect", {{0, 0}, {1, 1}}, false, true});
    Curve curve{"answers", {}};
    for (const Calibration::Bin& bin : evaluation.calibration().all())
        if (bin.count > 0)
            curve.points.emplace_back(bin.confidence / static_cast<double>(bin.count),
                                      static_cast<double>(bin.right) / static_cast<double>(bin.count));
    chart.curves.push_back(std::move(curve));
    return draw_svg(chart);
}

std::string scatter_svg(const EvaluationReport::Pairs& pairs, std::size_t output) {
    Chart chart = axes(fmt::format("Output {}: answered against true", output), "true", "answered");
    double low = INFINITY, high = -INFINITY;
    for (const auto& [truth, answer] : pairs.kept) {
        low = std::min(low, truth);
        high = std::max(high, truth);
    }
    chart.curves.push_back({"equal", {{low, low}, {high, high}}, false, true});
    chart.curves.push_back({"answers", pairs.kept, false, false, true});
    return draw_svg(chart);
}

std::string histogram_svg(const EvaluationReport::Pairs& pairs, std::size_t output) {
    constexpr int bins = 30;
    double low = INFINITY, high = -INFINITY;
    for (const auto& [truth, answer] : pairs.kept) {
        if (!std::isfinite(answer)) continue;
        low = std::min(low, answer - truth);
        high = std::max(high, answer - truth);
    }
    if (!(low < high)) return "";
    std::vector<double> counts(bins, 0);
    for (const auto& [truth, answer] : pairs.kept) {
        if (!std::isfinite(answer)) continue;
        const double part = (answer - truth - low) / (high - low);
        counts[std::clamp(static_cast<int>(part * bins), 0, bins - 1)] += 1;
    }
    Chart chart = axes(fmt::format("Output {}: errors", output), "answered less true", "questions");
    Curve steps{"errors", {{low, 0}}};
    for (int b = 0; b < bins; ++b) {
        const double left = low + (high - low) * b / bins, right = low + (high - low) * (b + 1) / bins;
        steps.points.emplace_back(left, counts[b]);
        steps.points.emplace_back(right, counts[b]);
    }
    steps.points.emplace_back(high, 0);
    chart.curves.push_back(std::move(steps));
    return draw_svg(chart);
}

} // namespace

double EvaluationReport::loss_of(const Example& example, const Prediction& prediction) const {
    double sum = 0, count = 0;
    if (is_regression(schema_.answer)) {
        const std::size_t outputs = schema_.values;
        for (std::size_t i = 0; i < example.values.size(); ++i) {
            if (std::isnan(example.values[i])) continue;
            const double scale = schema_.scales.value.empty() ? 1 : schema_.scales.value[i % outputs];
            sum += std::pow((prediction.lists[i / outputs][i % outputs] - example.values[i]) / scale, 2);
            ++count;
        }
        return count > 0 ? sum / count : 0;
    }
    for_labels(schema_, example, prediction, [&](int truth, int, const std::vector<double>& list) {
        sum += log_loss(list[truth]);
        ++count;
    });
    return is_each_node(schema_.answer) && count > 0 ? sum / count : sum;
}

void EvaluationReport::keep_pairs(const Example& example, const Prediction& prediction) {
    const std::size_t outputs = schema_.values;
    for (std::size_t i = 0; i < example.values.size(); ++i) {
        if (std::isnan(example.values[i])) continue;
        Pairs& pairs = pairs_[i % outputs];
        if (pairs.seen++ % pairs.stride != 0) continue;
        pairs.kept.emplace_back(example.values[i], prediction.lists[i / outputs][i % outputs]);
        if (pairs.kept.size() < most_pairs) continue;
        for (std::size_t k = 0; 2 * k < pairs.kept.size(); ++k) pairs.kept[k] = pairs.kept[2 * k];
        pairs.kept.resize((pairs.kept.size() + 1) / 2);
        pairs.stride *= 2;
    }
}

void EvaluationReport::add(const GraphRecord& graph, const Example& example, const Prediction& prediction) {
    if (is_regression(schema_.answer)) keep_pairs(example, prediction);
    const double loss = loss_of(example, prediction);
    if (!(loss > 0) || (worst_.size() == most_cases && loss <= worst_.back().loss)) return;
    const auto at = std::find_if(worst_.begin(), worst_.end(), [&](const Case& c) { return c.loss < loss; });
    worst_.insert(at, {loss, graph, example, prediction});
    if (worst_.size() > most_cases) worst_.pop_back();
}

std::string EvaluationReport::page(const Evaluation& evaluation, const OrderedJson& result,
                                   const std::string& model, const std::string& data) const {
    const std::string title = fmt::format("{} on {}", model, data);
    std::string html = fmt::format(
        "<h1>{}</h1>\n<p>{}; answers are of kind <code>{}</code>.</p>\n", escape_html(title),
        counted(static_cast<std::size_t>(evaluation.all().count), "question"), name_of(schema_.answer));
    html += figures_html(schema_, result);
    if (evaluation.has_confusion()) html += classes_html(result) + matrix_html(evaluation);
    html += "<h2>Curves</h2>\n<div class=\"charts\">\n";
    for (std::size_t j = 0; j < pairs_.size(); ++j)
        if (!pairs_[j].kept.empty()) html += scatter_svg(pairs_[j], j) + histogram_svg(pairs_[j], j);
    if (evaluation.has_confusion()) html += curves_html(evaluation);
    if (!is_regression(schema_.answer)) html += calibration_svg(evaluation);
    html += "</div>\n";
    if (!worst_.empty()) html += worst_html(schema_, worst_);
    return html_page("ggsnn: " + title, html, evaluation_style);
}

} // namespace ggsnn
