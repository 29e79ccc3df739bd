// Typed graphs. A graph is a directed multigraph whose edges have types; parallel edges and self loops are
// allowed, and an edge counts as often as it is listed.
#pragma once

#include <span>
#include <vector>

namespace ggsnn {

struct Edge {
    int source, type, target;
    bool operator==(const Edge&) const = default;
};

// The two directions of an edge, as seen from the node that receives a message.
enum Direction { incoming = 0, outgoing = 1 };

// What edges carry besides their types, in the order of the edges; empty: nothing.
struct EdgeData {
    std::span<const float> weights = {};  // of their messages; empty: all 1
    std::span<const float> features = {}; // edges x width
    int width = 0;
};

// Compressed adjacency of one graph: for each slot (2 * type + direction) the nodes that have such edges,
// in increasing order, and their neighbours. Incoming: neighbours are sources. Immutable.
class Graph {
  public:
    Graph() = default;
    // REQUIRES every source and target in 0 .. nodes-1, every type >= 0; data of as many edges.
    Graph(int nodes, std::span<const Edge> edges, const EdgeData& data = {});

    int nodes() const { return nodes_; }
    int edges() const { return static_cast<int>(neighbours_.size() / 2); }
    int slots() const { return static_cast<int>(slot_begin_.size()) - 1; }

    // Entries of a slot are slot_begin(s) .. slot_end(s); a slot beyond slots() has none.
    int slot_begin(int slot) const {
        return slot < slots() ? slot_begin_[slot] : static_cast<int>(rows_.size());
    }
    int slot_end(int slot) const {
        return slot < slots() ? slot_begin_[slot + 1] : static_cast<int>(rows_.size());
    }
    int row(int entry) const { return rows_[entry]; }
    // Rows of the entries of a slot; where their neighbours begin, and the last one's end; neighbours of all.
    std::span<const int> rows(int slot) const {
        return std::span(rows_).subspan(slot_begin(slot), slot_end(slot) - slot_begin(slot));
    }
    std::span<const int> starts(int slot) const {
        return std::span(starts_).subspan(slot_begin(slot), slot_end(slot) - slot_begin(slot) + 1);
    }
    std::span<const int> neighbours() const { return neighbours_; }
    std::span<const int> neighbours(int entry) const {
        return {neighbours_.data() + starts_[entry],
                static_cast<std::size_t>(starts_[entry + 1] - starts_[entry])};
    }

    // By link, as neighbours(): the weight of its edge; empty: all 1.
    std::span<const float> weights() const { return weights_; }
    // Numbers of an edge; the edge of a link, in the order in which edges were given; its numbers. Edges are
    // known where they have numbers.
    int edge_width() const { return edge_width_; }
    int edge_of(int link) const { return edge_of_[link]; }
    std::span<const float> edge_features(int link) const {
        return std::span(edge_features_)
            .subspan(static_cast<std::size_t>(edge_of_[link]) * edge_width_, edge_width_);
    }

  private:
    int nodes_ = 0;
    std::vector<int> slot_begin_ = {0};
    std::vector<int> rows_, starts_ = {0}, neighbours_;
    std::vector<float> weights_; // by link
    int edge_width_ = 0;
    std::vector<int> edge_of_; // by link
    std::vector<float> edge_features_;
};

// The graph with edges of types of their own between nodes that are 2, 3, .. reach edges apart, whatever the
// directions on the way: type first_type + d - 2 for d edges, both ways. They weigh 1, and their numbers are
// 0.
Graph with_reach(const Graph& graph, int first_type, int reach);

} // namespace ggsnn
