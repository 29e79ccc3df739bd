// What a verdict depends on, as text to be hashed: everything of the intermediate language that can have a
// say. A field that is added to a structure of program.hpp does not compile here until it is written down.
#pragma once

#include "ggsnn/verify/program.hpp"

#include <set>
#include <string>

namespace ggsnn::verify {

// All of the program, with positions as they stand.
std::string digest_of(const Program& program);

// A function with all that it may come to run, types and globals. Lines are counted from the beginning of
// their function, and texts and other constants are written where they are used, so that what happens
// elsewhere in the file changes nothing. REQUIRES a program without written contracts.
std::string digest_of(const Program& program, int function);

// Functions that it speaks of, in source order.
std::vector<int> dependencies_of(const Program& program, int function);

// This program: the hash that the linker has put into it, or one of its file.
std::string build_id();

} // namespace ggsnn::verify
