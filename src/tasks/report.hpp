// The report of `ggsnn reproduce`: one HTML file that needs nothing else, with tables beside the paper's
// figures, learning curves, and what failed.
#pragma once

#include "tasks/experiment.hpp"
#include "tasks/plot.hpp"

namespace ggsnn {

struct SizePoint {           // beyond the paper: a model trained at the usual size, tested on larger graphs
    std::string task, steps; // steps: how the number of propagation steps was chosen
    int scale = 1;
    double accuracy = 0; // percent, mean over folds
};

struct ReportContent {
    std::vector<Row> rows;
    std::vector<SizePoint> sizes;
    std::vector<Chart> charts; // further pictures, with a text each
    std::vector<std::string> captions;
    std::string command; // that made it
    double seconds = 0;
};

std::string make_report(const ReportContent& content);

} // namespace ggsnn
