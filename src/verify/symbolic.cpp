#include "verify/symbolic.hpp"

#include <algorithm>

namespace ggsnn::verify {

using logic::Formula;
using logic::Pure;
using logic::SymbolicHeap;

namespace {

std::string old_name(const std::string& name) {
    return fmt::format("\\old({})", name);
}

// By function and one of `count` things: what mark(function, instruction, row) marks in its row for any
// instruction of the function or of what it calls.
template <class Mark>
Executor::Effects effects(const Program& program, std::size_t count, Mark mark) {
    Executor::Effects table(program.functions.size(), std::vector<char>(count, 0));
    if (count == 0) return table;
    std::set<std::pair<std::size_t, std::size_t>> calls;
    for (std::size_t f = 0; f < program.functions.size(); ++f)
        for (const Block& block : program.functions[f].blocks)
            for (const Instruction& i : block.instructions) {
                mark(program.functions[f], i, table[f]);
                if (i.kind == Instruction::Kind::call) calls.emplace(f, static_cast<std::size_t>(i.callee));
            }
    for (bool again = true; again;) {
        again = false;
        for (const auto& [caller, callee] : calls)
            for (std::size_t k = 0; k < count; ++k) {
                again |= table[callee][k] > table[caller][k];
                table[caller][k] |= table[callee][k];
            }
    }
    return table;
}

Executor::Effects changed_globals(const Program& program) {
    return effects(program, program.globals.size(),
                   [](const Function& f, const Instruction& i, std::vector<char>& row) {
                       const int own = static_cast<int>(f.variables.size());
                       if (i.target >= own) row[static_cast<std::size_t>(i.target - own)] = 1;
                   });
}

Executor::Effects freed_records(const Program& program) {
    return effects(program, program.records.size(),
                   [&](const Function& f, const Instruction& i, std::vector<char>& row) {
                       if (i.kind != Instruction::Kind::release || i.boxed) return;
                       const int record = i.value.kind == Expression::Kind::variable
                                              ? program.variable(f, i.value.variable).type.record
                                              : -1;
                       if (record >= 0) {
                           row[static_cast<std::size_t>(record)] = 1;
                       } else {
                           row.assign(row.size(), 1);
                       }
                   });
}

// Pure parts that every case of the precondition has, over free names: they speak of the values with which
// the function began, and hold for ever.
std::vector<Pure> lasting_facts(const Formula& requirement) {
    std::vector<Pure> facts;
    const auto has = [](const SymbolicHeap& heap, const Pure& pure) {
        return std::find(heap.pure.begin(), heap.pure.end(), pure) != heap.pure.end();
    };
    for (const Pure& pure : requirement.heaps[0].pure) {
        const bool lasting =
            std::all_of(requirement.heaps.begin(), requirement.heaps.end(), [&](const SymbolicHeap& heap) {
                const auto bound = [&](const std::string& name) {
                    return std::find(heap.exists.begin(), heap.exists.end(), name) != heap.exists.end();
                };
                return has(heap, pure) && !bound(pure.left) && !bound(pure.right);
            });
        if (lasting) facts.push_back(pure);
    }
    return facts;
}

} // namespace

const char* kind_text(Failure::Kind kind) {
    switch (kind) {
    case Failure::Kind::memory_error:
        return "memory error";
    case Failure::Kind::not_established:
        return "invariant not established";
    case Failure::Kind::not_preserved:
        return "invariant not preserved";
    case Failure::Kind::postcondition:
        return "postcondition fails";
    case Failure::Kind::leak:
        return "leak";
    case Failure::Kind::precondition:
        return "call precondition fails";
    case Failure::Kind::unknown:
        return "unknown";
    }
    return "unknown";
}

Executor::Executor(const Program& program, int function, const Contracts& contracts,
                   const ProofOptions& options, Entailments& entailments)
    : program_(program),
      function_(program.functions[static_cast<std::size_t>(function)]),
      contracts_(contracts),
      options_(options),
      entailments_(entailments),
      globals_changed_(changed_globals(program)),
      records_freed_(freed_records(program)) {
    const std::size_t own = function_.variables.size();
    assigned_.assign(own + program.globals.size(), 0);
    boxes_ = assigned_;
    for (const Block& block : function_.blocks)
        for (const Instruction& i : block.instructions) {
            if (i.target < 0 || i.kind == Instruction::Kind::forget) continue;
            assigned_[static_cast<std::size_t>(i.target)] = 1;
            if (i.boxed) boxes_[static_cast<std::size_t>(i.target)] = 1;
        }
    const std::vector<char>& globals = globals_changed_[static_cast<std::size_t>(function)];
    std::copy(globals.begin(), globals.end(), assigned_.begin() + static_cast<std::ptrdiff_t>(own));
    loop_at_block_.assign(function_.blocks.size(), -1);
    for (std::size_t l = 0; l < function_.loops.size(); ++l)
        loop_at_block_[static_cast<std::size_t>(function_.loops[l].head)] = static_cast<int>(l);
    if (const auto& own_contract = contracts[static_cast<std::size_t>(function)])
        lasting_ = lasting_facts(own_contract->requires_);
}

// ---- names

SymbolicState Executor::blank_state(bool at_entry) const {
    SymbolicState state(assigned_.size());
    for (int v = 0; v < static_cast<int>(assigned_.size()); ++v) {
        const Variable& variable = program_.variable(function_, v);
        const bool parameter = v < function_.parameters,
                   global = v >= static_cast<int>(function_.variables.size());
        if (!parameter && !global) continue;
        const Term term = state.fresh();
        state.initial[old_name(variable.name)] = term;
        if (at_entry || !assigned(v)) state.store[static_cast<std::size_t>(v)] = term;
    }
    return state;
}

Names Executor::names_at_head(int loop, SymbolicState& state) const {
    Names names;
    for (const int v : function_.loops[static_cast<std::size_t>(loop)].variables)
        names[program_.variable(function_, v).name] = state.value(v);
    names.insert(state.initial.begin(), state.initial.end());
    return names;
}

Names Executor::names_at_return(SymbolicState& state) const {
    Names names = state.initial;
    for (int v = 0; v < function_.parameters; ++v) {
        const std::string& name = program_.variable(function_, v).name;
        names[name] = state.initial.at(old_name(name));
    }
    for (int v = static_cast<int>(function_.variables.size()); v < static_cast<int>(assigned_.size()); ++v)
        names[program_.variable(function_, v).name] = state.value(v);
    if (!state.result.empty()) names["\\result"] = state.result;
    return names;
}

Names Executor::shown_names(const Names& names, const Formula* formula) const {
    std::set<std::string> pointers{"\\result"};
    if (function_.result.kind != Type::Kind::pointer) pointers.clear();
    for (int v = 0; v < static_cast<int>(assigned_.size()); ++v) {
        const Variable& variable = program_.variable(function_, v);
        if (variable.type.kind != Type::Kind::pointer || variable.kind == Variable::Kind::temporary) continue;
        pointers.insert(variable.name);
        if (assigned(v)) pointers.insert(old_name(variable.name));
    }
    if (formula) pointers.merge(logic::free_names(*formula));
    Names shown;
    for (const auto& [name, term] : names)
        if (pointers.contains(name)) shown[name] = term;
    return shown;
}

// Variables with a value, and first values that may be another.
Names Executor::variable_names(const SymbolicState& state) const {
    Names names = state.initial;
    for (int v = 0; v < static_cast<int>(assigned_.size()); ++v)
        if (const Term& term = state.store[static_cast<std::size_t>(v)]; !term.empty())
            names[program_.variable(function_, v).name] = term;
    return shown_names(names, nullptr);
}

// ---- failures

void Executor::fail(const Path& path, SymbolicState& state, Failure::Kind kind, Position position,
                    std::string reason, std::optional<logic::Heap> model) {
    // One at least: without a failure the function would count as proved.
    if (!segment_.failures.empty() &&
        segment_.failures.size() >= static_cast<std::size_t>(std::max(0, options_.failures)))
        return;
    Failure failure;
    failure.kind = kind;
    failure.position = position;
    failure.reason = std::move(reason);
    failure.block = path.block;
    const Names names = variable_names(state);
    failure.state = state.described(names);
    failure.path = path.turns;
    if (model) failure.counter = with_names(*model, names);
    segment_.failures.push_back(std::move(failure));
}

void Executor::give_up(Position position, std::string reason) {
    Failure failure;
    failure.position = position;
    failure.reason = std::move(reason);
    segment_.failures.push_back(std::move(failure));
    stopped_ = true;
}

// ---- paths

Segment Executor::run(int from, const Formula& given, const Deadline& deadline) {
    segment_ = {};
    paths_.clear();
    path_count_ = 0;
    stopped_ = false;
    deadline_ = &deadline;
    start(from, given);
    while (!paths_.empty() && !stopped_) {
        Path path = std::move(paths_.back());
        paths_.pop_back();
        if (++path_count_ > options_.paths)
            give_up(function_.position, fmt::format("more than {} paths", options_.paths));
        else
            advance(std::move(path));
    }
    return std::move(segment_);
}

void Executor::start(int from, const Formula& given) {
    if (!function_.refusals.empty())
        return give_up(function_.refusals[0].position, function_.refusals[0].reason);
    SymbolicState blank = blank_state(from == entry);
    const Names names = from == entry ? names_at_return(blank) : names_at_head(from, blank);
    const Position position =
        from == entry ? function_.position : function_.loops[static_cast<std::size_t>(from)].position;
    if (const std::string trouble = unsuited(given, names); !trouble.empty())
        return give_up(position,
                       fmt::format("{}: {}", from == entry ? "precondition" : "invariant", trouble));
    if (from != entry) {
        SymbolicHeap facts;
        facts.pure = lasting_;
        Names first = blank.initial; // x and \old(x) are the same in a precondition
        for (const auto& [name, term] : blank.initial) first[name.substr(5, name.size() - 6)] = term;
        if (!blank.assume(facts, first)) return;
    }
    for (std::size_t h = given.heaps.size(); h-- > 0;) {
        Path path{blank, 0, 0, {}, 0};
        // The names again: what was assumed may have replaced some.
        const Names here = from == entry ? names_at_return(path.state) : names_at_head(from, path.state);
        if (!path.state.assume(given.heaps[h], here)) continue;
        if (from == entry)
            enter(std::move(path), 0, position);
        else {
            path.block = function_.loops[static_cast<std::size_t>(from)].head;
            paths_.push_back(std::move(path));
        }
    }
}

void Executor::enter(Path path, int block, Position position) {
    const int loop = loop_at_block_[static_cast<std::size_t>(block)];
    if (loop >= 0) {
        segment_.arrivals.push_back(
            {loop, path.block, position, std::move(path.turns), std::move(path.state)});
        return;
    }
    if (++path.blocks > function_.blocks.size()) return give_up(position, "a cycle that no loop head cuts");
    path.block = block;
    path.at = 0;
    paths_.push_back(std::move(path));
}

bool Executor::in_time() {
    if (!deadline_->passed()) return true;
    give_up(function_.position, deadline_->text());
    segment_.cut = true;
    return false;
}

void Executor::advance(Path path) {
    const Block& block = function_.blocks[static_cast<std::size_t>(path.block)];
    while (path.at < block.instructions.size()) {
        if (!in_time()) return;
        States states = execute(path, block.instructions[path.at]);
        ++path.at;
        for (std::size_t s = 1; s < states.size(); ++s) {
            Path other = path;
            other.state = std::move(states[s]);
            paths_.push_back(std::move(other));
        }
        if (states.empty() || stopped_) return;
        path.state = std::move(states[0]);
    }
    finish_block(std::move(path), block);
}

void Executor::finish_block(Path path, const Block& block) {
    switch (block.end) {
    case Block::End::stop:
        return;
    case Block::End::jump:
        return enter(std::move(path), block.then, block.position);
    case Block::End::give:
        return give(std::move(path), block);
    case Block::End::branch:
        break;
    }
    for (const bool truth : {false, true}) {
        Path next = path;
        if (!assume(next.state, block.condition, truth)) continue;
        next.turns.push_back({block.position.line, truth});
        enter(std::move(next), truth ? block.then : block.otherwise, block.position);
    }
}

void Executor::give(Path path, const Block& block) {
    States states{std::move(path.state)};
    if (block.result) states = evaluate_cases(std::move(states[0]), *block.result);
    for (SymbolicState& state : states) {
        if (block.result) state.result = state.held[0];
        state.held.clear();
        segment_.arrivals.push_back({-1, path.block, block.position, path.turns, std::move(state)});
    }
}

} // namespace ggsnn::verify
