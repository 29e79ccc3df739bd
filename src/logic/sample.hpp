// Random heaps that satisfy a shape formula.
#pragma once

#include "ggsnn/base/random.hpp"
#include "ggsnn/logic/formula.hpp"
#include "ggsnn/logic/heap.hpp"

namespace ggsnn::logic {

struct SampleSizes {
    int least = 1, most = 8;           // cells of a list or tree, uniformly
    int body_least = 1, body_most = 4; // of a structure that hangs from another
    bool val = false; // cells have a `val` field (NULL where nothing hangs there), as nested heaps do
};

// A heap with distinct nodes for distinct names and random numbering, whose variables are the formula's free
// names; a variable that the formula sets equal to NULL or to another name stands there. REQUIRES one
// disjunct, strict structures whose ends are names of their scope, `none`, and equalities between variables,
// or with NULL. Where a structure has links back, they lead where it says; a name of its last cell is given
// there.
Heap sample_heap(const SymbolicHeap& shape, const SampleSizes& sizes, Random& random);

} // namespace ggsnn::logic
