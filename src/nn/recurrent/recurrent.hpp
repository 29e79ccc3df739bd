// The recurrent baselines of the paper (section 'Explanatory Applications', appendix B): networks that read
// the tokens x_1, x_2, ... of a story and predict classes from their state h. D numbers each for the
// embedding E of a token, for h and for the cell c.
//
//   RNN    h_t = tanh(x W_x + h_(t-1) W_h + b)
//   LSTM   [i f o] = sigma(x W_x + h_(t-1) W_h + c_(t-1) W_c + b),  g = tanh(likewise)
//          c_t = f . c_(t-1) + i . g,   h_t = o . tanh(c_t)
//   output h_t W_out + b_out, after the token `ans` and its repetitions
//
// All four parts of the LSTM read the cell, as in the authors' program: one linear layer from [x, h, c] to
// [i f o g] has 150 x 200 weights and 200 biases for D = 50, the 30,200 (the RNN's 5,050) behind the
// paper's '30k' and '5k'. States start at zero.
//
// There are few tokens, so x W_x + b is computed once a minibatch for each token ('projected'), not for
// each row; its gradient is collected by token, too, and taken back to E, W_x and b at the end ('unproject').
#pragma once

#include "ggsnn/nn/answer.hpp"
#include "ggsnn/nn/kernels/buffer.hpp"
#include "ggsnn/nn/parameters.hpp"
#include "ggsnn/nn/recurrent/cell.hpp"
#include "ggsnn/nn/recurrent/token_batch.hpp"

namespace ggsnn {

// What a batch needs on its way through the network. Reused from batch to batch.
template <class T>
struct RecurrentTape {
    Buffer<T> state; // rows x state_width: [h], [h | c]
    Buffer<T> gates; // rows x gate_width; backward turns them into their gradients
    Buffer<T> kept;  // rows x padded(D): what else the cell keeps for backward
    Buffer<T> d_state;
    Buffer<T> scores, d_scores; // outputs of the batch x padded(outputs)
};

struct RecurrentShape {
    const Cell* cell = nullptr;
    AnswerKind answer = AnswerKind::klass; // or a sequence of classes
    int state = 0;                         // D
    int tokens = 0;                        // distinct ones
    int outputs = 1;                       // classes, and 'end' of sequences

    bool operator==(const RecurrentShape&) const = default;
};

template <class T>
class Recurrent {
  public:
    explicit Recurrent(const RecurrentShape& shape);

    const RecurrentShape& shape() const { return shape_; }
    const ParameterLayout& layout() const { return layout_; }
    int state_width() const { return cells_ * n_; }
    int gate_width() const { return parts_ * n_; }

    // For each token x W_x + b: projected_size() numbers.
    std::size_t projected_size() const { return static_cast<std::size_t>(shape_.tokens) * gate_width(); }
    void project(const T* parameters, T* projected) const;

    // Transposed weights for backward, transposed_size() numbers, zero before the first call.
    std::size_t transposed_size() const;
    void transpose_weights(const T* parameters, T* out) const;

    // One step of rows that all have a state before it (previous, rows x state_width; null: zero). Gates and
    // kept are scratch memory of so many rows.
    void step(int rows, const int* tokens, const T* parameters, const T* projected, const T* previous,
              T* state, T* gates, T* kept) const;
    // Scores (rows x padded(outputs)) of states.
    void output(int rows, Rows<const T> state, const T* parameters, T* scores) const;

    // All steps of a batch; sets the tape's states and scores.
    void forward(const TokenBatch& batch, const T* parameters, const T* projected,
                 RecurrentTape<T>& tape) const;
    // From the tape after forward with d_scores set: adds to gradient, but for E, W_x and b, for which it
    // adds to d_projected.
    void backward(const TokenBatch& batch, const T* transposed, RecurrentTape<T>& tape, T* gradient,
                  T* d_projected) const;
    // Adds to the gradients of E, W_x and b.
    void unproject(const T* parameters, const T* transposed, const T* d_projected, T* gradient) const;

  private:
    void cell_backward(const TokenBatch& batch, int t, RecurrentTape<T>& tape) const;

    RecurrentShape shape_;
    ParameterLayout layout_;
    int n_ = 0;     // padded(D)
    int parts_ = 1; // gates and candidate
    int cells_ = 1; // parts of a state that is carried on
    std::size_t embedding_ = 0, input_ = 0, recurrent_ = 0, bias_ = 0, output_ = 0, output_bias_ = 0;
};

} // namespace ggsnn
