// Inductive definitions in one general form, to which both the formulas of this project and the definitions
// of SMT-LIB files are brought, and on which the satisfaction check and the prover work.
//
// A definition P(p1 .. pn) is a disjunction of rules. A rule is a clause: equalities, disequalities, cells,
// calls of definitions and local (existential) names. Recursive rules must hold a cell, so that unfolding
// consumes the heap. What is known of a definition beyond its rules (that it is a segment, which can be
// composed) is found from the rules by analyse(), whatever the names.
//
// The predicates of formulas (ls, tree, dll) are definitions too, given as text in one table
// (definitions.cpp). All that unfolds a structure asks here: the satisfaction check and the prover by
// compile(), symbolic execution by cases() and unfold(), the making of heaps and inputs by meaning(). A row
// of the table is all that a new predicate needs, with its Atom::Kind.
#pragma once

#include "ggsnn/logic/budget.hpp"
#include "ggsnn/logic/formula.hpp"
#include "ggsnn/logic/linear.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ggsnn::logic {

// A name inside a clause. 0 is NULL. In a rule 1..n are the parameters, then come the locals; in the
// clauses of a Problem 1.. are Problem::names, then come the existentials of that clause.
using TermId = int;
inline constexpr TermId null_term = 0;

struct Link {
    int field = 0;
    TermId value = 0;
};

struct CellAtom {
    TermId root = 0;
    std::vector<Link> links; // the cell has these fields, and may have others
};

struct Call {
    int definition = 0;
    std::vector<TermId> arguments;
};

struct Clause {
    int terms = 1; // names in use are 0 .. terms-1
    std::vector<std::pair<TermId, TermId>> equal, distinct;
    std::vector<CellAtom> cells;
    std::vector<Call> calls;
    std::vector<TermId> dangling; // not NULL and not allocated anywhere in the heap
    std::vector<Linear> linear;   // conditions on those terms that are integers
    std::vector<TermId> numbers;  // which of its locals (in a Problem: existentials) are integers
    bool any_rest = false;        // further cells may be there (a pure SMT-LIB assertion)

    TermId fresh() { return terms++; }
};

// P(root, out, ...) is a chain of cells from root up to out:
//   root = out, (last = before), emp
//   | root != out, (last != before), cell at root ..., P(next cell, ..)  with out, last and statics unchanged
//     and before := root.
// Hence P(x, last1, before, z) * P(z, last, last1, y) |- P(x, last, before, y), provided that y is none of
// the cells of the first part if out is guarded, and last != before if last is. (That last is none of those
// cells needs no proof: it is a cell of the second part, or that part is empty and the first is the whole.)
// Numbers are parameters; -1: not there.
struct Segment {
    int root = -1, out = -1, last = -1, before = -1;
    bool out_guarded = false;  // root != out in the step: acyclic
    bool last_guarded = false; // last != before in the step
    int base_rule = 0, step_rule = 1;
    int self_call = 0; // which call of the step is the recursive one
};

struct Definition {
    std::string name;
    int parameters = 0;
    std::vector<Clause> rules;

    // The structure it stands for, if any, with its body in canonical form: its arguments are called #0, #1,
    // .., and the free names of its body, which are the further parameters, $0, $1, ..
    std::shared_ptr<const Atom> shape;

    // Found by analyse():
    int root = -1;                  // the parameter at which every rule with cells has one; -1 if none
    std::optional<Segment> segment; // set if it is one

    std::vector<TermId> numbers{}; // parameters that are integers
};

// The sort of integers, in Problem::sorts.
inline constexpr int number_sort = -1;

struct Problem {
    std::vector<std::string> fields;
    std::vector<Definition> definitions;
    std::vector<Definition> written{}; // as the file has them, where analyse() may have rewritten them
    std::vector<char> number_fields{}; // by field: holds an integer; fields beyond its end hold locations
    std::string beyond_lists{};        // why the prover of lists cannot be asked; empty: it can
    std::vector<std::string> names{null_name}; // free names; names[0] is NULL
    std::vector<int> sorts{0};                 // of names; names of different sorts are never equal
    std::vector<Clause> left;                  // disjunction
    std::vector<Clause> right;                 // disjunction; empty: false

    int field(const std::string& name);
    TermId name(const std::string& text, int sort = 0); // added if new
};

// Whether any term of the problem is an integer.
bool has_numbers(const Problem& problem);

// Memory that a clause takes.
std::size_t bytes(const Clause& clause);

// Replaces terms of `rule` by `arguments` for the parameters and by fresh terms of `into` for the locals,
// and appends all parts of the rule to `into`.
void instantiate(const Clause& rule, const std::vector<TermId>& arguments, Clause& into);

// ---- the predicates of formulas

// A row of the table.
struct Predicate {
    Atom::Kind kind = Atom::Kind::list;
    std::string_view word;               // as it is written
    std::vector<std::string> parameters; // the first is where its cells begin
    bool nests = false;                  // may have a body, for the `val` of its cells
    // The arguments of a structure that is all there is: the first parameter is where it begins, other names
    // are existential.
    std::vector<std::string> whole;
    std::vector<std::string> cases; // formulas of one heap each, over the parameters
    bool assumed = true;            // functions without a contract may be judged under it
};

const std::vector<Predicate>& predicates();
const Predicate* predicate_called(std::string_view word); // null: none
const Predicate& predicate(Atom::Kind kind);              // REQUIRES a structure

// A field of the cells of a structure.
struct Role {
    std::string field;
    bool own = false;    // leads to where such cells are (next, prev), and not elsewhere
    bool onward = false; // leads to the rest of the structure (next); own and not onward: leads back (prev)
};

// What a row says, in numbers.
struct Meaning {
    Definition definition;      // analysed; calls are of predicates(), links of built_in_fields(), by number
    std::vector<Clause> strict; // rules with at least one cell, without guards: those of ls+
    std::optional<Clause> back; // of a doubly-linked segment: unfolds its last cell instead of its first
    std::vector<Role> roles;    // in the order written
    std::vector<int> entries;   // arguments (from 0) at which it has a cell unless it is empty: first, last
    std::vector<int> own;       // arguments that lead to where such cells are, or NULL
    std::optional<TermId> end;  // what the first parameter equals if it is empty: a parameter, or NULL
};
const Meaning& meaning(Atom::Kind kind); // REQUIRES a structure

// Which arguments (from 0) of a structure say where it ends, where the link back of its first cell leads, and
// which cell leads to its end; -1: it has no such argument.
struct Ends {
    int end = -1, back = -1, last = -1;
    std::string back_field; // of its cells; empty: none
};
const Ends& ends_of(Atom::Kind kind); // REQUIRES a structure

// The fields of all predicates, and `val`.
const std::vector<std::string>& built_in_fields();

// The rules of this structure: those of its definition, or the strict ones.
const std::vector<Clause>& cases(const Atom& structure);

// One of its rules (or Meaning::back) as a heap over its names, without existentials: locals are named by
// fresh, calls are atoms of the same tag (and body, if of the same predicate), and its body holds at `val` of
// the cell.
SymbolicHeap unfold(const Atom& structure, const Clause& rule, const std::function<std::string()>& fresh);

// What it says if it has one cell, by its first rule with one: ls(x, y) is x |-> {next: y}. The cell is the
// first atom. REQUIRES a structure without a body.
SymbolicHeap one_cell(const Atom& structure);

// ---- from formulas

// Where a budget is given, the following throw OutOfBudget once it is exhausted.

// Rewrites definitions whose base is one cell (P = cell | cell * P) over a segment that may be empty, and
// sets root and segment of each. Returns why some definition cannot be worked with, or an empty string.
std::string analyse(std::vector<Definition>& definitions, Budget* budget = nullptr);

// Adds the disjuncts of a formula as clauses over problem's names; definitions for its structures are shared
// between calls. The result is not analysed.
std::vector<Clause> compile(const Formula& formula, Problem& problem, Budget* budget = nullptr);

// left |- right, analysed and ready for the prover.
Problem compile(const Formula& left, const Formula& right, Budget* budget = nullptr);

// The atom that a call of a definition with a shape was made from; names[i] stands for arguments[i].
Atom atom_of(const Definition& definition, const std::vector<std::string>& names);

} // namespace ggsnn::logic
