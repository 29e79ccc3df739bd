// Counter-models: concrete heaps built from a state of the left side.
#pragma once

#include "ggsnn/logic/heap.hpp"
#include "ggsnn/logic/state.hpp"

#include <optional>

namespace ggsnn::logic {

// A heap that satisfies problem.left and not problem.right, as the satisfaction check confirms, built from a
// closed, consistent state of the left side; nothing if the attempts (few, fixed by the state) find none.
std::optional<Heap> find_counter_model(const State& state, const Problem& problem, Budget& budget);

} // namespace ggsnn::logic
