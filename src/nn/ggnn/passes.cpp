#include "ggsnn/nn/ggnn/passes.hpp"

#include <algorithm>

namespace ggsnn {

namespace {

constexpr int small_lanes = 8;

} // namespace

int chunk_rows(int state) {
    return std::clamp(12800 / padded(state), 64, 128);
}

int chunk_rows(int state, long rows) {
    const int limit = chunk_rows(state);
    // Two at least where there is work for two threads, and all of about the same size.
    long chunks = std::max(rows >= 64 ? 2L : 1L, (rows + limit - 1) / limit);
    // As many for each lane, though they be an eighth larger for it.
    const long unit = chunks < 2 * small_lanes ? small_lanes / 2 : small_lanes;
    const long even = chunks / unit * unit;
    if (chunks > 2) chunks = 8 * chunks <= 9 * even ? even : even + unit;
    return static_cast<int>((rows + chunks - 1) / chunks);
}

template <class T>
GatedPasses<T>::GatedPasses(const Network<T>& network, const Schema& schema, int workers, Keep keep)
    : network_(network),
      assembler_(schema, network.shape().reading()),
      keep_large_(keep),
      work_(workers),
      prepared_(network.prepared_size(), T(0)) {}

template <class T>
int GatedPasses<T>::load(const Dataset& data, const std::vector<const Example*>& examples,
                         const Loading& how) {
    const bool plain = how.targets && !how.noise.any() && how.smoothing == 0 &&
                       how.class_weights == nullptr && !how.absolute;
    if (plain && how.unchanged && loaded_ == &data && loaded_examples_ == examples) return used_;
    loaded_ = plain ? &data : nullptr;
    if (plain) loaded_examples_ = examples;
    long total = 0;
    for (const Example* example : examples) total += assembler_.rows(data, *example);
    const int limit = chunk_rows(network_.shape().state, total);
    used_ = 0;
    int filled = limit;
    double weight = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        const Example& example = *examples[i];
        const int rows = assembler_.rows(data, example);
        // A graph that is more inside than outside still belongs to the chunk.
        if (filled + rows / 2 >= limit) {
            if (used_ == static_cast<int>(chunks_.size())) {
                chunks_.push_back(std::make_unique<Chunk<T>>());
                members_.emplace_back();
            }
            assembler_.begin(*chunks_[used_], how);
            members_[used_].clear();
            ++used_;
            filled = 0;
        }
        assembler_.append(*chunks_[used_ - 1], data, example, how, how.first + i,
                          near(data, example, how, 2 * limit));
        members_[used_ - 1].push_back(&example);
        filled += rows;
        if (how.targets) weight += assembler_.target_weight(example, how);
    }
    for (int c = 0; c < used_ && how.targets; ++c) {
        assembler_.finish(*chunks_[c], data, members_[c]);
        chunks_[c]->scale = T(1) / static_cast<T>(weight > 0 ? weight : 1);
    }
    return used_;
}

// Where answers of some nodes alone are looked at, and the graph has a chunk for itself: at so many rows it
// does.
template <class T>
std::shared_ptr<const NearFirst> GatedPasses<T>::near(const Dataset& data, const Example& example,
                                                      const Loading& how, int alone) const {
    const GatedShape& shape = network_.shape();
    if (!how.targets || !head_of(shape.answer).traits.each_node || shape.reach > 1) return nullptr;
    if (assembler_.rows(data, example) < alone) return nullptr;
    return near_first(data.graphs[example.graph], example, shape.steps);
}

template <class T>
int GatedPasses<T>::lanes(int batches) const {
    return batches < 2 * small_lanes ? small_lanes / 2 : small_lanes;
}

template <class T>
void GatedPasses<T>::prepare(const T* parameters, bool gradient) {
    network_.prepare(parameters, gradient, prepared_.data());
}

template <class T>
Outcome GatedPasses<T>::pass(int batch, const T* parameters, bool gradient, const Team<T>& team, int worker) {
    const Keep keep = team.lane_count > 1 ? keep_large_ : Keep::all;
    return network_.run(*chunks_[batch], parameters, prepared_.data(), gradient, work_[worker], team, keep);
}

template <class T>
void GatedPasses<T>::finish(const T* parameters, T* gradient) {
    network_.finish(parameters, prepared_.data(), gradient);
}

template class GatedPasses<float>;
template class GatedPasses<double>;

} // namespace ggsnn
