// Sums over pairs of nodes, for answers of a graph that come from what two of its nodes are together, near or
// far: the dipole of a molecule, of charges and distances. Each node has C numbers,
//
//   p_v = [h_v, x_v] W_p + b_p
//
// and a graph, by numbers (all that follows is elementwise; w has a row for each type of edge, and two more):
//
//   q = w_all P . P + w_self sum_v p_v . p_v + sum over edges u -> v of w_type omega p_u . p_v
//   r = q / (1 + q^2)^(1/4),                            P = sum_v p_v
//
// omega is an edge's weight as v hears it. Edges that a reach adds have types of their own, one a distance. r
// grows as q near 0 and as its root further away, so that a sum of products has the size of what was
// multiplied. Backward adds to dh, dx and the parameter gradients.
#pragma once

#include "ggsnn/nn/chunk.hpp"
#include "ggsnn/nn/lanes.hpp"
#include "ggsnn/nn/parameters.hpp"

namespace ggsnn {

struct PairShape {
    int state = 0, annotation = 0, edge_types = 0;
    int pairs = 0; // C
};

template <class T>
struct PairTape {
    Buffer<T> p, other;   // nodes x padded(C): p_v, and what it is multiplied with in q
    Buffer<T> total, q;   // graphs x padded(C): P, q
    Buffer<T> root, dp;   // r; backward: the gradient of p
    Buffer<T> d_root, dq; // backward; whoever uses r writes d_root
    // If not null, backward adds to the gradients of the weights of links, by slot.
    std::vector<std::vector<T>>* links = nullptr;
};

template <class T>
class PairSums {
  public:
    PairSums(const PairShape& shape, ParameterLayout& layout, const std::string& prefix);

    std::size_t transposed_size() const;
    void transpose_weights(const T* parameters, T* out) const;

    // Returns r: graphs x width(), in the tape.
    const T* forward(const Chunk<T>& chunk, const T* parameters, const T* h, const T* x, PairTape<T>& tape,
                     const Team<T>& team) const;
    // From tape.d_root; dx may be null.
    void backward(const Chunk<T>& chunk, const T* parameters, const T* transposed, const T* h, const T* x,
                  PairTape<T>& tape, T* dh, T* dx, const Team<T>& team) const;

    int width() const { return padded(shape_.pairs); }

  private:
    enum { all_row, self_row, first_type }; // rows of w
    const T* weights(const T* parameters, int row) const {
        return parameters + w_ + static_cast<std::size_t>(row) * width();
    }
    void backward_sums(const Chunk<T>& chunk, const T* parameters, PairTape<T>& tape, T* gradient) const;

    PairShape shape_;
    std::size_t wp_ = 0, bp_ = 0, w_ = 0;
};

} // namespace ggsnn
