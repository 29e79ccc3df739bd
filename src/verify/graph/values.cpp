// Values of instructions that do not touch memory.
#include "ggsnn/verify/graph/executor.hpp"
#include "ggsnn/verify/operators.hpp"

#include <algorithm>

namespace ggsnn::verify::graph {

namespace {

std::optional<bool> ordered(Operator op, const Interval& a, const Interval& b) {
    switch (op) {
    case Operator::slt:
        if (a.high < b.low) return true;
        if (a.low >= b.high) return false;
        return {};
    case Operator::sle:
        if (a.high <= b.low) return true;
        if (a.low > b.high) return false;
        return {};
    case Operator::sgt:
        return ordered(Operator::slt, b, a);
    case Operator::sge:
        return ordered(Operator::sle, b, a);
    default:
        return {};
    }
}

std::int64_t wrapped(std::int64_t n, int bits) {
    if (bits >= 64 || bits <= 0) return n;
    const auto low = static_cast<std::uint64_t>(n) << (64 - bits);
    if (bits == 1) return static_cast<std::int64_t>(low >> 63);
    return static_cast<std::int64_t>(low) >> (64 - bits);
}

std::uint64_t as_unsigned(std::int64_t n, int bits) {
    return bits >= 64 ? static_cast<std::uint64_t>(n)
                      : static_cast<std::uint64_t>(n) & ((std::uint64_t{1} << bits) - 1);
}

// Two blocks that were there at one time are at different places; memory that was given back is used again.
bool coexisted(const Object& a, const Object& b) {
    return (a.live || b.born < a.died) && (b.live || a.born < b.died);
}

// On plain numbers. REQUIRES a divisor that is not 0.
std::optional<std::int64_t> folded(Operator op, int bits, std::int64_t a, std::int64_t b) {
    const std::uint64_t x = as_unsigned(a, bits), y = as_unsigned(b, bits);
    const auto give = [&](std::uint64_t n) { return wrapped(static_cast<std::int64_t>(n), bits); };
    switch (op) {
    case Operator::add:
        return give(x + y);
    case Operator::sub:
        return give(x - y);
    case Operator::mul:
        return give(x * y);
    case Operator::udiv:
        return give(x / y);
    case Operator::urem:
        return give(x % y);
    case Operator::sdiv:
        return b == -1 ? give(0 - x) : wrapped(a / b, bits);
    case Operator::srem:
        return b == -1 ? 0 : wrapped(a % b, bits);
    case Operator::and_:
        return give(x & y);
    case Operator::or_:
        return give(x | y);
    case Operator::xor_:
        return give(x ^ y);
    default:
        break;
    }
    if (y >= static_cast<std::uint64_t>(bits)) return {};
    if (op == Operator::shl) return give(x << y);
    if (op == Operator::lshr) return give(x >> y);
    if (op == Operator::ashr) return wrapped(a >> y, bits);
    return {};
}

} // namespace

bool Executor::is_release(const std::string& name) {
    const LibraryFunction* f = library_function(name);
    return f != nullptr && f->special == LibraryFunction::Special::release && f->name == "free";
}

Value Executor::evaluate(State& state, const Operand& operand) {
    switch (operand.kind) {
    case Operand::Kind::number:
        return Value::number(operand.number);
    case Operand::Kind::global:
        return Value::address(state.globals[static_cast<std::size_t>(operand.index)], operand.number);
    case Operand::Kind::function:
        if (operand.index >= 0) return Value::function(operand.index);
        return is_release(operand.name) ? Value::function(Value::outside) : state.fresh_value({});
    case Operand::Kind::variable: {
        Value& held = state.frames.back().variables[static_cast<std::size_t>(operand.index)];
        if (!held.known()) {
            const Type& type = function(state).variables[static_cast<std::size_t>(operand.index)].type;
            held = type.kind == Type::Kind::integer ? state.fresh_bits(type.bits) : state.fresh_value({});
        }
        return held;
    }
    default:
        return state.fresh_value({});
    }
}

Executor::Step Executor::compute(State& state, const Instruction& i) {
    const Value a = evaluate(state, i.a);
    Value result;
    if (is_comparison(i.op)) {
        const Value b = evaluate(state, i.b);
        if (const Step step = compare(state, i.op, i.bits, a, b, result); step != Step::next) return step;
    } else if (i.op >= Operator::truncate) {
        result = converted(state, i.op, i.from_bits, i.bits, a);
    } else {
        const Value b = evaluate(state, i.b);
        const bool divides = i.op == Operator::udiv || i.op == Operator::sdiv || i.op == Operator::urem ||
                             i.op == Operator::srem;
        if (divides) {
            const bool zero =
                b.base != Value::Base::number ||
                (state.range(b).contains(0) && !(b.is_symbol() && state.symbol(b.symbol).never.contains(0)));
            const bool signed_ = i.op == Operator::sdiv || i.op == Operator::srem;
            const bool least =
                signed_ && b.base == Value::Base::number && state.range(b).contains(-1) &&
                (a.base != Value::Base::number || state.range(a).contains(Interval::of_bits(i.bits).low));
            if (zero || least)
                return fail(Trouble::Kind::division, i.position, "a division that may not be defined");
        }
        result = arithmetic(state, i.op, i.bits, a, b);
    }
    if (i.target >= 0) state.frames.back().variables[static_cast<std::size_t>(i.target)] = result;
    return Step::next;
}

Value Executor::arithmetic(State& state, Operator op, int bits, const Value& a, const Value& b) {
    if (a.is_number() && b.is_number()) {
        const auto n = folded(op, bits, a.offset, b.offset);
        return n ? Value::number(*n) : state.fresh_bits(bits);
    }
    const auto fits = [&](const Value& v) {
        if (!v.known()) return false;
        if (v.base == Value::Base::object) return bits == 8 * program_.pointer_bytes;
        return v.base == Value::Base::number && state.range(v).inside(Interval::of_bits(bits));
    };
    const bool numbers = a.base == Value::Base::number && b.base == Value::Base::number;
    Value result;
    if (op == Operator::add) {
        result = plus(a, b);
    } else if (op == Operator::sub) {
        if (a.is_address() && b.is_address() && a.id == b.id && a.place == b.place) {
            Value x = a, y = b;
            x.base = y.base = Value::Base::number;
            x.id = y.id = -1;
            x.place = y.place = Place::node;
            result = plus(x, times(y, -1));
        } else if (b.base == Value::Base::number) {
            result = plus(a, times(b, -1));
        }
    } else if (op == Operator::mul && numbers && (a.is_number() || b.is_number())) {
        result = a.is_number() ? times(b, a.offset) : times(a, b.offset);
    } else if (op == Operator::shl && numbers && b.is_number() && b.offset >= 0 && b.offset < 62) {
        result = times(a, std::int64_t{1} << b.offset);
    }
    if (fits(result)) return result;
    if (!numbers) return bits >= 64 ? state.fresh_value({}) : state.fresh_bits(bits);
    // By bounds alone.
    if (op == Operator::add || op == Operator::sub) {
        const Interval x = state.range(a), y = state.range(b);
        Interval sum;
        const bool minus = op == Operator::sub;
        if (!(minus ? __builtin_sub_overflow(x.low, y.high, &sum.low)
                    : __builtin_add_overflow(x.low, y.low, &sum.low)) &&
            !(minus ? __builtin_sub_overflow(x.high, y.low, &sum.high)
                    : __builtin_add_overflow(x.high, y.high, &sum.high)) &&
            sum.inside(Interval::of_bits(bits)))
            return state.fresh_value(sum);
        return state.fresh_bits(bits);
    }
    return bitwise(state, op, bits, a, b);
}

Value Executor::bitwise(State& state, Operator op, int bits, const Value& a, const Value& b) {
    const Interval x = state.range(a), y = state.range(b);
    switch (op) {
    case Operator::xor_:
        // The negation of a comparison.
        if (bits == 1 && (b.is_number(1) || a.is_number(1))) {
            const Value& other = b.is_number(1) ? a : b;
            if (const auto known = state.comparisons.find(other.symbol);
                other.is_symbol() && known != state.comparisons.end()) {
                Comparison opposite = known->second;
                opposite.op = negated(opposite.op);
                const Value result = state.fresh_value({0, 1});
                state.comparisons[result.symbol] = opposite;
                return result;
            }
        }
        break;
    case Operator::and_:
        if (x.low >= 0 || y.low >= 0) {
            std::int64_t high = std::numeric_limits<std::int64_t>::max();
            if (x.low >= 0) high = std::min(high, x.high);
            if (y.low >= 0) high = std::min(high, y.high);
            return state.fresh_value({0, high});
        }
        break;
    case Operator::urem:
    case Operator::srem:
        if (y.low > 0 && x.low >= 0) return state.fresh_value({0, std::min(y.high - 1, x.high)});
        if (y.low > 0) return state.fresh_value({op == Operator::srem ? 1 - y.high : 0, y.high - 1});
        break;
    case Operator::udiv:
    case Operator::sdiv:
        if (y.low > 0 && x.low >= 0) return state.fresh_value({x.low / y.high, x.high / y.low});
        break;
    case Operator::lshr:
    case Operator::ashr:
        if (x.low >= 0 && b.is_number() && b.offset >= 0 && b.offset < bits)
            return state.fresh_value({x.low >> b.offset, x.high >> b.offset});
        break;
    default:
        break;
    }
    return state.fresh_bits(bits);
}

Value Executor::converted(State& state, Operator op, int from, int to, const Value& a) {
    if (op == Operator::same) {
        // Between a pointer and a number of its width; of floating numbers nothing is known.
        return a;
    }
    if (a.base != Value::Base::number)
        return to >= from && from == 8 * program_.pointer_bytes && to == from ? a : state.fresh_bits(to);
    if (a.is_number()) {
        if (op == Operator::zero_extend)
            return Value::number(wrapped(static_cast<std::int64_t>(as_unsigned(a.offset, from)), to));
        if (op == Operator::sign_extend && from == 1) return Value::number(a.offset != 0 ? -1 : 0);
        return Value::number(wrapped(a.offset, to));
    }
    const Interval r = state.range(a);
    if (op == Operator::truncate) {
        if (r.inside(Interval::of_bits(to))) return a;
        return state.fresh_bits(to);
    }
    if (op == Operator::sign_extend) return from == 1 ? state.fresh_value({-1, 0}) : a;
    if (r.low >= 0) return a;
    return from < 63 ? state.fresh_value({0, (std::int64_t{1} << from) - 1}) : state.fresh_value({});
}

std::optional<bool> Executor::compare_numbers(const State& state, Operator op, const Value& a,
                                              const Value& b) {
    const Interval x = state.range(a), y = state.range(b);
    // Of the same symbol: the difference decides, if it does not leave the width.
    const Value difference = plus(a, times(b, -1));
    if (op == Operator::equal || op == Operator::not_equal) {
        const bool want = op == Operator::equal;
        if (difference.is_number()) return (difference.offset == 0) == want;
        if (x.high < y.low || y.high < x.low) return !want;
        const auto never = [&](const Value& s, const Value& n) {
            if (!n.is_number() || s.symbol < 0 || s.scale != 1) return false;
            return state.symbol(s.symbol).never.contains(n.offset - s.offset);
        };
        if (never(a, b) || never(b, a)) return !want;
        return {};
    }
    if (is_unsigned_order(op)) {
        const bool same = (x.low >= 0 && y.low >= 0) || (x.high < 0 && y.high < 0);
        if (same) return compare_numbers(state, as_signed(op), a, b);
        if (x.low >= 0 && y.high < 0) return op == Operator::ult || op == Operator::ule;
        if (x.high < 0 && y.low >= 0) return op == Operator::ugt || op == Operator::uge;
        return {};
    }
    if (difference.is_number()) {
        const Interval d{difference.offset, difference.offset}, zero{0, 0};
        return ordered(op, d, zero);
    }
    return ordered(op, x, y);
}

// Where addresses of different blocks surely differ.
Executor::Step Executor::compare_addresses(State& state, Operator op, const Value& a, const Value& b,
                                           std::optional<bool>& holds) {
    const bool equality = op == Operator::equal || op == Operator::not_equal;
    const bool want = op == Operator::equal;
    // Lists that may be empty and objects that may be absent are decided first.
    for (const Value* v : {&a, &b}) {
        if (!v->is_address()) continue;
        const Object& o = state.at(v->id);
        if (o.may_be_absent()) {
            std::vector<State> cases;
            cases.push_back(state);
            cases.back().vanish(v->id);
            cases.push_back(state);
            if (o.is_many())
                cases.back().edit(v->id).least = 1;
            else
                cases.back().edit(v->id).form = Object::Form::block;
            split(std::move(cases));
            return Step::retry;
        }
    }
    const auto inside = [&](const Value& v) {
        const Object& o = state.at(v.id);
        return v.symbol < 0 && v.offset >= 0 && v.offset < state.range(o.size).low;
    };
    if (a.is_address() && b.is_address()) {
        if (a.id == b.id) {
            if (a.place != b.place) {
                const Object& o = state.at(a.id);
                if (o.least < 2 || !equality) {
                    split(state.opened(a.id, a.place));
                    return Step::retry;
                }
                if (inside(a) && inside(b)) holds = !want;
                return Step::next;
            }
            Value x = a, y = b;
            for (Value* v : {&x, &y}) {
                v->base = Value::Base::number;
                v->id = -1;
                v->place = Place::node;
            }
            holds = compare_numbers(state, equality ? op : as_signed(op), x, y);
            return Step::next;
        }
        if (equality && inside(a) && inside(b) && coexisted(state.at(a.id), state.at(b.id))) holds = !want;
        return Step::next;
    }
    const Value& address = a.is_address() ? a : b;
    const Value& other = a.is_address() ? b : a;
    if (other.is_number(0) && address.symbol < 0 && address.offset >= 0) {
        // No block is at NULL. Of an address outside of its block nothing is known.
        const Object& o = state.at(address.id);
        if (address.offset <= state.range(o.size).low && equality) holds = !want;
        if (!equality && inside(address)) {
            const Operator turned = a.is_address() ? op : negated(op);
            if (turned == Operator::ugt || turned == Operator::uge) holds = true;
        }
    }
    return Step::next;
}

Executor::Step Executor::compare(State& state, Operator op, int bits, const Value& a, const Value& b,
                                 Value& result) {
    std::optional<bool> holds;
    if (a.base == Value::Base::number && b.base == Value::Base::number) {
        holds = compare_numbers(state, op, a, b);
        // What was compared already is compared with 0 or 1.
        if (!holds && a.is_symbol() && state.comparisons.contains(a.symbol) && b.is_number() &&
            (op == Operator::equal || op == Operator::not_equal) && (b.offset == 0 || b.offset == 1)) {
            if ((op == Operator::not_equal) == (b.offset == 0)) {
                result = a;
                return Step::next;
            }
            Comparison opposite = state.comparisons.at(a.symbol);
            opposite.op = negated(opposite.op);
            result = state.fresh_value({0, 1});
            state.comparisons[result.symbol] = opposite;
            return Step::next;
        }
    } else if (a.is_address() || b.is_address()) {
        if (const Step step = compare_addresses(state, op, a, b, holds); step != Step::next) return step;
    } else if (a.base == Value::Base::function && (b.base == Value::Base::function || b.is_number(0))) {
        const bool sure = a == b || b.is_number(0) || !(a.is_given() || b.is_given());
        if (sure && (op == Operator::equal || op == Operator::not_equal))
            holds = (a == b) == (op == Operator::equal);
    }
    if (holds) {
        result = Value::number(*holds ? 1 : 0);
        return Step::next;
    }
    result = state.fresh_value({0, 1});
    state.comparisons[result.symbol] = {op, a, b, bits};
    return Step::next;
}

bool Executor::assume(State& state, const Value& condition, bool truth) {
    if (condition.is_number()) return (condition.offset != 0) == truth;
    if (condition.base != Value::Base::number) return truth || !condition.is_address();
    if (condition.is_symbol()) {
        if (const auto known = state.comparisons.find(condition.symbol); known != state.comparisons.end()) {
            const Comparison comparison = known->second;
            state.comparisons.erase(known);
            if (!state.restrict_range(condition.symbol, truth ? Interval{1, 1} : Interval{0, 0}))
                return false;
            return assume_comparison(state, comparison, truth);
        }
        return truth ? state.exclude(condition.symbol, 0) : state.restrict_range(condition.symbol, {0, 0});
    }
    return true;
}

bool Executor::assume_comparison(State& state, const Comparison& comparison, bool truth) {
    const Operator op = truth ? comparison.op : negated(comparison.op);
    const Value &a = comparison.a, &b = comparison.b;
    if (op == Operator::equal) return assume_equal(state, a, b);
    if (op == Operator::not_equal) {
        if (a.base != Value::Base::number || b.base != Value::Base::number) return a != b || !a.known();
        if (const auto holds = compare_numbers(state, op, a, b)) return *holds;
        for (const auto& [s, n] : {std::pair{a, b}, {b, a}})
            if (s.symbol >= 0 && s.scale == 1 && n.is_number()) {
                // A bit that stands for a comparison is settled with it.
                return state.exclude(s.symbol, n.offset - s.offset);
            }
        return true;
    }
    if (a.base != Value::Base::number || b.base != Value::Base::number) return true;
    return assume_order(state, op, a, b);
}

bool Executor::assume_equal(State& state, const Value& a, const Value& b) {
    const bool numbers = a.base == Value::Base::number && b.base == Value::Base::number;
    if (numbers) {
        if (const auto holds = compare_numbers(state, Operator::equal, a, b); holds) return *holds;
    }
    for (const auto& [x, y] : {std::pair{a, b}, {b, a}}) {
        if (x.base != Value::Base::number || x.symbol < 0 || x.scale != 1) continue;
        if (y.base == Value::Base::number && y.symbol == x.symbol) continue;
        const Value by = plus(y, -x.offset);
        if (!by.known()) continue;
        if (by.base != Value::Base::number) {
            if (x.offset != 0) continue;
            state.replace_symbol(x.symbol, by);
            return true;
        }
        const Symbol symbol = state.symbol(x.symbol);
        if (by.symbol >= 0) {
            if (by.scale != 1) continue;
            Interval range = symbol.range;
            if (__builtin_sub_overflow(range.low, by.offset, &range.low) ||
                __builtin_sub_overflow(range.high, by.offset, &range.high))
                return true;
            const int other = by.symbol;
            state.replace_symbol(x.symbol, by);
            for (const std::int64_t n : symbol.never)
                if (by.offset == 0) state.edit_symbol(other).never.insert(n);
            return state.restrict_range(other, range);
        }
        if (!symbol.range.contains(by.offset) || symbol.never.contains(by.offset)) return false;
        state.replace_symbol(x.symbol, by);
        return true;
    }
    return true;
}

bool Executor::assume_order(State& state, Operator op, const Value& a, const Value& b) {
    if (const auto holds = compare_numbers(state, op, a, b)) return *holds;
    Interval x = state.range(a), y = state.range(b);
    if (is_unsigned_order(op)) {
        // Below a number that is not negative as a signed one: not negative either.
        const bool less = op == Operator::ult || op == Operator::ule;
        Interval& small = less ? x : y;
        const Interval& large = less ? y : x;
        if (large.low >= 0) small.low = std::max<std::int64_t>(small.low, 0);
        if (x.low < 0 || y.low < 0) return true;
        op = as_signed(op);
    }
    const bool less = op == Operator::slt || op == Operator::sle;
    const std::int64_t gap = op == Operator::slt || op == Operator::sgt ? 1 : 0;
    Interval &low = less ? x : y, &high = less ? y : x;
    if (high.high != std::numeric_limits<std::int64_t>::min()) low.high = std::min(low.high, high.high - gap);
    if (low.low != std::numeric_limits<std::int64_t>::max()) high.low = std::max(high.low, low.low + gap);
    const Value first = a, second = b;
    for (const auto& [v, r] : {std::pair{first, x}, {second, y}}) {
        if (v.symbol < 0 || v.scale != 1 || !state.symbols().contains(v.symbol)) continue;
        Interval range = r;
        if (__builtin_sub_overflow(range.low, v.offset, &range.low) ||
            __builtin_sub_overflow(range.high, v.offset, &range.high))
            continue;
        if (!state.restrict_range(v.symbol, range)) return false;
    }
    return true;
}

Executor::Step Executor::offset(State& state, const Instruction& i) {
    Value value = plus(evaluate(state, i.a), i.number);
    bool known = value.known();
    for (const auto& [operand, scale] : i.terms) {
        const Value index = evaluate(state, operand);
        if (known) value = plus(value, times(index, scale));
        known = known && value.known();
    }
    for (const auto& [operand, length] : i.bounds) {
        const Value index = evaluate(state, operand);
        const Interval r = index.base == Value::Base::number ? state.range(index) : Interval{};
        if (r.low >= 0 && r.high < length) continue;
        if (r.low == length && r.high == length) { // an address behind the array, to compare with
            known = false;
            continue;
        }
        return fail(Trouble::Kind::memory, i.position,
                    "an index that is not known to be inside of its array");
    }
    if (!known) value = state.fresh_value({});
    if (i.target >= 0) state.frames.back().variables[static_cast<std::size_t>(i.target)] = value;
    return Step::next;
}

} // namespace ggsnn::verify::graph
