// The operators of the intermediate language on concrete values: numbers of a width with bits that may be
// unknown (memory never written; a bit field beside it), and pointers, as far as blocks have no addresses:
// what depends on an address itself is refused.
#pragma once

#include "ggsnn/verify/program.hpp"
#include "ggsnn/verify/run/memory.hpp"

#include <string>

namespace ggsnn::verify {

struct Outcome {
    Value value;
    std::string refused;    // why there is no value
    std::string division;   // an error, in words
    bool uncertain = false; // another run may have another value: it depends on where blocks are
};

Outcome compute(Operator op, int bits, int from_bits, const Value& a, const Value& b, const Memory& memory);

// Address arithmetic. REQUIRES that by is exact.
Value moved_by(const Value& a, std::int64_t by, int bits);

} // namespace ggsnn::verify
