#include "ggsnn/nn/graph.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/nn/edges.hpp"

#include <algorithm>
#include <numeric>

namespace ggsnn {

Graph::Graph(int nodes, std::span<const Edge> edges, const EdgeData& data)
    : nodes_(nodes), edge_width_(data.width), edge_features_(data.features.begin(), data.features.end()) {
    struct Link {
        int slot, row, neighbour, edge;
    };
    GGSNN_ASSERT(data.weights.empty() || data.weights.size() == edges.size());
    GGSNN_ASSERT(data.features.size() == edges.size() * static_cast<std::size_t>(data.width));
    std::vector<Link> links;
    links.reserve(edges.size() * 2);
    int slots = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const Edge& e = edges[i];
        const int edge = static_cast<int>(i);
        GGSNN_ASSERT(e.type >= 0 && e.source >= 0 && e.source < nodes && e.target >= 0 && e.target < nodes);
        links.push_back({2 * e.type + incoming, e.target, e.source, edge});
        links.push_back({2 * e.type + outgoing, e.source, e.target, edge});
        slots = std::max(slots, 2 * e.type + 2);
    }
    // Neighbours in increasing order, and parallel edges by what they carry: the order in which edges are
    // listed never matters.
    const auto before = [&](int a, int b) {
        if (!data.weights.empty() && data.weights[a] != data.weights[b])
            return data.weights[a] < data.weights[b];
        const auto of = [&](int edge) {
            return data.features.subspan(static_cast<std::size_t>(edge) * data.width, data.width);
        };
        return std::ranges::lexicographical_compare(of(a), of(b));
    };
    std::sort(links.begin(), links.end(), [&](const Link& a, const Link& b) {
        const auto place_a = std::tie(a.slot, a.row, a.neighbour);
        const auto place_b = std::tie(b.slot, b.row, b.neighbour);
        return place_a != place_b ? place_a < place_b : before(a.edge, b.edge);
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
        if (!data.weights.empty()) weights_.push_back(data.weights[links[i].edge]);
        if (data.width > 0) edge_of_.push_back(links[i].edge);
    }
    starts_.push_back(static_cast<int>(links.size()));
    std::partial_sum(slot_begin_.begin(), slot_begin_.end(), slot_begin_.begin());
}

namespace {

// Edges of a graph, as they are kept.
struct EdgeLists {
    std::vector<Edge> edges;
    std::vector<float> weights, features;
};

EdgeLists lists_of(const Graph& graph) {
    EdgeLists lists;
    for (int slot = incoming; slot < graph.slots(); slot += 2)
        for (int entry = graph.slot_begin(slot); entry < graph.slot_end(slot); ++entry)
            for (const int& source : graph.neighbours(entry)) {
                const auto link = static_cast<int>(&source - graph.neighbours().data());
                lists.edges.push_back({source, slot / 2, graph.row(entry)});
                if (!graph.weights().empty()) lists.weights.push_back(graph.weights()[link]);
                if (graph.edge_width() > 0)
                    lists.features.insert(lists.features.end(), graph.edge_features(link).begin(),
                                          graph.edge_features(link).end());
            }
    return lists;
}

} // namespace

std::vector<Edge> edges_of(const Graph& graph) {
    return lists_of(graph).edges;
}

Graph with_types(const Graph& graph, std::span<const int> type_of) {
    EdgeLists lists = lists_of(graph);
    for (Edge& e : lists.edges) e.type = type_of[static_cast<std::size_t>(e.type)];
    return Graph(graph.nodes(), lists.edges, {lists.weights, lists.features, graph.edge_width()});
}

Graph renumbered(const Graph& graph, std::span<const int> number_of) {
    EdgeLists lists = lists_of(graph);
    for (Edge& e : lists.edges) e = {number_of[e.source], e.type, number_of[e.target]};
    return Graph(graph.nodes(), lists.edges, {lists.weights, lists.features, graph.edge_width()});
}

Graph with_reach(const Graph& graph, int first_type, int reach) {
    EdgeLists lists = lists_of(graph);
    const int nodes = graph.nodes();
    std::vector<std::vector<int>> beside(nodes);
    for (const Edge& e : lists.edges) {
        beside[e.source].push_back(e.target);
        beside[e.target].push_back(e.source);
    }
    std::vector<int> distance(nodes), order;
    for (int from = 0; from < nodes; ++from) {
        std::fill(distance.begin(), distance.end(), -1);
        distance[from] = 0;
        order.assign(1, from);
        for (std::size_t i = 0; i < order.size() && distance[order[i]] < reach; ++i)
            for (const int next : beside[order[i]])
                if (distance[next] < 0) {
                    distance[next] = distance[order[i]] + 1;
                    order.push_back(next);
                }
        for (const int to : order)
            if (distance[to] >= 2) lists.edges.push_back({from, first_type + distance[to] - 2, to});
    }
    if (!lists.weights.empty()) lists.weights.resize(lists.edges.size(), 1);
    lists.features.resize(lists.edges.size() * static_cast<std::size_t>(graph.edge_width()), 0);
    return Graph(nodes, lists.edges, {lists.weights, lists.features, graph.edge_width()});
}

} // namespace ggsnn
