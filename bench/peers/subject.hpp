// What both sides learn: a workload of workloads.hpp, whose graphs are random and whose answer is a node of
// each; or `e`, classes of the nodes of one graph of Cora's size, with sparse features through an input
// layer, and dropout as the program's own recipe has it.
#pragma once

#include "../workloads.hpp"
#include "ggsnn/nn/loading.hpp"
#include "ggsnn/tasks/generate_citations.hpp"

namespace ggsnn::bench {

struct Subject {
    Dataset data;
    GatedShape shape;
    Noise noise; // in training
    float l2 = 0;
};

inline const Workload& workload_named(const std::string& letter) {
    for (const Workload& w : workloads())
        if (w.name.substr(0, w.name.find('_')) == letter) return w;
    fail("no workload {}; expected a, b, c1, c2, d or e", letter);
}

// The sizes and settings of `ggsnn train` for what `ggsnn generate cora-size` writes.
inline Subject citations(Directions directions) {
    const Citations papers = generate_citations(citation_shape("cora-size"), 1);
    const CitationShape& sizes = papers.shape;
    Subject s;
    Schema& schema = s.data.schema;
    schema.answer = AnswerKind::node_classes;
    schema.edge_types.add("cites");
    schema.question_types.add("topic");
    for (int c = 0; c < sizes.classes; ++c) schema.classes.add("topic" + std::to_string(c));
    schema.features = sizes.features;
    std::vector<Edge> edges;
    for (const CitationEdge& e : papers.edges) edges.push_back({e.source, 0, e.target});
    GraphRecord record{Graph(sizes.nodes, edges), {}, {}};
    auto words = std::make_shared<SparseRows>();
    for (const auto& row : papers.words) {
        for (const auto& [column, number] : row) words->add(column, number);
        words->end_row();
    }
    record.sparse = words;
    s.data.graphs.push_back(std::move(record));
    Example example;
    for (int v = 0; v < sizes.nodes; ++v)
        example.labels.push_back(papers.split[v] == Part::train ? papers.classes[v] : -1);
    s.data.examples.push_back(example);
    s.shape.directions = directions;
    s.shape.answer = schema.answer;
    s.shape.inputs = sizes.features;
    s.shape.embedding = s.shape.annotation = 24;
    s.shape.state = 32;
    s.shape.edge_types = 1;
    s.shape.steps = 3;
    s.shape.outputs = sizes.classes;
    s.noise = {.states = 0.5, .features = 0.8};
    s.l2 = 0.3F;
    return s;
}

inline Subject subject_named(const std::string& letter, Directions directions) {
    if (letter == "e") return citations(directions);
    const Workload& w = workload_named(letter);
    return {make_dataset(w), make_shape(w, directions), {}, 0};
}

} // namespace ggsnn::bench
