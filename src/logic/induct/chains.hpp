// Proofs about list segments without a search: what the prover of lists (prover.hpp) does, with steps that
// can be written down. A call P(x, y) of the right side is met by walking on the left side from x to y over
// cells and segments; these are joined into P(x, y) by lemmas, which are proved by induction once for each
// problem. Where the walk is stuck, the left side is split on an equality.
#pragma once

#include "ggsnn/logic/induct/search.hpp"

namespace ggsnn::logic::induct {

// P(.., root, .., out, ..) := root = out | (root != out,) root |-> {next: u, ..} * P(.., u, .., out, ..), all
// other parameters unchanged. Numbers are arguments, from 0.
struct Chain {
    std::size_t root = 0, out = 0;
    bool guarded = false; // root != out in the step
    std::size_t base_rule = 0, step_rule = 1;
    int next = 0; // the field
};

class Chains {
  public:
    Chains(Context& context, Lemmas& lemmas);

    // Some definition is of this form.
    bool any() const;
    // Nothing: not proved.
    StepPtr prove(const Sequent& sequent) { return solve(sequent, 0); }
    // Joins neighbours of the left side where nothing else speaks of the place between them. Each step states
    // the sequent before it.
    std::vector<Step> shorten(Sequent& sequent);

  private:
    struct Piece {
        bool cell = false;
        std::size_t number = 0; // of the cell or call of the left side
        TermId from = 0, to = 0;
    };
    struct Walk {
        std::vector<Piece> pieces;
        bool arrived = false;
        bool needs_witness = false; // that the end is none of the cells on the way
    };
    // Which atoms stand on both sides.
    struct Matched {
        std::vector<char> left_cells, left_calls, right_cells, right_calls;
        bool all_of_left = false, all_of_right = false;
    };
    using TermPairs = std::vector<std::pair<TermId, TermId>>;

    StepPtr solve(Sequent sequent, int depth);
    Matched match(const Sequent& sequent) const;
    // Returns a step that lacks its sequent, which is the one given.
    StepPtr advance(const Sequent& sequent, const View& view, const Matched& matched, int depth);
    std::size_t first_to_fold(const Clause& right, const std::map<std::size_t, Walk>& walks) const;
    StepPtr end_goal(const Sequent& sequent, std::size_t goal, int depth);
    StepPtr unfold(const Sequent& sequent, std::size_t number, int depth);
    std::optional<std::pair<TermId, TermId>> open_pair(const Sequent& sequent,
                                                       const TermPairs& candidates) const;
    StepPtr split(const Sequent& sequent, const std::pair<TermId, TermId>& pair, int depth);
    // stuck: equalities that would help if they were known.
    Walk walk(const Sequent& sequent, const View& view, const Call& goal, const Matched& matched,
              TermPairs& stuck) const;
    bool next_piece(const Sequent& sequent, const Call& goal, TermId at, const Matched& matched,
                    const std::vector<Piece>& used, Piece& piece) const;
    bool cell_fits(const CellAtom& cell, const Call& goal, TermId& to) const;
    StepPtr fold(const Sequent& sequent, const View& view, std::size_t goal, const std::vector<Piece>& pieces,
                 int depth);
    bool same_statics(const Call& a, const Call& b) const;
    const Chain* chain(int definition) const;

    // An atom besides these that surely has a cell at a term. False: none is known.
    bool witness(const Sequent& sequent, const View& view, TermId term, Piece& found) const;
    Clause witness_of(const Sequent& sequent, const View& view, TermId end) const;
    // Puts `whole` in the place of `parts` on the left side, beside the witness `with` for `end`. False: the
    // lemma was not proved.
    bool use_lemma(Sequent& sequent, const Clause& parts, const Clause& whole, const Clause& with, TermId end,
                   Step& step);
    StepPtr lemma(Sequent sequent);
    StepPtr composition(const Sequent& fact, int id);
    StepPtr put_before(const Sequent& sequent, const CellAtom& cell, const Chain& of);

    Context& context_;
    Lemmas& lemmas_;
    std::vector<std::optional<Chain>> chains_;
    std::map<std::string, StepPtr> known_; // lemmas by their form
};

} // namespace ggsnn::logic::induct
