// What is known at a point of a program on one path: the values of variables, the blocks of memory with their
// contents by offset, the structures (lists, trees) that stand for any number of blocks, and facts about
// terms.
//
// Blocks and structures together are all of memory that the path knows, each byte once. Equalities are never
// stored: one term is replaced by the other everywhere. So two terms are surely equal iff they are the same.
//
// Formulas speak of memory by records: the tag of an atom is `#r` for cells of Program::records[r], blocks of
// exactly that record's size whose pointer fields are links by role. A block shows itself under the tag of
// every record of its size that is asked for, so no type is guessed.
#pragma once

#include "ggsnn/verify/program.hpp"
#include "ggsnn/verify/prove/value.hpp"

#include "ggsnn/logic/definitions.hpp"
#include "ggsnn/logic/heap.hpp"

#include <set>
#include <utility>
#include <vector>

namespace ggsnn::logic {
class Closure;
}

namespace ggsnn::verify {

std::string tag_of(int record);

// Whether blocks of this object belong to the heap that formulas describe: a struct with a field that leads
// to its own kind (a list's head node that is no heap block). The name of such an object is its address
// there; of others, pointers in them are names of their own.
bool linked(const Program& program, const Object& object);

// Whether the atom has a cell at the root, if it has any: its own cell, or the first or last of a structure.
bool has_cell_at(const logic::Atom& atom, const TermName& root);

struct SymbolicSlot {
    int bytes = 0;
    SymbolicValue value;
};

struct SymbolicBlock {
    enum class Kind {
        heap,
        local,  // Function::objects[object]
        global, // Program::globals[object]
        cell,   // out of a formula: from the heap, or one of the linked objects
        text,   // belongs to the library: may be read
        place,  // belongs to the library: may be read and written (errno)
        handle, // an open FILE
    };
    // What bytes without a slot hold.
    enum class Rest { undetermined, zero, any };
    TermName root;
    Kind kind = Kind::heap;
    int object = -1;
    std::optional<std::int64_t> size; // nothing: not known
    Rest rest = Rest::undetermined;
    bool constant = false;
    std::map<std::int64_t, SymbolicSlot> slots; // by offset; they do not overlap
    // Texts whose bytes are not known: from this offset on there is a zero byte, at the latest so many bytes
    // behind it.
    std::map<std::int64_t, std::int64_t> texts;
};

// The value of a comparison that was not decided when it was made.
struct Comparison {
    Operator op = Operator::equal;
    SymbolicValue a, b;
    int bits = 0;
};

class SymbolicState {
  public:
    SymbolicState(const Program& program, const Function& function);

    std::vector<SymbolicValue> store;   // by variable of the function; empty: nothing is known, see value()
    std::vector<TermName> objects;      // by object of the function: the root of its block; empty: none now
    std::vector<TermName> globals;      // by global: the root of its block
    Names initial;                      // \old(x): the values with which the function began
    std::vector<SymbolicValue> results; // what a return gives
    std::set<TermName> freed;           // a block was released here, and perhaps another allocated since
    std::vector<SymbolicValue> held;    // values an instruction is at work with
    std::vector<TermName> at_exit;      // functions to be called at exit, in order of registration

    std::vector<SymbolicBlock> blocks;
    logic::SymbolicHeap heap; // structures, dangling terms and disequalities; no cells, no existentials

    TermName fresh();
    TermName fresh_number(const Interval& range);
    SymbolicValue value(int variable); // a fresh one if nothing is known

    // Each returns false if nothing is left: the path cannot be taken. The state is then not to be used.
    bool assume_equal(const TermName& a, const TermName& b);
    bool assume_distinct(const TermName& a, const TermName& b);
    bool assume_range(const TermName& term, const Interval& range);
    // Adds a heap next to what there is. REQUIRES every free name of it in names, and tags.
    bool assume(const logic::SymbolicHeap& heap, const Names& names);

    bool apart(const TermName& a, const TermName& b) const; // surely different, without a look at cases
    Interval range(const TermName& term) const;
    const Comparison* comparison(const TermName& term) const;
    TermName compared(const Comparison& comparison); // a new term of one bit

    // ---- memory
    int block_at(const TermName& root) const; // -1 if none
    // A structure that has a cell at the root if it is not empty: number of the atom, -1 if none.
    int structure_at(const TermName& root) const;
    // The cases of a structure, as far as they can be: those without cells, and those with. root: which cell
    // is wanted, where a structure can be unfolded from either end.
    std::vector<SymbolicState> emptied(int atom) const;
    std::vector<SymbolicState> opened(int atom, const TermName& root) const;
    SymbolicBlock& add_block(SymbolicBlock::Kind kind, std::optional<std::int64_t> size,
                             SymbolicBlock::Rest rest);
    void remove_block(int block); // what was known of its root because of it is kept
    void remove_structures(const std::set<int>& numbers);
    // What was known to have no cell may have one now.
    void forget_dangling();

    // The value of `bytes` bytes at an offset. REQUIRES that they are inside. Never fails: bits that are not
    // known are a fresh term.
    SymbolicValue load(int block, std::int64_t offset, const Type& type);
    void store_at(int block, std::int64_t offset, int bytes, const SymbolicValue& value);
    // Nothing is known of these bytes any more, but that they have been written if `written`.
    void smudge(int block, std::int64_t offset, std::int64_t bytes, bool written);
    void smudge_all(int block); // all of it may have been written
    // A text was written there, of at most `length` bytes before its end.
    void note_text(int block, std::int64_t offset, std::int64_t length);

    // ---- formulas (state_formula.cpp)
    // Whether the block is described by formulas: from the heap (and not an anchored array), or linked.
    bool in_formulas(const SymbolicBlock& block) const;
    // The left side of a question about `right`: memory in formulas, as cells under the tags of `right`.
    // all: also other blocks. left_out: roots of blocks that are not shown.
    logic::SymbolicHeap question(const logic::Formula& right, bool all = false,
                                 const std::set<TermName>& left_out = {}) const;
    // Whether anything satisfies what is known, as far as the closure sees (all blocks as cells).
    logic::SymbolicHeap everything() const;
    // For readers: names of variables in the place of terms, other terms as existentials.
    logic::SymbolicHeap described(const Names& names) const;
    // The record by which a block is shown to readers: of its size, with most fields; -1 if none.
    int likely_record(const SymbolicBlock& block) const;

    const Program& program() const { return *program_; }
    const Function& function() const { return *function_; }

  private:
    friend class StateCells;
    void replace(const TermName& from, const TermName& to);
    bool normalise();
    bool simplify(bool& changed);
    logic::SymbolicHeap unfolded(const logic::Atom& atom, const logic::Clause& rule);
    bool assume_case(int atom, const logic::Clause& rule);
    void add_parts(const logic::SymbolicHeap& open);
    SymbolicBlock& add_cell(const TermName& root, int record);
    void link(SymbolicBlock& cell, int record, const std::string& role, const TermName& value);
    void with_constants_apart(logic::SymbolicHeap& known) const;
    // Of everything(). Valid until the next call.
    const logic::Closure& closure() const;
    template <class Change>
    void for_each_value(Change change);

    const Program* program_;
    const Function* function_;
    std::map<TermName, Interval> ranges_;
    std::map<TermName, Comparison> comparisons_;
    int counter_ = 0;
    struct Closed; // the last closure, and what it is of; copies of a state share it
    mutable std::shared_ptr<const Closed> closed_;
};

// The formula with its free names replaced. REQUIRES all of them in names.
logic::Formula instantiate(const logic::Formula& formula, const Names& names);

// A free name of the formula that names does not have, or that the proofs cannot work with: why, or empty.
std::string unsuited(const logic::Formula& formula, const Names& names);

// The heap of a model over terms, with variables in their place, and fields without tags.
logic::Heap with_names(const logic::Heap& model, const Names& names);

} // namespace ggsnn::verify
