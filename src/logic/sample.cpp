#include "ggsnn/logic/sample.hpp"

#include "ggsnn/logic/definitions.hpp"

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
        GGSNN_ASSERT(atom.strict && is_structure(atom));
        const Meaning& m = meaning(atom.kind);
        GGSNN_ASSERT(m.end &&
                     std::all_of(m.roles.begin(), m.roles.end(), [](const Role& r) { return r.onward; }));
        const int size = draw_size(body);
        const int end =
            *m.end == null_term ? 0 : node_of(atom.arguments[static_cast<std::size_t>(*m.end - 1)], names);
        for (const int cell : grow(root, end, size, m.roles, atom.tag)) hang(cell, atom);
    }

    // Cells are added one by one at a free place drawn uniformly.
    std::vector<int> grow(int root, int end, int size, const std::vector<Role>& roles,
                          const std::string& tag) {
        std::vector<int> cells{root};
        std::vector<std::pair<int, std::string>> open;
        const auto add_places = [&](int cell) {
            for (const Role& role : roles) open.emplace_back(cell, role.field + tag);
        };
        add_places(root);
        for (int i = 1; i < size; ++i) {
            const std::size_t at = open.size() == 1 ? 0 : random_.below(open.size());
            const auto [parent, side] = open[at];
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
            cells.push_back(heap.add_node(true));
            heap.link(parent, side, cells.back());
            add_places(cells.back());
        }
        for (const auto& [parent, side] : open) heap.link(parent, side, end);
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
