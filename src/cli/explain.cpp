// explain: which parts of a question mattered for its answer, as text, as JSON and as a picture.
#include "ggsnn/nn/explain.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/answer.hpp"
#include "ggsnn/cli/registration.hpp"
#include "ggsnn/nn/predict.hpp"
#include "ggsnn/show/explanation.hpp"
#include "ggsnn/show/labels.hpp"
#include "ggsnn/tasks/build.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ggsnn {

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
            if (show::node_name(graph, v) == command.node) options.node = v;
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
    const show::Explained explained{model, graph, example, predictions[0], why, options};
    if (!command.output.empty()) write_file(command.output, show::explanation_picture(explained));
    if (command.json) {
        std::puts(show::explanation_json(explained)
                      .dump(-1, ' ', false, OrderedJson::error_handler_t::replace)
                      .c_str());
    } else {
        std::fputs(show::explanation_text(explained, command.top).c_str(), stdout);
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
