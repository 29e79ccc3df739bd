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
    deadline_ = Deadline(options_.seconds);
    invariants.resize(function_.loops.size());
    return !objection() && weaken_in_time(invariants);
}

bool FunctionProof::weaken_in_time(Invariants& invariants) {
    for (int round = 0; round < options_.weakenings; ++round) {
        bool changed = false;
        for (const int start : starts(invariants)) {
            const std::vector<Arrival> arrivals = segment(start, invariants).arrivals;
            for (const Arrival& arrival : arrivals) {
                const Formula* wanted = wanted_at(arrival, invariants);
                if (arrival.loop < 0 || !wanted || holds(arrival, *wanted)) continue;
                std::optional<Formula> weaker = without_failing_parts(arrival, *wanted);
                if (!weaker) return false;
                invariants[static_cast<std::size_t>(arrival.loop)] = std::move(weaker);
                changed = true;
            }
        }
        if (!changed) return true;
    }
    return false;
}

// One round for one loop. False: nothing was changed.
bool FunctionProof::weaken_at(int loop, Invariants& invariants) {
    bool changed = false;
    for (const int start : starts(invariants)) {
        const std::vector<Arrival> arrivals = segment(start, invariants).arrivals;
        for (const Arrival& arrival : arrivals) {
            std::optional<Formula>& mine = invariants[static_cast<std::size_t>(loop)];
            if (arrival.loop != loop || holds(arrival, *mine)) continue;
            std::optional<Formula> weaker = without_failing_parts(arrival, *mine);
            if (!weaker) return false;
            mine = std::move(weaker);
            changed = true;
        }
    }
    return changed;
}

// ---- choice

// Whether nothing has failed yet on the ways between the entry, the chosen loops and the returns.
bool FunctionProof::consistent_so_far(Invariants& chosen) {
    if (!weaken_in_time(chosen)) return false;
    for (const int start : starts(chosen)) {
        const Segment& run = segment(start, chosen);
        if (!run.failures.empty()) return false;
        for (const Arrival& arrival : run.arrivals)
            if (arrival.loop < 0 && !holds(arrival, contract_->ensures)) return false;
    }
    return true;
}

bool FunctionProof::out_of_time() const {
    return combinations_ >= options_.combinations || deadline_.passed();
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
    deadline_ = Deadline(options_.seconds);
    std::vector<std::vector<Formula>> candidates = given;
    candidates.resize(function_.loops.size());
    combinations_ = 0;
    if (objection()) return prove_in_time({});
    Attempt best;
    best.invariants.resize(function_.loops.size());
    // What fails before any loop is reached fails whatever the invariants.
    Invariants none = best.invariants;
    if (consistent_so_far(none)) choose(0, none, candidates, best);
    // For the report of a failure: loops without a choice get their first candidate.
    for (std::size_t l = 0; l < candidates.size() && !best.done; ++l)
        if (!best.invariants[l] && !candidates[l].empty()) best.invariants[l] = candidates[l][0];
    return prove_in_time(best.invariants);
}

} // namespace ggsnn::verify
