// Written contracts: the start of a function under its own, its return, and calls by contract.
#include "ggsnn/verify/graph/executor.hpp"

#include <fmt/format.h>

namespace ggsnn::verify::graph {

std::optional<State> Executor::blank(int number) {
    State state;
    if (!add_globals(state, false)) return {};
    const Function& f = program_.functions[static_cast<std::size_t>(number)];
    Frame frame;
    frame.function = number;
    frame.variables.resize(f.variables.size());
    frame.objects.assign(f.objects.size(), -1);
    for (int p = 0; p < f.parameters; ++p) {
        const Variable& variable = f.variables[static_cast<std::size_t>(p)];
        if (variable.by_value > 0) {
            fail(Trouble::Kind::unknown, f.position, "a parameter that is passed by value");
            return {};
        }
        frame.variables[static_cast<std::size_t>(p)] = variable.type.kind == Type::Kind::integer
                                                           ? state.fresh_bits(variable.type.bits)
                                                           : state.fresh_value({});
    }
    state.frames.push_back(std::move(frame));
    return state;
}

std::optional<std::vector<State>> Executor::start_under(int number, const WrittenContract& contract) {
    checked_ = &contract;
    auto blank = this->blank(number);
    if (!blank) return {};
    State state = std::move(*blank);
    Frame frame = std::move(state.frames.back());
    state.frames.pop_back();
    const Function& f = program_.functions[static_cast<std::size_t>(number)];
    if (static_cast<std::size_t>(f.parameters) != contract.parameters.size()) {
        fail(Trouble::Kind::unknown, f.position, "the contract's parameters are not those of the function");
        return {};
    }
    for (std::size_t p = 0; p < contract.parameters.size(); ++p) {
        entry_.slot[contract.parameters[p]] = frame.variables.size();
        frame.variables.push_back(frame.variables[p]);
    }
    for (const std::string& name : contract.with) {
        entry_.slot[name] = frame.variables.size();
        frame.variables.push_back(state.fresh_value({}));
    }
    state.frames.push_back(std::move(frame));
    const std::size_t kept = state.frames.back().variables.size();
    const std::set<std::string> wanted = ContractBook::names_in(contract.ensures);
    std::vector<State> states;
    for (const AssertionCase& one : contract.requires_.cases) {
        State given = state;
        Slots slots = entry_;
        bool impossible = false;
        if (!book_->give(given, one, contract, slots, impossible)) {
            fail(Trouble::Kind::unknown, f.position,
                 "the precondition is not understood: " + book_->trouble());
            return {};
        }
        if (impossible) continue;
        std::vector<Value>& variables = given.frames.back().variables;
        variables.resize(kept);
        // What the postcondition does not mention would only keep nodes apart.
        for (const auto& [name, slot] : entry_.slot)
            if (!wanted.contains(name)) variables[slot] = {};
        given.collect_symbols();
        states.push_back(std::move(given));
    }
    return states;
}

void Executor::check_postcondition(State state, const std::vector<Value>& results, Position position,
                                   std::vector<State>& onward) {
    std::string why;
    for (const AssertionCase& one : checked_->ensures.cases) {
        State tried = state;
        Slots slots = entry_;
        std::set<int> taken;
        Value open_at;
        if (!results.empty()) {
            slots.slot["__return"] = tried.frames.back().variables.size();
            tried.frames.back().variables.push_back(results[0]);
        }
        const Taken answer = book_->take(tried, one, *checked_, slots, taken, open_at);
        if (answer == Taken::split) {
            // Run the return again, once it is known whether there is a node.
            for (State& part : state.opened(open_at.id, open_at.place)) onward.push_back(std::move(part));
            return;
        }
        why = answer == Taken::no ? book_->trouble() : "";
        if (answer != Taken::yes) continue;
        for (const auto& [id, o] : tried.objects())
            if (o->kind == Object::Kind::heap && o->live && !taken.contains(id)) why = "memory is left over";
        if (why.empty()) return;
    }
    fail(Trouble::Kind::memory, position, "the postcondition is not shown: " + why);
}

// The precondition's memory is taken out, the postcondition's is put in its place.
Executor::Step Executor::call_by_contract(State& state, const Instruction& i,
                                          const WrittenContract& contract) {
    const auto refuse = [&](const std::string& why) {
        return fail(Trouble::Kind::unknown, i.position,
                    fmt::format("the contract of {}: {}", contract.function, why));
    };
    if (i.arguments.size() != contract.parameters.size()) return refuse("another number of arguments");
    const std::vector<Value> given = arguments(state, i);
    const std::size_t kept = state.frames.back().variables.size();
    std::string why;
    for (const AssertionCase& one : contract.requires_.cases) {
        State after = state;
        Slots slots;
        std::set<int> taken;
        Value open_at;
        for (std::size_t p = 0; p < given.size(); ++p) {
            slots.slot[contract.parameters[p]] = after.frames.back().variables.size();
            after.frames.back().variables.push_back(given[p]);
        }
        for (const std::string& name : contract.with) {
            slots.slot[name] = after.frames.back().variables.size();
            slots.open.insert(name);
            after.frames.back().variables.emplace_back();
        }
        const Taken answer = book_->take(after, one, contract, slots, taken, open_at);
        if (answer == Taken::split) {
            split(state.opened(open_at.id, open_at.place));
            return Step::retry;
        }
        if (answer == Taken::no) {
            why = book_->trouble();
            continue;
        }
        // Nobody knows what addresses of it lead to now.
        std::map<Value, Value> gone;
        after.change_values([&](Value& v) {
            if (!v.is_address() || !taken.contains(v.id)) return false;
            const auto [known, added] = gone.try_emplace(v);
            if (added) known->second = after.fresh_value({});
            v = known->second;
            return true;
        });
        after.comparisons.clear();
        for (const int id : taken) after.remove(id);
        // A logical variable that nothing decided may be chosen.
        for (const std::string& name : slots.open)
            after.frames.back().variables[slots.slot.at(name)] = Value::number(0);
        slots.open.clear();
        std::vector<State> results;
        for (const AssertionCase& ensured : contract.ensures.cases) {
            State result = after;
            Slots names = slots;
            names.slot["__return"] = result.frames.back().variables.size();
            result.frames.back().variables.push_back(result_symbol(result, i));
            bool impossible = false;
            if (!book_->give(result, ensured, contract, names, impossible)) return refuse(book_->trouble());
            if (impossible) continue;
            const Value value = result.frames.back().variables[names.slot.at("__return")];
            result.frames.back().variables.resize(kept);
            set_result(result, i, value);
            ++result.frames.back().next;
            results.push_back(std::move(result));
        }
        if (program_.function_called(contract.function) < 0)
            assumptions_.insert(fmt::format("{} keeps its contract", contract.function));
        split(std::move(results));
        return Step::retry;
    }
    return fail(Trouble::Kind::memory, i.position,
                fmt::format("the precondition of {} is not shown: {}", contract.function, why));
}

Value Executor::result_symbol(State& state, const Instruction& i) const {
    const int target = !i.targets.empty() ? i.targets[0] : i.target;
    if (target < 0) return state.fresh_value({});
    const Type& type = function(state).variables[static_cast<std::size_t>(target)].type;
    return type.kind == Type::Kind::integer ? state.fresh_bits(type.bits) : state.fresh_value({});
}

} // namespace ggsnn::verify::graph
