// The prover for any inductive definitions: satisfiability by base pairs (pairs.hpp), entailment by induction
// (search.hpp). Asked where the prover of lists (prover.hpp) does not know.
#pragma once

#include "ggsnn/logic/prover.hpp"

namespace ggsnn::logic {

// problem.left |- problem.right, with the definitions as they are written (Problem::written). Never throws for
// what a problem contains.
Answer prove_by_induction(const Problem& problem, const ProverLimits& limits = {});

} // namespace ggsnn::logic
