// The search for a proof by induction.
//
// A sequent is simplified (simplify.hpp). Where that leaves it open, in this order: a call of the right side
// is matched with one of the left, an existential cell with a cell; a hypothesis or a lemma is used on the
// left side (facts.hpp); a call of the right side is unfolded by one rule; the left side is split on what the
// right side waits for; a call of the left side is unfolded, by all its rules.
//
// Induction is on the number of cells of the heap. A sequent whose left side is unfolded is a hypothesis for
// all below it, that may be used on heaps with fewer cells: after a cell was matched away in between, or on a
// part of the left side that leaves a cell over. Every step leads to heaps of as many cells or fewer. A cycle
// through a hypothesis passes all steps from the sequent to its use, so cells become fewer on every cycle,
// and there is no end to that only if there is no counterexample.
#pragma once

#include "ggsnn/logic/induct/facts.hpp"
#include "ggsnn/logic/induct/step.hpp"

#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ggsnn::logic::induct {

// How far a search goes, on one path of the proof.
struct Effort {
    int unfoldings = 2;    // on the left
    int uses = 3;          // of hypotheses and lemmas
    int splits = 3;        // on whether two terms are equal
    int number_splits = 2; // on conditions of integers
    int idle = 2;          // unfoldings on the right by rules without a cell but with calls
    int guesses = 2;       // of where a structure of the right side begins
    int depth = 60;        // of the proof
    bool exchange = false; // definitions of the left side that mean the same become one
    bool below = false;    // cases are split on what the right side waits for after choices, too
    std::size_t nodes = 1000;
};

struct Hypothesis {
    Sequent sequent;
    int consumed = 0; // cells matched away when it was made
    int id = 0;       // of its step
};

// Sequents that were proved on their own, kept for the rest of a problem.
class Lemmas {
  public:
    // Those that a search tries to use.
    const std::vector<StepPtr>& all() const { return all_; }
    // Of all, in the order in which they were found: each needs none after it.
    const std::vector<StepPtr>& proofs() const { return proofs_; }
    // One that a search does not look at.
    void keep(const StepPtr& proof) { proofs_.push_back(proof); }
    // Left out if it is known, too large to be of use, or there are too many.
    void add(const StepPtr& proof);
    // P(x .., y ..) * P(y .., z ..) |- P(x .., z ..): among all(), and used more freely, as calls become
    // fewer.
    const std::vector<StepPtr>& joins() const { return joins_; }
    void keep_join(const StepPtr& proof) { joins_.push_back(proof); }
    // P(x ..) |- Q(x ..), if it is one of them, for any arguments.
    const Step* conversion(int from, int to) const {
        const auto found = conversions_.find({from, to});
        return found == conversions_.end() ? nullptr : found->second.get();
    }
    // One that a search uses only where it asks for it.
    void keep_conversion(const StepPtr& proof);
    // The definition that stands for those that mean the same, where some were found; else itself.
    int representative(int definition) const {
        const auto found = representatives_.find(definition);
        return found == representatives_.end() ? definition : found->second;
    }
    // Finds them among these: that with a join, if there is one. True: some have another.
    bool find_representatives(const std::set<int>& definitions);
    int next_id() { return next_id_++; } // for a step that may be used

  private:
    std::map<std::pair<int, int>, StepPtr> conversions_;
    std::vector<StepPtr> all_, proofs_, joins_;
    std::map<int, int> representatives_;
    std::set<std::string> known_;
    int next_id_ = 1;
};

inline constexpr std::size_t no_hypothesis = std::numeric_limits<std::size_t>::max();

// A proof, and the lowest number of a hypothesis of the path that it needs.
struct Proof {
    std::size_t lowest = no_hypothesis;
    StepPtr step;
};
using Proved = std::optional<Proof>;

class Search {
  public:
    Search(Context& context, Lemmas& lemmas, const Effort& effort)
        : context_(context), lemmas_(lemmas), effort_(effort) {}

    // Nothing: not proved.
    StepPtr prove(const Sequent& sequent);
    std::size_t nodes() const { return nodes_; }

  private:
    struct Path {
        std::vector<Hypothesis> hypotheses;
        int consumed = 0, unfoldings = 0, uses = 0, splits = 0, idle = 0, guesses = 0, number_splits = 0,
            depth = 0;
        bool at_case = false; // the sequent is a case of a call that was unfolded
    };
    // What the right side waits for.
    struct Wanted {
        std::vector<std::pair<TermId, TermId>> equal;
        Conditions conditions;
    };

    // The try_.. return a step that lacks its sequent, which is the one they are given.
    Proved solve(Sequent sequent, Path path);
    bool numbers_may_fit(const Sequent& sequent, Wanted& wanted);
    bool match_equal_calls(Sequent& sequent, Path& path, const View& view);
    std::vector<std::pair<std::size_t, std::vector<std::size_t>>>
    matches_of_calls(const Sequent& sequent) const;
    Proved try_calls(const Sequent& sequent, const Path& path, const View& view);
    Proved try_cells(const Sequent& sequent, const Path& path);
    Proved try_joins(const Sequent& sequent, const Path& path);
    Proved try_facts(const Sequent& sequent, const Path& path, const View& view);
    Proved try_right(const Sequent& sequent, const Path& path, Wanted& wanted);
    Proved try_rule(const Sequent& sequent, const Path& path, std::size_t call, std::size_t number,
                    Wanted& wanted);
    Proved try_splits(const Sequent& sequent, const Path& path, const Wanted& wanted);
    Wanted wanted_below(const Sequent& sequent, std::size_t first, const Wanted& here) const;
    Proved try_guesses(const Sequent& sequent, const Path& path, const View& view);
    Proved try_exchange(const Sequent& sequent, const Path& path);
    Proved try_left(const Sequent& sequent, const Path& path, const View& view);
    Proved unfold_left(const Sequent& sequent, const Path& path, std::size_t call);
    Proved unfold_as_it_is(const Sequent& sequent, const Path& path, std::size_t call);
    // Whether a call of the right side begins at a known place; if not, whether other atoms will tell the
    // place.
    enum class Floating { no, waiting, alone };
    Floating floats(const Sequent& sequent, std::size_t number) const;
    bool may_begin_at(const Call& call, std::size_t argument) const;
    std::vector<std::size_t> order_of_unfolding(const Sequent& sequent, const View& view) const;
    Sequent essential(const Sequent& sequent);
    std::string key(const Sequent& sequent, const Path& path) const;

    Context& context_;
    Lemmas& lemmas_;
    Effort effort_;
    std::set<std::string> failed_;
    Conditions wanted_below_; // what sequents waited for, in the order in which they were looked at
    std::size_t nodes_ = 0;
};

} // namespace ggsnn::logic::induct
