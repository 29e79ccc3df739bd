// The report of `ggsnn reproduce`: one HTML file that needs nothing else, with tables beside the paper's
// figures, learning curves, and what failed.
#pragma once

#include "tasks/experiment.hpp"
#include "tasks/plot.hpp"

namespace ggsnn {

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
