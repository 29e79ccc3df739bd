#include "ggsnn/verify/graph/executor.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ggsnn::verify::graph {

std::string where(const Program& program, const Position& position) {
    const auto file = static_cast<std::size_t>(position.file);
    return fmt::format("{}:{}:{}", file < program.files.size() ? program.files[file] : program.path,
                       position.line, position.column);
}

// Whether a call gives the arguments of this type, and takes its result.
static bool has_signature(const Instruction& i, const std::vector<Type>& signature) {
    const std::size_t results = signature.empty() || signature[0].kind == Type::Kind::none ? 0 : 1;
    bool same = i.arguments.size() + 1 == signature.size() && i.argument_types.size() == i.arguments.size() &&
                i.targets.size() == results;
    for (std::size_t a = 0; same && a < i.arguments.size(); ++a)
        same = i.argument_types[a].kind == signature[a + 1].kind &&
               i.argument_types[a].bits == signature[a + 1].bits;
    return same;
}

Executor::Step Executor::fail(Trouble::Kind kind, Position position, std::string reason) {
    if (!failed_) trouble_ = {kind, position, std::move(reason)};
    failed_ = true;
    return Step::gone;
}

// initial: as the program initialises them. Otherwise what is not constant holds anything.
bool Executor::add_globals(State& state, bool initial) {
    state.pointer_bytes = program_.pointer_bytes;
    for (std::size_t g = 0; g < program_.globals.size(); ++g) {
        const Global& global = program_.globals[g];
        graph::Object object;
        object.kind = graph::Object::Kind::global;
        object.number = static_cast<int>(g);
        object.size = Value::number(global.size);
        object.constant = global.constant;
        object.rest = global.defined && (initial || global.constant) ? graph::Object::Rest::zero
                                                                     : graph::Object::Rest::any;
        object.made = global.position;
        if (global.thread_local_) {
            fail(Trouble::Kind::unknown, global.position,
                 fmt::format("'{}' belongs to a thread", global.name));
            return false;
        }
        state.globals.push_back(state.add(std::move(object)));
    }
    for (std::size_t g = 0; g < program_.globals.size(); ++g) {
        if (!program_.globals[g].defined || !(initial || program_.globals[g].constant)) continue;
        const int object = state.globals[g];
        for (const Piece& piece : program_.globals[g].contents) {
            const int bytes = static_cast<int>(piece.bytes);
            if (piece.kind == Piece::Kind::number)
                state.store(object, piece.offset, bytes, Value::number(piece.number));
            else if (piece.kind == Piece::Kind::function && piece.index >= 0)
                state.store(object, piece.offset, bytes, Value::function(piece.index));
            else if (piece.kind == Piece::Kind::global && piece.index >= 0)
                state.store(
                    object, piece.offset, bytes,
                    Value::address(state.globals[static_cast<std::size_t>(piece.index)], piece.number));
            else
                state.smudge(object, piece.offset, piece.offset + piece.bytes);
        }
    }
    return true;
}

std::optional<State> Executor::start(int main) {
    State state;
    const Function& f = program_.functions[static_cast<std::size_t>(main)];
    if (!add_globals(state, true)) return {};
    Frame frame;
    frame.function = main;
    frame.variables.resize(f.variables.size());
    frame.objects.assign(f.objects.size(), -1);
    if (f.parameters > 0) {
        bool used = false;
        for (const Block& block : f.blocks)
            for (const Instruction& i : block.instructions)
                for (const Operand* o : {&i.a, &i.b, &i.c})
                    used = used ||
                           (o->kind == Operand::Kind::variable && o->index < f.parameters && o->index > 0);
        if (used) {
            fail(Trouble::Kind::unknown, f.position, "main uses its arguments");
            return {};
        }
        frame.variables[0] = state.fresh_value({1, 1 << 20});
    }
    state.frames.push_back(std::move(frame));
    return state;
}

bool Executor::run(State state, std::vector<State>& onward) {
    failed_ = false;
    state.arrived = false;
    const Block& block = function(state).blocks[static_cast<std::size_t>(state.frames.back().block)];
    while (state.frames.back().next < block.instructions.size()) {
        const Instruction& i = block.instructions[state.frames.back().next];
        const std::size_t depth = state.frames.size();
        const Step step = execute(state, i);
        if (failed_) {
            if (rules_.keep_draws) last_ = std::move(state);
            return false;
        }
        if (step == Step::gone) return true;
        if (step == Step::retry) {
            for (State& one : split_) onward.push_back(std::move(one));
            split_.clear();
            return true;
        }
        if (state.frames.size() != depth) { // a call was entered
            onward.push_back(std::move(state));
            return true;
        }
        ++state.frames.back().next;
    }
    if (rules_.keep_draws) last_ = state;
    finish_block(std::move(state), block, onward);
    return !failed_;
}

Executor::Step Executor::execute(State& state, const Instruction& i) {
    const auto set = [&](const Value& value) {
        if (i.target >= 0) state.frames.back().variables[static_cast<std::size_t>(i.target)] = value;
        return Step::next;
    };
    switch (i.kind) {
    case Kind::copy:
        return set(evaluate(state, i.a));
    case Kind::compute:
        return compute(state, i);
    case Kind::choose: {
        const Value condition = evaluate(state, i.a);
        if (condition.is_number()) return set(evaluate(state, condition.offset != 0 ? i.b : i.c));
        std::vector<State> both;
        for (const bool truth : {true, false}) {
            State one = state;
            if (!assume(one, condition, truth)) continue;
            one.frames.back().variables[static_cast<std::size_t>(i.target)] =
                evaluate(one, truth ? i.b : i.c);
            ++one.frames.back().next;
            both.push_back(std::move(one));
        }
        split(std::move(both));
        return Step::retry;
    }
    case Kind::offset:
        return offset(state, i);
    case Kind::load:
        return load(state, i);
    case Kind::store:
        return store(state, i);
    case Kind::move:
        return move(state, i);
    case Kind::fill:
        return fill(state, i);
    case Kind::local:
        return local(state, i);
    case Kind::end_local:
        end_local(state, i.object);
        return Step::next;
    case Kind::forget:
        return set({});
    case Kind::call:
        if (const WrittenContract* contract = book_ == nullptr ? nullptr : book_->of(i.name))
            return call_by_contract(state, i, *contract);
        return enter(state, i, i.callee, arguments(state, i));
    case Kind::library:
        return library(state, i);
    case Kind::external:
        if (const WrittenContract* contract = book_ == nullptr ? nullptr : book_->of(i.name))
            return call_by_contract(state, i, *contract);
        return external(state, i);
    case Kind::indirect: {
        const Value callee = evaluate(state, i.a);
        if (callee == Value::function(Value::outside) && i.arguments.size() == 1 && i.targets.empty())
            return release(state, evaluate(state, i.arguments[0]), i.position);
        if (callee.is_given()) {
            const Function& outermost =
                program_.functions[static_cast<std::size_t>(state.frames[0].function)];
            const Variable& p = outermost.variables[static_cast<std::size_t>(callee.given_as())];
            const Type result = p.signature.empty() ? Type{} : p.signature[0];
            const int target = i.targets.empty() ? -1 : i.targets[0];
            const Type taken =
                target < 0 ? result : function(state).variables[static_cast<std::size_t>(target)].type;
            if (!has_signature(i, p.signature) || taken.kind != result.kind || taken.bits != result.bits)
                return fail(Trouble::Kind::unknown, i.position,
                            fmt::format("{} is called as another type than it is declared with", p.name));
            return call_unknown(state, i, p.name, true);
        }
        if (callee.base != Value::Base::function || callee.id < 0)
            return fail(Trouble::Kind::memory, i.position, "a call through a pointer that is not known");
        const Function& f = program_.functions[static_cast<std::size_t>(callee.id)];
        bool fits = static_cast<std::size_t>(f.parameters) == i.arguments.size() && !f.variadic &&
                    f.results.size() == i.targets.size();
        for (int p = 0; p < f.parameters && fits; ++p) {
            const Type &given = i.argument_types[static_cast<std::size_t>(p)],
                       &wanted = f.variables[static_cast<std::size_t>(p)].type;
            fits = given.kind == wanted.kind && given.bits == wanted.bits;
        }
        if (!fits && !(i.targets.empty() && static_cast<std::size_t>(f.parameters) == i.arguments.size()))
            return fail(Trouble::Kind::unknown, i.position, "a call through a pointer of another type");
        return enter(state, i, callee.id, arguments(state, i));
    }
    case Kind::refuse:
        return fail(Trouble::Kind::unknown, i.position, "not supported: " + i.name);
    }
    return fail(Trouble::Kind::unknown, i.position, "not supported");
}

Executor::Step Executor::enter(State& state, const Instruction& i, int callee,
                               const std::vector<Value>& arguments) {
    const Function& f = program_.functions[static_cast<std::size_t>(callee)];
    if (static_cast<int>(state.frames.size()) >= rules_.depth)
        return fail(Trouble::Kind::unknown, i.position,
                    fmt::format("calls are nested {} deep", rules_.depth));
    Frame frame;
    frame.function = callee;
    frame.variables.resize(f.variables.size());
    frame.objects.assign(f.objects.size(), -1);
    for (std::size_t a = 0; a < static_cast<std::size_t>(f.parameters) && a < arguments.size(); ++a)
        frame.variables[a] = arguments[a];
    state.frames.push_back(std::move(frame));
    state.arrived = true;
    return Step::next;
}

void Executor::finish_block(State state, const Block& block, std::vector<State>& onward) {
    const auto go = [&](State next, int to) {
        next.frames.back().block = to;
        next.frames.back().next = 0;
        next.arrived = true;
        onward.push_back(std::move(next));
    };
    switch (block.end) {
    case Block::End::jump:
        return go(std::move(state), block.then);
    case Block::End::branch: {
        const Value condition = evaluate(state, block.condition);
        if (condition.is_number())
            return go(std::move(state), condition.offset != 0 ? block.then : block.otherwise);
        for (const bool truth : {true, false}) {
            State one = state;
            if (assume(one, condition, truth)) go(std::move(one), truth ? block.then : block.otherwise);
        }
        return;
    }
    case Block::End::choice: {
        const Value condition = evaluate(state, block.condition);
        State rest = state;
        for (const auto& [number, to] : block.cases) {
            const Value same = Value::number(number);
            if (condition.base == Value::Base::number) {
                const auto holds = compare_numbers(rest, Operator::equal, condition, same);
                if (holds && !*holds) continue;
                if (holds && *holds) return go(std::move(rest), to);
            }
            State one = rest;
            if (assume_comparison(one, {Operator::equal, condition, same, block.bits}, true))
                go(std::move(one), to);
            if (!assume_comparison(rest, {Operator::equal, condition, same, block.bits}, false)) return;
        }
        return go(std::move(rest), block.otherwise);
    }
    case Block::End::returns:
        return leave(std::move(state), block, onward);
    case Block::End::stop:
        if (block.unreachable)
            fail(Trouble::Kind::unknown, block.position, "a place that must not be reached");
        else
            break_off(state, block.position);
        return;
    }
}

void Executor::leave(State state, const Block& block, std::vector<State>& onward) {
    std::vector<Value> results;
    for (const Operand& operand : block.results) results.push_back(evaluate(state, operand));
    if (state.frames.size() == 1 && checked_ != nullptr)
        return check_postcondition(std::move(state), results, block.position, onward);
    for (const int object : state.frames.back().made)
        if (state.has(object)) state.kill(object);
    if (state.frames.size() == 1 && to_caller_) return end_function(state, results, block.position);
    if (state.frames.size() == 1) return end_program(state, block.position, false);
    state.frames.pop_back();
    Frame& caller = state.frames.back();
    const Instruction& call = program_.functions[static_cast<std::size_t>(caller.function)]
                                  .blocks[static_cast<std::size_t>(caller.block)]
                                  .instructions[caller.next];
    for (std::size_t t = 0; t < call.targets.size(); ++t)
        if (call.targets[t] >= 0)
            caller.variables[static_cast<std::size_t>(call.targets[t])] =
                t < results.size() ? results[t] : Value{};
    if (call.targets.empty() && call.target >= 0)
        caller.variables[static_cast<std::size_t>(call.target)] = results.empty() ? Value{} : results[0];
    ++caller.next;
    onward.push_back(std::move(state));
}

// What the caller has: the results, what it passed, and globals.
void Executor::end_function(State& state, const std::vector<Value>& results, Position position) {
    Frame& frame = state.frames.back();
    const std::size_t own = function(state).variables.size();
    frame.variables.erase(frame.variables.begin(),
                          frame.variables.begin() + static_cast<std::ptrdiff_t>(own));
    frame.variables.insert(frame.variables.end(), results.begin(), results.end());
    end_program(state, position, true);
}

void Executor::end_program(State& state, Position position, bool frames_count) {
    if (!frames_count) state.frames.clear();
    const std::vector<int> lost = state.lost();
    for (const int id : lost) {
        const graph::Object& o = state.at(id);
        if (o.form == graph::Object::Form::block || o.least > 0) {
            fail(Trouble::Kind::leak, position,
                 fmt::format("leak: a block from line {} that nothing leads to any more", o.made.line));
            return;
        }
    }
    // What may be there and is lost then.
    if (!lost.empty())
        fail(Trouble::Kind::leak, position, "leak: a block that nothing leads to any more, if it is there");
    else if (rules_.cleanup && !state.live_blocks().empty())
        fail(Trouble::Kind::leak, position, "a block that the program does not free");
}

// abort() and the like: whether what is not freed then is an error nobody says.
Executor::Step Executor::break_off(State& state, Position position) {
    if (rules_.cleanup && !state.live_blocks().empty())
        return fail(Trouble::Kind::unknown, position,
                    "the program may break off with memory that is not freed");
    return Step::gone;
}

} // namespace ggsnn::verify::graph
