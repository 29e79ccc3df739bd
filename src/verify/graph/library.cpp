// Functions of the C library, by the table, and functions without a body.
#include "ggsnn/verify/graph/executor.hpp"

#include <fmt/format.h>

namespace ggsnn::verify::graph {

using Special = LibraryFunction::Special;
using Result = LibraryFunction::Result;

void Executor::set_result(State& state, const Instruction& i, const Value& value) {
    const int target = !i.targets.empty() ? i.targets[0] : i.target;
    if (target >= 0) state.frames.back().variables[static_cast<std::size_t>(target)] = value;
}

std::vector<Value> Executor::arguments(State& state, const Instruction& i) {
    std::vector<Value> all;
    for (const Operand& operand : i.arguments) all.push_back(evaluate(state, operand));
    return all;
}

Executor::Step Executor::library(State& state, const Instruction& i) {
    const LibraryFunction& f = *library_function(i.name);
    const auto argument = [&](int n) { return evaluate(state, i.arguments[static_cast<std::size_t>(n)]); };
    switch (f.special) {
    case Special::allocate:
    case Special::zeroed: {
        Value size;
        if (f.size.kind == Extent::Kind::argument)
            size = times(argument(f.size.first), f.size.number);
        else if (f.size.kind == Extent::Kind::product) {
            const Value a = argument(f.size.first), b = argument(f.size.second);
            size = a.is_number() ? times(b, a.offset) : b.is_number() ? times(a, b.offset) : Value{};
        }
        return allocate(state, i, size, f.special == Special::zeroed);
    }
    case Special::release:
        return release(state, argument(0), i.position);
    case Special::stop:
        end_program(state, i.position, true);
        return Step::gone;
    case Special::abort:
        return break_off(state, i.position);
    case Special::failed:
        if (rules_.assertions) return fail(Trouble::Kind::assertion, i.position, "an assertion may fail");
        return break_off(state, i.position);
    case Special::assume: {
        const Value condition = argument(0);
        return assume(state, condition, true) ? Step::next : Step::gone;
    }
    case Special::print:
        if (const Step step = library_accesses(state, i, f); step != Step::next) return step;
        return print(state, i, f);
    case Special::none:
        break;
    default:
        return fail(Trouble::Kind::unknown, i.position, fmt::format("{} is not followed on graphs", i.name));
    }
    if (f.name.starts_with("memcpy") || f.name.starts_with("memmove")) {
        const Value to = argument(0), from = argument(1), bytes = argument(2);
        if (const Step step = copy(state, to, from, bytes, i.position); step != Step::next) return step;
        set_result(state, i, evaluate(state, i.arguments[0]));
        return Step::next;
    }
    if (const Step step = library_accesses(state, i, f); step != Step::next) return step;
    return library_result(state, i, f);
}

Executor::Step Executor::library_accesses(State& state, const Instruction& i, const LibraryFunction& f) {
    for (const Access& access : f.accesses) {
        const Value pointer = evaluate(state, i.arguments[static_cast<std::size_t>(access.argument)]);
        if (access.may_be_null && pointer.is_number(0)) continue;
        if (access.extent.kind == Extent::Kind::handle) continue; // see print
        const auto bytes = extent(state, i, access);
        if (!bytes)
            return fail(Trouble::Kind::unknown, i.position,
                        fmt::format("how much {} reads or writes is not known", f.name));
        if (bytes->low == 0 && bytes->high == 0) continue;
        Value place;
        if (const Step step = this->access(state, pointer, *bytes, access.write, i.position, place);
            step != Step::next)
            return step;
        if (!access.write) continue;
        const Interval at =
            state.range({Value::Base::number, Place::node, -1, place.symbol, place.scale, place.offset});
        state.smudge(place.id, at.low, at.high + bytes->high);
    }
    return Step::next;
}

std::optional<std::int64_t> Executor::text_length(const State& state, const Value& pointer) const {
    if (!pointer.is_address() || pointer.symbol >= 0) return {};
    const Object& o = state.at(pointer.id);
    if (!o.live || o.form != Object::Form::block || !o.size.is_number()) return {};
    for (std::int64_t at = pointer.offset; at < o.size.offset && at - pointer.offset < 100'000; ++at) {
        if (at < 0) return {};
        const Value byte = state.peek(pointer.id, at, 1);
        if (byte.is_number(0)) return at - pointer.offset;
        if (!byte.is_number()) return {};
    }
    return {};
}

std::optional<Interval> Executor::extent(State& state, const Instruction& i, const Access& access) {
    const Extent& e = access.extent;
    const auto number = [&](int n) -> Interval {
        const Value v = evaluate(state, i.arguments[static_cast<std::size_t>(n)]);
        return v.base == Value::Base::number ? state.range(v) : Interval{};
    };
    switch (e.kind) {
    case Extent::Kind::bytes:
        return Interval{e.number, e.number};
    case Extent::Kind::word:
        return Interval{program_.pointer_bytes, program_.pointer_bytes};
    case Extent::Kind::argument: {
        const Interval r = number(e.first);
        if (r.low < 0 || r.high > (std::int64_t{1} << 32)) return {};
        return Interval{r.low * e.number, r.high * e.number};
    }
    case Extent::Kind::product: {
        const Interval a = number(e.first), b = number(e.second);
        if (a.low < 0 || b.low < 0 || a.high > (1 << 30) || b.high > (1 << 30)) return {};
        return Interval{a.low * b.low, a.high * b.high};
    }
    case Extent::Kind::text: {
        const auto length =
            text_length(state, evaluate(state, i.arguments[static_cast<std::size_t>(access.argument)]));
        if (!length) return {};
        return Interval{*length + 1, *length + 1};
    }
    default:
        return {};
    }
}

// What a format asks for: texts must be texts, counts are not followed.
Executor::Step Executor::print(State& state, const Instruction& i, const LibraryFunction& f) {
    const auto refuse = [&] {
        return fail(Trouble::Kind::unknown, i.position,
                    fmt::format("what {} prints is not understood", f.name));
    };
    for (const Access& access : f.accesses)
        if (access.extent.kind == Extent::Kind::handle) return refuse();
    const Value format = evaluate(state, i.arguments[static_cast<std::size_t>(f.format)]);
    const auto length = text_length(state, format);
    if (!length) return refuse();
    std::string text;
    for (std::int64_t n = 0; n < *length; ++n)
        text += static_cast<char>(state.peek(format.id, format.offset + n, 1).offset);
    std::vector<FormatPart> parts;
    if (!parse_format(text, false, parts, program_.pointer_bytes)) return refuse();
    std::size_t at = static_cast<std::size_t>(f.format) + 1;
    for (const FormatPart& part : parts) {
        if (at >= i.arguments.size() || part.kind == FormatPart::Kind::count) return refuse();
        if (part.kind == FormatPart::Kind::text && !text_length(state, evaluate(state, i.arguments[at])))
            return refuse();
        ++at;
    }
    set_result(state, i, state.fresh_bits(32));
    return Step::next;
}

Executor::Step Executor::library_result(State& state, const Instruction& i, const LibraryFunction& f) {
    for (const Access& access : f.accesses)
        if (access.extent.kind == Extent::Kind::handle)
            return fail(Trouble::Kind::unknown, i.position,
                        fmt::format("{} is not followed on graphs", f.name));
    const int target = !i.targets.empty() ? i.targets[0] : i.target;
    switch (f.result) {
    case Result::none:
        return Step::next;
    case Result::number: {
        if (target < 0) return Step::next;
        const Type& type = function(state).variables[static_cast<std::size_t>(target)].type;
        Value value;
        if (type.kind == Type::Kind::integer) {
            const Interval all = Interval::of_bits(type.bits);
            // Bounds of the table that the width does not hold are those of an unsigned number.
            const Interval range = f.low >= all.low && f.high <= all.high ? Interval{f.low, f.high} : all;
            value = state.fresh_value(range);
        } else {
            value = state.fresh_value({});
        }
        if (rules_.keep_draws && !f.deterministic && type.kind == Type::Kind::integer)
            state.draws.push_back(value);
        set_result(state, i, value);
        return Step::next;
    }
    case Result::argument:
        set_result(state, i, evaluate(state, i.arguments[static_cast<std::size_t>(f.result_argument)]));
        return Step::next;
    default:
        return fail(Trouble::Kind::unknown, i.position, fmt::format("{} is not followed on graphs", f.name));
    }
}

Executor::Step Executor::external(State& state, const Instruction& i) {
    return call_unknown(state, i, i.name, false);
}

Executor::Step Executor::call_unknown(State& state, const Instruction& i, const std::string& name,
                                      bool given) {
    const std::string who = name + (given ? " is given by the caller" : " has no body here");
    for (std::size_t a = 0; a < i.arguments.size(); ++a) {
        const Value value = evaluate(state, i.arguments[a]);
        const bool pointer = a < i.argument_types.size() && i.argument_types[a].kind == Type::Kind::pointer;
        if (value.base == Value::Base::number && !(pointer && !value.is_number())) continue;
        if (value.is_address() && state.at(value.id).constant) continue;
        return fail(Trouble::Kind::unknown, i.position,
                    fmt::format("{}, and may keep and change what its arguments lead to{}", who,
                                given ? "" : ": give it a body, or a model of it in this file"));
    }
    // What other files can see, it can change.
    for (std::size_t g = 0; g < program_.globals.size(); ++g) {
        const Global& global = program_.globals[g];
        if (global.constant || (!global.visible && !given)) continue;
        const int id = state.globals[g];
        for (const auto& entry : state.at(id).fields)
            if (entry.second.value.is_address())
                return fail(Trouble::Kind::unknown, i.position,
                            fmt::format("{}, and may change what '{}' leads to", who, global.name));
        Object& o = state.edit(id);
        o.fields.clear();
        o.rest = Object::Rest::any;
    }
    assumptions_.insert(
        given ? fmt::format("{}, if not NULL, is a function of its type and none of this file; it calls none "
                            "of this file, changes nothing of the memory that is given with it, and returns",
                            name)
              : fmt::format("{}, which has no body here, calls no function of this file, and returns", name));
    const Function& f = function(state);
    for (std::size_t t = 0; t < i.targets.size(); ++t)
        if (i.targets[t] >= 0) {
            const Type& type = f.variables[static_cast<std::size_t>(i.targets[t])].type;
            state.frames.back().variables[static_cast<std::size_t>(i.targets[t])] =
                type.kind == Type::Kind::integer ? state.fresh_bits(type.bits) : state.fresh_value({});
        }
    return Step::next;
}

} // namespace ggsnn::verify::graph
