// Which variables still matter at a place: those that some path from there reads before it writes them.
#pragma once

#include "ggsnn/verify/program.hpp"

#include <vector>

namespace ggsnn::verify {

// By block, by variable of the function: at its beginning.
std::vector<std::vector<char>> live_at_blocks(const Function& function);

// Before an instruction, given what is live at the beginnings of blocks.
std::vector<char> live_from(const Function& function, const std::vector<std::vector<char>>& at_blocks,
                            int block, std::size_t instruction);

// By loop, by variable of the function: at its head.
std::vector<std::vector<char>> live_at_heads(const Function& function);

// Parameters that the function gives a new value.
std::vector<char> assigned_parameters(const Function& function);

} // namespace ggsnn::verify
