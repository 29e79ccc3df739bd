#include "ggsnn/nn/kinds.hpp"

#include "ggsnn/nn/ggnn/kind.hpp"
#include "ggsnn/nn/gnn/kind.hpp"
#include "ggsnn/nn/recurrent/kind.hpp"

#include <algorithm>

namespace ggsnn {

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = [] {
        std::vector<Kind> list = {gated_kind(), gnn_kind()};
        for (Kind& kind : recurrent_kinds()) list.push_back(std::move(kind));
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

void check_edges(const Kind& kind, const Dataset& data, const std::vector<const Example*>& examples) {
    if (kind.can("edge data")) return;
    for (const Example* e : examples) {
        const Graph& graph = data.graphs[e->graph].graph;
        if (!graph.weights().empty() || graph.edge_width() > 0)
            fail_at(e->place, "edges have {}; a network of kind {} reads their types alone",
                    graph.weights().empty() ? "features" : "weights", kind.name);
    }
}

TrainOptions recipe_for(const Schema& schema, std::size_t examples, const std::string& kind) {
    TrainOptions options = kind_named(kind).recipe(schema, examples);
    options.kind = kind;
    return options;
}

} // namespace ggsnn
