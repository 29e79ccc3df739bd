// The sizes of a gated graph network, and how its equations vary.
#pragma once

#include "ggsnn/nn/answer.hpp"
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
    int steps = 0;   // T
    int outputs = 1; // classes or values; 1 where a node is the answer

    bool sequence() const { return is_sequence(answer); }
    PropagationShape propagation() const {
        return {state, annotation, edge_types, steps, variant, directions};
    }
    bool operator==(const GatedShape&) const = default;
};

} // namespace ggsnn
