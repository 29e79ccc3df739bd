// Errors by cases: the program is run on graphs without folding, shortest paths first. A path that ends in
// trouble gives the numbers that the outside has to give; a run with these numbers shows the error, or the
// path does not count.
#pragma once

#include "ggsnn/verify/graph/executor.hpp"
#include "ggsnn/verify/prove/deadline.hpp"
#include "ggsnn/verify/run/interpret.hpp"

namespace ggsnn::verify::graph {

struct FindOptions {
    Rules rules;
    InterpretLimits limits; // of a run
    long blocks = 40'000;   // run on graphs
    int runs = 60;          // that are tried
    std::uint64_t seed = 1;
};

struct Found {
    Input input;
    Run run;
};

// Nothing: no error was found within the limits.
std::optional<Found> find_error(const Program& program, int main, const FindOptions& options,
                                const Deadline& deadline);

} // namespace ggsnn::verify::graph
