// The C programs that `reproduce programs` verifies when no folder is named.
#pragma once

#include <string>

namespace ggsnn {

// Where they were installed, seen from this executable; else the source folder it was built from. Throws
// Error with both if neither is there.
std::string programs_folder();

} // namespace ggsnn
