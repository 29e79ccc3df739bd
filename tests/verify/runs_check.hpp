// What the engine calls proved, held to runs of the interpreter: an independent judge.
#pragma once

#include "verify/inputs.hpp"
#include "verify/proof.hpp"

#include <string>

namespace ggsnn::verify {

// Runs the function from inputs that satisfy its precondition. Returns the first disagreement with the proof
// (a fault, an invariant that does not hold at a head, a postcondition that does not hold), or nothing.
std::string disagreement(const Program& program, int function, const Contract& contract,
                         const ProofResult& proof, const InputOptions& options = {});

} // namespace ggsnn::verify
