// Takes token sequences through a recurrent network: cuts a minibatch into batches, runs them on one thread
// or several, adds up losses and gradients in a fixed order. The cut and the order depend on the examples
// alone, so the numbers are the same bits at any number of threads.
#pragma once

#include "ggsnn/nn/architecture.hpp"
#include "ggsnn/nn/recurrent/recurrent.hpp"

namespace ggsnn {

template <class T>
class RecurrentEngine {
  public:
    // network must outlive the engine; so must pool, which may be null: one thread.
    RecurrentEngine(const Recurrent<T>& network, ThreadPool* pool);

    void load(const std::vector<const Example*>& examples, bool targets);

    // Loss and counts of what is loaded; the second form also sets gradient (layout().size() numbers).
    Outcome evaluate(const T* parameters);
    Outcome evaluate(const T* parameters, T* gradient);

    // Sequences of a batch at the most: enough rows for a matrix product to be worth its while, few enough
    // for a minibatch to be split over threads.
    static constexpr int batch_sequences = 16;

  private:
    static constexpr int most_lanes = 8;
    struct Lane {
        RecurrentTape<T> tape;
        Buffer<T> gradient; // of the parameters, then d_projected
        std::vector<char> wrong;
    };

    Outcome run(const TokenBatch& batch, const T* parameters, bool gradient, Lane& lane) const;
    Outcome run_all(const T* parameters, bool gradient);

    const Recurrent<T>* network_;
    ThreadPool* pool_;
    std::unique_ptr<ThreadPool> own_pool_; // one worker, where none is given
    std::vector<TokenBatch> batches_;
    int used_ = 0, lanes_ = 0;
    std::vector<Lane> lane_;
    std::vector<Outcome> outcomes_;
    std::vector<T> projected_, transposed_;
};

// The RNN and LSTM baselines as an architecture.
std::unique_ptr<Architecture> make_recurrent_architecture(const NetworkShape& shape);

} // namespace ggsnn
