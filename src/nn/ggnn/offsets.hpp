// Where the weights of one propagation model are among the parameters; Propagation lays them out.
#pragma once

#include "ggsnn/nn/kernels/kernels.hpp"

namespace ggsnn {

struct PropagationOffsets {
    int d = 0, slots = 0; // slots: 2 * edge type + direction
    int sets = 1;         // of message matrices: one for all steps, or one for each
    int sides = 2;        // a_v has sides * D numbers: incoming and outgoing edges apart, or 1: added
    bool authors = true;
    std::size_t messages = 0,
                message_size = 0; // per set and slot: A (D x Dp), then, in `authors`, its bias (1 x Dp)
    std::size_t edge_bias = 0;    // `paper`: b, 1 x sides Dp
    std::size_t gates_zr = 0;     // rows: sides D of a, D of h; columns: z | r
    std::size_t gates_h = 0;      // rows: sides D of a, D of r . h; columns: h~
    std::size_t gate_bias = 0;    // `authors`: 1 x 3 Dp
    bool reset_after = false;     // Eq. 5 with r . (h U_h + c_h)
    std::size_t reset_bias = 0;   // and `authors`: c_h, 1 x Dp

    // What nodes hear in every step alike: the numbers of their edges times a matrix a slot, and annotations.
    int edge_features = 0;         // numbers of an edge, E
    std::size_t edge_matrices = 0; // per slot: B, E x Dp
    int residual_rows = 0;         // X, or 0: annotations are not heard again
    std::size_t residual = 0;      // X x sides Dp

    bool uniform = false; // no step has a way of its own
    // What the kernels of small states and the short first step do not know.
    bool plain() const { return !uniform && !reset_after && sets == 1; }

    bool has_base() const { return edge_features > 0 || residual_rows > 0; }
    int side(int slot) const { return slot % sides; } // which D numbers of a_v a slot adds to
    int matrices() const { return sets * slots; }
    // Which of the matrices a slot has in a step.
    int matrix(int step, int slot) const { return (sets > 1 ? step : 0) * slots + slot; }
    std::size_t message(int matrix) const {
        return messages + static_cast<std::size_t>(matrix) * message_size;
    }
    std::size_t edge_matrix(int slot) const {
        return edge_matrices + static_cast<std::size_t>(slot) * edge_features * padded(d);
    }
};

} // namespace ggsnn
