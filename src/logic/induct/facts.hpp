// Sequents that may be used in a proof: induction hypotheses and lemmas. Using L' |- exists E. R' on a left
// side that holds an instance of L' puts the same instance of R' in its place.
#pragma once

#include "ggsnn/logic/induct/simplify.hpp"

#include <vector>

namespace ggsnn::logic::induct {

// An instance of the left side of a fact inside another left side.
struct Instance {
    std::map<TermId, TermId> terms; // of the fact -> of the sequent
    std::vector<char> cells, calls; // of the sequent: which are used
    std::vector<Choice> meanings{}; // what fresh terms in `terms` stand for
};

// Instances of fact.left in the left side of the sequent, at most so many. All conditions of the fact are
// implied. REQUIRES a closed left side.
// Integers of the fact that its left side does not determine are tried as they are, one less and one more.
std::vector<Instance> instances(const Sequent& fact, const Sequent& sequent, Context& context,
                                std::size_t most);

// Whether what the instance leaves over surely has a cell.
bool leaves_a_cell(const Instance& instance, const Sequent& sequent, const View& view);

// The sequent with the right side of the fact in the place of the instance. `fresh` gets the names of the
// existentials of the fact.
Sequent use(const Sequent& fact, const Instance& instance, const Sequent& sequent, Context& context,
            std::map<TermId, TermId>& fresh);

} // namespace ggsnn::logic::induct
