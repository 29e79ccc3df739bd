// Where the nodes of a heap stand in its picture: in layers from left to right, so that a list is a straight
// line and a tree grows to the right. Links that lead back (`prev`, parents, cycles) do not count.
//
// After Sugiyama, Tagawa and Toda (1981): back links are found by a depth-first walk, a node's layer is the
// longest way to it, and nodes move right as far as what they lead to allows, so that a short list that joins
// a long one stands beside its end. Rows are those of a forest that takes the first link of each node
// straight on.
#pragma once

#include "ggsnn/logic/heap.hpp"

namespace ggsnn::logic {

struct HeapLayout {
    struct Spot {
        int column = -1; // -1: not drawn (NULL)
        double row = 0;
    };
    std::vector<Spot> spots; // by node
    int columns = 0;
    double rows = 0;
};

// Takes time and memory in proportion to nodes and links, whatever they look like.
HeapLayout layout_heap(const Heap& heap);

} // namespace ggsnn::logic
