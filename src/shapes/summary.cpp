#include "ggsnn/shapes/summary.hpp"

#include <algorithm>
#include <deque>
#include <set>

namespace ggsnn::shapes {

using logic::Heap;

namespace {

class Summary {
  public:
    Summary(const Heap& heap, const SummaryLimits& limits) : heap_(heap), limits_(limits) {
        const std::size_t nodes = heap.nodes.size();
        pointers_.assign(nodes, 0);
        fixed_.assign(nodes, 0);
        by_field_.assign(nodes, -1);
        on_the_way_.assign(nodes, 0);
        fixed_[0] = 1;
        for (const auto& variable : heap.variables) fixed_[static_cast<std::size_t>(variable.second)] = 1;
        for (const char* name : {"prev", "parent"})
            if (limits.back) back_.insert(heap.find_field(name));
        back_.erase(-1);
        for (const Heap::Node& node : heap.nodes)
            for (const auto& [field, target] : node.links) {
                if (back_.contains(field)) continue;
                ++pointers_[static_cast<std::size_t>(target)];
                by_field_[static_cast<std::size_t>(target)] = field;
            }
        next_ = heap.find_field("next");
        left_ = heap.find_field("left");
        right_ = heap.find_field("right");
        if (limits.back) mark_ways();
    }

    std::optional<Heap> run() {
        redirect_.resize(heap_.nodes.size());
        for (std::size_t v = 0; v < redirect_.size(); ++v) redirect_[v] = static_cast<int>(v);
        kept_before_ = redirect_;
        if (next_ >= 0) shorten_chains();
        if (left_ >= 0 || right_ >= 0) prune_trees();
        if (!changed_) return std::nullopt;
        return rebuilt();
    }

  private:
    bool free(int node, int field) const {
        const auto v = static_cast<std::size_t>(node);
        return fixed_[v] == 0 && pointers_[v] == 1 && by_field_[v] == field && heap_.nodes[v].allocated;
    }

    // Follows every chain from where it begins; after `chain` free cells in a row the rest is skipped.
    void shorten_chains() {
        for (std::size_t v = 1; v < heap_.nodes.size(); ++v) {
            if (!heap_.nodes[v].allocated || free(static_cast<int>(v), next_)) continue;
            int node = heap_.target(static_cast<int>(v), next_);
            int kept = 0, last = static_cast<int>(v);
            while (node > 0 && free(node, next_)) {
                const int after = heap_.target(node, next_);
                if (after < 0) break;
                if (++kept > limits_.chain) {
                    redirect_[static_cast<std::size_t>(node)] = after;
                    kept_before_[static_cast<std::size_t>(node)] = last;
                    changed_ = true;
                } else {
                    last = node;
                }
                node = after;
            }
        }
    }

    // What lies above a named cell: a tree with a hole keeps the way there.
    void mark_ways() {
        std::vector<int> above(heap_.nodes.size(), 0);
        for (std::size_t v = 1; v < heap_.nodes.size(); ++v)
            for (const int field : {left_, right_})
                if (const int below = child(static_cast<int>(v), field); below > 0)
                    above[static_cast<std::size_t>(below)] = static_cast<int>(v);
        for (const auto& variable : heap_.variables)
            for (auto v = static_cast<std::size_t>(above[static_cast<std::size_t>(variable.second)]);
                 v > 0 && on_the_way_[v] == 0; v = static_cast<std::size_t>(above[v]))
                on_the_way_[v] = 1;
    }

    // Of a tree the first cells in breadth are kept.
    void prune_trees() {
        for (std::size_t v = 1; v < heap_.nodes.size(); ++v) {
            const int node = static_cast<int>(v);
            const bool inner = free(node, left_) || free(node, right_);
            if (inner || (child(node, left_) <= 0 && child(node, right_) <= 0)) continue;
            std::deque<int> open{node};
            int kept = 0;
            while (!open.empty()) {
                const int cell = open.front();
                open.pop_front();
                ++kept;
                for (const int field : {left_, right_}) {
                    const int below = child(cell, field);
                    if (below <= 0 || !free(below, field)) continue;
                    if (kept + static_cast<int>(open.size()) < limits_.tree ||
                        on_the_way_[static_cast<std::size_t>(below)] != 0) {
                        open.push_back(below);
                    } else {
                        redirect_[static_cast<std::size_t>(below)] = 0;
                        changed_ = true;
                    }
                }
            }
        }
    }

    int child(int node, int field) const { return field < 0 ? -1 : heap_.target(node, field); }

    int where(int node) const {
        while (redirect_[static_cast<std::size_t>(node)] != node)
            node = redirect_[static_cast<std::size_t>(node)];
        return node;
    }

    // What the variables still reach.
    Heap rebuilt() const {
        Heap out;
        out.fields = heap_.fields;
        std::vector<int> to(heap_.nodes.size(), -1), order{0};
        to[0] = 0;
        const auto visit = [&](int node, bool back) {
            node = back ? kept_before_[static_cast<std::size_t>(node)] : where(node);
            int& fresh = to[static_cast<std::size_t>(node)];
            if (fresh < 0) {
                fresh = out.add_node(heap_.nodes[static_cast<std::size_t>(node)].allocated);
                order.push_back(node);
            }
            return fresh;
        };
        for (const auto& [name, node] : heap_.variables) out.set_variable(name, visit(node, false));
        for (std::size_t i = 1; i < order.size(); ++i)
            for (const auto& [field, target] : heap_.nodes[static_cast<std::size_t>(order[i])].links) {
                const int fresh = visit(target, back_.contains(field));
                out.nodes[i].links.emplace_back(field, fresh);
            }
        return out;
    }

    const Heap& heap_;
    SummaryLimits limits_;
    std::vector<int> pointers_, by_field_, redirect_;
    std::vector<int> kept_before_; // a cell that is skipped: the one before it that is not; else itself
    std::set<int> back_;
    std::vector<char> fixed_, on_the_way_;
    int next_ = -1, left_ = -1, right_ = -1;
    bool changed_ = false;
};

} // namespace

std::optional<Heap> summarise(const Heap& heap, const SummaryLimits& limits) {
    return Summary(heap, limits).run();
}

} // namespace ggsnn::shapes
