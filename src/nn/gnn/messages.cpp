#include "ggsnn/nn/gnn/messages.hpp"

#include "ggsnn/base/error.hpp"

namespace ggsnn {

template <class T>
void Messages<T>::add(const LabelTable& table, const std::vector<int>& labels, int receiver, int slot,
                      int source) {
    const int triple = table.triple(labels[receiver], slot, labels[source]);
    if (triple < 0) {
        ++dropped_;
        return;
    }
    messages_.push_back({triple, receiver, source, 0});
    share[source] += 1;
}

template <class T>
void Messages<T>::build(const Chunk<T>& chunk, const std::vector<int>& labels, const LabelTable& table,
                        int edge_types, bool super) {
    messages_.clear();
    dropped_ = 0;
    share.assign(chunk.nodes, T(0));
    for (int slot = 0; slot < 2 * edge_types; ++slot) {
        const Adjacency& edges = chunk.adjacency[slot];
        for (int i = 0; i < edges.size(); ++i)
            for (int n = edges.starts[i]; n < edges.starts[i + 1]; ++n)
                add(table, labels, edges.rows[i], slot, edges.neighbours[n]);
    }
    for (int g = 0; g < chunk.graphs() && super; ++g) {
        const int top = chunk.graph_start[g + 1] - 1;
        for (int v = chunk.graph_start[g]; v < top; ++v) {
            add(table, labels, top, 2 * edge_types + incoming, v);
            add(table, labels, v, 2 * edge_types + outgoing, top);
        }
    }
    for (T& s : share) s = s > 0 ? 1 / s : T(0);
    list_by_source();
    list_by_receiver();
}

template <class T>
void Messages<T>::list_by_source() {
    std::sort(messages_.begin(), messages_.end(), [](const Message& a, const Message& b) {
        return std::tie(a.triple, a.source, a.receiver) < std::tie(b.triple, b.source, b.receiver);
    });
    groups.clear();
    sources.clear();
    source_starts.clear();
    receivers.clear();
    source_count.clear();
    for (Message& m : messages_) {
        const bool new_group = groups.empty() || groups.back().triple != m.triple;
        if (new_group) {
            const int at = static_cast<int>(sources.size());
            groups.push_back({m.triple, at, at, 0, 0});
        }
        if (new_group || sources.back() != m.source) {
            sources.push_back(m.source);
            source_starts.push_back(static_cast<int>(receivers.size()));
            source_count.push_back(0);
            groups.back().last_source = static_cast<int>(sources.size());
        }
        m.place = static_cast<int>(sources.size()) - 1 - groups.back().first_source;
        receivers.push_back(m.receiver);
        source_count.back() += 1;
    }
    source_starts.push_back(static_cast<int>(receivers.size()));
}

template <class T>
void Messages<T>::list_by_receiver() {
    std::sort(messages_.begin(), messages_.end(), [](const Message& a, const Message& b) {
        return std::tie(a.triple, a.receiver, a.source) < std::tie(b.triple, b.receiver, b.source);
    });
    rows.clear();
    row_starts.clear();
    row_nodes.clear();
    row_sources.clear();
    row_count.clear();
    std::size_t group = 0;
    for (std::size_t i = 0; i < messages_.size(); ++i) {
        const Message& m = messages_[i];
        const bool new_group = i == 0 || messages_[i - 1].triple != m.triple;
        if (new_group) {
            group += i == 0 ? 0 : 1;
            groups[group].first_row = static_cast<int>(rows.size());
        }
        if (new_group || rows.back() != m.receiver) {
            rows.push_back(m.receiver);
            row_starts.push_back(static_cast<int>(row_nodes.size()));
            row_count.push_back(0);
            groups[group].last_row = static_cast<int>(rows.size());
        }
        row_nodes.push_back(m.source);
        row_sources.push_back(m.place);
        row_count.back() += 1;
    }
    row_starts.push_back(static_cast<int>(row_nodes.size()));
}

template struct Messages<float>;
template struct Messages<double>;

} // namespace ggsnn
