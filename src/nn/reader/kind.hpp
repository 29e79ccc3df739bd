// Networks that read stories, as a kind of network.
#pragma once

#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/nn/reader/reader.hpp"

namespace ggsnn {

Kind reader_kind();

template <class T>
class ReaderPasses : public Passes<T> {
  public:
    // network must outlive it.
    ReaderPasses(const Reader<T>& network, int workers);

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

    // Stories of a batch at the most.
    static constexpr int batch_stories = 16;

  private:
    const Reader<T>& network_;
    std::vector<StoryBatch> batches_;
    std::vector<ReaderTape<T>> tapes_; // one a worker
    std::vector<T> projected_, transposed_;
};

} // namespace ggsnn
