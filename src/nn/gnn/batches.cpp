#include "ggsnn/nn/gnn/batches.hpp"

#include "ggsnn/nn/ggnn/passes.hpp"

#include <map>
#include <set>

namespace ggsnn {

namespace {

// More distinct annotation vectors than this are measurements, not labels.
constexpr int most_labels = 1024;

const Loading no_targets{.targets = false};

using TripleDegrees = std::map<std::tuple<int, int, int>, int>;

std::set<std::vector<float>> distinct_annotations(const Dataset& train, const Assembler<float>& assembler,
                                                  int width) {
    std::set<std::vector<float>> distinct;
    Chunk<float> chunk;
    for (const Example& e : train.examples) {
        assembler.begin(chunk, no_targets);
        assembler.append(chunk, train, e, no_targets, 0);
        for (int v = 0; v < chunk.nodes; ++v)
            distinct.emplace(chunk.annotation_row(v), chunk.annotation_row(v) + width);
        if (static_cast<int>(distinct.size()) > most_labels)
            fail_at(e.place,
                    "more than {} different combinations of node features and question arguments up to here; "
                    "the original "
                    "graph neural network has parameters for each and needs features that are labels, not "
                    "measurements",
                    most_labels);
    }
    return distinct;
}

// Notes the triples of one graph; a triple's degree is the most messages that any of its sources sends.
void note_triples(const Graph& graph, const std::vector<int>& labels, int edge_types, int super,
                  TripleDegrees& triples) {
    std::vector<int> degree(labels.size(), super >= 0 ? 1 : 0);
    const auto for_messages = [&](auto body) {
        for (int s = 0; s < graph.slots(); ++s)
            for (int i = graph.slot_begin(s); i < graph.slot_end(s); ++i)
                for (int u : graph.neighbours(i)) body(graph.row(i), s, u);
    };
    const auto note = [&](int receiver, int slot, int source, int sent) {
        int& most = triples[{receiver, slot, source}];
        most = std::max(most, sent);
    };
    for_messages([&](int, int, int u) { ++degree[u]; });
    for_messages([&](int v, int s, int u) { note(labels[v], s, labels[u], degree[u]); });
    for (std::size_t v = 0; v < labels.size() && super >= 0; ++v) {
        note(super, 2 * edge_types + incoming, labels[v], degree[v]);
        note(labels[v], 2 * edge_types + outgoing, super, static_cast<int>(labels.size()));
    }
}

} // namespace

LabelTable find_labels(const Dataset& train, const Schema& schema) {
    LabelTable table;
    table.width = schema.annotation();
    const bool super_node = !head_of(schema.answer).traits.node_rows;
    const Assembler<float> assembler(schema, Reading{.annotation = table.width});
    for (const auto& label : distinct_annotations(train, assembler, table.width))
        table.values.insert(table.values.end(), label.begin(), label.end());
    TripleDegrees triples;
    Chunk<float> chunk;
    std::vector<int> labels;
    for (const Example& e : train.examples) {
        assembler.begin(chunk, no_targets);
        assembler.append(chunk, train, e, no_targets, 0);
        labels.clear();
        for (int v = 0; v < chunk.nodes; ++v) labels.push_back(table.find(chunk.annotation_row(v)));
        note_triples(train.graphs[e.graph].graph, labels, schema.edge_types.size(),
                     super_node ? table.super() : -1, triples);
    }
    for (const auto& [key, sent] : triples)
        table.triples.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), sent});
    return table;
}

template <class T>
void GnnBatches<T>::load(const Dataset& data, const std::vector<const Example*>& examples,
                         const Loading& how) {
    const int limit = chunk_rows(shape_.state);
    used_ = 0;
    double weight = 0;
    for (const Example* example : examples) {
        const int rows = assembler_.rows(data, *example);
        if (used_ == 0 || batches_[used_ - 1]->chunk.nodes + rows > limit) begin(how);
        append(*batches_[used_ - 1], data, *example, how);
        if (how.targets) weight += assembler_.target_weight(*example, how);
    }
    for (int b = 0; b < used_; ++b) {
        GnnBatch<T>& batch = *batches_[b];
        batch.messages.build(batch.chunk, batch.labels, shape_.labels, shape_.edge_types, super_node());
        if (how.targets) batch.chunk.scale = T(1) / static_cast<T>(weight > 0 ? weight : 1);
    }
}

template <class T>
void GnnBatches<T>::begin(const Loading& how) {
    if (used_ == static_cast<int>(batches_.size())) batches_.push_back(std::make_unique<GnnBatch<T>>());
    assembler_.begin(batches_[used_]->chunk, how);
    batches_[used_]->labels.clear();
    ++used_;
}

template <class T>
void GnnBatches<T>::append(GnnBatch<T>& batch, const Dataset& data, const Example& example,
                           const Loading& how) {
    Chunk<T>& chunk = batch.chunk;
    const int first = chunk.nodes;
    assembler_.append(chunk, data, example, how, 0);
    for (int v = first; v < chunk.nodes; ++v) {
        const int label = shape_.labels.find(chunk.annotation_row(v));
        if (label < 0)
            fail_at(example.place,
                    "node {} has features and question arguments as no node of the training data; the "
                    "original graph "
                    "neural network has parameters only for the {} combinations it was trained on",
                    v - first, shape_.labels.count());
        batch.labels.push_back(label);
    }
    if (!super_node()) return;
    ++chunk.nodes;
    chunk.graph_start.back() = chunk.nodes;
    chunk.x.resize(static_cast<std::size_t>(chunk.nodes) * padded(chunk.annotation), T(0));
    batch.labels.push_back(shape_.labels.super());
}

template class GnnBatches<float>;
template class GnnBatches<double>;

} // namespace ggsnn
