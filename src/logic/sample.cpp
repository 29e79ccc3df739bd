#include "ggsnn/logic/sample.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace ggsnn::logic {

namespace {

class Sampler {
  public:
    Sampler(const SampleSizes& sizes, Random& random) : sizes_(sizes), random_(random) {}

    void place(const SymbolicHeap& shape, std::map<std::string, int>& names, bool body) {
        for (const Pure& pure : shape.pure) {
            GGSNN_ASSERT(pure.equal);
            const int node = node_of(pure.right, names);
            names[pure.left] = node;
        }
        for (const Atom& atom : shape.atoms) add(atom, names, body);
    }

    Heap heap;

  private:
    int node_of(const std::string& name, std::map<std::string, int>& names) {
        if (name == null_name) return 0;
        const auto [at, fresh] = names.emplace(name, 0);
        if (fresh) at->second = heap.add_node(false);
        return at->second;
    }

    int draw_size(bool body) {
        const int least = body ? sizes_.body_least : sizes_.least,
                  most = body ? sizes_.body_most : sizes_.most;
        return least + static_cast<int>(random_.below(static_cast<std::uint64_t>(most - least + 1)));
    }

    void add(const Atom& atom, std::map<std::string, int>& names, bool body) {
        const int root = node_of(atom.root(), names);
        if (atom.kind == Atom::Kind::none) return;
        GGSNN_ASSERT(atom.strict && (atom.kind == Atom::Kind::list || atom.kind == Atom::Kind::tree));
        const int size = draw_size(body);
        const std::vector<int> cells = atom.kind == Atom::Kind::list
                                           ? add_list(root, node_of(atom.arguments[1], names), size, atom.tag)
                                           : add_tree(root, size, atom.tag);
        for (const int cell : cells) hang(cell, atom);
    }

    std::vector<int> add_list(int root, int end, int size, const std::string& tag) {
        std::vector<int> cells{root};
        for (int i = 1; i < size; ++i) {
            cells.push_back(heap.add_node(true));
            heap.link(cells[cells.size() - 2], "next" + tag, cells.back());
        }
        heap.link(cells.back(), "next" + tag, end);
        return cells;
    }

    // Cells are added one by one at a free place drawn uniformly.
    std::vector<int> add_tree(int root, int size, const std::string& tag) {
        std::vector<int> cells{root};
        const std::string left = "left" + tag, right = "right" + tag;
        std::vector<std::pair<int, std::string>> open{{root, left}, {root, right}};
        for (int i = 1; i < size; ++i) {
            const std::size_t at = random_.below(open.size());
            const auto [parent, side] = open[at];
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
            cells.push_back(heap.add_node(true));
            heap.link(parent, side, cells.back());
            open.emplace_back(cells.back(), left);
            open.emplace_back(cells.back(), right);
        }
        for (const auto& [parent, side] : open) heap.link(parent, side, 0);
        return cells;
    }

    void hang(int cell, const Atom& atom) {
        const std::string val = "val" + atom.tag;
        if (!atom.body) {
            if (sizes_.val) heap.link(cell, val, 0);
            return;
        }
        std::map<std::string, int> names;
        const int root = node_of(atom.body->parameter, names);
        heap.link(cell, val, root);
        place(atom.body->heap, names, true);
    }

    const SampleSizes& sizes_;
    Random& random_;
};

Heap renumbered(const Heap& heap, Random& random) {
    std::vector<int> to(heap.nodes.size());
    std::iota(to.begin(), to.end(), 0);
    std::vector<int> rest(to.begin() + 1, to.end());
    random.shuffle(rest);
    std::copy(rest.begin(), rest.end(), to.begin() + 1);
    Heap out;
    out.fields = heap.fields;
    out.nodes.resize(heap.nodes.size());
    for (std::size_t i = 0; i < heap.nodes.size(); ++i) {
        Heap::Node node = heap.nodes[i];
        for (auto& link : node.links) link.second = to[static_cast<std::size_t>(link.second)];
        out.nodes[static_cast<std::size_t>(to[i])] = std::move(node);
    }
    out.variables = heap.variables;
    for (auto& variable : out.variables) variable.second = to[static_cast<std::size_t>(variable.second)];
    return out;
}

} // namespace

Heap sample_heap(const SymbolicHeap& shape, const SampleSizes& sizes, Random& random) {
    Sampler sampler(sizes, random);
    std::map<std::string, int> names;
    sampler.place(shape, names, false);
    for (const std::string& name : free_names(shape)) sampler.heap.set_variable(name, names.at(name));
    return renumbered(sampler.heap, random);
}

} // namespace ggsnn::logic
