// In which order the blocks of a function are looked at, so that what comes early is settled before what
// comes late: a weak topological order (Bourdoncle 1993). Only speed depends on it.
#pragma once

#include "ggsnn/verify/program.hpp"

#include <vector>

namespace ggsnn::verify::graph {

// The blocks that may follow a block.
std::vector<int> successors_of(const Block& block);

// By block: its place in the order. Loops come before what follows them, inner ones before the rest of the
// outer one, and the head of each behind its body.
std::vector<int> settling_order(const Function& function);

} // namespace ggsnn::verify::graph
