// Preconditions as graphs: a formula of cells and lists, singly and doubly linked, becomes the start of a
// function. Trees and nestings do not.
#pragma once

#include "ggsnn/verify/graph/executor.hpp"

#include <map>

namespace ggsnn::verify::graph {

// One start for each disjunct that has a memory. tagged: with tags (prove/state.hpp), over names of
// run/inputs.hpp. values: of some parameters. Nothing: something in it cannot be said by graphs.
std::optional<std::vector<State>> starts_under(const Program& program, int function,
                                               const logic::Formula& tagged,
                                               const std::map<int, Value>& values = {});

} // namespace ggsnn::verify::graph
