// Propagation for states of at most `padding` numbers, over chunks of small graphs. A row of five numbers
// fills five eighths of a vector, and the work around it costs more than the work itself. So here the gates
// are computed with vectors that hold one number of several nodes. With L lanes, a *pack* of K features is
//
//   block 0: feature 0 of nodes 0 .. L-1, feature 1 of nodes 0 .. L-1, ...; block 1: nodes L .. 2L-1; ...
//
// Products then waste no lane whatever D is, and weights are numbers that are broadcast, so transposed ones
// cost nothing. Rows (one node after the other, as everywhere else) remain where nodes are looked up by
// number: messages are computed row by row, a row being a register. Nodes that fill up the last block hear no
// one and are heard by no one; their gradients are zero.
#pragma once

#include "ggsnn/nn/chunk.hpp"
#include "ggsnn/nn/ggnn/offsets.hpp"

namespace ggsnn {

// Numbers of the gates' gradient, each of which is kept once a lane until the chunk is done.
inline std::size_t narrow_sums(const PropagationOffsets& at) {
    return static_cast<std::size_t>(3) * at.d * ((at.sides + 1) * at.d + 1);
}

// What one backward step works on.
template <class T>
struct NarrowScratch {
    T* dh;       // pack of D: the gradient of h' before, of h after, less what came over edges
    T* dh_rows;  // rows: what came over edges; added to
    T* dg;       // pack of 3 D
    T* rh;       // pack of D
    T* da_rows;  // sides rows next to each other; for every lane of every block
    T* sums;     // rows
    T* lanes;    // narrow_sums() x lanes; added to
    T* gradient; // of the parameters; messages' part is added to
};

template <class T>
struct NarrowKernels {
    int lanes;

    // Rows, of which d numbers count, to a pack of d and back. The last block is filled up with zeros.
    void (*pack)(int nodes, int d, const T* rows, T* packed);
    void (*unpack)(int nodes, int d, const T* packed, T* rows);
    // packed += rows
    void (*pack_add)(int nodes, int d, const T* rows, T* packed);

    // One step: from h, as rows and as a pack of d of which `depth` may be other than zero, makes a (pack of
    // sides d), g (pack of 3 d: z, r, h~) and h' as pack and rows. a_rows is scratch, as da_rows.
    void (*forward)(const PropagationOffsets& at, const Chunk<T>& chunk, const T* p, int depth,
                    const T* h_rows, const T* h, T* a_rows, T* a, T* g, T* next, T* next_rows);
    // The same in reverse; `transposed`: A^T of every slot, d rows each. Without want_dh the gradient of h is
    // not made.
    void (*backward)(const PropagationOffsets& at, const Chunk<T>& chunk, const T* p, const T* transposed,
                     int depth, bool want_dh, const T* h_rows, const T* h, const T* a, const T* g,
                     const NarrowScratch<T>& to);
    // Adds the lanes up into the gradient of the gates.
    void (*reduce)(const PropagationOffsets& at, const T* lanes, T* gradient);
};

// The fastest table this processor runs. Thread-safe.
template <class T>
const NarrowKernels<T>& narrow_kernels();

} // namespace ggsnn
