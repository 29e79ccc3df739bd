#include "ggsnn/logic/sample.hpp"

#include "ggsnn/logic/definitions.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

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
        std::vector<std::tuple<int, std::string, std::string>> back; // cell, field, name
        for (const Atom& atom : shape.atoms) add(atom, names, body, back);
        // Names of last cells are known by now.
        for (const auto& [cell, field, name] : back) heap.link(cell, field, node_of(name, names));
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

    void add(const Atom& atom, std::map<std::string, int>& names, bool body,
             std::vector<std::tuple<int, std::string, std::string>>& back) {
        const int root = node_of(atom.root(), names);
        if (atom.kind == Atom::Kind::none) return;
        GGSNN_ASSERT(atom.strict && is_structure(atom));
        const Ends ends = ends_of(atom.kind);
        const int size = draw_size(body);
        const int end = ends.end < 0 ? 0 : node_of(atom.arguments[static_cast<std::size_t>(ends.end)], names);
        const Growth grown = grow(root, size, atom);
        // One open place leads to the end; where structures branch, the others are NULL.
        const std::size_t hole =
            ends.end >= 0 && grown.open.size() > 1 ? random_.below(grown.open.size()) : 0;
        for (std::size_t i = 0; i < grown.open.size(); ++i)
            heap.link(grown.open[i].first, grown.open[i].second, i == hole ? end : 0);
        for (const auto& [cell, above] : grown.above)
            if (above > 0 && !ends.back_field.empty()) heap.link(cell, ends.back_field + atom.tag, above);
        if (ends.back >= 0)
            back.emplace_back(root, ends.back_field + atom.tag,
                              atom.arguments[static_cast<std::size_t>(ends.back)]);
        if (ends.last >= 0) {
            const std::string& last = atom.arguments[static_cast<std::size_t>(ends.last)];
            const bool fresh = names.emplace(last, grown.open[hole].first).second;
            GGSNN_ASSERT(fresh);
        }
        for (const auto& [cell, above] : grown.above) hang(cell, atom);
    }

    struct Growth {
        std::vector<std::pair<int, int>> above;        // cells, each with the one that leads to it (root: 0)
        std::vector<std::pair<int, std::string>> open; // places without a target
    };

    // Cells are added one by one at a free place drawn uniformly.
    Growth grow(int root, int size, const Atom& atom) {
        Growth out{{{root, 0}}, {}};
        const auto add_places = [&](int cell) {
            for (const Role& role : meaning(atom.kind).roles)
                if (role.onward) out.open.emplace_back(cell, role.field + atom.tag);
        };
        add_places(root);
        for (int i = 1; i < size; ++i) {
            const std::size_t at = out.open.size() == 1 ? 0 : random_.below(out.open.size());
            const auto [parent, side] = out.open[at];
            out.open.erase(out.open.begin() + static_cast<std::ptrdiff_t>(at));
            const int cell = heap.add_node(true);
            out.above.emplace_back(cell, parent);
            heap.link(parent, side, cell);
            add_places(cell);
        }
        return out;
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
