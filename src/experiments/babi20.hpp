// Beyond the paper: the bAbI tasks in English (Weston et al. 2015), as text, 1,000 questions a task to train
// on and as many to test. One recipe for all tasks, a network a task, and nothing but questions and answers
// to learn from: supporting lines are not looked at.
#pragma once

#include "ggsnn/experiments/jobs.hpp"

namespace ggsnn {

struct Babi20Options {
    std::string data;   // folder with T_train.txt and T_test.txt, or with folders of them
    std::string folder; // of the report
    std::uint64_t seed = 1;
};

// Trains and tests every task that is there, and keeps a section of the report. What is finished in the
// folder is not computed again. Throws Error where the folder holds no task.
void run_babi20(const Babi20Options& options, ThreadPool& pool, Progress& progress, Ranks* ranks = nullptr);

} // namespace ggsnn
