#include "ggsnn/logic/induct/packed_index.hpp"

#include <utility>

namespace ggsnn::logic::induct {

PackedIndex::PackedIndex(std::uint64_t parameters) : parameters_(parameters) {
    for (std::uint8_t p = 0; p < 64; ++p)
        if ((parameters >> p & 1U) != 0) order_.push_back(p);
}

std::size_t PackedIndex::branch(const PackedPair& pair, std::size_t depth) const {
    const std::uint8_t p = order_[depth];
    if ((pair.null >> p & 1U) != 0) return 1;
    return (pair.not_null >> p & 1U) != 0 ? 2 : 0;
}

std::uint32_t PackedIndex::child(std::uint32_t node, std::size_t branch) {
    if (nodes_[node].next[branch] == 0) {
        const auto fresh = static_cast<std::uint32_t>(nodes_.size());
        nodes_.emplace_back();
        nodes_[fresh].depth = nodes_[node].depth + 1;
        nodes_[node].next[branch] = fresh;
    }
    return nodes_[node].next[branch];
}

void PackedIndex::add(const std::vector<PackedPair>& all, std::uint32_t number) {
    std::uint32_t at = 0;
    while (!nodes_[at].leaf) at = child(at, branch(all[number], nodes_[at].depth));
    nodes_[at].held.push_back(number);
    while (nodes_[at].held.size() > most_in_leaf && nodes_[at].depth < order_.size()) {
        const std::vector<std::uint32_t> held = std::exchange(nodes_[at].held, {});
        nodes_[at].leaf = false;
        std::uint32_t full = 0; // all may go the same way
        for (const std::uint32_t one : held) {
            const std::uint32_t next = child(at, branch(all[one], nodes_[at].depth));
            nodes_[next].held.push_back(one);
            if (nodes_[next].held.size() > most_in_leaf) full = next;
        }
        if (full == 0) return;
        at = full;
    }
}

void PackedIndex::find(std::uint64_t null, std::uint64_t not_null, std::vector<std::uint32_t>& found) const {
    std::array<std::uint32_t, 3 * 64> open{}; // at most two wait at each depth
    std::size_t count = 1;
    while (count > 0) {
        const Node& node = nodes_[open[--count]];
        if (node.leaf) {
            found.insert(found.end(), node.held.begin(), node.held.end());
            continue;
        }
        const std::uint8_t p = order_[node.depth];
        const auto visit = [&](std::size_t branch) {
            if (node.next[branch] != 0) open[count++] = node.next[branch];
        };
        visit(0);
        if ((not_null >> p & 1U) == 0) visit(1);
        if ((null >> p & 1U) == 0) visit(2);
    }
}

} // namespace ggsnn::logic::induct
