// The propagation model of gated graph neural networks (the paper's section 3.2):
//
//   h_v^1 = [x_v, 0]                                                                    (Eq. 1)
//   a_v   = sum over edges into and out of v of (h_u A_type,direction) + b              (Eq. 2)
//   z = sigma(a W_z + h U_z)       r = sigma(a W_r + h U_r)                             (Eqs. 3, 4)
//   h~ = tanh(a W_h + (r . h) U_h) h' = (1 - z) . h + z . h~                            (Eqs. 5, 6)
//
// in row form: a state is a row, a weight matrix stands to its right. a_v has 2D numbers, D from incoming
// and D from outgoing edges; or, with Directions::added, D numbers to which both add, each with weights of
// its own. Two variants: `paper` has one b as long as a_v, added once a node, and no biases in Eqs. 3 to 5;
// `authors`, as the authors' program, adds a bias for every edge, by type and direction, and has biases in
// Eqs. 3 to 5.
//
// Two additions, for data and recipes that ask for them. An edge may have a weight w and numbers e: its
// message is w (h_u A + b + e B). With `residual`, a node hears its own annotation in every step: a_v has x_v
// R added. Both x R and the sum of w e B over a node's edges are the same in every step: they are computed
// once, and their gradients from the sum of da over the steps.
//
// Two more, which other libraries have (docs/export.md). With `reset_after` the reset gate acts after its
// matrix, as in torch's GRU cell: h~ = tanh(a W_h + r . (h U_h + c_h)), c_h a bias of `authors`. With several
// sets of matrices A (and their biases), each step has its own.
//
// Messages are never stored. Forward sums the states of the neighbours first, then multiplies one row per
// node that has such edges. Backward sums da over the opposite direction; the same sum gives the
// gradients of h and of A. The first step, whose states are mostly zero, has a way of its own
// (first_step.hpp).
#pragma once

#include "ggsnn/nn/ggnn/every_step.hpp"
#include "ggsnn/nn/ggnn/first_step.hpp"
#include "ggsnn/nn/ggnn/narrow.hpp"
#include "ggsnn/nn/ggnn/weights.hpp"
#include "ggsnn/nn/keep.hpp"
#include "ggsnn/nn/lanes.hpp"
#include "ggsnn/nn/parameters.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ggsnn {

enum class Variant { paper, authors };
enum class Directions { apart, added };

struct PropagationShape {
    int state = 0;      // D
    int annotation = 0; // X <= D
    int edge_types = 0;
    int steps = 0; // T
    Variant variant = Variant::authors;
    Directions directions = Directions::apart;
    int edge_features = 0; // numbers of an edge
    bool residual = false;
    bool uniform = false; // no step has a way of its own, though that be faster: for explanations
    bool reset_after = false;
    int sets = 1; // of message matrices: 1, or at least as many as steps
};

// By slot: the gradients of the weights of a chunk's links, as messages of states go, and those of its sums
// of edges' numbers (Chunk::edge_sums).
template <class T>
struct EdgeGradients {
    std::vector<std::vector<T>> links, sums;
};

// What forward leaves for backward, for one chunk.
template <class T>
struct Tape {
    Keep keep = Keep::all;
    const T* x = nullptr; // what forward started from
    Buffer<T> h; // (steps + 1) x nodes x padded(D); without a tape for backward: 2 x nodes x padded(D)
    Buffer<T> a; // steps x nodes x a_v's padded numbers, less the first step where it has none
    Buffer<T> g; // steps x nodes x 3 padded(D): z, r, h~
    // Narrow: a and g are packs instead, and so are the states once more.
    Buffer<T> packed;
    Buffer<T> base; // nodes x a_v's padded numbers: what is heard in every step
    // If not null, backward adds to the gradients of what comes over edges. Needs uniform steps.
    EdgeGradients<T>* edges = nullptr;
};

template <class T>
class Propagation {
  public:
    // Adds its tensors to the layout under prefix.
    Propagation(const PropagationShape& shape, ParameterLayout& layout, const std::string& prefix);

    const PropagationShape& shape() const { return shape_; }
    int width() const { return padded(shape_.state); }

    // What is computed once from the parameters: the weights as products read them, and those of the first
    // step. prepared_size() numbers, zero before the first call.
    std::size_t prepared_size() const {
        return weights_.size() + first_.prepared_size() + every_.prepared_size();
    }
    void prepare(const T* parameters, bool for_backward, T* out) const;

    // The gradient of the first step's weights is kept beyond the parameters in the lanes' gradients, `place`
    // numbers after their beginning, until finish() adds it to that of the parameters.
    std::size_t extra_gradient() const { return first_.gradient_size(); }
    void place_extra(std::size_t place) { extra_ = place; }
    void finish(const T* parameters, const T* prepared, T* gradient) const;

    // Runs T steps from annotations x (nodes x padded(X)); returns h^T (nodes x padded(D)), which lives in
    // the tape. With for_backward false the tape holds two states however many steps there are.
    const T* forward(const Chunk<T>& chunk, const T* parameters, const T* prepared, const T* x,
                     bool for_backward, Tape<T>& tape, const Team<T>& team) const;

    // dh: nodes x padded(D), the gradient of h^T; overwritten. Adds to the lanes' gradients. If dx is not
    // null, adds the gradient of x to it (nodes x padded(X)). Needs forward's x as it was.
    void backward(const Chunk<T>& chunk, const T* parameters, const T* prepared, const Tape<T>& tape, T* dh,
                  T* dx, Buffer<T>& da, const Team<T>& team) const;

    // Whether a chunk goes through the kernels for small states: not if it may be split over lanes elsewhere.
    bool is_narrow(const Chunk<T>& chunk, const Team<T>& team) const {
        return team.lane_count == 1 && chunk.nodes <= large_rows && shape_.state <= padding &&
               !chunk.weighted && !every_.any() && at_.plain();
    }

  private:
    int depth(int step) const { return step == 0 ? shape_.annotation : shape_.state; }
    // Whether a step computes its gates from sums of annotations: its `a` is first_step.hpp's S.
    bool is_first(int step) const { return step == 0 && first_.worth(); }
    int a_width(int step) const { return is_first(step) ? first_.width() : at_.sides * width(); }
    // Place of a step's a in the tape.
    std::size_t kept_before(int step) const { return step - (first_.worth() ? 1 : 0); }
    const T* narrow_forward(const Chunk<T>& chunk, const T* p, const T* x, bool for_backward, Tape<T>& tape,
                            Lane<T>& lane) const;
    void narrow_backward(const Chunk<T>& chunk, const T* p, const T* prepared, const Tape<T>& tape, T* dh,
                         bool want_dx, Lane<T>& lane) const;
    void start(const Chunk<T>& chunk, const T* x, T* h) const;

    void messages_rows(const Chunk<T>& chunk, const T* p, const T* prepared, const Tape<T>& tape, int step,
                       const T* h, T* a, int first, int last, Lane<T>& lane) const;
    void link_gradients(const Chunk<T>& chunk, const T* p, const T* prepared, int step, const T* h,
                        const T* da, EdgeGradients<T>& to) const;
    // Nodes in [first, last) that hear someone on this side of a, if enough hear no one to be worth a list:
    // in `authors` their a is zero.
    std::optional<std::span<const int>> hearing_rows(const Chunk<T>& chunk, int side, int first,
                                                     int last) const;
    void gates_rows(const Chunk<T>& chunk, const T* p, const T* prepared, int step, const T* h, const T* a,
                    T* g, T* h_next, int first, int last, Lane<T>& lane) const;
    // Rows [first, last) of h U_h + c_h.
    void reset_rows(const T* p, const T* prepared, int step, const T* h, T* out, int first, int last) const;
    // Eq. 5 with the reset gate after U_h in reverse: dg's part of r; dq, the gradient of h U_h + c_h; and
    // the gradients of U_h and c_h.
    void backward_reset_rows(const T* p, const T* prepared, int step, const T* h, const T* g, Rows<T> dg,
                             T* dq, int first, int last, Lane<T>& lane) const;
    void backward_gates_rows(const Chunk<T>& chunk, const T* p, const T* prepared, const Tape<T>& tape,
                             int step, const T* h, const T* a, const T* g, T* dh, T* da, bool want_dh,
                             int first, int last, Lane<T>& lane) const;
    void backward_first_rows(const T* prepared, const T* s, const T* dg, T* ds, bool want_ds, int first,
                             int last, Lane<T>& lane) const;
    void backward_messages_rows(const Chunk<T>& chunk, const T* prepared, int step, const T* h, const T* da,
                                T* dh, bool want_dh, int first, int last, Lane<T>& lane) const;

    PropagationShape shape_;
    PropagationOffsets at_;
    PreparedWeights<T> weights_;
    FirstStep<T> first_; // its weights follow the others
    EveryStep<T> every_; // and these follow
    std::size_t extra_ = 0;
};

} // namespace ggsnn
