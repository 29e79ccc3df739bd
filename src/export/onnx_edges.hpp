// What an exported network makes of its edges before the first step: for each slot (2 * type + direction),
// who sends, who hears, and how much each message counts.
#pragma once

#include "ggsnn/export/onnx_graph.hpp"

namespace ggsnn {

struct OnnxSlot {
    std::string senders;   // int64 [links]
    std::string receivers; // int64 [links, D]: where the messages' numbers go
    std::string weights;   // float [links, 1]
    std::string degree;    // float [nodes, 1]: the receivers' weights added up
    std::string numbers;   // float [nodes, E]: the edges' numbers, times weights, added up; or empty
};

// Values that several parts ask for.
struct OnnxSizes {
    std::string nodes; // int64 [1]
    std::string zeros; // float [nodes, D]
};

// Declares the inputs of edges: sources, types, targets, edge_weights and, with numbers, edge_numbers.
std::vector<OnnxSlot> onnx_edges(OnnxGraph& graph, const GatedShape& shape, const OnnxSizes& sizes);

// Zeros, float [nodes, width].
std::string onnx_zeros(OnnxGraph& graph, const std::string& nodes, int width);
// The sums by receiver of rows [links, width]: [nodes, width].
std::string onnx_sums(OnnxGraph& graph, const std::string& zeros, const std::string& receivers,
                      const std::string& rows);

} // namespace ggsnn
