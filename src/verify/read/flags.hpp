// Flags of the compiler: which ones have a meaning for verification.
#pragma once

#include <string>
#include <vector>

namespace ggsnn::verify {

// Throws Error that names the first flag that is not understood.
void check_flags(const std::vector<std::string>& flags);

// Those of a whole command line that are understood, the file's name and what is only about warnings, output
// and optimisation left out; what else is left out is added to `others`.
std::vector<std::string> known_flags(const std::vector<std::string>& command,
                                     std::vector<std::string>& others);

// The words of a command line as a shell takes them apart: quotes and backslashes.
std::vector<std::string> split_command(const std::string& command);

} // namespace ggsnn::verify
