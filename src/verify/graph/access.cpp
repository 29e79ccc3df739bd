// Memory: accesses that must be shown safe, allocation and release.
#include "ggsnn/verify/graph/executor.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ggsnn::verify::graph {

namespace {

constexpr std::int64_t split_values = 16; // cases that an index is taken apart into

Value index_of(const Value& place) {
    return {Value::Base::number, Place::node, -1, place.symbol, place.scale, place.offset};
}

} // namespace

Executor::Step Executor::access(State& state, const Value& pointer, const Interval& bytes, bool write,
                                Position position, Value& place) {
    const auto wrong = [&](const std::string& reason) {
        return fail(Trouble::Kind::memory, position, reason);
    };
    if (pointer.is_number(0)) return wrong("null dereference");
    if (!pointer.is_address()) return wrong("a pointer of which nothing is known");
    const Object& o = state.at(pointer.id);
    if (!o.live)
        return wrong(o.kind == Object::Kind::heap ? "use after free" : "use of a local after its scope");
    if (o.form != Object::Form::block) {
        split(state.opened(pointer.id, pointer.place));
        return Step::retry;
    }
    if (write && o.constant) return wrong("a write to a constant");
    const Interval at = state.range(index_of(pointer)), size = state.range(o.size);
    std::int64_t end = 0;
    const bool inside = at.low >= 0 && bytes.low >= 0 && !__builtin_add_overflow(at.high, bytes.high, &end) &&
                        end <= size.low;
    if (!inside && !(bytes.high == 0 && bytes.low == 0)) {
        if (pointer.symbol >= 0) {
            const Interval r = state.symbol(pointer.symbol).range;
            if (r.high - r.low < split_values && r.high >= r.low && r.low > INT64_MIN / 2 &&
                r.high < INT64_MAX / 2) {
                std::vector<State> cases;
                for (std::int64_t n = r.low; n <= r.high; ++n) {
                    State one = state;
                    if (one.restrict_range(pointer.symbol, {n, n})) cases.push_back(std::move(one));
                }
                split(std::move(cases));
                return Step::retry;
            }
        }
        return wrong(fmt::format("out of bounds: up to {} bytes at offset {} to {} of a block of {} bytes",
                                 bytes.high, at.low, at.high, size.low));
    }
    if (!o.owned.empty() && !owns(o, at.low, at.high - at.low + bytes.high))
        return wrong("memory of the caller that the contract does not give");
    place = pointer;
    return Step::next;
}

// exact: the place has one offset. Otherwise few enough are taken apart.
Executor::Step Executor::single(State& state, const Value& place, Position, bool& exact) {
    exact = place.symbol < 0;
    if (exact) return Step::next;
    const Interval r = state.symbol(place.symbol).range;
    if (r.low < INT64_MIN / 2 || r.high > INT64_MAX / 2 || r.high - r.low >= split_values) return Step::next;
    std::vector<State> cases;
    for (std::int64_t n = r.low; n <= r.high; ++n) {
        State one = state;
        if (one.restrict_range(place.symbol, {n, n})) cases.push_back(std::move(one));
    }
    split(std::move(cases));
    return Step::retry;
}

Executor::Step Executor::load(State& state, const Instruction& i) {
    const auto bytes = static_cast<int>(i.type.bytes());
    Value place;
    if (const Step step = access(state, evaluate(state, i.a), {bytes, bytes}, false, i.position, place);
        step != Step::next)
        return step;
    bool exact = false;
    if (const Step step = single(state, place, i.position, exact); step != Step::next) return step;
    Value value;
    if (exact && !i.is_volatile && i.type.kind != Type::Kind::data)
        value = state.load(place.id, place.offset, bytes);
    if (i.type.kind == Type::Kind::data && exact && !i.is_volatile) {
        value = state.peek(place.id, place.offset, bytes); // copied as it is
    }
    if (i.type.kind == Type::Kind::integer && value.base == Value::Base::number &&
        !state.range(value).inside(Interval::of_bits(i.type.bits))) {
        if (value.is_symbol())
            value = state.fresh_bits(i.type.bits);
        else if (value.is_number() && i.type.bits < 64)
            value = state.fresh_bits(i.type.bits);
    }
    if (!value.known())
        value = i.type.kind == Type::Kind::integer ? state.fresh_bits(i.type.bits) : state.fresh_value({});
    if (i.target >= 0) state.frames.back().variables[static_cast<std::size_t>(i.target)] = value;
    return Step::next;
}

Executor::Step Executor::store(State& state, const Instruction& i) {
    const auto bytes = static_cast<int>(i.type.bytes());
    Value place;
    if (const Step step = access(state, evaluate(state, i.a), {bytes, bytes}, true, i.position, place);
        step != Step::next)
        return step;
    bool exact = false;
    if (const Step step = single(state, place, i.position, exact); step != Step::next) return step;
    const Value value = evaluate(state, i.b);
    const Interval at = state.range(index_of(place));
    if (!exact || i.is_volatile)
        state.smudge(place.id, at.low, at.high + bytes);
    else
        state.store(place.id, place.offset, bytes, value);
    return Step::next;
}

Executor::Step Executor::copy(State& state, const Value& to, const Value& from, const Value& bytes,
                              Position position) {
    const Interval count = bytes.base == Value::Base::number ? state.range(bytes) : Interval{};
    if (bytes.is_number(0)) return Step::next;
    Value target, source;
    if (const Step step = access(state, to, count, true, position, target); step != Step::next) return step;
    if (const Step step = access(state, from, count, false, position, source); step != Step::next)
        return step;
    bool exact = bytes.is_number() && target.symbol < 0 && source.symbol < 0;
    if (exact && source.id == target.id) {
        if (source.offset == target.offset) return Step::next;
        exact = std::abs(source.offset - target.offset) >= bytes.offset;
    }
    if (exact) {
        state.copy(source.id, source.offset, target.id, target.offset, bytes.offset);
        return Step::next;
    }
    const Interval at = state.range(index_of(target));
    state.smudge(target.id, at.low, at.high + count.high);
    return Step::next;
}

Executor::Step Executor::move(State& state, const Instruction& i) {
    const Value to = evaluate(state, i.a), from = evaluate(state, i.b), bytes = evaluate(state, i.c);
    if (!i.may_overlap && to.is_address() && from.is_address() && to.id == from.id) {
        const bool apart = to.symbol < 0 && from.symbol < 0 && bytes.is_number() &&
                           (to.offset == from.offset || std::abs(to.offset - from.offset) >= bytes.offset);
        if (!apart && !bytes.is_number(0))
            return fail(Trouble::Kind::memory, i.position, "a copy between places that may overlap");
    }
    return copy(state, to, from, bytes, i.position);
}

Executor::Step Executor::fill(State& state, const Instruction& i) {
    const Value to = evaluate(state, i.a), byte = evaluate(state, i.b), bytes = evaluate(state, i.c);
    if (bytes.is_number(0)) return Step::next;
    const Interval count = bytes.base == Value::Base::number ? state.range(bytes) : Interval{};
    Value place;
    if (const Step step = access(state, to, count, true, i.position, place); step != Step::next) return step;
    if (place.symbol < 0 && bytes.is_number() && byte.is_number(0)) {
        state.zero(place.id, place.offset, place.offset + bytes.offset);
    } else {
        const Interval at = state.range(index_of(place));
        state.smudge(place.id, at.low, at.high + count.high);
    }
    return Step::next;
}

void Executor::end_local(State& state, int object) {
    int& held = state.frames.back().objects[static_cast<std::size_t>(object)];
    if (held < 0) return;
    state.kill(held);
    held = -1;
}

Executor::Step Executor::local(State& state, const Instruction& i) {
    end_local(state, i.object);
    const verify::Object& declared = function(state).objects[static_cast<std::size_t>(i.object)];
    Object object;
    object.kind = Object::Kind::local;
    object.number = i.object;
    object.size = declared.size >= 0 ? Value::number(declared.size) : evaluate(state, i.c);
    object.made = i.position;
    if (object.size.base != Value::Base::number || state.range(object.size).low < 0)
        return fail(Trouble::Kind::unknown, i.position, "a local whose size is not known to be positive");
    const int id = state.add(std::move(object));
    Frame& frame = state.frames.back();
    frame.objects[static_cast<std::size_t>(i.object)] = id;
    frame.made.push_back(id);
    if (i.target >= 0) frame.variables[static_cast<std::size_t>(i.target)] = Value::address(id, 0);
    return Step::next;
}

Executor::Step Executor::release(State& state, const Value& pointer, Position position) {
    const auto wrong = [&](const std::string& reason) {
        return fail(Trouble::Kind::memory, position, reason);
    };
    if (pointer.is_number(0)) return Step::next;
    if (!pointer.is_address()) return wrong("free of a pointer of which nothing is known");
    const Object& o = state.at(pointer.id);
    if (o.form != Object::Form::block && o.live) {
        split(state.opened(pointer.id, pointer.place));
        return Step::retry;
    }
    if (o.kind != Object::Kind::heap) return wrong("free of what is not from malloc");
    if (!o.live) return wrong("double free");
    if (!o.owned.empty()) return wrong("free of a block that the contract gives only a part of");
    if (pointer.offset != 0 || pointer.symbol >= 0) return wrong("free of a place inside of a block");
    state.kill(pointer.id);
    return Step::next;
}

Executor::Step Executor::allocate(State& state, const Instruction& i, const Value& size, bool zeroed) {
    Object object;
    object.rest = zeroed ? Object::Rest::zero : Object::Rest::any;
    object.size = size.base == Value::Base::number ? size : state.fresh_value({});
    object.made = i.position;
    // A size is not negative; more than half of the address space is never given.
    const Interval range = state.range(object.size);
    if (range.high < 0) {
        set_result(state, i, Value::number(0));
        return Step::next;
    }
    if (range.low < 0 && object.size.symbol >= 0) {
        if (object.size.is_symbol()) {
            std::vector<State> cases;
            State negative = state;
            if (negative.restrict_range(object.size.symbol, {INT64_MIN, -1})) {
                set_result(negative, i, Value::number(0));
                ++negative.frames.back().next;
                cases.push_back(std::move(negative));
            }
            State positive = state;
            if (positive.restrict_range(object.size.symbol, {0, INT64_MAX}))
                cases.push_back(std::move(positive));
            split(std::move(cases));
            return Step::retry;
        }
        object.size = state.fresh_value({0, INT64_MAX});
    }
    if (rules_.allocation_may_fail) {
        std::vector<State> cases;
        cases.push_back(state);
        set_result(cases.back(), i, Value::number(0));
        ++cases.back().frames.back().next;
        cases.push_back(state);
        const int id = cases.back().add(std::move(object));
        set_result(cases.back(), i, Value::address(id, 0));
        ++cases.back().frames.back().next;
        split(std::move(cases));
        return Step::retry;
    }
    assumptions_.insert("malloc and calloc succeed");
    const int id = state.add(std::move(object));
    set_result(state, i, Value::address(id, 0));
    return Step::next;
}

} // namespace ggsnn::verify::graph
