// Which variables still matter at the head of a loop: those that some path reads before it writes them.
#pragma once

#include "ggsnn/verify/program.hpp"

#include <vector>

namespace ggsnn::verify {

// By loop, by variable of the function.
std::vector<std::vector<char>> live_at_heads(const Function& function);

// Parameters that the function gives a new value.
std::vector<char> assigned_parameters(const Function& function);

} // namespace ggsnn::verify
