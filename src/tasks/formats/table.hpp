// Rows of named columns: what CSV files, GraphML and node-link JSON say of nodes, edges and graphs. What a
// column means goes by its name and its cells, by one set of rules for all of these formats:
//   nodes   the label (label, class, y, target, or the one asked for) is the answer; split, or train_mask,
//   val_mask,
//           test_mask, says which part a node belongs to; id and name are names; other columns of numbers are
//           features, and other columns of text are categories: tags `column=text`. A missing number is 0,
//           and the node bears the tag `column missing`.
//   edges   type (edge_type, relation, rel, predicate, kind, label) is the type, otherwise `edge`; weight
//           (edge_weight) the weight, otherwise 1; id, key and name are names; other columns are features, 0
//           where they are missing.
//   graphs  the label is the answer, before that of nodes; split the part.
#pragma once

#include "ggsnn/tasks/record.hpp"

#include <optional>
#include <string_view>
#include <unordered_map>

namespace ggsnn {

class Table {
  public:
    // What cells hold: numbers if all of them are, or as the format says.
    enum class Kind : char { open, number, text };

    explicit Table(std::string file = "") : file_(std::move(file)) {}

    int column(const std::string& name, Kind kind = Kind::open); // finds it, or adds it
    int find(std::string_view name) const;                       // -1 if there is none
    int columns() const { return static_cast<int>(columns_.size()); }
    const std::string& name(int column) const { return columns_[column].name; }
    std::string list() const; // "a, b, c", shortened: for messages
    void be_text(int column) { columns_[column].kind = Kind::text; }

    void add_row(long line);
    // A cell of the last row; empty: missing. REQUIRES that it was not set.
    void set(int column, std::string_view text);
    bool is_set(int column) const { return columns_[column].ends.size() == lines_.size(); }
    int rows() const { return static_cast<int>(lines_.size()); }
    std::string_view cell(int column, int row) const; // empty: missing
    Place place(int row) const { return {file_, lines_[row]}; }
    const std::string& file() const { return file_; }

    bool is_empty(int column) const; // no cell holds anything
    bool is_number(int column) const;
    bool is_whole(int column) const; // every number is written without point and exponent
    // Nothing where the cell is empty, NA, NaN or null. Throws Error if it is no finite single-precision
    // number.
    std::optional<float> number(int column, int row) const;

  private:
    struct Column {
        std::string name;
        Kind kind;
        std::string bytes;             // of all cells, one after the other
        std::vector<std::size_t> ends; // may be shorter than there are rows: the rest is missing
    };
    std::string file_;
    std::vector<long> lines_;
    std::vector<Column> columns_;
    std::unordered_map<std::string, int> index_;
};

std::string lower(std::string_view text);
bool is_one_of(std::string_view name, std::initializer_list<const char*> names); // in any case of letters
std::optional<double> number_in(std::string_view text); // nothing unless all of it is a number

// What a table of nodes says, into a record that has as many nodes. `aside` is a column that says nothing of
// them, or -1. Where it is the graph that has a label, that of nodes is a column like others, and so is their
// split.
void read_nodes(const Table& table, int aside, const ReadOptions& options, bool graph_labelled,
                Record& record, RawAnswer& answer);

// What a table of edges says, into a record that has as many, in the same order.
void read_edges(const Table& table, std::initializer_list<int> aside, Record& record);

// What a table of one row says of the graph; true if it has a label, be it missing here.
bool read_graph(const Table& table, const ReadOptions& options, Record& record, RawAnswer& answer);

// One question of the graph: throws Error if its answer is missing and needed. `columns` lists where it could
// have been.
void ask(RawAnswer answer, const ReadOptions& options, const std::string& columns, Record& record);

// An edge that has no direction is one in both: adds those that go back, with what they carry. A loop stays
// one.
void add_reverse(Record& record, const std::vector<char>& undirected);

constexpr int most_nodes = 1 << 28;

} // namespace ggsnn
