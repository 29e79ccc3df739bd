// A data set in memory: graphs, and questions about them with their answers, all as numbers. Names live in
// vocabularies. Readers (src/tasks) fill it; the trainer and the predictor turn examples into chunks.
#pragma once

#include "ggsnn/base/error.hpp"
#include "ggsnn/nn/answer.hpp"
#include "ggsnn/nn/graph.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ggsnn {

// Names with consecutive ids, in order of first appearance.
class Vocabulary {
  public:
    Vocabulary() = default;
    explicit Vocabulary(const std::vector<std::string>& names) {
        for (const auto& name : names) add(name);
    }
    int add(const std::string& name);
    int find(const std::string& name) const; // -1 if unknown
    const std::string& name(int id) const { return names_[id]; }
    const std::vector<std::string>& names() const { return names_; }
    int size() const { return static_cast<int>(names_.size()); }
    // "a, b, c", shortened: for messages about what was expected.
    std::string list() const;

  private:
    std::vector<std::string> names_;
    std::map<std::string, int> ids_;
};

// Rows of which most numbers are zero: those of row v stand from starts[v] to starts[v + 1], each with its
// column; columns of a row increase.
struct SparseRows {
    std::vector<int> starts = {0};
    std::vector<int> columns;
    std::vector<float> values;

    int rows() const { return static_cast<int>(starts.size()) - 1; }
    void add(int column, float value) {
        columns.push_back(column);
        values.push_back(value);
    }
    void end_row() { starts.push_back(static_cast<int>(columns.size())); }
};

// A graph as networks see it that look further than its edges (with_reach).
struct ReachedGraph {
    int first_type = 0, reach = 0;
    Graph graph;
};

struct NearFirst;

struct GraphRecord {
    Graph graph;
    std::vector<float> features;                   // nodes x feature width; empty where they are sparse
    std::vector<std::string> names;                // of the nodes; empty where nodes are numbered
    std::shared_ptr<const SparseRows> sparse = {}; // features of which most are zero, instead
    std::vector<std::pair<int, int>> tags = {};    // (node, one of the schema's tags), in increasing order
    std::string id = {};                           // as the user calls the graph: JSON, or empty
    mutable std::shared_ptr<const ReachedGraph> reached = {};        // made by reached_graph()
    mutable std::vector<std::shared_ptr<const NearFirst>> near = {}; // made by near_first()
};

// Made at the first call, and kept with the record for the next; from any thread.
std::shared_ptr<const ReachedGraph> reached_graph(const GraphRecord& record, int first_type, int reach);

// Which part of the data a node or a graph belongs to.
enum class Part : char { none, train, valid, test };

// What a solver of a question does step by step, for networks that learn its steps (nn/stepper). After each
// step: bits of all nodes; for each node the one it points to, itself or a neighbour; and one node that the
// step chose, or -1.
struct Hints {
    int steps = 0, width = 0;
    std::vector<char> bits;    // steps x nodes x width
    std::vector<int> pointers; // steps x nodes; empty: none are given
    std::vector<int> chosen;   // by step; empty: none are given

    bool operator==(const Hints&) const = default;
};

struct Example {
    int graph = 0;
    int question = 0;                       // question type
    std::vector<int> arguments;             // nodes; the i-th sets bit i of its node's annotation
    std::vector<std::pair<int, int>> marks; // (node, argument bit): further bits that are on
    std::vector<int> labels;   // node, class, a sequence of them, or a class per node (-1: missing)
    std::vector<float> values; // per graph or per node; NaN: missing
    // Observed sequences: a matrix for each label, nodes x (inputs() + arguments): the annotations of the
    // step after that output.
    std::vector<float> annotations;
    std::vector<int> tokens; // recurrent networks: facts and question, ending in `ans` (tasks/tokens.hpp)
    Place place;
    // Whom the answers are for: one part for all of them, or one for each node; empty: not said.
    std::vector<Part> split = {};
    std::shared_ptr<const Hints> hints = {}; // of training data; null: none
};

// The example with the answers for one part alone; nothing if it has none. Without a split, as it is.
// REQUIRES answers of every node where nodes have parts.
std::optional<Example> part_of(const Example& example, Part part);

// How the numbers of a data set become those that networks see. Training finds them, and a model carries
// them: features and answers are always given and told in the user's own units.
struct Scales {
    std::vector<double> feature; // node features are multiplied by these; empty: by 1
    std::vector<double> value_mean,
        value; // regression: answer = output * value + value_mean; empty: as it is

    float scaled(float number, std::size_t column) const {
        return feature.empty() ? number : static_cast<float>(number * feature[column]);
    }
    // Number i of an answer, which may have several rows.
    float standardised(float answer, std::size_t i) const {
        if (value.empty()) return answer;
        const std::size_t j = i % value.size();
        return static_cast<float>((answer - value_mean[j]) / value[j]);
    }
    double unscaled(double output, std::size_t column) const {
        return value.empty() ? output : output * value[column] + value_mean[column];
    }
};

// What the numbers of a data set mean. A model carries the schema it was trained with, and data it is used
// on is read against it.
struct Schema {
    AnswerKind answer = AnswerKind::node;
    Vocabulary edge_types, question_types, classes;
    Vocabulary tags; // names that nodes may bear (types, categories): each is a feature, 0 or 1
    Vocabulary
        entities;     // data for recurrent networks: names of nodes, which have a token each; otherwise empty
    int features = 0; // width of node features
    int edge_features = 0; // numbers of an edge
    int arguments = 0;     // most arguments of a question
    int values = 0;        // regression: numbers per answer
    bool text = false;     // stories in English: entities are words, the first of them all that are not known
    bool observed = false; // sequences: annotations between steps are given in training
    Scales scales;         // of a model: found in training

    // What is known of a node: features and tags.
    int inputs() const { return features + tags.size(); }
    // Annotation bits a network needs: inputs, or what an input layer makes of them; a bit per argument; and
    // for sequences of nodes a flag that marks the extra node that stands for 'end'.
    int annotation(int embedding = 0) const;
    int outputs() const; // of a network for one answer, as its head says
    int labels() const;  // what an answer is one of: classes, and 'end' for sequences; 0: nodes or numbers
    bool is_tokens() const { return entities.size() > 0; }
    // Distinct tokens: eol, ans, then entities, edge types and question types.
    int tokens() const { return 2 + entities.size() + edge_types.size() + question_types.size(); }
};

struct Dataset {
    Schema schema;
    std::vector<GraphRecord> graphs;
    std::vector<Example> examples;
};

// Scales for training: features to at most 1 in size, values to mean 0 and deviation 1. Throws Error where a
// value is missing in every answer.
Scales find_scales(const Dataset& train);

} // namespace ggsnn
