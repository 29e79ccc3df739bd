// Shortest paths and Eulerian circuits (section 'Learning Graph Algorithms' and appendix B of the paper),
// each beside a smaller distractor graph. An edge is written in both directions, first from the node that
// the generator numbered lower, as in the folds; then the nodes get their names in any order.
#include "ggsnn/tasks/generate_families.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace ggsnn {

namespace {

constexpr int main_nodes = 5, distractor_nodes = 4;

using Edges = std::vector<std::array<int, 2>>; // undirected, between nodes 0, 1, ...
using Neighbours = std::vector<std::vector<int>>;

// Watts and Strogatz's small world with two neighbours a node: each edge u, u+1 of a ring moves its far end
// to a random node, one that is not yet a neighbour of u, with probability one half.
Neighbours draw_small_world(int nodes, Random& random) {
    Neighbours neighbours(nodes);
    const auto connect = [&](int a, int b) {
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
    };
    for (int u = 0; u < nodes; ++u) connect(u, (u + 1) % nodes);
    for (int u = 0; u < nodes; ++u) {
        if (!random.chance(0.5) || static_cast<int>(neighbours[u].size()) >= nodes - 1) continue;
        const auto taken = [&](int w) {
            return w == u || std::find(neighbours[u].begin(), neighbours[u].end(), w) != neighbours[u].end();
        };
        int w = u;
        while (taken(w)) w = static_cast<int>(random.below(nodes));
        const int v = (u + 1) % nodes;
        std::erase(neighbours[u], v);
        std::erase(neighbours[v], u);
        connect(u, w);
    }
    return neighbours;
}

// Breadth first from source: distances (-1: out of reach) and the number of shortest paths, 2 for many.
struct Reach {
    std::vector<int> distance, paths;
    int reached = 0;
};

Reach search(const Neighbours& neighbours, int source) {
    Reach reach;
    reach.distance.assign(neighbours.size(), -1);
    reach.paths.assign(neighbours.size(), 0);
    reach.distance[source] = 0;
    reach.paths[source] = 1;
    std::vector<int> queue = {source};
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const int u = queue[i];
        for (int v : neighbours[u]) {
            if (reach.distance[v] < 0) {
                reach.distance[v] = reach.distance[u] + 1;
                queue.push_back(v);
            }
            if (reach.distance[v] == reach.distance[u] + 1)
                reach.paths[v] = std::min(2, reach.paths[v] + reach.paths[u]);
        }
    }
    reach.reached = static_cast<int>(queue.size());
    return reach;
}

Neighbours draw_connected(int nodes, Random& random) {
    for (;;) {
        Neighbours graph = draw_small_world(nodes, random);
        if (search(graph, 0).reached == nodes) return graph;
    }
}

// The nodes from source to target. REQUIRES: exactly one shortest path.
std::vector<int> walk_back(const Neighbours& graph, const Reach& reach, int target) {
    std::vector<int> path = {target};
    while (reach.distance[path.back()] > 0) {
        const auto& around = graph[path.back()];
        path.push_back(*std::find_if(around.begin(), around.end(), [&](int u) {
            return reach.distance[u] == reach.distance[path.back()] - 1;
        }));
    }
    std::reverse(path.begin(), path.end());
    return path;
}

void add_edges(Edges& edges, const Neighbours& graph, int offset) {
    for (int u = 0; u < static_cast<int>(graph.size()); ++u)
        for (int v : graph[u])
            if (u < v) edges.push_back({u + offset, v + offset});
}

void add_cycle(Edges& edges, const std::vector<int>& cycle) {
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        const int a = cycle[i], b = cycle[(i + 1) % cycle.size()];
        edges.push_back({std::min(a, b), std::max(a, b)});
    }
}

// The story of these edges, with a question about the first and another node of the sequence answer.
Story tell(const std::string& type, int nodes, Edges edges, const std::vector<int>& answer, int argument,
           Random& random) {
    std::vector<int> ids(nodes);
    std::iota(ids.begin(), ids.end(), 0);
    random.shuffle(ids);
    random.shuffle(edges);
    const auto name = [&](int node) { return std::to_string(ids[node]); };
    std::vector<NamedFact> facts;
    for (const auto& [a, b] : edges) {
        facts.push_back({name(a), "connected-to", name(b)});
        facts.push_back({name(b), "connected-to", name(a)});
    }
    StoryBuilder story(facts);
    std::vector<std::string> names;
    for (int node : answer) names.push_back(name(node));
    story.ask(type, {name(answer.front()), name(argument)}, names);
    return story.take();
}

} // namespace

// Graph and two of its nodes are drawn together, until a single shortest path of three nodes or more
// connects the two.
Story generate_shortest_path(Random& random, int scale) {
    const int nodes = main_nodes * scale, others = distractor_nodes * scale;
    for (;;) {
        const Neighbours graph = draw_connected(nodes, random);
        const int source = static_cast<int>(random.below(nodes));
        const int target = static_cast<int>(random.below(nodes));
        const Reach reach = search(graph, source);
        if (reach.distance[target] < 2 || reach.paths[target] != 1) continue;
        Edges edges;
        add_edges(edges, graph, 0);
        add_edges(edges, draw_connected(others, random), nodes);
        return tell("shortest-path", nodes + others, edges, walk_back(graph, reach, target), target, random);
    }
}

// Two cycles. The asked circuit begins at the node numbered lowest and goes to the neighbour numbered
// higher: after renaming, any node in either direction.
Story generate_eulerian_circuit(Random& random, int scale) {
    const int nodes = main_nodes * scale, others = distractor_nodes * scale;
    const auto draw_cycle = [&](int first, int count) {
        std::vector<int> rest(count - 1);
        std::iota(rest.begin(), rest.end(), first + 1);
        random.shuffle(rest);
        if (rest.front() < rest.back()) std::reverse(rest.begin(), rest.end());
        rest.insert(rest.begin(), first);
        return rest;
    };
    const std::vector<int> circuit = draw_cycle(0, nodes);
    Edges edges;
    add_cycle(edges, circuit);
    add_cycle(edges, draw_cycle(nodes, others));
    return tell("eulerian-circuit", nodes + others, edges, circuit, circuit[1], random);
}

} // namespace ggsnn
