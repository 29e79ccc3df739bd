// Calls of functions without a body: those of the C library by their table, and others, of which nothing is
// known. While a call is at work, SymbolicState::held has its arguments.
#include "ggsnn/verify/prove/executor.hpp"

#include <algorithm>

namespace ggsnn::verify {

using Special = LibraryFunction::Special;
using Result = LibraryFunction::Result;

void Executor::set_result(SymbolicState& state, const Instruction& i, const SymbolicValue& value) {
    const int target = i.targets.empty() ? i.target : i.targets[0];
    if (target >= 0) state.store[static_cast<std::size_t>(target)] = value;
}

void Executor::unknown_results(SymbolicState& state, const Instruction& i) const {
    for (const int target : i.targets) {
        if (target < 0) continue;
        const Type& type = function_.variables[static_cast<std::size_t>(target)].type;
        state.store[static_cast<std::size_t>(target)] =
            value_of(type.kind == Type::Kind::integer ? state.fresh_number(Interval::of_bits(type.bits))
                                                      : state.fresh());
    }
}

// ---- what a function needs

std::optional<Interval> Executor::extent(const SymbolicState& state, const Extent& e) const {
    const auto number = [&](int argument) {
        Interval r{0, 0};
        if (argument >= 0 && static_cast<std::size_t>(argument) < state.held.size())
            r = range(state, state.held[static_cast<std::size_t>(argument)]);
        return r;
    };
    constexpr std::int64_t large = std::int64_t{1} << 40;
    switch (e.kind) {
    case Extent::Kind::bytes:
        return Interval{e.number, e.number};
    case Extent::Kind::word:
        return Interval{program_.pointer_bytes, program_.pointer_bytes};
    case Extent::Kind::argument: {
        const Interval r = number(e.first);
        if (r.low < 0 || r.high > large) return std::nullopt;
        return Interval{r.low * e.number, r.high * e.number};
    }
    case Extent::Kind::product: {
        const Interval r = number(e.first), s = number(e.second);
        if (r.low < 0 || r.high > (1 << 20) || s.low < 0 || s.high > (1 << 20)) return std::nullopt;
        return Interval{r.low * s.low, r.high * s.high};
    }
    default:
        return std::nullopt;
    }
}

Executor::States Executor::one_access(const Path& path, SymbolicState state, const Instruction& i,
                                      const Access& a) {
    const auto which = static_cast<std::size_t>(a.argument);
    States states;
    if (which >= state.held.size()) {
        fail(path, state, Failure::Kind::unknown, i.position,
             fmt::format("{} with too few arguments", i.name));
        return {};
    }
    if (a.may_be_null && state.held[which].plain() &&
        !state.apart(state.held[which].term, logic::null_name)) {
        SymbolicState null = state;
        if (null.assume_equal(state.held[which].term, logic::null_name)) states.push_back(std::move(null));
        if (!state.assume_distinct(state.held[which].term, logic::null_name)) return states;
    }
    const auto put = [&](States more) {
        for (SymbolicState& s : more) states.push_back(std::move(s));
    };
    switch (a.extent.kind) {
    case Extent::Kind::handle: {
        // stdin and its like are pointers that other files keep: they are taken as open.
        const int block = state.block_at(state.held[which].term);
        const bool open =
            block >= 0 && state.blocks[static_cast<std::size_t>(block)].kind == SymbolicBlock::Kind::handle;
        const Operand& operand = i.arguments[which];
        bool standard = false;
        if (operand.kind == Operand::Kind::variable)
            for (const Block& b : function_.blocks)
                for (const Instruction& loaded : b.instructions)
                    standard =
                        standard ||
                        (loaded.kind == Kind::load && loaded.target == operand.index &&
                         loaded.a.kind == Operand::Kind::global && loaded.a.number == 0 &&
                         (program_.globals[static_cast<std::size_t>(loaded.a.index)].name == "stdin" ||
                          program_.globals[static_cast<std::size_t>(loaded.a.index)].name == "stdout" ||
                          program_.globals[static_cast<std::size_t>(loaded.a.index)].name == "stderr"));
        if (open || standard) {
            states.push_back(std::move(state));
        } else if (possible(state)) {
            const bool closed = state.freed.contains(state.held[which].term);
            fail(path, state, closed ? Failure::Kind::memory_error : Failure::Kind::unknown, i.position,
                 fmt::format("{} {}", pointer_text(state, i, which),
                             closed ? "was closed before" : "is not known to be an open file"));
        }
        return states;
    }
    case Extent::Kind::text:
        if (!a.write) {
            put(text_argument(path, std::move(state), i, which));
            return states;
        }
        break;
    case Extent::Kind::text_at_most: {
        const auto most = extent(state, {Extent::Kind::argument, 1, a.extent.first, -1});
        for (SymbolicState& s : access(path, std::move(state), i, which, {0, 0}, Use::read)) {
            if (text_length(s, s.held[which]))
                states.push_back(std::move(s));
            else
                put(access(path, std::move(s), i, which,
                           most ? *most : Interval{0, std::numeric_limits<std::int64_t>::max() / 2},
                           Use::read));
        }
        return states;
    }
    default: {
        const auto bytes = extent(state, a.extent);
        if (!bytes) break;
        States found = access(path, std::move(state), i, which, *bytes, a.write ? Use::write : Use::read);
        for (SymbolicState& s : found) {
            if (!a.write || bytes->high == 0) continue;
            const SymbolicValue at = s.held[which];
            Interval index{0, 0};
            if (!at.index.empty()) index = s.range(at.index);
            const auto [low, high] = std::minmax({index.low * at.scale, index.high * at.scale});
            s.smudge(s.block_at(at.term), at.offset + low, high - low + bytes->high, false);
        }
        put(std::move(found));
        return states;
    }
    }
    if (possible(state))
        fail(path, state, Failure::Kind::unknown, i.position,
             fmt::format("how much {} reads or writes at {} is not known", i.name,
                         pointer_text(state, i, which)));
    return states;
}

Executor::States Executor::check_accesses(const Path& path, SymbolicState state, const Instruction& i,
                                          const LibraryFunction& f) {
    States states;
    for (const Access& a : f.accesses)
        for (const Access& b : f.accesses) {
            const auto x = static_cast<std::size_t>(a.argument), y = static_cast<std::size_t>(b.argument);
            if (!f.apart || !a.write || b.write || x >= state.held.size() || y >= state.held.size()) continue;
            if (is_constant(state.held[x].term) || state.held[x].term != state.held[y].term) continue;
            if (possible(state))
                fail(path, state, Failure::Kind::unknown, i.position,
                     fmt::format("what {} reads and writes may overlap", i.name));
            return {};
        }
    states.push_back(std::move(state));
    for (const Access& a : f.accesses) {
        States next;
        for (SymbolicState& s : states)
            for (SymbolicState& after : one_access(path, std::move(s), i, a))
                next.push_back(std::move(after));
        states = std::move(next);
    }
    return states;
}

Executor::States Executor::library_result(const Path&, States states, const Instruction& i,
                                          const LibraryFunction& f) {
    States all;
    const auto argument = static_cast<std::size_t>(f.result_argument);
    const int target = i.targets.empty() ? i.target : i.targets[0];
    for (SymbolicState& s : states) {
        switch (f.result) {
        case Result::none:
        case Result::fresh:
            break;
        case Result::number: {
            Interval r{f.low, f.high};
            if (target >= 0) {
                const Type& type = function_.variables[static_cast<std::size_t>(target)].type;
                const Interval width =
                    type.kind == Type::Kind::integer ? Interval::of_bits(type.bits) : Interval{};
                r = {std::max(r.low, width.low), std::min(r.high, width.high)};
                if (r.empty()) r = width;
            }
            set_result(s, i, value_of(s.fresh_number(r)));
            break;
        }
        case Result::argument:
            set_result(s, i, s.held[argument]);
            break;
        case Result::within: {
            SymbolicState null = s;
            set_result(null, i, value_of(0));
            null.held.clear();
            all.push_back(std::move(null));
            const SymbolicValue base = s.held[argument];
            const int block = s.block_at(base.term);
            SymbolicValue place = value_of(s.fresh());
            if (block >= 0 && base.index.empty() && s.blocks[static_cast<std::size_t>(block)].size) {
                const std::int64_t room = *s.blocks[static_cast<std::size_t>(block)].size - base.offset;
                place = base;
                place.index = s.fresh_number({0, std::max<std::int64_t>(room - 1, 0)});
                place.scale = 1;
                if (is_number(place.index)) place = base;
            }
            set_result(s, i, place);
            break;
        }
        case Result::text: {
            SymbolicState null = s;
            set_result(null, i, value_of(0));
            null.held.clear();
            all.push_back(std::move(null));
            const TermName root =
                s.add_block(SymbolicBlock::Kind::text, std::nullopt, SymbolicBlock::Rest::any).root;
            set_result(s, i, value_of(root));
            break;
        }
        case Result::place:
        case Result::table:
            library_place(s, i, f);
            break;
        }
        s.held.clear();
        all.push_back(std::move(s));
    }
    return all;
}

// Memory of the library that the result leads to: a number, or a pointer into a table (see library.hpp).
void Executor::library_place(SymbolicState& state, const Instruction& i, const LibraryFunction& f) const {
    constexpr std::int64_t before = 128, behind = 256;
    const bool table = f.result == Result::table;
    const TermName root = state
                              .add_block(SymbolicBlock::Kind::place, table ? program_.pointer_bytes : 4,
                                         SymbolicBlock::Rest::any)
                              .root;
    if (table) {
        SymbolicBlock& entries =
            state.add_block(SymbolicBlock::Kind::text, (before + behind) * f.high, SymbolicBlock::Rest::any);
        SymbolicValue middle = value_of(entries.root);
        middle.offset = before * f.high;
        state.store_at(state.block_at(root), 0, program_.pointer_bytes, middle);
    }
    set_result(state, i, value_of(root));
}

Executor::States Executor::do_library(const Path& path, const Instruction& i) {
    const LibraryFunction* f = library_function(i.name);
    SymbolicState state = path.state;
    if (f == nullptr || static_cast<int>(i.arguments.size()) < f->arguments) {
        if (possible(state))
            fail(path, state, Failure::Kind::unknown, i.position,
                 fmt::format("{} is not called as the C library has it", i.name));
        return {};
    }
    std::vector<SymbolicValue> arguments;
    for (const Operand& operand : i.arguments) arguments.push_back(evaluate(state, operand));
    state.held = std::move(arguments);
    if (f->special == Special::none && i.name == "fgets") return read_line(path, std::move(state), i, *f);
    if (f->special == Special::none)
        return library_result(path, check_accesses(path, std::move(state), i, *f), i, *f);
    return do_special(path, std::move(state), i, *f);
}

// fgets(d, n, f): NULL, or d with a text of less than n bytes.
Executor::States Executor::read_line(const Path& path, SymbolicState state, const Instruction& i,
                                     const LibraryFunction& f) {
    States states;
    for (SymbolicState& s : check_accesses(path, std::move(state), i, f)) {
        SymbolicState null = s;
        set_result(null, i, value_of(0));
        null.held.clear();
        states.push_back(std::move(null));
        const SymbolicValue place = s.held[0];
        const Interval room = range(s, s.held[1]);
        if (place.index.empty() && room.low > 0)
            s.note_text(s.block_at(place.term), place.offset, room.high - 1);
        set_result(s, i, place);
        s.held.clear();
        states.push_back(std::move(s));
    }
    return states;
}

Executor::States Executor::do_special(const Path& path, SymbolicState state, const Instruction& i,
                                      const LibraryFunction& f) {
    States states;
    const auto refuse = [&](const std::string& why) {
        if (possible(state)) fail(path, state, Failure::Kind::unknown, i.position, why);
        return States{};
    };
    SymbolicValue made;
    switch (f.special) {
    case Special::allocate:
    case Special::zeroed: {
        const auto size = extent(state, f.size);
        std::optional<std::int64_t> bytes;
        if (size && size->low == size->high) bytes = size->low;
        const auto rest =
            f.special == Special::zeroed ? SymbolicBlock::Rest::zero : SymbolicBlock::Rest::undetermined;
        for (SymbolicState& s : allocated(path, std::move(state), i, bytes, rest, made)) {
            if (!s.held.empty()) set_result(s, i, made);
            s.held.clear();
            states.push_back(std::move(s));
        }
        return states;
    }
    case Special::reallocate:
        return reallocate(path, std::move(state), i);
    case Special::release:
        for (SymbolicState& s : release(path, std::move(state), i, 0)) {
            s.held.clear();
            states.push_back(std::move(s));
        }
        return states;
    case Special::open: {
        for (SymbolicState& s : check_accesses(path, std::move(state), i, f)) {
            SymbolicState null = s;
            set_result(null, i, value_of(0));
            null.held.clear();
            states.push_back(std::move(null));
            const TermName root = s.add_block(SymbolicBlock::Kind::handle, 0, SymbolicBlock::Rest::any).root;
            set_result(s, i, value_of(root));
            s.held.clear();
            states.push_back(std::move(s));
        }
        return states;
    }
    case Special::close:
        for (SymbolicState& s : check_accesses(path, std::move(state), i, f)) {
            const TermName root = s.held[0].term;
            const int block = s.block_at(root);
            if (block < 0) {
                fail(path, s, Failure::Kind::unknown, i.position, "a standard file is closed");
                continue;
            }
            s.remove_block(block);
            s.freed.insert(root);
            unknown_results(s, i);
            s.held.clear();
            states.push_back(std::move(s));
        }
        return states;
    case Special::duplicate:
        return duplicate(path, std::move(state), i);
    case Special::copy_text:
        return library_result(path, copy_text(path, std::move(state), i, false), i, f);
    case Special::append_text:
        return library_result(path, copy_text(path, std::move(state), i, true), i, f);
    case Special::print:
        return library_result(path, print(path, std::move(state), i, f), i, f);
    case Special::print_into:
        return library_result(path, print_into(path, std::move(state), i, f), i, f);
    case Special::scan:
        return library_result(path, scan(path, std::move(state), i, f), i, f);
    case Special::stop:
        if (!state.at_exit.empty() || !program_.destructors.empty())
            return refuse("functions that run at exit (atexit, destructors) are not followed");
        stop_here(path, state, i);
        return {};
    case Special::abort:
        break_off(path, state, i.position);
        return {};
    case Special::failed:
        if (options_.assertions && possible(state))
            fail(path, state, Failure::Kind::assertion, i.position, "an assertion may fail");
        if (!options_.assertions) break_off(path, state, i.position);
        return {};
    case Special::assume:
        if (!assume_truth(state, state.held[0], true)) return {};
        state.held.clear();
        states.push_back(std::move(state));
        return states;
    case Special::at_exit:
        if (!is_function(state.held[0].term)) return refuse("what atexit is given is not known");
        state.at_exit.push_back(state.held[0].term);
        set_result(state, i, value_of(0));
        state.held.clear();
        states.push_back(std::move(state));
        return states;
    case Special::sort:
    case Special::search:
        return refuse(fmt::format("{} calls back: that is not followed in proofs", i.name));
    case Special::refuse:
        return refuse(fmt::format("{}: {}", i.name, f.reason));
    case Special::none:
        break;
    }
    return refuse(fmt::format("{} is not followed", i.name));
}

// exit(): what is not reachable from variables of any kind is lost.
void Executor::stop_here(const Path& path, SymbolicState& state, const Instruction& i) {
    look_for_leaks(path, state, i.position, true);
}

Executor::States Executor::reallocate(const Path& path, SymbolicState state, const Instruction& i) {
    const auto size = extent(state, {Extent::Kind::argument, 1, 1, -1});
    if (!size || size->low != size->high || size->low == 0) {
        if (possible(state))
            fail(path, state, Failure::Kind::unknown, i.position,
                 "realloc to a size that is not a known number");
        return {};
    }
    States done;
    const std::int64_t bytes = size->low;
    const auto fresh_block = [&](SymbolicState s) {
        SymbolicValue made;
        for (SymbolicState& one :
             allocated(path, std::move(s), i, bytes, SymbolicBlock::Rest::undetermined, made)) {
            if (!one.held.empty()) {
                const SymbolicValue old = one.held[0];
                if (const int from = one.block_at(old.term); from >= 0 && !is_constant(old.term)) {
                    const SymbolicBlock& source = one.blocks[static_cast<std::size_t>(from)];
                    if (source.size)
                        copy_contents(one, from, 0, one.block_at(made.term), 0,
                                      std::min(bytes, *source.size));
                    else
                        one.smudge(one.block_at(made.term), 0, bytes, false);
                    one.remove_block(one.block_at(old.term));
                    one.freed.insert(old.term);
                }
                set_result(one, i, made);
            }
            one.held.clear();
            done.push_back(std::move(one));
        }
    };
    const SymbolicValue value = state.held[0];
    if (value.plain() && !state.apart(value.term, logic::null_name)) {
        SymbolicState null = state;
        if (null.assume_equal(value.term, logic::null_name)) fresh_block(std::move(null));
        if (!state.assume_distinct(value.term, logic::null_name)) return done;
    }
    for (SymbolicState& s : access(path, std::move(state), i, 0, {0, 0}, Use::release)) {
        const SymbolicBlock& block = s.blocks[static_cast<std::size_t>(s.block_at(s.held[0].term))];
        const bool from_heap =
            block.kind == SymbolicBlock::Kind::heap || block.kind == SymbolicBlock::Kind::cell;
        if (!from_heap || !s.held[0].plain()) {
            if (possible(s))
                fail(path, s, Failure::Kind::memory_error, i.position,
                     fmt::format("realloc of what is not from malloc: {}", pointer_text(s, i, 0)));
            continue;
        }
        if (block.kind == SymbolicBlock::Kind::cell && !not_an_object(path, s, i, 0)) continue;
        fresh_block(std::move(s));
    }
    return done;
}

// ---- functions of which nothing is known

Executor::States Executor::do_external(const Path& path, const Instruction& i) {
    SymbolicState state = path.state;
    const auto refuse = [&](const std::string& why) {
        if (possible(state)) fail(path, state, Failure::Kind::unknown, i.position, why);
        return States{};
    };
    for (std::size_t a = 0; a < i.arguments.size(); ++a) {
        const SymbolicValue value = evaluate(state, i.arguments[a]);
        const bool pointer = a < i.argument_types.size() && i.argument_types[a].kind == Type::Kind::pointer;
        if (is_function(value.term))
            return refuse(
                fmt::format("{} has no body here, and is given a function that it may call", i.name));
        const int block = state.block_at(value.term);
        if (block >= 0 && state.blocks[static_cast<std::size_t>(block)].constant) continue;
        const bool number = value.plain() && is_number(value.term);
        if (block >= 0 || (pointer && !number))
            return refuse(
                fmt::format("{} has no body here, and may keep and change what its arguments lead to: "
                            "give it a body, or a model of it in this file",
                            i.name));
    }
    // What other files can see, it can change.
    for (std::size_t g = 0; g < program_.globals.size(); ++g) {
        const Global& global = program_.globals[g];
        if (state.globals[g].empty() || global.constant || !global.visible) continue;
        const int block = state.block_at(state.globals[g]);
        if (block < 0)
            return refuse(fmt::format("{} has no body here, and may change '{}'", i.name, global.name));
        SymbolicBlock& one = state.blocks[static_cast<std::size_t>(block)];
        for (const auto& [offset, slot] : one.slots) {
            const bool number = !slot.value.empty() && slot.value.plain() &&
                                (is_number(slot.value.term) || state.range(slot.value.term) != Interval{});
            if (!number && !slot.value.empty() && slot.bytes == program_.pointer_bytes)
                return refuse(
                    fmt::format("{} has no body here, and may change what '{}' leads to; make it static "
                                "if no other file uses it",
                                i.name, global.name));
        }
        one.slots.clear();
        one.texts.clear();
        one.rest = SymbolicBlock::Rest::any;
    }
    segment_.assumptions.insert(
        fmt::format("{}, which has no body here, calls no function of this file, and returns", i.name));
    unknown_results(state, i);
    States states;
    states.push_back(std::move(state));
    return states;
}

} // namespace ggsnn::verify
