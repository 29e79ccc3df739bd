// The checker of proofs that `ggsnn prove --proof` writes.
//
// A proof is a tree. Each node states a sequent L |- exists E. R, and one rule says why it holds:
//
//   false  L has no heap.
//   done   L and R have the same atoms, and the rest of R follows.
//   same   The child says as much.
//   case   The children assume a condition, and that it does not hold.
//   left   A call of L is replaced by each rule of its definition: one child a rule.
//   right  A call of R is replaced by one rule.
//   use    A sequent that holds is used: an instance of its left side in L is replaced by its right side.
//
// Between what a rule gives and what the child states, a step is allowed that needs no choice (frame): atoms
// that are equal go from both sides, existentials are chosen, conditions of L that follow are stated or left
// out, conditions of R that follow are left out.
//
// `use` takes a lemma, which was checked before, or a node above: then it is an induction on the number of
// cells. Every step leads to heaps of as many cells or fewer; a node above may be used on heaps with fewer
// cells only: a cell went from both sides in between, or the instance leaves one over. So a heap with the
// least number of cells for which some node fails would give one with fewer.
#pragma once

#include "ggsnn/checker/facts.hpp"

#include <nlohmann/json.hpp>

namespace ggsnn::checker {

using Json = nlohmann::json;

// Throws Rejected, with the reason, unless the proof shows that the problem of the file is unsatisfiable.
void check(const std::string& problem_text, const std::string& proof_text);

} // namespace ggsnn::checker
