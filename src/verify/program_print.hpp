// A program of the intermediate language as text: for tests, and to see what became of a C file.
#pragma once

#include "verify/program.hpp"

#include <string>

namespace ggsnn::verify {

std::string print(const Program& program);
std::string print(const Program& program, const Function& function);
std::string print(const Program& program, const Function& function, const Expression& expression);

} // namespace ggsnn::verify
