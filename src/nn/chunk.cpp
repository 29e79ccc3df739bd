#include "ggsnn/nn/chunk.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>
#include <cmath>

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
    smoothing = 0;
    class_weights.clear();
    absolute = false;
}

template <class T>
void Inputs<T>::clear() {
    width = dense_width = 0;
    dense.clear();
    starts.assign(1, 0);
    columns.clear();
    values.clear();
}

template <class T>
void Chunk<T>::reset(int edge_types, int annotation_width, int edge_numbers) {
    nodes = 0;
    borrowed_ = weighted = false;
    graph_start.assign(1, 0);
    adjacency.assign(static_cast<std::size_t>(edge_types) * 2, {});
    lists_.resize(adjacency.size());
    for (std::size_t s = 0; s < lists_.size(); ++s) {
        Lists& list = lists_[s];
        list.rows.clear();
        list.starts.assign(1, 0);
        list.neighbours.clear();
        list.weights.clear();
        list.sent.clear();
        adjacency[s].starts = list.starts;
    }
    for (auto& list : hearing) list.clear();
    annotation = annotation_width;
    edge_width = edge_numbers;
    edge_sums.resize(edge_numbers > 0 ? adjacency.size() : 0);
    for (auto& sums : edge_sums) sums.clear();
    inputs.clear();
    x.clear();
    targets.clear();
    scale = 1;
    state_dropout = 0;
    keys.clear();
    near.reset();
}

// weights_ and sent_: what each link of the graph counts, as the receiver and as the sender sees it.
template <class T>
void Chunk<T>::treat(const Graph& graph, const EdgeTreatment& treatment) {
    const std::size_t links = graph.neighbours().size(), n = graph.nodes();
    weights_.assign(links, 1.0F);
    std::copy(graph.weights().begin(), graph.weights().end(), weights_.begin());
    const auto for_links = [&](auto body) { // body(slot, row, neighbour, link)
        for (int s = 0; s < graph.slots(); ++s)
            for (int entry = graph.slot_begin(s); entry < graph.slot_end(s); ++entry)
                for (const int& neighbour : graph.neighbours(entry))
                    body(s, graph.row(entry), neighbour, &neighbour - graph.neighbours().data());
    };
    if (treatment.dropout > 0) {
        // Both ends of an edge see the same: it is known by its source, type and target.
        const Drop drop(treatment.dropout);
        for_links([&](int s, int row, int neighbour, std::size_t link) {
            const bool in = s % 2 == incoming;
            const auto source = static_cast<std::uint64_t>(in ? neighbour : row),
                       target = static_cast<std::uint64_t>(in ? row : neighbour);
            weights_[link] *= drop.of(mixed(mixed(treatment.key, source << 32 | target), s / 2));
        });
    }
    sent_ = weights_;
    if (!treatment.mean) return;
    norms_.assign(n * static_cast<std::size_t>(graph.slots()), 0.0F);
    const auto norm = [&](int s, int v) -> float& { return norms_[static_cast<std::size_t>(s) * n + v]; };
    for_links([&](int s, int row, int, std::size_t link) { norm(s, row) += std::abs(weights_[link]); });
    for (float& each : norms_) each = each > 0 ? 1 / each : 0;
    for_links([&](int s, int row, int neighbour, std::size_t link) {
        weights_[link] *= norm(s, row);
        sent_[link] *= norm(s ^ 1, neighbour);
    });
}

template <class T>
void Chunk<T>::copy(const Graph& graph, int slot, bool with_weights) {
    Lists& list = lists_[slot];
    // Graphs before this one may have had none.
    if (with_weights) list.weights.resize(list.neighbours.size(), 1.0F);
    if (with_weights) list.sent.resize(list.neighbours.size(), 1.0F);
    for (int entry = graph.slot_begin(slot); entry < graph.slot_end(slot); ++entry) {
        list.rows.push_back(nodes + graph.row(entry));
        for (const int& n : graph.neighbours(entry)) {
            list.neighbours.push_back(nodes + n);
            const std::ptrdiff_t link = &n - graph.neighbours().data();
            if (with_weights) list.weights.push_back(weights_[link]);
            if (with_weights) list.sent.push_back(sent_[link]);
        }
        list.starts.push_back(static_cast<int>(list.neighbours.size()));
    }
    adjacency[slot].rows = list.rows;
    adjacency[slot].starts = list.starts;
    adjacency[slot].neighbours = list.neighbours;
    if (!list.weights.empty()) {
        list.weights.resize(list.neighbours.size(), 1.0F);
        list.sent.resize(list.neighbours.size(), 1.0F);
    }
    adjacency[slot].weights = list.weights;
    adjacency[slot].sent_weights = list.sent;
}

template <class T>
void Chunk<T>::add_edge_sums(const Graph& graph, int slot) {
    std::vector<T>& sums = edge_sums[slot];
    for (int entry = graph.slot_begin(slot); entry < graph.slot_end(slot); ++entry) {
        const std::size_t at = sums.size();
        sums.resize(at + edge_width, T(0));
        for (const int& neighbour : graph.neighbours(entry)) {
            const int link = static_cast<int>(&neighbour - graph.neighbours().data());
            const T weight = weighted ? static_cast<T>(weights_[link]) : T(1);
            for (int j = 0; j < edge_width; ++j)
                sums[at + j] += weight * static_cast<T>(graph.edge_features(link)[j]);
        }
    }
}

template <class T>
int Chunk<T>::append(const Graph& graph, int extra, const EdgeTreatment& treatment) {
    GGSNN_ASSERT(graph.slots() <= static_cast<int>(adjacency.size()));
    GGSNN_ASSERT(!borrowed_);
    GGSNN_ASSERT(graph.edge_width() == edge_width || graph.edges() == 0);
    const bool with_weights = treatment.any() || !graph.weights().empty();
    weighted = weighted || with_weights;
    if (weighted) treat(graph, treatment);
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
            if (with_weights) slot.weights = weights_;
            if (with_weights) slot.sent_weights = sent_;
        } else {
            copy(graph, s, with_weights);
        }
        if (edge_width > 0) add_edge_sums(graph, s);
        if (!slot.weights.empty()) slot.single = false;
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
template struct Inputs<float>;
template struct Inputs<double>;
template struct Chunk<float>;
template struct Chunk<double>;

} // namespace ggsnn
