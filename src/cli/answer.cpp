// evaluate and predict: data is read against the model's schema and answered in pieces, so memory does not
// grow with the file.
#include "ggsnn/base/json.hpp"
#include "ggsnn/cli/commands.hpp"
#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/tasks/build.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace ggsnn {

namespace {

constexpr std::size_t piece_examples = 2000;

// Molecules: the targets that --target chose when the model was trained. Nothing in `training` is needed to
// use a model, and nothing in it is trusted.
std::vector<int> trained_targets(const Model& model) {
    try {
        return model.training.value("targets", std::vector<int>());
    } catch (const Json::exception&) {
        return {};
    }
}

// Formats with columns: the one that --label chose.
std::string trained_label(const Model& model) {
    const auto at = model.training.find("label");
    return at != model.training.end() && at->is_string() ? at->get<std::string>() : "";
}

// Options that this model gives no meaning are wrong usage, not silently ignored.
void check_options(const AnswerCommand& command, const Model& model) {
    const Kind& kind = model.network->kind();
    if (command.beam > 0 && !is_sequence(model.schema.answer))
        throw UsageError(
            fmt::format("--beam is for sequences; this model answers with {}", name_of(model.schema.answer)));
    for (const auto& [option, given] : {std::pair("steps", command.steps > 0), {"beam", command.beam > 0}})
        if (given && !kind.can(option))
            throw UsageError(fmt::format("--{} has no meaning with a model of kind {}: {}", option, kind.name,
                                         kind.instead));
}

// Reads the wanted records piece by piece; body(data, examples, predictions) for each piece.
template <class Body>
void for_pieces(const AnswerCommand& command, const Model& model, bool need_answers, Body body) {
    ReadOptions options;
    options.need_answers = need_answers;
    options.targets = command.targets;
    if (options.targets.empty()) options.targets = trained_targets(model);
    options.nodes = command.table.nodes;
    options.label = command.table.label;
    options.trained_label = trained_label(model);
    check_options(command, model);
    const auto reader = open_records(command.input, options);
    check_targets(command.input, *reader, command.targets);
    ThreadPool pool(command.threads);
    Predictor predictor(model, &pool, {command.steps, command.beam, 0});
    DatasetBuilder builder(model.schema, need_answers);
    Record record;
    std::vector<const Example*> examples;
    std::vector<Prediction> predictions;
    const auto flush = [&] {
        Dataset& data = builder.data();
        if (data.examples.empty()) return;
        examples.clear();
        for (const Example& e : data.examples) examples.push_back(&e);
        predictor.predict(data, examples, predictions);
        body(data, examples, predictions);
        builder.clear();
    };
    for (long i = 0; (command.count == 0 || i < command.skip + command.count) && reader->next(record); ++i) {
        if (i < command.skip) continue;
        builder.add(record);
        if (builder.data().examples.size() >= piece_examples) flush();
    }
    flush();
}

std::string node_name(const GraphRecord& graph, int node) {
    if (node == graph.graph.nodes()) return "(end)";
    return graph.names.empty() ? std::to_string(node) : graph.names[node];
}

std::string label_name(const Schema& schema, const GraphRecord& graph, int label) {
    if (!has_classes(schema.answer)) return node_name(graph, label);
    return label < schema.classes.size() ? schema.classes.name(label) : "(end)";
}

// A node by its name, or by its number where nodes have none.
OrderedJson label_value(const Schema& schema, const GraphRecord& graph, int label) {
    if (!has_classes(schema.answer) && graph.names.empty()) return OrderedJson(label);
    return OrderedJson(label_name(schema, graph, label));
}

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

OrderedJson prediction_json(const Schema& schema, const GraphRecord& graph, const Example& e,
                            const Prediction& p, int top) {
    OrderedJson out;
    out["file"] = e.place.file;
    out["line"] = e.place.line;
    out["question"] = schema.question_types.name(e.question);
    out["arguments"] = OrderedJson::array();
    for (int a : e.arguments)
        out["arguments"].push_back(graph.names.empty() ? OrderedJson(a) : OrderedJson(node_name(graph, a)));
    if (is_regression(schema.answer)) {
        out["answer"] = is_each_node(schema.answer) ? OrderedJson(p.lists) : OrderedJson(p.lists[0]);
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
    if (is_sequence(schema.answer)) {
        out["probability"] = sequence_probability(p);
        if (p.capped) out["capped"] = true;
        for (const Hypothesis& h : p.sequences) {
            OrderedJson names = OrderedJson::array();
            for (int label : h.labels) names.push_back(label_value(schema, graph, label));
            out["sequences"].push_back({names, std::exp(h.log_probability)});
        }
    }
    out["ranking"] = OrderedJson::array();
    for (const auto& list : p.lists) out["ranking"].push_back(ranked(list));
    return out;
}

std::string prediction_text(const Schema& schema, const GraphRecord& graph, const Example& e,
                            const Prediction& p, int top) {
    std::string text = fmt::format("{}: {}\t", e.place.text(), question_text(schema, graph, e));
    if (is_regression(schema.answer)) {
        for (std::size_t i = 0; i < p.lists.size(); ++i)
            text += fmt::format("{}{:.6g}", i > 0 ? "; " : "", fmt::join(p.lists[i], " "));
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

} // namespace

int run_evaluate(const AnswerCommand& command) {
    const Model model = load_to_answer(command.model);
    Evaluation evaluation;
    for_pieces(command, model, true,
               [&](const Dataset&, const std::vector<const Example*>& examples,
                   const std::vector<Prediction>& predictions) {
                   for (std::size_t i = 0; i < examples.size(); ++i)
                       evaluation.add(model.schema, *examples[i], predictions[i]);
               });
    if (evaluation.count == 0) fail("{}: no questions in the part asked for", command.input);
    const OrderedJson result = evaluation.to_json(model.schema);
    if (command.json) {
        std::puts(result.dump().c_str());
        return 0;
    }
    if (is_regression(model.schema.answer)) {
        std::string errors;
        for (const auto& mae : result["mae"])
            errors += mae.is_null() ? "(no values) " : fmt::format("{:.6f} ", mae.get<double>());
        fmt::print("mean absolute error {}on {} questions\n", errors, evaluation.count);
        return 0;
    }
    fmt::print("accuracy {:.2f}% on {} questions\n",
               100.0 * static_cast<double>(evaluation.right) / static_cast<double>(evaluation.count),
               evaluation.count);
    if (result.contains("step_accuracy"))
        fmt::print("accuracy of single outputs {:.2f}%\n", 100.0 * result["step_accuracy"].get<double>());
    if (evaluation.by_question.size() > 1)
        for (const auto& [name, counts] : evaluation.by_question)
            fmt::print("  {:<16} {:.2f}% on {}\n", name,
                       100.0 * static_cast<double>(counts.right) / static_cast<double>(counts.count),
                       counts.count);
    return 0;
}

int run_predict(const AnswerCommand& command) {
    const Model model = load_to_answer(command.model);
    bool any = false;
    for_pieces(
        command, model, false,
        [&](const Dataset& data, const std::vector<const Example*>& examples,
            const std::vector<Prediction>& predictions) {
            any = true;
            for (std::size_t i = 0; i < examples.size(); ++i) {
                const GraphRecord& graph = data.graphs[examples[i]->graph];
                const std::string line =
                    command.json
                        ? prediction_json(model.schema, graph, *examples[i], predictions[i], command.top)
                              .dump(-1, ' ', false,
                                    OrderedJson::error_handler_t::replace) // a file's name may be no UTF-8
                        : prediction_text(model.schema, graph, *examples[i], predictions[i], command.top);
                std::puts(line.c_str());
            }
        });
    if (!any) fail("{}: no questions in the part asked for", command.input);
    return 0;
}

} // namespace ggsnn
