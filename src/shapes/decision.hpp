// The decisions of Algorithms 1 and 2 (the paper's section 5 and appendix D), each a network of its own, and
// what a network is told about a heap: its typed edges, and four bits a node.
#pragma once

#include "ggsnn/logic/formula.hpp"
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

// What the networks of a model speak of: flat shapes (Algorithm 1) or nested ones (Algorithm 2), of ls and
// tree as in the paper; or, wide, nested ones of every predicate of formulas. One that is wide is nested.
struct Grammar {
    bool nested = false, wide = false;

    Grammar(bool nested_shapes = false) : nested(nested_shapes) {}
    static Grammar of_all() {
        Grammar grammar(true);
        grammar.wide = true;
        return grammar;
    }
    bool operator==(const Grammar&) const = default;
};
const char* name_of(Grammar grammar); // flat, nested, wide

// Bits of a node's annotation. The paper's three, and one that tells NULL from other nodes without links.
enum Mark { named = 0, active = 1, explained = 2, null = 3 };
inline constexpr int mark_count = 4;

// Classes of the three decisions that have them, as numbers.
enum Quantify { no_more = 0, one_more = 1 };
enum Predicate {
    is_none = 0,
    is_list = 1,
    is_tree = 2,
    is_dll = 3,
    is_ptree = 4,
    is_treeseg = 5,
    is_ptreeseg = 6
};
inline constexpr int predicate_count = 7; // the first three are those of the paper
enum Explain { nothing_new = 0, now_explained = 1, hangs_here = 2 };

// The predicate of a class and back; -1 if it has none.
logic::Atom::Kind kind_of(int predicate);
int class_of(logic::Atom::Kind kind);
// Whether a formula has a predicate that only wide grammars have.
bool is_wide(const logic::SymbolicHeap& shape);

// Edge types: next, left, right; val where structures are nested; prev and parent where the grammar is wide.
Schema schema_of(Decision decision, Grammar grammar);

// The heap's links as typed edges; fields that the schema does not know are left out. Of a wide grammar every
// cell has `val`: NULL where the heap has no such link.
Graph graph_of(const logic::Heap& heap, const Vocabulary& edge_types);

// What is marked in one heap at one step.
struct Marks {
    std::vector<char> named, explained; // by node
    std::vector<int> active;            // nodes
    // Structures described so far, by predicate; only the baseline looks at it.
    std::array<int, predicate_count> earlier{};

    explicit Marks(std::size_t nodes = 0) : named(nodes, 0), explained(nodes, 0) {}
    Example example(int graph) const;
};

} // namespace ggsnn::shapes
