// Random graphs, chunks and targets for the tests of this room.
#pragma once

#include "ggsnn/base/error.hpp"
#include "ggsnn/base/random.hpp"
#include "ggsnn/nn/ggnn/passes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ggsnn::test {

// Parallel edges, self loops, isolated nodes and unused types all occur.
inline std::vector<Edge> random_edges(Random& random, int nodes, int edge_types, int count) {
    std::vector<Edge> edges;
    for (int i = 0; i < count && nodes > 0 && edge_types > 0; ++i)
        edges.push_back({static_cast<int>(random.below(nodes)), static_cast<int>(random.below(edge_types)),
                         static_cast<int>(random.below(nodes))});
    if (!edges.empty() && random.chance(0.5)) edges.push_back(edges.front());
    return edges;
}

// The first half of the columns dense, the rest sparse.
template <class T>
void random_inputs(Random& random, const GatedShape& shape, Chunk<T>& chunk) {
    Inputs<T>& in = chunk.inputs;
    in.width = shape.inputs;
    in.dense_width = shape.inputs / 2;
    for (int i = 0; i < chunk.nodes * in.dense_width; ++i)
        in.dense.push_back(static_cast<T>(random.uniform(-1, 1)));
    for (int v = 0; v < chunk.nodes; ++v) {
        for (int j = in.dense_width; j < in.width; ++j) {
            if (!random.chance(0.3)) continue;
            in.columns.push_back(j);
            in.values.push_back(static_cast<float>(random.uniform(-1, 1)));
        }
        in.starts.push_back(static_cast<int>(in.columns.size()));
    }
}

// How many labels an answer of classes is one of, in a network of this shape.
inline int labels_of(const GatedShape& shape) {
    Schema schema;
    schema.answer = shape.answer;
    while (has_classes(shape.answer) && schema.outputs() < shape.outputs)
        schema.classes.add(std::to_string(schema.classes.size()));
    return schema.labels();
}

// What chunks may have beyond plain graphs and targets. Inputs and numbers of edges are the shape's.
struct Extras {
    bool weights = false; // of edges
    double edge_dropout = 0, state_dropout = 0, smoothing = 0;
    bool class_weights = false, absolute = false;
};

// Edges have the first `used` types, all if not given.
template <class T>
Chunk<T> random_chunk(Random& random, const GatedShape& shape, int graphs, int max_nodes = 6, int used = 0,
                      const Extras& extras = {}) {
    Chunk<T> chunk;
    chunk.reset(shape.edge_types, shape.annotation, shape.edge_features);
    for (int g = 0; g < graphs; ++g) {
        const int nodes = 1 + static_cast<int>(random.below(max_nodes));
        GGSNN_ASSERT(nodes <= large_rows); // else the graph would have to live longer
        const auto edges = random_edges(random, nodes, used > 0 ? used : shape.edge_types, 2 * nodes);
        std::vector<float> weights, numbers;
        // Graphs with and without weights may share a chunk.
        for (std::size_t i = 0; i < edges.size() && extras.weights && g != 1; ++i)
            weights.push_back(static_cast<float>(random.uniform(-1, 2)));
        for (std::size_t i = 0; i < edges.size() * shape.edge_features; ++i)
            numbers.push_back(static_cast<float>(random.uniform(-1, 1)));
        chunk.append(Graph(nodes, edges, {weights, numbers, shape.edge_features}), 0,
                     {shape.mean, extras.edge_dropout, mixed(9, g)});
        if (extras.state_dropout > 0) chunk.keys.push_back(mixed(5, g));
    }
    chunk.state_dropout = extras.state_dropout;
    if (shape.embedding > 0) random_inputs(random, shape, chunk);
    for (int v = 0; v < chunk.nodes; ++v)
        for (int j = 0; j < shape.annotation; ++j)
            chunk.annotation_row(v)[j] = static_cast<T>(random.uniform(-1, 1));
    auto& targets = chunk.targets;
    targets.steps = shape.sequence() ? 3 : 1;
    if (is_regression(shape.answer)) {
        const int rows = static_cast<int>(head_of(shape.answer).rows(chunk.nodes, graphs));
        for (int i = 0; i < rows * shape.outputs; ++i)
            targets.values.push_back(random.chance(0.2) ? static_cast<T>(NAN)
                                                        : static_cast<T>(random.uniform(-1, 1)));
    } else if (is_each_node(shape.answer)) {
        for (int v = 0; v < chunk.nodes; ++v)
            targets.labels.push_back(random.chance(0.2) ? -1
                                                        : static_cast<int>(random.below(labels_of(shape))));
    } else {
        for (int g = 0; g < graphs; ++g) {
            const int first = chunk.graph_start[g], size = chunk.graph_start[g + 1] - first;
            const int length = 1 + static_cast<int>(random.below(targets.steps));
            for (int k = 0; k < targets.steps; ++k) {
                const int label = has_classes(shape.answer) ? static_cast<int>(random.below(labels_of(shape)))
                                                            : first + static_cast<int>(random.below(size));
                targets.labels.push_back(k < length || g == 0 ? label : -1);
            }
        }
    }
    if (shape.sequence() && shape.observed) {
        const int nx = padded(shape.annotation);
        targets.annotations.assign(static_cast<std::size_t>(targets.steps - 1) * chunk.nodes * nx, T(0));
        for (int i = 0; i < (targets.steps - 1) * chunk.nodes; ++i)
            for (int j = 0; j < shape.annotation; ++j)
                targets.annotations[static_cast<std::size_t>(i) * nx + j] = static_cast<T>(random.below(2));
    }
    targets.smoothing = static_cast<T>(extras.smoothing);
    targets.absolute = extras.absolute;
    for (int i = 0; extras.class_weights && i < labels_of(shape); ++i)
        targets.class_weights.push_back(static_cast<T>(random.uniform(0, 3)));
    chunk.scale = T(0.37);
    return chunk;
}

// A network with random parameters and everything needed to run it on one thread or on several lanes.
template <class T>
struct Rig {
    Network<T> network;
    std::vector<T> parameters, prepared;
    std::vector<Lane<T>> lanes;
    Workspace<T> work;
    ThreadPool pool;
    Team<T> team;

    Rig(const GatedShape& shape, std::uint64_t seed, int lane_count = 1, int workers = 1)
        : network(shape),
          parameters(network.layout().size()),
          prepared(network.prepared_size()),
          lanes(lane_count),
          pool(workers),
          team{&lanes, 0, lane_count, &pool} {
        Random random(seed);
        network.layout().initialise(random, parameters.data());
    }

    double loss(const Chunk<T>& chunk) {
        network.prepare(parameters.data(), false, prepared.data());
        return network.run(chunk, parameters.data(), prepared.data(), false, work, team).loss;
    }

    // The sum of the lanes' gradients; the loss through `value`.
    std::vector<T> gradient(const Chunk<T>& chunk, Keep keep = Keep::all, double* value = nullptr) {
        const std::size_t size = network.gradient_size();
        for (auto& lane : lanes) lane.gradient.zeroed(size);
        network.prepare(parameters.data(), true, prepared.data());
        const Outcome outcome =
            network.run(chunk, parameters.data(), prepared.data(), true, work, team, keep);
        if (value != nullptr) *value = outcome.loss;
        std::vector<T> sum(size, T(0));
        for (auto& lane : lanes)
            for (std::size_t i = 0; i < size; ++i) sum[i] += lane.gradient.data()[i];
        network.finish(parameters.data(), prepared.data(), sum.data());
        sum.resize(network.layout().size());
        return sum;
    }
};

} // namespace ggsnn::test
