// A page about verified programs, for people: the heaps drawn, each step of the prediction, the proof's
// cases, and a heap that shows what failed.
#pragma once

#include "ggsnn/verify/verify.hpp"

namespace ggsnn::verify {

// Self-contained HTML.
std::string verify_section(const ProgramReport& report); // of one program
std::string verify_page(const std::vector<std::string>& sections);

} // namespace ggsnn::verify
