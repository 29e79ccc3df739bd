// The original graph neural network as a kind of network.
#pragma once

#include "ggsnn/nn/gnn/gnn.hpp"
#include "ggsnn/nn/kinds.hpp"

namespace ggsnn {

Kind gnn_kind();

std::unique_ptr<Architecture> make_gnn(const GnnShape& shape);
// REQUIRES a network of this kind.
const GnnShape& gnn_shape(const Architecture& network);

} // namespace ggsnn
