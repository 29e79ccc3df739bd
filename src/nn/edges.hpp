// The edges of a graph as a list, and graphs with other ones.
#pragma once

#include "ggsnn/nn/graph.hpp"

namespace ggsnn {

// By type, target and source.
std::vector<Edge> edges_of(const Graph& graph);

// The graph with edges of type type_of[t] in place of those of type t, and what they carry. REQUIRES an entry
// for each type.
Graph with_types(const Graph& graph, std::span<const int> type_of);

// The graph with node v as number_of[v], and what its edges carry. REQUIRES a permutation.
Graph renumbered(const Graph& graph, std::span<const int> number_of);

} // namespace ggsnn
