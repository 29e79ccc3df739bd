// What is known at a point of a program on one path: where variables point, which cells and structures the
// heap is made of, and which names differ.
//
// Values are terms: NULL, a number other than 0 in decimal, or a logical name `@12` that stands for one fixed
// but unknown value. The number 0 is NULL: data is only ever known to equal a constant or not to, so numbers
// and addresses share their facts, and a formula may say `found = NULL` of a flag. Equalities are never
// stored: one name is replaced by the other everywhere. So two terms are surely equal iff they are the same.
#pragma once

#include "logic/formula.hpp"
#include "logic/heap.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ggsnn::verify {

using Term = std::string;
using Names = std::map<std::string, Term>; // what the free names of a formula stand for

bool is_number(const Term& term); // NULL is the number 0
Term number_term(std::int64_t number);
std::optional<std::int64_t> number_of(const Term& term);

class SymbolicState {
  public:
    // All atoms are cells, plain (not strict) structures, or none(x); they cover the whole heap. All pure
    // parts are disequalities. No existentials.
    logic::SymbolicHeap heap;
    std::vector<Term> store; // by variable of the function; empty: nothing is known, see value()
    Names initial;           // \old(x): the values with which the function began
    Term result;             // what a return gives; empty otherwise
    std::set<Term> freed;    // a cell was released here, and perhaps another allocated since
    std::vector<Term> held;  // values an instruction is at work with

    explicit SymbolicState(std::size_t variables = 0) : store(variables) {}

    Term fresh();
    Term value(int variable); // a fresh name if nothing is known

    // Each returns false if no heap is left: the path cannot be taken. The state is then not to be used.
    bool assume_equal(const Term& a, const Term& b);
    bool assume_distinct(const Term& a, const Term& b);
    // Adds a heap next to what there is. REQUIRES every free name of it in names.
    bool assume(const logic::SymbolicHeap& heap, const Names& names);

    // Surely different (without a look at cases).
    bool apart(const Term& a, const Term& b) const;

    int cell_at(const Term& root) const; // number of the atom, -1 if none
    // A structure that is not known to be empty and whose first cell is at the root (or, doubly linked, whose
    // last): -1 if none.
    int structure_at(const Term& root) const;
    // Case on a structure: empty() removes it; opened() replaces it by the cell at `root` and the rest.
    bool assume_empty(int atom);
    bool assume_opened(int atom, const Term& root);

    // The value of a field of the cell, a fresh name if nothing is known; data is kept apart from links, for
    // formulas speak of links.
    Term load(int cell, const std::string& field, bool data);
    void store_field(int cell, const std::string& field, bool data, const Term& value);
    void release(int cell);
    void remove_atoms(const std::set<int>& numbers);
    int allocate(const Term& root); // a cell without fields; REQUIRES a fresh name
    // What was known to have no cell may have one now.
    void forget_dangling();

    // Keeps what is known of these terms only because of atoms that are about to go.
    void remember_allocated(const std::vector<Term>& terms);

    // The left side of a question: this heap, with data fields that the other side names.
    logic::SymbolicHeap question(const logic::Formula& right) const;
    // For readers: names of variables in the place of terms, other terms as existentials.
    logic::SymbolicHeap described(const Names& names) const;

  private:
    struct Data {
        Term root;
        std::string field;
        Term value;
    };

    void replace(const Term& from, const Term& to);
    bool normalise();
    bool simplify(bool& changed);
    void expand(const logic::Atom& atom); // its first cell, and the rest
    void add_body(const logic::Atom& atom, logic::Atom& cell);
    void add_parts(const logic::SymbolicHeap& open);
    logic::SymbolicHeap with_numbers_apart() const;

    std::vector<Data> data_;
    int counter_ = 0;
};

// The formula with its free names replaced. REQUIRES all of them in names.
logic::Formula instantiate(const logic::Formula& formula, const Names& names);

// A free name of the formula that names does not have, or that the proofs cannot work with: why, or empty.
std::string unsuited(const logic::Formula& formula, const Names& names);

// The heap of a model over terms, with variables in their place; names are those of pointers.
logic::Heap with_names(const logic::Heap& model, const Names& names);

} // namespace ggsnn::verify
