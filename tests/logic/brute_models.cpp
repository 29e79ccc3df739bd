// All small list heaps, and the shrinker; see brute.hpp.
#include "brute.hpp"

#include <algorithm>

namespace ggsnn::logic::brute {

namespace {
constexpr std::uint8_t fails = 255;
}

struct SmallModels::Compiled {
    struct Part {
        enum class Kind { equal, distinct, list, cell } kind;
        std::size_t a, b;
    };
    std::vector<Part> parts;
};

SmallModels::SmallModels(std::vector<std::string> names, int locations) : names_(std::move(names)) {
    names_.insert(names_.begin(), null_name);
    const int targets = locations + 1; // NULL and each location; one more choice: no cell
    std::vector<int> next(static_cast<std::size_t>(locations), 0), value(names_.size() - 1, 0);
    const auto advance = [](std::vector<int>& digits, int base) {
        for (int& digit : digits) {
            if (++digit < base) return true;
            digit = 0;
        }
        return false;
    };
    do {
        do add_if_canonical(next, value);
        while (advance(value, targets));
    } while (advance(next, targets + 1));
}

// next[i]: target of location i+1, or locations+1 for no cell. Canonical: numbering the locations as they are
// met from the names, following next, gives the numbers they have; locations that are not met have no cell.
void SmallModels::add_if_canonical(const std::vector<int>& next, const std::vector<int>& value) {
    const int locations = static_cast<int>(next.size());
    int met = 0;
    for (const int start : value)
        for (int at = start; at != 0;) {
            if (at > met + 1) return;
            if (at <= met) break;
            met = at;
            const int to = next[static_cast<std::size_t>(at - 1)];
            at = to == locations + 1 ? 0 : to;
        }
    for (int i = met; i < locations; ++i)
        if (next[static_cast<std::size_t>(i)] != locations + 1) return;
    Model model;
    model.value.push_back(0);
    for (const int v : value) model.value.push_back(static_cast<std::uint8_t>(v));
    model.next.push_back(fails);
    for (int i = 1; i <= locations; ++i) {
        const int to = next[static_cast<std::size_t>(i - 1)];
        model.next.push_back(to == locations + 1 ? fails : static_cast<std::uint8_t>(to));
        if (to != locations + 1) model.allocated |= static_cast<std::uint8_t>(1 << (i - 1));
    }
    for (std::size_t a = 0; a < names_.size(); ++a)
        for (std::size_t b = 0; b < names_.size(); ++b) {
            const std::uint8_t x = model.value[a], y = model.value[b];
            model.cell.push_back(x > 0 && model.next[x] == y && model.next[x] != fails
                                     ? static_cast<std::uint8_t>(1 << (x - 1))
                                     : fails);
            std::uint8_t covered = 0, at = x;
            while (at != y && at != 0 && model.next[at] != fails && !(covered >> (at - 1) & 1)) {
                covered = static_cast<std::uint8_t>(covered | 1 << (at - 1));
                at = model.next[at];
            }
            model.list.push_back(at == y ? covered : fails);
        }
    models_.push_back(std::move(model));
}

SmallModels::Compiled SmallModels::compile(const SymbolicHeap& heap) const {
    const auto number = [&](const std::string& name) {
        const auto found = std::find(names_.begin(), names_.end(), name);
        GGSNN_ASSERT(found != names_.end());
        return static_cast<std::size_t>(found - names_.begin());
    };
    Compiled compiled;
    GGSNN_ASSERT(heap.exists.empty());
    using Kind = Compiled::Part::Kind;
    for (const Pure& pure : heap.pure)
        compiled.parts.push_back(
            {pure.equal ? Kind::equal : Kind::distinct, number(pure.left), number(pure.right)});
    for (const Atom& atom : heap.atoms) {
        GGSNN_ASSERT((atom.kind == Atom::Kind::list && !atom.strict && !atom.body) ||
                     atom.kind == Atom::Kind::cell);
        const bool list = atom.kind == Atom::Kind::list;
        compiled.parts.push_back({list ? Kind::list : Kind::cell, number(atom.root()),
                                  number(list ? atom.arguments[1] : atom.links.at(0).second)});
    }
    return compiled;
}

bool SmallModels::holds(const Model& model, const Compiled& compiled) const {
    using Kind = Compiled::Part::Kind;
    std::uint8_t covered = 0;
    for (const auto& [kind, a, b] : compiled.parts) {
        if (kind == Kind::equal || kind == Kind::distinct) {
            if ((model.value[a] == model.value[b]) != (kind == Kind::equal)) return false;
            continue;
        }
        const std::uint8_t part = (kind == Kind::list ? model.list : model.cell)[a * names_.size() + b];
        if (part == fails || (part & covered) != 0) return false;
        covered |= part;
    }
    return covered == model.allocated;
}

std::optional<Heap> SmallModels::counter_model(const Entailment& entailment) const {
    std::vector<Compiled> left, right;
    for (const SymbolicHeap& heap : entailment.left.heaps) left.push_back(compile(heap));
    for (const SymbolicHeap& heap : entailment.right.heaps) right.push_back(compile(heap));
    for (const Model& model : models_) {
        const auto satisfied = [&](const Compiled& c) { return holds(model, c); };
        if (std::none_of(left.begin(), left.end(), satisfied)) continue;
        if (std::any_of(right.begin(), right.end(), satisfied)) continue;
        Heap heap;
        for (std::size_t i = 1; i < model.next.size(); ++i) heap.add_node(model.next[i] != fails);
        for (std::size_t i = 1; i < model.next.size(); ++i)
            if (model.next[i] != fails) heap.link(static_cast<int>(i), "next", model.next[i]);
        for (std::size_t n = 1; n < names_.size(); ++n) heap.set_variable(names_[n], model.value[n]);
        return heap;
    }
    return std::nullopt;
}

namespace {

// All formulas one step simpler.
std::vector<Formula> simpler(const Formula& formula) {
    std::vector<Formula> all;
    for (std::size_t h = 0; h < formula.heaps.size(); ++h) {
        if (formula.heaps.size() > 1) {
            all.push_back(formula);
            all.back().heaps.erase(all.back().heaps.begin() + static_cast<std::ptrdiff_t>(h));
        }
        for (std::size_t i = 0; i < formula.heaps[h].atoms.size(); ++i) {
            all.push_back(formula);
            std::vector<Atom>& atoms = all.back().heaps[h].atoms;
            atoms.erase(atoms.begin() + static_cast<std::ptrdiff_t>(i));
            if (formula.heaps[h].atoms[i].body) {
                all.push_back(formula);
                all.back().heaps[h].atoms[i].body = nullptr;
            }
        }
        for (std::size_t i = 0; i < formula.heaps[h].pure.size(); ++i) {
            all.push_back(formula);
            std::vector<Pure>& pure = all.back().heaps[h].pure;
            pure.erase(pure.begin() + static_cast<std::ptrdiff_t>(i));
        }
        std::vector<std::string> used = formula.heaps[h].exists;
        SymbolicHeap open = formula.heaps[h];
        open.exists.clear();
        std::erase_if(used, [&](const std::string& name) { return free_names(open).contains(name); });
        if (!used.empty()) {
            all.push_back(formula);
            std::erase(all.back().heaps[h].exists, used[0]);
        }
    }
    return all;
}

Formula renamed(Formula formula, const std::string& from, const std::string& to) {
    for (SymbolicHeap& heap : formula.heaps) heap = substitute(heap, from, to);
    return formula;
}

} // namespace

Entailment shrink(Entailment entailment, const std::function<bool(const Entailment&)>& fails_still) {
    for (bool smaller = true; smaller;) {
        smaller = false;
        std::vector<Entailment> candidates;
        for (Formula& left : simpler(entailment.left))
            candidates.push_back({std::move(left), entailment.right});
        for (Formula& right : simpler(entailment.right))
            candidates.push_back({entailment.left, std::move(right)});
        std::set<std::string> names = free_names(entailment.left);
        names.merge(free_names(entailment.right));
        for (const std::string& from : names)
            for (const std::string& to : names)
                if (to < from)
                    candidates.push_back(
                        {renamed(entailment.left, from, to), renamed(entailment.right, from, to)});
        for (Entailment& candidate : candidates) {
            if (!fails_still(candidate)) continue;
            entailment = std::move(candidate);
            smaller = true;
            break;
        }
    }
    return entailment;
}

} // namespace ggsnn::logic::brute
