// Steps of a trained network with everything rounded, until nothing changes. Only nodes whose surroundings
// changed in the step before are computed anew: a depth-first search of a large graph costs as much as it
// visits, not as much as the graph is large.
#pragma once

#include "ggsnn/nn/stepper/stepper.hpp"

namespace ggsnn {

struct StepperResult {
    std::vector<int> pointers; // by node
    std::vector<float> bits;   // nodes x B, 0 or 1
    std::vector<int> walk;     // nodes that had the first bit on, step after step
    int chosen = -1;           // in the last step
    double way = 0;            // to the node chosen last, along the pointers; 0 without
    long steps = 0;
    bool settled = false; // a step that changed nothing ended it, not the limit
};

// Probabilities are averaged over the members before they are rounded. most: of steps.
StepperResult run_stepper(const Stepper<float>& network, const Links& links,
                          const std::vector<std::vector<float>>& members, long most);

} // namespace ggsnn
