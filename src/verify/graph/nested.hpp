// What belongs to each node of a list.
#pragma once

#include "ggsnn/verify/graph/state.hpp"

namespace ggsnn::verify::graph {

// Objects of a higher level that the contents of the object lead to. sort: those of this one only.
std::set<int> nested_in(const State& state, int object, int sort = -1);

// Optional blocks that are not there, and what may be absent and only they lead to: that is absent, too.
std::set<int> absent_with(const State& state, const std::set<int>& absent);

} // namespace ggsnn::verify::graph
