// The answers that were worst, drawn: what was asked of which graph, what was answered and what is true.
#include "ggsnn/base/html.hpp"
#include "ggsnn/experiments/evaluation_report.hpp"
#include "ggsnn/show/graph_picture.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ggsnn {

namespace {

constexpr const char* right_colour = "#8fd3b6";
constexpr const char* wrong_colour = "#f2b48c";
constexpr const char* truth_colour = "#009e73";

std::string node_label(const GraphRecord& graph, int node) {
    if (node >= graph.graph.nodes()) return "(end)";
    return graph.names.empty() ? std::to_string(node) : graph.names[node];
}

std::string label_text(const Schema& schema, const GraphRecord& graph, int label) {
    if (label < 0) return "-";
    if (!has_classes(schema.answer)) return node_label(graph, label);
    return label < schema.classes.size() ? schema.classes.name(label) : "(end)";
}

std::string labels_text(const Schema& schema, const GraphRecord& graph, const std::vector<int>& labels) {
    std::string text;
    for (int label : labels) text += (text.empty() ? "" : ", ") + label_text(schema, graph, label);
    return text.empty() ? "(nothing)" : text;
}

std::string values_text(const std::vector<double>& values) {
    std::string text;
    for (double v : values)
        text += (text.empty() ? "" : ", ") + (std::isfinite(v) ? fmt::format("{:.4g}", v) : "-");
    return text;
}

// How nodes look: arguments are numbered, what is answered is filled, what is true has a ring.
std::vector<NodeLook> looks_of(const Schema& schema, const EvaluationReport::Case& c) {
    const GraphRecord& graph = c.graph;
    std::vector<NodeLook> looks(graph.graph.nodes());
    for (std::size_t v = 0; v < looks.size(); ++v) looks[v].label = node_label(graph, static_cast<int>(v));
    for (std::size_t i = 0; i < c.example.arguments.size(); ++i)
        looks[c.example.arguments[i]].mark += std::to_string(i + 1);
    if (schema.answer == AnswerKind::node_classes) {
        for (std::size_t v = 0; v < looks.size(); ++v) {
            const int truth = c.example.labels[v], answer = c.prediction.labels[v];
            looks[v].label += ": " + label_text(schema, graph, answer);
            if (truth >= 0) looks[v].fill = truth == answer ? right_colour : wrong_colour;
            if (truth >= 0 && truth != answer)
                looks[v].label += " (" + label_text(schema, graph, truth) + ")";
        }
        return looks;
    }
    if (has_classes(schema.answer) || is_regression(schema.answer)) return looks;
    const auto is_node = [&](int v) { return v >= 0 && v < static_cast<int>(looks.size()); };
    for (std::size_t i = 0; i < c.prediction.labels.size(); ++i) {
        const int answer = c.prediction.labels[i];
        const bool right = i < c.example.labels.size() && c.example.labels[i] == answer;
        if (is_node(answer)) looks[answer].fill = right ? right_colour : wrong_colour;
    }
    for (int truth : c.example.labels)
        if (is_node(truth)) looks[truth].ring = truth_colour;
    return looks;
}

std::string case_caption(const Schema& schema, const EvaluationReport::Case& c) {
    std::string text = fmt::format("<b>{}</b>: {}", escape_html(c.example.place.text()),
                                   escape_html(schema.question_types.name(c.example.question)));
    for (int a : c.example.arguments) text += " " + escape_html(node_label(c.graph, a));
    if (schema.answer == AnswerKind::node_classes) return text;
    if (is_regression(schema.answer)) {
        std::vector<double> answers, truths(c.example.values.begin(), c.example.values.end());
        for (const auto& list : c.prediction.lists) answers.insert(answers.end(), list.begin(), list.end());
        constexpr std::size_t most = 12;
        if (answers.size() > most) answers.resize(most);
        if (truths.size() > most) truths.resize(most);
        return text + fmt::format("<br>answered {}<br>true {}", values_text(answers), values_text(truths));
    }
    const bool right = c.prediction.labels == c.example.labels && !c.prediction.capped;
    text += fmt::format("<br>answered <b class=\"{}\">{}</b>", right ? "right" : "wrong",
                        escape_html(labels_text(schema, c.graph, c.prediction.labels)));
    text += fmt::format(", true <b>{}</b>", escape_html(labels_text(schema, c.graph, c.example.labels)));
    if (!is_sequence(schema.answer))
        text += fmt::format("<br>probability of the truth {:.4f}, of the answer {:.4f}",
                            c.prediction.lists[0][c.example.labels[0]],
                            c.prediction.lists[0][c.prediction.labels[0]]);
    return text;
}

} // namespace

std::string worst_html(const Schema& schema, const std::vector<EvaluationReport::Case>& worst) {
    const bool nodes = !has_classes(schema.answer) && !is_regression(schema.answer);
    std::string html = "<h2>The worst answers</h2>\n<p class=\"note\">By loss. Numbers in nodes: the "
                       "question's arguments, in order.";
    if (nodes) html += " Filled: what was answered, green if right. Green ring: what is true.";
    if (schema.answer == AnswerKind::node_classes)
        html += " Each node has its answer, green if right, and where that is wrong the truth in brackets.";
    html += "</p>\n<div class=\"charts\">\n";
    for (const EvaluationReport::Case& c : worst) {
        std::vector<int> centres = c.example.arguments;
        if (nodes)
            for (const auto* labels : {&c.example.labels, &c.prediction.labels})
                for (int v : *labels)
                    if (v >= 0 && v < c.graph.graph.nodes()) centres.push_back(v);
        if (schema.answer == AnswerKind::node_classes)
            for (std::size_t v = 0; v < c.example.labels.size(); ++v)
                if (c.example.labels[v] >= 0 && c.example.labels[v] != c.prediction.labels[v])
                    centres.push_back(static_cast<int>(v));
        html += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                            draw_graph(c.graph.graph, schema.edge_types, looks_of(schema, c), centres),
                            case_caption(schema, c));
    }
    return html + "</div>\n";
}

} // namespace ggsnn
