// Graph algorithms as tasks: a graph, a question about it, the answer, and as hints what a plain solver does
// step by step (Hints in nn/dataset.hpp). Six that learned algorithms are compared on, on graphs of three
// families (random_graphs.hpp), and the two sequences of the paper, shortest path and Eulerian circuit.
//
// task             argument  answer                              solver, bits of a node
// bfs              source    each node's parent in the search    wave; reached
// dfs              source    the same                            walk with pointers back; current, visited
// dijkstra         source    parents in the tree of shortest     nearest node first; in the tree
//                            paths
// mst              source    parents in the spanning tree        Prim; in the tree
// eccentricity     source    edges to the farthest node          wave; reached
// mis              none      in or out, for each node            first of its neighbours; in, out
// shortest-path    two ends  the path                            wave from its end, walk back; current,
//                                                                reached, given
// eulerian-circuit first two the circuit                         walk; current, given
//
// Where two nodes would do, the one numbered lower is taken: parents, neighbours in a depth-first search, and
// the independent set, which is the one that takes nodes in the order of their numbers. Parents are answered
// as a sequence of nodes, one for each node; that of the source is itself.
#pragma once

#include "ggsnn/tasks/record.hpp"
#include "ggsnn/tasks/story.hpp"

namespace ggsnn {

class Random;

const std::vector<std::string>& algorithm_names(); // the six

struct AlgorithmOptions {
    std::string task;           // one of the six
    std::string family = "all"; // or one of graph_families(); all: in turn
    int nodes = 16;
    long count = 1000;
    std::uint64_t seed = 1;
    bool hints = true;
};

// Solvers are plain: their work grows with the square of the size, and so do hints.
inline constexpr int max_algorithm_nodes = 10000, max_hinted_nodes = 1000;

// Hands out options.count graphs. Graph i depends on i and the options but count and hints. Throws UsageError
// on an unknown task or family and on sizes out of limits, before the first.
void generate_algorithm(const AlgorithmOptions& options, const std::function<void(const Record&)>& sink);

// A story of shortest-path or eulerian-circuit, with hints or without. REQUIRES one of these.
Record walk_record(const Story& story, bool hints);

// As a line of the JSON format. REQUIRES a record of this file.
std::string to_json_line(const Record& record);

} // namespace ggsnn
