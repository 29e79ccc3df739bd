// Base pairs (pairs.hpp) in a few words each, for definitions that have millions of them: a counter of twenty
// bits goes through all of its states. Decides satisfiability without integers; Pairs is the plain form of
// the same, which says more of each definition.
//
// What differs from Pairs:
// - whether a heap has a cell is not looked at: fewer pairs;
// - definitions are done in the order in which they call each other; only those that call each other in a
// ring
//   are gone through by new pairs, one by one, and only the calls in that ring;
// - pairs that agree with what is known of a call's arguments, which are NULL and which are not, are found by
//   a tree over these arguments;
// - of the choices for a call, one that says all that another says, too, is left out at once: whatever can be
//   added to it can be added to the other.
#pragma once

#include "ggsnn/logic/budget.hpp"
#include "ggsnn/logic/definitions.hpp"
#include "ggsnn/logic/induct/packed_index.hpp"

#include <map>
#include <memory>
#include <vector>

namespace ggsnn::logic::induct {

class PackedPairs {
  public:
    // Both must outlive it. REQUIRES at most most_parameters parameters each.
    PackedPairs(const std::vector<Definition>& definitions, Budget& budget);
    ~PackedPairs();
    PackedPairs(const PackedPairs&) = delete;
    PackedPairs& operator=(const PackedPairs&) = delete;

    // Whether the clause has a heap. Throws OutOfBudget.
    bool satisfiable(const Clause& clause);

  private:
    struct Mixture; // the terms of a clause while pairs are chosen for its calls
    struct Join;    // one way to go through the calls of a clause

    // What is not about NULL, a and b parameters, a < b: a * 64 + b.
    struct Details {
        std::vector<std::uint16_t> equal, distinct; // equal: a is the least of all that equal b
        auto operator<=>(const Details&) const = default;
    };

    struct Set { // of a definition
        std::vector<PackedPair> all;
        std::vector<char> dropped;        // by pair: another says less
        std::vector<std::uint32_t> known; // by hash: numbers from 1, 0 is free; at most half of it is taken
        std::vector<PackedIndex> indices;
        std::size_t done = 0; // pairs that were put in the place of calls in its ring
        bool complete = false;
    };

    Set& set_of(int definition) { return sets_[static_cast<std::size_t>(definition)]; }
    void complete(int definition);
    void go_through(const std::vector<int>& ring);
    void add(int definition, const Mixture& mixture);
    bool is_new(Set& set, const PackedPair& pair);
    PackedPair project(const Mixture& mixture, int parameters);
    bool says_less(const PackedPair& less, const PackedPair& more) const;
    bool differ(const PackedPair& pair, unsigned a, unsigned b) const;
    unsigned least(const PackedPair& pair, unsigned parameter) const;

    bool start(const Clause& clause, Mixture& mixture) const;
    bool take(Mixture& mixture, const PackedPair& pair, const std::vector<TermId>& arguments) const;
    std::vector<std::size_t> order_of(const Clause& clause, std::ptrdiff_t first) const;
    void candidates(const Join& join, const Call& call, const Mixture& mixture,
                    std::vector<std::uint32_t>& found);
    bool choose(Join& join, std::size_t depth);
    bool visit_chosen(Join& join, std::size_t depth, std::size_t count);

    const std::vector<Definition>& definitions_;
    Budget& budget_;
    std::vector<Set> sets_;
    std::vector<Details> details_{1}; // the first says nothing
    std::map<Details, std::uint32_t> known_details_{{Details{}, 0}};
};

} // namespace ggsnn::logic::induct
