#include "ggsnn/verify/run/compute.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/verify/operators.hpp"

#include <algorithm>
#include <limits>

namespace ggsnn::verify {

namespace {

using Kind = Value::Kind;

constexpr std::int64_t heap_alignment = 16; // of what malloc gives

bool is_conversion(Operator op) {
    return op >= Operator::truncate;
}
bool is_address(const Value& v) {
    return v.kind == Kind::pointer || v.kind == Kind::function;
}

// A number as bits: which ones are unknown, and the others.
struct Bits {
    std::uint64_t known = 0, unknown = 0;

    Bits(const Value& v, int width) {
        const std::uint64_t all = low_bits(-1, width);
        unknown = v.kind == Kind::undetermined ? all : v.unknown & all;
        known = v.kind == Kind::undetermined ? 0 : low_bits(v.number, width) & ~unknown;
    }
    bool exact() const { return unknown == 0; }
    std::uint64_t ones() const { return known | unknown; } // that may be
};

Outcome of(const Value& value) {
    return {value, {}, {}, false};
}
Outcome refusal(const std::string& why) {
    return {{}, why, {}, false};
}
Outcome truth(bool holds) {
    return of(Value::of_bits(holds ? 1 : 0, 0, 1));
}

Outcome shifted(Operator op, int bits, const Bits& a, const Bits& b) {
    if (!b.exact() || b.known >= static_cast<std::uint64_t>(bits)) return {}; // too far: no value
    const auto by = static_cast<int>(b.known);
    if (op == Operator::shl) return of(Value::of_bits(a.known << by, a.unknown << by, bits));
    if (op == Operator::lshr) return of(Value::of_bits(a.known >> by, a.unknown >> by, bits));
    const auto known = static_cast<std::uint64_t>(sign_extended(a.known, bits) >> by);
    const auto unknown = static_cast<std::uint64_t>(sign_extended(a.unknown, bits) >> by);
    return of(Value::of_bits(known & ~unknown, unknown, bits));
}

Outcome divided(Operator op, int bits, const Bits& a, const Bits& b) {
    if (b.exact() && b.known == 0) return {{}, {}, "the divisor is 0", false};
    if (!a.exact() || !b.exact()) return {};
    if (op == Operator::udiv) return of(Value::of_bits(a.known / b.known, 0, bits));
    if (op == Operator::urem) return of(Value::of_bits(a.known % b.known, 0, bits));
    const std::int64_t x = sign_extended(a.known, bits), y = sign_extended(b.known, bits);
    if (y == -1 && a.known == std::uint64_t{1} << (bits - 1))
        return {{}, {}, "the least number is divided by -1", false};
    const std::int64_t result = y == -1                ? (op == Operator::sdiv ? -x : 0)
                                : op == Operator::sdiv ? x / y
                                                       : x % y;
    return of(Value::of_bits(static_cast<std::uint64_t>(result), 0, bits));
}

Outcome binary(Operator op, int bits, const Bits& a, const Bits& b) {
    const bool exact = a.exact() && b.exact();
    switch (op) {
    case Operator::add:
        return exact ? of(Value::of_bits(a.known + b.known, 0, bits)) : Outcome{};
    case Operator::sub:
        return exact ? of(Value::of_bits(a.known - b.known, 0, bits)) : Outcome{};
    case Operator::mul:
        return exact ? of(Value::of_bits(a.known * b.known, 0, bits)) : Outcome{};
    case Operator::and_:
        return of(Value::of_bits(a.known & b.known, (a.unknown & b.ones()) | (b.unknown & a.ones()), bits));
    case Operator::or_:
        return of(Value::of_bits(a.known | b.known, (a.unknown & ~b.known) | (b.unknown & ~a.known), bits));
    case Operator::xor_:
        return of(Value::of_bits(a.known ^ b.known, a.unknown | b.unknown, bits));
    case Operator::shl:
    case Operator::lshr:
    case Operator::ashr:
        return shifted(op, bits, a, b);
    case Operator::udiv:
    case Operator::sdiv:
    case Operator::urem:
    case Operator::srem:
        return divided(op, bits, a, b);
    default:
        return refusal("an operator that is not followed");
    }
}

bool ordered(Operator op, std::uint64_t a, std::uint64_t b, std::int64_t sa, std::int64_t sb) {
    switch (op) {
    case Operator::equal:
        return a == b;
    case Operator::not_equal:
        return a != b;
    case Operator::ult:
        return a < b;
    case Operator::ule:
        return a <= b;
    case Operator::ugt:
        return a > b;
    case Operator::uge:
        return a >= b;
    case Operator::slt:
        return sa < sb;
    case Operator::sle:
        return sa <= sb;
    case Operator::sgt:
        return sa > sb;
    default:
        return sa >= sb;
    }
}

Outcome compared(Operator op, int bits, const Bits& a, const Bits& b) {
    if (a.exact() && b.exact())
        return truth(
            ordered(op, a.known, b.known, sign_extended(a.known, bits), sign_extended(b.known, bits)));
    const bool differ = ((a.known ^ b.known) & ~a.unknown & ~b.unknown) != 0;
    if (differ && op == Operator::equal) return truth(false);
    if (differ && op == Operator::not_equal) return truth(true);
    return {};
}

Outcome converted(Operator op, int bits, int from_bits, const Bits& a) {
    if (op == Operator::sign_extend)
        return of(Value::of_bits(static_cast<std::uint64_t>(sign_extended(a.known, from_bits)),
                                 static_cast<std::uint64_t>(sign_extended(a.unknown, from_bits)), bits));
    return of(Value::of_bits(a.known, a.unknown, bits));
}

bool inside(const Value& v, const Memory& memory) {
    const MemoryBlock& b = memory.block(v.block);
    return v.number >= 0 && v.number < b.size;
}

// Whether the block is where it is for as long as the program runs, apart from every other one.
bool settled(const Value& v, const Memory& memory) {
    const MemoryBlock& b = memory.block(v.block);
    return b.state == MemoryBlock::State::live && inside(v, memory) &&
           !(b.constant && b.kind == MemoryBlock::Kind::statics); // equal constants may share memory
}

// Both are addresses, or one is and the other is a number.
Outcome compared_addresses(Operator op, const Value& a, const Value& b, const Memory& memory) {
    const bool equality = op == Operator::equal || op == Operator::not_equal;
    if (a.kind == b.kind && a.block == b.block) {
        if (a.kind == Kind::function)
            return equality ? truth(op == Operator::equal) : refusal("compares addresses of functions");
        const auto x = static_cast<std::uint64_t>(a.number), y = static_cast<std::uint64_t>(b.number);
        const bool outside = a.number < 0 || b.number < 0;
        if (!equality && outside) return refusal("compares addresses outside of their block");
        return truth(ordered(op, x, y, a.number, b.number));
    }
    const auto of_null = [&](const Value& v, const Value& other) {
        return other.is_null() && (v.kind == Kind::function || v.number >= 0);
    };
    if (of_null(a, b)) return truth(ordered(op, 1, 0, 1, 0));
    if (of_null(b, a)) return truth(ordered(op, 0, 1, 0, 1));
    if (!equality) return refusal("compares addresses of different blocks by order");
    Outcome result = truth(op == Operator::not_equal);
    for (const Value* v : {&a, &b})
        if (v->kind == Kind::pointer && !settled(*v, memory)) result.uncertain = true;
    return result;
}

// Tags in the low bits of addresses from malloc: p | 1, p & 7, p & -8.
Outcome tagged(Operator op, const Value& a, const Bits& b, int bits, const Memory& memory) {
    const std::int64_t mask = sign_extended(b.known, bits);
    const bool aligned = a.kind == Kind::pointer && memory.block(a.block).kind == MemoryBlock::Kind::heap &&
                         a.block > 0 && b.exact();
    const std::int64_t low = a.number & (heap_alignment - 1);
    if (aligned && op == Operator::and_ && mask >= 0 && mask < heap_alignment)
        return of(Value::of_number(low & mask));
    if (aligned && op == Operator::and_ && mask < 0 && mask >= -heap_alignment)
        return of(Value::of_pointer(a.block, a.number - (low & ~mask)));
    if (aligned && op == Operator::or_ && mask >= 0 && mask < heap_alignment)
        return of(Value::of_pointer(a.block, a.number + (mask & ~low)));
    return refusal("computes with the bits of an address");
}

Outcome on_addresses(Operator op, int bits, const Value& a, const Value& b, const Memory& memory) {
    if (is_comparison(op)) {
        if ((!is_address(a) && !a.exact()) || (!is_address(b) && !b.exact())) return {};
        return compared_addresses(op, a, b, memory);
    }
    const bool both = is_address(a) && is_address(b);
    if (both && op == Operator::sub && a.kind == b.kind && a.block == b.block)
        return of(Value::of_bits(static_cast<std::uint64_t>(a.number - b.number), 0, bits));
    if (both) return refusal("computes with the addresses of different blocks");
    const Value& address = is_address(a) ? a : b;
    const Value& other = is_address(a) ? b : a;
    const Bits number(other, bits);
    if ((op == Operator::add || (op == Operator::sub && is_address(a))) && number.exact()) {
        const std::int64_t by = sign_extended(number.known, bits);
        return of(moved_by(address, op == Operator::add ? by : sign_extended(0 - number.known, bits), bits));
    }
    if ((op == Operator::or_ || op == Operator::xor_ || op == Operator::add || op == Operator::sub) &&
        number.exact() && number.known == 0 && is_address(a))
        return of(address);
    if (op == Operator::and_ || op == Operator::or_) return tagged(op, address, number, bits, memory);
    return refusal("computes with the bits of an address");
}

} // namespace

Value moved_by(const Value& a, std::int64_t by, int bits) {
    if (by == 0) return a;
    if (a.kind == Kind::pointer)
        return Value::of_pointer(
            a.block,
            sign_extended(static_cast<std::uint64_t>(a.number) + static_cast<std::uint64_t>(by), bits));
    if (a.exact())
        return Value::of_bits(static_cast<std::uint64_t>(a.number) + static_cast<std::uint64_t>(by), 0, bits);
    return {};
}

Outcome compute(Operator op, int bits, int from_bits, const Value& a, const Value& b, const Memory& memory) {
    if (op == Operator::same) return of(a);
    if (a.kind == Kind::part || (!is_conversion(op) && b.kind == Kind::part))
        return refusal("computes with a part of an address");
    if (is_conversion(op)) {
        if (is_address(a)) return bits == from_bits ? of(a) : refusal("cuts an address to another width");
        return converted(op, bits, from_bits, Bits(a, from_bits));
    }
    if (is_address(a) || is_address(b)) return on_addresses(op, bits, a, b, memory);
    if (is_comparison(op)) return compared(op, bits, Bits(a, bits), Bits(b, bits));
    return binary(op, bits, Bits(a, bits), Bits(b, bits));
}

} // namespace ggsnn::verify
