// Base pairs (Brotherston, Fuhs, Navarro Perez, Gorogiannis: 'A decision procedure for satisfiability in
// separation logic with inductive predicates', 2014): for each definition the finitely many ways in which
// its parameters can be equal, different and allocated in its heaps. Without integers a definition has heaps
// iff it has a base pair, and a clause is satisfiable iff some choice of base pairs for its calls is
// consistent. With integers, of which nothing is looked at here, there may be more pairs than heaps.
//
// Only the pairs that say least are kept: each heap agrees with one of them. What all pairs say of a call
// that are consistent with what else is known holds of every heap.
#pragma once

#include "ggsnn/logic/budget.hpp"
#include "ggsnn/logic/definitions.hpp"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace ggsnn::logic::induct {

inline constexpr int most_parameters = 63;

struct BasePair {
    std::vector<std::uint8_t> same;      // by parameter, 0 is NULL: the least that equals it
    std::uint64_t allocated = 0;         // bits of representatives; each has a cell of its own
    std::vector<std::uint64_t> distinct; // by representative: bits of those that surely differ
    bool nonempty = false;               // there is a cell; if not, there is none
    // How it came about: a rule, and a pair for each of its calls.
    int rule = 0;
    std::vector<int> children;
    bool dropped = false; // another says less
    // Bits of parameters that are NULL, and of those that are not: most choices fail on these.
    std::uint64_t null = 0, not_null = 0;
};

// All that `less` says, `more` says too. Both have a cell, or both have none: what is known of integers
// depends on it.
bool says_less(const BasePair& less, const BasePair& more);

class Pairs {
  public:
    // Throws OutOfBudget. REQUIRES at most most_parameters parameters each.
    Pairs(const std::vector<Definition>& definitions, Budget& budget);

    // With dropped ones, which derivations of others name.
    const std::vector<BasePair>& of(int definition) const {
        return pairs_[static_cast<std::size_t>(definition)];
    }

    // Visits the consistent choices of pairs for the calls of a clause, by number, until the visitor says
    // false.
    void choices(const Clause& clause, Budget& budget,
                 const std::function<bool(const std::vector<int>&)>& visitor) const;

    // Visits every pair that a rule of the definition gives with pairs that are not dropped for its calls:
    // the rule, the choice, and what they say together. Until the visitor says false.
    void derivations(
        int definition, Budget& budget,
        const std::function<bool(std::size_t, const std::vector<int>&, const BasePair&)>& visitor) const;

  private:
    bool round(Budget& budget);
    bool add(std::size_t definition, BasePair pair, Budget& budget);

    const std::vector<Definition>& definitions_;
    std::vector<std::vector<BasePair>> pairs_;
    std::vector<std::size_t> seen_;            // by definition: pairs before the last round
    std::vector<std::set<std::string>> known_; // by definition: all pairs, as bytes
};

} // namespace ggsnn::logic::induct
