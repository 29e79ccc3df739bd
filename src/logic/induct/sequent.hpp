// What the prover by induction works on: L |- exists E. R, both sides a clause (definitions.hpp) over one
// numbering of terms that is never used twice in a search. All terms but those of E are universal: the
// existentials of the left side are plain names here.
#pragma once

#include "ggsnn/logic/definitions.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ggsnn::logic::induct {

// What a term is: a sum of others.
struct Choice {
    TermId term = 0;
    Linear value; // its relation does not count
};

struct Sequent {
    Clause left, right;
    std::vector<TermId> exists; // of the right side, sorted; they do not occur on the left
    // Since it was made: values of existentials that are gone (those of earlier ones may speak of later
    // ones), and fresh names for sums.
    std::vector<Choice> chosen{}, defined{};
};

// Which terms there are, and of which kind.
class Terms {
  public:
    TermId fresh(bool number) {
        number_.push_back(number);
        return static_cast<TermId>(number_.size()) - 1;
    }
    bool is_number(TermId term) const { return number_[static_cast<std::size_t>(term)] != 0; }
    std::size_t size() const { return number_.size(); }

  private:
    std::vector<char> number_{0}; // NULL is a location
};

bool is_existential(const Sequent& sequent, TermId term);
bool is_existential(const Sequent& sequent, const Linear& condition); // some term of it is

void rename(Clause& clause, TermId from, TermId to);
// Everywhere; `from` is no longer existential.
void rename(Sequent& sequent, TermId from, TermId to);

// Whether the term stands in a cell or a call.
bool in_atoms(const Clause& clause, TermId term);
bool occurs(const Clause& clause, TermId term);

// The rule with arguments for its parameters, and fresh terms for its locals, which are told in `locals`.
Clause instance(const Clause& rule, const std::vector<TermId>& arguments, Terms& terms,
                std::vector<TermId>* locals = nullptr);
// Appends all parts.
void append(Clause& into, const Clause& part);

// Sorted and without repetitions; what is trivially true is left out. An equality a = a is trivial.
void tidy(Clause& clause);

// For people, lemmas and the table of what was seen. `name` gives the text of a term.
std::string text(const Sequent& sequent, const Problem& problem);
// The same for sequents that differ in the numbers of their terms only (up to the order of equal atoms).
std::string shape_of(const Sequent& sequent);

} // namespace ggsnn::logic::induct
