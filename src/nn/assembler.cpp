#include "ggsnn/nn/assembler.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

template <class T>
int Assembler<T>::rows(const Dataset& data, const Example& example) const {
    return data.graphs[example.graph].graph.nodes() + (schema_->answer == AnswerKind::node_sequence ? 1 : 0);
}

template <class T>
double Assembler<T>::target_weight(const Example& example, const Loading& how) const {
    if (head_->traits.numbers)
        return static_cast<double>(std::count_if(example.values.begin(), example.values.end(),
                                                 [](float v) { return !std::isnan(v); }));
    const bool sequence = is_sequence(schema_->answer);
    double sum = 0;
    for (int label : example.labels)
        if (label >= 0) sum += how.class_weights != nullptr ? (*how.class_weights)[label] : 1;
    if (sequence) sum += how.class_weights != nullptr ? how.class_weights->back() : 1; // 'end'
    return sum;
}

template <class T>
void Assembler<T>::begin(Chunk<T>& chunk, const Loading& how) const {
    chunk.reset(schema_->edge_types.size() + reading_.added_types(), reading_.annotation,
                schema_->edge_features);
    chunk.targets.smoothing = static_cast<T>(how.smoothing);
    if (how.class_weights != nullptr)
        chunk.targets.class_weights.assign(how.class_weights->begin(), how.class_weights->end());
    chunk.targets.absolute = how.absolute;
    chunk.state_dropout = how.noise.states;
    if (reading_.embedding > 0) {
        chunk.inputs.width = schema_->inputs();
        chunk.inputs.dense_width = -1; // not known yet
    }
}

namespace {

enum Dropped : std::uint64_t { dropped_features = 1, dropped_edges = 2, dropped_states = 3 };

} // namespace

template <class T>
void Assembler<T>::set_annotations(Chunk<T>& chunk, const GraphRecord& record, int first, double dropout,
                                   std::uint64_t key) const {
    const FeatureDrop left(dropout, key);
    const int features = schema_->features, nodes = record.graph.nodes();
    const auto set = [&](int v, int j, float number) {
        chunk.annotation_row(first + chunk.row_of(v))[j] = static_cast<T>(left(number, v, j));
    };
    for (int v = 0; v < nodes && !record.features.empty(); ++v)
        for (int j = 0; j < features; ++j)
            set(v, j,
                schema_->scales.scaled(record.features[static_cast<std::size_t>(v) * features + j],
                                       static_cast<std::size_t>(j)));
    for (int v = 0; record.sparse != nullptr && v < nodes; ++v)
        for (int e = record.sparse->starts[v]; e < record.sparse->starts[v + 1]; ++e) {
            const int j = record.sparse->columns[e];
            set(v, j, schema_->scales.scaled(record.sparse->values[e], static_cast<std::size_t>(j)));
        }
    for (const auto& [v, tag] : record.tags) set(v, features + tag, 1);
}

// The first graph of a chunk decides whether features are kept dense; tags are sparse.
template <class T>
void Assembler<T>::set_inputs(Chunk<T>& chunk, const GraphRecord& record, double dropout,
                              std::uint64_t key) const {
    const FeatureDrop left(dropout, key);
    Inputs<T>& in = chunk.inputs;
    const int features = schema_->features;
    if (in.dense_width < 0) in.dense_width = record.features.empty() ? 0 : features;
    const int wide = in.dense_width;
    const int rows = chunk.near ? chunk.counting() : record.graph.nodes(); // the others are never looked at
    for (int i = 0; i < rows; ++i) {
        const int v = chunk.node_of(i);
        const std::size_t row = in.dense.size();
        in.dense.resize(row + wide, T(0));
        const auto add = [&](int column, float number) {
            if (column < wide) {
                in.dense[row + column] = static_cast<T>(number);
            } else if (number != 0) {
                in.columns.push_back(column);
                in.values.push_back(number);
            }
        };
        const auto feature = [&](int j, float number) {
            add(j, left(schema_->scales.scaled(number, static_cast<std::size_t>(j)), v, j));
        };
        for (int j = 0; j < features && !record.features.empty(); ++j)
            feature(j, record.features[static_cast<std::size_t>(v) * features + j]);
        for (int e = record.sparse ? record.sparse->starts[v] : 0;
             record.sparse && e < record.sparse->starts[v + 1]; ++e)
            feature(record.sparse->columns[e], record.sparse->values[e]);
        for (auto tag = std::lower_bound(record.tags.begin(), record.tags.end(), std::pair(v, 0));
             tag != record.tags.end() && tag->first == v; ++tag)
            add(features + tag->second, left(1, v, features + tag->second));
        in.starts.push_back(static_cast<int>(in.columns.size()));
    }
    if (schema_->answer == AnswerKind::node_sequence) { // the 'end' node has nothing
        in.dense.resize(in.dense.size() + wide, T(0));
        in.starts.push_back(static_cast<int>(in.columns.size()));
    }
}

template <class T>
void Assembler<T>::append(Chunk<T>& chunk, const Dataset& data, const Example& example, const Loading& how,
                          std::uint64_t place, std::shared_ptr<const NearFirst> near) const {
    const GraphRecord& record = data.graphs[example.graph];
    const bool end_node = schema_->answer == AnswerKind::node_sequence;
    const std::uint64_t key = mixed(how.noise.key, place);
    const int nodes = record.graph.nodes();
    std::shared_ptr<const ReachedGraph> far;
    if (reading_.added_types() > 0) {
        if (nodes > most_reaching)
            fail_at(example.place, "the graph has {} nodes; a network with reach is for graphs of at most {}",
                    nodes, most_reaching);
        far = reached_graph(record, schema_->edge_types.size(), reading_.reach);
    }
    GGSNN_ASSERT(!near || (!far && !end_node && chunk.nodes == 0));
    const int first =
        chunk.append(near  ? near->graph
                     : far ? far->graph
                           : record.graph,
                     end_node ? 1 : 0, {reading_.mean, how.noise.edges, mixed(key, dropped_edges)});
    chunk.near = std::move(near);
    if (how.noise.states > 0) chunk.keys.push_back(mixed(key, dropped_states));
    const std::uint64_t feature_key = mixed(key, dropped_features);
    if (reading_.embedding > 0) {
        set_inputs(chunk, record, how.noise.features, feature_key);
    } else {
        set_annotations(chunk, record, first, how.noise.features, feature_key);
    }
    const int asked = reading_.embedding > 0 ? reading_.embedding : schema_->inputs();
    for (std::size_t i = 0; i < example.arguments.size(); ++i)
        chunk.annotation_row(first + chunk.row_of(example.arguments[i]))[asked + i] = 1;
    for (const auto& [node, bit] : example.marks)
        chunk.annotation_row(first + chunk.row_of(node))[asked + bit] = 1;
    // 'End' is an isolated node of its own, flagged in the last bit.
    if (end_node) chunk.annotation_row(first + nodes)[reading_.annotation - 1] = 1;
    if (!how.targets || is_sequence(schema_->answer)) return;
    head_->add_targets(*schema_, example, first, chunk.targets);
    if (!chunk.near) return;
    chunk.near->arrange(chunk.targets.labels);
    chunk.near->arrange(chunk.targets.values);
}

template <class T>
void Assembler<T>::finish(Chunk<T>& chunk, const Dataset& data,
                          const std::vector<const Example*>& examples) const {
    if (!is_sequence(schema_->answer)) return;
    const bool nodes = schema_->answer == AnswerKind::node_sequence;
    int steps = 1;
    for (const Example* e : examples) steps = std::max(steps, static_cast<int>(e->labels.size()) + 1);
    chunk.targets.steps = steps;
    chunk.targets.labels.assign(examples.size() * static_cast<std::size_t>(steps), -1);
    for (std::size_t g = 0; g < examples.size(); ++g) {
        int* labels = chunk.targets.labels.data() + g * static_cast<std::size_t>(steps);
        const int first = nodes ? chunk.graph_start[g] : 0,
                  count = static_cast<int>(examples[g]->labels.size());
        for (int k = 0; k < count; ++k) labels[k] = first + examples[g]->labels[k];
        // The 'end' class is the last output, the 'end' node the last of its graph.
        labels[count] =
            nodes ? first + data.graphs[examples[g]->graph].graph.nodes() : schema_->outputs() - 1;
    }
    if (schema_->observed) set_observed(chunk, data, examples);
}

// X^2, X^3, ... as given; past the end of a sequence they are never looked at. The 'end' node keeps its flag.
template <class T>
void Assembler<T>::set_observed(Chunk<T>& chunk, const Dataset& data,
                                const std::vector<const Example*>& examples) const {
    const std::size_t width = padded(reading_.annotation), given = schema_->inputs() + schema_->arguments;
    const std::size_t matrix = chunk.nodes * width;
    chunk.targets.annotations.assign((chunk.targets.steps - 1) * matrix, T(0));
    for (std::size_t g = 0; g < examples.size(); ++g) {
        const Example& e = *examples[g];
        const std::size_t nodes = data.graphs[e.graph].graph.nodes(), first = chunk.graph_start[g];
        for (std::size_t k = 0; k < e.labels.size(); ++k) {
            T* rows = chunk.targets.annotations.data() + k * matrix + first * width;
            for (std::size_t v = 0; v < nodes; ++v)
                for (std::size_t j = 0; j < given; ++j)
                    rows[v * width + j] = static_cast<T>(e.annotations[(k * nodes + v) * given + j]);
            if (schema_->answer == AnswerKind::node_sequence)
                rows[nodes * width + reading_.annotation - 1] = 1;
        }
    }
}

template class Assembler<float>;
template class Assembler<double>;

} // namespace ggsnn
