// All runs of one function: inputs from its precondition, each interpreted, faults and snapshots kept.
#pragma once

#include "ggsnn/verify/run/inputs.hpp"
#include "ggsnn/verify/run/interpret.hpp"

#include <vector>

namespace ggsnn::verify {

struct RunOptions {
    InputOptions inputs;
    InterpretLimits limits;
    // Where the precondition is assumed, and every run with some argument NULL ends by dereferencing NULL:
    // assume that it is not NULL.
    bool strengthen = true;
};

struct Runs {
    int function = -1;
    logic::Formula precondition;
    bool assumed = false;         // not given with the function
    bool functions_given = false; // InputOptions::functions_given
    std::vector<Input> inputs;
    std::vector<Run> runs;    // by input
    bool out_of_time = false; // there were more inputs

    // The first run that ends in an error of the program, without a guess on the way; -1 if none does.
    int first_fault() const;
    bool some_limit() const; // a run was not finished
};

// Of main, where nothing is drawn, one run is all there are.
Runs collect_runs(const Program& program, int function, const RunOptions& options = {});

// Under a precondition of the caller's choice.
Runs collect_runs(const Program& program, int function, const logic::Formula& precondition,
                  const RunOptions& options);

// The first run whose return does not satisfy the function's `ensures`; -1 if none, or nothing is ensured.
int first_violation(const Program& program, const Runs& runs);

// "list.c:9:15: in concat: null dereference: 'cur' is NULL"
std::string fault_text(const Program& program, const Fault& fault);

} // namespace ggsnn::verify
