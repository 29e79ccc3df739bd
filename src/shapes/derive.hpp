// Training examples of every decision, from heaps with their formulas: the run of Algorithm 1 (or 2) that
// gives the right formula, with the annotations that such a run passes through (observed annotations, the
// paper's section 5).
#pragma once

#include "ggsnn/logic/formula.hpp"
#include "ggsnn/shapes/decision.hpp"

#include <functional>

namespace ggsnn::shapes {

// A decision that the right run takes: asked about this heap with these marks, answered by these labels (one,
// or one a node for Decision::explain). Different heaps of one run have different addresses.
using Lesson =
    std::function<void(Decision, const logic::Heap&, const Marks&, const std::vector<int>& labels)>;

// Throws Error, naming the place, if the heap does not satisfy the formula or the formula is not one that the
// algorithms can give.
void derive(const logic::Heap& heap, const logic::Formula& formula, Grammar grammar, const Place& place,
            const Lesson& lesson);

// A data set for each decision; every one holds its own copy of the graphs it asks about.
struct Lessons {
    explicit Lessons(Grammar of);

    // Adds the examples of one heap; throws as derive.
    void add(const logic::Heap& heap, const logic::Formula& formula, const Place& place);

    Grammar grammar;
    std::array<Dataset, decision_count> data;
};

// Cells that a strict structure at `root` covers. A list ends at `end`, a tree has its hole there.
std::vector<int> cells_of(const logic::Heap& heap, logic::Atom::Kind kind, int root, int end);

// Where the arguments of a structure stand in the heap, by number: its root and end are given, where its link
// back leads and which of its cells is the last are read off (logic::ends_of). -1: nowhere.
std::vector<int> argument_nodes(const logic::Heap& heap, logic::Atom::Kind kind, int root, int end);

// The heap that can be reached from a node, with the one variable `name` there. origin gives the nodes' old
// numbers.
logic::Heap reachable_part(const logic::Heap& heap, int node, const std::string& name,
                           std::vector<int>& origin);

} // namespace ggsnn::shapes
