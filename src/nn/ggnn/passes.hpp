// Gated graph networks in training: examples become chunks, the unit that one lane takes through the network;
// a large graph is a chunk that all lanes share.
#pragma once

#include "ggsnn/nn/assembler.hpp"
#include "ggsnn/nn/ggnn/network.hpp"
#include "ggsnn/nn/train/learner.hpp"

#include <memory>

namespace ggsnn {

// Number of rows that a chunk holds at most, about; and that it is filled to, where all have this many rows.
int chunk_rows(int state);
int chunk_rows(int state, long rows);

template <class T>
class GatedPasses : public Passes<T> {
  public:
    // network and schema must outlive it. keep: for graphs so large that they are split over lanes.
    GatedPasses(const Network<T>& network, const Schema& schema, int workers, Keep keep = Keep::all);

    int load(const Dataset& data, const std::vector<const Example*>& examples, const Loading& how) override;
    int lanes(int batches) const override;
    bool takes_all(int batch) const override { return chunks_[batch]->nodes > network_.shape().large(); }
    std::size_t parameters() const override { return network_.layout().size(); }
    std::size_t gradient_size() const override { return network_.gradient_size(); }
    void prepare(const T* parameters, bool gradient) override;
    Outcome pass(int batch, const T* parameters, bool gradient, const Team<T>& team, int worker) override;
    void finish(const T* parameters, T* gradient) override;

    const Chunk<T>& chunk(int i) const { return *chunks_[i]; }

  private:
    std::shared_ptr<const NearFirst> near(const Dataset& data, const Example& example, const Loading& how,
                                          int alone) const;

    const Network<T>& network_;
    Assembler<T> assembler_;
    Keep keep_large_;
    std::vector<std::unique_ptr<Chunk<T>>> chunks_;
    std::vector<std::vector<const Example*>> members_; // examples of each chunk
    int used_ = 0;
    // What is loaded, where it is as the data has it (Loading::unchanged).
    const Dataset* loaded_ = nullptr;
    std::vector<const Example*> loaded_examples_;
    std::vector<Workspace<T>> work_; // one a worker; the first serves large graphs
    std::vector<T> prepared_;
};

// Learns with a network by itself, outside of training; pool may be null.
template <class T>
Learner<T> gated_learner(const Network<T>& network, const Schema& schema, ThreadPool* pool,
                         Keep keep = Keep::all) {
    const int workers = pool != nullptr ? pool->workers() : 1;
    return Learner<T>(std::make_unique<GatedPasses<T>>(network, schema, workers, keep), pool);
}

} // namespace ggsnn
