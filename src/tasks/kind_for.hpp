// The kind of network for data, where the user names none: stories in English are read, hints are learned
// step by step, all else is a graph.
#pragma once

#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/tasks/build.hpp"

namespace ggsnn {

// model: the name of a kind, or empty. What the data is read as, and then the kind.
Form form_for(const std::string& model);
const Kind& kind_for(const std::string& model, const Dataset& train);

} // namespace ggsnn
