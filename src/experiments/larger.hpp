// Beyond the paper: larger graphs than trained on. Six graph algorithms learned on graphs of 16 nodes and
// asked about graphs of up to 1,600, with hints and from answers alone; shortest paths and Eulerian circuits
// learned at 1 to 3 times the usual size and asked at up to 100 times. Networks of kind stepper, one recipe.
#pragma once

#include "ggsnn/experiments/jobs.hpp"

namespace ggsnn {

struct LargerOptions {
    std::string folder; // of the report
    std::uint64_t seed = 1;
    std::vector<int> folds = {1, 2, 3};
    bool quick = false;                  // sizes up to ten times, and a few graphs of each
    std::vector<std::string> tasks = {}; // empty: all
    long updates = 0;                    // of a run; 0: as the recipe says
};

// Trains and tests, and keeps a section of the report. What is finished in the folder is not computed again.
void run_larger(const LargerOptions& options, ThreadPool& pool, Progress& progress, Ranks* ranks = nullptr);

} // namespace ggsnn
