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
Match widen(State& wide, const State& other, const Thresholds& thresholds, bool jump);

} // namespace ggsnn::verify::graph
