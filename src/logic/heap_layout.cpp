#include "ggsnn/logic/heap_layout.hpp"

#include "ggsnn/logic/formula.hpp"

#include <algorithm>

namespace ggsnn::logic {

namespace {

constexpr std::string_view back_fields[] = {"prev", "parent", "up"};

class HeapLayers {
  public:
    explicit HeapLayers(const Heap& heap) : heap_(heap), size_(heap.nodes.size()) {
        find_ways();
        walk();
        find_columns();
        find_parents();
        find_rows();
    }

    HeapLayout result() && { return std::move(layout_); }

  private:
    static std::size_t at(int node) { return static_cast<std::size_t>(node); }

    // Links that count, `next` first: what stands first goes straight on.
    void find_ways() {
        ways_.resize(size_);
        arrivals_.assign(size_, 0);
        for (std::size_t v = 1; v < size_; ++v) {
            for (const auto& [field, target] : heap_.nodes[v].links) {
                const std::string_view name = bare_field(heap_.fields[at(field)]);
                if (target == 0 || at(target) == v || std::ranges::count(back_fields, name) > 0) continue;
                if (std::ranges::count(ways_[v], target) > 0) continue;
                if (name == "next")
                    ways_[v].insert(ways_[v].begin(), target);
                else
                    ways_[v].push_back(target);
                ++arrivals_[at(target)];
            }
        }
    }

    // Where walks begin: what nothing leads to, by names of variables; then cycles, the same way.
    std::vector<int> beginnings() const {
        std::vector<int> order;
        for (const bool cycles : {false, true}) {
            const auto add = [&](int v) {
                if (v != 0 && (cycles || arrivals_[at(v)] == 0)) order.push_back(v);
            };
            for (const auto& [name, node] : heap_.variables) add(node);
            for (std::size_t v = 1; v < size_; ++v) add(static_cast<int>(v));
        }
        return order;
    }

    // Depth first. Links to a node that the walk is still in lead back; the rest have no cycles, and
    // topological_ has each node before those it leads to.
    void walk() {
        enum State : char { unseen, open, closed };
        std::vector<char> state(size_, unseen);
        std::vector<std::pair<int, std::size_t>> stack; // node, ways taken
        forward_.resize(size_);
        for (const int root : beginnings()) {
            if (state[at(root)] != unseen) continue;
            stack.emplace_back(root, 0);
            found_.push_back(root);
            state[at(root)] = open;
            while (!stack.empty()) {
                auto& [v, taken] = stack.back();
                if (taken == ways_[at(v)].size()) {
                    state[at(v)] = closed;
                    topological_.push_back(v);
                    stack.pop_back();
                    continue;
                }
                const int to = ways_[at(v)][taken++];
                if (state[at(to)] == open) continue;
                forward_[at(v)].push_back(to);
                if (state[at(to)] != unseen) continue;
                state[at(to)] = open;
                found_.push_back(to);
                stack.emplace_back(to, 0);
            }
        }
        std::ranges::reverse(topological_);
    }

    void find_columns() {
        layout_.spots.resize(size_);
        for (const int v : topological_) {
            int& column = layout_.spots[at(v)].column;
            column = std::max(column, 0);
            for (const int to : forward_[at(v)])
                layout_.spots[at(to)].column = std::max(layout_.spots[at(to)].column, column + 1);
        }
        for (std::size_t i = topological_.size(); i-- > 0;) {
            const int v = topological_[i];
            int nearest = layout_.spots[at(v)].column + 1;
            for (std::size_t w = 0; w < forward_[at(v)].size(); ++w) {
                const int column = layout_.spots[at(forward_[at(v)][w])].column;
                nearest = w == 0 ? column : std::min(nearest, column);
            }
            layout_.spots[at(v)].column = nearest - 1;
        }
        for (const HeapLayout::Spot& spot : layout_.spots)
            layout_.columns = std::max(layout_.columns, spot.column + 1);
    }

    // The forest of rows: of the nodes that lead to one, the nearest layer's, and of those the first that was
    // found.
    void find_parents() {
        parent_.assign(size_, 0);
        for (const int v : found_)
            for (const int to : forward_[at(v)]) {
                const int old = parent_[at(to)];
                if (old == 0 || layout_.spots[at(old)].column < layout_.spots[at(v)].column)
                    parent_[at(to)] = v;
            }
    }

    std::vector<int> children(int v) const {
        std::vector<int> all;
        for (const int to : forward_[at(v)])
            if (parent_[at(to)] == v) all.push_back(to);
        return all;
    }

    bool goes_straight(int v) const {
        return std::ranges::any_of(heap_.nodes[at(v)].links, [&](const auto& link) {
            return bare_field(heap_.fields[at(link.first)]) == "next" && link.second != 0;
        });
    }

    void find_rows() {
        std::vector<int> preorder, stack;
        std::vector<int> alone; // nodes without links: side by side in a row of their own
        for (const int root : beginnings()) {
            if (parent_[at(root)] != 0) continue;
            const bool single = forward_[at(root)].empty();
            if (single && std::ranges::count(alone, root) == 0) alone.push_back(root);
            if (!single) stack.push_back(root);
        }
        std::ranges::reverse(stack);
        std::vector<char> seen(size_, 0);
        while (!stack.empty()) {
            const int v = stack.back();
            stack.pop_back();
            if (seen[at(v)] != 0) continue;
            seen[at(v)] = 1;
            preorder.push_back(v);
            const std::vector<int> below = children(v);
            stack.insert(stack.end(), below.rbegin(), below.rend());
            if (below.empty()) layout_.spots[at(v)].row = layout_.rows++;
        }
        for (std::size_t i = preorder.size(); i-- > 0;) {
            const int v = preorder[i];
            const std::vector<int> below = children(v);
            if (below.empty()) continue;
            const double first = layout_.spots[at(below.front())].row,
                         last = layout_.spots[at(below.back())].row;
            layout_.spots[at(v)].row = goes_straight(v) ? first : (first + last) / 2;
        }
        place_alone(alone);
    }

    void place_alone(const std::vector<int>& alone) {
        constexpr int wide = 6;
        const int width = std::max(layout_.columns, wide);
        for (std::size_t i = 0; i < alone.size(); ++i) {
            const int place = static_cast<int>(i);
            layout_.spots[at(alone[i])] = {place % width, layout_.rows + place / width};
            layout_.columns = std::max(layout_.columns, place % width + 1);
        }
        if (!alone.empty()) layout_.rows += (static_cast<int>(alone.size()) - 1) / width + 1;
    }

    const Heap& heap_;
    std::size_t size_;
    HeapLayout layout_;
    std::vector<std::vector<int>> ways_, forward_;
    std::vector<int> arrivals_, found_, topological_, parent_;
};

} // namespace

HeapLayout layout_heap(const Heap& heap) {
    return HeapLayers(heap).result();
}

} // namespace ggsnn::logic
