#include "ggsnn/nn/stepper/links.hpp"

#include <algorithm>
#include <limits>

namespace ggsnn {

namespace {

struct RawLink {
    int to, from, slot;
    float length;
};

std::vector<RawLink> raw_links(const Graph& graph) {
    std::vector<RawLink> all;
    for (int slot = 0; slot < graph.slots(); ++slot)
        for (int entry = graph.slot_begin(slot); entry < graph.slot_end(slot); ++entry) {
            const auto around = graph.neighbours(entry);
            const auto first = around.data() - graph.neighbours().data();
            for (std::size_t i = 0; i < around.size(); ++i) {
                const float length = graph.weights().empty() ? 1.0F : graph.weights()[first + i];
                if (around[i] != graph.row(entry)) all.push_back({graph.row(entry), around[i], slot, length});
            }
        }
    std::stable_sort(all.begin(), all.end(), [](const RawLink& a, const RawLink& b) {
        return a.to != b.to ? a.to < b.to : a.from < b.from;
    });
    return all;
}

} // namespace

Links::Links(const Schema& schema, const Dataset& data, const Example& example, int slot_count)
    : slots(slot_count), width(schema.inputs() + schema.arguments) {
    const GraphRecord& record = data.graphs[example.graph];
    nodes = record.graph.nodes();
    const std::vector<RawLink> raw = raw_links(record.graph);
    std::size_t next = 0;
    for (int v = 0; v < nodes; ++v) {
        start.push_back(links());
        from.push_back(v);
        length.push_back(0);
        kind.resize(kind.size() + slots, 0);
        for (; next < raw.size() && raw[next].to == v; ++next) {
            if (from.back() != raw[next].from) {
                from.push_back(raw[next].from);
                length.push_back(std::numeric_limits<float>::infinity());
                kind.resize(kind.size() + slots, 0);
            }
            length.back() = std::min(length.back(), raw[next].length);
            kind[kind.size() - slots + raw[next].slot] = 1;
        }
    }
    start.push_back(links());
    for (int v = 0; v < nodes; ++v)
        for (int l = start[v]; l < start[v + 1]; ++l) back.push_back(link_to(from[l], v));
    set_inputs(schema, record, example);
}

void Links::set_inputs(const Schema& schema, const GraphRecord& record, const Example& example) {
    inputs.assign(static_cast<std::size_t>(nodes) * width, 0);
    for (int v = 0; v < nodes; ++v) {
        float* row = inputs.data() + static_cast<std::size_t>(v) * width;
        if (record.sparse != nullptr) {
            for (int i = record.sparse->starts[v]; i < record.sparse->starts[v + 1]; ++i)
                row[record.sparse->columns[i]] =
                    schema.scales.scaled(record.sparse->values[i], record.sparse->columns[i]);
        } else {
            for (int j = 0; j < schema.features; ++j)
                row[j] = schema.scales.scaled(
                    record.features[static_cast<std::size_t>(v) * schema.features + j], j);
        }
    }
    for (const auto& [node, tag] : record.tags)
        inputs[static_cast<std::size_t>(node) * width + schema.features + tag] = 1;
    for (std::size_t i = 0; i < example.arguments.size(); ++i)
        inputs[static_cast<std::size_t>(example.arguments[i]) * width + schema.inputs() + i] = 1;
}

int Links::link_to(int v, int u) const {
    if (u == v) return start[v];
    const auto first = from.begin() + start[v] + 1, last = from.begin() + start[v + 1];
    const auto at = std::lower_bound(first, last, u);
    return at != last && *at == u ? static_cast<int>(at - from.begin()) : -1;
}

} // namespace ggsnn
