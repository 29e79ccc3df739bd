// Linear conditions that hold of the integers of every heap of a definition, and how many cells it has.
// Candidates of a few forms are assumed of all calls, and those that some rule does not keep are taken away
// until all are kept: what is left holds by induction on how the heap was derived (Houdini: Flanagan and
// Leino 2001).
#pragma once

#include "ggsnn/logic/induct/simplify.hpp"

namespace ggsnn::logic::induct {

// Sets context.invariants and context.sizes.
void find_invariants(Context& context);

} // namespace ggsnn::logic::induct
