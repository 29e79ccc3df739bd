#include "ggsnn/tasks/formats/node_table.hpp"

#include <filesystem>

namespace ggsnn {

int NodeNames::find(const std::string& name) const {
    const auto at = index_.find(name);
    return at == index_.end() ? -1 : at->second;
}

int NodeNames::add(const std::string& name) {
    const auto [at, fresh] = index_.emplace(name, size());
    if (fresh) names_.push_back(name);
    return at->second;
}

int find_column(const std::vector<std::string>& columns, std::initializer_list<const char*> names) {
    for (std::size_t c = 0; c < columns.size(); ++c)
        if (is_one_of(columns[c], names)) return static_cast<int>(c);
    return -1;
}

Table read_csv_table(CsvReader& csv) {
    Table table(csv.path());
    for (const std::string& name : csv.header()) table.column(name);
    for (std::vector<std::string> fields; csv.next(fields);) {
        if (table.rows() == most_nodes) fail_at(csv.place(), "more than {} rows", most_nodes);
        table.add_row(csv.place().line);
        for (std::size_t c = 0; c < fields.size(); ++c) table.set(static_cast<int>(c), fields[c]);
    }
    return table;
}

NodeTable read_node_table(const std::string& path) {
    CsvReader csv(std::make_unique<LineReader>(path));
    NodeTable nodes;
    nodes.id = find_column(csv.header(), {"id", "node", "node_id", "nodeid", ""});
    nodes.table = read_csv_table(csv);
    if (nodes.id < 0)
        fail_at({csv.path(), 1}, "no column names the nodes: expected one called id among {}",
                nodes.table.list());
    for (int v = 0; v < nodes.table.rows(); ++v) {
        const std::string name(nodes.table.cell(nodes.id, v));
        if (nodes.names.add(name) != v) fail_at(nodes.table.place(v), "node \"{}\" stands twice", name);
    }
    if (nodes.names.size() == 0) fail("{}: holds no nodes; expected a row for each", csv.path());
    return nodes;
}

std::string find_node_table(const std::string& edges, const std::string& nodes) {
    if (!nodes.empty() || edges == "-") return nodes;
    const std::filesystem::path path(edges);
    std::string name = path.filename().string();
    const std::size_t word = name.rfind("edges");
    if (word != std::string::npos) {
        const std::filesystem::path beside =
            path.parent_path() / (name.substr(0, word) + "nodes" + name.substr(word + 5));
        if (std::filesystem::is_regular_file(beside)) return beside.string();
    }
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    const std::string stem = std::filesystem::path(name).stem().string();
    for (const std::string& candidate :
         {stem + ".nodes.csv", word != std::string::npos ? std::string("nodes.csv") : std::string()}) {
        const std::filesystem::path beside = path.parent_path() / candidate;
        if (std::filesystem::is_regular_file(beside)) return beside.string();
    }
    return {};
}

} // namespace ggsnn
