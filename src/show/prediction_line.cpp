#include "ggsnn/show/prediction_line.hpp"

#include "ggsnn/nn/evaluation.hpp"
#include "ggsnn/show/labels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ggsnn::show {

namespace {

std::vector<int> ranking(const std::vector<double>& list, int top) {
    std::vector<int> order(list.size());
    std::iota(order.begin(), order.end(), 0);
    const auto count = std::min<std::size_t>(order.size(), static_cast<std::size_t>(top));
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                      [&](int a, int b) { return list[a] != list[b] ? list[a] > list[b] : a < b; });
    order.resize(count);
    return order;
}

std::string question_text(const Schema& schema, const GraphRecord& graph, const Example& e) {
    std::string text = schema.question_types.name(e.question);
    for (int a : e.arguments) text += " " + node_name(graph, a);
    return text;
}

double sequence_probability(const Prediction& p) {
    if (!p.sequences.empty()) return std::exp(p.sequences.front().log_probability);
    double product = 1;
    for (const auto& list : p.lists) product *= *std::max_element(list.begin(), list.end());
    return product;
}

OrderedJson numbers_json(const std::vector<double>& numbers) {
    OrderedJson out = OrderedJson::array();
    for (double v : numbers) out.push_back(number_or_null(v));
    return out;
}

std::string numbers_text(const std::vector<double>& numbers) {
    std::string text;
    for (double v : numbers)
        text += (text.empty() ? "" : " ") + (std::isfinite(v) ? fmt::format("{:.6g}", v) : "-");
    return text;
}

void add_sequence(OrderedJson& out, const Schema& schema, const GraphRecord& graph, const Prediction& p) {
    out["probability"] = sequence_probability(p);
    if (p.capped) out["capped"] = true;
    for (const LabelSequence& h : p.sequences) {
        OrderedJson names = OrderedJson::array();
        for (int label : h.labels) names.push_back(label_value(schema, graph, label));
        out["sequences"].push_back({names, std::exp(h.log_probability)});
    }
}

// What network and data say of one question, in answers that are numbers.
OrderedJson regression_json(const Schema& schema, const Prediction& p) {
    if (!is_each_node(schema.answer)) return numbers_json(p.lists[0]);
    OrderedJson rows = OrderedJson::array();
    for (const auto& list : p.lists) rows.push_back(numbers_json(list));
    return rows;
}

} // namespace

OrderedJson prediction_json(const Schema& schema, const GraphRecord& graph, const Example& e,
                            const Prediction& p, int top) {
    OrderedJson out;
    out["file"] = e.place.file;
    out["line"] = e.place.line;
    out["question"] = schema.question_types.name(e.question);
    out["arguments"] = OrderedJson::array();
    for (int a : e.arguments)
        out["arguments"].push_back(graph.names.empty() ? OrderedJson(a) : OrderedJson(node_name(graph, a)));
    if (p.overflow) out["overflow"] = true;
    if (is_regression(schema.answer)) {
        out["answer"] = regression_json(schema, p);
        return out;
    }
    const auto ranked = [&](const std::vector<double>& list) {
        OrderedJson entries = OrderedJson::array();
        for (int label : ranking(list, top))
            entries.push_back({label_value(schema, graph, label), list[label]});
        return entries;
    };
    if (!is_sequence(schema.answer) && !is_each_node(schema.answer)) {
        out["answer"] = label_value(schema, graph, p.labels[0]);
        out["probability"] = p.lists[0][p.labels[0]];
        out["ranking"] = ranked(p.lists[0]);
        return out;
    }
    out["answer"] = OrderedJson::array();
    for (int label : p.labels) out["answer"].push_back(label_value(schema, graph, label));
    if (is_sequence(schema.answer)) add_sequence(out, schema, graph, p);
    out["ranking"] = OrderedJson::array();
    for (const auto& list : p.lists) out["ranking"].push_back(ranked(list));
    return out;
}

std::string prediction_text(const Schema& schema, const GraphRecord& graph, const Example& e,
                            const Prediction& p, int top) {
    std::string text = fmt::format("{}: {}\t", e.place.text(), question_text(schema, graph, e));
    if (p.overflow) text += "(numbers overflow) ";
    if (is_regression(schema.answer)) {
        for (std::size_t i = 0; i < p.lists.size(); ++i)
            text += (i > 0 ? "; " : "") + numbers_text(p.lists[i]);
        return text;
    }
    std::vector<std::string> names;
    for (int label : p.labels) names.push_back(label_name(schema, graph, label));
    text += fmt::format("{}", fmt::join(names, ","));
    if (is_each_node(schema.answer)) {
        for (std::size_t i = 0; i < p.labels.size(); ++i)
            text += fmt::format("{}{:.4f}", i > 0 ? "," : "\t", p.lists[i][p.labels[i]]);
        return text;
    }
    if (is_sequence(schema.answer))
        return text + fmt::format("\t{:.4f}{}", sequence_probability(p), p.capped ? "\t(did not end)" : "");
    text += fmt::format("\t{:.4f}\t", p.lists[0][p.labels[0]]);
    const auto order = ranking(p.lists[0], top);
    for (std::size_t i = 1; i < order.size(); ++i)
        text += fmt::format("{}{} {:.4f}", i > 1 ? ", " : "", label_name(schema, graph, order[i]),
                            p.lists[0][order[i]]);
    return text;
}

OrderedJson truth_json(const Schema& schema, const Record& record, const RawAnswer& answer) {
    if (!answer.present) return nullptr;
    const AnswerKind kind = answer.ambiguous ? schema.answer : answer.kind;
    OrderedJson list = OrderedJson::array();
    for (std::size_t i = 0; i < answer.words.size(); ++i)
        list.push_back(i < answer.missing.size() && answer.missing[i] != 0 ? OrderedJson(nullptr)
                                                                           : OrderedJson(answer.words[i]));
    for (int node : answer.nodes)
        list.push_back(record.names.empty() ? OrderedJson(node) : OrderedJson(record.names[node]));
    const std::size_t rows = is_each_node(kind) ? record.nodes : 1, width = answer.values.size() / rows;
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        const OrderedJson value = number_or_null(answer.values[i]);
        if (!is_each_node(kind)) {
            list.push_back(value);
            continue;
        }
        if (i % width == 0) list.push_back(OrderedJson::array());
        list.back().push_back(value);
    }
    const bool one = !is_sequence(kind) && !is_each_node(kind) && !is_regression(kind) && list.size() == 1;
    return one ? OrderedJson(list[0]) : list;
}

} // namespace ggsnn::show
