// The steps of a proof that need no choice: what follows on the left side is drawn, what holds is struck from
// the right side, and cells that must be the same are matched.
#pragma once

#include "ggsnn/logic/induct/arithmetic.hpp"
#include "ggsnn/logic/induct/pairs.hpp"
#include "ggsnn/logic/induct/sequent.hpp"

#include <map>

namespace ggsnn::logic::induct {

// The number of cells, as a parameter beside those that a definition has.
inline constexpr TermId size_parameter = 1 << 24; // beyond all terms of rules

// A definition whose heaps all have a cell at a parameter, with an integer of which a parameter says what it
// is. Both are arguments, from 0.
struct Head {
    std::size_t root = 0, value = 0;
    int field = 0;
};

// What a search is about and asks.
struct Context {
    const Problem& problem;
    const std::vector<Definition>& definitions;
    const Pairs& pairs;
    Arithmetic& arithmetic;
    Budget& budget;
    Terms terms{};
    // By definition: conditions on its parameters that hold in all its heaps; in those without a cell; in
    // those with one.
    std::vector<Conditions> invariants{}, invariants_empty{}, invariants_nonempty{};
    // The same as they were found, the last two speaking of the number of cells (size_parameter), too.
    std::vector<Conditions> kept_empty{}, kept_nonempty{};
    // By definition: its number of cells as a sum over its parameters, where one is known.
    std::vector<std::optional<Linear>> sizes{};
    std::vector<std::vector<Head>> heads{}; // by definition
    // By definition: the arguments, from 0, from which each cell can be reached along links and against them.
    std::vector<std::vector<std::size_t>> anchors{};
};

// What the base pairs that are left say of a call.
struct CallView {
    bool possible = true, nonempty = false;
    std::vector<char> allocated, may_allocate; // by argument
};

// Closed left side.
struct View {
    std::vector<CallView> calls;
};

// Draws consequences of the left side until there are no more: false if it is contradictory. Equal terms
// become one, on both sides; disequalities that follow from cells and calls are written down.
bool close_left(Sequent& sequent, Context& context, View& view);

// Known to differ. REQUIRES a closed left side.
bool apart(const Clause& left, TermId a, TermId b);
// A sum over parameters as one over arguments, as it is; and a condition, which may be written otherwise.
Linear sum_of_arguments(const Linear& sum, const std::vector<TermId>& arguments);
Linear of_arguments(const Linear& condition, const std::vector<TermId>& arguments);
// The linear conditions of the clause and those that its calls imply.
Conditions numbers_of(const Clause& clause, const Context& context);

// Strikes what holds of the pure part, and puts the terms that existentials must be in their place. False:
// the right side cannot hold as it stands. REQUIRES a closed left side.
bool reduce_right(Sequent& sequent, Context& context);

// Matches cells with the same root until there are none. False: some cells of the right side cannot be
// matched.
bool match_cells(Sequent& sequent, int& consumed);

// All of the above until nothing changes. Proved: nothing is left; or the left side is contradictory.
enum class Outcome { proved, contradictory, failed, open };
Outcome simplify(Sequent& sequent, Context& context, View& view, int& consumed);

// Conditions that speak of terms that stand nowhere else are left out, after what they say of others.
void forget(Sequent& sequent);

// What must hold of the universal integers if the right side holds of some heap of the left side.
Conditions necessary(const Sequent& sequent, const Context& context);

// Where the numbers of cells of both sides leave only one value for an existential integer, the right side is
// made to say so: a stronger right side, and the only one that can hold. True if it said something new.
bool add_size(Sequent& sequent, const Context& context);

// Fills Context::heads and Context::anchors.
void find_heads(Context& context);
void find_anchors(Context& context);
// Likewise where both sides have a cell at one place, of which both say an integer.
bool add_heads(Sequent& sequent, const Context& context);

// Spatially empty on both sides and simplified: whether the pure rest of the right side follows.
bool pure_holds(const Sequent& sequent, Context& context);

} // namespace ggsnn::logic::induct
