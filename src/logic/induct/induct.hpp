// The prover for any inductive definitions: satisfiability by base pairs (pairs.hpp), entailment by induction
// (search.hpp). Asked where the prover of lists (prover.hpp) does not know.
#pragma once

#include "ggsnn/logic/prover.hpp"

namespace ggsnn::logic {

// What is looked for: with proofs alone, `invalid` is never said. Tests of soundness ask for that, since a
// counter-model that is found first would hide a wrong proof.
enum class Pursue { proofs_and_models, proofs };

// problem.left |- problem.right, with the definitions as they are written (Problem::written). Never throws
// for what a problem contains. write_proof: a proof is also written down (Answer::proof).
Answer prove_by_induction(const Problem& problem, const ProverLimits& limits = {},
                          Pursue pursue = Pursue::proofs_and_models, bool write_proof = false);

// The prover of lists where it can be asked, then induction; if both were cut short, lists with what is left.
// tree: what the prover of lists did.
Answer decide(const Problem& problem, const ProverLimits& limits = {}, ProofTree* tree = nullptr);
// As above; where it is valid, with the proof for the checker, if induction finds one.
Answer decide_with_proof(const Problem& problem, const ProverLimits& limits = {});

} // namespace ggsnn::logic
