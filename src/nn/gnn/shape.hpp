// The sizes of an original graph neural network, with the labels that its parameters belong to.
#pragma once

#include "ggsnn/nn/answer.hpp"
#include "ggsnn/nn/gnn/labels.hpp"

namespace ggsnn {

// The per-edge function f (gnn.hpp).
enum class EdgeFunction { linear, neural };
const char* name_of(EdgeFunction f);

struct GnnShape {
    AnswerKind answer = AnswerKind::node;
    int state = 0;      // D
    int annotation = 0; // X
    int edge_types = 0;
    int outputs = 1; // classes or values; 1 where a node is the answer
    EdgeFunction edge_function = EdgeFunction::linear;
    double contraction = 0.9; // mu
    LabelTable labels;        // labels and label triples of the training data

    bool operator==(const GnnShape&) const = default;
};

} // namespace ggsnn
