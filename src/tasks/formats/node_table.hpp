// A table of nodes in a CSV file of its own, beside a list of edges: a row for each node, with its name in
// the column id (node, node_id, or one without a name); table.hpp says what the other columns mean.
#pragma once

#include "ggsnn/tasks/formats/csv.hpp"
#include "ggsnn/tasks/formats/table.hpp"

namespace ggsnn {

// Names of nodes, each with its number.
class NodeNames {
  public:
    int find(const std::string& name) const; // -1 if there is none
    int add(const std::string& name);        // finds it, or adds it
    std::vector<std::string>& names() { return names_; }
    int size() const { return static_cast<int>(names_.size()); }

  private:
    std::vector<std::string> names_;
    std::unordered_map<std::string, int> index_;
};

struct NodeTable {
    Table table;
    int id = -1; // the column of names
    NodeNames names;
};

// Throws Error if it has no column of names, or a name stands twice.
NodeTable read_node_table(const std::string& path);

// All rows of a CSV file, with its columns.
Table read_csv_table(CsvReader& csv);

// The table of nodes that belongs to a file of edges: `nodes` if it was given, otherwise the file beside it
// that is called as it is with nodes for edges, or with .nodes.csv for its last suffix. Empty if there is
// none.
std::string find_node_table(const std::string& edges, const std::string& nodes);

// The position of the first column with one of these names, in any case of letters; -1 if there is none.
int find_column(const std::vector<std::string>& columns, std::initializer_list<const char*> names);

} // namespace ggsnn
