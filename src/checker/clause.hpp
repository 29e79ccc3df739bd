// What a proof speaks of: terms, clauses, definitions and problems, as the checker sees them.
//
// The checker shares nothing with the prover: no file of src/logic, no reader, no arithmetic. A term is a
// text. `nil` is the null location; the constants of a problem have their own names; inside a definition $1,
// $2, .. are its parameters and, after them, its locals, in the order in which the file introduces them.
//
// All terms range over the integers, nil is 0. That is no restriction: locations are as many, and nothing
// depends on which one is which. Nor are sorts of locations needed: a location of a wrong sort that is chosen
// for an existential name stands in disequalities alone, and any other would do there.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ggsnn::checker {

using Term = std::string;
inline const Term nil = "nil";

// What is wrong with a file or a proof.
struct Rejected : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// sum + constant, compared with zero: '=' , '#' (different) or '<' (at most).
struct Linear {
    std::map<Term, std::int64_t> sum;
    std::int64_t constant = 0;
    char relation = '=';
};

struct Cell {
    Term root;
    std::map<std::string, Term> fields;
    auto operator<=>(const Cell&) const = default;
};

struct Call {
    std::string definition;
    std::vector<Term> arguments;
    auto operator<=>(const Call&) const = default;
};

// All at once: cells and calls on different parts of the heap, which they cover; equalities of locations,
// conditions on integers.
struct Clause {
    std::vector<Cell> cells;
    std::vector<Call> calls;
    std::vector<std::pair<Term, Term>> equal, distinct;
    std::vector<Linear> linear;
    int locals = 0; // of a rule, or of a side of a problem
};

struct Definition {
    int parameters = 0;
    std::vector<Clause> rules;
};

// left |- right, both disjunctions.
struct Problem {
    std::map<std::string, Definition> definitions;
    std::vector<Clause> left, right;
};

using Names = std::map<Term, Term>;

inline Term named(const Names& names, const Term& term) {
    const auto found = names.find(term);
    return found == names.end() ? term : found->second;
}

// The clause with other names, all at once.
Clause renamed(const Clause& clause, const Names& names);
Linear renamed(const Linear& condition, const Names& names);
std::set<Term> terms_of(const Clause& clause);
void append(Clause& into, const Clause& part);

// The problem of an SMT-LIB file of SL-COMP's dialect. Throws Rejected for anything it does not understand.
Problem read_problem(const std::string& text);
// Puts the bodies of these definitions in the place of their calls. Each has one rule and does not lead back
// to itself.
void put_in_place(Problem& problem, const std::vector<std::string>& names);

} // namespace ggsnn::checker
