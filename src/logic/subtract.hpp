// Subtraction: matching a clause of the right side against the left side, atom by atom.
#pragma once

#include "ggsnn/logic/state.hpp"

#include <optional>
#include <vector>

namespace ggsnn::logic {

// Something the left side leaves open and that would help to decide.
struct Split {
    enum class Kind { equal, unfold };
    Kind kind = Kind::equal;
    TermId a = 0, b = 0; // equal: is a = b?
    int call = 0;        // unfold: which rule?

    bool operator==(const Split&) const = default;
};

// The first of each kind that was met.
struct Splits {
    std::optional<Split> strong; // subtraction is stuck on it
    std::optional<Split> weak;   // might help; looked at when no counter-model is found
    bool cut = false;            // an unfolding was not suggested because of ProverLimits::unfoldings
};

// Splits on whether the call is empty, or unfolds it once. Nothing if it may not be unfolded further (cut is
// set).
std::optional<Split> decide(const State& state, int call, const Problem& problem, const ProverLimits& limits,
                            bool& cut);

// What the clause of the right side left over, by atom of the left side.
struct Remainder {
    std::vector<char> used_cells, used_calls;
};

// Whether every heap of the left state satisfies the clause. REQUIRES a closed state. If not proved, adds to
// splits; if proved, fills the remainder where one is asked for (all used, unless right.any_rest).
bool subtract(const State& state, const Clause& right, const Problem& problem, const ProverLimits& limits,
              Budget& budget, Splits& splits, Remainder* remainder = nullptr);

} // namespace ggsnn::logic
