// The recurrent baselines as kinds of network, one for each cell.
#pragma once

#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/nn/recurrent/recurrent.hpp"

namespace ggsnn {

std::vector<Kind> recurrent_kinds();

std::unique_ptr<Architecture> make_recurrent(const RecurrentShape& shape);

template <class T>
class RecurrentPasses : public Passes<T> {
  public:
    // network must outlive it.
    RecurrentPasses(const Recurrent<T>& network, int workers);

    int load(const Dataset& data, const std::vector<const Example*>& examples, const Loading& how) override;
    int lanes(int) const override { return 8; }
    std::size_t parameters() const override { return network_.layout().size(); }
    // That of the parameters, then of what is projected.
    std::size_t gradient_size() const override {
        return network_.layout().size() + network_.projected_size();
    }
    void prepare(const T* parameters, bool gradient) override;
    Outcome pass(int batch, const T* parameters, bool gradient, const Team<T>& team, int worker) override;
    void finish(const T* parameters, T* gradient) override;

    // Sequences of a batch at the most: enough rows for a matrix product to be worth its while, few enough
    // for a minibatch to be split over threads.
    static constexpr int batch_sequences = 16;

  private:
    struct Work {
        RecurrentTape<T> tape;
        std::vector<char> wrong;
    };

    const Recurrent<T>& network_;
    std::vector<TokenBatch> batches_;
    std::vector<Work> work_; // one a worker
    std::vector<T> projected_, transposed_;
};

} // namespace ggsnn
