// The sizes of a gated graph network, and how its equations vary.
#pragma once

#include "ggsnn/nn/answer.hpp"
#include "ggsnn/nn/assembler.hpp"
#include "ggsnn/nn/ggnn/propagation.hpp"

namespace ggsnn {

struct GatedShape {
    Variant variant = Variant::authors;
    Directions directions = Directions::apart;
    AnswerKind answer = AnswerKind::node;
    bool shared_propagation = true; // sequence: F_o and F_x share one propagation model
    bool observed = false;          // sequence: annotations between steps are given in training
    int state = 0;                  // D
    int annotation = 0;             // X
    int edge_types = 0;
    int steps = 0;            // T
    int outputs = 1;          // classes or values; 1 where a node is the answer
    int inputs = 0;           // numbers known of a node, where a layer makes annotations of them
    int embedding = 0;        // how many; 0: they are annotations themselves
    int edge_features = 0;    // numbers of an edge
    bool residual = false;    // nodes hear their annotations in every step
    bool mean = false;        // messages are averaged by node, type and direction, not added
    bool reset_after = false; // the reset gate acts after U_h, as in torch's GRU cell
    int sets = 1;             // of message matrices: one for all steps, or as many as steps in training
    bool linear = false;      // answers of nodes: o_v = h_v W_2 + b_2
    int reach = 0;            // nodes up to so many edges apart hear each other; edge_types has theirs, too
    int pairs = 0;            // answers of graphs: numbers of each node in sums over pairs
    bool uniform = false;     // no step has a way of its own: for explanations, never saved

    bool sequence() const { return is_sequence(answer); }
    PropagationShape propagation() const {
        return {state,         annotation, edge_types, steps,       variant, directions,
                edge_features, residual,   uniform,    reset_after, sets};
    }
    Reading reading() const { return {annotation, embedding, mean, reach}; }
    // Above how many rows a chunk is split over threads: large data with wide inputs is often one graph.
    int large() const { return embedding > 0 ? 512 : large_rows; }
    bool operator==(const GatedShape&) const = default;
};

// The same network with another number of propagation steps, 0: as trained. Throws UsageError where steps
// have matrices of their own, and there are none for so many.
GatedShape with_steps(GatedShape shape, int steps);

} // namespace ggsnn
