// The instructions of the intermediate language on symbolic states.
#include "verify/symbolic.hpp"

#include <algorithm>

namespace ggsnn::verify {

using Kind = Instruction::Kind;

namespace {

bool is_comparison(const Expression& e) {
    if (e.kind == Expression::Kind::unary) return e.symbol == "!";
    return e.kind == Expression::Kind::binary && (e.symbol == "==" || e.symbol == "!=" || e.symbol == "<" ||
                                                  e.symbol == "<=" || e.symbol == ">" || e.symbol == ">=");
}

// Numbers wrap at 64 bits. Nothing where C has no answer.
std::optional<std::int64_t> compute(const std::string& symbol, std::int64_t a, std::int64_t b) {
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    if (symbol == "==") return a == b;
    if (symbol == "!=") return a != b;
    if (symbol == "<") return a < b;
    if (symbol == "<=") return a <= b;
    if (symbol == ">") return a > b;
    if (symbol == ">=") return a >= b;
    if (symbol == "+") return static_cast<std::int64_t>(ua + ub);
    if (symbol == "-") return static_cast<std::int64_t>(ua - ub);
    if (symbol == "*") return static_cast<std::int64_t>(ua * ub);
    if (symbol == "&") return a & b;
    if (symbol == "|") return a | b;
    if (symbol == "^") return a ^ b;
    return std::nullopt;
}

} // namespace

Executor::States Executor::execute(const Path& path, const Instruction& instruction) {
    switch (instruction.kind) {
    case Kind::assign:
        return do_assign(path.state, instruction);
    case Kind::load:
        return do_load(path, instruction);
    case Kind::store:
        return do_store(path, instruction);
    case Kind::allocate:
        return do_allocate(path.state, instruction);
    case Kind::release:
        return do_release(path, instruction);
    case Kind::call:
        return do_call(path, instruction);
    case Kind::forget: {
        States states{path.state};
        states[0].store[static_cast<std::size_t>(instruction.target)].clear();
        return states;
    }
    }
    give_up(instruction.position, "an instruction that is not known");
    return {};
}

Executor::States Executor::do_assign(SymbolicState state, const Instruction& instruction) {
    States states = evaluate_cases(std::move(state), instruction.value);
    for (SymbolicState& s : states) {
        s.store[static_cast<std::size_t>(instruction.target)] = s.held[0];
        s.held.clear();
    }
    return states;
}

Executor::States Executor::do_load(const Path& path, const Instruction& instruction) {
    const Record::Field& field = program_.records[static_cast<std::size_t>(instruction.record)]
                                     .fields[static_cast<std::size_t>(instruction.field)];
    SymbolicState state = path.state;
    state.held = {state.value(instruction.base)};
    States states = access(path, std::move(state), instruction);
    for (SymbolicState& s : states) {
        const Term value = s.load(s.cell_at(s.held[0]), field.role, field.type.kind != Type::Kind::pointer);
        s.store[static_cast<std::size_t>(instruction.target)] = value;
        s.held.clear();
    }
    return states;
}

Executor::States Executor::do_store(const Path& path, const Instruction& instruction) {
    const Record::Field& field = program_.records[static_cast<std::size_t>(instruction.record)]
                                     .fields[static_cast<std::size_t>(instruction.field)];
    SymbolicState state = path.state;
    state.held = {state.value(instruction.base), evaluate(state, instruction.value)};
    States states = access(path, std::move(state), instruction);
    for (SymbolicState& s : states) {
        s.store_field(s.cell_at(s.held[0]), field.role, field.type.kind != Type::Kind::pointer, s.held[1]);
        s.held.clear();
    }
    return states;
}

Executor::States Executor::do_allocate(SymbolicState state, const Instruction& instruction) {
    States states;
    const auto target = static_cast<std::size_t>(instruction.target);
    if (options_.allocation_may_fail && !instruction.boxed) {
        states.push_back(state);
        states[0].store[target] = logic::null_name;
    }
    segment_.allocates |= !options_.allocation_may_fail && !instruction.boxed;
    const Term root = state.fresh();
    const int cell = state.allocate(root);
    for (const Record::Field& field : program_.records[static_cast<std::size_t>(instruction.record)].fields) {
        const bool data = field.type.kind != Type::Kind::pointer;
        state.store_field(cell, field.role, data,
                          instruction.zeroed ? Term(logic::null_name) : state.fresh());
    }
    state.store[target] = root;
    states.push_back(std::move(state));
    return states;
}

Executor::States Executor::do_release(const Path& path, const Instruction& instruction) {
    States states;
    SymbolicState state = path.state;
    state.held = {evaluate(state, instruction.value)};
    const Term value = state.held[0];
    if (!state.apart(value, logic::null_name)) {
        SymbolicState null = state; // free(NULL) does nothing
        if (null.assume_equal(value, logic::null_name)) {
            null.held.clear();
            states.push_back(std::move(null));
        }
        if (!state.assume_distinct(value, logic::null_name)) return states;
    }
    for (SymbolicState& s : access(path, std::move(state), instruction)) {
        if (!instruction.boxed && !not_of_a_variable(path, s, instruction)) continue;
        s.release(s.cell_at(s.held[0]));
        s.held.clear();
        states.push_back(std::move(s));
    }
    return states;
}

// The cell to be freed is none that a local variable lives in.
bool Executor::not_of_a_variable(const Path& path, SymbolicState& state, const Instruction& instruction) {
    for (std::size_t v = 0; v < boxes_.size(); ++v) {
        if (!boxes_[v] || state.store[v].empty() || state.apart(state.held[0], state.store[v])) continue;
        fail(path, state, Failure::Kind::memory_error, instruction.position,
             fmt::format("free of what is not from malloc: {} may be the address of '{}'",
                         pointer_text(instruction), program_.variable(function_, static_cast<int>(v)).name));
        return false;
    }
    return true;
}

Executor::States Executor::access(const Path& path, SymbolicState first, const Instruction& instruction) {
    States found, open{std::move(first)};
    while (!open.empty()) {
        SymbolicState state = std::move(open.back());
        open.pop_back();
        const Term root = state.held[0];
        if (state.cell_at(root) >= 0) {
            found.push_back(std::move(state));
            continue;
        }
        const int structure = is_number(root) ? -1 : state.structure_at(root);
        if (structure < 0) {
            report_access(path, state, instruction);
            continue;
        }
        SymbolicState empty = state;
        if (empty.assume_empty(structure)) open.push_back(std::move(empty));
        if (state.assume_opened(structure, root)) open.push_back(std::move(state));
    }
    return found;
}

// The cell cannot be shown to be there: why, unless the path turns out to be impossible.
void Executor::report_access(const Path& path, SymbolicState& state, const Instruction& instruction) {
    const logic::Formula nothing;
    const logic::Answer& possible = entailments_.refute(state.question(nothing));
    if (possible.verdict == logic::Verdict::valid) return;
    const bool to_free = instruction.kind == Kind::release;
    const std::string what = pointer_text(instruction);
    const Term root = state.held[0];
    if (root == logic::null_name)
        return fail(path, state, Failure::Kind::memory_error, instruction.position,
                    fmt::format("null dereference: {} is NULL", what), possible.counter);
    if (state.freed.contains(root))
        return fail(path, state, Failure::Kind::memory_error, instruction.position,
                    fmt::format("{}: {} was freed before", to_free ? "double free" : "use after free", what),
                    possible.counter);
    if (instruction.base >= 0 && path.state.store[static_cast<std::size_t>(instruction.base)].empty())
        return fail(path, state, Failure::Kind::memory_error, instruction.position,
                    fmt::format("uninitialised pointer: {} has no value", what), possible.counter);
    SymbolicState null = state;
    if (!to_free && null.assume_equal(root, logic::null_name)) {
        const logic::Answer& model = entailments_.refute(null.question(nothing));
        if (model.verdict == logic::Verdict::invalid)
            return fail(path, null, Failure::Kind::memory_error, instruction.position,
                        fmt::format("null dereference: {} may be NULL", what), model.counter);
    }
    fail(path, state, Failure::Kind::memory_error, instruction.position,
         fmt::format("{}: nothing is known of a cell at {}",
                     to_free ? "free of what may not be allocated" : "dangling pointer", what),
         possible.counter);
}

std::string Executor::pointer_text(const Instruction& instruction) const {
    int variable = instruction.base;
    if (instruction.kind == Kind::release)
        variable = instruction.value.kind == Expression::Kind::variable ? instruction.value.variable : -1;
    if (variable >= 0 && program_.variable(function_, variable).kind != Variable::Kind::temporary)
        return fmt::format("'{}'", program_.variable(function_, variable).name);
    if (instruction.kind == Kind::release) return "the pointer";
    const Record& record = program_.records[static_cast<std::size_t>(instruction.record)];
    return fmt::format("the pointer before ->{}",
                       record.fields[static_cast<std::size_t>(instruction.field)].name);
}

// ---- expressions

Term Executor::evaluate(SymbolicState& state, const Expression& e) const {
    switch (e.kind) {
    case Expression::Kind::null:
        return logic::null_name;
    case Expression::Kind::number:
        return number_term(e.number);
    case Expression::Kind::variable:
        return state.value(e.variable);
    case Expression::Kind::unknown:
        return state.fresh();
    case Expression::Kind::unary: {
        const auto a = number_of(evaluate(state, e.operands[0]));
        if (!a) return state.fresh();
        if (e.symbol == "!") return number_term(*a == 0);
        if (e.symbol == "~") return number_term(~*a);
        return e.symbol == "-" ? number_term(*compute("-", 0, *a)) : state.fresh();
    }
    case Expression::Kind::binary: {
        const auto a = number_of(evaluate(state, e.operands[0]));
        const auto b = number_of(evaluate(state, e.operands[1]));
        const auto outcome = a && b ? compute(e.symbol, *a, *b) : std::nullopt;
        return outcome ? number_term(*outcome) : state.fresh();
    }
    }
    return state.fresh();
}

Executor::States Executor::evaluate_cases(SymbolicState state, const Expression& e) const {
    States states;
    if (!is_comparison(e)) {
        state.held = {evaluate(state, e)};
        states.push_back(std::move(state));
        return states;
    }
    for (const bool truth : {true, false}) {
        SymbolicState next = state;
        if (!assume(next, e, truth)) continue;
        next.held = {number_term(truth)};
        states.push_back(std::move(next));
    }
    return states;
}

bool Executor::assume(SymbolicState& state, const Expression& e, bool truth) const {
    if (e.kind == Expression::Kind::unary && e.symbol == "!") return assume(state, e.operands[0], !truth);
    if (is_comparison(e)) return assume_comparison(state, e, truth);
    const Term value = evaluate(state, e);
    if (const auto number = number_of(value)) return (*number != 0) == truth;
    return truth ? state.assume_distinct(value, logic::null_name)
                 : state.assume_equal(value, logic::null_name);
}

bool Executor::assume_comparison(SymbolicState& state, const Expression& e, bool truth) const {
    const bool equality = e.symbol == "==" || e.symbol == "!=";
    for (const int side : {0, 1}) { // (a == b) != 0 and the like
        const Expression& inner = e.operands[static_cast<std::size_t>(side)];
        const Expression& other = e.operands[static_cast<std::size_t>(1 - side)];
        const bool zero = other.kind == Expression::Kind::number && other.number == 0;
        if (equality && zero && is_comparison(inner))
            return assume(state, inner, truth == (e.symbol == "!="));
    }
    const Term a = evaluate(state, e.operands[0]), b = evaluate(state, e.operands[1]);
    if (const auto x = number_of(a), y = number_of(b); x && y)
        return (compute(e.symbol, *x, *y).value() != 0) == truth;
    if (equality) {
        return (e.symbol == "==") == truth ? state.assume_equal(a, b) : state.assume_distinct(a, b);
    }
    // An order says no more than that its sides differ, or that they may be anything.
    const bool strict = e.symbol == "<" || e.symbol == ">";
    if (a == b) return strict != truth;
    return strict == truth ? state.assume_distinct(a, b) : true;
}

} // namespace ggsnn::verify
