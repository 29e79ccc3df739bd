#include "ggsnn/nn/graph.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>
#include <numeric>

namespace ggsnn {

Graph::Graph(int nodes, std::span<const Edge> edges) : nodes_(nodes) {
    struct Link {
        int slot, row, neighbour;
    };
    std::vector<Link> links;
    links.reserve(edges.size() * 2);
    int slots = 0;
    for (const Edge& e : edges) {
        GGSNN_ASSERT(e.type >= 0 && e.source >= 0 && e.source < nodes && e.target >= 0 && e.target < nodes);
        links.push_back({2 * e.type + incoming, e.target, e.source});
        links.push_back({2 * e.type + outgoing, e.source, e.target});
        slots = std::max(slots, 2 * e.type + 2);
    }
    // Neighbours in increasing order: the order in which edges are listed never matters.
    std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
        return std::tie(a.slot, a.row, a.neighbour) < std::tie(b.slot, b.row, b.neighbour);
    });
    slot_begin_.assign(slots + 1, 0);
    const auto begins_entry = [&](std::size_t i) {
        return i == 0 || links[i].slot != links[i - 1].slot || links[i].row != links[i - 1].row;
    };
    std::size_t entries = 0;
    for (std::size_t i = 0; i < links.size(); ++i) entries += begins_entry(i) ? 1 : 0;
    neighbours_.reserve(links.size());
    rows_.reserve(entries);
    starts_.clear();
    starts_.reserve(entries + 1);
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (begins_entry(i)) {
            rows_.push_back(links[i].row);
            starts_.push_back(static_cast<int>(i));
            ++slot_begin_[links[i].slot + 1];
        }
        neighbours_.push_back(links[i].neighbour);
    }
    starts_.push_back(static_cast<int>(links.size()));
    std::partial_sum(slot_begin_.begin(), slot_begin_.end(), slot_begin_.begin());
}

} // namespace ggsnn
