// `ggsnn reproduce programs`: every C file of a folder and of its folder `broken` verified, held to the
// outcome that its first line expects (`// expect: proved`, `// expect: unsafe: REASON`), as a section of the
// report. The paper's seven programs are also held to the invariants of its table 4.
#pragma once

#include "ggsnn/base/progress.hpp"

#include <string>

namespace ggsnn::verify {

// Throws Error if the folder has no C files, or the program was built without the C front end.
void run_programs_experiment(const std::string& report_folder, const std::string& programs,
                             Progress& progress);

} // namespace ggsnn::verify
