// The whole program on memory graphs: every loop's head gets a set of graphs that describes all memories that
// arrive there. The set is found by running and folding, and it is an invariant because running from it once
// more adds nothing. From `main`, calls are entered; recursion that does not end is not followed.
#pragma once

#include "ggsnn/verify/graph/executor.hpp"
#include "ggsnn/verify/graph/fold.hpp"
#include "ggsnn/verify/prove/deadline.hpp"

#include <map>

namespace ggsnn::verify::graph {

struct AnalysisOptions {
    Rules rules;
    int states = 1500;       // at one place
    long blocks = 2'000'000; // run, all in all
};

struct LoopStates {
    int function = -1, block = 0;
    Position position;
    std::vector<State> states;
};

struct Analysis {
    bool proved = false;
    Trouble trouble; // otherwise
    std::vector<LoopStates> loops;
    std::set<std::string> assumptions;
    long blocks = 0; // that were run
};

const std::vector<Policy>& policies();

// Tries policies one by one, from the coarsest on.
Analysis analyse(const Program& program, int main, const AnalysisOptions& options, const Deadline& deadline);

// A function under its written contract, calls by theirs.
Analysis analyse_under(const Program& program, int function, const WrittenContract& contract,
                       const AnalysisOptions& options, const Deadline& deadline);

// A function from given starts, calls entered: every access safe, nothing of its own lost.
Analysis analyse_from(const Program& program, const std::vector<State>& starts,
                      const AnalysisOptions& options, const Deadline& deadline);

Analysis analyse_with(const Program& program, int main, const AnalysisOptions& options, const Policy& policy,
                      const Deadline& deadline);

} // namespace ggsnn::verify::graph
