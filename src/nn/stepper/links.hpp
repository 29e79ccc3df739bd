// A graph as networks that learn steps read it: for each node the node itself and then its neighbours, by
// number, each once, whatever edges lead to it.
#pragma once

#include "ggsnn/nn/dataset.hpp"

namespace ggsnn {

struct Links {
    int nodes = 0, slots = 0;
    std::vector<int> start;    // links of node v: start[v] .. start[v + 1]; the first is v itself
    std::vector<int> from;     // the node at the other end
    std::vector<int> back;     // the link of that node that leads here
    std::vector<float> length; // the smallest weight of the edges between the two; 1 without weights
    std::vector<char> kind;    // links x slots: whether there is such an edge
    std::vector<float> inputs; // nodes x width: features, types, arguments
    int width = 0;

    // For a data set with this schema. slots: 2 * edge types.
    Links(const Schema& schema, const Dataset& data, const Example& example, int slots);

    int links() const { return static_cast<int>(from.size()); }
    // The link over which v points to u, or -1 where u is neither v nor a neighbour.
    int link_to(int v, int u) const;

  private:
    void set_inputs(const Schema& schema, const GraphRecord& record, const Example& example);
};

} // namespace ggsnn
