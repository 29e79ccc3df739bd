// A disjunct of a formula unfolded to cells between names: a step of inputs.cpp.
#pragma once

#include "ggsnn/base/random.hpp"
#include "ggsnn/logic/definitions.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ggsnn::verify {

// Names are numbers; those that are equal share a class. 0 is NULL.
class Unfolding {
  public:
    Unfolding(Random& random, const std::vector<int>& inner_sizes);

    int name(const std::string& text);
    bool knows(const std::string& text) const { return names_.contains(text); }

    // False if it is too large. sizes: by atom.
    bool add(const logic::SymbolicHeap& heap, const std::vector<int>& sizes);

    // One cell: its name and links by role.
    struct Made {
        int at = -1;
        std::vector<std::pair<std::string, int>> links;
        long order = 0; // of data: along a list, and from left to right in a tree
    };

    int root(int n) const;
    // False if it cannot be: a cell at NULL, two at one place, equal names that must differ.
    bool consistent() const;
    const std::vector<Made>& cells() const { return cells_; }

  private:
    void join(int a, int b);
    int fresh();
    Made& make(int at);
    void atom(const logic::Atom& a, int size);
    void structure(const logic::Atom& a, int size);
    void body(const logic::Atom& a);

    // The rules by which a structure is unfolded: one that goes on, with so many calls of itself, and one
    // that ends. Null: there is none.
    struct Rules {
        const logic::Clause *step = nullptr, *end = nullptr;
        std::size_t calls = 0;
    };
    Rules chosen_rules(const std::vector<logic::Clause>& all, int number);
    // Adds all parts of a rule but the calls of the predicate itself; gives the arguments of those.
    std::vector<std::vector<int>> apply(const logic::Atom& a, const logic::Clause& rule,
                                        const std::vector<int>& arguments, int number);
    struct Step {
        const logic::Clause* rule = nullptr;
        std::vector<int> arguments, children; // children: by call, the step that unfolds it; -1: it ends
        std::size_t cell = 0;                 // its first
    };
    void put_in_order(const std::vector<Step>& steps);

    Random& random_;
    const std::vector<int>& sizes_; // of what hangs at cells
    std::map<std::string, int> names_;
    std::vector<int> parent_;
    std::vector<Made> cells_;
    std::vector<std::pair<int, int>> different_;
};

} // namespace ggsnn::verify
