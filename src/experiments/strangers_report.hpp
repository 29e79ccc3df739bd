// `ggsnn reproduce strangers --data DIR`: programs that others wrote, files as they are, held to what their
// authors say of them, as a section of the report. A folder `svcomp` (or DIR itself) with expected.tsv has
// verdicts on memory safety; C files with written contracts (LIG-MM) are expected to keep them.
#pragma once

#include "ggsnn/base/progress.hpp"

#include <string>

namespace ggsnn::verify {

struct StrangersOptions {
    std::string report_folder, data;
    double timeout = 60; // seconds a program
};

// Throws Error if the folder has none of these.
void run_strangers_experiment(const StrangersOptions& options, Progress& progress);

} // namespace ggsnn::verify
