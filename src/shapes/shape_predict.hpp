// Formulas for groups of heaps, by the networks alone and with the satisfaction check; and how often they are
// right.
#pragma once

#include "ggsnn/shapes/heap_data.hpp"
#include "ggsnn/shapes/search.hpp"

namespace ggsnn::shapes {

struct ShapeAnswer {
    Candidate alone;          // the greedy run
    bool alone_holds = false; // in every heap of the group
    // The best candidate of a wider search (on summaries of the heaps, see summary.hpp) that holds in every
    // heap, where the greedy run does not; else the same as alone.
    Candidate checked;
    bool checked_holds = false;
    std::vector<Candidate> others; // further candidates that hold, best first, if asked for
    std::vector<logic::Heap> seen; // if traced: the heaps whose nodes the trace of `checked` speaks of
};

struct ShapeOptions {
    int width = 8; // of the search where the greedy run does not hold; 0: no search
    bool trace = false;
    int keep = 0; // further candidates to keep
    // How candidates are judged: as shapes (every structure has a cell), or as parts of program proofs, where
    // structures may be empty.
    logic::Reading reading = logic::Reading::shape;
};

// Deterministic at any number of threads. The decider must outlive it.
class ShapePredictor {
  public:
    ShapePredictor(const Decider& decider, const ShapeOptions& options);
    std::vector<ShapeAnswer> predict(const std::vector<Group>& groups, ThreadPool& pool) const;

  private:
    void predict_piece(const std::vector<Group>& groups, std::size_t begin, std::size_t end,
                       std::vector<ShapeAnswer>& out) const;

    ShapeOptions options_;
    bool back_links_; // the networks see them: summaries keep them
    Searcher greedy_, wide_;
};

// Structures of a prediction as program proofs read them: possibly empty, but for lists that end where they
// begin, which are cycles.
logic::SymbolicHeap weakened(const logic::SymbolicHeap& shape);

// Without existentials that only cut a list in two: ls(x,e) * ls(e,y) becomes ls(x,y) where e occurs nowhere
// else and both lists have the same body.
logic::SymbolicHeap without_cuts(const logic::SymbolicHeap& shape);

bool holds_in_all(const logic::SymbolicHeap& shape, const Group& group);

// Consecutive heaps with the same formula, cut into groups of `batch`; a rest of fewer is left out.
struct Batches {
    std::vector<Group> groups;
    std::vector<const logic::Formula*> labels;
};
Batches batches(const std::vector<LabelledHeap>& heaps, std::size_t batch);

struct ShapeScore {
    long count = 0, alone = 0, checked = 0, equivalent = 0, checked_determined = 0;
    long determined = -1; // not counted

    // accuracy: canonical equality, network alone; accuracy_checked; accuracy_equivalent: the prover finds
    // the prediction and the label equivalent; ceiling: groups that satisfy exactly one formula of the space.
    OrderedJson to_json() const;
};

// Judges answers against labels. space: formulas over which the ceiling is counted; empty: no ceiling.
ShapeScore score(const Batches& batches, const std::vector<ShapeAnswer>& answers,
                 const std::vector<logic::Formula>& space, ThreadPool& pool);

} // namespace ggsnn::shapes
