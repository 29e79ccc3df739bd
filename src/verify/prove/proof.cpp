#include "ggsnn/verify/prove/proof.hpp"

#include "ggsnn/base/hash.hpp"
#include "ggsnn/verify/prove/typing.hpp"

#include <algorithm>

namespace ggsnn::verify {

using logic::Formula;
using logic::SymbolicHeap;
using logic::Validity;

namespace {

constexpr std::size_t max_blocks = 20000;
constexpr int most_visits = 200; // of segments, to find what surrounds heads

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
    if (function_.blocks.size() <= max_blocks) find_reaching();
}

// ---- the form of the function

// Blocks from which the head of a loop can be reached.
void FunctionProof::find_reaching() {
    std::vector<std::vector<std::size_t>> previous(function_.blocks.size());
    for (std::size_t b = 0; b < function_.blocks.size(); ++b) {
        const Block& block = function_.blocks[b];
        const auto edge = [&](int to) {
            if (to >= 0) previous[static_cast<std::size_t>(to)].push_back(b);
        };
        edge(block.then);
        edge(block.otherwise);
        for (const auto& [value, to] : block.cases) edge(to);
    }
    for (const Loop& loop : function_.loops) {
        std::vector<char> seen(function_.blocks.size(), 0);
        std::vector<std::size_t> open{static_cast<std::size_t>(loop.head)};
        seen[open[0]] = 1;
        while (!open.empty()) {
            const std::size_t at = open.back();
            open.pop_back();
            for (const std::size_t from : previous[at])
                if (!seen[from]) {
                    seen[from] = 1;
                    open.push_back(from);
                }
        }
        reaches_.push_back(std::move(seen));
    }
}

bool FunctionProof::reaches(int block, int loop) const {
    return reaches_[static_cast<std::size_t>(loop)][static_cast<std::size_t>(block)] != 0;
}

bool FunctionProof::inside(int block, int loop) const {
    return function_.loops[static_cast<std::size_t>(loop)].blocks[static_cast<std::size_t>(block)] != 0;
}

// ---- segments

std::size_t FunctionProof::SegmentKeyHash::operator()(const SegmentKey& key) const {
    Hash hash;
    hash.add(static_cast<std::uint64_t>(key.start));
    hash.add(logic::FormulaHash()(key.given));
    hash.add(key.around.hash());
    for (const char cut : key.cut_loops) hash.add(static_cast<std::uint64_t>(cut));
    return hash.value();
}

const PathSegment& FunctionProof::segment(int start, const Invariants& invariants) {
    const Formula& given = start < 0 ? contract_->requires_ : *invariants[static_cast<std::size_t>(start)];
    const Surroundings* around = start < 0 ? nullptr : &surroundings_[static_cast<std::size_t>(start)];
    SegmentKey key{start, given, around ? *around : Surroundings{}, executor_.cut_loops};
    if (const auto found = segments_.find(key); found != segments_.end()) return *found->second;
    auto run = std::make_shared<const PathSegment>(executor_.run(start, given, around, deadline_));
    if (!run->to_cut.empty()) {
        recut_ = true;
        for (const int loop : run->to_cut) executor_.cut_loops[static_cast<std::size_t>(loop)] = 1;
    }
    if (run->cut || !run->to_cut.empty()) return *(last_ = std::move(run));
    return *segments_.emplace(std::move(key), std::move(run)).first->second;
}

// In order of arrival; where that goes on and on, for loops whose numbers move on to the next loop one by
// one, each loop until it is settled before those behind it.
bool FunctionProof::settle(const Invariants& invariants) {
    if (!one_by_one_ && settle_in_order(invariants)) return true;
    if (!one_by_one_ && (recut_ || deadline_.passed())) return false;
    one_by_one_ = true;
    return settle_in_order(invariants);
}

// Outer loops in their order; inside of one, the innermost first.
std::tuple<int, int, int> FunctionProof::rank(int start) const {
    int root = start, depth = 0;
    while (root >= 0 && function_.loops[static_cast<std::size_t>(root)].parent >= 0) {
        root = function_.loops[static_cast<std::size_t>(root)].parent;
        ++depth;
    }
    return {root, -depth, start};
}

bool FunctionProof::settle_in_order(const Invariants& invariants) {
    surroundings_.assign(function_.loops.size(), {});
    std::vector<int> open{Executor::entry};
    for (int visits = 0; !open.empty(); ++visits) {
        if (visits > most_visits || deadline_.passed()) return false;
        if (one_by_one_)
            std::iter_swap(
                std::min_element(open.begin(), open.end(), [&](int a, int b) { return rank(a) < rank(b); }),
                std::prev(open.end()));
        const int start = open.back();
        open.pop_back();
        const PathSegment run = segment(start, invariants);
        if (recut_) return false;
        for (const Arrival& arrival : run.arrivals) {
            if (arrival.loop < 0) continue;
            const auto l = static_cast<std::size_t>(arrival.loop);
            const bool changed =
                surroundings_[l].join(arrival.state, function_.loops[l], executor_.thresholds());
            if (changed && invariants[l] && std::find(open.begin(), open.end(), arrival.loop) == open.end())
                open.push_back(arrival.loop);
        }
    }
    return true;
}

std::vector<int> FunctionProof::starts(const Invariants& invariants) const {
    std::vector<int> all{Executor::entry};
    for (std::size_t l = 0; l < invariants.size(); ++l)
        if (invariants[l] && surroundings_[l].reached) all.push_back(static_cast<int>(l));
    return all;
}

// ---- conditions

const Formula* FunctionProof::wanted_at(const Arrival& arrival, const Invariants& invariants) const {
    if (arrival.loop < 0) return &contract_->ensures;
    const auto& invariant = invariants[static_cast<std::size_t>(arrival.loop)];
    return invariant ? &*invariant : nullptr;
}

Names FunctionProof::names_at(const Arrival& arrival, SymbolicState& state) const {
    return arrival.loop >= 0 ? executor_.names_at_head(arrival.loop, state)
                             : executor_.names_at_return(state);
}

std::set<TermName> FunctionProof::left_out(const Arrival& arrival) const {
    if (arrival.loop < 0) return {};
    return surroundings_[static_cast<std::size_t>(arrival.loop)].left_out(arrival.state);
}

bool FunctionProof::holds(const Arrival& arrival, const Formula& formula) {
    SymbolicState state = arrival.state;
    const Names names = names_at(arrival, state);
    if (deadline_.passed() || !unsuited(formula, names).empty()) return false;
    const Formula right = instantiate(formula, names);
    return entailments_.prove(state.question(right, false, left_out(arrival)), right).verdict ==
           Validity::valid;
}

std::optional<Failure> FunctionProof::compare(const Arrival& arrival, int from, const Formula& formula,
                                              std::vector<Condition>* conditions) {
    SymbolicState state = arrival.state;
    const Names names = names_at(arrival, state);
    const bool at_return = arrival.loop < 0;
    const Position position =
        at_return ? arrival.position : function_.loops[static_cast<std::size_t>(arrival.loop)].position;
    if (!at_return && surroundings_[static_cast<std::size_t>(arrival.loop)].at_exit_differs)
        return not_understood(position, "what atexit has registered differs from round to round");
    if (const std::string trouble = unsuited(formula, names); !trouble.empty())
        return not_understood(position,
                              fmt::format("{}: {}", at_return ? "postcondition" : "invariant", trouble));
    if (deadline_.passed()) return not_understood(position, deadline_.text());
    const Formula right = instantiate(formula, names);
    const SymbolicHeap left = state.question(right, false, left_out(arrival));
    const logic::Answer& answer = entailments_.prove(left, right);
    const bool again =
        !at_return && from >= 0 && inside(function_.loops[static_cast<std::size_t>(from)].head, arrival.loop);
    const Names shown = executor_.shown_names(names, &formula);
    if (conditions)
        conditions->push_back({at_return ? Condition::Kind::postcondition
                               : again   ? Condition::Kind::preserved
                                         : Condition::Kind::established,
                               position, arrival.loop, arrival.path, state.described(shown),
                               without_tags(formula), answer.verdict});
    if (answer.verdict == Validity::valid) return std::nullopt;
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
    const PathSegment run = segment(start, invariants);
    result.failures.insert(result.failures.end(), run.failures.begin(), run.failures.end());
    result.conditions.insert(result.conditions.end(), run.conditions.begin(), run.conditions.end());
    result.callees.insert(run.callees.begin(), run.callees.end());
    result.assumptions.insert(run.assumptions.begin(), run.assumptions.end());
    result.blocks.insert(run.blocks.begin(), run.blocks.end());
    for (const int loop : run.to_cut)
        result.failures.push_back(not_understood(function_.loops[static_cast<std::size_t>(loop)].position,
                                                 "the course of this loop is not known"));
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
    if (function_.blocks.empty() || function_.blocks.size() > max_blocks)
        return not_understood(function_.position, "the function is too large");
    if (!contract_) return not_understood(function_.position, "the function has no contract");
    const bool possible = std::any_of(
        contract_->requires_.heaps.begin(), contract_->requires_.heaps.end(),
        [&](const SymbolicHeap& heap) { return entailments_.refute(heap).verdict != Validity::valid; });
    if (!possible) return not_understood(function_.position, "no heap satisfies the precondition");
    return std::nullopt;
}

ProofResult FunctionProof::prove_in_time(const Invariants& given) {
    ProofResult result;
    Invariants invariants = given;
    invariants.resize(function_.loops.size());
    if (auto failure = objection()) {
        result.failures.push_back(std::move(*failure));
    } else if (!settle(invariants)) {
        result.failures.push_back(not_understood(
            function_.position,
            deadline_.passed() ? deadline_.text() : "what surrounds its loops does not settle"));
    } else {
        for (const int start : starts(invariants)) visit(start, invariants, result);
    }
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
        const bool through = executor_.cut_loops[static_cast<std::size_t>(l)] == 0;
        bool proved = (invariant.has_value() || through) && !reaches_.empty();
        for (const Failure& failure : result.failures)
            proved = proved && failure.loop != l && !reaches(failure.block, l);
        LoopResult& loop = result.loops.emplace_back();
        loop.loop = l;
        loop.run_through = through;
        loop.proved = proved;
        if (invariant && !through) loop.invariant = without_tags(*invariant);
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

ProofResult FunctionProof::run_through(double seconds) {
    const Deadline whole = deadline_;
    deadline_ = Deadline(std::min(seconds, options_.seconds));
    constexpr int open_rounds = 24;
    executor_.open_rounds = open_rounds;
    recut_ = false;
    ProofResult result = prove_in_time({});
    executor_.open_rounds = options_.open_rounds;
    executor_.cut_loops.assign(function_.loops.size(), 0);
    recut_ = false;
    segments_.clear();
    deadline_ = whole;
    return result;
}

} // namespace ggsnn::verify
