// What belongs to each node of a list.
#pragma once

#include "ggsnn/verify/graph/state.hpp"

namespace ggsnn::verify::graph {

// Objects of a higher level that the contents of the object lead to. sort: those of this one only.
std::set<int> nested_in(const State& state, int object, int sort = -1);

} // namespace ggsnn::verify::graph
