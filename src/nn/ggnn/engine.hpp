// Takes examples through a network: cuts a minibatch into chunks, runs them on one thread or several, adds
// up losses and gradients in a fixed order. The cut and the order depend on the examples and the network
// alone, so the numbers are the same bits at any number of threads.
#pragma once

#include "ggsnn/nn/architecture.hpp"

#include <memory>

namespace ggsnn {

template <class T>
class Engine {
  public:
    // network and schema must outlive the engine; so must pool, which may be null: one thread.
    Engine(const Network<T>& network, const Schema& schema, ThreadPool* pool);

    // Makes chunks of the examples; data must outlive their use. With targets, chunk.scale is 1 / (targets of
    // all the examples).
    void load(const Dataset& data, const std::vector<const Example*>& examples, bool targets);

    // Loss and counts of what is loaded; the second form also sets gradient (layout().size() numbers).
    Outcome evaluate(const T* parameters);
    Outcome evaluate(const T* parameters, T* gradient);

    // How backward trades memory for time in graphs so large that they are split over lanes.
    void set_keep(Keep keep) { keep_large_ = keep; }

    // Number of rows that a chunk holds at most, about; and that it is filled to, where all have this many
    // rows.
    static int chunk_rows(int state);
    static int chunk_rows(int state, long rows);
    static constexpr int small_lanes = 8, large_lanes = 16;

    int chunks() const { return used_; }
    const Chunk<T>& chunk(int i) const { return *chunks_[i]; }

  private:
    Outcome run(const T* parameters, bool gradient);

    const Network<T>* network_;
    Assembler<T> assembler_;
    ThreadPool* pool_;
    std::unique_ptr<ThreadPool> own_pool_; // one worker, where none is given
    Keep keep_large_ = Keep::all;
    std::vector<std::unique_ptr<Chunk<T>>> chunks_;
    std::vector<std::vector<const Example*>> members_; // examples of each chunk
    int used_ = 0;
    std::vector<Lane<T>> lanes_;
    std::vector<Workspace<T>> work_; // one a worker; the first serves large graphs
    std::vector<T> prepared_;
    std::vector<Outcome> outcomes_;
    int active_lanes_ = 0; // lanes whose gradients hold something after a run
};

// The gated graph networks as an architecture.
std::unique_ptr<Architecture> make_gated_architecture(const NetworkShape& shape, const Schema& schema);

} // namespace ggsnn
