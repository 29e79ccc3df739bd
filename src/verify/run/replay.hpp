// A run as a C program: it includes the file, builds the input, defines the functions whose results were
// drawn so that they give the same again, and calls the function under study. Compiled with
// -fsanitize=address,undefined it fails where the run did.
#pragma once

#include "ggsnn/verify/program.hpp"
#include "ggsnn/verify/run/interpret.hpp"

#include <string>

namespace ggsnn::verify {

// Throws Error where this cannot be done: a run with guesses, or a path that #include cannot name.
std::string replay_text(const Program& program, int function, const Input& input, const Run& run);

} // namespace ggsnn::verify
