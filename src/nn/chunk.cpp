#include "ggsnn/nn/chunk.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>

namespace ggsnn {

int Adjacency::lower(int first) const {
    if (first <= 0) return 0;
    return static_cast<int>(std::lower_bound(rows.begin(), rows.end(), first) - rows.begin());
}

template <class T>
void Targets<T>::clear() {
    steps = 1;
    labels.clear();
    values.clear();
    annotations.clear();
}

template <class T>
void Chunk<T>::reset(int edge_types, int annotation_width) {
    nodes = 0;
    borrowed_ = false;
    graph_start.assign(1, 0);
    adjacency.assign(static_cast<std::size_t>(edge_types) * 2, {});
    lists_.resize(adjacency.size());
    for (std::size_t s = 0; s < lists_.size(); ++s) {
        Lists& list = lists_[s];
        list.rows.clear();
        list.starts.assign(1, 0);
        list.neighbours.clear();
        adjacency[s].starts = list.starts;
    }
    for (auto& list : hearing) list.clear();
    annotation = annotation_width;
    x.clear();
    targets.clear();
    scale = 1;
}

template <class T>
void Chunk<T>::copy(const Graph& graph, int slot) {
    Lists& list = lists_[slot];
    for (int entry = graph.slot_begin(slot); entry < graph.slot_end(slot); ++entry) {
        list.rows.push_back(nodes + graph.row(entry));
        for (int n : graph.neighbours(entry)) list.neighbours.push_back(nodes + n);
        list.starts.push_back(static_cast<int>(list.neighbours.size()));
    }
    adjacency[slot].rows = list.rows;
    adjacency[slot].starts = list.starts;
    adjacency[slot].neighbours = list.neighbours;
}

template <class T>
int Chunk<T>::append(const Graph& graph, int extra) {
    GGSNN_ASSERT(graph.slots() <= static_cast<int>(adjacency.size()));
    GGSNN_ASSERT(!borrowed_);
    borrowed_ = nodes == 0 && graph.nodes() > large_rows;
    const int first = nodes;
    hears_.assign(2 * static_cast<std::size_t>(graph.nodes()), 0);
    for (int s = 0; s < graph.slots(); ++s) {
        Adjacency& slot = adjacency[s];
        const int before = slot.size();
        if (borrowed_) {
            slot.rows = graph.rows(s);
            slot.starts = graph.starts(s);
            slot.neighbours = graph.neighbours();
        } else {
            copy(graph, s);
        }
        for (int i = before; i < slot.size(); ++i) {
            slot.single = slot.single && slot.degree(i) == 1;
            hears_[2 * static_cast<std::size_t>(slot.rows[i] - first) + s % 2] = 1;
        }
    }
    for (auto& list : hearing)
        if (borrowed_) list.reserve(graph.nodes());
    for (std::size_t i = 0; i < hears_.size(); ++i)
        if (hears_[i] != 0) hearing[i % 2].push_back(first + static_cast<int>(i / 2));
    nodes += graph.nodes() + extra;
    graph_start.push_back(nodes);
    x.resize(static_cast<std::size_t>(nodes) * padded(annotation), T(0));
    return first;
}

template struct Targets<float>;
template struct Targets<double>;
template struct Chunk<float>;
template struct Chunk<double>;

} // namespace ggsnn
