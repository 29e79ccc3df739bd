// Lists whose nodes are of several sorts: red and black ones, with data and without, small and large ones.
#pragma once

#include "ggsnn/verify/graph/contents.hpp"

namespace ggsnn::verify::graph {

// Two neighbours made one list: object b has the sorts of both afterwards (or a single template, if one sort
// is left), and its own links; what belongs to object a is b's. False, and the state is spoilt, if there were
// too many sorts. Who leads to a is left to the caller.
bool join_sorts(State& state, const Policy& policy, const Neighbours& nodes);

// A list of which the nodes are all of one sort.
Object of_sort(const Object& list, std::size_t sort);

} // namespace ggsnn::verify::graph
