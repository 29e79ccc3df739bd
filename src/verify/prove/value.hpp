// Values on a path. A term is one fixed but perhaps unknown value: NULL, a number other than 0 in decimal, a
// function `&3`, or a logical name `@12`. The number 0 is NULL: numbers and addresses share their facts. A
// value is a term, or an address made from one: offset bytes behind it, and index times scale more.
#pragma once

#include "ggsnn/logic/formula.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

namespace ggsnn::verify {

using TermName = std::string;
using Names = std::map<std::string, TermName>; // what the free names of a formula stand for

bool is_number(const TermName& term); // NULL is the number 0
TermName number_term(std::int64_t number);
std::optional<std::int64_t> number_of(const TermName& term);
bool is_function(const TermName& term);
TermName function_term(int function);
int function_of(const TermName& term); // REQUIRES is_function
// A number or a function: two different ones are never equal.
inline bool is_constant(const TermName& term) {
    return is_number(term) || is_function(term);
}

struct SymbolicValue {
    TermName term; // empty: no value yet
    std::int64_t offset = 0;
    TermName index; // empty: none
    std::int64_t scale = 0;
    bool undetermined = false; // read from memory that was never written

    bool plain() const { return offset == 0 && index.empty(); }
    bool empty() const { return term.empty(); }
    bool operator==(const SymbolicValue&) const = default;
};

SymbolicValue value_of(const TermName& term);
// Nothing unless it is plain, and a number.
std::optional<std::int64_t> plain_number(const SymbolicValue& value);
inline SymbolicValue value_of(std::int64_t number) {
    return value_of(number_term(number));
}
// A name for the value in formulas: the term itself if it is plain; else an opaque name, the same for the
// same value, that value_of() takes apart again.
TermName name_of_value(const SymbolicValue& value);

// Bounds of a number, both included.
struct Interval {
    std::int64_t low = std::numeric_limits<std::int64_t>::min();
    std::int64_t high = std::numeric_limits<std::int64_t>::max();

    bool empty() const { return low > high; }
    bool contains(std::int64_t n) const { return low <= n && n <= high; }
    bool inside(const Interval& other) const { return other.low <= low && high <= other.high; }
    bool operator==(const Interval&) const = default;
    static Interval of_bits(int bits); // signed; one bit: 0 or 1
};

} // namespace ggsnn::verify
