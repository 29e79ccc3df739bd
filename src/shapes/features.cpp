#include "ggsnn/shapes/features.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn::shapes {

using logic::Heap;

namespace {

constexpr std::array<const char*, 4> fields{"next", "left", "right", "val"};
constexpr int field_count = 4, in_bins = 3, distance_bins = 6;
constexpr int unreached = -1;

// What is looked up again and again.
struct Facts {
    Facts(const Heap& h, const Marks& m) : heap(h), marks(m), in(h.nodes.size()), out(h.nodes.size()) {
        for (int f = 0; f < field_count; ++f)
            numbers[static_cast<std::size_t>(f)] = h.find_field(fields[static_cast<std::size_t>(f)]);
        for (std::size_t v = 0; v < h.nodes.size(); ++v)
            for (int f = 0; f < field_count; ++f) {
                const int target = follow(static_cast<int>(v), f);
                if (target < 0) continue;
                ++out[v][static_cast<std::size_t>(f)];
                ++in[static_cast<std::size_t>(target)][static_cast<std::size_t>(f)];
            }
        reached.assign(h.nodes.size(), unreached);
        std::vector<int> order;
        for (const int root : m.active) {
            reached[static_cast<std::size_t>(root)] = 0;
            order.push_back(root);
        }
        for (std::size_t i = 0; i < order.size(); ++i)
            for (int f = 0; f < field_count; ++f) {
                const int target = follow(order[i], f);
                if (target < 0 || reached[static_cast<std::size_t>(target)] != unreached) continue;
                reached[static_cast<std::size_t>(target)] = reached[static_cast<std::size_t>(order[i])] + 1;
                order.push_back(target);
            }
        walk();
    }

    int follow(int node, int f) const {
        const int number = numbers[static_cast<std::size_t>(f)];
        return number < 0 ? -1 : heap.target(node, number);
    }

    // Along `next` from the active node to the first node that is named or NULL.
    void walk() {
        if (marks.active.empty()) return;
        on_path.assign(heap.nodes.size(), 0);
        int node = marks.active[0];
        for (std::size_t steps = 0; steps <= heap.nodes.size(); ++steps) {
            on_path[static_cast<std::size_t>(node)] = 1;
            const int after = follow(node, 0);
            if (after < 0) return;
            ++length;
            if (after == 0 || marks.named[static_cast<std::size_t>(after)] != 0) {
                first_named = after;
                return;
            }
            node = after;
        }
    }

    int in_all(std::size_t v) const { return in[v][0] + in[v][1] + in[v][2] + in[v][3]; }

    const Heap& heap;
    const Marks& marks;
    std::array<int, field_count> numbers{};
    std::vector<std::array<int, field_count>> in, out;
    std::vector<int> reached; // distance from the active nodes
    std::vector<char> on_path;
    int first_named = -1, length = 0;
};

void one_hot(std::vector<float>& row, int value, int bins) {
    for (int b = 0; b < bins; ++b) row.push_back(b == std::clamp(value, 0, bins - 1) ? 1.0f : 0.0f);
}

int distance_bin(int distance) {
    return distance < 0    ? 0
           : distance <= 1 ? 1
           : distance <= 2 ? 2
           : distance <= 4 ? 3
           : distance <= 8 ? 4
                           : 5;
}

// Histograms over all nodes, or over those reached.
void histograms(const Facts& facts, bool reached_only, std::vector<float>& row) {
    std::vector<float> ones(static_cast<std::size_t>(field_count * (in_bins + 2))),
        twos(static_cast<std::size_t>(field_count * in_bins * in_bins));
    float nodes = 0;
    for (std::size_t v = 1; v < facts.heap.nodes.size(); ++v) {
        if (reached_only && facts.reached[v] == unreached) continue;
        ++nodes;
        for (int f = 0; f < field_count; ++f) {
            const auto at = static_cast<std::size_t>(f);
            const int in = std::min(facts.in[v][at], in_bins - 1);
            ++ones[static_cast<std::size_t>(f * (in_bins + 2) + in)];
            ++ones[static_cast<std::size_t>(f * (in_bins + 2) + in_bins + facts.out[v][at])];
            const int target = facts.follow(static_cast<int>(v), f);
            if (target <= 0) continue;
            const int there = std::min(facts.in[static_cast<std::size_t>(target)][at], in_bins - 1);
            ++twos[static_cast<std::size_t>((f * in_bins + in) * in_bins + there)];
        }
    }
    for (const auto& counts : {ones, twos})
        for (const float count : counts) {
            row.push_back(nodes > 0 ? count / nodes : 0);
            row.push_back(count > 0 ? 1.0f : 0.0f);
        }
}

bool is_merge(const Facts& facts, std::size_t v) {
    return v != 0 && facts.marks.named[v] == 0 && facts.in[v][0] >= 2;
}

std::vector<float> whole(const Facts& facts) {
    std::vector<float> row{1};
    histograms(facts, false, row);
    histograms(facts, true, row);
    const Marks& marks = facts.marks;
    const int root = marks.active.empty() ? -1 : marks.active[0];
    float merges = 0, reached_merges = 0, path_merges = 0, explained = 0, names = 0, reached_names = 0,
          shared = 0;
    bool itself = false;
    for (std::size_t v = 1; v < facts.heap.nodes.size(); ++v) {
        const bool here = facts.reached[v] != unreached;
        merges += is_merge(facts, v) ? 1 : 0;
        reached_merges += is_merge(facts, v) && here ? 1 : 0;
        path_merges += is_merge(facts, v) && !facts.on_path.empty() && facts.on_path[v] != 0 ? 1 : 0;
        shared += here && facts.in_all(v) >= 2 ? 1 : 0;
        explained += marks.explained[v] != 0 ? 1 : 0;
        names += marks.named[v] != 0 ? 1 : 0;
        reached_names += marks.named[v] != 0 && here ? 1 : 0;
        for (int f = 0; f < field_count && here; ++f)
            itself = itself || (root > 0 && facts.follow(static_cast<int>(v), f) == root);
    }
    for (const float count : {merges, reached_merges, path_merges, shared, names, reached_names}) {
        row.push_back(count > 0 ? 1.0f : 0.0f);
        row.push_back(count);
    }
    row.push_back(explained / static_cast<float>(facts.heap.nodes.size()));
    row.push_back(facts.reached[0] != unreached ? 1.0f : 0.0f);
    row.push_back(itself ? 1.0f : 0.0f);
    one_hot(row,
            facts.first_named < 0       ? 0
            : facts.first_named == 0    ? 1
            : facts.first_named == root ? 2
                                        : 3,
            4);
    one_hot(row, distance_bin(facts.length), distance_bins);
    for (int f = 0; f < field_count; ++f)
        row.push_back(root > 0 ? static_cast<float>(
                                     facts.out[static_cast<std::size_t>(root)][static_cast<std::size_t>(f)])
                               : 0);
    const bool branches = root > 0 && (facts.follow(root, 1) >= 0 || facts.follow(root, 2) >= 0);
    row.push_back(branches && shared == 0 ? 1.0f : 0.0f);
    for (int p = is_none; p <= is_tree; ++p)
        row.push_back(static_cast<float>(marks.earlier[static_cast<std::size_t>(p)]));
    return row;
}

void add_node(const Facts& facts, std::size_t v, std::vector<float>& row) {
    const Marks& marks = facts.marks;
    row.push_back(1);
    for (int f = 0; f < field_count; ++f) {
        one_hot(row, facts.in[v][static_cast<std::size_t>(f)], in_bins);
        row.push_back(static_cast<float>(facts.out[v][static_cast<std::size_t>(f)]));
    }
    const bool active =
        std::find(marks.active.begin(), marks.active.end(), static_cast<int>(v)) != marks.active.end();
    const bool path = !facts.on_path.empty() && facts.on_path[v] != 0,
               first = facts.first_named == static_cast<int>(v);
    bool hangs = false, tree_parent = false;
    for (std::size_t u = 1; u < facts.heap.nodes.size(); ++u) {
        const int node = static_cast<int>(u);
        const bool before = facts.reached[u] != unreached;
        hangs = hangs || (before && facts.follow(node, 3) == static_cast<int>(v));
        tree_parent = tree_parent || (before && (facts.follow(node, 1) == static_cast<int>(v) ||
                                                 facts.follow(node, 2) == static_cast<int>(v)));
    }
    for (const bool bit : {v == 0, marks.named[v] != 0, active, marks.explained[v] != 0, path, first,
                           path && is_merge(facts, v), is_merge(facts, v), facts.reached[v] != unreached,
                           hangs, tree_parent, tree_parent && v != 0 && facts.reached[v] != unreached})
        row.push_back(bit ? 1.0f : 0.0f);
    one_hot(row, distance_bin(facts.reached[v]), distance_bins);
}

} // namespace

FeatureRows features_of(Decision decision, const Heap& heap, const Marks& marks) {
    const Facts facts(heap, marks);
    FeatureRows out;
    if (decision == Decision::quantify || decision == Decision::predicate) {
        out.values = whole(facts);
        out.width = static_cast<int>(out.values.size());
        return out;
    }
    for (std::size_t v = 0; v < heap.nodes.size(); ++v) {
        add_node(facts, v, out.values);
        if (v == 0) out.width = static_cast<int>(out.values.size());
    }
    return out;
}

} // namespace ggsnn::shapes
