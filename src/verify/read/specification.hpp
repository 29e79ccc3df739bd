// Specifications: formulas in comments and in files of their own, parsed, checked for names, and attached to
// the functions and loops they speak of.
#pragma once

#include "ggsnn/verify/program.hpp"
#include "ggsnn/verify/read/compile.hpp"

#include <string_view>

namespace ggsnn::verify {

// False: neither the text nor what it includes from beside it can have any.
bool may_have_specifications(const Source& source);

// From the text that the preprocessor leaves, comments included. Throws Error with file:line:column.
void read_comments(std::string_view preprocessed, Program& program);

} // namespace ggsnn::verify
