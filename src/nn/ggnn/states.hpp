// What a gated graph network makes of nodes and graphs before it answers: final states h^T, and the vectors
// h_G of Eq. 7.
#pragma once

#include "ggsnn/nn/model.hpp"

namespace ggsnn {

enum class StatesOf { nodes, graphs };

// Rows of D numbers, D being the state's size: for each example, in order, one for each node of its graph
// (the node that stands for 'end' is left out) or one for the graph. Of the first member of an ensemble; for
// sequences at the first output. steps: 0 as trained. REQUIRES a model of kind ggnn, data with its schema,
// and for graphs a model that answers of graphs (has_graph_states).
void states_of(const Model& model, const Dataset& data, StatesOf what, int steps, std::vector<float>& rows);

bool has_graph_states(const Model& model);
int state_size(const Model& model);

} // namespace ggsnn
