// Losses and gradients of minibatches, for every kind of network: batches run on one thread or several,
// losses and gradients add up in a fixed order, so that the numbers are the same bits at any number of
// threads.
#pragma once

#include "ggsnn/nn/train/passes.hpp"

#include <memory>

namespace ggsnn {

// Lanes that share a batch that takes all of them.
constexpr int large_lanes = 16;

template <class T>
class Learner {
  public:
    // pool may be null: one thread. It must outlive the learner. passes: made for as many workers.
    Learner(std::unique_ptr<Passes<T>> passes, ThreadPool* pool);

    // Takes the examples in; data must outlive their use.
    void load(const Dataset& data, const std::vector<const Example*>& examples, const Loading& how);
    void load(const Dataset& data, const std::vector<const Example*>& examples, bool targets) {
        load(data, examples, Loading{.targets = targets});
    }

    // Loss and counts of what is loaded; sets gradient (as many numbers as parameters) unless it is null.
    Outcome evaluate(const T* parameters, T* gradient = nullptr);

    int batches() const { return batches_; }

  private:
    void add_up(const T* parameters, T* gradient);

    std::unique_ptr<Passes<T>> passes_;
    std::unique_ptr<ThreadPool> own_pool_; // one worker, where none is given
    ThreadPool* pool_;
    std::vector<Lane<T>> lanes_;
    std::vector<Outcome> outcomes_;
    int batches_ = 0;
    int active_lanes_ = 0; // lanes whose gradients hold something after a run
};

} // namespace ggsnn
