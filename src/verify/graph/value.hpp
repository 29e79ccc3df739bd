// Values in memory graphs: a number, an address, a function, or something unknown that has a name (a symbol).
// A number may have a symbolic part, scale times a symbol; so may the offset of an address.
#pragma once

#include "ggsnn/verify/prove/value.hpp" // Interval

#include <compare>
#include <cstdint>

namespace ggsnn::verify::graph {

// Which node of an object an address leads to: of a list segment its first or last one; in what belongs to
// each node of a segment, that node itself.
enum class Place : std::uint8_t { node, first, last, own };

struct Value {
    enum class Base : std::uint8_t { nothing, number, object, function };
    Base base = Base::nothing; // nothing: no value is known, and two of them need not be the same
    Place place = Place::node;
    int id = -1;     // object: its number; function: Program::functions, `outside`: free, or see `given`
    int symbol = -1; // number, object: plus scale * symbol
    std::int64_t scale = 0, offset = 0;

    bool known() const { return base != Base::nothing; }
    bool is_number() const { return base == Base::number && symbol < 0; }
    bool is_number(std::int64_t n) const { return is_number() && offset == n; }
    bool is_address() const { return base == Base::object; }
    bool is_symbol() const { return base == Base::number && symbol >= 0 && scale == 1 && offset == 0; }
    auto operator<=>(const Value&) const = default;

    static Value number(std::int64_t n) { return {Base::number, Place::node, -1, -1, 0, n}; }
    static Value of_symbol(int s) { return {Base::number, Place::node, -1, s, 1, 0}; }
    static Value address(int object, std::int64_t offset, Place place = Place::node) {
        return {Base::object, place, object, -1, 0, offset};
    }
    static constexpr int outside = -2;
    // What the caller passed as this parameter of the outermost function, a pointer to a function: not NULL;
    // which function it is, and whether it is another one than others, is not known.
    static Value given(int parameter) { return function(outside - 1 - parameter); }
    bool is_given() const { return base == Base::function && id < outside; }
    int given_as() const { return outside - 1 - id; } // REQUIRES is_given()
    static Value function(int f) { return {Base::function, Place::node, f, -1, 0, 0}; }
};

} // namespace ggsnn::verify::graph
