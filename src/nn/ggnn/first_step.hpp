// The first step of propagation, where a state is an annotation: X numbers, and zeros (Eq. 1 of
// propagation.hpp). What a node hears (Eq. 2),
//
//   a_v = sum over slots of (s_v,slot A_slot + degree b_slot),   s_v,slot = sum of the neighbours' x_u,
//
// is then made of few numbers, so the gates (Eqs. 3 to 5) are computed from the sums themselves:
//
//   a_v W = S_v F,   S_v = [s_v,slot, degree of every slot],   F = [A_slot's first X rows, b_slot] W
//
// with one product of depth slots (X + 1) instead of two, of depth X and as deep as a_v; and backward needs
// the gradient of F alone, from which those of A, b and W follow once an update. (`paper` has one b a node: S
// ends in a one instead.)
#pragma once

#include "ggsnn/nn/chunk.hpp"
#include "ggsnn/nn/ggnn/offsets.hpp"

namespace ggsnn {

template <class T>
class FirstStep {
  public:
    FirstStep(const PropagationOffsets& at, int annotation);

    // Whether this is less work than the other steps' way in training, where no one asks for the gradient of
    // x; otherwise it may be up to half more of what a W takes in one step. If not, sizes are zero, prepare()
    // and finish() do nothing, and sums() and spread() must not be called.
    bool worth() const { return worth_; }

    int depth() const { return depth_; } // numbers of a row of S
    int width() const { return padded(depth_); }

    // F (depth x 3 Dp: z | r | h~), and for backward F^T (3 D x width); out is zero before the first call.
    std::size_t prepared_size() const;
    void prepare(const T* parameters, bool for_backward, T* out) const;
    const T* transposed(const T* prepared) const { return prepared + gradient_size(); }

    // The gradient of F to those of A, b and W, which are added to. W^T: of the three gates, each D x sides
    // Dp.
    std::size_t gradient_size() const; // of F
    void finish(const T* parameters, const T* w_transposed, const T* d_first, T* gradient) const;

    // Rows [first, last) of S, width() apart, from annotations x (nodes x padded(X)).
    void sums(const Chunk<T>& chunk, const T* x, int first, int last, T* out) const;
    // The same in reverse, for the nodes in [first, last) that were heard: dx += what dS (all nodes' rows,
    // width() apart) says of them.
    void spread(const Chunk<T>& chunk, const T* d_sums, int first, int last, T* dx, int ldx) const;

  private:
    // Calls body(row of S, offset of the parameters that it multiplies, number of rows, side of a).
    template <class Body>
    void for_blocks(Body body) const;
    // to += what link says of a neighbour, X numbers.
    void add(const T* from, std::span<const float> weights, int link, T* to) const;
    int slot_depth() const { return annotation_ + (at_.authors ? 1 : 0); }

    PropagationOffsets at_;
    int annotation_, depth_;
    bool worth_;
};

} // namespace ggsnn
