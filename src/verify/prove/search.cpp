// Search among candidates: weakening (as Houdini does: Flanagan, Leino 2001, here for the pure parts only)
// and choice with early undoing.
#include "ggsnn/verify/prove/proof.hpp"

#include "ggsnn/verify/prove/typing.hpp"

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
        if (!settle(invariants)) return false;
        bool changed = false;
        for (const int start : starts(invariants)) {
            const PathSegment run = segment(start, invariants);
            for (const Arrival& arrival : run.arrivals) {
                const Formula* wanted = wanted_at(arrival, invariants);
                if (arrival.loop < 0 || !wanted || holds(arrival, *wanted)) continue;
                std::optional<Formula> weaker = without_failing_parts(arrival, *wanted);
                if (!weaker) return false;
                invariants[static_cast<std::size_t>(arrival.loop)] = std::move(weaker);
                changed = true;
            }
            if (changed) break; // what surrounds the heads must be found anew
        }
        if (!changed) return true;
    }
    return false;
}

// ---- choice

// Whether nothing has failed yet on the ways between the entry, the chosen loops and the returns.
bool FunctionProof::consistent_so_far(Invariants& chosen) {
    if (!weaken(chosen)) return false;
    for (const int start : starts(chosen)) {
        const PathSegment& run = segment(start, chosen);
        if (!run.failures.empty()) return false;
        for (const Arrival& arrival : run.arrivals)
            if (arrival.loop < 0 && !holds(arrival, contract_->ensures)) return false;
    }
    return true;
}

bool FunctionProof::out_of_time() const {
    return recut_ || combinations_ >= options_.combinations || deadline_.passed();
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
    if (executor_.cut_loops[loop] == 0) return choose(loop + 1, chosen, candidates, best);
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
    std::vector<std::vector<Formula>> candidates(function_.loops.size());
    for (std::size_t l = 0; l < given.size() && l < candidates.size(); ++l) {
        const NameTypes types = name_types(executor_.program(), function_, &function_.loops[l]);
        for (const Formula& formula : given[l]) {
            Typed typed = with_tags(formula, types, executor_.program());
            if (typed.trouble.empty()) candidates[l].push_back(std::move(typed.formula));
        }
        if (function_.loops[l].invariant) executor_.cut_loops[l] = 1;
    }
    if (objection()) return prove_in_time({});
    Attempt best;
    do {
        recut_ = false;
        combinations_ = 0;
        best = {};
        best.invariants.resize(function_.loops.size());
        // What fails before any loop is reached fails whatever the invariants.
        Invariants none = best.invariants;
        if (consistent_so_far(none)) choose(0, none, candidates, best);
    } while (recut_ && !deadline_.passed());
    // For the report of a failure: loops without a choice get their first candidate.
    for (std::size_t l = 0; l < candidates.size() && !best.done; ++l)
        if (!best.invariants[l] && !candidates[l].empty() && executor_.cut_loops[l] != 0)
            best.invariants[l] = candidates[l][0];
    ProofResult result = prove_in_time(best.invariants);
    for (int again = 0; recut_ && again < 20; ++again) {
        recut_ = false;
        result = prove_in_time(best.invariants);
    }
    return result;
}

} // namespace ggsnn::verify
