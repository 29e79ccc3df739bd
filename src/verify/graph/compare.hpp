// One graph made to describe what another one does, too: inclusion and widening in one walk.
#pragma once

#include "ggsnn/verify/graph/fold.hpp"
#include "ggsnn/verify/graph/state.hpp"

namespace ggsnn::verify::graph {

enum class Match {
    none,     // they have different shapes
    included, // `wide` described everything already
    widened,  // it does now
};

// Numbers that widened ranges stop at, ascending.
using Thresholds = std::vector<std::int64_t>;

// wide: changed only where the answer is `widened`. jump: ranges grow to thresholds rather than step by step.
// empty: a list or tree of `wide` may be empty from now on if the other one has what is there without it.
Match widen(State& wide, const State& other, const Thresholds& thresholds, bool jump, bool empty = false);

} // namespace ggsnn::verify::graph
