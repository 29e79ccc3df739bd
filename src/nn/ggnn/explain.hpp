// Explanations (nn/explain.hpp) of gated graph networks.
#pragma once

#include "ggsnn/nn/explain.hpp"
#include "ggsnn/nn/ggnn/network.hpp"

namespace ggsnn {

// The contract of Architecture::explain.
Explanation explain_gated(const GatedShape& shape, const Schema& schema, const Dataset& data,
                          const Example& example, const Prediction& answer,
                          const std::vector<std::vector<float>>& members, const ExplainOptions& options);

} // namespace ggsnn
