// A graph with the nodes whose answers count first, then those one edge away from one of them, then two
// edges, and so on: where few nodes have answers, the states of a step that can still reach one are the first
// rows.
#pragma once

#include "ggsnn/nn/dataset.hpp"

namespace ggsnn {

struct NearFirst {
    std::vector<char> counts; // by node: whether it has an answer
    std::vector<int> node_of, row_of;
    std::vector<int> within; // rows at most 0, 1, .. edges away; the last: as many as count at all
    Graph graph;             // nodes are rows

    // Numbers by node become numbers by row; as many for each.
    template <class T>
    void arrange(std::vector<T>& numbers) const {
        const std::size_t wide = numbers.size() / node_of.size();
        const std::vector<T> before = numbers;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = before[node_of[i / wide] * wide + i % wide];
    }
};

// For a network of so many steps; nothing where no tenth of its work could be left out. Made at the first
// call for these answers, and kept with the record for the next; from any thread. REQUIRES an example with
// answers of every node.
std::shared_ptr<const NearFirst> near_first(const GraphRecord& record, const Example& example, int steps);

} // namespace ggsnn
