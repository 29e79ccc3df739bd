// Calls of small functions replaced by their bodies: functions without loops, without recursion and without a
// specification of their own. What such a function does to the heap is then known exactly, where a contract
// would have to say it.
#pragma once

#include "verify/program.hpp"

namespace ggsnn::verify {

// Functions keep their numbers; those that were inlined are still there. Positions are those of the callee.
Program with_calls_inlined(const Program& program);

} // namespace ggsnn::verify
