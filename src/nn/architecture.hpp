// What the trainer and the predictor ask of a kind of network, so that gated graph networks, the original
// graph neural networks and the recurrent baselines are trained, selected, saved and asked alike.
#pragma once

#include "ggsnn/nn/beam.hpp"
#include "ggsnn/nn/dataset.hpp"

#include <memory>

namespace ggsnn {

struct Prediction {
    // One list per thing predicted. Node or class: one list of probabilities over nodes or classes.
    // Sequences: one list per output, the last of them won by 'end' (the last entry) unless `capped`. Classes
    // per node: one list per node. Regression: one list of numbers, or one per node, as the network gives
    // them.
    std::vector<std::vector<double>> lists;
    // The most probable entry of each list, the first of equals; for sequences without 'end'.
    std::vector<int> labels;
    bool capped = false;               // a sequence that did not end within the limit
    std::vector<Hypothesis> sequences; // beam search: the best sequences, `labels` being the first of them
};

struct PredictOptions {
    int steps = 0; // propagation steps; 0: as trained
    int beam = 0;  // sequences: width of a beam search; 0: greedy
    int most = 0;  // longest sequence; 0: several times the longest in training, and every node once
};

// Losses and gradients of minibatches: one for each thread that trains, with its own memory.
class Learner {
  public:
    virtual ~Learner() = default;
    // Takes the examples in; data must outlive their use. With targets, the loss is an average over all their
    // targets.
    virtual void load(const Dataset& data, const std::vector<const Example*>& examples, bool targets) = 0;
    // Loss and counts of what is loaded; the second form also sets gradient (layout().size() numbers).
    virtual Outcome evaluate(const float* parameters) = 0;
    virtual Outcome evaluate(const float* parameters, float* gradient) = 0;
};

// A kind of network with its sizes; immutable, shared by threads. Results never depend on how many.
class Architecture {
  public:
    virtual ~Architecture() = default;
    virtual const ParameterLayout& layout() const = 0;
    // pool may be null: one thread. It must outlive the learner, as must the architecture.
    virtual std::unique_ptr<Learner> learner(ThreadPool* pool, Keep keep) const = 0;
    // Whether a minibatch with this many rows (nodes, tokens) is worth several threads.
    virtual bool is_large(double rows) const = 0;
    // Answers of an ensemble: probabilities are averaged over members. longest: of the training sequences.
    virtual void answer(const Dataset& data, const std::vector<const Example*>& examples,
                        const std::vector<std::vector<float>>& members, int longest,
                        const PredictOptions& options, ThreadPool* pool,
                        std::vector<Prediction*>& out) const = 0;
};

// Networks a model has: one for each question type, as in the paper; recurrent ones read the question's type
// as a token, and one answers all.
int network_count(const NetworkShape& shape, const Schema& schema);

// The schema must outlive the architecture.
std::unique_ptr<Architecture> make_architecture(const NetworkShape& shape, const Schema& schema);

} // namespace ggsnn
