// Plain reference for the tests of this room: what a formula means, computed straight from its syntax tree on
// small heaps with no regard to speed, random formulas and heaps, all small list heaps, and a shrinker.
// Shares nothing with the satisfaction check or the prover but the syntax tree and the heap type.
#pragma once

#include "ggsnn/base/random.hpp"
#include "ggsnn/logic/formula.hpp"
#include "ggsnn/logic/heap.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ggsnn::logic::brute {

// Does the heap (at most 31 nodes) satisfy the formula? Names without a variable are treated as existential.
bool holds(const Heap& heap, const Formula& formula);

struct FormulaStyle {
    std::vector<std::string> names{"x", "y", "z"};
    int max_atoms = 4;
    bool cells = true, lists = true, trees = false, dlls = false, nested = false, strict = false,
         none = false;
    std::vector<std::string> tags{""}; // of atoms, those of bodies included
    double exists = 0;                 // chance of an existential
    double disjunct = 0;               // chance of one more disjunct
};
Formula random_formula(const FormulaStyle& style, Random& random);

// A heap with random cells and links over the given fields; variables on random nodes.
Heap random_heap(const std::vector<std::string>& names, const std::vector<std::string>& fields, int max_cells,
                 Random& random);
// An attempt at a heap of the first disjunct; often it satisfies the formula, to be checked with holds().
std::optional<Heap> random_model(const Formula& formula, const std::vector<std::string>& names,
                                 Random& random);

// Every heap over field `next` and every placement of the names, up to renumbering, with all cells reachable
// from names: enough to enumerate for entailments of ls and |-> without existentials.
class SmallModels {
  public:
    SmallModels(std::vector<std::string> names, int locations);
    std::size_t size() const { return models_.size(); }
    // A heap that satisfies the left side and not the right, or nothing. REQUIRES quantifier-free formulas of
    // plain ls, |-> {next: ..}, =, != over the names.
    std::optional<Heap> counter_model(const Entailment& entailment) const;

  private:
    struct Model {
        std::vector<std::uint8_t> value, next; // by name; by location (255: no cell); 0 is NULL
        std::vector<std::uint8_t> list, cell;  // covered locations of ls(a,b) and a |-> b; 255: does not hold
        std::uint8_t allocated = 0;
    };
    struct Compiled;
    Compiled compile(const SymbolicHeap& heap) const;
    bool holds(const Model& model, const Compiled& compiled) const;
    void add_if_canonical(const std::vector<int>& next, const std::vector<int>& value);

    std::vector<std::string> names_; // names_[0] is NULL
    std::vector<Model> models_;
};

// Removes and simplifies parts as long as fails stays true; the result is minimal with respect to the steps
// tried.
Entailment shrink(Entailment entailment, const std::function<bool(const Entailment&)>& fails);

} // namespace ggsnn::logic::brute
