// Smaller heaps of the same shape. Networks that were trained on structures of a few cells lose their way in
// long ones: ten propagation steps see ten cells far. A summary shortens chains and prunes trees whose cells
// nothing else points to. It only serves to find candidates: whether a formula holds is always asked of the
// heap itself.
#pragma once

#include "ggsnn/logic/heap.hpp"

#include <optional>

namespace ggsnn::shapes {

struct SummaryLimits {
    int chain = 3;     // cells in a row that are not named and have one pointer to them
    int tree = 6;      // cells of a tree
    bool back = false; // links prev and parent do not count as pointers, and are mended where they are cut
};

// Nothing if there is nothing to leave out. Linear in the heap.
std::optional<logic::Heap> summarise(const logic::Heap& heap, const SummaryLimits& limits = {});

} // namespace ggsnn::shapes
