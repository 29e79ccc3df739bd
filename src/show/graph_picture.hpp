// Small graphs as SVG text: nodes where a simulation of springs puts them, the same every time.
#pragma once

#include "ggsnn/nn/dataset.hpp"

#include <string>
#include <vector>

namespace ggsnn {

struct NodeLook {
    std::string label;
    std::string fill = "#eee"; // colour of the disc
    std::string ring;          // colour of a second ring around it; empty: none
    std::string mark;          // a character or two inside
};

struct EdgeLook {
    double width = 1.4;
    bool dashed = false;
};

// At most `most` nodes are drawn: those nearest to `centres` (or to node 0), and how many are left out is
// said below. looks: one a node. Edges are coloured by type, with a legend; edge_looks: one an edge, in the
// order of the graph's incoming links, or none.
constexpr int most_drawn_nodes = 40;
std::string draw_graph(const Graph& graph, const Vocabulary& edge_types, const std::vector<NodeLook>& looks,
                       const std::vector<int>& centres, const std::vector<EdgeLook>& edge_looks = {},
                       int most = most_drawn_nodes);

} // namespace ggsnn
