// Between the terms of a symbolic state and the names of a program: questions for the prover, formulas for
// readers, and models over program variables.
#include "verify/symbolic_state.hpp"

#include <algorithm>

namespace ggsnn::verify {

using logic::Atom;
using logic::Formula;
using logic::Pure;
using logic::SymbolicHeap;

namespace {

std::set<std::string> fields_of(const Formula& formula) {
    std::set<std::string> fields;
    for (const SymbolicHeap& heap : formula.heaps)
        for (const Atom& atom : heap.atoms)
            for (const auto& link : atom.links) fields.insert(link.first);
    return fields;
}

bool has_none(const SymbolicHeap& heap, bool in_body) {
    return std::any_of(heap.atoms.begin(), heap.atoms.end(), [&](const Atom& atom) {
        return (in_body && atom.kind == Atom::Kind::none) || (atom.body && has_none(atom.body->heap, true));
    });
}

} // namespace

SymbolicHeap SymbolicState::question(const Formula& right) const {
    SymbolicHeap left = with_numbers_apart();
    const std::set<std::string> fields = fields_of(right);
    for (const Data& entry : data_) {
        const int cell = cell_at(entry.root);
        if (cell >= 0 && fields.contains(entry.field))
            left.atoms[static_cast<std::size_t>(cell)].links.emplace_back(entry.field, entry.value);
    }
    std::set<std::string> relevant = logic::free_names(right);
    SymbolicHeap spatial = left;
    spatial.pure.clear();
    relevant.merge(logic::free_names(spatial));
    relevant.insert(logic::null_name);
    std::erase_if(left.pure,
                  [&](const Pure& p) { return !relevant.contains(p.left) || !relevant.contains(p.right); });
    return left;
}

SymbolicHeap SymbolicState::described(const Names& names) const {
    SymbolicHeap shown = heap;
    Names shown_as{{logic::null_name, logic::null_name}};
    std::vector<Pure> equal;
    for (const bool old : {false, true})
        for (const auto& [name, term] : names) {
            if (term.empty() || name.starts_with("\\old") != old) continue;
            if (const auto [there, added] = shown_as.try_emplace(term, name); !added) {
                equal.push_back({true, name, there->second});
            } else if (is_number(term)) {
                equal.push_back({true, name, term});
            }
        }
    for (auto& [term, name] : shown_as)
        if (is_number(term)) name = term;
    std::set<std::string> there;
    SymbolicHeap spatial = heap;
    spatial.pure.clear();
    for (const std::string& name : logic::free_names(spatial)) there.insert(name);
    for (const auto& [term, name] : shown_as) there.insert(term);
    std::erase_if(shown.pure,
                  [&](const Pure& p) { return !there.contains(p.left) || !there.contains(p.right); });
    std::set<std::string> taken;
    for (const auto& [name, term] : names) taken.insert(name);
    int next = 1;
    for (const std::string& term : logic::free_names(shown)) {
        if (shown_as.contains(term) || is_number(term)) continue;
        std::string name;
        do name = fmt::format("t{}", next++);
        while (taken.contains(name));
        shown_as[term] = name;
        shown.exists.push_back(name);
    }
    const std::vector<std::string> exists = std::exchange(shown.exists, {});
    shown_as.erase(logic::null_name);
    shown = logic::substitute(shown, shown_as);
    shown.exists = exists;
    shown.pure.insert(shown.pure.begin(), equal.begin(), equal.end());
    return shown;
}

Formula instantiate(const Formula& formula, const Names& names) {
    Formula result;
    for (const SymbolicHeap& heap : formula.heaps) result.heaps.push_back(logic::substitute(heap, names));
    return result;
}

std::string unsuited(const Formula& formula, const Names& names) {
    if (formula.heaps.empty()) return "the formula has no case";
    for (const std::string& name : logic::free_names(formula))
        if (!names.contains(name)) return fmt::format("'{}' is not known there", name);
    for (const SymbolicHeap& heap : formula.heaps)
        if (has_none(heap, false)) return "none(..) inside a nested structure is not supported";
    return "";
}

logic::Heap with_names(const logic::Heap& model, const Names& names) {
    logic::Heap heap = model;
    heap.variables.clear();
    std::map<Term, int> added;
    for (const auto& [name, term] : names) {
        if (term.empty()) continue;
        int node = term == logic::null_name ? 0 : model.variable(term);
        if (node < 0 && is_number(term)) continue;
        if (node < 0) {
            const auto [there, fresh] = added.try_emplace(term, 0);
            if (fresh) there->second = heap.add_node(false);
            node = there->second;
        }
        heap.set_variable(name, node);
    }
    return heap;
}

} // namespace ggsnn::verify
