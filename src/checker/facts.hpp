// What holds in every heap of a clause, as a formula over integers for Z3: all of Z3 is behind this file.
//
// Locations are numbers, nil is 0. An atom has a size, its number of cells. Two cells of different atoms
// stand at different places, none at nil. Of a call only its summary is known: a list of cases, one of which
// holds in each of its heaps, and conditions on its integers and its size. Summaries come with the proof and
// are checked here: each rule, with the summaries of its calls, must agree with one of the cases. That is an
// induction on how a heap is derived.
#pragma once

#include "ggsnn/checker/clause.hpp"

#include <z3++.h>

namespace ggsnn::checker {

// Of a definition. Parameters are $1, $2, ..; the size is $0.
struct Summary {
    struct Case {
        std::vector<std::pair<Term, Term>> equal, distinct;
        std::vector<Term> allocated; // parameters at which there is a cell
        bool cells = false;          // the size is at least 1; otherwise it is 0
    };
    std::vector<Case> cases;
    std::vector<Linear> empty, nonempty; // what holds where the size is 0, and where it is not
};

// A clause with what is known of its heaps.
struct Known {
    std::vector<z3::expr> facts;
    std::vector<z3::expr> call_sizes; // by call of the clause
    z3::expr size;                    // of the heap
    // A place and when there surely is a cell: cells of the clause, parameters of its calls.
    std::vector<std::pair<z3::expr, z3::expr>> allocated;
};

class Facts {
  public:
    Facts(const Problem& problem, std::map<std::string, Summary> summaries);

    // Throws Rejected where some rule does not agree with the summary of its definition.
    void check_summaries();

    // The sizes of the first calls may be known from elsewhere.
    Known known(const Clause& clause, const std::vector<z3::expr>& sizes = {});
    std::vector<z3::expr> pure(const Clause& clause); // its equalities, disequalities, conditions

    z3::expr term(const Term& term);
    z3::expr sum(const Linear& value); // without its relation
    z3::expr holds(const Linear& condition);
    z3::expr truth(bool value) { return context_.bool_val(value); }

    // The goal follows. exists: integers that may be chosen for the goal.
    bool implies(const std::vector<z3::expr>& facts, const std::vector<z3::expr>& goal,
                 const std::set<Term>& exists = {});
    bool contradictory(const std::vector<z3::expr>& facts);
    // For each term one that stands for all that are surely equal to it.
    Names classes(const std::vector<z3::expr>& facts, const std::set<Term>& terms);

  private:
    z3::expr truth_value(); // a new one
    void know_call(const Call& call, const Term& size_name, Known& known, std::vector<int>& owner, int atom);
    z3::expr case_holds(const Summary::Case& one, const Known& rule);

    z3::context context_;
    z3::solver solver_{context_, z3::solver::simple()};
    const Problem& problem_;
    std::map<std::string, Summary> summaries_;
    int next_ = 0;
};

} // namespace ggsnn::checker
