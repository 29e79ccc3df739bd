// What the tests of proofs share: a C text or file, its functions with the contracts and invariants that its
// comments give, and proofs of them.
#pragma once

#include "ggsnn/verify/infer/study.hpp"
#include "ggsnn/verify/inline.hpp"
#include "ggsnn/verify/prove/proof.hpp"
#include "ggsnn/verify/prove/typing.hpp"
#include "ggsnn/verify/read/read.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace ggsnn::verify {

// Tests of a build without LLVM say so and stop.
#define GGSNN_NEEDS_READING()                                                                                \
    if (!reading_available()) GTEST_SKIP() << "built without LLVM"

inline const std::string list_text = "#include <stdlib.h>\n"
                                     "typedef struct node { int val; struct node *next; } node;\n";

inline logic::Formula formula(const std::string& text) {
    return logic::parse_formula(text, logic::Reading::program);
}
inline std::string text_of(const logic::Formula& f) {
    return logic::print(f, logic::Reading::program);
}

// As verify proves them: small functions without a contract in the place of their calls.
inline Program program_of(const std::string& text) {
    return with_small_calls_inlined(read_program_text(text, "test.c"));
}

// By function: what its comments require and ensure; nothing where one of them is missing.
inline Contracts given_contracts(const Program& program) {
    Contracts contracts;
    for (std::size_t f = 0; f < program.functions.size(); ++f) {
        const Function& function = program.functions[f];
        contracts.emplace_back();
        if (!function.requires_ || !function.ensures) continue;
        std::string trouble;
        contracts.back() =
            typed_contract(program, static_cast<int>(f), *function.requires_, *function.ensures, trouble);
        if (!trouble.empty()) throw std::runtime_error(function.name + ": " + trouble);
    }
    return contracts;
}

// With the invariants that the comments give as the only candidates.
inline ProofResult prove_as_given(const Program& program, int number, const Contracts& contracts,
                                  const ProofOptions& options = {}) {
    Entailments entailments(options.prover);
    FunctionProof proof(program, number, contracts, options, entailments);
    std::vector<std::vector<logic::Formula>> candidates;
    for (const Loop& loop : program.functions[static_cast<std::size_t>(number)].loops) {
        candidates.emplace_back();
        if (loop.invariant) candidates.back().push_back(*loop.invariant);
    }
    return proof.search(candidates);
}

inline std::string failures_text(const ProofResult& result) {
    std::string text;
    for (const Failure& f : result.failures) {
        text += fmt::format("line {}: {}: {}\n    {}\n", f.position.line, kind_text(f.kind), f.reason,
                            logic::print(f.state, logic::Reading::program));
        if (f.counter) text += "    " + logic::heap_text(*f.counter) + "\n";
        for (const Turn& turn : f.path) text += fmt::format("    line {}: {}\n", turn.line, turn.taken);
    }
    return text;
}

} // namespace ggsnn::verify
