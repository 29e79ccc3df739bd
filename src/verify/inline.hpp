// Calls replaced by the bodies of what is called: what a function does to memory is then known exactly, in
// each place where it is called, where a contract would have to say it once for all.
#pragma once

#include "ggsnn/verify/program.hpp"

namespace ggsnn::verify {

// Small functions without loops and without a specification of their own, everywhere. Functions keep their
// numbers; those that were inlined are still there. Positions are those of the callee.
Program with_small_calls_inlined(const Program& program);

// The same, and in the function called `entry` everything that is not recursive, loops included, within
// limits. Calls through pointers become a choice among the functions that may be meant.
Program with_calls_inlined(const Program& program, int entry);

// By function: called, directly or through a pointer, from this one (itself included).
std::vector<char> called_from(const Program& program, int entry);

} // namespace ggsnn::verify
