// Where the weights of one propagation model are among the parameters; Propagation lays them out.
#pragma once

#include <cstddef>

namespace ggsnn {

struct PropagationOffsets {
    int d = 0, slots = 0; // slots: 2 * edge type + direction
    int sides = 2;        // a_v has sides * D numbers: incoming and outgoing edges apart, or 1: added
    bool authors = true;
    std::size_t messages = 0, message_size = 0; // per slot: A (D x Dp), then, in `authors`, its bias (1 x Dp)
    std::size_t edge_bias = 0;                  // `paper`: b, 1 x sides Dp
    std::size_t gates_zr = 0;                   // rows: sides D of a, D of h; columns: z | r
    std::size_t gates_h = 0;                    // rows: sides D of a, D of r . h; columns: h~
    std::size_t gate_bias = 0;                  // `authors`: 1 x 3 Dp

    int side(int slot) const { return slot % sides; } // which D numbers of a_v a slot adds to
    std::size_t message(int slot) const { return messages + static_cast<std::size_t>(slot) * message_size; }
};

} // namespace ggsnn
