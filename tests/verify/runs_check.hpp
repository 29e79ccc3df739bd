// What the engine calls proved, held to runs of the interpreter: an independent judge.
#pragma once

#include "ggsnn/verify/prove/proof.hpp"
#include "ggsnn/verify/run/inputs.hpp"

#include <string>

namespace ggsnn::verify {

struct Agreement {
    std::string
        trouble;  // the first disagreement: a fault, an invariant or a postcondition that does not hold
    int runs = 0; // that came to an end
};

// Runs the function from inputs that satisfy its precondition, and compares with what was proved. The
// contract is without tags.
Agreement compare_with_runs(const Program& program, int function, const Contract& contract,
                            const ProofResult& proof, const InputOptions& options = {});

} // namespace ggsnn::verify
