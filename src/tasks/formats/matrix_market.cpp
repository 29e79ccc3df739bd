// Matrix Market coordinate files as adjacency: an entry in row i and column j is an edge from node i to node
// j, and its number the weight. The entries of a symmetric matrix stand for both of their places.
#include "ggsnn/tasks/formats/formats.hpp"
#include "ggsnn/tasks/formats/node_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ggsnn {

namespace {

constexpr std::string_view matrix_mark = "%%matrixmarket";

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t", at)) != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

long whole_number(std::string_view word, long least, long most, const char* what, const Place& place) {
    long number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size() || number < least || number > most)
        fail_at(place, "{} is \"{}\"; expected a whole number from {} to {}", what, word.substr(0, 60), least,
                most);
    return number;
}

class MatrixMarket : public SingleGraph {
  public:
    MatrixMarket(Input input, const ReadOptions& options)
        : lines_(std::move(input.lines)),
          nodes_(find_node_table(input.path, options.nodes)),
          options_(options) {}
    const char* format() const override { return "Matrix Market"; }

  private:
    void read(Record& record) override {
        read_header();
        record.place = {lines_->path(), 1};
        read_entries(record);
        if (symmetric_) add_reverse(record, std::vector<char>(record.edges.size(), 1));
        RawAnswer answer;
        std::string columns =
            "a table of nodes, which is not there: expected NAME.nodes.csv beside the file, or "
            "--nodes";
        if (!nodes_.empty()) {
            NodeTable nodes = read_node_table(nodes_);
            check_nodes(nodes, record);
            record.names = std::move(nodes.names.names());
            columns = nodes.table.list();
            read_nodes(nodes.table, nodes.id, options_, false, record, answer);
        }
        ask(std::move(answer), options_, columns, record);
    }

    void read_header() {
        std::vector<std::string_view> words;
        for (std::string_view line; words.empty() && lines_->next(line);) words = words_of(line);
        const auto word = [&](std::size_t i) { return i < words.size() ? lower(words[i]) : std::string(); };
        if (word(1) != "matrix" || word(2) != "coordinate")
            fail_at(lines_->place(), "the header says \"{} {}\"; expected matrix coordinate", word(1),
                    word(2));
        if (!is_one_of(word(3), {"real", "integer", "pattern"}))
            fail_at(lines_->place(), "the header says \"{}\"; expected real, integer or pattern", word(3));
        if (!is_one_of(word(4), {"general", "symmetric"}))
            fail_at(lines_->place(), "the header says \"{}\"; expected general or symmetric", word(4));
        weighted_ = word(3) != "pattern";
        symmetric_ = word(4) == "symmetric";
    }

    // The next line that is neither blank nor a comment.
    bool next_line(std::string_view& line) {
        while (lines_->next(line)) {
            const std::size_t first = line.find_first_not_of(" \t");
            if (first != std::string_view::npos && line[first] != '%') return true;
        }
        return false;
    }

    void read_entries(Record& record) {
        std::string_view line;
        if (!next_line(line)) fail_at(lines_->place(), "the file ends; expected rows, columns and entries");
        const auto sizes = words_of(line);
        if (sizes.size() != 3)
            fail_at(lines_->place(), "{} numbers; expected three: rows, columns and entries", sizes.size());
        record.nodes =
            static_cast<int>(whole_number(sizes[0], 1, most_nodes, "the number of rows", lines_->place()));
        const long columns = whole_number(sizes[1], 1, most_nodes, "the number of columns", lines_->place());
        if (columns != record.nodes)
            fail_at(lines_->place(), "{} rows and {} columns; expected as many: a matrix between nodes",
                    record.nodes, columns);
        const long entries = whole_number(sizes[2], 0, 1L << 30, "the number of entries", lines_->place());
        for (long e = 0; e < entries; ++e) {
            if (!next_line(line))
                fail_at(lines_->place(), "the file ends after {} entries; expected {}", e, entries);
            read_entry(line, record);
        }
        if (next_line(line))
            fail_at(lines_->place(), "more than the {} entries that were announced", entries);
    }

    void read_entry(std::string_view line, Record& record) {
        const auto words = words_of(line);
        const std::size_t expected = weighted_ ? 3 : 2;
        if (words.size() != expected)
            fail_at(lines_->place(), "an entry of {} numbers; expected {}", words.size(), expected);
        const long row = whole_number(words[0], 1, record.nodes, "the row", lines_->place());
        const long column = whole_number(words[1], 1, record.nodes, "the column", lines_->place());
        record.edges.push_back({static_cast<int>(row - 1), "edge", static_cast<int>(column - 1)});
        if (!weighted_) return;
        const auto weight = static_cast<float>(number_in(words[2]).value_or(NAN));
        if (!std::isfinite(weight))
            fail_at(lines_->place(), "the entry is \"{}\"; expected a finite single-precision number",
                    words[2].substr(0, 60));
        record.edge_weights.push_back(weight);
    }

    // Rows of the table are those of the matrix: numbers for names must not say otherwise.
    void check_nodes(NodeTable& nodes, const Record& record) const {
        if (nodes.table.rows() != record.nodes)
            fail("{}: {} rows; expected one for each of the {} rows of {}", nodes_, nodes.table.rows(),
                 record.nodes, lines_->path());
        double before = -HUGE_VAL;
        for (int v = 0; v < record.nodes; ++v) {
            const auto number = number_in(nodes.names.names()[v]);
            if (!number) return;
            if (*number <= before)
                fail_at(nodes.table.place(v),
                        "node {} stands after {}; expected nodes in the order of the matrix", *number,
                        before);
            before = *number;
        }
    }

    std::unique_ptr<LineReader> lines_;
    std::string nodes_;
    ReadOptions options_;
    bool weighted_ = true, symmetric_ = false;
};

} // namespace

bool is_matrix_market(const Input& input) {
    return lower(input.line.substr(0, matrix_mark.size())) == matrix_mark;
}

std::unique_ptr<RecordReader> open_matrix_market(Input input, const ReadOptions& options) {
    return std::make_unique<MatrixMarket>(std::move(input), options);
}

} // namespace ggsnn
