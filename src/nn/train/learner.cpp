#include "ggsnn/nn/train/learner.hpp"

#include <algorithm>

namespace ggsnn {

template <class T>
Learner<T>::Learner(std::unique_ptr<Passes<T>> passes, ThreadPool* pool)
    : passes_(std::move(passes)),
      own_pool_(pool == nullptr ? std::make_unique<ThreadPool>(1) : nullptr),
      pool_(pool != nullptr ? pool : own_pool_.get()),
      lanes_(large_lanes) {}

template <class T>
void Learner<T>::load(const Dataset& data, const std::vector<const Example*>& examples, const Loading& how) {
    batches_ = passes_->load(data, examples, how);
}

template <class T>
Outcome Learner<T>::evaluate(const T* parameters, T* sum) {
    const bool gradient = sum != nullptr;
    passes_->prepare(parameters, gradient);
    outcomes_.assign(batches_, Outcome());
    bool any_large = false;
    for (int b = 0; b < batches_; ++b) any_large = any_large || passes_->takes_all(b);
    const int lanes = std::min(batches_, passes_->lanes(batches_));
    const std::size_t size = passes_->gradient_size();
    active_lanes_ = any_large ? large_lanes : lanes;
    for (int l = lanes; l < active_lanes_ && gradient; ++l) lanes_[l].gradient.zeroed(size);
    // Batch b belongs to lane b % lanes.
    pool_->run(lanes, [&](std::size_t l, int worker) {
        if (gradient) lanes_[l].gradient.zeroed(size);
        const bool few = pool_->workers() <= large_lanes;
        const typename Team<T>::Borrowed scratch(lanes_[l], few ? &lanes_[worker].own : nullptr);
        const Team<T> team{&lanes_, static_cast<int>(l), 1, nullptr};
        for (int b = static_cast<int>(l); b < batches_; b += lanes)
            if (!passes_->takes_all(b)) outcomes_[b] = passes_->pass(b, parameters, gradient, team, worker);
    });
    for (int b = 0; b < batches_ && any_large; ++b)
        if (passes_->takes_all(b))
            outcomes_[b] = passes_->pass(b, parameters, gradient, {&lanes_, 0, large_lanes, pool_}, 0);
    Outcome total;
    for (const Outcome& outcome : outcomes_) total.add(outcome);
    if (gradient) add_up(parameters, sum);
    return total;
}

// The lanes' gradients into that of the first, number by number in the order of the lanes, and then whole.
template <class T>
void Learner<T>::add_up(const T* parameters, T* gradient) {
    if (active_lanes_ == 0) {
        std::fill(gradient, gradient + passes_->parameters(), T(0));
        return;
    }
    T* sum = lanes_[0].gradient.data();
    const std::size_t size = passes_->gradient_size();
    constexpr std::size_t least = 16384, most_parts = 8; // numbers that are worth a job for another thread
    const std::size_t parts = std::min(most_parts, size / least + 1);
    pool_->run(parts, [&](std::size_t part, int) {
        for (int l = 1; l < active_lanes_; ++l) {
            const T* other = lanes_[l].gradient.data();
            for (std::size_t i = size * part / parts; i < size * (part + 1) / parts; ++i) sum[i] += other[i];
        }
    });
    passes_->finish(parameters, sum);
    std::copy(sum, sum + passes_->parameters(), gradient);
}

template class Learner<float>;
template class Learner<double>;

} // namespace ggsnn
