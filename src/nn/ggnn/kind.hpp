// Gated graph networks as a kind of network.
#pragma once

#include "ggsnn/nn/ggnn/shape.hpp"
#include "ggsnn/nn/kinds.hpp"

namespace ggsnn {

Kind gated_kind();

std::unique_ptr<Architecture> make_gated(const GatedShape& shape);
Json shape_to_json(const GatedShape& shape);
Description describe_shape(const GatedShape& shape);
// REQUIRES a network of this kind.
const GatedShape& gated_shape(const Architecture& network);

} // namespace ggsnn
