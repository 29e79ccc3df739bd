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
    // Graphs at a loop that differ in a list that is empty become one; where memory was freed is forgotten.
    bool empty = false;
    // No folding at all: every case by itself.
    bool exhaustive = false;
    // Of the time that is left: one that does not come to an end leaves some for the others.
    double share = 0.35;
};

// By object: its record, as the types of variables and fields tell that lead to it. A hint, like all that
// types say of memory: it tells where to look for lists and trees, not that there are some.
using Records = std::map<int, int>;
Records records_of(const State& state, const Program& program);

// By object: its links to its own kind, two or more, ascending.
using Branches = std::map<int, std::vector<std::int64_t>>;
Branches branches_of(const State& state, const Program& program, const Records& records);

struct Hints {
    const Program* program = nullptr;
    Records records;
    Branches branches;
};

// Folds until nothing can be folded: trees first, then ways down a tree, then lists.
void fold_lists(State& state, const Policy& policy, const Hints& hints = {});

} // namespace ggsnn::verify::graph
