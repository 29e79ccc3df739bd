// Calls: the part of the heap that the callee's precondition describes is replaced by what its postcondition
// describes; the rest is untouched (the frame rule). While a call is at work, SymbolicState::held has the
// arguments and then the values of the globals before it.
#include "verify/symbolic.hpp"

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

Executor::States Executor::do_call(const Path& path, const Instruction& instruction) {
    const auto number = static_cast<std::size_t>(instruction.callee);
    const Function& callee = program_.functions[number];
    SymbolicState state = path.state;
    const std::optional<Contract>& promised = contracts_[number];
    if (!promised) {
        fail(path, state, Failure::Kind::unknown, instruction.position,
             fmt::format("{} has no contract", callee.name));
        return {};
    }
    const Contract& contract = *promised;
    state.held.clear();
    for (const Expression& argument : instruction.arguments) state.held.push_back(evaluate(state, argument));
    for (std::size_t g = 0; g < program_.globals.size(); ++g)
        state.held.push_back(state.value(program_.global(function_, static_cast<int>(g))));
    const Names names = call_names(state, callee);
    if (const std::string trouble = unsuited(contract.requires_, names); !trouble.empty()) {
        fail(path, state, Failure::Kind::unknown, instruction.position,
             fmt::format("precondition of {}: {}", callee.name, trouble));
        return {};
    }
    segment_.callees.insert(instruction.callee);
    States results;
    for (SymbolicState& frame : frames(path, state, instruction, contract)) {
        if (!boxes_are_safe(path, frame, instruction)) return {};
        if (const std::string trouble = after_call(std::move(frame), instruction, contract, results);
            !trouble.empty()) {
            fail(path, state, Failure::Kind::unknown, instruction.position,
                 fmt::format("postcondition of {}: {}", callee.name, trouble));
            return {};
        }
    }
    return results;
}

Names Executor::call_names(const SymbolicState& state, const Function& callee) const {
    Names names;
    const auto add = [&](const std::string& name, const Term& term) {
        names[name] = term;
        names[fmt::format("\\old({})", name)] = term;
    };
    const auto arguments = static_cast<std::size_t>(callee.parameters);
    for (std::size_t g = 0; g < program_.globals.size(); ++g)
        add(program_.globals[g].name, state.held[state.held.size() - program_.globals.size() + g]);
    for (std::size_t p = 0; p < arguments && p + program_.globals.size() < state.held.size(); ++p)
        add(callee.variables[p].name, state.held[p]);
    return names;
}

// What can be reached from the names of the formula.
std::set<int> Executor::footprint(const SymbolicState& state, const Formula& needed) {
    std::set<std::string> reached = logic::free_names(needed);
    std::set<int> atoms;
    for (bool again = true; again;) {
        again = false;
        for (std::size_t i = 0; i < state.heap.atoms.size(); ++i) {
            const Atom& atom = state.heap.atoms[i];
            if (atom.kind == Atom::Kind::none || atoms.contains(static_cast<int>(i))) continue;
            const bool last = atom.kind == Atom::Kind::dll && reached.contains(atom.arguments[1]);
            if (!reached.contains(atom.root()) && !last) continue;
            SymbolicHeap alone;
            alone.atoms.push_back(atom);
            reached.merge(logic::free_names(alone));
            atoms.insert(static_cast<int>(i));
            again = true;
        }
    }
    return atoms;
}

// States without the part that the callee is given. Empty: a failure was recorded, or the path is refuted.
Executor::States Executor::frames(const Path& path, const SymbolicState& state,
                                  const Instruction& instruction, const Contract& contract) {
    const Function& callee = program_.functions[static_cast<std::size_t>(instruction.callee)];
    const Formula needed = instantiate(contract.requires_, call_names(state, callee));
    Condition condition;
    condition.kind = Condition::Kind::precondition;
    condition.position = instruction.position;
    condition.path = path.turns;
    condition.left = state.described(variable_names(state));
    condition.right = contract.requires_;
    condition.verdict = logic::Verdict::valid;

    const std::set<int> part = footprint(state, needed);
    SymbolicHeap given = state.question(needed);
    SymbolicHeap local = given;
    local.atoms.clear();
    for (const int atom : part) local.atoms.push_back(given.atoms[static_cast<std::size_t>(atom)]);
    if (entailments_.prove(local, needed).verdict == logic::Verdict::valid) {
        segment_.conditions.push_back(std::move(condition));
        SymbolicState rest = state;
        std::vector<Term> roots;
        for (const int atom : part) roots.push_back(state.heap.atoms[static_cast<std::size_t>(atom)].root());
        rest.remember_allocated(roots);
        rest.remove_atoms(part);
        return {rest};
    }
    const logic::FrameAnswer frame = logic::infer_frame(given, needed, entailments_.limits());
    condition.verdict = frame.verdict;
    segment_.conditions.push_back(std::move(condition));
    if (frame.verdict != logic::Verdict::valid) {
        SymbolicState here = state;
        if (entailments_.refute(given).verdict != logic::Verdict::valid)
            fail(path, here, Failure::Kind::precondition, instruction.position,
                 fmt::format("the precondition of {} {}", callee.name,
                             frame.counter ? "does not hold" : "could not be shown"),
                 frame.counter);
        return {};
    }
    return with_frames(state, frame.cases);
}

Executor::States Executor::with_frames(const SymbolicState& state,
                                       const std::vector<SymbolicHeap>& cases) const {
    States states;
    for (const SymbolicHeap& one : cases) {
        SymbolicState rest = state;
        std::set<int> all;
        for (std::size_t i = 0; i < rest.heap.atoms.size(); ++i) all.insert(static_cast<int>(i));
        rest.remove_atoms(all);
        Names same; // the names of a case are terms of the state
        if (rest.assume(one, same)) states.push_back(std::move(rest));
    }
    return states;
}

// A callee that frees cells of a record is not given the memory of a local variable of that record: it takes
// what it gets for memory from malloc, and may free it on a way on which it does not come back.
bool Executor::boxes_are_safe(const Path& path, SymbolicState& rest, const Instruction& instruction) {
    const std::vector<char>& freed = records_freed_[static_cast<std::size_t>(instruction.callee)];
    for (std::size_t v = 0; v < boxes_.size(); ++v) {
        if (!boxes_[v] || rest.store[v].empty() || rest.cell_at(rest.store[v]) >= 0) continue;
        const Variable& variable = program_.variable(function_, static_cast<int>(v));
        if (!freed[static_cast<std::size_t>(variable.type.record)]) continue;
        fail(path, rest, Failure::Kind::unknown, instruction.position,
             fmt::format("{} may free the memory of '{}', which is not from malloc",
                         program_.functions[static_cast<std::size_t>(instruction.callee)].name,
                         variable.name));
        return false;
    }
    return true;
}

// One state for each case of the postcondition that is possible. Returns why it cannot be used, or nothing.
std::string Executor::after_call(SymbolicState state, const Instruction& instruction,
                                 const Contract& contract, States& results) const {
    const auto number = static_cast<std::size_t>(instruction.callee);
    const Function& callee = program_.functions[number];
    state.forget_dangling();
    for (const SymbolicHeap& written : contract.ensures.heaps) {
        const SymbolicHeap given = without_none(written);
        SymbolicState next = state;
        Names names = call_names(next, callee);
        for (std::size_t g = 0; g < program_.globals.size(); ++g) {
            if (!globals_changed_[number][g]) continue;
            const int variable = program_.global(function_, static_cast<int>(g));
            next.store[static_cast<std::size_t>(variable)] = names[program_.globals[g].name] = next.fresh();
        }
        const Term result = next.fresh();
        if (callee.result.kind != Type::Kind::none) names["\\result"] = result;
        if (const std::string trouble = unsuited(contract.ensures, names); !trouble.empty()) return trouble;
        if (instruction.target >= 0) next.store[static_cast<std::size_t>(instruction.target)] = result;
        if (!next.assume(given, names)) continue;
        next.held.clear();
        results.push_back(std::move(next));
    }
    return "";
}

} // namespace ggsnn::verify
