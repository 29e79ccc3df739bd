// `ggsnn reproduce heap`: the paper's section 5 as an experiment. Makes the data, trains both models,
// measures them and the baselines on formulas that training never saw, and keeps a section for the report.
#pragma once

#include "ggsnn/base/progress.hpp"
#include "ggsnn/base/threads.hpp"

#include <cstdint>
#include <string>

namespace ggsnn::shapes {

struct HeapExperiment {
    std::string folder; // of the report; data, models and finished measurements are kept there
    bool quick = false; // the shipped models instead of training, and fewer heaps
    std::uint64_t seed = 1;
};

// A second call goes on where an interrupted one stopped. Throws Interrupted, Error.
void run_heap_experiment(const HeapExperiment& experiment, ThreadPool& pool, Progress& progress);

} // namespace ggsnn::shapes
