// explain: which parts of a question mattered for its answer, as text, as JSON and as a picture.
#include "ggsnn/nn/explain.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/answer.hpp"
#include "ggsnn/cli/registration.hpp"
#include "ggsnn/experiments/graph_picture.hpp"
#include "ggsnn/nn/predict.hpp"
#include "ggsnn/tasks/build.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ggsnn {

namespace {

// One question and what is said of it.
struct Explained {
    const Model& model;
    const GraphRecord& graph;
    const Example& example;
    const Prediction& answer;
    const Explanation& why;
    ExplainOptions options;

    const Schema& schema() const { return model.schema; }

    std::string input_name(const Explanation::Input& input) const {
        const int types = schema().features, marks = schema().inputs();
        if (input.column < types) return fmt::format("feature {}", input.column);
        if (input.column < marks) return schema().tags.name(input.column - types);
        return fmt::format("argument {}", input.column - marks);
    }
    std::string answer_text() const {
        if (is_regression(schema().answer)) return fmt::format("{:.6g}", why.score);
        if (is_each_node(schema().answer))
            return cli::label_name(schema(), graph, answer.labels[options.node]);
        std::vector<std::string> names;
        for (int label : answer.labels) names.push_back(cli::label_name(schema(), graph, label));
        return fmt::format("{}", fmt::join(names, ","));
    }
};

// Indices of the largest shares by size, the first of equals first.
template <class Items, class Share>
std::vector<std::size_t> largest(const Items& items, Share share, int top) {
    std::vector<std::size_t> order(items.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(share(items[a])) > std::abs(share(items[b]));
    });
    if (order.size() > static_cast<std::size_t>(top)) order.resize(static_cast<std::size_t>(top));
    return order;
}

OrderedJson explanation_json(const Explained& e) {
    const auto node = [&](int v) {
        return e.graph.names.empty() ? OrderedJson(v) : OrderedJson(cli::node_name(e.graph, v));
    };
    OrderedJson out;
    if (!e.graph.id.empty()) out["id"] = OrderedJson::parse(e.graph.id);
    out["file"] = e.example.place.file;
    out["line"] = e.example.place.line;
    out["question"] = e.schema().question_types.name(e.example.question);
    if (is_each_node(e.schema().answer)) out["of"] = node(e.options.node);
    out["answer"] =
        is_regression(e.schema().answer) ? OrderedJson(e.why.score) : OrderedJson(e.answer_text());
    out["score"] = e.why.score;
    out["baseline"] = e.why.baseline;
    out["explained"] = e.why.explained();
    for (const char* key : {"nodes", "features", "edges"}) out[key] = OrderedJson::array();
    out["edge_types"] = OrderedJson::object();
    for (std::size_t v = 0; v < e.why.nodes.size(); ++v) {
        OrderedJson entry = {{"node", node(static_cast<int>(v))}, {"share", e.why.nodes[v]}};
        if (!e.why.attention.empty()) entry["attention"] = e.why.attention[v];
        out["nodes"].push_back(entry);
    }
    for (const auto& input : e.why.inputs)
        out["features"].push_back({{"node", node(input.node)},
                                   {"feature", e.input_name(input)},
                                   {"value", input.value},
                                   {"share", input.share}});
    for (const auto& edge : e.why.edges)
        out["edges"].push_back({{"source", node(edge.source)},
                                {"type", e.schema().edge_types.name(edge.type)},
                                {"target", node(edge.target)},
                                {"share", edge.share}});
    for (std::size_t t = 0; t < e.why.edge_types.size(); ++t)
        out["edge_types"][e.schema().edge_types.name(static_cast<int>(t))] = e.why.edge_types[t];
    return out;
}

void print_explanation(const Explained& e, int top) {
    const auto name = [&](int v) { return cli::node_name(e.graph, v); };
    fmt::print("{}: {}{} -> {}\n", e.example.place.text(), e.schema().question_types.name(e.example.question),
               is_each_node(e.schema().answer) ? " of " + name(e.options.node) : "", e.answer_text());
    fmt::print("{} {:.4f}; with nothing known {:.4f}; explained {:.4f}\n",
               is_regression(e.schema().answer) ? "number" : "log probability", e.why.score, e.why.baseline,
               e.why.explained());
    const auto title = [](const char* text) { fmt::print("{}\n", text); };
    title("edge types");
    for (std::size_t t = 0; t < e.why.edge_types.size(); ++t)
        fmt::print("  {:>9.4f}  {}\n", e.why.edge_types[t], e.schema().edge_types.name(static_cast<int>(t)));
    title("edges");
    for (std::size_t i : largest(e.why.edges, [](const auto& edge) { return edge.share; }, top)) {
        const auto& edge = e.why.edges[i];
        fmt::print("  {:>9.4f}  {} {} {}\n", edge.share, name(edge.source),
                   e.schema().edge_types.name(edge.type), name(edge.target));
    }
    title("nodes");
    for (std::size_t v : largest(e.why.nodes, [](double share) { return share; }, top))
        fmt::print("  {:>9.4f}  {}{}\n", e.why.nodes[v], name(static_cast<int>(v)),
                   e.why.attention.empty() ? ""
                                           : fmt::format("  (gates open to {:.2f})", e.why.attention[v]));
    title("what is known of nodes");
    for (std::size_t i : largest(e.why.inputs, [](const auto& input) { return input.share; }, top)) {
        const auto& input = e.why.inputs[i];
        fmt::print("  {:>9.4f}  {} of {} = {:.4g}\n", input.share, e.input_name(input), name(input.node),
                   input.value);
    }
}

// White for nothing, red for what speaks for the answer, blue for what speaks against it.
std::string colour_of(double share, double most) {
    const double size = most > 0 ? std::min(1.0, std::abs(share) / most) : 0;
    const int pale = static_cast<int>(std::lround(255 - 175 * size));
    return share >= 0 ? fmt::format("#ff{0:02x}{0:02x}", pale) : fmt::format("#{0:02x}{0:02x}ff", pale);
}

std::string picture(const Explained& e) {
    constexpr int most_nodes = 24;
    double most = 0, most_edge = 0;
    for (double share : e.why.nodes) most = std::max(most, std::abs(share));
    for (const auto& edge : e.why.edges) most_edge = std::max(most_edge, std::abs(edge.share));
    std::vector<NodeLook> looks;
    std::vector<int> centres = e.example.arguments;
    for (std::size_t v = 0; v < e.why.nodes.size(); ++v) {
        NodeLook look;
        look.label = cli::node_name(e.graph, static_cast<int>(v));
        look.fill = colour_of(e.why.nodes[v], most);
        if (std::abs(e.why.nodes[v]) > most / 20) look.label += fmt::format(" {:+.2f}", e.why.nodes[v]);
        const bool asked = std::find(e.example.arguments.begin(), e.example.arguments.end(),
                                     static_cast<int>(v)) != e.example.arguments.end();
        if (asked) look.ring = "#333";
        looks.push_back(look);
    }
    if (is_each_node(e.schema().answer)) centres = {e.options.node};
    for (int centre : centres) looks[static_cast<std::size_t>(centre)].ring = "#333";
    // Most important nodes near the middle, where a large graph is cut.
    for (std::size_t v : largest(e.why.nodes, [](double share) { return share; }, 8))
        centres.push_back(static_cast<int>(v));
    std::vector<EdgeLook> edges;
    for (const auto& edge : e.why.edges)
        edges.push_back({0.6 + 4 * (most_edge > 0 ? std::abs(edge.share) / most_edge : 0), edge.share < 0});
    return draw_graph(e.graph.graph, e.schema().edge_types, looks, centres, edges, most_nodes);
}

} // namespace

int run_explain(const ExplainCommand& command) {
    const Model model = load_to_answer(command.model);
    AnswerCommand data_command;
    data_command.input = command.input;
    data_command.table = command.table;
    ReadOptions read;
    read.need_answers = false;
    const auto reader = cli::open_data(data_command, model, read);
    DatasetBuilder builder(model.schema, false);
    Record record;
    long seen = 0;
    while (reader->next(record)) {
        builder.clear();
        builder.add(record);
        const long count = static_cast<long>(builder.data().examples.size());
        if (seen + count >= command.question) break;
        seen += count;
        builder.clear();
    }
    const Dataset& data = builder.data();
    if (data.examples.empty())
        fail("{}: holds {} questions; expected at least {}", command.input, seen, command.question);
    const Example& example = data.examples[static_cast<std::size_t>(command.question - seen - 1)];
    const GraphRecord& graph = data.graphs[example.graph];
    ExplainOptions options;
    options.points = command.points;
    options.output = command.output_number;
    if (!command.node.empty()) {
        for (int v = 0; v < graph.graph.nodes() && options.node < 0; ++v)
            if (cli::node_name(graph, v) == command.node) options.node = v;
        if (options.node < 0)
            throw UsageError(fmt::format("--node {}: the graph has no such node", command.node));
        if (!is_each_node(model.schema.answer))
            throw UsageError(fmt::format("--node is for answers of every node; this model answers with {}",
                                         name_of(model.schema.answer)));
    } else if (is_each_node(model.schema.answer)) {
        throw UsageError("the model answers for every node: --node names the one to explain");
    }
    std::vector<Prediction> predictions;
    Predictor(model, nullptr).predict(data, {&example}, predictions);
    const Explanation why = explain(model, data, example, predictions[0], options);
    const Explained explained{model, graph, example, predictions[0], why, options};
    if (!command.output.empty()) write_file(command.output, picture(explained));
    if (command.json) {
        std::puts(
            explanation_json(explained).dump(-1, ' ', false, OrderedJson::error_handler_t::replace).c_str());
    } else {
        print_explanation(explained, command.top);
    }
    return 0;
}

void add_explain(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("explain", "Show which nodes, edges and features an answer comes from");
    auto o = std::make_shared<ExplainCommand>();
    sub->add_option("model", o->model, "Model file")->required();
    sub->add_option("data", o->input, "Questions, in any format that train reads")->required();
    add_table_options(sub, o->table);
    sub->add_option("--question", o->question, "Which question of the data, from 1")
        ->check(CLI::Range(1L, 1000000000L))
        ->capture_default_str();
    sub->add_option("--node", o->node, "Answers of every node: the node to explain, by name or number");
    sub->add_option("--number", o->output_number, "Regression: which number of the answer, from 0")
        ->check(CLI::Range(0, 1000000))
        ->capture_default_str();
    sub->add_option("--top", o->top, "How many of each to show")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    sub->add_option("--points", o->points, "Of the integral: more are more exact")
        ->check(CLI::Range(4, 10000))
        ->capture_default_str();
    sub->add_option("-o,--output", o->output, "Draw the graph, coloured by what mattered, as SVG");
    sub->add_flag("--json", o->json, "Print JSON");
    sub->callback([o, &run] { run = [o] { return run_explain(*o); }; });
}

} // namespace ggsnn
