// Calls of functions with a body, by their contracts: the part of memory that the callee's precondition
// describes is replaced by what its postcondition describes; the rest is untouched (the frame rule). While a
// call is at work, SymbolicState::held has the arguments.
#include "ggsnn/verify/prove/executor.hpp"

#include <algorithm>

namespace ggsnn::verify {

using logic::Atom;
using logic::Formula;
using logic::SymbolicHeap;

namespace {

// none(x) of a callee is said of the part of the heap it was given.
SymbolicHeap without_none(SymbolicHeap heap) {
    for (const Atom& atom : heap.atoms)
        if (atom.kind == Atom::Kind::none) heap.pure.push_back({false, atom.root(), logic::null_name});
    std::erase_if(heap.atoms, [](const Atom& atom) { return atom.kind == Atom::Kind::none; });
    return heap;
}

} // namespace

Executor::States Executor::do_call(const Path& path, const Instruction& i) {
    const auto number = static_cast<std::size_t>(i.callee);
    const Function& callee = program_.functions[number];
    SymbolicState state = path.state;
    const std::optional<Contract>& promised = contracts_[number];
    if (!promised) {
        if (possible(state))
            fail(path, state, Failure::Kind::unknown, i.position,
                 fmt::format("{} has no contract", callee.name));
        return {};
    }
    const Contract& contract = *promised;
    std::vector<SymbolicValue> arguments;
    for (const Operand& argument : i.arguments) arguments.push_back(evaluate(state, argument));
    state.held = std::move(arguments);
    const Names names = call_names(state, callee);
    if (const std::string trouble = unsuited(contract.requires_, names); !trouble.empty()) {
        fail(path, state, Failure::Kind::unknown, i.position,
             fmt::format("precondition of {}: {}", callee.name, trouble));
        return {};
    }
    segment_.callees.insert(i.callee);
    States results;
    for (SymbolicState& frame : frames(path, state, i, contract)) {
        const std::string trouble = after_call(std::move(frame), state, i, contract, results);
        if (trouble.empty()) continue;
        if (possible(state))
            fail(path, state, Failure::Kind::unknown, i.position,
                 fmt::format("call of {}: {}", callee.name, trouble));
        return {};
    }
    return results;
}

Names Executor::call_names(SymbolicState& state, const Function& callee) const {
    Names names;
    for (std::size_t g = 0; g < program_.globals.size(); ++g) {
        const Global& global = program_.globals[g];
        if (global.constant || state.globals[g].empty()) continue;
        const int block = state.block_at(state.globals[g]);
        if (block >= 0 && global.type.kind == Type::Kind::pointer) state.load(block, 0, global.type);
        if (block >= 0 && global.record >= 0)
            for (const RecordType::Field& field :
                 program_.records[static_cast<std::size_t>(global.record)].fields)
                if (field.type.kind == Type::Kind::pointer) state.load(block, field.offset, field.type);
        add_object_names(state, global, state.globals[g], names);
    }
    const auto parameters = static_cast<std::size_t>(callee.parameters);
    for (std::size_t p = 0; p < parameters && p < state.held.size(); ++p)
        names[callee.variables[p].name] = name_of_value(state.held[p]);
    Names old;
    for (const auto& [name, term] : names) old[fmt::format("\\old({})", name)] = term;
    names.merge(old);
    return names;
}

// What can be reached from the names of the formula.
std::set<int> Executor::footprint(const SymbolicHeap& left, const Formula& needed) {
    std::set<std::string> reached = logic::free_names(needed);
    std::set<int> atoms;
    for (bool again = true; again;) {
        again = false;
        for (std::size_t i = 0; i < left.atoms.size(); ++i) {
            const Atom& atom = left.atoms[i];
            if (atom.kind == Atom::Kind::none || atoms.contains(static_cast<int>(i))) continue;
            if (std::none_of(atom.arguments.begin(), atom.arguments.end(), [&](const std::string& argument) {
                    return reached.contains(argument) && has_cell_at(atom, argument);
                }))
                continue;
            SymbolicHeap alone;
            alone.atoms.push_back(atom);
            reached.merge(logic::free_names(alone));
            atoms.insert(static_cast<int>(i));
            again = true;
        }
    }
    return atoms;
}

// The state with this memory only: blocks whose roots are among its cells, and its structures. Nothing if it
// cannot be.
std::optional<SymbolicState> Executor::without(const SymbolicState& state, const SymbolicHeap& kept) const {
    SymbolicState rest = state;
    std::set<TermName> roots;
    SymbolicHeap added;
    for (const Atom& atom : kept.atoms) {
        if (atom.kind == Atom::Kind::cell && state.block_at(atom.root()) >= 0)
            roots.insert(atom.root());
        else
            added.atoms.push_back(atom);
    }
    for (int b = static_cast<int>(rest.blocks.size()) - 1; b >= 0; --b)
        if (!roots.contains(rest.blocks[static_cast<std::size_t>(b)].root)) rest.remove_block(b);
    std::set<int> all;
    for (std::size_t a = 0; a < rest.heap.atoms.size(); ++a) all.insert(static_cast<int>(a));
    rest.remove_structures(all);
    added.exists = kept.exists;
    added.pure = kept.pure;
    return rest.assume(added, {}) ? std::optional(std::move(rest)) : std::nullopt;
}

// States without the part that the callee is given. Empty: a failure was recorded, or the path is refuted.
Executor::States Executor::frames(const Path& path, const SymbolicState& state, const Instruction& i,
                                  const Contract& contract) {
    const Function& callee = program_.functions[static_cast<std::size_t>(i.callee)];
    SymbolicState named = state;
    const Formula needed = instantiate(contract.requires_, call_names(named, callee));
    Condition condition;
    condition.kind = Condition::Kind::precondition;
    condition.position = i.position;
    condition.path = path.turns;
    condition.left = named.described(variable_names(named));
    condition.right = contract.requires_;
    condition.verdict = logic::Validity::valid;

    const SymbolicHeap given = named.question(needed, true);
    const std::set<int> part = footprint(given, needed);
    SymbolicHeap local = given, rest = given;
    local.atoms.clear();
    rest.atoms.clear();
    rest.pure.clear();
    for (std::size_t a = 0; a < given.atoms.size(); ++a)
        (part.contains(static_cast<int>(a)) ? local : rest).atoms.push_back(given.atoms[a]);
    States states;
    if (entailments_.prove(local, needed).verdict == logic::Validity::valid) {
        segment_.conditions.push_back(std::move(condition));
        if (auto left = without(named, rest)) states.push_back(std::move(*left));
        return states;
    }
    logic::FrameAnswer frame = logic::infer_frame(given, needed, entailments_.limits());
    condition.verdict = frame.verdict;
    segment_.conditions.push_back(std::move(condition));
    if (frame.verdict != logic::Validity::valid) {
        SymbolicState here = state;
        if (possible(here))
            fail(path, here, Failure::Kind::precondition, i.position,
                 fmt::format("the precondition of {} {}", callee.name,
                             frame.counter ? "does not hold" : "could not be shown"),
                 frame.counter);
        return {};
    }
    for (const SymbolicHeap& one : frame.cases)
        if (auto left = without(named, one)) states.push_back(std::move(*left));
    return states;
}

// One state for each case of the postcondition that is possible. Returns why it cannot be used, or nothing.
std::string Executor::after_call(SymbolicState state, const SymbolicState& before, const Instruction& i,
                                 const Contract& contract, States& results) const {
    const auto number = static_cast<std::size_t>(i.callee);
    const Function& callee = program_.functions[number];
    // Objects that were given away must come back; a callee that frees anything might free them.
    std::vector<SymbolicBlock> lent;
    for (const SymbolicBlock& block : before.blocks) {
        const bool object =
            block.kind == SymbolicBlock::Kind::local || block.kind == SymbolicBlock::Kind::global;
        if (object && state.block_at(block.root) < 0) lent.push_back(block);
    }
    if (!lent.empty() && may_free_[number] != 0)
        return "it is given memory that is not from malloc, and may free what it is given";
    state.forget_dangling();
    for (const SymbolicHeap& written : contract.ensures.heaps) {
        const SymbolicHeap given = without_none(written);
        SymbolicState next = state;
        Names names = call_names(next, callee);
        for (std::size_t g = 0; g < program_.globals.size(); ++g) {
            if (changed_globals_[number][g] == 0 || next.globals[g].empty()) continue;
            const int block = next.block_at(next.globals[g]);
            if (block < 0) continue;
            SymbolicBlock& global = next.blocks[static_cast<std::size_t>(block)];
            global.slots.clear();
            global.texts.clear();
            global.rest = SymbolicBlock::Rest::any;
        }
        const Names after = call_names(next, callee);
        for (const auto& [name, term] : after)
            if (!name.starts_with("\\old")) names[name] = term;
        for (std::size_t p = 0; p < static_cast<std::size_t>(callee.parameters) && p < next.held.size(); ++p)
            names[callee.variables[p].name] = name_of_value(next.held[p]);
        if (i.targets.size() > 1) {
            unknown_results(next, i);
        } else if (callee.results.size() == 1) {
            const Type& type = callee.results[0];
            const TermName result = type.kind == Type::Kind::integer
                                        ? next.fresh_number(Interval::of_bits(type.bits))
                                        : next.fresh();
            names["\\result"] = result;
            set_result(next, i, value_of(result));
        }
        if (const std::string trouble = unsuited(contract.ensures, names); !trouble.empty()) return trouble;
        if (!next.assume(given, names)) continue;
        for (const SymbolicBlock& block : lent) {
            const int back = next.block_at(block.root);
            if (back < 0) {
                if (next.in_formulas(block)) continue; // inside a structure
                return "memory of a variable does not come back";
            }
            SymbolicBlock& one = next.blocks[static_cast<std::size_t>(back)];
            one.kind = block.kind;
            one.object = block.object;
        }
        next.held.clear();
        results.push_back(std::move(next));
    }
    return "";
}

} // namespace ggsnn::verify
