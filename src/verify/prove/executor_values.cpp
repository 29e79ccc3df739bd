// Values of instructions that do not touch memory. Numbers are followed as constants, by their bounds, and as
// another number plus a constant; what is not followed is a fresh number of the width.
#include "ggsnn/verify/operators.hpp"
#include "ggsnn/verify/prove/executor.hpp"

#include <algorithm>
#include <array>

namespace ggsnn::verify {

namespace {

__extension__ typedef __int128 Wide; // ISO C++ has none

std::int64_t wrapped(Wide n, int bits) {
    const auto low = static_cast<std::uint64_t>(n);
    if (bits == 1) return static_cast<std::int64_t>(low & 1U);
    if (bits >= 64) return static_cast<std::int64_t>(low);
    const int unused = 64 - bits;
    return static_cast<std::int64_t>(low << unused) >> unused;
}

std::uint64_t unsigned_of(std::int64_t n, int bits) {
    const auto all = static_cast<std::uint64_t>(n);
    return bits >= 64 ? all : all & ((std::uint64_t{1} << bits) - 1);
}

// Exact; nothing where C has no answer.
std::optional<std::int64_t> of_numbers(Operator op, int bits, std::int64_t a, std::int64_t b) {
    const std::uint64_t ua = unsigned_of(a, bits), ub = unsigned_of(b, bits);
    switch (op) {
    case Operator::add:
        return wrapped(Wide(a) + b, bits);
    case Operator::sub:
        return wrapped(Wide(a) - b, bits);
    case Operator::mul:
        return wrapped(Wide(a) * b, bits);
    case Operator::udiv:
        if (ub == 0) return std::nullopt;
        return wrapped(static_cast<Wide>(ua / ub), bits);
    case Operator::urem:
        if (ub == 0) return std::nullopt;
        return wrapped(static_cast<Wide>(ua % ub), bits);
    case Operator::sdiv:
        if (b == 0) return std::nullopt;
        return wrapped(Wide(a) / b, bits);
    case Operator::srem:
        if (b == 0) return std::nullopt;
        return wrapped(Wide(a) % b, bits);
    case Operator::shl:
        if (ub >= static_cast<std::uint64_t>(bits)) return std::nullopt;
        return wrapped(static_cast<Wide>(ua << ub), bits);
    case Operator::lshr:
        if (ub >= static_cast<std::uint64_t>(bits)) return std::nullopt;
        return wrapped(static_cast<Wide>(ua >> ub), bits);
    case Operator::ashr:
        if (ub >= static_cast<std::uint64_t>(bits)) return std::nullopt;
        return wrapped(a >> ub, bits);
    case Operator::and_:
        return wrapped(a & b, bits);
    case Operator::or_:
        return wrapped(a | b, bits);
    case Operator::xor_:
        return wrapped(a ^ b, bits);
    default:
        return std::nullopt;
    }
}

bool truth_of(Operator op, std::int64_t a, std::int64_t b) {
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    switch (op) {
    case Operator::equal:
        return a == b;
    case Operator::not_equal:
        return a != b;
    case Operator::ult: // sign-extended numbers of one width keep their unsigned order
        return ua < ub;
    case Operator::ule:
        return ua <= ub;
    case Operator::ugt:
        return ua > ub;
    case Operator::uge:
        return ua >= ub;
    case Operator::slt:
        return a < b;
    case Operator::sle:
        return a <= b;
    case Operator::sgt:
        return a > b;
    default:
        return a >= b;
    }
}

} // namespace

SymbolicValue Executor::evaluate(SymbolicState& state, const Operand& operand) const {
    switch (operand.kind) {
    case Operand::Kind::variable:
        return state.value(operand.index);
    case Operand::Kind::number:
        return value_of(operand.number);
    case Operand::Kind::global: {
        SymbolicValue value = value_of(state.globals[static_cast<std::size_t>(operand.index)]);
        if (value.empty()) return value_of(state.fresh());
        value.offset = operand.number;
        return value;
    }
    case Operand::Kind::function:
        if (operand.index >= 0) return value_of(function_term(operand.index));
        break;
    default:
        break;
    }
    return value_of(state.fresh());
}

Interval Executor::range(const SymbolicState& state, const SymbolicValue& value) const {
    if (!value.index.empty()) return {};
    const Interval r = state.range(value.term);
    if (value.offset == 0) return r;
    Interval moved_range;
    if (r.low == Interval{}.low || r.high == Interval{}.high) return moved_range;
    if (__builtin_add_overflow(r.low, value.offset, &moved_range.low) ||
        __builtin_add_overflow(r.high, value.offset, &moved_range.high))
        return {};
    return moved_range;
}

SymbolicValue Executor::moved(SymbolicState& state, const SymbolicValue& base, std::int64_t bytes) const {
    if (bytes == 0) return base;
    if (const auto n = number_of(base.term); n && base.plain())
        return value_of(wrapped(Wide(*n) + bytes, 64));
    SymbolicValue value = base;
    if (__builtin_add_overflow(base.offset, bytes, &value.offset)) return value_of(state.fresh());
    return value;
}

SymbolicValue Executor::moved(SymbolicState& state, const SymbolicValue& base, const SymbolicValue& index,
                              std::int64_t scale) const {
    if (const auto n = number_of(index.term); n && index.plain()) {
        std::int64_t bytes = 0;
        if (__builtin_mul_overflow(*n, scale, &bytes)) return value_of(state.fresh());
        return moved(state, base, bytes);
    }
    if (!index.index.empty()) return value_of(state.fresh());
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(index.offset, scale, &bytes)) return value_of(state.fresh());
    SymbolicValue value = moved(state, base, bytes);
    if (value.index.empty()) {
        value.index = index.term;
        value.scale = scale;
        return value;
    }
    if (value.index == index.term) {
        value.scale += scale;
        return value;
    }
    // Two numbers that are not known: one, with bounds.
    const Interval x = state.range(value.index), y = state.range(index.term);
    constexpr std::int64_t large = std::int64_t{1} << 31;
    const bool small = x.low > -large && x.high < large && y.low > -large && y.high < large &&
                       std::abs(value.scale) < large && std::abs(scale) < large;
    if (!small) return value_of(state.fresh());
    const auto [xl, xh] = std::minmax({x.low * value.scale, x.high * value.scale});
    const auto [yl, yh] = std::minmax({y.low * scale, y.high * scale});
    value.index = state.fresh_number({xl + yl, xh + yh});
    value.scale = 1;
    return value;
}

SymbolicValue Executor::compute(SymbolicState& state, const Instruction& i, const SymbolicValue& a,
                                const SymbolicValue& b) const {
    if (is_comparison(i.op)) return compare(state, i.op, i.bits, a, b);
    switch (i.op) {
    case Operator::truncate:
    case Operator::zero_extend:
    case Operator::sign_extend:
    case Operator::same:
        return converted(state, i.op, i.from_bits, i.bits, a);
    default:
        return arithmetic(state, i.op, i.bits, a, b);
    }
}

SymbolicValue Executor::converted(SymbolicState& state, Operator op, int from, int to,
                                  const SymbolicValue& a) const {
    if (op == Operator::same) return a;
    const Interval r = range(state, a);
    const auto n = plain_number(a);
    if (op == Operator::sign_extend) {
        if (from != 1) return a;
        if (n) return value_of(*n != 0 ? -1 : 0);
        return value_of(state.fresh_number({-1, 0}));
    }
    if (op == Operator::zero_extend) {
        if (n) return value_of(static_cast<std::int64_t>(unsigned_of(*n, from)));
        if (r.low >= 0) return a;
        if (from >= 63) return value_of(state.fresh());
        return value_of(state.fresh_number({0, static_cast<std::int64_t>((std::uint64_t{1} << from) - 1)}));
    }
    if (n) return value_of(wrapped(*n, to));
    if (r.inside(Interval::of_bits(to)) && r != Interval{}) return a;
    return value_of(state.fresh_number(Interval::of_bits(to)));
}

SymbolicValue Executor::arithmetic(SymbolicState& state, Operator op, int bits, const SymbolicValue& a,
                                   const SymbolicValue& b) const {
    const auto x = plain_number(a);
    const auto y = plain_number(b);
    const Interval whole = Interval::of_bits(bits);
    const auto any = [&] { return value_of(state.fresh_number(whole)); };
    const auto bounded = [&](Wide low, Wide high) {
        if (low < whole.low || high > whole.high) return any();
        return value_of(
            state.fresh_number({static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)}));
    };
    if (x && y) {
        const auto n = of_numbers(op, bits, *x, *y);
        return n ? value_of(*n) : any();
    }
    if (op == Operator::xor_ && bits == 1 && (x || y)) { // not
        const SymbolicValue& other = x ? b : a;
        if ((x ? *x : *y) == 0) return other;
        if (const Comparison* known = other.plain() ? state.comparison(other.term) : nullptr) {
            Comparison turned = *known;
            turned.op = negated(turned.op);
            return value_of(state.compared(turned));
        }
        return value_of(state.compared({Operator::equal, other, value_of(0), 1}));
    }
    const Interval r = range(state, a), s = range(state, b);
    const bool known = r != Interval{} && s != Interval{};
    switch (op) {
    case Operator::add:
    case Operator::sub: {
        // An address, or a number that cannot leave its width, plus a constant.
        const bool minus = op == Operator::sub;
        if (y || (x && !minus)) {
            const SymbolicValue& base = y ? a : b;
            const std::int64_t bytes = y ? (minus ? -*y : *y) : *x;
            const Interval old = range(state, base);
            const bool address = state.block_at(base.term) >= 0;
            const bool fits = old != Interval{} && Wide(old.low) + bytes >= whole.low &&
                              Wide(old.high) + bytes <= whole.high;
            if (address ? bits == 8 * program_.pointer_bytes : fits) return moved(state, base, bytes);
        }
        if (minus && a.term == b.term && a.index.empty() && b.index.empty())
            return value_of(wrapped(Wide(a.offset) - b.offset, bits));
        if (!known) return any();
        return minus ? bounded(Wide(r.low) - s.high, Wide(r.high) - s.low)
                     : bounded(Wide(r.low) + s.low, Wide(r.high) + s.high);
    }
    case Operator::mul: {
        if (!known) return any();
        const std::array<Wide, 4> all{Wide(r.low) * s.low, Wide(r.low) * s.high, Wide(r.high) * s.low,
                                      Wide(r.high) * s.high};
        return bounded(*std::min_element(all.begin(), all.end()), *std::max_element(all.begin(), all.end()));
    }
    case Operator::and_:
        if (r.low >= 0 && s.low >= 0) return bounded(0, std::min(r.high, s.high));
        if (r.low >= 0) return bounded(0, r.high);
        if (s.low >= 0) return bounded(0, s.high);
        return any();
    case Operator::or_:
    case Operator::xor_:
        if (r.inside({0, 1}) && s.inside({0, 1})) return bounded(0, 1);
        return any();
    case Operator::urem:
        if (r.low >= 0 && s.low > 0) return bounded(0, std::min(r.high, s.high - 1));
        if (y && *y > 0) return bounded(0, *y - 1);
        return any();
    case Operator::srem:
        if (y && *y != 0 && *y != Interval{}.low) {
            const std::int64_t m = std::abs(*y) - 1;
            return bounded(r.low >= 0 ? 0 : -Wide(m), r.high <= 0 ? 0 : m);
        }
        return any();
    case Operator::udiv:
        if (r.low < 0) return any();
        [[fallthrough]];
    case Operator::sdiv:
        if (y && *y > 0 && r != Interval{}) return bounded(r.low / *y, r.high / *y);
        return any();
    case Operator::lshr:
        if (r.low < 0) return any();
        [[fallthrough]];
    case Operator::ashr:
        if (y && *y >= 0 && *y < bits && r != Interval{}) return bounded(r.low >> *y, r.high >> *y);
        return any();
    case Operator::shl:
        if (y && *y >= 0 && *y < 62 && *y < bits && r != Interval{} && r.low >= 0)
            return bounded(Wide(r.low) << *y, Wide(r.high) << *y);
        return any();
    default:
        return any();
    }
}

// ---- comparisons

namespace {

// A place in a live block, not one past its end.
bool inside_block(const SymbolicState& state, const SymbolicValue& v) {
    const int block = v.index.empty() ? state.block_at(v.term) : -1;
    if (block < 0) return false;
    const auto& size = state.blocks[static_cast<std::size_t>(block)].size;
    if (v.offset == 0) return true;
    return size && v.offset > 0 && v.offset < *size;
}

} // namespace

std::optional<bool> Executor::decided(const SymbolicState& state, Operator op, const SymbolicValue& a,
                                      const SymbolicValue& b) const {
    const auto x = plain_number(a);
    const auto y = plain_number(b);
    if (x && y) return truth_of(op, *x, *y);
    const bool equality = op == Operator::equal || op == Operator::not_equal;
    const bool differ = op == Operator::not_equal;
    if (a.term == b.term && a.index == b.index && a.scale == b.scale) {
        if (equality) return (a.offset == b.offset) != differ;
        if (a.offset == b.offset) return truth_of(op, 0, 0);
        const int block = a.index.empty() ? state.block_at(a.term) : -1;
        const auto in = [&](const SymbolicValue& v) {
            const auto& size = state.blocks[static_cast<std::size_t>(block)].size;
            return v.offset >= 0 && size && v.offset <= *size;
        };
        if (block >= 0 && in(a) && in(b)) return truth_of(as_signed(op), a.offset, b.offset);
        const Interval ra = range(state, a), rb = range(state, b);
        if (block < 0 && ra != Interval{} && rb != Interval{} &&
            (!is_unsigned_order(op) || (ra.low >= 0 && rb.low >= 0)))
            return truth_of(as_signed(op), a.offset, b.offset);
        return std::nullopt;
    }
    const bool place_a = inside_block(state, a), place_b = inside_block(state, b);
    if (equality) {
        if ((place_a && place_b) || (place_a && y && *y == 0) || (place_b && x && *x == 0)) return differ;
        if (is_function(a.term) && a.plain() && (y || is_function(b.term)) && b.plain()) return differ;
        if (is_function(b.term) && b.plain() && x) return differ;
        if ((place_a && is_function(b.term)) || (place_b && is_function(a.term))) return differ;
    }
    const Interval r = range(state, a), s = range(state, b);
    if (r == Interval{} || s == Interval{}) return std::nullopt;
    if (equality) return r.high < s.low || s.high < r.low ? std::optional(differ) : std::nullopt;
    Operator o = op;
    if (is_unsigned_order(op)) {
        if (r.low >= 0 && s.low >= 0)
            o = as_signed(op);
        else if (r.high < 0 && s.low >= 0) // unsigned: a is large
            return op == Operator::ugt || op == Operator::uge;
        else if (s.high < 0 && r.low >= 0)
            return op == Operator::ult || op == Operator::ule;
        else
            return std::nullopt;
    }
    switch (o) {
    case Operator::slt:
        if (r.high < s.low) return true;
        return r.low >= s.high ? std::optional(false) : std::nullopt;
    case Operator::sle:
        if (r.high <= s.low) return true;
        return r.low > s.high ? std::optional(false) : std::nullopt;
    case Operator::sgt:
        if (r.low > s.high) return true;
        return r.high <= s.low ? std::optional(false) : std::nullopt;
    default:
        if (r.low >= s.high) return true;
        return r.high < s.low ? std::optional(false) : std::nullopt;
    }
}

SymbolicValue Executor::compare(SymbolicState& state, Operator op, int bits, const SymbolicValue& a,
                                const SymbolicValue& b) const {
    if (const auto truth = decided(state, op, a, b)) return value_of(*truth ? 1 : 0);
    // (a == b) != 0 and the like
    const bool equality = op == Operator::equal || op == Operator::not_equal;
    const auto zero = [](const SymbolicValue& v) { return v.plain() && v.term == logic::null_name; };
    if (equality && zero(b) && a.plain())
        if (const Comparison* inner = state.comparison(a.term)) {
            if (op == Operator::not_equal) return a;
            Comparison turned = *inner;
            turned.op = negated(turned.op);
            return value_of(state.compared(turned));
        }
    return value_of(state.compared({op, a, b, bits}));
}

bool Executor::assume_truth(SymbolicState& state, const SymbolicValue& condition, bool truth) const {
    const auto n = plain_number(condition);
    if (n) return (*n != 0) == truth;
    if (condition.plain())
        if (const Comparison* known = state.comparison(condition.term)) {
            const Comparison comparison = *known;
            return assume_comparison(state, comparison, truth);
        }
    return assume_comparison(state, {Operator::not_equal, condition, value_of(0), 1}, truth);
}

bool Executor::assume_comparison(SymbolicState& state, const Comparison& c, bool truth) const {
    const Operator op = truth ? c.op : negated(c.op);
    if (const auto known = decided(state, op, c.a, c.b)) return *known;
    if (c.a.plain() && c.b.plain() && c.b.term == logic::null_name)
        if (const Comparison* inner = state.comparison(c.a.term);
            inner != nullptr && (op == Operator::equal || op == Operator::not_equal)) {
            const Comparison copy = *inner;
            return assume_comparison(state, copy, op == Operator::not_equal);
        }
    const auto y = plain_number(c.b);
    const auto x = plain_number(c.a);
    const bool simple = c.a.index.empty() && c.b.index.empty();
    if (op == Operator::equal || op == Operator::not_equal) {
        if (!simple) return true;
        // t + k against a number, or two terms with the same offset.
        const bool equal = op == Operator::equal;
        TermName left, right;
        if (c.a.offset == c.b.offset) {
            left = c.a.term;
            right = c.b.term;
        } else if (y && state.block_at(c.a.term) < 0) {
            left = c.a.term;
            right = number_term(wrapped(Wide(*y) - c.a.offset, 64));
        } else if (x && state.block_at(c.b.term) < 0) {
            left = c.b.term;
            right = number_term(wrapped(Wide(*x) - c.b.offset, 64));
        } else {
            return true;
        }
        return equal ? state.assume_equal(left, right) : state.assume_distinct(left, right);
    }
    return assume_order(state, op, c.a, c.b);
}

bool Executor::assume_order(SymbolicState& state, Operator op, const SymbolicValue& a,
                            const SymbolicValue& b) const {
    if (op == Operator::sgt) return assume_order(state, Operator::slt, b, a);
    if (op == Operator::sge) return assume_order(state, Operator::sle, b, a);
    if (op == Operator::ugt) return assume_order(state, Operator::ult, b, a);
    if (op == Operator::uge) return assume_order(state, Operator::ule, b, a);
    const bool strict = op == Operator::slt || op == Operator::ult;
    if (!a.index.empty() || !b.index.empty()) return true;
    Interval r = range(state, a), s = range(state, b);
    if (is_unsigned_order(op)) {
        // Below a number that is not negative there are no negative ones.
        if (s.low < 0) return !strict || !a.plain() || !b.plain() || state.assume_distinct(a.term, b.term);
        r.low = std::max<std::int64_t>(r.low, 0);
    }
    const std::int64_t gap = strict ? 1 : 0;
    if (s.high != Interval{}.high) r.high = std::min(r.high, s.high - gap);
    if (r.low != Interval{}.low) s.low = std::max(s.low, r.low + gap);
    const auto refine = [&](const SymbolicValue& v, Interval bounds) {
        if (is_constant(v.term) || state.block_at(v.term) >= 0) return true;
        if (bounds.low != Interval{}.low && __builtin_sub_overflow(bounds.low, v.offset, &bounds.low))
            return true;
        if (bounds.high != Interval{}.high && __builtin_sub_overflow(bounds.high, v.offset, &bounds.high))
            return true;
        return state.assume_range(v.term, bounds);
    };
    if (r.empty() || s.empty()) return false;
    if (!refine(a, r) || !refine(b, s)) return false;
    if (strict && a.plain() && b.plain() && !(is_constant(a.term) || is_constant(b.term)))
        return state.assume_distinct(a.term, b.term);
    return true;
}

} // namespace ggsnn::verify
