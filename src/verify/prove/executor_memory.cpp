// Memory: every access is shown to be inside of a live block, or is a failure.
#include "ggsnn/verify/prove/executor.hpp"

#include <algorithm>

namespace ggsnn::verify {

namespace {

constexpr std::int64_t split_indices = 16; // an index with at most so many values is looked at value by value

} // namespace

std::string Executor::pointer_text(const SymbolicState& state, const Instruction& i,
                                   std::size_t which) const {
    const Operand* operand = nullptr;
    const bool called = i.kind == Kind::library || i.kind == Kind::call || i.kind == Kind::external;
    if (called)
        operand = which < i.arguments.size() ? &i.arguments[which] : nullptr;
    else
        operand = which == 0 ? &i.a : &i.b;
    if (operand != nullptr && operand->kind == Operand::Kind::global)
        return fmt::format("'{}'", program_.globals[static_cast<std::size_t>(operand->index)].name);
    if (operand != nullptr && operand->kind == Operand::Kind::variable) {
        const Variable& variable = function_.variables[static_cast<std::size_t>(operand->index)];
        if (variable.kind != Variable::Kind::temporary) return fmt::format("'{}'", variable.name);
    }
    // A variable that holds the same address, or the one it was made from.
    const SymbolicValue& value = state.held[which];
    for (std::size_t v = 0; v < function_.variables.size(); ++v)
        if (function_.variables[v].kind != Variable::Kind::temporary && !state.store[v].empty() &&
            !is_constant(value.term) && state.store[v].term == value.term && state.store[v].plain())
            return fmt::format("'{}'", function_.variables[v].name);
    return "the pointer";
}

void Executor::report_access(const Path& path, SymbolicState& state, const Instruction& i, std::size_t which,
                             Use use) {
    const logic::Answer& answer = entailments_.refute(state.everything());
    if (answer.verdict == logic::Validity::valid) return;
    const std::string what = pointer_text(state, i, which);
    const SymbolicValue value = state.held[which];
    const bool to_free = use == Use::release;
    const auto say = [&](std::string reason) {
        fail(path, state, Failure::Kind::memory_error, i.position, std::move(reason), answer.counter);
    };
    constexpr std::int64_t first_page = 4096; // what is that near to NULL is a field of it
    if (const auto n = number_of(value.term))
        return say(*n >= 0 && *n < first_page
                       ? fmt::format("null dereference: {} is NULL", what)
                       : fmt::format("dangling pointer: {} is the number {}", what, *n));
    if (is_function(value.term)) return say(fmt::format("{} is the address of a function", what));
    if (state.freed.contains(value.term))
        return say(fmt::format("{}: {} was freed before", to_free ? "double free" : "use after free", what));
    if (value.undetermined) return say(fmt::format("uninitialised pointer: {} has no value", what));
    SymbolicState null = state;
    if (!to_free && value.plain() && null.assume_equal(value.term, logic::null_name)) {
        const logic::Answer& model = entailments_.refute(null.everything());
        if (model.verdict == logic::Validity::invalid)
            return fail(path, null, Failure::Kind::memory_error, i.position,
                        fmt::format("null dereference: {} may be NULL", what), model.counter);
    }
    say(fmt::format("{}: nothing is known of memory at {}",
                    to_free ? "free of what may not be allocated" : "dangling pointer", what));
}

// The block is there: are the bytes inside? Puts the state, or cases of it, where it belongs.
bool Executor::within(const Path& path, SymbolicState& state, const Instruction& i, std::size_t which,
                      Interval bytes, Use use, States& open, States& found) {
    const SymbolicValue value = state.held[which];
    const SymbolicBlock& block = state.blocks[static_cast<std::size_t>(state.block_at(value.term))];
    const auto say = [&](Failure::Kind kind, std::string reason) {
        const logic::Answer& answer = entailments_.refute(state.everything());
        if (answer.verdict == logic::Validity::valid) return false;
        fail(path, state, kind, i.position, std::move(reason), answer.counter);
        return false;
    };
    const std::string what = pointer_text(state, i, which);
    if (block.kind == SymbolicBlock::Kind::handle)
        return say(Failure::Kind::unknown, fmt::format("{} leads to what belongs to the C library", what));
    if (use == Use::write && (block.constant || block.kind == SymbolicBlock::Kind::text))
        return say(Failure::Kind::memory_error,
                   fmt::format("{} leads to memory that must not be changed", what));
    if (bytes.high <= 0) {
        found.push_back(std::move(state));
        return true;
    }
    if (!block.size)
        return say(Failure::Kind::unknown, fmt::format("the size of the memory at {} is not known", what));
    Interval offset{value.offset, value.offset};
    Interval index{0, 0};
    if (!value.index.empty()) {
        index = state.range(value.index);
        constexpr std::int64_t large = std::int64_t{1} << 40;
        if (index.low < -large || index.high > large || std::abs(value.scale) > (1 << 20))
            return say(Failure::Kind::memory_error,
                       fmt::format("out of bounds: nothing is known of the index into {}", what));
        const auto [low, high] = std::minmax({index.low * value.scale, index.high * value.scale});
        offset = {value.offset + low, value.offset + high};
    }
    const std::int64_t count = index.high - index.low + 1;
    if (!value.index.empty() && count <= split_indices) {
        for (std::int64_t n = index.low; n <= index.high; ++n) {
            SymbolicState one = state;
            if (one.assume_equal(value.index, number_term(n))) open.push_back(std::move(one));
        }
        return true;
    }
    std::int64_t end = 0;
    if (__builtin_add_overflow(offset.high, bytes.high, &end) || offset.low < 0 || end > *block.size)
        return say(Failure::Kind::memory_error,
                   fmt::format("out of bounds: {} {} bytes at offset {} of a block of {} bytes", what,
                               bytes.high,
                               offset.low == offset.high ? fmt::format("{}", offset.low)
                                                         : fmt::format("{} to {}", offset.low, offset.high),
                               *block.size));
    found.push_back(std::move(state));
    return true;
}

Executor::States Executor::access(const Path& path, SymbolicState first, const Instruction& i,
                                  std::size_t which, Interval bytes, Use use) {
    States found, open{std::move(first)};
    while (!open.empty()) {
        SymbolicState state = std::move(open.back());
        open.pop_back();
        const SymbolicValue value = state.held[which];
        if (state.block_at(value.term) >= 0) {
            within(path, state, i, which, bytes, use, open, found);
            continue;
        }
        const int structure = is_constant(value.term) ? -1 : state.structure_at(value.term);
        if (structure < 0) {
            report_access(path, state, i, which, use);
            continue;
        }
        for (SymbolicState& empty : state.emptied(structure)) open.push_back(std::move(empty));
        for (SymbolicState& full : state.opened(structure, value.term)) open.push_back(std::move(full));
    }
    return found;
}

Executor::States Executor::do_load(const Path& path, const Instruction& i) {
    SymbolicState state = path.state;
    state.held = {evaluate(state, i.a)};
    const std::int64_t bytes = i.type.bytes();
    States states = access(path, std::move(state), i, 0, {bytes, bytes}, Use::read);
    for (SymbolicState& s : states) {
        const SymbolicValue place = s.held[0];
        SymbolicValue value = value_of(
            i.type.kind == Type::Kind::integer ? s.fresh_number(Interval::of_bits(i.type.bits)) : s.fresh());
        const int block = s.block_at(place.term);
        const SymbolicBlock& from = s.blocks[static_cast<std::size_t>(block)];
        const bool changes = from.kind == SymbolicBlock::Kind::global &&
                             !program_.globals[static_cast<std::size_t>(from.object)].defined;
        if (place.index.empty() && !i.is_volatile && !changes) value = s.load(block, place.offset, i.type);
        s.held.clear();
        if (i.target >= 0) s.store[static_cast<std::size_t>(i.target)] = value;
    }
    return states;
}

Executor::States Executor::do_store(const Path& path, const Instruction& i) {
    SymbolicState state = path.state;
    const SymbolicValue place = evaluate(state, i.a), value = evaluate(state, i.b);
    state.held = {place, value};
    const std::int64_t bytes = i.type.bytes();
    States states = access(path, std::move(state), i, 0, {bytes, bytes}, Use::write);
    for (SymbolicState& s : states) {
        const SymbolicValue at = s.held[0];
        const int block = s.block_at(at.term);
        if (!at.index.empty()) {
            const Interval index = s.range(at.index);
            const auto [low, high] = std::minmax({index.low * at.scale, index.high * at.scale});
            s.smudge(block, at.offset + low, high - low + bytes, false);
        } else if (i.is_volatile) {
            s.smudge(block, at.offset, bytes, true);
        } else {
            s.store_at(block, at.offset, static_cast<int>(bytes), s.held[1]);
        }
        s.held.clear();
    }
    return states;
}

void Executor::copy_contents(SymbolicState& state, int from, std::int64_t from_offset, int to,
                             std::int64_t to_offset, std::int64_t bytes) {
    const SymbolicBlock source = state.blocks[static_cast<std::size_t>(from)];
    const std::int64_t end = from_offset + bytes;
    state.smudge(to, to_offset, bytes, source.rest != SymbolicBlock::Rest::undetermined);
    const auto shift = to_offset - from_offset;
    const auto gap = [&](std::int64_t low, std::int64_t high) { // bytes without a slot
        if (low >= high || source.rest != SymbolicBlock::Rest::zero) return;
        state.store_at(to, low + shift, static_cast<int>(high - low), value_of(0));
    };
    std::int64_t at = from_offset;
    for (const auto& [offset, slot] : source.slots) {
        const std::int64_t slot_end = offset + slot.bytes;
        if (slot_end <= from_offset || offset >= end) continue;
        gap(at, std::max(offset, from_offset));
        at = std::min(slot_end, end);
        if (offset >= from_offset && slot_end <= end)
            state.store_at(to, offset + shift, slot.bytes, slot.value);
        else
            state.smudge(to, std::max(offset, from_offset) + shift, at - std::max(offset, from_offset), true);
    }
    gap(at, end);
}

// held: where to, where from.
Executor::States Executor::copied(const Path& path, SymbolicState state, const Instruction& i, Interval bytes,
                                  bool may_overlap) {
    States result;
    for (SymbolicState& read : access(path, std::move(state), i, 1, bytes, Use::read))
        for (SymbolicState& s : access(path, std::move(read), i, 0, bytes, Use::write)) {
            const SymbolicValue to = s.held[0], from = s.held[1];
            const int to_block = s.block_at(to.term), from_block = s.block_at(from.term);
            const bool exact = to.index.empty() && from.index.empty() && bytes.low == bytes.high;
            if (to.term == from.term && !may_overlap && bytes.high > 0 && !(to == from)) {
                const std::int64_t gap = std::abs(to.offset - from.offset);
                if ((!to.index.empty() || !from.index.empty() || gap < bytes.high) && possible(s)) {
                    fail(path, s, Failure::Kind::memory_error, i.position, "source and destination overlap");
                    continue;
                }
            }
            if (exact) {
                copy_contents(s, from_block, from.offset, to_block, to.offset, bytes.low);
            } else if (bytes.high > 0) {
                Interval index{0, 0};
                if (!to.index.empty()) index = s.range(to.index);
                const auto [low, high] = std::minmax({index.low * to.scale, index.high * to.scale});
                s.smudge(to_block, to.offset + low, high - low + bytes.high, false);
            }
            result.push_back(std::move(s));
        }
    return result;
}

Executor::States Executor::do_move(const Path& path, const Instruction& i) {
    SymbolicState state = path.state;
    const SymbolicValue to = evaluate(state, i.a), from = evaluate(state, i.b), count = evaluate(state, i.c);
    state.held = {to, from, count};
    Interval bytes = range(state, count);
    if (bytes.low < 0) bytes = {0, std::numeric_limits<std::int64_t>::max() / 2};
    for (const SymbolicValue& place : {to, from})
        if (bytes.low == 0 && place.plain() && place.term == logic::null_name) {
            if (possible(state))
                fail(path, state, Failure::Kind::unknown, i.position,
                     "NULL is given where memory is copied, which C does not define even for no bytes");
            return {};
        }
    if (bytes.high == 0) { // nothing is copied
        States none;
        state.held.clear();
        none.push_back(std::move(state));
        return none;
    }
    // How a struct is copied does not tell that it is copied onto itself.
    States states = copied(path, std::move(state), i, bytes, i.may_overlap);
    for (SymbolicState& s : states) s.held.clear();
    return states;
}

Executor::States Executor::do_fill(const Path& path, const Instruction& i) {
    SymbolicState state = path.state;
    const SymbolicValue to = evaluate(state, i.a), byte = evaluate(state, i.b), count = evaluate(state, i.c);
    state.held = {to, byte, count};
    Interval bytes = range(state, count);
    if (bytes.low < 0) bytes = {0, std::numeric_limits<std::int64_t>::max() / 2};
    if (bytes.high == 0) {
        States none;
        state.held.clear();
        none.push_back(std::move(state));
        return none;
    }
    States states = access(path, std::move(state), i, 0, bytes, Use::write);
    for (SymbolicState& s : states) {
        const SymbolicValue at = s.held[0];
        const int block = s.block_at(at.term);
        const auto n = plain_number(s.held[1]);
        const bool exact = at.index.empty() && bytes.low == bytes.high;
        if (exact && n && (*n & 255) == 0) {
            s.store_at(block, at.offset, static_cast<int>(std::min<std::int64_t>(bytes.low, 1 << 30)),
                       value_of(0));
            if (bytes.low > (1 << 30)) s.smudge(block, at.offset, bytes.low, true);
        } else if (exact) {
            s.smudge(block, at.offset, bytes.low, true);
        } else {
            Interval index{0, 0};
            if (!at.index.empty()) index = s.range(at.index);
            const auto [low, high] = std::minmax({index.low * at.scale, index.high * at.scale});
            s.smudge(block, at.offset + low, high - low + bytes.high, false);
        }
        s.held.clear();
    }
    return states;
}

// ---- objects of the function

Executor::States Executor::do_local(const Path& path, const Instruction& i) {
    const Object& object = function_.objects[static_cast<std::size_t>(i.object)];
    SymbolicState state = path.state;
    Interval size{object.size, object.size};
    if (object.size < 0) size = range(state, evaluate(state, i.c));
    if (size.low < 0 || (object.size < 0 && size.low == 0)) {
        if (possible(state))
            fail(path, state, Failure::Kind::unknown, i.position,
                 fmt::format("the size of '{}' is not known to be positive", object.name));
        return {};
    }
    States states = end_object(path, std::move(state), i, i.object);
    for (SymbolicState& s : states) {
        std::optional<std::int64_t> bytes;
        if (size.low == size.high) bytes = size.low;
        SymbolicBlock& block =
            s.add_block(SymbolicBlock::Kind::local, bytes, SymbolicBlock::Rest::undetermined);
        block.object = i.object;
        s.objects[static_cast<std::size_t>(i.object)] = block.root;
        if (i.target >= 0) s.store[static_cast<std::size_t>(i.target)] = value_of(block.root);
    }
    return states;
}

Executor::States Executor::end_object(const Path& path, SymbolicState state, const Instruction& i,
                                      int number) {
    TermName& root = state.objects[static_cast<std::size_t>(number)];
    States states;
    if (root.empty()) {
        states.push_back(std::move(state));
        return states;
    }
    state.held = {value_of(root)};
    if (state.block_at(root) < 0 && state.structure_at(root) < 0) {
        if (possible(state))
            fail(path, state, Failure::Kind::unknown, i.position,
                 fmt::format("the memory of '{}' may still be part of a structure when its scope ends",
                             function_.objects[static_cast<std::size_t>(number)].name));
        return {};
    }
    for (SymbolicState& s : access(path, std::move(state), i, 0, {0, 0}, Use::read)) {
        const TermName place = s.held[0].term;
        s.remove_block(s.block_at(place));
        s.freed.insert(place);
        s.objects[static_cast<std::size_t>(number)].clear();
        s.held.clear();
        states.push_back(std::move(s));
    }
    return states;
}

// ---- the heap

// A cell out of a formula that is to be freed is none of the objects.
bool Executor::not_an_object(const Path& path, SymbolicState& state, const Instruction& i,
                             std::size_t which) {
    const TermName root = state.held[which].term;
    const auto look = [&](const TermName& other, const Object& object) {
        if (other.empty() || !linked(program_, object) || state.apart(root, other)) return true;
        if (possible(state))
            fail(path, state, Failure::Kind::memory_error, i.position,
                 fmt::format("free of what is not from malloc: {} may be the address of '{}'",
                             pointer_text(state, i, which), object.name));
        return false;
    };
    for (std::size_t o = 0; o < state.objects.size(); ++o)
        if (!look(state.objects[o], function_.objects[o])) return false;
    for (std::size_t g = 0; g < state.globals.size(); ++g)
        if (!look(state.globals[g], program_.globals[g])) return false;
    return true;
}

Executor::States Executor::release(const Path& path, SymbolicState state, const Instruction& i,
                                   std::size_t which) {
    States states;
    const SymbolicValue value = state.held[which];
    if (value.plain() && !state.apart(value.term, logic::null_name)) {
        SymbolicState null = state; // free(NULL) does nothing
        if (null.assume_equal(value.term, logic::null_name)) states.push_back(std::move(null));
        if (!state.assume_distinct(value.term, logic::null_name)) return states;
    }
    for (SymbolicState& s : access(path, std::move(state), i, which, {0, 0}, Use::release)) {
        const SymbolicValue place = s.held[which];
        const int number = s.block_at(place.term);
        const SymbolicBlock& block = s.blocks[static_cast<std::size_t>(number)];
        const std::string what = pointer_text(s, i, which);
        const bool from_heap =
            block.kind == SymbolicBlock::Kind::heap || block.kind == SymbolicBlock::Kind::cell;
        if (!from_heap || !place.plain()) {
            if (possible(s))
                fail(path, s, Failure::Kind::memory_error, i.position,
                     fmt::format("free of what is not from malloc: {} leads {}", what,
                                 from_heap ? "into the middle of a block" : "to no block of the heap"));
            continue;
        }
        if (block.kind == SymbolicBlock::Kind::cell && !not_an_object(path, s, i, which)) continue;
        s.remove_block(number);
        s.freed.insert(place.term);
        states.push_back(std::move(s));
    }
    return states;
}

// A new block, and NULL if that is asked for; result is set for the states with a block.
Executor::States Executor::allocated(const Path&, SymbolicState state, const Instruction& i,
                                     std::optional<std::int64_t> size, SymbolicBlock::Rest rest,
                                     SymbolicValue& result) {
    States states;
    if (options_.allocation_may_fail) {
        SymbolicState null = state;
        set_result(null, i, value_of(0));
        null.held.clear();
        states.push_back(std::move(null));
    } else {
        segment_.assumptions.insert("malloc and calloc succeed");
    }
    result = value_of(state.add_block(SymbolicBlock::Kind::heap, size, rest).root);
    states.push_back(std::move(state));
    return states;
}

// ---- the end of the program

void Executor::look_for_leaks(const Path& path, SymbolicState& state, Position position,
                              bool variables_count) {
    std::set<TermName> reached;
    std::vector<TermName> open;
    const auto add = [&](const SymbolicValue& value) {
        if (!value.empty() && reached.insert(value.term).second) open.push_back(value.term);
    };
    for (const SymbolicBlock& block : state.blocks) {
        const bool stays = block.kind == SymbolicBlock::Kind::global ||
                           block.kind == SymbolicBlock::Kind::handle ||
                           (variables_count && block.kind == SymbolicBlock::Kind::local);
        if (stays) add(value_of(block.root));
    }
    for (const TermName& root : state.globals)
        if (!root.empty()) add(value_of(root));
    for (const SymbolicValue& value : state.store)
        if (variables_count) add(value);
    while (!open.empty()) {
        const TermName term = open.back();
        open.pop_back();
        if (const int block = state.block_at(term); block >= 0)
            for (const auto& [offset, slot] : state.blocks[static_cast<std::size_t>(block)].slots)
                add(slot.value);
        for (const logic::Atom& atom : state.heap.atoms) {
            if (!has_cell_at(atom, term)) continue;
            logic::SymbolicHeap alone;
            alone.atoms.push_back(atom);
            for (const std::string& name : logic::free_names(alone)) add(value_of(name));
        }
    }
    for (const SymbolicBlock& block : state.blocks) {
        const bool owned = block.kind == SymbolicBlock::Kind::heap || block.kind == SymbolicBlock::Kind::cell;
        if (!owned || reached.contains(block.root)) continue;
        if (possible(state))
            fail(path, state, Failure::Kind::leak, position, "a block is left that nothing leads to");
        return;
    }
    for (std::size_t a = 0; a < state.heap.atoms.size(); ++a) {
        const logic::Atom& atom = state.heap.atoms[a];
        if (atom.kind == logic::Atom::Kind::none || reached.contains(atom.root())) continue;
        for (SymbolicState& filled : state.opened(static_cast<int>(a), atom.root()))
            if (possible(filled))
                return fail(path, filled, Failure::Kind::leak, position,
                            "cells are left that nothing leads to");
    }
    nothing_left(path, state, position, "memory is left that the program does not free");
}

bool Executor::nothing_left(const Path& path, SymbolicState& state, Position position,
                            const std::string& reason) {
    if (!options_.cleanup) return true;
    const auto named = [&](const std::vector<TermName>& roots, const TermName& root) {
        return std::find(roots.begin(), roots.end(), root) != roots.end();
    };
    const bool there = std::any_of(state.blocks.begin(), state.blocks.end(), [&](const SymbolicBlock& block) {
        const bool owned = block.kind == SymbolicBlock::Kind::heap || block.kind == SymbolicBlock::Kind::cell;
        return owned && !named(state.globals, block.root) && !named(state.objects, block.root);
    });
    // Of a function that is called by contract the caller's memory is not seen here.
    if ((there || !options_.whole_program) && possible(state)) {
        fail(path, state, Failure::Kind::leak, position,
             options_.whole_program
                 ? reason
                 : "the program ends inside of a call: what is freed then is not followed");
        return false;
    }
    for (std::size_t a = 0; a < state.heap.atoms.size(); ++a) {
        const logic::Atom& atom = state.heap.atoms[a];
        if (atom.kind == logic::Atom::Kind::none) continue;
        for (SymbolicState& filled : state.opened(static_cast<int>(a), atom.root()))
            if (possible(filled)) {
                fail(path, filled, Failure::Kind::leak, position, reason);
                return false;
            }
    }
    return true;
}

// abort() and the like: whether what is not freed then is an error nobody says.
void Executor::break_off(const Path& path, SymbolicState& state, Position position) {
    nothing_left(path, state, position, "the program may break off with memory that is not freed");
}

} // namespace ggsnn::verify
