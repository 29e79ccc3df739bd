// How people call the nodes and labels of a question.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/nn/dataset.hpp"

namespace ggsnn::show {

std::string node_name(const GraphRecord& graph, int node);
std::string label_name(const Schema& schema, const GraphRecord& graph, int label);
// A node by its name, or by its number where nodes have none.
OrderedJson node_value(const GraphRecord& graph, int node);
OrderedJson label_value(const Schema& schema, const GraphRecord& graph, int label);

} // namespace ggsnn::show
