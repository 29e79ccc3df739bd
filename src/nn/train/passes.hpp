// What a kind of network gives to the learner (learner.hpp): how examples are cut into batches, and passes
// over a batch. Templated on the number type: tests learn in double.
#pragma once

#include "ggsnn/nn/head.hpp"
#include "ggsnn/nn/lanes.hpp"
#include "ggsnn/nn/loading.hpp"

namespace ggsnn {

struct Dataset;

template <class T>
class Passes {
  public:
    virtual ~Passes() = default;

    // Cuts examples into batches, by the examples alone, and returns how many there are; data must outlive
    // their use. With targets, the loss of a batch is weighted so that the sum over batches is the average
    // over all targets.
    virtual int load(const Dataset& data, const std::vector<const Example*>& examples,
                     const Loading& how) = 0;
    // How many lanes the batches are spread over at most: each has a gradient of its own, which is memory.
    virtual int lanes(int batches) const = 0;
    // A batch so large that it takes all lanes and threads to itself.
    virtual bool takes_all(int) const { return false; }

    // Numbers of a lane's gradient: those of the parameters, then whatever finish needs to complete them.
    virtual std::size_t parameters() const = 0;
    virtual std::size_t gradient_size() const = 0;

    // What is computed once from the parameters; called before passes.
    virtual void prepare(const T* parameters, bool gradient) = 0;
    // Loss and counts of a batch; with `gradient` also adds to those of the team's lanes. Passes of different
    // lanes and workers may run at the same time.
    virtual Outcome pass(int batch, const T* parameters, bool gradient, const Team<T>& team, int worker) = 0;
    // Completes the gradient after the lanes were added up.
    virtual void finish(const T* parameters, T* gradient) = 0;
};

} // namespace ggsnn
