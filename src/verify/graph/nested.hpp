// What belongs to each node of a list.
#pragma once

#include "ggsnn/verify/graph/state.hpp"

namespace ggsnn::verify::graph {

// Objects of a higher level that the contents of the object lead to.
std::set<int> nested_in(const State& state, int object);

} // namespace ggsnn::verify::graph
