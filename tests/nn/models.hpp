// Schemas, data sets and models with random content, for every kind of answer.
#pragma once

#include "ggsnn/nn/ggnn/kind.hpp"
#include "ggsnn/nn/predict.hpp"
#include "samples.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ggsnn::test {

inline std::vector<AnswerKind> all_kinds() {
    return {answer_kinds().begin(), answer_kinds().end()};
}

// Those that exported programs can give.
inline std::vector<AnswerKind> plain_kinds() {
    std::vector<AnswerKind> kinds;
    for (AnswerKind kind : answer_kinds())
        if (is_plain(kind)) kinds.push_back(kind);
    return kinds;
}

inline Schema schema_of(AnswerKind kind, int questions = 1) {
    Schema schema;
    schema.answer = kind;
    schema.edge_types = Vocabulary({"r", "s", "t"});
    for (int q = 0; q < questions; ++q) schema.question_types.add("q" + std::to_string(q));
    if (has_classes(kind)) schema.classes = Vocabulary({"a", "b", "c"});
    if (is_regression(kind)) schema.values = 2;
    schema.features = 2;
    schema.arguments = 2;
    return schema;
}

// A graph and a question as a list of edges, so that it can be changed before it is built.
struct Draft {
    int nodes = 1;
    std::vector<Edge> edges;
    std::vector<float> features;
    Example example;
    std::vector<float> weights = {}, edge_numbers = {}; // of edges
    std::vector<std::pair<int, int>> tags = {};
};

inline Draft random_draft(Random& random, const Schema& schema, int max_nodes = 7) {
    Draft draft;
    draft.nodes = 1 + static_cast<int>(random.below(max_nodes));
    draft.edges = random_edges(random, draft.nodes, schema.edge_types.size(),
                               static_cast<int>(random.below(2 * draft.nodes + 1)));
    for (int i = 0; i < draft.nodes * schema.features; ++i)
        draft.features.push_back(static_cast<float>(random.uniform(-1, 1)));
    Example& e = draft.example;
    e.question = static_cast<int>(random.below(schema.question_types.size()));
    for (int i = 0; i < schema.arguments; ++i)
        e.arguments.push_back(static_cast<int>(random.below(draft.nodes)));
    const auto node = [&] { return static_cast<int>(random.below(draft.nodes)); };
    const auto klass = [&] { return static_cast<int>(random.below(std::max(1, schema.classes.size()))); };
    const int length = static_cast<int>(random.below(4));
    const bool classes = has_classes(schema.answer), each_node = is_each_node(schema.answer);
    const int things = each_node ? draft.nodes : is_sequence(schema.answer) ? length : 1;
    if (is_regression(schema.answer)) {
        for (int i = 0; i < things * schema.values; ++i)
            e.values.push_back(random.chance(0.2) ? NAN : static_cast<float>(random.uniform(-1, 1)));
    } else {
        for (int i = 0; i < things; ++i)
            e.labels.push_back(each_node && random.chance(0.2) ? -1 : classes ? klass() : node());
    }
    for (std::size_t i = 0; i < draft.edges.size() * schema.edge_features; ++i)
        draft.edge_numbers.push_back(static_cast<float>(random.uniform(-1, 1)));
    for (int v = 0; v < draft.nodes; ++v)
        for (int t = 0; t < schema.tags.size(); ++t)
            if (random.chance(0.5)) draft.tags.emplace_back(v, t);
    return draft;
}

// With what graphs of one's own may have: numbers of edges (and weights, by `weigh`), types of nodes.
inline Schema own_schema(AnswerKind kind) {
    Schema schema = schema_of(kind);
    schema.edge_features = 2;
    schema.tags = Vocabulary({"person", "place", "thing"});
    return schema;
}

inline void weigh(Random& random, Draft& draft) {
    for (std::size_t i = 0; i < draft.edges.size(); ++i)
        draft.weights.push_back(static_cast<float>(random.uniform(0, 2)));
}

inline void add(Dataset& data, const Draft& draft) {
    const int wide = data.schema.edge_features;
    data.graphs.push_back({Graph(draft.nodes, draft.edges, {draft.weights, draft.edge_numbers, wide}),
                           draft.features,
                           {},
                           nullptr,
                           draft.tags});
    data.examples.push_back(draft.example);
    data.examples.back().graph = static_cast<int>(data.graphs.size()) - 1;
}

inline Dataset data_of(const Schema& schema, const std::vector<Draft>& drafts) {
    Dataset data;
    data.schema = schema;
    for (const Draft& draft : drafts) add(data, draft);
    return data;
}

inline Dataset random_data(Random& random, const Schema& schema, int count, int max_nodes = 7) {
    std::vector<Draft> drafts;
    for (int i = 0; i < count; ++i) drafts.push_back(random_draft(random, schema, max_nodes));
    return data_of(schema, drafts);
}

inline std::vector<const Example*> examples_of(const Dataset& data) {
    std::vector<const Example*> examples;
    for (const Example& e : data.examples) examples.push_back(&e);
    return examples;
}

// Parameters are drawn wider than training starts from: answers that differ should differ visibly.
inline Model random_model(const Schema& schema, std::uint64_t seed, Variant variant = Variant::authors,
                          int members = 1, int state = 7, Directions directions = Directions::apart,
                          const std::function<void(GatedShape&)>& change = {}) {
    Model model;
    model.schema = schema;
    GatedShape shape;
    shape.variant = variant;
    shape.directions = directions;
    shape.answer = schema.answer;
    shape.annotation = schema.annotation();
    shape.state = std::max(state, shape.annotation);
    shape.edge_types = schema.edge_types.size();
    shape.steps = 3;
    shape.outputs = schema.outputs();
    shape.edge_features = schema.edge_features;
    if (change) change(shape);
    model.longest = shape.sequence() ? 3 : 0;
    Scales& scales = model.schema.scales;
    scales.feature.assign(schema.features, 1);
    for (int i = 0; i < schema.values; ++i) {
        scales.value_mean.push_back(0.5 - i);
        scales.value.push_back(2 + i);
    }
    model.network = make_gated(shape);
    const ParameterLayout& layout = model.network->layout();
    for (int q = 0; q < schema.question_types.size(); ++q) {
        auto& networks = model.networks.emplace_back();
        for (int m = 0; m < members; ++m) {
            Random random(seed, {static_cast<std::uint64_t>(q), static_cast<std::uint64_t>(m)});
            auto& parameters = networks.emplace_back(layout.size());
            layout.initialise(random, parameters.data());
            for (float& p : parameters) p *= 2.5f;
        }
    }
    model.training = {{"options", {{"seed", seed}}}};
    return model;
}

inline std::vector<Prediction> predict(const Model& model, const Dataset& data, ThreadPool* pool = nullptr) {
    std::vector<Prediction> out;
    Predictor(model, pool).predict(data, examples_of(data), out);
    return out;
}

} // namespace ggsnn::test
