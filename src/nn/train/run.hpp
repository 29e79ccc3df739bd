// One run of training: a restart of one network, from wherever its state is to its end. With several ranks
// every rank has the same state; each takes its share of every minibatch and of the validation data through
// the network, and one sum over the ranks a step gives all of them the same gradient.
#pragma once

#include "ggsnn/base/ranks.hpp"
#include "ggsnn/nn/architecture.hpp"
#include "ggsnn/nn/train/learner.hpp"
#include "ggsnn/nn/train/trainer.hpp"

#include <functional>

namespace ggsnn {

using Examples = std::vector<const Example*>;

class TrainingRun {
  public:
    // pool may be null: one thread; ranks may be null: this process alone. All must outlive it.
    TrainingRun(const Architecture& network, const Schema& schema, const Dataset& train, const Dataset& valid,
                const TrainOptions& options, ThreadPool* pool, Ranks* ranks);

    struct Hooks {
        std::function<bool()> wanted;                 // whether to go on; the same on all ranks
        std::function<bool()> over;                   // whether the time is over
        std::function<bool()> due;                    // whether to publish between validations
        std::function<void(const RunState&)> publish; // takes the state, also when the run stops
    };
    // Until the run is finished, not wanted, out of time, or interrupted. examples: to train on; checks: to
    // validate on.
    void run(RunState& state, const Examples& examples, const Examples& checks, const Hooks& hooks);
    // Whether it was interrupted: with several ranks, by any of them, known to all.
    bool stopping() const;

  private:
    class Order;
    struct Score {
        double error, loss;
    };

    void initialise(RunState& state);
    void step(RunState& state, Order& order, long batch);
    double shared_gradient(const RunState& state); // of batch_, with all ranks; returns the loss
    void validate(RunState& state, const Examples& examples, const Examples& checks, bool last);
    void cut(RunState& state, const Examples& examples); // ends it with its best so far
    bool out_of_time() const;
    Score evaluate(const Dataset& data, const Examples& examples, const float* parameters);
    Loading loading(const RunState& state) const; // of the next minibatch
    double rate_at(long update) const;
    void average(RunState& state) const;
    void sum(Outcome& outcome, double& loss);

    const Architecture& network_;
    const Dataset& train_;
    const Dataset& valid_;
    const TrainOptions& options_;
    Ranks* ranks_; // null: alone
    Learner<float> learner_;
    std::vector<float> gradient_; // and, with ranks, what is summed along with it
    Examples batch_, share_;
    std::vector<float> class_weights_;
    bool told_to_stop_ = false; // some rank was interrupted
    bool told_time_ = false;    // the time of some rank is over
    std::function<bool()> over_;
};

} // namespace ggsnn
