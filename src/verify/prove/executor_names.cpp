// Where a path begins, and between values and names: the memory of a blank state, the names that formulas may
// speak of at a place.
#include "ggsnn/verify/prove/executor.hpp"

#include <algorithm>

namespace ggsnn::verify {

using logic::Formula;

std::string old_name(const std::string& name) {
    return fmt::format("\\old({})", name);
}

SymbolicState Executor::blank_state(bool at_entry) const {
    SymbolicState state(program_, function_);
    for (int v = 0; v < function_.parameters; ++v) {
        const Variable& variable = function_.variables[static_cast<std::size_t>(v)];
        const TermName term = variable.type.kind == Type::Kind::integer
                                  ? state.fresh_number(Interval::of_bits(variable.type.bits))
                                  : state.fresh();
        state.initial[old_name(variable.name)] = term;
        if (at_entry || !assigned(v)) state.store[static_cast<std::size_t>(v)] = value_of(term);
    }
    return state;
}

void Executor::add_globals(SymbolicState& state, bool initial) const {
    for (std::size_t g = 0; g < program_.globals.size(); ++g) {
        if (used_globals_[g] == 0) continue;
        const Global& global = program_.globals[g];
        const bool as_written = (initial || global.constant) && global.defined;
        if (!as_written && linked(program_, global)) {
            state.globals[g] = state.fresh(); // the formula has its cell
            continue;
        }
        SymbolicBlock& block =
            state.add_block(SymbolicBlock::Kind::global, global.size,
                            as_written ? SymbolicBlock::Rest::zero : SymbolicBlock::Rest::any);
        block.object = static_cast<int>(g);
        block.constant = global.constant;
        state.globals[g] = block.root;
    }
    for (std::size_t g = 0; g < program_.globals.size(); ++g)
        if (used_globals_[g] != 0) fill_global(state, static_cast<int>(g), initial);
}

void Executor::fill_global(SymbolicState& state, int number, bool initial) const {
    const Global& global = program_.globals[static_cast<std::size_t>(number)];
    const int block = state.block_at(state.globals[static_cast<std::size_t>(number)]);
    if (block < 0 || !((initial || global.constant) && global.defined)) return;
    for (const Piece& piece : global.contents) {
        const auto bytes = static_cast<int>(piece.bytes);
        SymbolicValue value = value_of(state.fresh());
        if (piece.kind == Piece::Kind::number) value = value_of(piece.number);
        if (piece.kind == Piece::Kind::function && piece.index >= 0)
            value = value_of(function_term(piece.index));
        if (piece.kind == Piece::Kind::global && piece.index >= 0) {
            value = value_of(state.globals[static_cast<std::size_t>(piece.index)]);
            value.offset = piece.number;
        }
        if (piece.kind == Piece::Kind::data)
            state.smudge(block, piece.offset, piece.bytes, true);
        else
            state.store_at(block, piece.offset, bytes, value);
    }
}

void Executor::add_object_names(const SymbolicState& state, const Object& object, const TermName& root,
                                Names& names) const {
    if (root.empty()) return;
    if (linked(program_, object)) {
        names[object.name] = root;
        return;
    }
    const int block = state.block_at(root);
    if (block < 0) return;
    const auto& slots = state.blocks[static_cast<std::size_t>(block)].slots;
    const auto add = [&](const std::string& name, std::int64_t offset) {
        const auto slot = slots.find(offset);
        if (slot == slots.end() || slot->second.value.empty() || slot->second.bytes != program_.pointer_bytes)
            return;
        names[name] = name_of_value(slot->second.value);
    };
    if (object.type.kind == Type::Kind::pointer) return add(object.name, 0);
    if (object.record < 0) return;
    for (const RecordType::Field& field : program_.records[static_cast<std::size_t>(object.record)].fields)
        if (field.type.kind == Type::Kind::pointer && field.name != "*")
            add(object.name + "." + field.name, field.offset);
}

namespace {

// Pointers in objects get names even if nothing is known of them yet.
void invent_contents(SymbolicState& state, const Object& object, const TermName& root) {
    const int block = root.empty() ? -1 : state.block_at(root);
    if (block < 0) return;
    const auto touch = [&](std::int64_t offset, const Type& type) {
        if (!state.blocks[static_cast<std::size_t>(block)].size ||
            offset + type.bytes() > *state.blocks[static_cast<std::size_t>(block)].size)
            return;
        state.load(block, offset, type);
    };
    if (object.type.kind == Type::Kind::pointer) touch(0, object.type);
    if (object.record < 0) return;
    for (const RecordType::Field& field :
         state.program().records[static_cast<std::size_t>(object.record)].fields)
        if (field.type.kind == Type::Kind::pointer) touch(field.offset, field.type);
}

} // namespace

Names Executor::names_at_head(int loop, SymbolicState& state) const {
    Names names;
    const Loop& l = function_.loops[static_cast<std::size_t>(loop)];
    for (std::size_t g = 0; g < program_.globals.size(); ++g) {
        if (program_.globals[g].constant) continue;
        invent_contents(state, program_.globals[g], state.globals[g]);
        add_object_names(state, program_.globals[g], state.globals[g], names);
    }
    for (const int v : l.variables)
        names[function_.variables[static_cast<std::size_t>(v)].name] = name_of_value(state.value(v));
    for (const int o : l.objects) {
        const auto i = static_cast<std::size_t>(o);
        invent_contents(state, function_.objects[i], state.objects[i]);
        add_object_names(state, function_.objects[i], state.objects[i], names);
    }
    names.insert(state.initial.begin(), state.initial.end());
    return names;
}

Names Executor::names_at_return(SymbolicState& state) const {
    Names names = state.initial;
    for (int v = 0; v < function_.parameters; ++v) {
        const std::string& name = function_.variables[static_cast<std::size_t>(v)].name;
        names[name] = state.initial.at(old_name(name));
    }
    for (std::size_t g = 0; g < program_.globals.size(); ++g) {
        const Global& global = program_.globals[g];
        if (global.constant || names.contains(global.name)) continue;
        invent_contents(state, global, state.globals[g]);
        add_object_names(state, global, state.globals[g], names);
    }
    if (state.results.size() == 1) names["\\result"] = name_of_value(state.results[0]);
    return names;
}

Names Executor::shown_names(const Names& names, const Formula* formula) const {
    std::set<std::string> pointers{"\\result"};
    if (function_.result.kind != Type::Kind::pointer) pointers.clear();
    std::set<std::string> numbers;
    for (std::size_t v = 0; v < function_.variables.size(); ++v) {
        const Variable& variable = function_.variables[v];
        if (variable.kind == Variable::Kind::temporary || variable.type.kind != Type::Kind::pointer) {
            numbers.insert(variable.name);
            numbers.insert(old_name(variable.name));
            continue;
        }
        pointers.insert(variable.name);
        if (assigned(static_cast<int>(v))) pointers.insert(old_name(variable.name));
    }
    Names shown;
    std::set<std::string> named;
    if (formula) named = logic::free_names(*formula);
    for (const auto& [name, term] : names) {
        const bool object = !pointers.contains(name) && !numbers.contains(name) &&
                            !name.starts_with("\\old") && name != "\\result";
        if (pointers.contains(name) || object || named.contains(name)) shown[name] = term;
    }
    return shown;
}

// Variables with a value, and first values that may be another.
Names Executor::variable_names(const SymbolicState& state) const {
    Names names = state.initial;
    for (std::size_t g = 0; g < program_.globals.size(); ++g)
        if (!program_.globals[g].constant)
            add_object_names(state, program_.globals[g], state.globals[g], names);
    for (std::size_t v = 0; v < function_.variables.size(); ++v)
        if (const SymbolicValue& value = state.store[v]; !value.empty())
            names[function_.variables[v].name] = name_of_value(value);
    for (std::size_t o = 0; o < function_.objects.size(); ++o)
        add_object_names(state, function_.objects[o], state.objects[o], names);
    return shown_names(names, nullptr);
}

} // namespace ggsnn::verify
