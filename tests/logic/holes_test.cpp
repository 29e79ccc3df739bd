// Trees with holes and with parents: the satisfaction check and the prover against a plain reading of what
// they mean, on small random heaps. GGSNN_RANDOM multiplies the rounds.
#include "ggsnn/base/random.hpp"
#include "ggsnn/logic/prover.hpp"
#include "ggsnn/logic/sample.hpp"
#include "ggsnn/logic/satisfy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace ggsnn::logic {
namespace {

using Cells = std::set<int>;
using Covers = std::set<Cells>; // the sets of cells that an atom may cover

// Written from the words of docs/logic.md, by recursion over the heap; depth cuts off cycles.
class Plain {
  public:
    explicit Plain(const Heap& heap) : heap_(heap) {}

    bool holds(const SymbolicHeap& formula) const {
        for (const Pure& pure : formula.pure)
            if ((at(pure.left) == at(pure.right)) != pure.equal) return false;
        Covers sums{{}};
        for (const Atom& atom : formula.atoms) {
            Covers next;
            for (const Cells& one : sums)
                for (const Cells& other : covers(atom)) join(one, other, next);
            sums = std::move(next);
        }
        Cells all;
        for (std::size_t v = 1; v < heap_.nodes.size(); ++v)
            if (heap_.nodes[v].allocated) all.insert(static_cast<int>(v));
        return sums.contains(all);
    }

  private:
    int at(const std::string& name) const { return name == null_name ? 0 : heap_.variable(name); }
    int link(int cell, const char* field) const { return heap_.target(cell, heap_.find_field(field)); }
    bool is_cell(int node) const { return node > 0 && heap_.nodes[static_cast<std::size_t>(node)].allocated; }

    static void join(const Cells& a, const Cells& b, Covers& out) {
        if (std::any_of(a.begin(), a.end(), [&](int cell) { return b.contains(cell); })) return;
        Cells both = a;
        both.insert(b.begin(), b.end());
        out.insert(std::move(both));
    }

    Covers covers(const Atom& atom) const {
        const auto node = [&](std::size_t i) { return at(atom.arguments[i]); };
        switch (atom.kind) {
        case Atom::Kind::cell: {
            const bool fits =
                is_cell(node(0)) && std::all_of(atom.links.begin(), atom.links.end(), [&](const auto& l) {
                    return link(node(0), l.first.c_str()) == at(l.second);
                });
            return fits ? Covers{{node(0)}} : Covers{};
        }
        case Atom::Kind::tree:
            return below(node(0), -1, -1, -1, 0);
        case Atom::Kind::treeseg:
            return below(node(0), -1, node(1), -1, 0);
        case Atom::Kind::ptree:
            return below(node(0), node(1), -1, -1, 0);
        case Atom::Kind::ptreeseg:
            return below(node(0), node(1), node(2), node(3), 0);
        default:
            return {};
        }
    }

    // up -1: parents do not matter; hole -1: there is none.
    Covers below(int x, int up, int hole, int over, int depth) const {
        if (hole < 0 && x == 0) return {{}};
        if (hole >= 0 && x == hole) return up < 0 || up == over ? Covers{{}} : Covers{};
        if (!is_cell(x) || depth > 8 || (up >= 0 && link(x, "parent") != up)) return {};
        const int left = link(x, "left"), right = link(x, "right"), here = up < 0 ? -1 : x;
        if (left < 0 || right < 0) return {};
        Covers out;
        const auto both = [&](int left_hole, int right_hole) {
            for (const Cells& l : below(left, here, left_hole, over, depth + 1))
                for (const Cells& r : below(right, here, right_hole, over, depth + 1)) {
                    Covers children;
                    join(l, r, children);
                    for (const Cells& cells : children) join({x}, cells, out);
                }
        };
        if (hole < 0) {
            both(-1, -1);
        } else {
            both(hole, -1);
            both(-1, hole);
        }
        return out;
    }

    const Heap& heap_;
};

const std::vector<std::string> names{"x", "y", "z"};

std::string term(Random& random) {
    return random.chance(0.2) ? null_name : random.pick(names);
}

Atom any_atom(Random& random) {
    using Kind = Atom::Kind;
    static const std::vector<Kind> kinds{Kind::tree,  Kind::treeseg,  Kind::treeseg,
                                         Kind::ptree, Kind::ptreeseg, Kind::cell};
    Atom atom;
    atom.kind = random.pick(kinds);
    atom.arguments = {random.pick(names)};
    if (atom.kind == Kind::cell) {
        atom.links = {{"left", term(random)}, {"right", term(random)}};
        if (random.chance(0.5)) atom.links.emplace_back("parent", term(random));
        return atom;
    }
    while (atom.arguments.size() < predicate(atom.kind).parameters.size())
        atom.arguments.push_back(term(random));
    return atom;
}

SymbolicHeap any_formula(Random& random) {
    SymbolicHeap heap;
    const std::size_t atoms = 1 + random.below(3);
    while (heap.atoms.size() < atoms) heap.atoms.push_back(any_atom(random));
    if (random.chance(0.3)) heap.pure.push_back({random.chance(0.3), random.pick(names), term(random)});
    return heap;
}

// The right side often is the left one with neighbours put together, or apart.
SymbolicHeap changed(SymbolicHeap heap, Random& random) {
    const std::size_t at = random.below(heap.atoms.size());
    Atom& atom = heap.atoms[at];
    using Kind = Atom::Kind;
    if (atom.kind == Kind::cell && random.chance(0.8)) {
        atom.kind = random.chance(0.5) ? Kind::treeseg : Kind::tree;
        const std::string end = atom.links[random.below(2)].second;
        atom.links.clear();
        if (atom.kind == Kind::treeseg) atom.arguments.push_back(end);
    } else if (atom.kind == Kind::treeseg || atom.kind == Kind::ptree) {
        atom.kind = Kind::tree;
        atom.arguments.resize(1);
    }
    if (heap.atoms.size() > 1 && random.chance(0.6))
        heap.atoms.erase(heap.atoms.begin() + static_cast<std::ptrdiff_t>(random.below(heap.atoms.size())));
    if (random.chance(0.7)) heap.pure.clear();
    return heap;
}

// Cells in a few trees, with links changed here and there.
Heap any_heap(Random& random) {
    static const std::vector<std::string> fields{"left", "right", "parent"};
    Heap heap;
    for (const std::string& field : fields) heap.field(field);
    const int cells = static_cast<int>(random.below(6));
    for (int i = 0; i < cells; ++i) heap.add_node(true);
    std::vector<std::pair<int, const char*>> open;
    for (int c = 1; c <= cells; ++c) {
        heap.link(c, "parent", 0);
        if (!open.empty() && random.chance(0.85)) {
            const std::size_t at = random.below(open.size());
            heap.link(open[at].first, open[at].second, c);
            heap.link(c, "parent", open[at].first);
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
        }
        for (const char* side : {"left", "right"}) {
            heap.link(c, side, 0);
            open.emplace_back(c, side);
        }
    }
    const auto any_node = [&] { return static_cast<int>(random.below(heap.nodes.size())); };
    if (cells > 0 && random.chance(0.4))
        heap.link(1 + static_cast<int>(random.below(static_cast<std::uint64_t>(cells))), random.pick(fields),
                  any_node());
    for (const std::string& name : names) heap.set_variable(name, any_node());
    return heap;
}

int rounds(int count) {
    const char* times = std::getenv("GGSNN_RANDOM");
    return times == nullptr ? count : count * std::max(1, std::atoi(times));
}

TEST(Holes, TheSatisfactionCheckReadsThemAsTheyAreWritten) {
    Random random(71);
    int yes = 0;
    for (int i = 0; i < rounds(20'000); ++i) {
        const SymbolicHeap formula = any_formula(random);
        const Heap heap = any_heap(random);
        const bool expected = Plain(heap).holds(formula);
        yes += expected ? 1 : 0;
        ASSERT_EQ(satisfies(heap, Formula{{formula}}), expected ? Truth::yes : Truth::no)
            << print(formula, Reading::program) << "   " << heap_text(heap);
    }
    EXPECT_GT(yes, 100);
}

TEST(Holes, WhatIsProvedHoldsInEveryHeapThatIsThere) {
    Random random(72);
    std::vector<Heap> heaps;
    for (int i = 0; i < 1000; ++i) heaps.push_back(any_heap(random));
    int valid = 0, told = 0;
    for (int i = 0; i < rounds(300); ++i) {
        const SymbolicHeap left = any_formula(random);
        const SymbolicHeap right = random.chance(0.7) ? changed(left, random) : any_formula(random);
        const Answer answer = prove(Formula{{left}}, Formula{{right}}, {0.05});
        const std::string text = print(Entailment{{{left}}, {{right}}}, Reading::program);
        if (answer.verdict == Validity::invalid && answer.counter && answer.counter->nodes.size() < 16) {
            EXPECT_TRUE(Plain(*answer.counter).holds(left)) << text << "   " << heap_text(*answer.counter);
            EXPECT_FALSE(Plain(*answer.counter).holds(right)) << text << "   " << heap_text(*answer.counter);
        }
        if (answer.verdict != Validity::valid) continue;
        ++valid;
        for (const Heap& heap : heaps) {
            const Plain plain(heap);
            if (!plain.holds(left)) continue;
            ++told;
            ASSERT_TRUE(plain.holds(right)) << text << "   " << heap_text(heap);
        }
    }
    EXPECT_GT(valid, 15);
    EXPECT_GT(told, 30);
}

} // namespace
} // namespace ggsnn::logic
