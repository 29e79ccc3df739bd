// Abstraction: neighbours of a list become one segment, a node and the trees below it one tree, what each
// node has of its own becomes one template. The graph that results describes every memory that the one before
// did.
#pragma once

#include "ggsnn/verify/graph/state.hpp"

namespace ggsnn::verify::graph {

struct Policy {
    // Contents that are different numbers become unknown ones; otherwise such nodes are kept apart.
    bool mix_numbers = true;
    // Addresses of what others lead to as well may become unknown; otherwise such nodes are kept apart.
    bool forget = true;
    // Nodes that a variable or global leads to may be part of a segment.
    bool fold_named = false;
    // Trees are looked for.
    bool trees = true;
    // States at a loop that differ in numbers only, before numbers are widened.
    int delay = 3;
    // Nodes without a common template are a list of several sorts, so many at the most; 0: they stay apart.
    int sorts = 0;
    // No folding at all: every case by itself.
    bool exhaustive = false;
};

// By object: its links to its own kind, two or more, ascending. What types say of it, which is a hint: they
// tell where to look for trees, not that there is one.
using Branches = std::map<int, std::vector<std::int64_t>>;
Branches branches_of(const State& state, const Program& program);

// Folds until nothing can be folded: trees first, then ways down a tree, then lists.
void fold_lists(State& state, const Policy& policy, const Branches& branches = {});

} // namespace ggsnn::verify::graph
