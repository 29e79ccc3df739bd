#include "ggsnn/verify/prove/executor.hpp"

#include <algorithm>

namespace ggsnn::verify {

using logic::Formula;
using logic::Pure;
using logic::SymbolicHeap;

namespace {

constexpr std::size_t most_steps = 60'000; // instructions on one path
constexpr int inner_forks = 5;             // inside of a round of a loop that is run through

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

// Whether it gives memory back, or nothing is known of what it does.
bool frees(const Instruction& i) {
    if (i.kind == Instruction::Kind::external || i.kind == Instruction::Kind::indirect) return true;
    if (i.kind != Instruction::Kind::library) return false;
    const LibraryFunction* f = library_function(i.name);
    return f == nullptr || f->special == LibraryFunction::Special::release ||
           f->special == LibraryFunction::Special::reallocate;
}

template <class Visit>
void for_each_operand(const Function& function, Visit visit) {
    for (const Block& block : function.blocks) {
        for (const Instruction& i : block.instructions) {
            for (const Operand* operand : {&i.a, &i.b, &i.c}) visit(*operand);
            for (const Operand& operand : i.arguments) visit(operand);
            for (const auto& [operand, scale] : i.terms) visit(operand);
        }
        visit(block.condition);
        for (const Operand& operand : block.results) visit(operand);
    }
}

// Functions that a function may come to run: itself, what it calls, and whatever has its address taken if
// something is called through a pointer.
std::vector<std::vector<char>> reachable_functions(const Program& program) {
    const std::size_t count = program.functions.size();
    std::vector<std::set<std::size_t>> calls(count);
    for (std::size_t f = 0; f < count; ++f)
        for (const Block& block : program.functions[f].blocks)
            for (const Instruction& i : block.instructions) {
                if (i.kind == Instruction::Kind::call) calls[f].insert(static_cast<std::size_t>(i.callee));
                const bool anything =
                    i.kind == Instruction::Kind::indirect || i.kind == Instruction::Kind::library;
                for (std::size_t g = 0; anything && g < count; ++g)
                    if (program.functions[g].address_taken) calls[f].insert(g);
            }
    std::vector<std::vector<char>> reached(count, std::vector<char>(count, 0));
    for (std::size_t f = 0; f < count; ++f) {
        std::vector<std::size_t> open{f};
        reached[f][f] = 1;
        while (!open.empty()) {
            const std::size_t g = open.back();
            open.pop_back();
            for (const std::size_t h : calls[g])
                if (!reached[f][h]) {
                    reached[f][h] = 1;
                    open.push_back(h);
                }
        }
    }
    return reached;
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
    case Failure::Kind::assertion:
        return "assertion";
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
      thresholds_(thresholds_of(program, function_)) {
    assigned_.assign(function_.variables.size(), 0);
    for (const Block& block : function_.blocks)
        for (const Instruction& i : block.instructions) {
            if (i.kind == Instruction::Kind::forget) continue;
            if (i.target >= 0) assigned_[static_cast<std::size_t>(i.target)] = 1;
            for (const int target : i.targets)
                if (target >= 0) assigned_[static_cast<std::size_t>(target)] = 1;
        }
    loop_at_block_.assign(function_.blocks.size(), -1);
    for (std::size_t l = 0; l < function_.loops.size(); ++l)
        loop_at_block_[static_cast<std::size_t>(function_.loops[l].head)] = static_cast<int>(l);
    cut_loops.assign(function_.loops.size(), 0);
    open_rounds = options.open_rounds;
    if (const auto& own_contract = contracts[static_cast<std::size_t>(function)])
        lasting_ = lasting_facts(own_contract->requires_);

    // Globals that are named, and those that their first contents lead to.
    const auto reached = reachable_functions(program);
    used_globals_.assign(program.globals.size(), 0);
    std::vector<int> open;
    const auto use = [&](int global) {
        if (global < 0 || used_globals_[static_cast<std::size_t>(global)] != 0) return;
        used_globals_[static_cast<std::size_t>(global)] = 1;
        open.push_back(global);
    };
    changed_globals_.assign(program.functions.size(), std::vector<char>(program.globals.size(), 0));
    may_free_.assign(program.functions.size(), 0);
    for (std::size_t f = 0; f < program.functions.size(); ++f)
        for (std::size_t g = 0; g < program.functions.size(); ++g) {
            if (!reached[f][g]) continue;
            for_each_operand(program.functions[g], [&](const Operand& operand) {
                if (operand.kind != Operand::Kind::global) return;
                // A global whose address is named may be written; what its address leads to is looked at
                // below.
                if (!program.globals[static_cast<std::size_t>(operand.index)].constant)
                    changed_globals_[f][static_cast<std::size_t>(operand.index)] = 1;
                if (static_cast<int>(f) == function) use(operand.index);
            });
            for (const Block& block : program.functions[g].blocks)
                for (const Instruction& i : block.instructions)
                    if (frees(i)) may_free_[f] = 1;
        }
    // Those that contracts speak of.
    for (std::size_t f = 0; f < program.functions.size(); ++f) {
        if (!contracts[f] || !reached[static_cast<std::size_t>(function)][f]) continue;
        std::set<std::string> names = logic::free_names(contracts[f]->requires_);
        names.merge(logic::free_names(contracts[f]->ensures));
        for (const std::string& name : names)
            for (std::size_t g = 0; g < program.globals.size(); ++g)
                if (name == program.globals[g].name || name.starts_with(program.globals[g].name + "."))
                    use(static_cast<int>(g));
    }
    while (!open.empty()) {
        const auto g = static_cast<std::size_t>(open.back());
        open.pop_back();
        for (const Piece& piece : program.globals[g].contents)
            if (piece.kind == Piece::Kind::global) use(piece.index);
    }
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

bool Executor::possible(const SymbolicState& state) {
    return entailments_.refute(state.everything()).verdict != logic::Validity::valid;
}

// ---- paths

PathSegment Executor::run(int from, const Formula& given, const Surroundings* surroundings,
                          const Deadline& deadline) {
    segment_ = {};
    paths_.clear();
    path_count_ = 0;
    stopped_ = false;
    deadline_ = &deadline;
    start(from, given, surroundings);
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

void Executor::start(int from, const Formula& given, const Surroundings* surroundings) {
    SymbolicState blank = blank_state(from == entry);
    if (from == entry) {
        add_globals(blank, options_.whole_program);
    } else {
        const Loop& loop = function_.loops[static_cast<std::size_t>(from)];
        const std::vector<SymbolicValue> firsts = blank.store;
        surroundings->apply(blank, loop);
        for (int p = 0; p < function_.parameters; ++p) {
            const auto i = static_cast<std::size_t>(p);
            if (firsts[i].empty()) continue;
            const SymbolicValue known = blank.store[i];
            blank.store[i] = firsts[i];
            if (!known.empty() && known.plain() && !blank.assume_equal(firsts[i].term, known.term)) return;
        }
    }
    const Names names = from == entry ? names_at_return(blank) : names_at_head(from, blank);
    const Position position =
        from == entry ? function_.position : function_.loops[static_cast<std::size_t>(from)].position;
    if (const std::string trouble = unsuited(given, names); !trouble.empty())
        return give_up(position,
                       fmt::format("{}: {}", from == entry ? "precondition" : "invariant", trouble));
    if (from != entry) {
        SymbolicHeap facts;
        facts.pure = lasting_;
        Names first = names;
        for (const auto& [name, term] : blank.initial) first[name.substr(5, name.size() - 6)] = term;
        std::erase_if(facts.pure, [&](const Pure& p) { // of parameters alone: globals may have changed
            const auto fixed = [&](const std::string& name) {
                return name == logic::null_name || blank.initial.contains(old_name(name));
            };
            return !fixed(p.left) || !fixed(p.right);
        });
        if (!blank.assume(facts, first)) return;
    }
    for (std::size_t h = given.heaps.size(); h-- > 0;) {
        Path path{blank, 0, 0, {}, {}, {}, 0};
        path.rounds.assign(function_.loops.size(), 0);
        path.open.assign(function_.loops.size(), 0);
        // The names again: what was assumed may have replaced some.
        const Names here = from == entry ? names_at_return(path.state) : names_at_head(from, path.state);
        if (!path.state.assume(given.heaps[h], here)) continue;
        if (from == entry)
            enter(std::move(path), 0, position);
        else {
            path.block = function_.loops[static_cast<std::size_t>(from)].head;
            segment_.blocks.insert(path.block);
            paths_.push_back(std::move(path));
        }
    }
}

void Executor::enter(Path path, int block, Position position) {
    const int loop = loop_at_block_[static_cast<std::size_t>(block)];
    if (loop >= 0) {
        const auto l = static_cast<std::size_t>(loop);
        if (cut_loops[l] != 0) {
            segment_.arrivals.push_back(
                {loop, path.block, position, std::move(path.turns), std::move(path.state)});
            return;
        }
        const bool again =
            function_.loops[l].blocks[static_cast<std::size_t>(path.block)] != 0 && path.steps > 0;
        path.rounds[l] = again ? path.rounds[l] + 1 : 0;
        if (!again) path.open[l] = 0;
        if (path.rounds[l] > options_.rounds) {
            segment_.to_cut.insert(loop);
            stopped_ = true;
            return;
        }
    }
    path.block = block;
    path.at = 0;
    segment_.blocks.insert(block);
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
        if (++path.steps > most_steps) {
            for (std::size_t l = 0; l < function_.loops.size(); ++l)
                if (cut_loops[l] == 0 && function_.loops[l].blocks[static_cast<std::size_t>(path.block)] != 0)
                    segment_.to_cut.insert(static_cast<int>(l));
            return give_up(block.position, fmt::format("more than {} instructions on one path", most_steps));
        }
        States states = execute(path, block.instructions[path.at]);
        ++path.at;
        if (states.size() > 1) fork(path, states.size());
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

// A path splits inside of a loop that is run through: not too often.
void Executor::fork(Path& path, std::size_t ways) {
    if (ways < 2) return;
    int inner = -1;
    for (std::size_t l = 0; l < function_.loops.size(); ++l)
        if (function_.loops[l].blocks[static_cast<std::size_t>(path.block)] != 0 &&
            (inner < 0 || function_.loops[static_cast<std::size_t>(inner)]
                                  .blocks[static_cast<std::size_t>(function_.loops[l].head)] != 0))
            inner = static_cast<int>(l);
    if (inner < 0 || cut_loops[static_cast<std::size_t>(inner)] != 0) return;
    const Loop& loop = function_.loops[static_cast<std::size_t>(inner)];
    const Block& block = function_.blocks[static_cast<std::size_t>(path.block)];
    const auto outside = [&](int to) { return to >= 0 && loop.blocks[static_cast<std::size_t>(to)] == 0; };
    bool leaves = path.at >= block.instructions.size() && (outside(block.then) || outside(block.otherwise));
    for (const auto& [value, to] : block.cases)
        leaves = leaves || (path.at >= block.instructions.size() && outside(to));
    const int limit = leaves ? open_rounds : std::max(open_rounds, inner_forks);
    if (path.open[static_cast<std::size_t>(inner)] < limit) {
        path.open[static_cast<std::size_t>(inner)]++;
        return;
    }
    segment_.to_cut.insert(inner);
    stopped_ = true;
}

void Executor::finish_block(Path path, const Block& block) {
    std::vector<std::pair<int, Path>> next;
    const SymbolicValue condition = block.end == Block::End::branch || block.end == Block::End::choice
                                        ? evaluate(path.state, block.condition)
                                        : SymbolicValue{};
    switch (block.end) {
    case Block::End::stop:
        if (block.unreachable && possible(path.state))
            fail(path, path.state, Failure::Kind::memory_error, block.position,
                 "a place is reached that the program says is never reached");
        if (!block.unreachable) break_off(path, path.state, block.position);
        return;
    case Block::End::jump:
        return enter(std::move(path), block.then, block.position);
    case Block::End::returns:
        return leave_function(std::move(path), block);
    case Block::End::branch:
        for (const bool truth : {false, true}) {
            Path taken = path;
            if (!assume_truth(taken.state, condition, truth)) continue;
            taken.turns.push_back({block.position.line, truth});
            next.emplace_back(truth ? block.then : block.otherwise, std::move(taken));
        }
        break;
    case Block::End::choice: {
        constexpr std::size_t told_apart = 64; // cases that the default is known not to be
        Path rest = path;
        bool open = true;
        for (const auto& [number, to] : block.cases) {
            const Comparison equal{Operator::equal, condition, value_of(number), block.bits};
            if (const auto known = decided(path.state, Operator::equal, condition, equal.b); known && !*known)
                continue;
            if (next.size() > static_cast<std::size_t>(options_.paths))
                return give_up(block.position, fmt::format("more than {} paths", options_.paths));
            if (!in_time()) return;
            Path taken = path;
            if (assume_comparison(taken.state, equal, true)) next.emplace_back(to, std::move(taken));
            if (block.cases.size() <= told_apart && !assume_comparison(rest.state, equal, false)) {
                open = false;
                break;
            }
            if (const auto known = decided(path.state, Operator::equal, condition, equal.b);
                known && *known) {
                open = false;
                break;
            }
        }
        if (open) next.emplace_back(block.otherwise, std::move(rest));
        break;
    }
    }
    fork(path, next.size());
    if (stopped_) return;
    for (auto& [to, taken] : next) {
        taken.open = path.open;
        enter(std::move(taken), to, block.position);
    }
}

void Executor::leave_function(Path path, const Block& block) {
    SymbolicState state = std::move(path.state);
    state.results.clear();
    for (const Operand& operand : block.results) state.results.push_back(evaluate(state, operand));
    if (options_.whole_program) {
        if (!state.at_exit.empty() || !program_.destructors.empty()) {
            fail(path, state, Failure::Kind::unknown, block.position,
                 "functions that run at the end of the program (atexit, destructors) are not followed");
            return;
        }
    }
    Instruction end;
    end.kind = Kind::end_local;
    end.position = block.position;
    States states{std::move(state)};
    for (int o = 0; o < static_cast<int>(function_.objects.size()); ++o) {
        States after;
        for (SymbolicState& one : states)
            for (SymbolicState& other : end_object(path, std::move(one), end, o))
                after.push_back(std::move(other));
        states = std::move(after);
    }
    for (SymbolicState& one : states) {
        if (options_.whole_program) {
            look_for_leaks(path, one, block.position, false);
            continue;
        }
        segment_.arrivals.push_back({-1, path.block, block.position, path.turns, std::move(one)});
    }
}

Executor::States Executor::execute(const Path& path, const Instruction& i) {
    SymbolicState state = path.state;
    state.held.clear();
    const auto target = [&](const SymbolicValue& value) {
        if (i.target >= 0) state.store[static_cast<std::size_t>(i.target)] = value;
        States states;
        states.push_back(std::move(state));
        return states;
    };
    switch (i.kind) {
    case Kind::copy:
        return target(evaluate(state, i.a));
    case Kind::compute: {
        const SymbolicValue a = evaluate(state, i.a), b = evaluate(state, i.b);
        const bool divides = i.op == Operator::udiv || i.op == Operator::sdiv || i.op == Operator::urem ||
                             i.op == Operator::srem;
        if (divides && range(state, b).contains(0)) {
            SymbolicState zero = state;
            if (assume_comparison(zero, {Operator::equal, b, value_of(0), i.bits}, true) && possible(zero))
                fail(path, zero, Failure::Kind::memory_error, i.position, "division by zero");
            if (!assume_comparison(state, {Operator::equal, b, value_of(0), i.bits}, false)) return {};
        }
        return target(compute(state, i, a, b));
    }
    case Kind::choose: {
        States states;
        const SymbolicValue condition = evaluate(state, i.a);
        for (const bool truth : {true, false}) {
            SymbolicState one = state;
            if (!assume_truth(one, condition, truth)) continue;
            const SymbolicValue value = evaluate(one, truth ? i.b : i.c);
            if (i.target >= 0) one.store[static_cast<std::size_t>(i.target)] = value;
            states.push_back(std::move(one));
        }
        return states;
    }
    case Kind::offset: {
        SymbolicValue value = moved(state, evaluate(state, i.a), i.number);
        for (const auto& [index, scale] : i.terms) value = moved(state, value, evaluate(state, index), scale);
        for (const auto& [index, length] : i.bounds) {
            const Interval r = range(state, evaluate(state, index));
            if (r.low >= 0 && r.high < length) continue;
            if (r.low == length && r.high == length) { // an address behind the array, to compare with
                value = value_of(state.fresh());
                continue;
            }
            if (possible(state))
                fail(path, state, Failure::Kind::memory_error, i.position,
                     fmt::format("out of bounds: an index into an array of {} is not known to be inside",
                                 length));
            return {};
        }
        return target(value);
    }
    case Kind::load:
        return do_load(path, i);
    case Kind::store:
        return do_store(path, i);
    case Kind::move:
        return do_move(path, i);
    case Kind::fill:
        return do_fill(path, i);
    case Kind::local:
        return do_local(path, i);
    case Kind::end_local:
        return end_object(path, std::move(state), i, i.object);
    case Kind::forget:
        return target({});
    case Kind::call:
        return do_call(path, i);
    case Kind::library:
        return do_library(path, i);
    case Kind::external:
        return do_external(path, i);
    case Kind::indirect:
        if (possible(state))
            fail(path, state, Failure::Kind::unknown, i.position,
                 "a call through a pointer of which it is not known where it leads");
        return {};
    case Kind::refuse:
        if (possible(state))
            fail(path, state, Failure::Kind::unknown, i.position, "not supported: " + i.name);
        return {};
    }
    give_up(i.position, "an instruction that is not known");
    return {};
}

} // namespace ggsnn::verify
