// The formats of input, in one table: what each looks like, how it is told from the others, and its reader. A
// new format is a file of this folder and a row of the table in formats.cpp.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/tasks/record.hpp"

#include <string_view>

namespace ggsnn {

// An input that was opened, with what was seen of it.
struct Input {
    std::string path;                  // as it was given; "-" is standard input
    std::unique_ptr<LineReader> lines; // of which nothing was taken; null for a folder
    std::string line;                  // the beginning of the first line that is not blank
    std::string bytes;                 // the beginning of XML, and of what is no text
    Json document;                     // JSON: the first line, or all of the file; null: something else
    bool whole = false;                // document is all of the file, and lines are at their end

    bool is_folder() const { return lines == nullptr; }
    std::string name() const { return lines == nullptr ? path : lines->path(); } // for messages
};

struct Format {
    const char* name;  // as messages and RecordReader::format() call it
    const char* looks; // what it looks like
    bool (*recognise)(const Input& input);
    std::unique_ptr<RecordReader> (*open)(Input input, const ReadOptions& options);
    bool has_node_table, has_labels; // whether --nodes and --label have a meaning
    bool one_file = true;            // it opens no further file but a table of nodes that is there or named
};

const std::vector<Format>& formats();

// What an input is that is of no format of the table: "a PDF", "CSV with the columns a, b".
std::string describe_stranger(const Input& input);

// One reader a file.
bool is_edge_list(const Input& input);
std::unique_ptr<RecordReader> open_edge_list(Input input, const ReadOptions& options);
bool is_graphml(const Input& input);
std::unique_ptr<RecordReader> open_graphml(Input input, const ReadOptions& options);
bool is_node_link(const Input& input);
std::unique_ptr<RecordReader> open_node_link(Input input, const ReadOptions& options);
bool is_tu(const Input& input);
std::unique_ptr<RecordReader> open_tu(Input input, const ReadOptions& options);
bool is_matrix_market(const Input& input);
std::unique_ptr<RecordReader> open_matrix_market(Input input, const ReadOptions& options);
bool is_compact(const Input& input);
std::unique_ptr<RecordReader> open_compact(Input input, const ReadOptions& options);

// Readers of files that hold one graph.
class SingleGraph : public RecordReader {
  public:
    bool next(Record& record) final {
        if (done_) return false;
        done_ = true;
        record = {};
        read(record);
        return true;
    }

  private:
    virtual void read(Record& record) = 0;
    bool done_ = false;
};

} // namespace ggsnn
