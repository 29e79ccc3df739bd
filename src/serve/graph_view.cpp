#include "ggsnn/nn/explain.hpp"
#include "ggsnn/nn/ggnn/settling.hpp"
#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/nn/predict.hpp"
#include "ggsnn/serve/views.hpp"
#include "ggsnn/show/explanation.hpp"
#include "ggsnn/show/labels.hpp"
#include "ggsnn/show/prediction_line.hpp"
#include "ggsnn/tasks/build.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ggsnn::serve {

namespace {

constexpr std::size_t most_questions = 200, most_shown_edges = 20000, most_state_numbers = 200'000;
constexpr int most_shown_nodes = 2000, most_outputs = 40;

// Text as a file without a name, for readers that take paths. Nothing lies beside it.
class TextFile {
  public:
    explicit TextFile(const std::string& text) : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {
        if (descriptor_ < 0) fail("cannot make a file in memory: {}", std::strerror(errno));
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t written = ::write(descriptor_, text.data() + at, text.size() - at);
            if (written <= 0) fail("cannot write a file in memory: {}", std::strerror(errno));
            at += static_cast<std::size_t>(written);
        }
    }
    ~TextFile() { ::close(descriptor_); }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

  private:
    int descriptor_;
};

// All questions of a text, for the model. Errors call it 'input'.
void read_questions(const Model& model, const std::string& text, DatasetBuilder& builder,
                    std::string& format) {
    const TextFile file(text);
    ReadOptions read;
    read.need_answers = false;
    read.alone = true;
    if (const auto label = model.training.find("label"); label != model.training.end() && label->is_string())
        read.trained_label = label->get<std::string>();
    try {
        const auto reader = open_records(file.path(), read);
        format = reader->format();
        Record record;
        while (builder.data().examples.size() < most_questions && reader->next(record)) {
            if (record.nodes > most_shown_nodes || record.edges.size() > most_shown_edges)
                fail_at(record.place, "{} nodes and {} edges; the page takes {} and {} at the most",
                        record.nodes, record.edges.size(), most_shown_nodes, most_shown_edges);
            builder.add(record);
        }
    } catch (const Error& error) {
        std::string message = error.what();
        for (std::size_t at; (at = message.find(file.path())) != std::string::npos;)
            message.replace(at, file.path().size(), "input");
        throw Error(message);
    }
    if (builder.data().examples.empty())
        fail("input: no question; expected a line such as `eval A has_fear` or a \"question\"");
}

std::string question_text(const Schema& schema, const GraphRecord& graph, const Example& e) {
    std::string text = schema.question_types.name(e.question);
    for (const int v : e.arguments) text += " " + show::node_name(graph, v);
    return text;
}

OrderedJson graph_json(const Schema& schema, const GraphRecord& graph) {
    OrderedJson nodes = OrderedJson::array(), edges = OrderedJson::array();
    for (int v = 0; v < graph.graph.nodes(); ++v) nodes.push_back({{"name", show::node_name(graph, v)}});
    for (const auto& [node, tag] : graph.tags)
        nodes[static_cast<std::size_t>(node)]["tags"].push_back(schema.tags.name(tag));
    for (int slot = incoming; slot < graph.graph.slots(); slot += 2)
        for (int entry = graph.graph.slot_begin(slot); entry < graph.graph.slot_end(slot); ++entry)
            for (const int source : graph.graph.neighbours(entry))
                edges.push_back({{"source", source},
                                 {"type", schema.edge_types.name(slot / 2)},
                                 {"target", graph.graph.row(entry)}});
    return {{"nodes", nodes}, {"edges", edges}};
}

double rounded(double value) {
    return std::isfinite(value) ? std::round(value * 1e5) / 1e5 : 0;
}

OrderedJson rows_json(const std::vector<float>& rows, int width) {
    OrderedJson out = OrderedJson::array();
    for (std::size_t at = 0; at < rows.size(); at += static_cast<std::size_t>(width)) {
        OrderedJson row = OrderedJson::array();
        for (int j = 0; j < width; ++j) row.push_back(rounded(rows[at + static_cast<std::size_t>(j)]));
        out.push_back(std::move(row));
    }
    return out;
}

// What each output was, with probabilities of all that it could have been, best first.
OrderedJson steps_json(const Schema& schema, const GraphRecord& graph, const Prediction& p) {
    OrderedJson out = OrderedJson::array();
    if (is_regression(schema.answer) || is_each_node(schema.answer)) return out;
    for (const auto& list : p.lists) {
        std::vector<std::size_t> order(list.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return list[a] > list[b]; });
        OrderedJson choices = OrderedJson::array();
        for (std::size_t i = 0; i < order.size() && i < 8; ++i) {
            const bool end = is_sequence(schema.answer) && order[i] + 1 == list.size();
            choices.push_back(
                {{"label", end ? OrderedJson("(end)")
                               : OrderedJson(show::label_name(schema, graph, static_cast<int>(order[i])))},
                 {"index", end ? -1 : static_cast<int>(order[i])},
                 {"probability", rounded(list[order[i]])}});
        }
        out.push_back(std::move(choices));
    }
    return out;
}

OrderedJson settling_json(const Model& model, const Dataset& data, const Example& example,
                          const Prediction& p) {
    if (model.network->kind().name != "ggnn") return nullptr;
    const int outputs =
        is_sequence(model.schema.answer) ? std::clamp(static_cast<int>(p.lists.size()), 1, most_outputs) : 1;
    const Settling settling = settle(model, data, example, outputs);
    std::size_t numbers = 0;
    OrderedJson out{
        {"annotation", settling.annotation}, {"state", settling.state}, {"outputs", OrderedJson::array()}};
    for (const Settling::Output& output : settling.outputs) {
        for (const auto& states : output.states) numbers += states.size();
        if (numbers > most_state_numbers) break; // later outputs are left out: the page says so
        OrderedJson states = OrderedJson::array();
        for (const auto& rows : output.states) states.push_back(rows_json(rows, settling.state));
        out["outputs"].push_back(
            {{"annotations", rows_json(output.annotations, settling.annotation)}, {"states", states}});
    }
    return out;
}

OrderedJson why_json(const Model& model, const Dataset& data, const Example& example, const Prediction& p,
                     int node) {
    ExplainOptions options;
    const GraphRecord& graph = data.graphs[example.graph];
    if (is_each_node(model.schema.answer)) options.node = std::clamp(node, 0, graph.graph.nodes() - 1);
    try {
        const Explanation why = explain(model, data, example, p, options);
        OrderedJson nodes = OrderedJson::array(), edges = OrderedJson::array();
        for (const double share : why.nodes) nodes.push_back(rounded(share));
        for (const auto& edge : why.edges) edges.push_back(rounded(edge.share));
        const show::Explained explained{model, graph, example, p, why, options};
        return {{"score", rounded(why.score)},
                {"baseline", rounded(why.baseline)},
                {"explained", rounded(why.explained())},
                {"nodes", nodes},
                {"edges", edges},
                {"svg", show::explanation_picture(explained)}};
    } catch (const UsageError& error) {
        return {{"error", error.what()}};
    }
}

} // namespace

OrderedJson model_facts(const Model& model) {
    const Schema& schema = model.schema;
    OrderedJson out{{"kind", model.network->kind().name}, {"answer", name_of(schema.answer)}};
    out.update(model.network->describe().facts);
    out.update(OrderedJson{{"edge_types", schema.edge_types.names()},
                           {"question_types", schema.question_types.names()},
                           {"classes", schema.classes.names()},
                           {"features", schema.features},
                           {"arguments", schema.arguments},
                           {"parameters", model.parameter_count()}});
    return out;
}

OrderedJson graph_answer(const Model& model, const GraphQuestion& question) {
    DatasetBuilder builder(model.schema, false);
    std::string format;
    read_questions(model, question.text, builder, format);
    const Dataset& data = builder.data();
    if (question.number >= data.examples.size())
        fail("question {}; the input has {}", question.number + 1, data.examples.size());
    const Example& example = data.examples[question.number];
    const GraphRecord& graph = data.graphs[example.graph];
    std::vector<Prediction> predictions;
    Predictor(model, nullptr).predict(data, {&example}, predictions);
    const Prediction& p = predictions[0];
    OrderedJson out{{"format", format}, {"question", question.number}, {"questions", OrderedJson::array()}};
    for (const Example& e : data.examples)
        out["questions"].push_back(
            {{"text", question_text(model.schema, data.graphs[e.graph], e)}, {"line", e.place.line}});
    out["model"] = model_facts(model);
    out["graph"] = graph_json(model.schema, graph);
    out["arguments"] = example.arguments;
    out["answer"] = show::prediction_json(model.schema, graph, example, p, 8);
    out["answer"].erase("file"); // the text has no name
    out["labels"] = p.labels;
    out["steps"] = steps_json(model.schema, graph, p);
    out["settling"] = settling_json(model, data, example, p);
    out["why"] = question.explain ? why_json(model, data, example, p, question.node) : OrderedJson();
    return out;
}

} // namespace ggsnn::serve
