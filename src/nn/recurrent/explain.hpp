// Explanations (nn/explain.hpp) of recurrent networks.
#pragma once

#include "ggsnn/nn/explain.hpp"
#include "ggsnn/nn/recurrent/recurrent.hpp"

namespace ggsnn {

// The contract of Architecture::explain. What is known are the facts and the arguments of the question: what
// their tokens bring to the network (E W_x) grows from nothing to what it is. The question's type and `ans`
// are there from the beginning. A fact is an edge of the graph; its tokens' shares are the edge's.
Explanation explain_recurrent(const RecurrentShape& shape, const Schema& schema, const Dataset& data,
                              const Example& example, const Prediction& answer,
                              const std::vector<std::vector<float>>& members, const ExplainOptions& options);

} // namespace ggsnn
