// From heaps to formulas: Algorithm 1 (flat shapes) and Algorithm 2 (nested ones) of the paper, on groups of
// heaps.
//
// A group of heaps gets one formula (the paper's 'batch prediction'): at every step the scores of classes and
// of named variables are summed over the group's heaps, while existentials are placed and annotations kept
// heap by heap. The structures that hang from a list or tree are such a group again, each on the part of the
// heap reachable from it.
//
// A search keeps several partial runs of the algorithm (hypotheses) a group, ranked by the sum of the log
// probabilities of their decisions; a width of 1 is the greedy run of the paper. All hypotheses that wait for
// the same decision are put to its network together.
#pragma once

#include "ggsnn/base/threads.hpp"
#include "ggsnn/logic/formula.hpp"
#include "ggsnn/logic/heap.hpp"
#include "ggsnn/nn/predict.hpp"
#include "ggsnn/shapes/shape_model.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ggsnn::shapes {

// One line of the algorithm, as data for people and pages.
struct TraceStep {
    Decision decision = Decision::quantify;
    int line = 0;      // of Algorithm 1 or 2
    int depth = 0;     // scopes around it: 0 outside, 1 in a body
    std::string about; // the name whose structure is described; empty where Algorithm 1 declares existentials
    std::string outcome; // what was decided
    std::string formula; // with that, so far: what is open yet is '...'
    std::vector<std::pair<std::string, double>>
        scores; // log probabilities of the choices, summed over the heaps
    struct Site {
        int heap = 0; // in the group; a body's heaps are numbered through all the heaps of its parent
        std::vector<int> named, active, explained,
            chosen; // nodes of the group's heap, before the decision; chosen by it
    };
    std::vector<Site> sites;
};

struct Candidate {
    logic::SymbolicHeap shape;    // strict: Reading::shape
    double score = 0;             // sum of log probabilities
    std::vector<TraceStep> trace; // if asked for
};

struct SearchOptions {
    int width = 1;
    bool trace = false;
};

using Group = std::vector<const logic::Heap*>;

// One question: a heap, its graph in a data set, and what is marked in it.
struct Question {
    const logic::Heap* heap;
    int graph;
    const Marks* marks;
};

// Whoever answers: the networks, or the baseline they are compared with. Thread-safe.
class Decider {
  public:
    virtual ~Decider() = default;
    virtual bool nested() const = 0;
    virtual Grammar grammar() const { return {nested()}; }
    // A prediction for each question, as nn/predict.hpp has them: probabilities of classes or of nodes; for
    // Decision::explain labels.
    virtual void decide(Decision decision, const Dataset& data, const std::vector<Question>& questions,
                        std::vector<Prediction>& out) const = 0;
};

class NetworkDecider : public Decider {
  public:
    // The model must outlive it. steps: of propagation; 0: as trained.
    explicit NetworkDecider(const ShapeModel& model, int steps = 0);
    explicit NetworkDecider(ShapeModel&& model, int steps = 0) = delete;
    bool nested() const override { return grammar_.nested; }
    Grammar grammar() const override { return grammar_; }
    void decide(Decision decision, const Dataset& data, const std::vector<Question>& questions,
                std::vector<Prediction>& out) const override;

  private:
    Grammar grammar_;
    std::vector<std::unique_ptr<Predictor>> predictors_; // by decision
};

class Searcher {
  public:
    // The decider must outlive it. Thread-safe after construction.
    explicit Searcher(const Decider& decider, const SearchOptions& options = {});

    // Finished hypotheses of each group, best first, at most `width`; none only for a group without heaps.
    // Variables are those of the group's first heap; REQUIRES all heaps of a group to have the same ones.
    std::vector<std::vector<Candidate>> run(const std::vector<Group>& groups) const;

  private:
    const Decider& decider_;
    SearchOptions options_;
};

} // namespace ggsnn::shapes
