// The input layer: from what is known of a node, any number of numbers, most of them perhaps zero, to the
// first E numbers of its annotation:
//
//   x_v = tanh(f_v W + b)
//
// Sparse numbers cost what is not zero of them.
#pragma once

#include "ggsnn/nn/chunk.hpp"
#include "ggsnn/nn/lanes.hpp"
#include "ggsnn/nn/parameters.hpp"

namespace ggsnn {

template <class T>
class InputLayer {
  public:
    // From `inputs` numbers to `embedding`; adds its tensors to the layout under prefix.
    InputLayer(int inputs, int embedding, ParameterLayout& layout, const std::string& prefix);

    // Sets the first E numbers of each row of x (rows padded(chunk.annotation) apart) from chunk.inputs.
    void forward(const Chunk<T>& chunk, const T* parameters, T* x, const Team<T>& team) const;
    // From x and its gradient dx to that of the parameters.
    void backward(const Chunk<T>& chunk, const T* x, const T* dx, const Team<T>& team) const;

  private:
    int inputs_, embedding_;
    std::size_t w_, b_;
};

} // namespace ggsnn
