// ggsnn prove: entailments given as text or in files, with definitions and integers, and SL-COMP problems.
#pragma once

#include <string>
#include <vector>

namespace ggsnn::cli {

struct ProveOptions {
    std::vector<std::string> inputs; // files, or texts (logic/statements.hpp); at least one
    bool show_heap = false;          // print a heap with `sat` (an `invalid` text always shows its heap)
    bool json = false;               // one JSON object a line
    std::string svg;                 // the last heap that was found, drawn to this file; empty: not
    std::string proof;               // the proof of an `unsat` file is written there; one input only
    double timeout = 10;             // seconds of processor time for each problem
    double memory = 256;             // megabytes of prover states
};

// Answers go to standard output, in the order of the inputs: the answer alone for one question, `input:
// answer` a line for several inputs, and `question: answer` for several questions of one. Reasons of
// `unknown` and bad inputs go to standard error. Returns 0, or 1 if some input was bad (the others are still
// answered), or if a proof was asked for and is not there for an answer `unsat`. Throws UsageError for
// options out of range.
int run_prove(const ProveOptions& options);

} // namespace ggsnn::cli
