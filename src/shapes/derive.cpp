#include "ggsnn/shapes/derive.hpp"

#include "ggsnn/logic/definitions.hpp"
#include "ggsnn/logic/satisfy.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace ggsnn::shapes {

using logic::Atom;
using logic::Heap;
using logic::SymbolicHeap;

namespace {

// Of each structure this many of the structures that hang from it are asked about: they look alike.
constexpr std::size_t bodies_asked = 2;

// The right run over one scope: a heap with its variables, or a body at one node.
class Derivation {
  public:
    Derivation(const Lesson& lesson, Grammar grammar, const Heap& heap, const SymbolicHeap& shape,
               const Place& place, std::deque<Heap>& parts)
        : teach_(lesson),
          grammar_(grammar),
          parts_(parts),
          heap_(heap),
          shape_(shape),
          place_(place),
          marks_(heap.nodes.size()) {}

    void run() {
        place_names();
        std::vector<std::string> names;
        for (const auto& [name, node] : heap_.variables)
            if (node != 0 && !alias_.contains(name)) names.push_back(name);
        for (const std::string& name : names) marks_.named[at(name)] = 1;
        if (!grammar_.nested) declare(shape_.exists, names); // Algorithm 1, lines 3 to 8
        for (std::size_t i = 0; i < names.size(); ++i) {     // lines 9 to 19
            const Atom& atom = atom_at(names[i]);
            marks_.active = {static_cast<int>(at(names[i]))};
            if (grammar_.nested) declare(ends_of(atom), names);
            describe(atom);
        }
    }

    const Marks& marks() const { return marks_; }

  private:
    std::size_t at(const std::string& name) const { return static_cast<std::size_t>(nodes_.at(name)); }

    void place_names() {
        std::map<std::string, int> witness;
        const logic::Checker checker({{shape_}});
        if (checker(heap_, witness) != logic::Truth::yes)
            fail_at(place_, "the heap does not satisfy its formula {}",
                    logic::print(shape_, logic::Reading::shape));
        for (const auto& [name, node] : heap_.variables) nodes_[name] = node;
        for (const std::string& name : shape_.exists) {
            if (witness[name] <= 0) fail_at(place_, "the existential {} of the formula names no node", name);
            nodes_[name] = witness[name];
        }
        nodes_[logic::null_name] = 0;
        // Of variables on one node the first in order stands for all.
        std::map<int, std::string> first;
        for (const auto& [name, node] : heap_.variables)
            if (!first.emplace(node, name).second) alias_.insert(name);
    }

    const Atom& atom_at(const std::string& name) const {
        for (const Atom& atom : shape_.atoms)
            if (nodes_.contains(atom.root()) && at(atom.root()) == at(name)) return atom;
        fail_at(place_, "the formula says nothing of {}", name);
    }

    static const std::string& end_of(const Atom& atom) {
        return atom.arguments[static_cast<std::size_t>(logic::ends_of(atom.kind).end)];
    }

    // Existentials that this list ends at and that have no name yet.
    std::vector<std::string> ends_of(const Atom& atom) const {
        if (!logic::is_structure(atom) || logic::ends_of(atom.kind).end < 0) return {};
        const std::string& end = end_of(atom);
        const bool existential =
            std::find(shape_.exists.begin(), shape_.exists.end(), end) != shape_.exists.end();
        return existential && marks_.named[at(end)] == 0 ? std::vector{end} : std::vector<std::string>{};
    }

    void declare(const std::vector<std::string>& existentials, std::vector<std::string>& names) {
        for (const std::string& name : existentials) {
            teach(Decision::quantify, {one_more});
            teach(Decision::pick, {static_cast<int>(at(name))});
            marks_.named[at(name)] = 1;
            names.push_back(name);
        }
        teach(Decision::quantify, {no_more});
    }

    void describe(const Atom& atom) {
        const int predicate = class_of(atom.kind);
        if (predicate < 0 || (predicate > is_tree && !grammar_.wide))
            fail_at(place_, "the formula has a part that is none of {}",
                    grammar_.wide ? "its predicates and none" : "ls, tree, none");
        teach(Decision::predicate, {predicate});
        ++marks_.earlier[static_cast<std::size_t>(predicate)];
        if (predicate == is_none) return;
        const bool ends = logic::ends_of(atom.kind).end >= 0;
        const int end = ends ? static_cast<int>(at(end_of(atom))) : 0;
        if (ends) teach(Decision::end, {end});
        const std::vector<int> cells = cells_of(heap_, atom.kind, static_cast<int>(at(atom.root())), end);
        std::vector<int> labels(heap_.nodes.size(), nothing_new);
        std::vector<int> hanging;
        const int val = grammar_.nested ? heap_.find_field("val") : -1;
        for (const int cell : cells) {
            const int below = val >= 0 ? heap_.target(cell, val) : -1;
            if (below <= 0) continue;
            labels[static_cast<std::size_t>(below)] = hangs_here;
            hanging.push_back(below);
        }
        for (const int cell : cells) labels[static_cast<std::size_t>(cell)] = now_explained;
        teach(Decision::explain, labels);
        for (const int cell : cells) marks_.explained[static_cast<std::size_t>(cell)] = 1;
        for (std::size_t i = 0; i < hanging.size(); ++i) describe_body(atom, hanging[i], i < bodies_asked);
    }

    void describe_body(const Atom& atom, int node, bool ask) {
        std::vector<int> origin;
        const Heap& part = parts_.emplace_back(reachable_part(heap_, node, "u", origin));
        for (const int old : origin)
            if (old != 0) marks_.explained[static_cast<std::size_t>(old)] = 1;
        if (!ask) return;
        if (!atom.body)
            fail_at(place_, "something hangs from {}, and the formula has no body for it", atom.root());
        const SymbolicHeap body = logic::substitute(atom.body->heap, atom.body->parameter, "u");
        Derivation(teach_, grammar_, part, body, place_, parts_).run();
    }

    void teach(Decision decision, const std::vector<int>& labels) { teach_(decision, heap_, marks_, labels); }

    const Lesson& teach_;
    Grammar grammar_;
    std::deque<Heap>& parts_; // keeps the heaps of bodies while lessons refer to them
    const Heap& heap_;
    const SymbolicHeap& shape_;
    const Place& place_;
    Marks marks_;
    std::map<std::string, int> nodes_;
    std::set<std::string> alias_;
};

} // namespace

Lessons::Lessons(Grammar of) : grammar(of) {
    for (const Decision d : all_decisions) data[static_cast<std::size_t>(d)].schema = schema_of(d, grammar);
}

void derive(const Heap& heap, const logic::Formula& formula, Grammar grammar, const Place& place,
            const Lesson& lesson) {
    if (formula.heaps.size() != 1)
        fail_at(place, "a formula with {} cases; expected one", formula.heaps.size());
    std::deque<Heap> parts;
    Derivation(lesson, grammar, heap, formula.heaps[0], place, parts).run();
}

void Lessons::add(const Heap& heap, const logic::Formula& formula, const Place& place) {
    std::array<std::map<const Heap*, int>, decision_count> graphs; // of this heap and the parts asked about
    derive(heap, formula, grammar, place,
           [&](Decision decision, const Heap& asked, const Marks& marks, const std::vector<int>& labels) {
               const auto d = static_cast<std::size_t>(decision);
               const auto [at, fresh] = graphs[d].emplace(&asked, static_cast<int>(data[d].graphs.size()));
               if (fresh) data[d].graphs.push_back({graph_of(asked, data[d].schema.edge_types), {}, {}});
               Example example = marks.example(at->second);
               example.labels = labels;
               data[d].examples.push_back(std::move(example));
           });
}

std::vector<int> cells_of(const Heap& heap, Atom::Kind kind, int root, int end) {
    const int next = heap.find_field("next"), left = heap.find_field("left"),
              right = heap.find_field("right");
    std::vector<int> cells;
    if (kind == Atom::Kind::list || kind == Atom::Kind::dll) {
        int node = root;
        do {
            cells.push_back(node);
            node = heap.target(node, next);
        } while (node > 0 && node != end && cells.size() <= heap.nodes.size());
        return cells;
    }
    std::vector<int> open{root};
    while (!open.empty() && cells.size() <= heap.nodes.size()) {
        const int node = open.back();
        open.pop_back();
        if (node <= 0 || !heap.nodes[static_cast<std::size_t>(node)].allocated) continue;
        if (node == end && !cells.empty()) continue; // the hole
        cells.push_back(node);
        open.push_back(heap.target(node, right));
        open.push_back(heap.target(node, left));
    }
    return cells;
}

std::vector<int> argument_nodes(const Heap& heap, Atom::Kind kind, int root, int end) {
    const logic::Ends& ends = logic::ends_of(kind);
    std::vector<int> nodes(logic::predicate(kind).parameters.size(), -1);
    nodes[0] = root;
    if (ends.end >= 0) nodes[static_cast<std::size_t>(ends.end)] = end;
    if (ends.back >= 0)
        nodes[static_cast<std::size_t>(ends.back)] = heap.target(root, heap.find_field(ends.back_field));
    if (ends.last < 0) return nodes;
    int& last = nodes[static_cast<std::size_t>(ends.last)];
    for (const int cell : cells_of(heap, kind, root, end))
        for (const auto& [field, target] : heap.nodes[static_cast<std::size_t>(cell)].links)
            for (const logic::Role& role : logic::meaning(kind).roles)
                if (role.onward && target == end &&
                    heap.fields[static_cast<std::size_t>(field)] == role.field)
                    last = cell;
    return nodes;
}

Heap reachable_part(const Heap& heap, int node, const std::string& name, std::vector<int>& origin) {
    std::vector<int> to(heap.nodes.size(), -1);
    to[0] = 0;
    origin = {0};
    Heap part;
    part.fields = heap.fields;
    const auto visit = [&](int old) {
        int& fresh = to[static_cast<std::size_t>(old)];
        if (fresh < 0) {
            fresh = part.add_node(heap.nodes[static_cast<std::size_t>(old)].allocated);
            origin.push_back(old);
        }
        return fresh;
    };
    part.set_variable(name, visit(node));
    for (std::size_t i = 1; i < origin.size(); ++i)
        for (const auto& [field, target] : heap.nodes[static_cast<std::size_t>(origin[i])].links) {
            const int fresh = visit(target);
            part.nodes[i].links.emplace_back(field, fresh);
        }
    return part;
}

} // namespace ggsnn::shapes
