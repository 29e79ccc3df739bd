// The workloads that speed is measured on: random typed graphs with the sizes of bAbI stories, heaps,
// molecules and one large graph. A training step is forward, backward and Adam with a node-selection head
// in float32; E counts directed edges before reverse edges are added.
#pragma once

#include "ggsnn/base/random.hpp"
#include "ggsnn/nn/dataset.hpp"
#include "ggsnn/nn/ggnn/shape.hpp"

#include <string>
#include <vector>

namespace ggsnn::bench {

struct Workload {
    std::string name;
    int graphs, nodes, edges, edge_types, state, annotation, steps;
};

inline const std::vector<Workload>& workloads() {
    static const std::vector<Workload> all = {
        {"a_babi", 10, 80, 100, 2, 5, 1, 5},
        {"b_heaps", 20, 400, 800, 3, 16, 4, 10},
        {"c1_molecules", 56, 1008, 2016, 4, 100, 5, 4},
        {"c2_molecules", 500, 9000, 18000, 4, 100, 5, 8},
        {"d_large", 1, 100000, 1000000, 4, 64, 8, 8},
    };
    return all;
}

// How the cost of a step grows: one size after the other of a batch of 64 graphs is doubled, three times.
inline std::vector<Workload> growth() {
    const Workload base{"", 64, 1280, 2560, 2, 32, 4, 4};
    std::vector<Workload> all;
    const auto grow = [&](const char* what, auto change) {
        for (int factor = 1; factor <= 8; factor *= 2) {
            Workload w = base;
            change(w, factor);
            w.name = std::string("growth_") + what + ":" + std::to_string(factor) + "x";
            all.push_back(w);
        }
    };
    grow("graphs", [](Workload& w, int f) { w.graphs *= f, w.nodes *= f, w.edges *= f; });
    grow("nodes_of_one_graph", [](Workload& w, int f) {
        w.graphs = 1;
        w.nodes *= 16 * f;
        w.edges *= 16 * f;
    });
    grow("edges", [](Workload& w, int f) { w.edges *= f; });
    grow("edge_types", [](Workload& w, int f) { w.edge_types *= f; });
    grow("state", [](Workload& w, int f) { w.state *= f; });
    grow("steps", [](Workload& w, int f) { w.steps *= f; });
    return all;
}

// Graphs of equal size with uniform random edges; one question each, a random node is the answer.
inline Dataset make_dataset(const Workload& w, std::uint64_t seed = 1) {
    Random random(seed);
    Dataset data;
    data.schema.answer = AnswerKind::node;
    for (int t = 0; t < w.edge_types; ++t) data.schema.edge_types.add(std::to_string(t));
    data.schema.question_types.add("q");
    data.schema.features = w.annotation;
    const int nodes = w.nodes / w.graphs, edges = w.edges / w.graphs;
    for (int g = 0; g < w.graphs; ++g) {
        std::vector<Edge> list;
        for (int e = 0; e < edges; ++e)
            list.push_back({static_cast<int>(random.below(nodes)),
                            static_cast<int>(random.below(w.edge_types)),
                            static_cast<int>(random.below(nodes))});
        GraphRecord record{Graph(nodes, list), {}, {}};
        record.features.reserve(static_cast<std::size_t>(nodes) * w.annotation);
        for (int i = 0; i < nodes * w.annotation; ++i)
            record.features.push_back(static_cast<float>(random.uniform(-1, 1)));
        data.graphs.push_back(std::move(record));
        Example example;
        example.graph = g;
        example.labels = {static_cast<int>(random.below(nodes))};
        data.examples.push_back(example);
    }
    return data;
}

inline GatedShape make_shape(const Workload& w, Directions directions) {
    GatedShape shape;
    shape.directions = directions;
    shape.answer = AnswerKind::node;
    shape.state = w.state;
    shape.annotation = w.annotation;
    shape.edge_types = w.edge_types;
    shape.steps = w.steps;
    return shape;
}

} // namespace ggsnn::bench
