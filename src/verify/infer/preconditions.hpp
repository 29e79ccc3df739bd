// Which precondition a function without main is judged under. Given: that one. Else the weakest that we can
// find under which no run fails: single cells where a function has no loop, structures by the types of its
// arguments, not NULL where every run with NULL crashes and the code does not ask. An error counts as the
// function's own only if every run that comes to its place ends there, or a precondition was given.
#pragma once

#include "ggsnn/verify/prove/deadline.hpp"
#include "ggsnn/verify/run/runs.hpp"

namespace ggsnn::verify {

struct Judged {
    Runs runs;        // under the precondition that was chosen
    int fault = -1;   // a run that ends in an error; -1: none does
    bool own = true;  // the error is the function's own, whoever calls it
    std::string hint; // what would settle it
    std::vector<std::string> warnings;
};

Judged judge_runs(const Program& program, int function, const RunOptions& options);

} // namespace ggsnn::verify
