// A program of the intermediate language as text, one line an instruction: for tests, and to see what became
// of a C file.
#pragma once

#include "ggsnn/verify/program.hpp"

#include <string>

namespace ggsnn::verify {

std::string print(const Program& program);
std::string print(const Program& program, const Function& function);
std::string print(const Program& program, const Function& function, const Instruction& instruction);
std::string print(const Program& program, const Function& function, const Operand& operand);
// int32, node *, void *, data64; of a scalar with a record's name: what the text calls it is not kept.
std::string print(const Program& program, const Type& type);

} // namespace ggsnn::verify
