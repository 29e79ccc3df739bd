// What the tests of shapes share: heaps written down, formulas from text, heaps whose nodes change places.
#pragma once

#include "ggsnn/logic/formula.hpp"
#include "ggsnn/logic/heap.hpp"

#include <numeric>
#include <string>
#include <tuple>
#include <vector>

namespace ggsnn::shapes {

inline logic::Formula shape(const std::string& text) {
    return logic::parse_formula(text, logic::Reading::shape);
}

// The one text of all formulas that are canonically equal.
inline std::string text(const logic::SymbolicHeap& heap) {
    return logic::print(logic::canonical({{heap}}), logic::Reading::shape);
}

// Cells 1 .. cells; links (source, field, target); variables.
inline logic::Heap heap_of(int cells, const std::vector<std::tuple<int, const char*, int>>& links,
                           const std::vector<std::pair<const char*, int>>& variables) {
    logic::Heap heap;
    for (int i = 0; i < cells; ++i) heap.add_node(true);
    for (const auto& [source, field, target] : links) heap.link(source, field, target);
    for (const auto& [name, node] : variables) heap.set_variable(name, node);
    return heap;
}

// The heap of the paper's figure: b -> 2 -> 3 -> 4 -> 3.
inline logic::Heap panhandle() {
    return heap_of(4, {{1, "next", 2}, {2, "next", 3}, {3, "next", 4}, {4, "next", 3}}, {{"b", 1}});
}

// A list of `cells` cells from x to NULL.
inline logic::Heap list_heap(int cells) {
    logic::Heap heap;
    for (int i = 0; i < cells; ++i) heap.add_node(true);
    for (int i = 1; i <= cells; ++i) heap.link(i, "next", i < cells ? i + 1 : 0);
    heap.set_variable("x", 1);
    return heap;
}

// Node v of the heap becomes node order[v]; order[0] is 0.
inline logic::Heap renumbered(const logic::Heap& heap, const std::vector<int>& order) {
    logic::Heap out;
    out.fields = heap.fields;
    out.nodes.resize(heap.nodes.size());
    for (std::size_t v = 0; v < heap.nodes.size(); ++v) {
        logic::Heap::Node& node = out.nodes[static_cast<std::size_t>(order[v])];
        node = heap.nodes[v];
        for (auto& link : node.links) link.second = order[static_cast<std::size_t>(link.second)];
    }
    for (const auto& [name, node] : heap.variables)
        out.set_variable(name, order[static_cast<std::size_t>(node)]);
    return out;
}

// NULL stays, the others are shuffled.
template <class Random>
std::vector<int> any_order(std::size_t nodes, Random& random) {
    std::vector<int> rest(nodes - 1);
    std::iota(rest.begin(), rest.end(), 1);
    random.shuffle(rest);
    rest.insert(rest.begin(), 0);
    return rest;
}

} // namespace ggsnn::shapes
