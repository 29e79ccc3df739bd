// The meaning of formulas by sets of footprints, and random formulas and heaps; see brute.hpp.
#include "brute.hpp"

#include <algorithm>
#include <set>

namespace ggsnn::logic::brute {

namespace {

using Mask = std::uint32_t;
using Masks = std::set<Mask>;
using Places = std::map<std::string, int>;

// All sets of cells on which a part of a formula holds.
class Meaning {
  public:
    explicit Meaning(const Heap& heap) : heap_(heap) {}

    Masks of(const SymbolicHeap& heap, Places places) const {
        Masks all;
        choose(heap, 0, places, all);
        return all;
    }

  private:
    bool cell(int node) const {
        return node > 0 && node < static_cast<int>(heap_.nodes.size()) &&
               heap_.nodes[static_cast<std::size_t>(node)].allocated;
    }
    int follow(int node, const std::string& field) const {
        const int number = heap_.find_field(field);
        return cell(node) && number >= 0 ? heap_.target(node, number) : -1;
    }
    static int place(const Places& places, const std::string& name) {
        return name == null_name ? 0 : places.at(name);
    }
    static Masks disjoint(const Masks& a, const Masks& b) {
        Masks result;
        for (const Mask x : a)
            for (const Mask y : b)
                if ((x & y) == 0) result.insert(x | y);
        return result;
    }

    // An existential may stand at any node, or at an address that is not in the heap.
    void choose(const SymbolicHeap& heap, std::size_t index, Places& places, Masks& all) const {
        if (index == heap.exists.size()) {
            Masks here = fixed(heap, places);
            all.insert(here.begin(), here.end());
            return;
        }
        const int nodes = static_cast<int>(heap_.nodes.size());
        for (int node = 0; node <= nodes + static_cast<int>(index) + 4; ++node) {
            places[heap.exists[index]] = node;
            choose(heap, index + 1, places, all);
        }
    }

    Masks fixed(const SymbolicHeap& heap, const Places& places) const {
        for (const Pure& pure : heap.pure)
            if ((place(places, pure.left) == place(places, pure.right)) != pure.equal) return {};
        Masks all{0};
        for (const Atom& atom : heap.atoms) {
            all = disjoint(all, of(atom, places));
            if (all.empty()) break;
        }
        return all;
    }

    Masks of(const Atom& atom, const Places& places) const {
        const auto at = [&](std::size_t i) { return place(places, atom.arguments[i]); };
        switch (atom.kind) {
        case Atom::Kind::none:
            return at(0) != 0 && !cell(at(0)) ? Masks{0} : Masks{};
        case Atom::Kind::cell: {
            if (!cell(at(0))) return {};
            for (const auto& [field, value] : atom.links)
                if (follow(at(0), tagged_field(field, atom.tag)) != place(places, value)) return {};
            return {Mask{1} << at(0)};
        }
        case Atom::Kind::list:
            return chain(atom, places, at(0), at(1), -1, -1, atom.strict, 0);
        case Atom::Kind::dll:
            return chain(atom, places, at(0), at(3), at(1), at(2), atom.strict, 0);
        case Atom::Kind::tree:
            return tree(atom, places, at(0), atom.strict, 0);
        default: // random formulas have only what this reference knows
            GGSNN_ASSERT(false);
        }
    }

    Masks body(const Atom& atom, Places places, int node) const {
        if (!atom.body) return {0};
        const int value = follow(node, "val" + atom.tag);
        if (value < 0) return {};
        places[atom.body->parameter] = value;
        return of(atom.body->heap, places);
    }

    // ls and dll, one cell at a time; `seen` are the cells of the chain so far.
    Masks chain(const Atom& atom, const Places& places, int x, int y, int last, int before, bool strict,
                Mask seen) const {
        const bool doubly = atom.kind == Atom::Kind::dll;
        if (x == y && !strict) return !doubly || last == before ? Masks{0} : Masks{};
        if (!cell(x) || (seen >> x & 1) || follow(x, "next" + atom.tag) < 0) return {};
        if (doubly && follow(x, "prev" + atom.tag) != before) return {};
        const Masks here = disjoint({Mask{1} << x}, body(atom, places, x));
        return disjoint(
            here, chain(atom, places, follow(x, "next" + atom.tag), y, last, x, false, seen | Mask{1} << x));
    }

    Masks tree(const Atom& atom, const Places& places, int x, bool strict, Mask above) const {
        if (x == 0 && !strict) return {0};
        if (!cell(x) || (above >> x & 1) || follow(x, "left" + atom.tag) < 0 ||
            follow(x, "right" + atom.tag) < 0)
            return {};
        const Mask path = above | Mask{1} << x;
        Masks all = disjoint({Mask{1} << x}, body(atom, places, x));
        all = disjoint(all, tree(atom, places, follow(x, "left" + atom.tag), false, path));
        return disjoint(all, tree(atom, places, follow(x, "right" + atom.tag), false, path));
    }

    const Heap& heap_;
};

// ---- random formulas

class Writer {
  public:
    Writer(const FormulaStyle& style, Random& random) : style_(style), random_(random) {}

    SymbolicHeap heap() {
        SymbolicHeap heap;
        names_ = style_.names;
        if (random_.chance(style_.exists)) {
            heap.exists.push_back("e");
            names_.push_back("e");
        }
        const int pures = static_cast<int>(random_.below(3));
        for (int i = 0; i < pures; ++i) heap.pure.push_back({random_.chance(0.3), term(), term()});
        const int atoms = static_cast<int>(random_.below(static_cast<std::uint64_t>(style_.max_atoms) + 1));
        for (int i = 0; i < atoms; ++i) heap.atoms.push_back(atom(style_.nested));
        return heap;
    }

  private:
    std::string name() { return random_.pick(names_); }
    std::string term() { return random_.chance(0.2) ? null_name : name(); }

    Atom atom(bool nested) {
        std::vector<Atom::Kind> kinds;
        if (style_.cells) kinds.push_back(Atom::Kind::cell);
        if (style_.lists) kinds.insert(kinds.end(), 2, Atom::Kind::list);
        if (style_.trees) kinds.push_back(Atom::Kind::tree);
        if (style_.dlls) kinds.insert(kinds.end(), 2, Atom::Kind::dll);
        if (style_.none) kinds.push_back(Atom::Kind::none);
        Atom atom;
        atom.kind = random_.pick(kinds);
        if (style_.tags.size() > 1) atom.tag = random_.pick(style_.tags);
        atom.arguments = {name()};
        if (atom.kind == Atom::Kind::cell) {
            if (style_.trees && random_.chance(0.5))
                atom.links = {{"left", term()}, {"right", term()}};
            else
                atom.links = {{"next", term()}};
            if (style_.dlls && atom.links.size() == 1) atom.links.emplace_back("prev", term());
            if (style_.nested && random_.chance(0.6)) atom.links.emplace_back("val", term());
            return atom;
        }
        if (atom.kind == Atom::Kind::none) return atom;
        atom.arguments[0] = random_.chance(0.95) ? name() : null_name;
        atom.strict = style_.strict && random_.chance(0.4);
        if (atom.kind == Atom::Kind::list) atom.arguments.push_back(term());
        if (atom.kind == Atom::Kind::dll)
            for (int i = 0; i < 3; ++i) atom.arguments.push_back(term());
        if (nested && atom.kind != Atom::Kind::dll && random_.chance(0.5)) atom.body = lambda();
        return atom;
    }

    std::shared_ptr<const Lambda> lambda() {
        static const std::vector<std::string> bodies{
            "ls(b, NULL)", "ls(b, y)", "tree(b)", "b |-> {next: NULL}", "exists c . ls+(b, c) * ls+(c, c)",
            "none(b)",     "b = NULL"};
        const std::size_t count = style_.trees ? bodies.size() : 2;
        Lambda body{"b", parse_formula(bodies[random_.below(count)], Reading::program).heaps[0]};
        for (Atom& inner : body.heap.atoms)
            if (style_.tags.size() > 1) inner.tag = random_.pick(style_.tags);
        return std::make_shared<const Lambda>(std::move(body));
    }

    const FormulaStyle& style_;
    Random& random_;
    std::vector<std::string> names_;
};

// ---- random models

class Builder {
  public:
    Builder(Random& random) : random_(random) {}

    std::optional<Heap> run(const SymbolicHeap& formula, const std::vector<std::string>& names) {
        Places places;
        for (const std::string& name : names) places[name] = new_place();
        for (const auto& [name, node] : places) heap_.set_variable(name, node);
        if (!build(formula, places) || heap_.nodes.size() > 14) return std::nullopt;
        return std::move(heap_);
    }

  private:
    int new_place() {
        if (random_.chance(0.15)) return 0;
        if (heap_.nodes.size() > 1 && random_.chance(0.2))
            return static_cast<int>(random_.below(heap_.nodes.size()));
        return heap_.add_node(false);
    }
    static int place(const Places& places, const std::string& name) {
        return name == null_name ? 0 : places.at(name);
    }
    bool free(int node) const { return node > 0 && !heap_.nodes[static_cast<std::size_t>(node)].allocated; }

    bool build(const SymbolicHeap& formula, Places places) {
        for (const std::string& name : formula.exists) places[name] = new_place();
        for (const Pure& pure : formula.pure)
            if ((place(places, pure.left) == place(places, pure.right)) != pure.equal) return false;
        return std::all_of(formula.atoms.begin(), formula.atoms.end(),
                           [&](const Atom& a) { return build(a, places); });
    }

    bool build(const Atom& atom, const Places& places) {
        const int x = place(places, atom.root());
        if (atom.kind == Atom::Kind::none) return true;
        if (atom.kind == Atom::Kind::cell) {
            if (!free(x)) return false;
            heap_.nodes[static_cast<std::size_t>(x)].allocated = true;
            for (const auto& [field, value] : atom.links)
                heap_.link(x, tagged_field(field, atom.tag), place(places, value));
            return true;
        }
        if (heap_.nodes.size() > 14) return false;
        if (atom.kind == Atom::Kind::tree) return build_tree(atom, places, x, atom.strict ? 1 : 0);
        const bool doubly = atom.kind == Atom::Kind::dll;
        const int y = place(places, atom.arguments[doubly ? 3 : 1]);
        int length = static_cast<int>(random_.below(4)) * (x != y || atom.strict ? 1 : 0);
        if (x != y || atom.strict) length = std::max(length, 1);
        int at = x, before = doubly ? place(places, atom.arguments[2]) : 0;
        for (; length > 0; --length) {
            if (!free(at)) return false;
            int next = length == 1             ? y
                       : doubly && length == 2 ? place(places, atom.arguments[1])
                                               : new_place();
            heap_.link(at, "next" + atom.tag, next);
            if (doubly) heap_.link(at, "prev" + atom.tag, before);
            if (!build_body(atom, places, at)) return false;
            before = at;
            at = next;
        }
        return true;
    }

    bool build_body(const Atom& atom, Places places, int node) {
        if (!atom.body) return true;
        places[atom.body->parameter] = new_place();
        heap_.link(node, "val" + atom.tag, places[atom.body->parameter]);
        return build(atom.body->heap, places);
    }

    bool build_tree(const Atom& atom, const Places& places, int x, int least) {
        if (x == 0) return least == 0;
        if (!free(x) || heap_.nodes.size() > 12) return false;
        const int left = random_.chance(0.6) ? 0 : new_place(), right = random_.chance(0.6) ? 0 : new_place();
        heap_.link(x, "left" + atom.tag, left);
        heap_.link(x, "right" + atom.tag, right);
        return build_body(atom, places, x) && build_tree(atom, places, left, 0) &&
               build_tree(atom, places, right, 0);
    }

    Random& random_;
    Heap heap_;
};

} // namespace

bool holds(const Heap& heap, const Formula& formula) {
    GGSNN_ASSERT(heap.nodes.size() <= 31);
    Mask all = 0;
    for (std::size_t i = 1; i < heap.nodes.size(); ++i)
        if (heap.nodes[i].allocated) all |= Mask{1} << i;
    Places places(heap.variables.begin(), heap.variables.end());
    for (SymbolicHeap h : formula.heaps) {
        for (const std::string& name : free_names(h))
            if (!places.contains(name)) h.exists.push_back(name);
        if (Meaning(heap).of(h, places).contains(all)) return true;
    }
    return false;
}

Formula random_formula(const FormulaStyle& style, Random& random) {
    Formula formula;
    do formula.heaps.push_back(Writer(style, random).heap());
    while (random.chance(style.disjunct));
    return formula;
}

Heap random_heap(const std::vector<std::string>& names, const std::vector<std::string>& fields, int max_cells,
                 Random& random) {
    Heap heap;
    const int cells = static_cast<int>(random.below(static_cast<std::uint64_t>(max_cells) + 1));
    for (int i = 0; i < cells + 1; ++i) heap.add_node(i < cells);
    for (int i = 1; i <= cells; ++i)
        for (const std::string& field : fields)
            if (random.chance(0.9)) heap.link(i, field, static_cast<int>(random.below(heap.nodes.size())));
    for (const std::string& name : names)
        heap.set_variable(name, static_cast<int>(random.below(heap.nodes.size())));
    return heap;
}

std::optional<Heap> random_model(const Formula& formula, const std::vector<std::string>& names,
                                 Random& random) {
    return Builder(random).run(random.pick(formula.heaps), names);
}

} // namespace ggsnn::logic::brute
