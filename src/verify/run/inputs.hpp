// Concrete inputs for a function: memory built from its precondition, or from one that is assumed from the
// types.
//
// A precondition is turned into cells in three steps: choose a disjunct and a size for each structure; unfold
// the structures to cells between fresh names; put names that must be equal on one node. Names that the
// formula leaves open are NULL, or an address without a block, in turn. Every input is checked against the
// formula by logic::Checker; what does not satisfy it is dropped. What formulas do not speak of (texts, void
// pointers, functions) is NULL, or an address of which nothing is known.
//
// main finds its globals as the program initialises them, and an empty heap.
#pragma once

#include "ggsnn/logic/formula.hpp"
#include "ggsnn/verify/program.hpp"
#include "ggsnn/verify/run/interpret.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ggsnn::verify {

struct InputOptions {
    std::vector<int> sizes{0, 1, 2, 3, 5, 10}; // of each structure
    int inputs = 36;                           // at the most
    int seeds = 2;                             // data of each heap: sorted first, then random
    std::uint64_t seed = 1;
    std::optional<std::chrono::steady_clock::time_point> deadline; // then fewer are made
    bool functions_given = false; // parameters that are pointers to functions are not NULL
};

// In a fixed order, small structures first. Empty if the formula has no heap of these sizes.
std::vector<Input> make_inputs(const Program& program, int function, const logic::Formula& precondition,
                               const InputOptions& options = {});

// Separate, possibly empty, well-formed structures for each parameter and global, by their types: ls for a
// record with `next`, dll with `prev` too, tree with `left` and `right`, nested where `val` leads to another
// record; one cell with its fields otherwise, or NULL.
logic::Formula default_precondition(const Program& program, int function);

// The default with arguments that are not NULL, weakest first: each pointer alone, then all of them. For
// functions whose first action needs that.
std::vector<logic::Formula> stronger_preconditions(const Program& program, int function);

// The default with other structures of the same types, for functions that fault under it: rings for lists
// (possibly absent, then surely there), for a cell with two lists one list that the cell knows both ends of,
// and structures with a second and a third cell behind the first.
std::vector<logic::Formula> other_preconditions(const Program& program, int function);

// Doubly-linked lists as lists by `next` alone, the links back being anything: what functions need that call
// themselves on the rest of a list. Nothing if there is none.
std::optional<logic::Formula> one_way_precondition(const logic::Formula& formula);

// Without what parameters lead to that the function never looks at. Nothing if there is none.
std::optional<logic::Formula> without_idle_parameters(const Program& program, int function,
                                                      const logic::Formula& formula);

// Without disjuncts that say x = NULL and x != NULL.
logic::Formula without_contradictions(logic::Formula formula);

// Given with the function, else the default.
logic::Formula precondition_of(const Program& program, int function);

// What formulas about a function's entry may call by name: parameters, and globals that are not constant, as
// picture.hpp shows them.
struct EntryName {
    std::string name;
    Type type;               // a pointer
    int parameter = -1;      // or:
    int global = -1;         // the pointer stands in this global,
    std::int64_t offset = 0; // here;
    bool cell = false;       // or it is the address of the global, which is a cell itself
    bool there = false;      // never NULL: the address of a global, or of a struct that is passed by value
};
std::vector<EntryName> entry_names(const Program& program, int function);

// Whether formulas speak of what such a pointer leads to: structs, pointers, numbers; not text, void, files.
bool formulas_speak_of(const Program& program, const Type& type);
bool is_file(const Program& program, const Type& type);

} // namespace ggsnn::verify
