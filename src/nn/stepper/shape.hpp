// What a network that learns steps is made of, in numbers.
#pragma once

#include "ggsnn/nn/answer.hpp"

namespace ggsnn {

struct StepperShape {
    // Where answers are read: from the pointers of all nodes, from the nodes that have the first bit on, one
    // after the other, from the bits of all nodes, or from the length of the way to the node chosen last.
    enum class Reads { pointers, walk, classes, length };

    AnswerKind answer = AnswerKind::node_sequence;
    Reads reads = Reads::pointers;
    int inputs = 0;       // numbers known of a node: features, types, arguments
    int bits = 1;         // of a node, B
    int slots = 0;        // 2 * edge types
    int state = 16;       // hidden units, H
    int classes = 0;      // reads == classes
    bool points = true;   // nodes have pointers that steps change
    bool chooses = false; // each step chooses a node of the graph
    // Without hints: how many steps are taken in training. With hints each step is learned by itself.
    int steps = 0;
    // Without hints: steps are rounded in training, too, all but the last, and the gradient is that without
    // rounding ('straight through').
    bool rounded = true;

    // A node as its neighbours see it: inputs, bits, and whether it points to itself.
    int seen() const { return inputs + bits + 1; }
    // Of a link: its slots, whether the receiver points to the sender, and the sender to the receiver, and
    // whether they are the same node.
    int link_flags() const { return slots + 3; }

    bool operator==(const StepperShape&) const = default;
};

} // namespace ggsnn
