// Names and substitution in formulas, and their canonical form.
#include "ggsnn/logic/formula.hpp"

#include "ggsnn/base/hash.hpp"

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
    const bool captures = std::any_of(names.begin(), names.end(), [&](const auto& name) {
        return name.second == binder && inner.contains(name.first);
    });
    if (!captures) return binder;
    std::set<std::string> taken = inner;
    for (const auto& name : names) taken.insert(name.second);
    const std::string fresh = unused(binder, taken);
    names[binder] = fresh;
    return fresh;
}

std::shared_ptr<const Lambda> rename(const std::shared_ptr<const Lambda>& body, Renaming names) {
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
        if (atom.body) atom.body = rename(atom.body, names);
    }
    return result;
}

// ---- canonical form

constexpr std::size_t max_effort = 30'000;

// What each existential that an equality gives a name is replaced by: the least term outside of `exists` that
// it equals, or else the least of the existentials that it equals.
Renaming named_existentials(const SymbolicHeap& heap) {
    Renaming leader; // of an existential; itself if it stands for its class
    for (const std::string& name : heap.exists) leader[name] = name;
    const auto find = [&](std::string name) {
        while (leader.at(name) != name) name = leader.at(name);
        return name;
    };
    for (const Pure& pure : heap.pure) {
        if (!pure.equal || !leader.contains(pure.left) || !leader.contains(pure.right)) continue;
        const std::string left = find(pure.left), right = find(pure.right);
        leader[std::max(left, right)] = std::min(left, right);
    }
    Renaming named;
    for (const Pure& pure : heap.pure) {
        const bool left = leader.contains(pure.left), right = leader.contains(pure.right);
        if (!pure.equal || left == right) continue;
        const std::string& term = left ? pure.right : pure.left;
        const auto [at, fresh] = named.emplace(find(left ? pure.left : pure.right), term);
        if (!fresh && term < at->second) at->second = term;
    }
    Renaming result;
    for (const std::string& name : heap.exists) {
        const std::string first = find(name);
        if (const std::string term = renamed(named, first); term != name) result[name] = term;
    }
    return result;
}

// x = t with t existential: t is replaced. x = x goes; the others are oriented.
void simplify_pure(SymbolicHeap& heap) {
    if (const Renaming terms = named_existentials(heap); !terms.empty()) {
        std::vector<std::string> kept;
        for (const std::string& name : heap.exists)
            if (!terms.contains(name)) kept.push_back(name);
        heap.exists.clear(); // what is put in may be one of those that stay
        heap = substitute(heap, terms);
        heap.exists = std::move(kept);
    }
    std::erase_if(heap.pure, [](const Pure& pure) { return pure.equal && pure.left == pure.right; });
    for (Pure& pure : heap.pure)
        if (pure.right < pure.left) std::swap(pure.left, pure.right);
}

// Existentials that occur nowhere, or only on one side of disequalities, which can always be met.
void drop_useless(SymbolicHeap& heap) {
    SymbolicHeap spatial;
    spatial.atoms = heap.atoms;
    std::set<std::string> needed = free_names(spatial), useless;
    for (const Pure& pure : heap.pure)
        if (pure.left == pure.right) needed.insert(pure.left);
    for (const std::string& name : heap.exists)
        if (!needed.contains(name)) useless.insert(name);
    std::erase_if(heap.exists, [&](const std::string& name) { return useless.contains(name); });
    std::erase_if(heap.pure, [&](const Pure& pure) {
        return useless.contains(pure.left) || useless.contains(pure.right);
    });
}

SymbolicHeap canonical_heap(SymbolicHeap heap, std::set<std::string> scope, const std::string& base,
                            std::size_t effort);

void canonical_bodies(SymbolicHeap& heap, const std::set<std::string>& scope, std::size_t effort) {
    const auto bodies = std::count_if(heap.atoms.begin(), heap.atoms.end(),
                                      [](const Atom& atom) { return atom.body != nullptr; });
    effort /= std::max<std::size_t>(1, static_cast<std::size_t>(bodies));
    for (Atom& atom : heap.atoms) {
        std::sort(atom.links.begin(), atom.links.end());
        if (!atom.body) continue;
        std::set<std::string> inner = scope;
        inner.insert(heap.exists.begin(), heap.exists.end());
        const std::string parameter = unused("t", inner);
        SymbolicHeap body = rename(atom.body->heap, {{atom.body->parameter, parameter}});
        inner.insert(parameter);
        body = canonical_heap(std::move(body), inner, "e", effort);
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
        keyed.emplace_back(print_tagged(alone), std::move(atom));
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < keyed.size(); ++i) heap.atoms[i] = std::move(keyed[i].second);
}

// heap with its existentials, in the given order, called base, base1, base2, ... as far as free.
SymbolicHeap with_names(const SymbolicHeap& heap, const std::vector<std::string>& order,
                        const std::set<std::string>& taken, const std::string& base, std::size_t effort) {
    std::set<std::string> used = taken;
    Renaming names;
    SymbolicHeap open = heap;
    open.exists.clear();
    std::vector<std::string> fresh;
    std::string name = base;
    for (int i = 0; const std::string& old : order) {
        while (!used.insert(name).second) name = fmt::format("{}{}", base, ++i);
        names[old] = name;
        fresh.push_back(name);
    }
    open = rename(open, names);
    open.exists = fresh;
    simplify_pure(open);
    canonical_bodies(open, used, effort);
    sort_parts(open);
    return open;
}

// Inner parts are looked at once for each level around them.
std::size_t parts(const SymbolicHeap& heap, std::size_t level = 1) {
    std::size_t count = level * (1 + heap.pure.size());
    for (const Atom& atom : heap.atoms)
        count += level * (1 + atom.links.size()) + (atom.body ? parts(atom.body->heap, level + 1) : 0);
    return count;
}

// effort: so many parts may be looked at for the sake of permutations. It is divided among permutations and
// bodies, so that neither the depth of a formula nor its length multiplies it.
SymbolicHeap canonical_heap(SymbolicHeap heap, std::set<std::string> scope, const std::string& base,
                            std::size_t effort) {
    simplify_pure(heap);
    drop_useless(heap);
    for (const std::string& name : free_names(heap)) scope.insert(name);
    std::vector<std::string> order = heap.exists;
    std::sort(order.begin(), order.end());
    std::size_t permutations = 1;
    for (std::size_t n = 2; n <= order.size() && permutations <= effort; ++n) permutations *= n;
    if (static_cast<int>(order.size()) > max_permuted || permutations * parts(heap) > effort)
        return with_names(heap, heap.exists, scope, base, effort);
    effort /= permutations;
    SymbolicHeap best;
    std::string best_text;
    do {
        SymbolicHeap candidate = with_names(heap, order, scope, base, effort);
        const std::string text = print_tagged(candidate);
        if (best_text.empty() || text < best_text) {
            best = std::move(candidate);
            best_text = text;
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

// ---- hashing

void add(Hash& hash, const SymbolicHeap& heap);

void add(Hash& hash, const Lambda& body) {
    hash.add(body.parameter);
    add(hash, body.heap);
}

void add(Hash& hash, const Atom& atom) {
    hash.add(static_cast<std::uint64_t>(atom.kind) << 2 | (atom.strict ? 2U : 0U) | (atom.body ? 1U : 0U));
    for (const std::string& argument : atom.arguments) hash.add(argument);
    for (const auto& [field, value] : atom.links) {
        hash.add(field);
        hash.add(value);
    }
    hash.add(atom.tag);
    if (atom.body) add(hash, *atom.body);
}

void add(Hash& hash, const SymbolicHeap& heap) {
    hash.add(heap.exists.size());
    for (const std::string& name : heap.exists) hash.add(name);
    hash.add(heap.pure.size());
    for (const Pure& pure : heap.pure) {
        hash.add(std::uint64_t{pure.equal});
        hash.add(pure.left);
        hash.add(pure.right);
    }
    hash.add(heap.atoms.size());
    for (const Atom& atom : heap.atoms) add(hash, atom);
}

template <class Part>
std::size_t hash_of(const Part& part) {
    Hash hash;
    add(hash, part);
    return hash.value();
}

} // namespace

bool Atom::operator==(const Atom& other) const {
    return kind == other.kind && strict == other.strict && arguments == other.arguments &&
           links == other.links && tag == other.tag &&
           (body == other.body || (body && other.body && *body == *other.body));
}

std::size_t FormulaHash::operator()(const Atom& atom) const {
    return hash_of(atom);
}
std::size_t FormulaHash::operator()(const Lambda& body) const {
    return hash_of(body);
}
std::size_t FormulaHash::operator()(const SymbolicHeap& heap) const {
    return hash_of(heap);
}
std::size_t FormulaHash::operator()(const Formula& formula) const {
    Hash hash;
    for (const SymbolicHeap& heap : formula.heaps) add(hash, heap);
    return hash.value();
}

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
        SymbolicHeap one = canonical_heap(heap, {}, "t", max_effort);
        std::string text = print_tagged(one);
        sorted.emplace(std::move(text), std::move(one));
    }
    Formula result;
    for (auto& [text, heap] : sorted) result.heaps.push_back(std::move(heap));
    return result;
}

bool canonically_equal(const Formula& a, const Formula& b) {
    return print_tagged(canonical(a)) == print_tagged(canonical(b));
}

} // namespace ggsnn::logic
