// The left side of an entailment while it is being proved: names up to equality, disequalities, cells and
// calls, closed under what follows.
#pragma once

#include "ggsnn/logic/budget.hpp"
#include "ggsnn/logic/definitions.hpp"

#include <vector>

namespace ggsnn::logic {

struct State {
    struct LeftCall {
        int definition = 0;
        std::vector<TermId> arguments;
        int depth = 0;              // how many unfoldings led to it
        int wanted = 0;             // model building: cells still to come
        std::vector<char> feasible; // by rule; set by close()
    };

    std::vector<TermId> parent; // union-find; the least name of a class stands for it, so NULL always does
    std::vector<std::pair<TermId, TermId>> distinct;
    std::vector<CellAtom> cells;
    std::vector<LeftCall> calls;
    std::vector<TermId> dangling;

    // Set by close(): which atom surely has a cell at a representative. Cells count from 0, calls follow;
    // -1: none is known.
    std::vector<int> owner;

    State(const Clause& clause);

    TermId find(TermId term) const;
    bool same(TermId a, TermId b) const { return find(a) == find(b); }
    // Surely different. Needs close().
    bool apart(TermId a, TermId b) const;
    // Needs close().
    bool is_dangling(TermId term) const { return dangling_[static_cast<std::size_t>(find(term))] != 0; }
    bool allocated(TermId term) const { return owner[static_cast<std::size_t>(find(term))] >= 0; }
    // Surely has a cell, and not in the given call.
    bool allocated_outside(TermId term, int call) const;
    int call_owner(int call) const { return static_cast<int>(cells.size()) + call; }

    void merge(TermId a, TermId b);
    void add_clause(const Clause& clause, int depth); // terms of clause are terms of the state
    // Replaces a call by one of its rules.
    void unfold(int call, int rule, const std::vector<Definition>& definitions);

    // Draws all consequences; false when there are none but contradiction (or the budget is exhausted, which
    // the caller sees from the budget).
    bool close(const std::vector<Definition>& definitions, Budget& budget);

    std::size_t bytes() const;

  private:
    bool claim(TermId term, int atom, bool& changed);
    bool rule_feasible(const LeftCall& call, int number, const Clause& rule,
                       const Definition& definition) const;
    bool close_cells();
    bool close_call(int number, const std::vector<Definition>& definitions, bool& changed, bool& removed);
    void index_names();

    std::vector<std::uint64_t> distinct_keys_; // sorted pairs of representatives
    std::vector<char> dangling_;               // by representative
};

} // namespace ggsnn::logic
