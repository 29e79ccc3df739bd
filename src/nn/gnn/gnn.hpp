// The original graph neural network (Scarselli et al. 2009; the paper's section 2):
//
//   h_v = F(h)_v = sum over messages to v of f(l_v, l_edge, l_u, h_u)             (propagation)
//   o_v = g(h_v, l_v), an MLP on [h_v, x_v]; graph level: o of a super node       (output)
//
// where every edge is a message in each direction. In row form, for the label triple of a message,
//
//   linear   f(h_u) = h_u A + b,   A = mu / (D n_u) tanh(Xi)
//   neural   f(h_u) = tanh(h_u W_1 + b_1) W_2 + b_2
//
// with n_u the number of messages that u sends. h is the fixed point of F, found by iteration from 0.
//
// The linear F is a contraction. The column of its Jacobian that belongs to component i of h_u holds, for
// each of the n_u messages that u sends, row i of that message's A; messages to the same node add up. So its
// sum of magnitudes is at most
//   n_u sum_j mu / (D n_u) |tanh(Xi_ij)| < n_u D mu / (D n_u) = mu,
// and the 1-norm of the Jacobian, the largest of these sums, is below mu < 1:
// |F(h) - F(h')|_1 < mu |h - h'|_1 for all h and h'.
//
// The neural F is kept near contractions by a penalty (penalty.cpp) in training.
//
// Learning is by Almeida-Pineda: with e = dL/dh at the fixed point, iterate z = e + J^T z to its own fixed
// point; dL/dtheta = z^T dF/dtheta. No state but the last is kept.
#pragma once

#include "ggsnn/nn/gnn/batches.hpp"
#include "ggsnn/nn/output.hpp"

#include <optional>

namespace ggsnn {

// Scratch memory, reused from batch to batch.
template <class T>
struct GnnWork {
    Buffer<T> h, h_next, constant, scaled;   // nodes x padded(D); scaled: h_u / n_u
    Buffer<T> sums;                          // what a group's rows or sources hear
    Buffer<T> hidden;                        // neural: all source entries x padded(D), at the fixed point
    Buffer<T> e, z, z_next, q;               // the adjoint equation
    Buffer<T> top_h, top_x, norms, jacobian; // super nodes; penalty
    Chunk<T> top;
    OutputTape<T> output;
    std::vector<char> wrong;
    int iterations = 0, adjoint_iterations = 0; // of the last run
};

template <class T>
class Gnn {
  public:
    explicit Gnn(const GnnShape& shape);

    const GnnShape& shape() const { return shape_; }
    const ParameterLayout& layout() const { return layout_; }
    bool super_node() const { return !head_->traits.node_rows; }
    int width() const { return padded(shape_.state); }

    // What is computed once from parameters: A (linear), transposed weights. prepared_size() numbers, zero
    // before the first call.
    std::size_t prepared_size() const { return t_output_ + output_->transposed_size(); }
    void prepare(const T* parameters, T* prepared) const;
    // Turns the gradients with respect to A into those with respect to Xi, once all batches are added.
    void finish(const T* prepared, T* gradient) const;

    // Loss and counts of a batch whose targets are set; with `gradient` also adds it, penalty included, to
    // that of the team's lane (a single one), and the penalty to the loss. If the states do not settle
    // within most_iterations(), the loss is infinite and every answer wrong; but the neural network then
    // follows the gradient of the penalty alone, taken between its last two states, back to contractions.
    Outcome run(const GnnBatch<T>& batch, const T* parameters, const T* prepared, bool gradient,
                GnnWork<T>& work, const Team<T>& team) const;

    // Outputs (graphs or nodes x padded(outputs)), which live in the workspace; null if the states do not
    // settle. Targets are not looked at.
    const T* outputs(const GnnBatch<T>& batch, const T* parameters, const T* prepared, GnnWork<T>& work,
                     const Team<T>& team) const;

    // Iterates h = F(h) from 0 in work.h; false if the limit comes first.
    bool settle(const GnnBatch<T>& batch, const T* parameters, const T* prepared, GnnWork<T>& work) const;
    // next = F(h). REQUIRES begin(batch, ...) on the same workspace.
    void begin(const GnnBatch<T>& batch, const T* parameters, GnnWork<T>& work) const;
    void step(const GnnBatch<T>& batch, const T* parameters, const T* prepared, const T* h, T* next,
              GnnWork<T>& work) const;
    // next = e + J^T z. REQUIRES settle, or step at the state where J is taken.
    void adjoint_step(const GnnBatch<T>& batch, const T* prepared, const T* e, const T* z, T* next,
                      GnnWork<T>& work) const;

    // The penalty at the state h: weight times the sum over columns of the Jacobian of max(0, |column|_1 -
    // mu)^2. Adds its gradient to dh and to `gradient`, unless they are null. REQUIRES as adjoint_step.
    // Neural only.
    double penalty(const GnnBatch<T>& batch, const T* parameters, T weight, const T* h, T* dh, T* gradient,
                   GnnWork<T>& work) const;
    // An upper bound of the 1-norm of the Jacobian at h, exact where no two messages share both ends.
    double jacobian_norm(const GnnBatch<T>& batch, const T* parameters, const T* prepared,
                         GnnWork<T>& work) const;

    int most_iterations() const;
    static constexpr double tolerance = sizeof(T) == sizeof(float) ? 1e-6 : 1e-13;
    static constexpr double penalty_weight = 1;

  private:
    bool linear() const { return shape_.edge_function == EdgeFunction::linear; }
    std::size_t square() const { return static_cast<std::size_t>(shape_.state) * width(); }
    // Offsets in the parameters: Xi or W_1, then b (linear); b_1, W_2, b_2 (neural).
    std::size_t weight(int triple) const {
        return triple * (linear() ? square() + width() : 2 * square() + 2 * width());
    }
    std::size_t bias(int triple) const { return weight(triple) + square(); } // b or b_1
    std::size_t weight2(int triple) const { return bias(triple) + width(); }
    std::size_t bias2(int triple) const { return weight2(triple) + square(); }
    // Offsets in `prepared`: A and A^T, or W_1^T and W_2^T.
    std::size_t prepared(int triple) const { return triple * 2 * square(); }

    const T* read_out(const GnnBatch<T>& batch, const T* p, GnnWork<T>& work, const Team<T>& team) const;
    void read_out_backward(const GnnBatch<T>& batch, const T* p, const T* prepared, GnnWork<T>& work,
                           const Team<T>& team) const;
    bool settle_adjoint(const GnnBatch<T>& batch, const T* prepared, GnnWork<T>& work) const;
    void add_gradient(const GnnBatch<T>& batch, const T* prepared, const T* z, T* gradient,
                      GnnWork<T>& work) const;
    void column_norms(const GnnBatch<T>& batch, const T* p, const T* prepared, T* norms,
                      GnnWork<T>& work) const;
    void slope_product(const T* p, int triple, const T* y, T* jacobian) const;
    void penalty_backward(const T* p, int triple, const T* dJ, const T* y, const T* h, T* dh,
                          T* gradient) const;

    GnnShape shape_;
    const Head* head_;
    ParameterLayout layout_;
    std::optional<NodeOutput<T>> output_;
    std::size_t t_output_ = 0;
};

} // namespace ggsnn
