#include "ggsnn/nn/kinds.hpp"

#include "ggsnn/nn/ggnn/kind.hpp"
#include "ggsnn/nn/gnn/kind.hpp"
#include "ggsnn/nn/reader/kind.hpp"
#include "ggsnn/nn/recurrent/kind.hpp"
#include "ggsnn/nn/stepper/kind.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = [] {
        std::vector<Kind> list = {gated_kind(), gnn_kind()};
        for (Kind& kind : recurrent_kinds()) list.push_back(std::move(kind));
        list.push_back(reader_kind());
        list.push_back(stepper_kind());
        return list;
    }();
    return all;
}

const Kind& kind_named(const std::string& name) {
    std::vector<std::string> names;
    for (const Kind& kind : kinds()) {
        if (kind.name == name) return kind;
        names.push_back(kind.name);
    }
    fail("unknown kind of network \"{}\"; expected {}", name, fmt::join(names, ", "));
}

bool Kind::can(const std::string& ability) const {
    return std::find(abilities.begin(), abilities.end(), ability) != abilities.end();
}

int network_count(const Kind& kind, const Schema& schema) {
    return kind.reads_tokens ? 1 : schema.question_types.size();
}

void check_edges(const Kind& kind, const Schema& schema, const Dataset& data,
                 const std::vector<const Example*>& examples) {
    const bool reads = kind.can("edge data");
    for (const Example* e : examples) {
        const Graph& graph = data.graphs[e->graph].graph;
        if (graph.edges() > 0 && graph.edge_width() != schema.edge_features)
            fail_at(e->place, "edges have {} features; expected {}", graph.edge_width(),
                    schema.edge_features);
        if (!reads && (!graph.weights().empty() || graph.edge_width() > 0))
            fail_at(e->place, "edges have {}; a network of kind {} reads their types alone",
                    graph.weights().empty() ? "features" : "weights", kind.name);
    }
}

DataFacts facts_of(const Dataset& train) {
    DataFacts facts{train.schema, train.examples.size(), 0, 0, 0};
    for (const Example& e : train.examples) {
        facts.targets += std::count_if(e.labels.begin(), e.labels.end(), [](int l) { return l >= 0; });
        facts.targets +=
            std::count_if(e.values.begin(), e.values.end(), [](float v) { return !std::isnan(v); });
        facts.largest = std::max(facts.largest, train.graphs[e.graph].graph.nodes());
        facts.nodes += double(train.graphs[e.graph].graph.nodes()) / double(train.examples.size());
    }
    return facts;
}

namespace {

TrainOptions recipe_of(const DataFacts& facts, const std::string& kind) {
    TrainOptions options = kind_named(kind).recipe(facts);
    options.kind = kind;
    return options;
}

} // namespace

TrainOptions recipe_for(const Dataset& train, const std::string& kind) {
    return recipe_of(facts_of(train), kind);
}

TrainOptions recipe_for(const Schema& schema, std::size_t examples, const std::string& kind) {
    return recipe_of({schema, examples}, kind);
}

} // namespace ggsnn
