// Beyond the paper: what networks trained on its sizes do on graphs 2, 5 and 10 times larger.
#pragma once

#include "ggsnn/experiments/experiment.hpp"

namespace ggsnn {

struct SizePoint {
    std::string task, how; // how: what was done for larger graphs
    int scale = 1;
    std::vector<double> folds; // accuracy in percent
    double seconds = 0;        // of testing, all folds

    double mean() const { return mean_of(folds); }
};

// `as trained`; `steps chosen`: the number of propagation steps that does best on 50 other graphs of that
// size; for circuits also `observed`: trained with observed annotations. Uses the networks that
// run_experiment left in the cache, and trains those that are missing. Throws Interrupted.
void run_sizes(const ExperimentOptions& options, ThreadPool& pool, Progress& progress,
               Ranks* ranks = nullptr);

// All that is finished in the cache, as finished_rows.
std::vector<SizePoint> finished_sizes(const ExperimentOptions& options);

// Elements of results.json: as those of the tables, with `how` and `scale` beside; the task is named with
// its scale, such as "babi15 x 10".
Json to_json(const std::vector<SizePoint>& points);

} // namespace ggsnn
