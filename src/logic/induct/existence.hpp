// Satisfiability with integers that no unfolding reaches: a list of 320,000 cells, a sum that is never odd.
//
// For each definition and base pair there are conditions on its integers: what invariants.hpp knows, and more
// candidates (bounds, sums with a slope, residues), which are assumed and dropped where some derivation does
// not keep them. A heap counts for the pair to which its last rule, with the pairs of its calls, leads, or
// for the first that says less; so for each heap of a clause there is a choice of pairs for its calls with
// which all conditions hold. Where there is no such choice there is no heap.
//
// That they say all is shown by induction, where it is so: whatever integers satisfy the conditions of a
// pair, some rule and pairs for its calls give that pair or one that says less, with integers for the locals
// that satisfy the rule's conditions and those of the calls' pairs, where for calls that lead back some
// measure, a sum over the integers that is never negative there, becomes less. Then there is a finite
// derivation for these integers, so there is a heap: base pairs say that the locations can be had, and the
// integers of cells are free but for the rules' conditions. Conditions that cannot be shown to say all are
// taken as `none`: what is built on them then is not shown either.
#pragma once

#include "ggsnn/logic/induct/simplify.hpp"

#include <map>
#include <vector>

namespace ggsnn::logic::induct {

// The sum is `rest` more than a multiple of the modulus.
struct Residue {
    Linear sum;
    int modulus = 2, rest = 0;
};

class Existence {
  public:
    explicit Existence(Context& context); // with invariants
    // By what holds in all heaps. REQUIRES pairs that are a consistent choice for the calls.
    bool excluded(const Clause& clause, const std::vector<int>& choice);
    // There is a heap with these pairs. Integers of the clause, if any are asked for.
    bool shown(const Clause& clause, const std::vector<int>& choice,
               std::map<TermId, std::int64_t>* values = nullptr);

  private:
    struct Range {          // of the integers in the heaps of a pair
        Conditions known;   // by invariants
        Conditions guessed; // and then kept
        std::vector<Residue> residues;
    };
    struct Derivation {
        std::size_t rule;
        std::vector<int> choice;
        BasePair gives;
        std::size_t counts_for; // a pair that is not dropped
    };
    using Measures = std::map<int, Linear>; // by definition

    const Definition& definition(int number) const {
        return context_.definitions[static_cast<std::size_t>(number)];
    }
    Range& range(int definition, std::size_t pair) {
        return ranges_[static_cast<std::size_t>(definition)][pair];
    }
    // fresh: gets terms for which some integers are meant.
    void append_range(const Range& range, const std::vector<TermId>& arguments, std::vector<TermId>* fresh,
                      Conditions& into);
    Conditions with_pairs(const Clause& clause, const std::vector<int>& choice, std::vector<TermId>* fresh);
    void guess();
    bool drop(int definition, const Derivation& derivation);
    bool drop_one(int definition, Range& range, const Conditions& known);
    Conditions another_rest(const Residue& residue, const std::vector<TermId>& arguments);
    void tidy_ranges();
    void show(const std::vector<int>& ring);
    std::vector<Measures> measures(const std::vector<int>& ring) const;
    using Shown = std::map<std::pair<int, int>, bool>; // by definition and pair
    bool covered(int definition, int pair, const Shown& shown, const Measures* measures);

    Context& context_;
    // By definition.
    std::vector<std::vector<Range>> ranges_; // and pair
    std::vector<std::vector<Derivation>> derivations_;
    std::vector<char> cut_; // there are more derivations: nothing is guessed
    Shown shown_;
    TermId next_ = 1 << 25; // beyond all terms of rules and clauses
};

} // namespace ggsnn::logic::induct
