#include "verify/proof.hpp"

#include <algorithm>

namespace ggsnn::verify {

using logic::Formula;
using logic::SymbolicHeap;
using logic::Verdict;

namespace {

constexpr std::size_t max_blocks = 20000;

Failure not_understood(Position position, std::string reason) {
    Failure failure;
    failure.position = position;
    failure.reason = std::move(reason);
    return failure;
}

} // namespace

FunctionProof::FunctionProof(const Program& program, int function, const Contracts& contracts,
                             const ProofOptions& options, Entailments& entailments)
    : function_(program.functions[static_cast<std::size_t>(function)]),
      options_(options),
      entailments_(entailments),
      executor_(program, function, contracts, options_, entailments) {
    if (const auto& own = contracts[static_cast<std::size_t>(function)]) contract_ = &*own;
    if (function_.blocks.size() <= max_blocks) find_nesting();
}

// ---- the form of the function

// reaches: blocks from which the head can be reached. inside: blocks of the loop, those of inner loops too.
void FunctionProof::find_nesting() {
    const std::size_t count = function_.blocks.size();
    std::vector<std::vector<std::size_t>> next(count), previous(count);
    for (std::size_t b = 0; b < count; ++b)
        for (const int to : {function_.blocks[b].then, function_.blocks[b].otherwise}) {
            const Block::End end = function_.blocks[b].end;
            const bool used =
                end == Block::End::branch || (end == Block::End::jump && to == function_.blocks[b].then);
            if (!used || to < 0) continue;
            next[b].push_back(static_cast<std::size_t>(to));
            previous[static_cast<std::size_t>(to)].push_back(b);
        }
    const auto flood = [&](const std::vector<std::size_t>& from, std::size_t wall, const auto& edges) {
        std::vector<char> seen(count, 0);
        std::vector<std::size_t> open;
        for (const std::size_t b : from) {
            if (!seen[b]) open.push_back(b);
            seen[b] = 1;
        }
        while (!open.empty()) {
            const std::size_t at = open.back();
            open.pop_back();
            if (at == wall) continue;
            for (const std::size_t to : edges[at]) {
                if (!seen[to]) open.push_back(to);
                seen[to] = 1;
            }
        }
        return seen;
    };
    for (const Loop& loop : function_.loops) {
        const auto head = static_cast<std::size_t>(loop.head);
        reaches_.push_back(flood({head}, count, previous));
        // Edges back to the head come from blocks that are only reached through it.
        std::vector<char> around = flood({0}, head, next);
        std::vector<std::size_t> back{head};
        if (head == 0) std::fill(around.begin(), around.end(), 0);
        for (const std::size_t b : previous[head])
            if (!around[b] || b == head) back.push_back(b);
        inside_.push_back(flood(back, head, previous));
    }
}

bool FunctionProof::reaches(int block, int loop) const {
    return reaches_[static_cast<std::size_t>(loop)][static_cast<std::size_t>(block)] != 0;
}

bool FunctionProof::inside(int block, int loop) const {
    return inside_[static_cast<std::size_t>(loop)][static_cast<std::size_t>(block)] != 0;
}

// ---- conditions

const Segment& FunctionProof::segment(int start, const Invariants& invariants) {
    const Formula& given = start < 0 ? contract_->requires_ : *invariants[static_cast<std::size_t>(start)];
    const std::string key = fmt::format("{}: {}", start, logic::print(given, logic::Reading::program));
    if (const auto found = segments_.find(key); found != segments_.end()) return *found->second;
    auto run = std::make_shared<const Segment>(executor_.run(start, given, deadline_));
    if (run->cut) return *(cut_ = std::move(run));
    return *segments_.emplace(key, std::move(run)).first->second;
}

std::vector<int> FunctionProof::starts(const Invariants& invariants) const {
    std::vector<int> all{Executor::entry};
    for (std::size_t l = 0; l < invariants.size(); ++l)
        if (invariants[l]) all.push_back(static_cast<int>(l));
    return all;
}

const Formula* FunctionProof::wanted_at(const Arrival& arrival, const Invariants& invariants) const {
    if (arrival.loop < 0) return &contract_->ensures;
    const auto& invariant = invariants[static_cast<std::size_t>(arrival.loop)];
    return invariant ? &*invariant : nullptr;
}

Names FunctionProof::names_at(const Arrival& arrival, SymbolicState& state) const {
    return arrival.loop >= 0 ? executor_.names_at_head(arrival.loop, state)
                             : executor_.names_at_return(state);
}

bool FunctionProof::holds(const Arrival& arrival, const Formula& formula) {
    SymbolicState state = arrival.state;
    const Names names = names_at(arrival, state);
    if (deadline_.passed() || !unsuited(formula, names).empty()) return false;
    const Formula right = instantiate(formula, names);
    return entailments_.prove(state.question(right), right).verdict == Verdict::valid;
}

std::optional<Failure> FunctionProof::compare(const Arrival& arrival, int from, const Formula& formula,
                                              std::vector<Condition>* conditions) {
    SymbolicState state = arrival.state;
    const Names names = names_at(arrival, state);
    const bool at_return = arrival.loop < 0;
    const Position position =
        at_return ? arrival.position : function_.loops[static_cast<std::size_t>(arrival.loop)].position;
    if (const std::string trouble = unsuited(formula, names); !trouble.empty())
        return not_understood(position,
                              fmt::format("{}: {}", at_return ? "postcondition" : "invariant", trouble));
    if (deadline_.passed()) return not_understood(position, deadline_.text());
    const Formula right = instantiate(formula, names);
    const SymbolicHeap left = state.question(right);
    const logic::Answer& answer = entailments_.prove(left, right);
    const bool again =
        !at_return && from >= 0 && inside(function_.loops[static_cast<std::size_t>(from)].head, arrival.loop);
    const Names shown = executor_.shown_names(names, &formula);
    if (conditions)
        conditions->push_back({at_return ? Condition::Kind::postcondition
                               : again   ? Condition::Kind::preserved
                                         : Condition::Kind::established,
                               position, arrival.loop, arrival.path, state.described(shown), formula,
                               answer.verdict});
    if (answer.verdict == Verdict::valid) return std::nullopt;
    Failure failure;
    failure.position = position;
    failure.block = arrival.block;
    failure.loop = arrival.loop;
    failure.state = state.described(shown);
    failure.path = arrival.path;
    if (answer.counter) failure.counter = with_names(*answer.counter, shown);
    const char* what = at_return ? "the postcondition" : "the invariant";
    const char* when = at_return ? "at this return" : again ? "after a round" : "when the loop is reached";
    if (entailments_.holds_on_a_part(left, right)) {
        failure.kind = Failure::Kind::leak;
        failure.reason = fmt::format("cells are left over that {} does not cover {}", what, when);
        return failure;
    }
    failure.kind = at_return ? Failure::Kind::postcondition
                   : again   ? Failure::Kind::not_preserved
                             : Failure::Kind::not_established;
    failure.reason = answer.counter ? fmt::format("{} does not hold {}", what, when)
                                    : fmt::format("{} could not be shown {}: {}", what, when, answer.reason);
    return failure;
}

// ---- whole functions

void FunctionProof::visit(int start, const Invariants& invariants, ProofResult& result) {
    const Segment& run = segment(start, invariants);
    result.failures.insert(result.failures.end(), run.failures.begin(), run.failures.end());
    result.conditions.insert(result.conditions.end(), run.conditions.begin(), run.conditions.end());
    result.callees.insert(run.callees.begin(), run.callees.end());
    if (run.allocates && result.assumptions.empty())
        result.assumptions.push_back("malloc and calloc succeed");
    for (const Arrival& arrival : run.arrivals) {
        const Formula* wanted = wanted_at(arrival, invariants);
        std::optional<Failure> failure;
        if (wanted)
            failure = compare(arrival, start, *wanted, &result.conditions);
        else
            failure = not_understood(function_.loops[static_cast<std::size_t>(arrival.loop)].position,
                                     "no invariant is known for this loop");
        if (!failure) continue;
        failure->block = arrival.block;
        failure->loop = arrival.loop;
        result.failures.push_back(std::move(*failure));
    }
}

// Why there is nothing to prove here.
std::optional<Failure> FunctionProof::objection() {
    if (!function_.refusals.empty())
        return not_understood(function_.refusals[0].position, function_.refusals[0].reason);
    if (function_.blocks.empty() || function_.blocks.size() > max_blocks)
        return not_understood(function_.position, "the function is too large");
    if (!contract_) return not_understood(function_.position, "the function has no contract");
    const bool possible = std::any_of(
        contract_->requires_.heaps.begin(), contract_->requires_.heaps.end(),
        [&](const SymbolicHeap& heap) { return entailments_.refute(heap).verdict != Verdict::valid; });
    if (!possible) return not_understood(function_.position, "no heap satisfies the precondition");
    return std::nullopt;
}

ProofResult FunctionProof::prove(const Invariants& invariants) {
    deadline_ = Deadline(options_.seconds);
    return prove_in_time(invariants);
}

ProofResult FunctionProof::prove_in_time(const Invariants& given) {
    ProofResult result;
    Invariants invariants = given;
    invariants.resize(function_.loops.size());
    if (auto failure = objection())
        result.failures.push_back(std::move(*failure));
    else
        for (const int start : starts(invariants)) visit(start, invariants, result);
    result.proved = result.failures.empty();
    judge_loops(invariants, result);
    return result;
}

// An invariant is proved if it held on all arrivals, nothing failed on a way that leads to its head, and the
// invariants of the loops on those ways are proved. The greatest such set: invariants support each other.
void FunctionProof::judge_loops(const Invariants& invariants, ProofResult& result) const {
    const int count = static_cast<int>(function_.loops.size());
    for (int l = 0; l < count; ++l) {
        const auto& invariant = invariants[static_cast<std::size_t>(l)];
        bool proved = invariant.has_value() && !reaches_.empty();
        for (const Failure& failure : result.failures)
            proved = proved && failure.loop != l && !reaches(failure.block, l);
        result.loops.push_back({l, invariant, proved});
    }
    for (bool again = true; again;) {
        again = false;
        for (int l = 0; l < count; ++l)
            for (int other = 0; other < count; ++other) {
                bool& proved = result.loops[static_cast<std::size_t>(l)].proved;
                if (!proved || result.loops[static_cast<std::size_t>(other)].proved) continue;
                if (!reaches(function_.loops[static_cast<std::size_t>(other)].head, l)) continue;
                proved = false;
                again = true;
            }
    }
}

LoopCheck FunctionProof::check_loop(int loop, const Formula& candidate, const Invariants& others,
                                    bool weakened) {
    deadline_ = Deadline(options_.seconds);
    LoopCheck check;
    check.invariant = candidate;
    Invariants invariants = others;
    invariants.resize(function_.loops.size());
    if (auto failure = objection()) {
        check.failures.push_back(std::move(*failure));
        return check;
    }
    std::optional<Formula>& mine = invariants[static_cast<std::size_t>(loop)];
    mine = candidate;
    for (int round = 0; weakened && round < options_.weakenings; ++round)
        if (!weaken_at(loop, invariants)) break;
    check.invariant = *mine;
    check.established = check.preserved = check.sufficient = true;
    for (const int start : starts(invariants)) {
        const Segment& run = segment(start, invariants);
        const bool again = start >= 0 && inside(function_.loops[static_cast<std::size_t>(start)].head, loop);
        for (const Failure& failure : run.failures) {
            if (!again) continue;
            (inside(failure.block, loop) ? check.preserved : check.sufficient) = false;
            check.failures.push_back(failure);
        }
        for (const Arrival& arrival : run.arrivals) {
            const Formula* wanted = wanted_at(arrival, invariants);
            if (!wanted || (arrival.loop != loop && start != loop)) continue;
            std::optional<Failure> failure = compare(arrival, start, *wanted, nullptr);
            if (!failure) continue;
            (arrival.loop != loop ? check.sufficient : again ? check.preserved : check.established) = false;
            check.failures.push_back(std::move(*failure));
        }
    }
    return check;
}

ProofResult prove_function(const Program& program, int function, const Contracts& contracts,
                           const std::vector<std::vector<Formula>>& candidates, const ProofOptions& options) {
    Entailments entailments(options.prover);
    FunctionProof proof(program, function, contracts, options, entailments);
    std::vector<std::vector<Formula>> all = candidates;
    const std::vector<Loop>& loops = program.functions[static_cast<std::size_t>(function)].loops;
    all.resize(loops.size());
    for (std::size_t l = 0; l < loops.size(); ++l)
        if (loops[l].invariant) all[l].insert(all[l].begin(), *loops[l].invariant);
    return proof.search(all);
}

} // namespace ggsnn::verify
