// Typed graphs, and minibatches of them. A graph is a directed multigraph whose edges have types;
// parallel edges and self loops are allowed, and an edge counts as often as it is listed. A chunk is the
// disjoint union of whole graphs, the unit that one thread takes through the network; a minibatch is one
// or more chunks.
#pragma once

#include "ggsnn/nn/kernels/kernels.hpp"

#include <span>
#include <vector>

namespace ggsnn {

struct Edge {
    int source, type, target;
    bool operator==(const Edge&) const = default;
};

// The two directions of an edge, as seen from the node that receives a message.
enum Direction { incoming = 0, outgoing = 1 };

// Compressed adjacency of one graph: for each slot (2 * type + direction) the nodes that have such edges,
// in increasing order, and their neighbours. Incoming: neighbours are sources. Immutable.
class Graph {
  public:
    Graph() = default;
    // REQUIRES every source and target in 0 .. nodes-1, every type >= 0.
    Graph(int nodes, std::span<const Edge> edges);

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

  private:
    int nodes_ = 0;
    std::vector<int> slot_begin_ = {0};
    std::vector<int> rows_, starts_ = {0}, neighbours_;
};

// One slot of a chunk: its receiving nodes in increasing order and the neighbours of each, which are
// neighbours[starts[i]] to neighbours[starts[i + 1]]. A view.
struct Adjacency {
    std::span<const int> rows, starts, neighbours;
    bool single = true; // every row has one neighbour

    int size() const { return static_cast<int>(rows.size()); }
    int degree(int i) const { return starts[i + 1] - starts[i]; }
    // Entries whose rows lie in [first, last).
    int lower(int first) const;
};

// What the loss looks at, besides the network's output. All in the order of the chunk's graphs; which
// ones are used depends on the head.
template <class T>
struct Targets {
    int steps = 1;              // outputs per graph: 1, or the longest sequence in the chunk
    std::vector<int> labels;    // graph-level: steps per graph (class, or node as chunk row); node-level: one
                                // per node. -1: missing, or past the end of this graph's sequence
    std::vector<T> values;      // regression: outputs per graph or per node, NaN: missing
    std::vector<T> annotations; // observed annotations: (steps - 1) x nodes x padded width; empty if latent
    void clear();
};

// Above which a graph is split over threads, and is a chunk by itself.
constexpr int large_rows = 4096;

template <class T>
struct Chunk {
    Chunk() = default;
    Chunk(Chunk&&) noexcept = default;
    Chunk& operator=(Chunk&&) noexcept = default;
    Chunk(const Chunk&) = delete; // adjacency points into the chunk
    Chunk& operator=(const Chunk&) = delete;

    int nodes = 0;
    std::vector<int> graph_start = {0}; // first row of each graph, and the number of nodes
    std::vector<Adjacency> adjacency;   // 2 * type + direction
    std::vector<int> hearing[2]; // by direction: nodes with such edges of any type, in increasing order
    int annotation = 0;          // width X of x
    std::vector<T> x;            // nodes x padded(annotation)
    Targets<T> targets;
    T scale = 1; // weight of one target in the loss: 1 / targets of the whole minibatch

    int graphs() const { return static_cast<int>(graph_start.size()) - 1; }

    // Empties the chunk for graphs with this many edge types and this annotation width; keeps memory.
    void reset(int edge_types, int annotation_width);
    // Appends a graph, plus `extra` isolated nodes; their annotations are zero. Returns its first row.
    // REQUIRES graph.slots() <= 2 * edge types. An empty chunk does not copy a graph of more than large_rows
    // nodes: it must outlive what the chunk holds, and nothing may be appended to it.
    int append(const Graph& graph, int extra = 0);
    T* annotation_row(int row) { return x.data() + static_cast<std::size_t>(row) * padded(annotation); }

  private:
    struct Lists {
        std::vector<int> rows, starts, neighbours;
    };
    void copy(const Graph& graph, int slot);

    std::vector<Lists> lists_; // by slot
    bool borrowed_ = false;    // adjacency is a graph's
    std::vector<char> hears_;  // scratch of append
};

} // namespace ggsnn
