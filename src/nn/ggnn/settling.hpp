// How the states of nodes settle while a gated graph network propagates: what it had at every step on its way
// to an answer, for people to look at.
#pragma once

#include "ggsnn/nn/model.hpp"

namespace ggsnn {

struct Settling {
    struct Output {                             // one output of a sequence; else there is one
        std::vector<float> annotations;         // nodes x annotation: X^k
        std::vector<std::vector<float>> states; // by propagation step, 1 .. T: nodes x state, h^(k, t)
    };
    int nodes = 0, annotation = 0, state = 0;
    std::vector<Output> outputs;
};

// Of the first member of an ensemble, the first `outputs` outputs. REQUIRES a model of kind ggnn and data
// with its schema.
Settling settle(const Model& model, const Dataset& data, const Example& example, int outputs);

} // namespace ggsnn
