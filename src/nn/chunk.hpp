// Minibatches of graphs. A chunk is the disjoint union of whole graphs, the unit that one thread takes
// through the network; a minibatch is one or more chunks.
#pragma once

#include "ggsnn/nn/graph.hpp"
#include "ggsnn/nn/kernels/kernels.hpp"

namespace ggsnn {

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
