// Abstraction: neighbours of a list become one segment, what each node has of its own becomes one template.
// The graph that results describes every memory that the one before did.
#pragma once

#include "ggsnn/verify/graph/state.hpp"

namespace ggsnn::verify::graph {

struct Policy {
    // Contents that are different numbers become unknown ones; otherwise such nodes are kept apart.
    bool mix_numbers = true;
    // Nodes that a variable or global leads to may be part of a segment.
    bool fold_named = false;
    // States at a loop that differ in numbers only, before numbers are widened.
    int delay = 3;
    // No folding at all: every case by itself.
    bool exhaustive = false;
};

// Folds until nothing can be folded.
void fold_lists(State& state, const Policy& policy);

} // namespace ggsnn::verify::graph
