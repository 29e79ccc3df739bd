#include "ggsnn/tasks/build.hpp"

#include "ggsnn/tasks/tokens.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

DatasetBuilder::DatasetBuilder(const Schema& schema, bool need_answers)
    : form_(schema.is_tokens() ? Form::tokens : Form::graphs), learning_(false), need_answers_(need_answers) {
    data_.schema = schema;
}

void DatasetBuilder::clear() {
    data_.graphs.clear();
    data_.examples.clear();
}

void DatasetBuilder::learn_form(const Record& record) {
    if (form_ == Form::natural) form_ = record.text.empty() ? Form::graphs : Form::tokens;
    const bool text = form_ == Form::tokens && !record.text.empty();
    if (any_ && text != data_.schema.text)
        fail_at(record.place, "{}; expected {} as before", text ? "a story in English" : "a graph",
                text ? "a graph" : "a story in English");
    data_.schema.text = text;
    if (text) data_.schema.entities.add(unknown_word);
}

void DatasetBuilder::check_form(const Record& record) const {
    if (form_ == Form::tokens && data_.schema.text == record.text.empty())
        fail_at(record.place, "this is {}; the model reads {}",
                record.text.empty() ? "no story in English" : "a story in English",
                record.text.empty() ? "stories in English" : "graphs as tokens");
}

void DatasetBuilder::learn_widths(const Record& record) {
    Schema& schema = data_.schema;
    if (form_ == Form::tokens && record.feature_width > 0)
        fail_at(record.place, "nodes have features; recurrent networks read names alone");
    if (any_ && record.feature_width != schema.features)
        fail_at(record.place, "nodes have {} features; expected {} as in the graphs before",
                record.feature_width, schema.features);
    schema.features = record.feature_width;
    if (form_ == Form::tokens &&
        (!record.edge_weights.empty() || record.edge_width > 0 || !record.tags.empty()))
        fail_at(record.place, "nodes have types, or edges weights or features; recurrent networks read names "
                              "alone");
    if (!record.edges.empty()) { // edges that are not there tell nothing
        if (any_edges_ && record.edge_width != schema.edge_features)
            fail_at(record.place, "edges have {} features; expected {} as in the graphs before",
                    record.edge_width, schema.edge_features);
        schema.edge_features = record.edge_width;
        any_edges_ = true;
    }
    for (const RawQuestion& q : record.questions)
        schema.arguments = std::max(schema.arguments, static_cast<int>(q.arguments.size()));
    any_ = true;
}

void DatasetBuilder::check_widths(const Record& record) {
    const Schema& schema = data_.schema;
    if (record.feature_width != schema.features)
        fail_at(record.place, "nodes have {} features; the model expects {}", record.feature_width,
                schema.features);
    if (!record.edges.empty() && record.edge_width != schema.edge_features)
        fail_at(record.place, "edges have {} features; the model expects {}", record.edge_width,
                schema.edge_features);
    for (const RawQuestion& q : record.questions)
        if (static_cast<int>(q.arguments.size()) > schema.arguments)
            fail_at(q.place, "the question has {} arguments; the model expects at most {}",
                    q.arguments.size(), schema.arguments);
}

// Tags of nodes as numbers. One that a model does not know is no feature of its: it is left out.
std::vector<std::pair<int, int>> DatasetBuilder::tags_of(const Record& record) {
    Schema& schema = data_.schema;
    std::vector<std::pair<int, int>> tags;
    for (const auto& [node, name] : record.tags) {
        const int tag = learning_ ? schema.tags.add(name) : schema.tags.find(name);
        if (tag >= 0) tags.emplace_back(node, tag);
    }
    std::sort(tags.begin(), tags.end());
    tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
    return tags;
}

// Edges with their types as numbers. A graph has few types: those that were met are looked at first.
std::vector<Edge> DatasetBuilder::edges_of(const Record& record) {
    constexpr std::size_t few = 16;
    Schema& schema = data_.schema;
    std::vector<Edge> edges;
    edges.reserve(record.edges.size());
    std::vector<std::pair<std::string_view, int>> met;
    for (const RawEdge& e : record.edges) {
        auto at =
            std::find_if(met.begin(), met.end(), [&](const auto& each) { return each.first == e.type; });
        if (at == met.end()) {
            const int type = learning_ ? schema.edge_types.add(e.type) : schema.edge_types.find(e.type);
            if (type < 0)
                fail_at(record.place, "unknown relation \"{}\"; the model knows {}", e.type,
                        schema.edge_types.list());
            if (met.size() == few) met.pop_back();
            at = met.insert(met.end(), {e.type, type});
        }
        edges.push_back({e.source, at->second, e.target});
    }
    return edges;
}

void DatasetBuilder::add(const Record& record, std::span<const RawQuestion> questions,
                         const std::vector<Part>& split) {
    Schema& schema = data_.schema;
    learning_ ? learn_form(record) : check_form(record);
    learning_ ? learn_widths(record) : check_widths(record);
    // Tokens say all of a story; its edges are for networks that read graphs.
    const std::vector<Edge> edges = schema.text ? std::vector<Edge>() : edges_of(record);
    const EdgeData carried{record.edge_weights, record.edge_features, record.edge_width};
    data_.graphs.push_back({Graph(record.nodes, edges, carried), record.features, record.names, record.sparse,
                            tags_of(record), record.id});
    const bool tokens = form_ == Form::tokens;
    for (int i = 0; i < record.nodes && tokens; ++i) {
        if (learning_ && is_entity(record, i)) schema.entities.add(entity_name(record, i));
        if (record.names.empty()) data_.graphs.back().names.push_back(entity_name(record, i));
    }
    const TokenNumbers numbers = learning_ ? TokenNumbers::growing() : TokenNumbers::of(schema);
    for (const RawQuestion& q : questions) {
        Example example;
        example.graph = static_cast<int>(data_.graphs.size()) - 1;
        example.question = learning_ ? schema.question_types.add(q.type) : schema.question_types.find(q.type);
        if (example.question < 0)
            fail_at(q.place, "unknown question type \"{}\"; the model knows {}", q.type,
                    schema.question_types.list());
        example.arguments = q.arguments;
        example.place = q.place;
        example.annotations = q.annotations;
        example.hints = q.hints;
        example.split = split;
        if (learning_ && data_.examples.empty()) schema.observed = q.observed;
        if (learning_ && q.observed != schema.observed)
            fail_at(q.place, "the question {} annotations; expected the same as in the questions before",
                    q.observed ? "has" : "has no");
        if (!q.answer.present && (learning_ || need_answers_)) fail_at(q.place, "the question has no answer");
        if (tokens) example.tokens = encode_tokens(schema, numbers, record, q);
        data_.examples.push_back(std::move(example));
        if (!q.answer.present) continue;
        const RawAnswer answer = tokens ? as_words(q.answer, record, q.place) : q.answer;
        if (learning_) {
            pending_.push_back({data_.examples.size() - 1, answer});
        } else if (need_answers_) {
            resolve(answer, data_.graphs.back(), data_.examples.back());
        } else {
            resolve_if_known(answer, data_.graphs.back(), data_.examples.back());
        }
    }
}

namespace {

int node_named(const GraphRecord& graph, const std::string& name) {
    const auto at = std::find(graph.names.begin(), graph.names.end(), name);
    return at == graph.names.end() ? -1 : static_cast<int>(at - graph.names.begin());
}

std::string kind_text(const RawAnswer& answer) {
    if (!answer.ambiguous) return name_of(answer.kind);
    return answer.words.size() == 1 ? fmt::format("the word \"{}\"", answer.words[0]) : "a sequence of words";
}

} // namespace

// Words of a story mean nodes if every word of every answer names a node of its own graph, classes
// otherwise; sequences if any answer has more than one.
AnswerKind DatasetBuilder::decide_kind() const {
    const RawAnswer& first = pending_.front().answer;
    bool sequences = false, nodes = true;
    for (const Pending& p : pending_) {
        const Example& example = data_.examples[p.example];
        if (p.answer.ambiguous != first.ambiguous || (!first.ambiguous && p.answer.kind != first.kind))
            fail_at(example.place, "the answer is of kind {}; expected {} as in the questions before",
                    kind_text(p.answer), kind_text(first));
        sequences = sequences || p.answer.words.size() > 1;
        for (const std::string& word : p.answer.words)
            nodes = nodes && node_named(data_.graphs[example.graph], word) >= 0;
    }
    if (!first.ambiguous) return first.kind;
    if (sequences) return nodes ? AnswerKind::node_sequence : AnswerKind::class_sequence;
    return nodes ? AnswerKind::node : AnswerKind::klass;
}

void DatasetBuilder::resolve(const RawAnswer& answer, const GraphRecord& graph, Example& example) {
    Schema& schema = data_.schema;
    const bool sequence = is_sequence(schema.answer);
    const AnswerKind kind = schema.answer;
    const bool fits = answer.ambiguous ? !is_regression(kind) && !is_each_node(kind) &&
                                             (sequence || answer.words.size() == 1)
                                       : answer.kind == kind;
    if (!fits)
        fail_at(example.place, "the answer is {}; expected the kind {}", kind_text(answer), name_of(kind));
    if (is_regression(kind)) {
        const int rows = is_each_node(kind) ? graph.graph.nodes() : 1;
        const int width = rows > 0 ? static_cast<int>(answer.values.size()) / rows : 0;
        if (learning_ && schema.values == 0) schema.values = width;
        if (width != schema.values || static_cast<int>(answer.values.size()) != rows * schema.values)
            fail_at(example.place, "the answer has {} numbers; expected {}", answer.values.size(),
                    rows * schema.values);
        example.values = answer.values;
        check_split(example);
        return;
    }
    if (has_classes(kind)) {
        for (std::size_t i = 0; i < answer.words.size(); ++i) {
            if (i < answer.missing.size() && answer.missing[i] != 0) {
                example.labels.push_back(-1);
                continue;
            }
            const int label =
                learning_ ? schema.classes.add(answer.words[i]) : schema.classes.find(answer.words[i]);
            if (label < 0)
                fail_at(example.place, "unknown answer \"{}\"; the model knows {}", answer.words[i],
                        schema.classes.list());
            example.labels.push_back(label);
        }
    } else {
        for (const std::string& word : answer.words) {
            const int node = node_named(graph, word);
            if (node < 0) fail_at(example.place, "the answer \"{}\" is not a node of its graph", word);
            example.labels.push_back(node);
        }
        for (int node : answer.nodes) example.labels.push_back(node);
    }
    if (is_each_node(kind) && static_cast<int>(example.labels.size()) != graph.graph.nodes())
        fail_at(example.place, "the answer has {} classes; expected one for each of the {} nodes",
                example.labels.size(), graph.graph.nodes());
    check_split(example);
}

// Parts of nodes are for answers of nodes.
void DatasetBuilder::check_split(const Example& example) const {
    if (example.split.size() > 1 && !is_each_node(data_.schema.answer))
        fail_at(example.place,
                "split has a part for each node; answers are of kind {}: expected one part for the graph",
                name_of(data_.schema.answer));
}

// Answers of recurrent networks are words; a node stands for its name.
RawAnswer DatasetBuilder::as_words(const RawAnswer& answer, const Record& record, const Place& place) const {
    if (is_regression(answer.kind) || is_each_node(answer.kind))
        fail_at(
            place,
            "the answer is of kind {}; recurrent networks answer with nodes, classes or sequences of them",
            name_of(answer.kind));
    RawAnswer words = answer;
    words.ambiguous = true;
    for (int node : answer.nodes) words.words.push_back(entity_name(record, node));
    words.nodes.clear();
    return words;
}

// Classes are the entities if all answers name nodes of their graphs (the label of node n6 is the sixth), and
// the words of the answers in order of first appearance otherwise, and for stories in English, most of whose
// words are no answers.
void DatasetBuilder::learn_classes() {
    Schema& schema = data_.schema;
    if (!has_classes(schema.answer) && !schema.text) schema.classes = schema.entities;
    schema.answer = is_sequence(schema.answer) ? AnswerKind::class_sequence : AnswerKind::klass;
    for (Example& example : data_.examples) renumber(schema, example.tokens);
}

// Where answers are not needed, one that the model does not know is as good as none.
void DatasetBuilder::resolve_if_known(const RawAnswer& answer, const GraphRecord& graph, Example& example) {
    try {
        resolve(answer, graph, example);
    } catch (const Error&) {
        example.labels.clear();
        example.values.clear();
    }
}

void DatasetBuilder::finish() {
    if (!learning_ || pending_.empty()) return;
    data_.schema.answer = decide_kind();
    if (form_ == Form::tokens) learn_classes();
    for (const Pending& p : pending_) {
        Example& example = data_.examples[p.example];
        resolve(p.answer, data_.graphs[example.graph], example);
    }
    if (has_classes(data_.schema.answer) && data_.schema.classes.size() == 0)
        fail_at(data_.examples.front().place,
                "no class anywhere: every label is missing; expected at least one");
    pending_.clear();
    if (data_.schema.observed) check_observed();
}

// Observed annotations: one matrix after each output, as wide as features, types and arguments together.
void DatasetBuilder::check_observed() const {
    const Schema& schema = data_.schema;
    if (!is_sequence(schema.answer))
        fail_at(data_.examples.front().place, "annotations belong to sequences; the answers are of kind {}",
                name_of(schema.answer));
    for (const Example& e : data_.examples) {
        const std::size_t nodes = data_.graphs[e.graph].graph.nodes(),
                          width = schema.inputs() + schema.arguments;
        if (e.annotations.size() != e.labels.size() * nodes * width)
            fail_at(e.place,
                    "annotations hold {} numbers; expected {}: a matrix of {} x {} for each of {} outputs",
                    e.annotations.size(), e.labels.size() * nodes * width, nodes, width, e.labels.size());
    }
}

Dataset slice(const Dataset& data, std::size_t first, std::size_t count) {
    Dataset part;
    part.schema = data.schema;
    const std::size_t last = std::min(data.graphs.size(), first + count);
    for (std::size_t g = first; g < last; ++g) part.graphs.push_back(data.graphs[g]);
    for (const Example& e : data.examples) {
        if (static_cast<std::size_t>(e.graph) < first || static_cast<std::size_t>(e.graph) >= last) continue;
        part.examples.push_back(e);
        part.examples.back().graph -= static_cast<int>(first);
    }
    return part;
}

} // namespace ggsnn
