#include "ggsnn/nn/ggnn/engine.hpp"

#include <algorithm>

namespace ggsnn {

template <class T>
int Engine<T>::chunk_rows(int state) {
    return std::clamp(12800 / padded(state), 64, 128);
}

template <class T>
int Engine<T>::chunk_rows(int state, long rows) {
    const int limit = chunk_rows(state);
    // Two at least where there is work for two threads, and all of about the same size.
    long chunks = std::max(rows >= 64 ? 2L : 1L, (rows + limit - 1) / limit);
    // As many for each lane (see run), though they be an eighth larger for it.
    const long unit = chunks < 2 * small_lanes ? small_lanes / 2 : small_lanes;
    const long even = chunks / unit * unit;
    if (chunks > 2) chunks = 8 * chunks <= 9 * even ? even : even + unit;
    return static_cast<int>((rows + chunks - 1) / chunks);
}

template <class T>
Engine<T>::Engine(const Network<T>& network, const Schema& schema, ThreadPool* pool)
    : network_(&network),
      assembler_(schema, network.shape()),
      pool_(pool),
      lanes_(large_lanes),
      prepared_(network.prepared_size(), T(0)) {
    if (pool_ == nullptr) {
        own_pool_ = std::make_unique<ThreadPool>(1);
        pool_ = own_pool_.get();
    }
    work_.resize(pool_->workers());
}

template <class T>
void Engine<T>::load(const Dataset& data, const std::vector<const Example*>& examples, bool targets) {
    long total = 0;
    for (const Example* example : examples) total += assembler_.rows(data, *example);
    const int limit = chunk_rows(network_->shape().state, total);
    used_ = 0;
    int filled = limit;
    long target_count = 0;
    for (const Example* example : examples) {
        const int rows = assembler_.rows(data, *example);
        // A graph that is more inside than outside still belongs to the chunk.
        if (filled + rows / 2 >= limit) {
            if (used_ == static_cast<int>(chunks_.size())) {
                chunks_.push_back(std::make_unique<Chunk<T>>());
                members_.emplace_back();
            }
            assembler_.begin(*chunks_[used_]);
            members_[used_].clear();
            ++used_;
            filled = 0;
        }
        assembler_.append(*chunks_[used_ - 1], data, *example, targets);
        members_[used_ - 1].push_back(example);
        filled += rows;
        if (targets) target_count += assembler_.target_count(*example);
    }
    for (int c = 0; c < used_ && targets; ++c) {
        assembler_.finish(*chunks_[c], data, members_[c]);
        chunks_[c]->scale = T(1) / static_cast<T>(std::max(1L, target_count));
    }
}

template <class T>
Outcome Engine<T>::run(const T* parameters, bool gradient) {
    network_->prepare(parameters, gradient, prepared_.data());
    outcomes_.assign(used_, Outcome());
    bool any_large = false;
    for (int c = 0; c < used_; ++c) any_large = any_large || chunks_[c]->nodes > large_rows;
    // Each lane has a gradient of its own, which is memory; few chunks need few lanes.
    const int lanes = std::min(used_, used_ < 2 * small_lanes ? small_lanes / 2 : small_lanes);
    active_lanes_ = any_large ? large_lanes : lanes;
    for (int l = lanes; l < active_lanes_ && gradient; ++l)
        lanes_[l].gradient.zeroed(network_->gradient_size());
    pool_->run(lanes, [&](std::size_t l, int worker) {
        if (gradient) lanes_[l].gradient.zeroed(network_->gradient_size());
        const bool few = pool_->workers() <= large_lanes;
        const typename Team<T>::Borrowed scratch(lanes_[l], few ? &lanes_[worker].own : nullptr);
        const Team<T> team{&lanes_, static_cast<int>(l), 1, nullptr};
        for (int c = static_cast<int>(l); c < used_; c += lanes)
            if (chunks_[c]->nodes <= large_rows)
                outcomes_[c] =
                    network_->run(*chunks_[c], parameters, prepared_.data(), gradient, work_[worker], team);
    });
    for (int c = 0; c < used_ && any_large; ++c) {
        if (chunks_[c]->nodes <= large_rows) continue;
        const Team<T> team{&lanes_, 0, large_lanes, pool_};
        outcomes_[c] =
            network_->run(*chunks_[c], parameters, prepared_.data(), gradient, work_[0], team, keep_large_);
    }
    Outcome total;
    for (const Outcome& outcome : outcomes_) total.add(outcome);
    return total;
}

template <class T>
Outcome Engine<T>::evaluate(const T* parameters) {
    return run(parameters, false);
}

template <class T>
Outcome Engine<T>::evaluate(const T* parameters, T* gradient) {
    const Outcome outcome = run(parameters, true);
    if (active_lanes_ == 0) {
        std::fill(gradient, gradient + network_->layout().size(), T(0));
        return outcome;
    }
    T* sum = lanes_[0].gradient.data();
    const std::size_t size = network_->gradient_size();
    constexpr std::size_t least = 16384; // numbers that are worth a job for another thread
    const std::size_t parts = std::min<std::size_t>(small_lanes, size / least + 1);
    pool_->run(parts, [&](std::size_t part, int) {
        for (int l = 1; l < active_lanes_; ++l) {
            const T* other = lanes_[l].gradient.data();
            for (std::size_t i = size * part / parts; i < size * (part + 1) / parts; ++i) sum[i] += other[i];
        }
    });
    network_->finish(parameters, prepared_.data(), sum);
    std::copy(sum, sum + network_->layout().size(), gradient);
    return outcome;
}

template class Engine<float>;
template class Engine<double>;

} // namespace ggsnn
