// Results of the comparison, and their picture.
#pragma once

#include <string>
#include <vector>

namespace ggsnn::bench {

struct Sample {
    double seconds = 0, peak_mb = 0;
};

// A workload in one mode: training or inference (d also: training with low memory).
struct Comparison {
    std::string workload, mode;
    std::string form;           // of the fastest on libtorch
    int threads = 0;            // of it
    Sample ours, theirs;        // medians over the rounds
    std::vector<double> ratios; // theirs / ours, one a round, sorted

    double ratio() const { return ratios[(ratios.size() - 1) / 2]; } // the lower of two in the middle
    double memory_ratio() const { return theirs.peak_mb / ours.peak_mb; }
};

// Bars on a logarithmic scale: how many times faster, and how many times less memory.
std::string draw_comparison(const std::vector<Comparison>& list);

} // namespace ggsnn::bench
