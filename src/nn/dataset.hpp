// A data set in memory: graphs, and questions about them with their answers, all as numbers. Names live in
// vocabularies. Readers (src/tasks) fill it; the trainer and the predictor turn examples into chunks.
#pragma once

#include "ggsnn/base/error.hpp"
#include "ggsnn/nn/graph.hpp"
#include "ggsnn/nn/ggnn/network.hpp"

#include <map>
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

// What kind of answers a data set has.
enum class AnswerKind { node, klass, values, node_classes, node_values, node_sequence, class_sequence };

const char* name_of(AnswerKind kind); // as in the JSON-lines format and in messages
AnswerKind answer_kind_named(const std::string& name);
constexpr bool is_sequence(AnswerKind kind) {
    return kind == AnswerKind::node_sequence || kind == AnswerKind::class_sequence;
}
constexpr bool is_regression(AnswerKind kind) {
    return kind == AnswerKind::values || kind == AnswerKind::node_values;
}
constexpr bool has_classes(AnswerKind kind) {
    return kind == AnswerKind::klass || kind == AnswerKind::node_classes ||
           kind == AnswerKind::class_sequence;
}
Answer answer_of(AnswerKind kind);

struct GraphRecord {
    Graph graph;
    std::vector<float> features;    // nodes x feature width
    std::vector<std::string> names; // of the nodes; empty where nodes are numbered
};

struct Example {
    int graph = 0;
    int question = 0;                       // question type
    std::vector<int> arguments;             // nodes; the i-th sets bit i of its node's annotation
    std::vector<std::pair<int, int>> marks; // (node, argument bit): further bits that are on
    std::vector<int> labels;   // node, class, a sequence of them, or a class per node (-1: missing)
    std::vector<float> values; // per graph or per node; NaN: missing
    // Observed sequences: a matrix for each label, nodes x (features + arguments): the annotations of the
    // step after that output.
    std::vector<float> annotations;
    std::vector<int> tokens; // recurrent networks: facts and question, ending in `ans` (tasks/tokens.hpp)
    Place place;
};

// What the numbers of a data set mean. A model carries the schema it was trained with, and data it is used
// on is read against it.
struct Schema {
    AnswerKind answer = AnswerKind::node;
    Vocabulary edge_types, question_types, classes;
    Vocabulary
        entities;     // data for recurrent networks: names of nodes, which have a token each; otherwise empty
    int features = 0; // width of node features
    int arguments = 0;     // most arguments of a question
    int values = 0;        // regression: numbers per answer
    bool observed = false; // sequences: annotations between steps are given in training

    // Annotation bits a network needs: features, a bit per argument, and for sequences of nodes a flag that
    // marks the extra node that stands for 'end'.
    int annotation() const;
    int outputs() const; // of a network: 1, classes (plus 'end' for sequences), or values
    bool is_tokens() const { return entities.size() > 0; }
    // Distinct tokens: eol, ans, then entities, edge types and question types.
    int tokens() const { return 2 + entities.size() + edge_types.size() + question_types.size(); }
};

struct Dataset {
    Schema schema;
    std::vector<GraphRecord> graphs;
    std::vector<Example> examples;
};

// Puts examples into a chunk, for a network with this shape. With targets false only annotations are set
// (answers may be absent). Large graphs are not copied (Chunk::append): data must outlive the chunk's use.
template <class T>
class Assembler {
  public:
    Assembler(const Schema& schema, const NetworkShape& shape) : schema_(&schema), shape_(shape) {}

    void begin(Chunk<T>& chunk) const { chunk.reset(shape_.edge_types, shape_.annotation); }
    void append(Chunk<T>& chunk, const Dataset& data, const Example& example, bool targets) const;
    // Sets labels of sequences, which need the chunk's longest; call once after the last append.
    void finish(Chunk<T>& chunk, const Dataset& data, const std::vector<const Example*>& examples) const;
    // Weighted targets in an example: what the loss of a minibatch is divided by.
    long target_count(const Example& example) const;
    // Rows the example takes in a chunk.
    int rows(const Dataset& data, const Example& example) const;

  private:
    void set_observed(Chunk<T>& chunk, const Dataset& data,
                      const std::vector<const Example*>& examples) const;

    const Schema* schema_;
    NetworkShape shape_;
};

} // namespace ggsnn
