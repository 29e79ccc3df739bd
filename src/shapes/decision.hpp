// The decisions of Algorithms 1 and 2 (the paper's section 5 and appendix D), each a network of its own, and
// what a network is told about a heap: its typed edges, and four bits a node.
#pragma once

#include "ggsnn/logic/heap.hpp"
#include "ggsnn/nn/dataset.hpp"

#include <array>
#include <string>
#include <vector>

namespace ggsnn::shapes {

enum class Decision {
    quantify,  // is another existential needed? (dagger) a class
    pick,      // which node does it name? (double dagger) a node
    predicate, // none, ls or tree at the active node? (star) a class
    end,       // where does the list end? (heart) a node
    explain,   // which cells are explained now, which nodes hang from them? (spade) a class per node
};
inline constexpr std::size_t decision_count = 5;
inline constexpr std::array<Decision, decision_count> all_decisions{
    Decision::quantify, Decision::pick, Decision::predicate, Decision::end, Decision::explain};
const char* name_of(Decision decision);

// Bits of a node's annotation. The paper's three, and one that tells NULL from other nodes without links.
enum Mark { named = 0, active = 1, explained = 2, null = 3 };
inline constexpr int mark_count = 4;

// Classes of the three decisions that have them, as numbers.
enum Quantify { no_more = 0, one_more = 1 };
enum Predicate { is_none = 0, is_list = 1, is_tree = 2 };
enum Explain { nothing_new = 0, now_explained = 1, hangs_here = 2 };

// Edge types: next, left, right, and val where structures are nested.
Schema schema_of(Decision decision, bool nested);

// The heap's links as typed edges; fields that the schema does not know are left out.
Graph graph_of(const logic::Heap& heap, const Vocabulary& edge_types);

// What is marked in one heap at one step.
struct Marks {
    std::vector<char> named, explained; // by node
    std::vector<int> active;            // nodes
    std::array<int, 3> earlier{}; // structures described so far, by predicate; only the baseline looks at it

    explicit Marks(std::size_t nodes = 0) : named(nodes, 0), explained(nodes, 0) {}
    Example example(int graph) const;
};

} // namespace ggsnn::shapes
