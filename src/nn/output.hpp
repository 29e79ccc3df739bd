// Output models (the paper's section 3.3 and Eq. 7): from final states h and annotations x to numbers per
// node or per graph. What the numbers mean (scores of nodes, logits of classes, values) is the head's
// business: head.hpp.
//
//   NodeOutput   o_v = tanh([h_v, x_v] W_1 + b_1) W_2 + b_2, in the authors' node selection times
//                sigma([h_v, x_v] w_g + b_g), a gate that the paper does not mention
//                with `linear`, as a last layer of other libraries: o_v = h_v W_2 + b_2
//   GraphOutput  h_G = tanh(sum_v sigma(i_v) . tanh(j_v)), [i_v, j_v] = [h_v, x_v] W_ij + b_ij  (Eq. 7),
//                then `authors`: tanh(h_G W_1 + b_1) W_2 + b_2; `paper`: h_G W_2 + b_2.
//                For regression the outer tanh is the identity (the paper allows it): a sum over atoms
//                must be able to grow with the molecule.
//                With `pairs` sums over pairs of nodes (pairs.hpp) stand beside h_G: + r W_r before the tanh
//                of the hidden layer, or in the outputs where there is none.
//
// Backward adds to the parameter gradients of the lane, and to dx if it is not null; dh is set or added to,
// as asked.
#pragma once

#include "ggsnn/nn/chunk.hpp"
#include "ggsnn/nn/lanes.hpp"
#include "ggsnn/nn/pairs.hpp"
#include "ggsnn/nn/parameters.hpp"

#include <optional>

namespace ggsnn {

struct OutputShape {
    int state = 0, annotation = 0;
    int outputs = 1;
    bool gated = false;   // NodeOutput: the authors' gate
    bool linear = false;  // NodeOutput: h_v is what W_2 sees; never gated
    bool hidden = false;  // GraphOutput: the authors' layer between h_G and the outputs
    bool squashed = true; // GraphOutput: outer tanh of Eq. 7
    int pairs = 0;        // GraphOutput: numbers of each node in sums over pairs
    int edge_types = 0;   // that these tell apart
};

template <class T>
struct OutputTape {
    Buffer<T> hidden, gate, out, sum; // forward
    Buffer<T> d_out, d_sum;           // backward; the loss writes d_out
    PairTape<T> pairs;
};

template <class T>
class NodeOutput {
  public:
    NodeOutput(const OutputShape& shape, ParameterLayout& layout, const std::string& prefix);

    std::size_t transposed_size() const;
    void transpose_weights(const T* parameters, T* out) const;

    // Returns outputs: nodes x padded(outputs), in the tape.
    T* forward(const Chunk<T>& chunk, const T* parameters, const T* h, const T* x, OutputTape<T>& tape,
               const Team<T>& team) const;
    // From tape.d_out. Start::zero sets dh, Start::accumulate adds to it.
    void backward(const Chunk<T>& chunk, const T* parameters, const T* transposed, const T* h, const T* x,
                  OutputTape<T>& tape, T* dh, T* dx, Start start, const Team<T>& team) const;

    int width() const { return padded(shape_.outputs); }

  private:
    // tanh([h, x] W_1 + b_1) and, where there is one, the gate, for rows from some row on. Between forward
    // and backward they are in the tape; a graph that is split over lanes computes them again.
    struct Inner {
        T* hidden;
        T* gate;
    };
    static bool keeps(const Team<T>& team) { return team.lane_count == 1; }
    Inner inner(int first, int rows, const OutputTape<T>& tape, Lane<T>& lane, bool kept) const;
    void backward_linear(const T* transposed, const T* h, OutputTape<T>& tape, T* dh, Start start, int first,
                         int last, Lane<T>& lane) const;
    void compute(const T* p, const T* h, const T* x, int first, int rows, const Inner& to) const;

    OutputShape shape_;
    std::size_t w1_ = 0, b1_ = 0, w2_ = 0, b2_ = 0, wg_ = 0, bg_ = 0;
};

template <class T>
class GraphOutput {
  public:
    GraphOutput(const OutputShape& shape, ParameterLayout& layout, const std::string& prefix);

    std::size_t transposed_size() const;
    void transpose_weights(const T* parameters, T* out) const;

    // Returns outputs: graphs x padded(outputs), in the tape.
    T* forward(const Chunk<T>& chunk, const T* parameters, const T* h, const T* x, OutputTape<T>& tape,
               const Team<T>& team) const;
    void backward(const Chunk<T>& chunk, const T* parameters, const T* transposed, const T* h, const T* x,
                  OutputTape<T>& tape, T* dh, T* dx, Start start, const Team<T>& team) const;

    int width() const { return padded(shape_.outputs); }

  private:
    std::size_t transposed_pairs() const;                                       // where those of pairs begin
    int above() const { return shape_.hidden ? shape_.state : shape_.outputs; } // columns of W_r

    OutputShape shape_;
    std::size_t wij_, bij_, w1_ = 0, b1_ = 0, w2_, b2_, wr_ = 0;
    std::optional<PairSums<T>> pairs_;
};

} // namespace ggsnn
