// What all input formats have in common: a graph with named or numbered nodes, and questions about it.
// Each format's reader turns its text into records, one at a time; DatasetBuilder (build.hpp) turns records
// into numbers. Formats are told apart by their content: formats/formats.hpp has the table of them, and each
// has a file there.
#pragma once

#include "ggsnn/base/files.hpp"
#include "ggsnn/nn/dataset.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ggsnn {

// An answer before it is known what the whole file's answers are. Stories give words: a node, a class, or a
// sequence of either, decided over the file. The JSON formats say which.
struct RawAnswer {
    bool present = false;
    bool ambiguous = false; // words of a story
    AnswerKind kind = AnswerKind::node;
    std::vector<std::string> words; // stories; classes (empty string with `missing`: no label)
    std::vector<char> missing;      // node_classes: 1 where the label is null
    std::vector<int> nodes;
    std::vector<float> values; // NaN: missing
};

struct RawQuestion {
    std::string type;
    std::vector<int> arguments;
    RawAnswer answer;
    std::vector<float> annotations; // observed sequences; see Example
    bool observed = false;
    Place place;
    std::shared_ptr<const Hints> hints = {};
};

struct RawEdge {
    int source;
    std::string type;
    int target;
};

struct Record {
    int nodes = 0;
    std::vector<std::string> names; // empty: nodes are numbered
    std::vector<RawEdge> edges;
    std::vector<float> edge_weights; // one an edge; empty: all 1
    int edge_width = 0;
    std::vector<float> edge_features; // edges x edge_width
    int feature_width = 0;
    std::vector<float> features;                   // nodes x feature_width; empty where they are sparse
    std::shared_ptr<const SparseRows> sparse;      // a row for each node, instead
    std::vector<std::pair<int, std::string>> tags; // (node, name): types and categories, in any order
    std::vector<Part> split; // of all answers: one part for the graph, or one for each node; empty: not said
    // Stories in English: the words (nodes) of each sentence, the question last. Empty: something else.
    std::vector<std::vector<int>> text;
    std::string id; // as the user calls the graph: JSON, or empty
    std::vector<RawQuestion> questions;
    Place place;
    bool more = false; // the story may go on with questions: a record of the same place follows

    int find(const std::string& name) const; // node of that name, or -1
};

struct ReadOptions {
    bool need_answers = true;
    std::vector<int> targets;       // molecules: which targets; empty: all
    std::string nodes = {};         // edge lists: the table of nodes; empty: beside the edges, if it is there
    std::string label = {};         // the column of answers, as the user calls it; empty: the usual names
    std::string trained_label = {}; // the same as a model has it, where the user does not say
    bool alone = false;             // formats that would open further files are an error
    // Pipes and terminals: what to do before waiting for the writer. Each question of a story is then a
    // record of its own, with all that the story told before it; its place is that of the story.
    std::function<void()> before_wait = {};
};

class RecordReader {
  public:
    virtual ~RecordReader() = default;
    // Replaces record by the next one; false at the end. Throws Error with file and line; the next call then
    // goes on behind that line, and record has the bad one's id if that was found.
    virtual bool next(Record& record) = 0;
    virtual const char* format() const = 0;
    virtual Place place() const { return {}; } // of the line last read, where lines are read
};

// Looks at the beginning to tell the format; "-" is standard input, and pipes work: the file is read once.
// Some formats are folders. Throws Error if the file cannot be opened, is empty, or of no format that is
// known, and UsageError if options are given that have no meaning for its format.
std::unique_ptr<RecordReader> open_records(const std::string& path, const ReadOptions& options);

// "train", "valid" or "test". Throws Error, with the place, on another name.
Part part_named(const std::string& name, const Place& place);
const char* part_name(Part part);

// Whether a folder holds graphs.
bool is_graph_folder(const std::string& path);

// Throws UsageError if targets were asked for and the file holds no molecules: only those have any to choose.
void check_targets(const std::string& path, const RecordReader& reader, const std::vector<int>& targets);

// The readers of single formats, handed a file that was opened and not read yet.
std::unique_ptr<RecordReader> open_english(std::unique_ptr<LineReader> lines, const ReadOptions& options);
std::unique_ptr<RecordReader> open_stories(std::unique_ptr<LineReader> lines, const ReadOptions& options);
std::unique_ptr<RecordReader> open_graphs(std::unique_ptr<LineReader> lines, const ReadOptions& options);
std::unique_ptr<RecordReader> open_molecules(std::unique_ptr<LineReader> lines, const ReadOptions& options);

} // namespace ggsnn
