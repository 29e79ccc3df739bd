// A graph as people keep it in spreadsheets: a CSV file of edges, and one of nodes beside it.
#include "ggsnn/tasks/formats/edge_list.hpp"

#include "ggsnn/tasks/formats/formats.hpp"

#include <filesystem>

namespace ggsnn {

namespace {

int source_column(const std::vector<std::string>& columns) {
    return find_column(columns, {"source", "from", "src"});
}

int target_column(const std::vector<std::string>& columns) {
    return find_column(columns, {"target", "to", "dst", "destination"});
}

class EdgeList : public SingleGraph {
  public:
    EdgeList(std::unique_ptr<LineReader> lines, const std::string& path, const ReadOptions& options)
        : csv_(std::move(lines)), nodes_(find_node_table(path, options.nodes)), options_(options) {}
    const char* format() const override { return "edge list"; }

  private:
    void read(Record& record) override {
        record.place = {csv_.path(), 1};
        NodeTable nodes;
        if (!nodes_.empty()) nodes = read_node_table(nodes_);
        read_edge_file(csv_, record, [&](const std::string& name, const Place& place) {
            const int node = nodes_.empty() ? nodes.names.add(name) : nodes.names.find(name);
            if (node < 0) fail_at(place, "node \"{}\" is not in {}", name, nodes_);
            return node;
        });
        record.nodes = nodes.names.size();
        record.names = std::move(nodes.names.names());
        if (record.nodes == 0) fail_at(record.place, "the graph has no nodes");
        RawAnswer answer;
        if (!nodes_.empty()) read_nodes(nodes.table, nodes.id, options_, false, record, answer);
        ask(std::move(answer), options_,
            nodes_.empty()
                ? "a table of nodes, which is not there: expected nodes.csv beside the file, or --nodes"
                : nodes.table.list(),
            record);
    }

    CsvReader csv_;
    std::string nodes_; // path of the table, or empty
    ReadOptions options_;
};

} // namespace

void read_edge_file(CsvReader& csv, Record& record,
                    const std::function<int(const std::string&, const Place&)>& node) {
    const int source = source_column(csv.header()), target = target_column(csv.header());
    if (source < 0 || target < 0)
        fail_at(csv.place(), "the columns are {}; expected source and target among them",
                fmt::join(csv.header(), ", "));
    const Table table = read_csv_table(csv);
    record.edges.reserve(table.rows());
    for (int e = 0; e < table.rows(); ++e)
        record.edges.push_back({node(std::string(table.cell(source, e)), table.place(e)), "edge",
                                node(std::string(table.cell(target, e)), table.place(e))});
    read_edges(table, {source, target}, record);
}

bool is_edge_list(const Input& input) {
    if (input.is_folder()) return std::filesystem::is_regular_file(input.path + "/edges.csv");
    const std::vector<std::string> columns = csv_columns(input.line);
    return source_column(columns) >= 0 && target_column(columns) >= 0;
}

std::unique_ptr<RecordReader> open_edge_list(Input input, const ReadOptions& options) {
    const std::string path = input.is_folder() ? input.path + "/edges.csv" : input.path;
    if (input.is_folder()) input.lines = std::make_unique<LineReader>(path);
    return std::make_unique<EdgeList>(std::move(input.lines), path, options);
}

} // namespace ggsnn
