#include "ggsnn/verify/graph/order.hpp"

#include <algorithm>

namespace ggsnn::verify::graph {

std::vector<int> successors_of(const Block& block) {
    std::vector<int> all;
    for (const int next : {block.then, block.otherwise})
        if (next >= 0) all.push_back(next);
    for (const auto& [value, to] : block.cases) all.push_back(to);
    return all;
}

namespace {

class Settling {
  public:
    explicit Settling(const Function& function) : place_(function.blocks.size(), 0) {
        for (const Block& block : function.blocks) successors_.push_back(successors_of(block));
    }

    std::vector<int> run() {
        std::vector<int> all(place_.size());
        for (std::size_t b = 0; b < all.size(); ++b) all[b] = static_cast<int>(b);
        part_.assign(place_.size(), 0);
        order(all, 0);
        return place_;
    }

  private:
    // Blocks of one part: its components one after the other, of each the rest before the head.
    void order(const std::vector<int>& blocks, int part) {
        for (std::vector<int>& component : components(blocks, part)) {
            const int head = component.back(); // the first one that the walk came to
            component.pop_back();
            if (!component.empty()) {
                const int inner = ++parts_;
                for (const int b : component) part_[static_cast<std::size_t>(b)] = inner;
                std::sort(component.begin(), component.end());
                order(component, inner);
            }
            place_[static_cast<std::size_t>(head)] = count_++;
        }
    }

    // Strongly connected components, topologically, the root of each at its end (Tarjan 1972).
    std::vector<std::vector<int>> components(const std::vector<int>& blocks, int part) {
        std::vector<std::vector<int>> found;
        std::vector<int> stack;
        std::vector<std::pair<int, std::size_t>> path;
        const std::size_t n = place_.size();
        std::vector<int> index(n, -1), low(n, 0);
        std::vector<char> open(n, 0);
        int next = 0;
        const auto enter = [&](int b) {
            const auto k = static_cast<std::size_t>(b);
            index[k] = low[k] = next++;
            stack.push_back(b);
            open[k] = 1;
            path.emplace_back(b, 0);
        };
        for (const int first : blocks) {
            if (index[static_cast<std::size_t>(first)] >= 0) continue;
            enter(first);
            while (!path.empty()) {
                auto& [block, at] = path.back();
                const auto b = static_cast<std::size_t>(block);
                if (at < successors_[b].size()) {
                    const int to = successors_[b][at++];
                    const auto k = static_cast<std::size_t>(to);
                    if (part_[k] != part) continue;
                    if (index[k] < 0)
                        enter(to);
                    else if (open[k] != 0)
                        low[b] = std::min(low[b], index[k]);
                    continue;
                }
                path.pop_back();
                if (!path.empty()) {
                    const auto above = static_cast<std::size_t>(path.back().first);
                    low[above] = std::min(low[above], low[b]);
                }
                if (low[b] != index[b]) continue;
                std::vector<int> component;
                do {
                    component.push_back(stack.back());
                    open[static_cast<std::size_t>(stack.back())] = 0;
                    stack.pop_back();
                } while (component.back() != static_cast<int>(b));
                found.push_back(std::move(component));
            }
        }
        std::reverse(found.begin(), found.end());
        return found;
    }

    std::vector<std::vector<int>> successors_;
    std::vector<int> place_, part_;
    int count_ = 0, parts_ = 0;
};

} // namespace

std::vector<int> settling_order(const Function& function) {
    return Settling(function).run();
}

} // namespace ggsnn::verify::graph
