// Search among candidates: weakening (as Houdini does: Flanagan, Leino 2001, here for the pure parts only)
// and choice with early undoing.
#include "verify/proof.hpp"

#include <algorithm>

namespace ggsnn::verify {

using logic::Formula;

// ---- weakening

// The formula with a largest set of its pure parts, found part by part, that holds on arrival; nothing if
// not even the one without any does, or if no part was to be dropped.
std::optional<Formula> FunctionProof::without_failing_parts(const Arrival& arrival, const Formula& formula) {
    Formula weaker = formula;
    for (logic::SymbolicHeap& heap : weaker.heaps) heap.pure.clear();
    if (!holds(arrival, weaker)) return std::nullopt;
    for (std::size_t h = 0; h < formula.heaps.size(); ++h)
        for (const logic::Pure& pure : formula.heaps[h].pure) {
            Formula trial = weaker;
            trial.heaps[h].pure.push_back(pure);
            if (holds(arrival, trial)) weaker = std::move(trial);
        }
    return weaker;
}

bool FunctionProof::weaken(Invariants& invariants) {
    for (int round = 0; round < options_.weakenings; ++round) {
        bool changed = false;
        for (int start = Executor::entry; start < static_cast<int>(function_.loops.size()); ++start) {
            if (start >= 0 && !invariants[static_cast<std::size_t>(start)]) continue;
            const Formula given =
                start < 0 ? contract_->requires_ : *invariants[static_cast<std::size_t>(start)];
            for (const Arrival& arrival : segment(start, given).arrivals) {
                if (arrival.loop < 0 || !invariants[static_cast<std::size_t>(arrival.loop)]) continue;
                std::optional<Formula>& wanted = invariants[static_cast<std::size_t>(arrival.loop)];
                if (holds(arrival, *wanted)) continue;
                wanted = without_failing_parts(arrival, *wanted);
                if (!wanted) return false;
                changed = true;
            }
        }
        if (!changed) return true;
    }
    return false;
}

bool FunctionProof::weaken_at(int loop, const Invariants& invariants, Formula& candidate) {
    bool changed = false;
    for (int start = Executor::entry; start < static_cast<int>(function_.loops.size()); ++start) {
        if (start >= 0 && !invariants[static_cast<std::size_t>(start)]) continue;
        const Formula given = start < 0 ? contract_->requires_ : *invariants[static_cast<std::size_t>(start)];
        for (const Arrival& arrival : segment(start, given).arrivals) {
            if (arrival.loop != loop || holds(arrival, candidate)) continue;
            std::optional<Formula> weaker = without_failing_parts(arrival, candidate);
            if (!weaker) return false;
            candidate = std::move(*weaker);
            changed = true;
        }
    }
    return changed;
}

// ---- choice

// Whether nothing has failed yet on the ways between the entry, the chosen loops and the returns.
bool FunctionProof::consistent_so_far(Invariants& chosen) {
    if (!weaken(chosen)) return false;
    for (int start = Executor::entry; start < static_cast<int>(function_.loops.size()); ++start) {
        if (start >= 0 && !chosen[static_cast<std::size_t>(start)]) continue;
        const Formula given = start < 0 ? contract_->requires_ : *chosen[static_cast<std::size_t>(start)];
        const Segment& run = segment(start, given);
        if (!run.failures.empty()) return false;
        for (const Arrival& arrival : run.arrivals)
            if (arrival.loop < 0 && !holds(arrival, contract_->ensures)) return false;
    }
    return true;
}

bool FunctionProof::out_of_time() const {
    return combinations_ >= options_.combinations ||
           static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC > options_.seconds;
}

void FunctionProof::choose(std::size_t loop, const Invariants& chosen,
                           const std::vector<std::vector<Formula>>& candidates, Attempt& best) {
    if (loop > best.depth) {
        best.depth = loop;
        best.invariants = chosen;
    }
    if (loop == function_.loops.size()) {
        best.done = true;
        return;
    }
    for (const Formula& candidate : candidates[loop]) {
        if (best.done || out_of_time()) return;
        ++combinations_;
        Invariants next = chosen;
        next[loop] = candidate;
        if (consistent_so_far(next)) choose(loop + 1, next, candidates, best);
    }
}

ProofResult FunctionProof::search(const std::vector<std::vector<Formula>>& given) {
    std::vector<std::vector<Formula>> candidates = given;
    candidates.resize(function_.loops.size());
    combinations_ = 0;
    begin_ = std::clock();
    if (!contract_ || reaches_.size() != function_.loops.size() || !function_.refusals.empty())
        return prove({});
    Attempt best;
    best.invariants.resize(function_.loops.size());
    choose(0, best.invariants, candidates, best);
    // For the report of a failure: loops without a choice get their first candidate.
    for (std::size_t l = 0; l < candidates.size() && !best.done; ++l)
        if (!best.invariants[l] && !candidates[l].empty()) best.invariants[l] = candidates[l][0];
    return prove(best.invariants);
}

} // namespace ggsnn::verify
