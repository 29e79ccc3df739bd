// Formulas of separation logic: syntax tree, parser, printer, canonical form.
//
//   formula  ::=  heap ( \/ heap )*
//   heap     ::=  [ exists name ... . ] part ( * part )*
//   part     ::=  emp  |  term = term  |  term != term
//              |  name |-> { field: term, ... }     one cell with at least these fields
//              |  ls(x, y)      ls(x, y, \t -> heap)         list segment over `next`
//              |  tree(x)       tree(x, \t -> heap)          binary tree over `left`, `right`
//              |  dll(x, last, before, y)                    doubly-linked segment over `next`, `prev`
//              |  ptree(x, up)                               tree whose cells have their parent in `parent`
//              |  treeseg(x, y)     ptreeseg(x, up, y, over) such trees with a hole where y stands, below
//              over |  ls+ ... tree+ ... dll+ ...                 the same with at least one cell |  none(x)
//              x is not NULL and no cell is there
//   term     ::=  name  |  NULL  (also nil, null)
//   name     ::=  an identifier of C, or several joined by dots (list.head)
//              |  \result  |  \old(name)                    the value when the function began
//
// No word is reserved but NULL: `ls` before a bracket is the predicate and a name elsewhere, `exists` before
// a name begins a quantifier, `emp` is a name where a term is expected or `=`, `!=`, `|->` follows. (emp as
// the third argument of ls is the empty body.) Bound names have no dots.
//
// A formula describes a whole heap: its atoms cover every allocated cell, each exactly once. Pure parts
// cover no cell. A nested body describes the structure that hangs at the field `val` of each cell.
//
// Two meanings of `ls` exist, and each atom of the tree says which one it has (Atom::strict):
//   * plain, as in SL-COMP and in program proofs: acyclic and possibly empty. ls(x,y) is the path over
//     `next` from x to the first arrival at y; ls(x,x) is empty. tree(NULL) is empty.
//   * strict, as in the shape labels of the paper (section 5): at least one cell. ls+(x,y) makes one step
//     and then is ls(n,y), so ls+(t,t) is a cycle through t. tree+(x) has x allocated.
// In text, `ls` is plain and `ls+` is strict under Reading::program, the reading of proofs; under
// Reading::shape, that of labels and predictions, `ls` already means the strict one. A text is always
// read and printed under a stated reading; nothing converts one meaning into the other silently.
// The paper's own equation (section 5: x = y or a cell, no guard) is neither: it lets a segment run past
// its end once. No label and no table-4 invariant needs that, and it would make `ls` ambiguous.
//
// Records: an atom may have a tag, which says which record its cells are. Its fields then are `next` + tag
// and so on, so that atoms of different tags never share a cell that has the fields of one tag only. A link
// of a cell may bring its own tag (`next#2`), so that one cell can have links of several. Tags begin with
// `#`. They are part of the meaning: substitution, canonical form and comparison keep them. People do not see
// them: print() leaves them out, print_tagged() shows them as ls[#2](x, y) and x |-> {next#2: y}.
#pragma once

#include "ggsnn/base/error.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ggsnn::logic {

inline constexpr const char* null_name = "NULL";

struct Lambda;

struct Atom {
    // A cell, no cell, or a structure: what structures are is said in logic/definitions.cpp.
    enum class Kind { cell, none, list, tree, dll, ptree, treeseg, ptreeseg };
    Kind kind = Kind::cell;
    bool strict = false;                                    // structure: at least one cell
    std::vector<std::string> arguments;                     // the first is where its cells begin
    std::vector<std::pair<std::string, std::string>> links; // cell: field, value; in the order written
    std::shared_ptr<const Lambda> body; // structure that nests: what hangs at `val`; null for nothing
    std::string tag; // the record of the cells (of the body: its own atoms say); none: unused

    const std::string& root() const { return arguments[0]; }
    bool operator==(const Atom& other) const; // bodies by what they say
};

// Whether it is one of the predicates that are defined by cases (logic/definitions.hpp): neither a cell nor
// none.
inline bool is_structure(const Atom& atom) {
    return atom.kind != Atom::Kind::cell && atom.kind != Atom::Kind::none;
}

struct Pure {
    bool equal = true;
    std::string left, right;

    bool operator==(const Pure&) const = default;
};

// One disjunct. Names that are not bound are program variables.
struct SymbolicHeap {
    std::vector<std::string> exists;
    std::vector<Pure> pure;
    std::vector<Atom> atoms;

    bool operator==(const SymbolicHeap&) const = default;
};

struct Lambda {
    std::string parameter;
    SymbolicHeap heap;

    bool operator==(const Lambda&) const = default;
};

// A disjunction of at least one heap.
struct Formula {
    std::vector<SymbolicHeap> heaps;

    bool operator==(const Formula&) const = default;
};

// For tables keyed by what was written: == compares part by part, in order. Formulas that mean the same may
// be told apart; see canonical().
struct FormulaHash {
    std::size_t operator()(const Atom& atom) const;
    std::size_t operator()(const Lambda& body) const;
    std::size_t operator()(const SymbolicHeap& heap) const;
    std::size_t operator()(const Formula& formula) const;
};
using FormulaSet = std::unordered_set<Formula, FormulaHash>;

// What `ls` and `tree` without a plus sign mean in a text.
enum class Reading { program, shape };
enum class Script { ascii, unicode, latex };

// A mistake in a formula: where (both from 1), what was found, what was expected.
struct SyntaxError : Error {
    SyntaxError(int line, int column, const std::string& detail);
    int line, column;
    std::string detail; // without the place
};

// A field of a cell of the tagged record; a field that has a tag keeps it.
std::string tagged_field(const std::string& field, const std::string& tag);
// The field without its tag.
std::string_view bare_field(std::string_view field);

// Throws SyntaxError. The text may span lines; nesting and length are bounded. names: what is surely a name,
// where it would be read as NULL otherwise (a variable called nil or null).
Formula parse_formula(std::string_view text, Reading reading, const std::set<std::string>& names = {});
// As print_tagged writes it. What people write has no tags.
Formula parse_tagged(std::string_view text, Reading reading);

struct Entailment {
    Formula left, right;
};
// 'A |- B'. Throws SyntaxError.
Entailment parse_entailment(std::string_view text, Reading reading);

// parse_formula(print(f, r), r) gives f back, if it has no tags, in ASCII and in Unicode; LaTeX is for
// readers only.
std::string print(const Formula& formula, Reading reading, Script script = Script::ascii);
std::string print(const SymbolicHeap& heap, Reading reading, Script script = Script::ascii);
std::string print(const Entailment& entailment, Reading reading, Script script = Script::ascii);
// With tags, under Reading::program: equal texts mean the same.
std::string print_tagged(const Formula& formula);
std::string print_tagged(const SymbolicHeap& heap);
std::string print_tagged(const Entailment& entailment);

// Program variables, sorted; NULL is not one.
std::set<std::string> free_names(const Formula& formula);
std::set<std::string> free_names(const SymbolicHeap& heap);

// Replaces free occurrences; bound names that would capture are renamed.
SymbolicHeap substitute(const SymbolicHeap& heap, const std::string& name, const std::string& term);
// All at once: {x: y, y: x} swaps.
SymbolicHeap substitute(const SymbolicHeap& heap, const std::map<std::string, std::string>& terms);

// The same formula for all ways to write it that differ only in names of bound variables, order of parts,
// order of disjuncts, trivial parts (x = x, repeated pure parts), existentials that are not used or equal
// to another term, and bodies `emp`. Two formulas are canonically equal iff their canonical texts are
// (those of print_tagged).
// Up to max_permuted existentials of one heap are permuted for the least text; above that, and in heaps so
// large that it would take longer than a moment, ties between existentials are broken by order of occurrence,
// and equal formulas may be told apart.
inline constexpr int max_permuted = 6;
Formula canonical(const Formula& formula);
bool canonically_equal(const Formula& a, const Formula& b);

} // namespace ggsnn::logic
