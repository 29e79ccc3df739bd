// The messages of a chunk, grouped by label triple: which node hears which others with the same parameters.
// An edge from a to b is two messages, one to b (incoming) and one to a (outgoing); parallel edges are
// messages of their own. A message whose triple did not occur in training is dropped: there is nothing
// learned to send, and zero keeps the map a contraction.
#pragma once

#include "ggsnn/nn/chunk.hpp"
#include "ggsnn/nn/gnn/labels.hpp"

namespace ggsnn {

template <class T>
struct Messages {
    // Messages of one triple: entries [first_source, last_source) of the lists by source, [first_row,
    // last_row) of those by receiver.
    struct Group {
        int triple;
        int first_source, last_source;
        int first_row, last_row;
    };
    std::vector<Group> groups; // in increasing order of triples

    // By source: a node that sends, and the nodes that hear it. Nodes of a group are distinct and increase.
    std::vector<int> sources, source_starts, receivers;
    std::vector<T> source_count; // how many hear it
    // By receiver: a node that hears, and whom: as nodes, and as places in its group's sources.
    std::vector<int> rows, row_starts, row_nodes, row_sources;
    std::vector<T> row_count; // how many it hears

    std::vector<T> share; // per node: 1 / messages it sends, 0 if none

    // Replaces everything; keeps memory. labels: one per row of the chunk. With `super`, the last node of
    // every graph is joined to all others of its graph by edges of type `edge_types` that point to it.
    void build(const Chunk<T>& chunk, const std::vector<int>& labels, const LabelTable& table, int edge_types,
               bool super);

    int dropped() const { return dropped_; } // messages whose triple is unknown

  private:
    struct Message {
        int triple, receiver, source, place;
    };
    void add(const LabelTable& table, const std::vector<int>& labels, int receiver, int slot, int source);
    void list_by_source();
    void list_by_receiver();
    std::vector<Message> messages_;
    int dropped_ = 0;
};

} // namespace ggsnn
