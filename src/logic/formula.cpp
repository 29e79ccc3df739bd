// Names and substitution in formulas, and their canonical form.
#include "logic/formula.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace ggsnn::logic {

namespace {

void collect_free(const SymbolicHeap& heap, std::multiset<std::string>& bound, std::set<std::string>& names) {
    for (const std::string& name : heap.exists) bound.insert(name);
    const auto add = [&](const std::string& name) {
        if (name != null_name && !bound.contains(name)) names.insert(name);
    };
    for (const Pure& pure : heap.pure) {
        add(pure.left);
        add(pure.right);
    }
    for (const Atom& atom : heap.atoms) {
        for (const std::string& argument : atom.arguments) add(argument);
        for (const auto& link : atom.links) add(link.second);
        if (!atom.body) continue;
        bound.insert(atom.body->parameter);
        collect_free(atom.body->heap, bound, names);
        bound.erase(bound.find(atom.body->parameter));
    }
    for (const std::string& name : heap.exists) bound.erase(bound.find(name));
}

// A name like wanted that is not taken: wanted, wanted1, wanted2, ...
std::string unused(const std::string& wanted, const std::set<std::string>& taken) {
    if (!taken.contains(wanted)) return wanted;
    for (int i = 1;; ++i) {
        std::string candidate = fmt::format("{}{}", wanted, i);
        if (!taken.contains(candidate)) return candidate;
    }
}

using Renaming = std::map<std::string, std::string>;

std::string renamed(const Renaming& names, const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? name : found->second;
}

SymbolicHeap rename(const SymbolicHeap& heap, Renaming names);

// Renames a binder of names that would capture one of the new names, and takes it out of `names`.
std::string rename_binder(const std::string& binder, const std::set<std::string>& inner, Renaming& names) {
    names.erase(binder);
    std::set<std::string> taken = inner;
    bool captures = false;
    for (const auto& [from, to] : names) {
        taken.insert(to);
        captures |= to == binder && inner.contains(from);
    }
    if (!captures) return binder;
    const std::string fresh = unused(binder, taken);
    names[binder] = fresh;
    return fresh;
}

std::shared_ptr<const Lambda> rename(const std::shared_ptr<const Lambda>& body, Renaming names) {
    if (!body) return nullptr;
    const std::string parameter = rename_binder(body->parameter, free_names(body->heap), names);
    return std::make_shared<const Lambda>(Lambda{parameter, rename(body->heap, names)});
}

SymbolicHeap rename(const SymbolicHeap& heap, Renaming names) {
    SymbolicHeap result = heap;
    SymbolicHeap open = heap;
    open.exists.clear();
    const std::set<std::string> inner = heap.exists.empty() ? std::set<std::string>{} : free_names(open);
    for (std::string& bound : result.exists) bound = rename_binder(bound, inner, names);
    for (Pure& pure : result.pure) {
        pure.left = renamed(names, pure.left);
        pure.right = renamed(names, pure.right);
    }
    for (Atom& atom : result.atoms) {
        for (std::string& argument : atom.arguments) argument = renamed(names, argument);
        for (auto& link : atom.links) link.second = renamed(names, link.second);
        atom.body = rename(atom.body, names);
    }
    return result;
}

// ---- canonical form

// x = t with t existential: t is replaced. x = x and double pure parts go; disequalities are oriented.
void simplify_pure(SymbolicHeap& heap) {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < heap.pure.size() && !changed; ++i) {
            Pure pure = heap.pure[i];
            if (!pure.equal) continue;
            const auto bound = [&](const std::string& name) {
                return std::find(heap.exists.begin(), heap.exists.end(), name) != heap.exists.end();
            };
            if (pure.left != pure.right && bound(pure.right)) std::swap(pure.left, pure.right);
            if (pure.left != pure.right && !bound(pure.left)) continue;
            heap.pure.erase(heap.pure.begin() + static_cast<std::ptrdiff_t>(i));
            if (pure.left != pure.right) {
                std::erase(heap.exists, pure.left);
                heap = substitute(heap, pure.left, pure.right);
            }
            changed = true;
        }
    }
    for (Pure& pure : heap.pure)
        if (pure.right < pure.left) std::swap(pure.left, pure.right);
}

// Existentials that occur nowhere, or only on one side of disequalities, which can always be met.
void drop_useless(SymbolicHeap& heap) {
    std::vector<std::string> kept;
    for (const std::string& name : heap.exists) {
        SymbolicHeap spatial = heap;
        spatial.exists.clear();
        spatial.pure.clear();
        bool needed = free_names(spatial).contains(name);
        for (const Pure& pure : heap.pure) needed |= pure.left == name && pure.right == name;
        if (needed) {
            kept.push_back(name);
        } else {
            std::erase_if(heap.pure,
                          [&](const Pure& pure) { return pure.left == name || pure.right == name; });
        }
    }
    heap.exists = kept;
}

SymbolicHeap canonical_heap(SymbolicHeap heap, std::set<std::string> scope, const std::string& base);

void canonical_bodies(SymbolicHeap& heap, const std::set<std::string>& scope) {
    for (Atom& atom : heap.atoms) {
        std::sort(atom.links.begin(), atom.links.end());
        if (!atom.body) continue;
        std::set<std::string> inner = scope;
        inner.insert(heap.exists.begin(), heap.exists.end());
        const std::string parameter = unused("t", inner);
        SymbolicHeap body = rename(atom.body->heap, {{atom.body->parameter, parameter}});
        inner.insert(parameter);
        body = canonical_heap(std::move(body), inner, "e");
        const bool nothing = body.atoms.empty() && body.pure.empty();
        atom.body = nothing ? nullptr : std::make_shared<const Lambda>(Lambda{parameter, std::move(body)});
    }
}

// Parts in order of their text, doubles of pure parts dropped.
void sort_parts(SymbolicHeap& heap) {
    const auto key = [](const Pure& p) { return std::tuple(p.equal, p.left, p.right); };
    std::sort(heap.pure.begin(), heap.pure.end(),
              [&](const Pure& a, const Pure& b) { return key(a) < key(b); });
    heap.pure.erase(std::unique(heap.pure.begin(), heap.pure.end()), heap.pure.end());
    std::vector<std::pair<std::string, Atom>> keyed;
    for (Atom& atom : heap.atoms) {
        SymbolicHeap alone;
        alone.atoms.push_back(atom);
        keyed.emplace_back(print(alone, Reading::program), std::move(atom));
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < keyed.size(); ++i) heap.atoms[i] = std::move(keyed[i].second);
}

// heap with its existentials, in the given order, called base, base1, base2, ... as far as free.
SymbolicHeap with_names(const SymbolicHeap& heap, const std::vector<std::string>& order,
                        const std::set<std::string>& taken, const std::string& base) {
    std::set<std::string> used = taken;
    Renaming names;
    SymbolicHeap open = heap;
    open.exists.clear();
    std::vector<std::string> fresh;
    for (const std::string& old : order) {
        const std::string name = unused(base, used);
        used.insert(name);
        names[old] = name;
        fresh.push_back(name);
    }
    open = rename(open, names);
    open.exists = fresh;
    simplify_pure(open);
    canonical_bodies(open, used);
    sort_parts(open);
    return open;
}

SymbolicHeap canonical_heap(SymbolicHeap heap, std::set<std::string> scope, const std::string& base) {
    simplify_pure(heap);
    drop_useless(heap);
    for (const std::string& name : free_names(heap)) scope.insert(name);
    std::vector<std::string> order = heap.exists;
    std::sort(order.begin(), order.end());
    if (static_cast<int>(order.size()) > max_permuted) return with_names(heap, heap.exists, scope, base);
    SymbolicHeap best;
    std::string best_text;
    do {
        SymbolicHeap candidate = with_names(heap, order, scope, base);
        const std::string text = print(candidate, Reading::program);
        if (best_text.empty() || text < best_text) {
            best = std::move(candidate);
            best_text = text;
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

} // namespace

std::set<std::string> free_names(const SymbolicHeap& heap) {
    std::set<std::string> names;
    std::multiset<std::string> bound;
    collect_free(heap, bound, names);
    return names;
}

std::set<std::string> free_names(const Formula& formula) {
    std::set<std::string> names;
    for (const SymbolicHeap& heap : formula.heaps) names.merge(free_names(heap));
    return names;
}

SymbolicHeap substitute(const SymbolicHeap& heap, const std::string& name, const std::string& term) {
    return rename(heap, {{name, term}});
}

SymbolicHeap substitute(const SymbolicHeap& heap, const std::map<std::string, std::string>& terms) {
    return rename(heap, terms);
}

Formula canonical(const Formula& formula) {
    std::map<std::string, SymbolicHeap> sorted;
    for (const SymbolicHeap& heap : formula.heaps) {
        SymbolicHeap one = canonical_heap(heap, {}, "t");
        std::string text = print(one, Reading::program);
        sorted.emplace(std::move(text), std::move(one));
    }
    Formula result;
    for (auto& [text, heap] : sorted) result.heaps.push_back(std::move(heap));
    return result;
}

bool canonically_equal(const Formula& a, const Formula& b) {
    return print(canonical(a), Reading::program) == print(canonical(b), Reading::program);
}

} // namespace ggsnn::logic
