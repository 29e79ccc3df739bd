// Minibatches of graphs. A chunk is the disjoint union of whole graphs, the unit that one thread takes
// through the network; a minibatch is one or more chunks.
#pragma once

#include "ggsnn/nn/graph.hpp"
#include "ggsnn/nn/kernels/kernels.hpp"
#include "ggsnn/nn/loading.hpp"
#include "ggsnn/nn/near_first.hpp"

#include <algorithm>

namespace ggsnn {

// One slot of a chunk: its receiving nodes in increasing order and the neighbours of each, which are
// neighbours[starts[i]] to neighbours[starts[i + 1]]. A view.
struct Adjacency {
    std::span<const int> rows, starts, neighbours;
    // By link, as neighbours: weights of the messages that rows receive, and of those that rows send over the
    // same edges; empty: all 1. They differ where messages are averaged.
    std::span<const float> weights, sent_weights;
    bool single = true; // every row has one neighbour, whose weight is 1

    int size() const { return static_cast<int>(rows.size()); }
    int degree(int i) const { return starts[i + 1] - starts[i]; }
    // Sum of the weights of row i: its degree where there are none.
    template <class T>
    T weight(int i) const {
        if (weights.empty()) return static_cast<T>(degree(i));
        T sum = 0;
        for (int e = starts[i]; e < starts[i + 1]; ++e) sum += static_cast<T>(weights[e]);
        return sum;
    }
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
    T smoothing = 0;            // of labels: the share of a target that goes to all labels alike
    std::vector<T> class_weights; // of a label's loss; empty: all 1
    bool absolute = false;        // regression: the absolute error, rounded off near 0, not the squared one
    void clear();
};

// Numbers that are known of nodes, for a layer that makes annotations of them. Row v is row v of `dense`,
// plus the sparse numbers from starts[v] to starts[v + 1].
template <class T>
struct Inputs {
    int width = 0, dense_width = 0; // dense numbers are the first columns
    std::vector<T> dense;           // nodes x dense_width
    std::vector<int> starts = {0}, columns;
    std::vector<float> values;
    void clear();
};

// What is done to edges on their way into a chunk.
struct EdgeTreatment {
    bool mean = false;  // messages that a node gets in a slot are averaged instead of added
    double dropout = 0; // share of edges that are left out
    std::uint64_t key = 0;

    bool any() const { return mean || dropout > 0; }
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
    bool weighted = false;       // some edges have weights
    int edge_width = 0;          // numbers of an edge
    // By slot and entry of its adjacency: the sum of the edges' numbers, times their weights.
    std::vector<std::vector<T>> edge_sums;
    Inputs<T> inputs;
    Targets<T> targets;
    T scale = 1; // weight of one target in the loss: 1 / targets of the whole minibatch
    // Dropout of final states: a share, and a key for each graph; empty: none.
    double state_dropout = 0;
    std::vector<std::uint64_t> keys;
    // If not null, the chunk is one graph, its rows in this order.
    std::shared_ptr<const NearFirst> near;

    // Rows whose states count when so many steps are still to come: the first ones, or all.
    int counting(int steps_left) const {
        return near ? near->within[std::min<std::size_t>(steps_left, near->within.size() - 1)] : nodes;
    }
    // Rows that count at all.
    int counting() const { return near ? near->within.back() : nodes; }
    // The row of a graph's node, from the graph's first row on; the node of a row.
    int row_of(int node) const { return near ? near->row_of[node] : node; }
    int node_of(int row) const { return near ? near->node_of[row] : row; }

    int graphs() const { return static_cast<int>(graph_start.size()) - 1; }

    // Empties the chunk for graphs with this many edge types and numbers an edge and this annotation width;
    // keeps memory.
    void reset(int edge_types, int annotation_width, int edge_numbers = 0);
    // Appends a graph, plus `extra` isolated nodes; their annotations are zero. Returns its first row.
    // REQUIRES graph.slots() <= 2 * edge types. An empty chunk does not copy a graph of more than large_rows
    // nodes: it must outlive what the chunk holds, and nothing may be appended to it.
    int append(const Graph& graph, int extra = 0, const EdgeTreatment& treatment = {});
    T* annotation_row(int row) { return x.data() + static_cast<std::size_t>(row) * padded(annotation); }

  private:
    struct Lists {
        std::vector<int> rows, starts, neighbours;
        std::vector<float> weights, sent;
    };
    void treat(const Graph& graph, const EdgeTreatment& treatment);
    void copy(const Graph& graph, int slot, bool with_weights);
    void add_edge_sums(const Graph& graph, int slot);

    std::vector<Lists> lists_;          // by slot
    bool borrowed_ = false;             // adjacency is a graph's
    std::vector<char> hears_;           // scratch of append
    std::vector<float> weights_, sent_; // by link of the graph that was appended last
    std::vector<float> norms_;          // scratch of treat
};

} // namespace ggsnn
