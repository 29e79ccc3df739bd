// What nodes hear in every step of propagation alike (propagation.hpp): the numbers of their edges, e B times
// the edges' weights, and with `residual` their own annotations, x R. Added up once before the first step,
// and their gradients come from the sum of da over the steps.
#pragma once

#include "ggsnn/nn/chunk.hpp"
#include "ggsnn/nn/ggnn/offsets.hpp"
#include "ggsnn/nn/lanes.hpp"

namespace ggsnn {

template <class T>
class EveryStep {
  public:
    EveryStep(const PropagationOffsets& at, int annotation) : at_(at), annotation_(annotation) {}

    // Whether there is anything; if not, sizes are zero and rows() and what follows must not be called.
    bool any() const { return at_.has_base(); }

    // R^T, for the gradient of x; nothing without residual.
    std::size_t prepared_size() const;
    void prepare(const T* parameters, T* out) const;

    // Rows [first, last) of what is heard (nodes x sides padded(D)), the paper's b included.
    void rows(const Chunk<T>& chunk, const T* parameters, const T* x, T* base, int first, int last) const;
    // The same in reverse, from the sum of da over the steps; dx may be null.
    void backward_rows(const Chunk<T>& chunk, const T* prepared, const T* x, const T* d_base, T* dx,
                       int first, int last, Lane<T>& lane) const;
    // Gradients of Chunk::edge_sums, by slot, which are added to.
    void sum_gradients(const Chunk<T>& chunk, const T* parameters, const T* d_base,
                       std::vector<std::vector<T>>& to) const;

  private:
    PropagationOffsets at_;
    int annotation_;
};

} // namespace ggsnn
