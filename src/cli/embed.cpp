// embed: the states that a trained network gives to the nodes (or graphs) of a data set, for whoever wants to
// go on with them in another program.
#include "ggsnn/base/files.hpp"
#include "ggsnn/base/npy.hpp"
#include "ggsnn/cli/answer.hpp"
#include "ggsnn/nn/ggnn/states.hpp"
#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/show/labels.hpp"
#include "ggsnn/tasks/build.hpp"

#include <optional>

namespace ggsnn {

namespace {

// A field of a CSV table, quoted where it has to be.
std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

void check_embed(const EmbedCommand& command, const Model& model) {
    const std::string& kind = model.network->kind().name;
    if (kind != "ggnn")
        throw UsageError(
            fmt::format("embed is for models of kind ggnn; {} is of kind {}", command.model, kind));
    if (command.graphs && !has_graph_states(model))
        throw UsageError(
            fmt::format("--graphs is for models that answer of graphs; this one answers with {}, of nodes",
                        name_of(model.schema.answer)));
    if (command.output == "-") throw UsageError("-o: expected the name of a file, not -");
}

// What each row is of: a line a row.
class RowIndex {
  public:
    RowIndex(const std::string& path, bool graphs) : graphs_(graphs) {
        if (path.empty()) return;
        out_.emplace(path);
        out_->write(graphs ? "row,file,line,graph,question\n" : "row,file,line,graph,question,node\n");
    }

    // first_graph: the number of the data's first graph among all.
    void add(const Dataset& data, long first_graph) {
        if (!out_) return;
        for (const Example& e : data.examples) {
            const std::string begin =
                fmt::format("{},{},{},{}", csv_field(e.place.file), e.place.line, first_graph + e.graph,
                            csv_field(data.schema.question_types.name(e.question)));
            const GraphRecord& graph = data.graphs[e.graph];
            for (int v = 0; v < (graphs_ ? 1 : graph.graph.nodes()); ++v)
                out_->write(
                    graphs_ ? fmt::format("{},{}\n", row_++, begin)
                            : fmt::format("{},{},{}\n", row_++, begin, csv_field(show::node_name(graph, v))));
        }
    }
    void close() {
        if (out_) out_->close();
    }

  private:
    std::optional<TextWriter> out_;
    bool graphs_;
    long row_ = 0;
};

} // namespace

int run_embed(const EmbedCommand& command) {
    const Model model = load_to_answer(command.model);
    check_embed(command, model);
    AnswerCommand data_of;
    data_of.input = command.input;
    data_of.table = command.table;
    ReadOptions options;
    options.need_answers = false;
    const auto reader = cli::open_data(data_of, model, options);
    DatasetBuilder builder(model.schema, false);
    NpyWriter out(command.output, state_size(model));
    RowIndex index(command.index, command.graphs);
    const StatesOf what = command.graphs ? StatesOf::graphs : StatesOf::nodes;
    std::vector<float> rows;
    long graphs = 0;
    const auto flush = [&] {
        states_of(model, builder.data(), what, command.steps, rows);
        out.add(rows);
        index.add(builder.data(), graphs);
        graphs += static_cast<long>(builder.data().graphs.size());
        builder.clear();
    };
    Record record;
    for (long i = 0; (command.count == 0 || i < command.skip + command.count) && reader->next(record); ++i) {
        if (i < command.skip) continue;
        builder.add(record);
        if (builder.data().examples.size() >= cli::piece_examples) flush();
    }
    flush();
    if (out.rows() == 0) fail("{}: no questions in the part asked for", command.input);
    index.close();
    out.close();
    return 0;
}

} // namespace ggsnn
