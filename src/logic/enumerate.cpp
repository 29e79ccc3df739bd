#include "ggsnn/logic/enumerate.hpp"

#include "ggsnn/base/random.hpp"
#include "ggsnn/logic/definitions.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace ggsnn::logic {

namespace {

constexpr const char* existential = "t";
// With these shuffles the formula of the paper's figure 3 is among those that training never sees.
constexpr std::uint64_t split_seed = 336, class_seed = 5, sample_seed = 1690;
constexpr std::size_t most_renamed = 6; // variables: 720 orders

struct Choice {
    Atom::Kind kind = Atom::Kind::none;
    std::string end; // list
};

using Shape = std::vector<std::pair<std::string, Choice>>; // a choice for each name, the existential last

const Choice* choice_of(const Shape& shape, const std::string& name) {
    for (const auto& [known, choice] : shape)
        if (known == name) return &choice;
    return nullptr;
}

bool ends_at_tree(const Shape& shape) {
    return std::any_of(shape.begin(), shape.end(), [&](const auto& entry) {
        const Choice* end =
            entry.second.kind == Atom::Kind::list ? choice_of(shape, entry.second.end) : nullptr;
        return end != nullptr && end->kind == Atom::Kind::tree;
    });
}

bool has_long_cycle(const Shape& shape) {
    for (const auto& [name, first] : shape) {
        const Choice* at = &first;
        for (std::size_t steps = 1; at != nullptr && at->kind == Atom::Kind::list && steps <= shape.size();
             ++steps) {
            if (at->end == name && steps >= 2) return true;
            if (at->end == name) break;
            at = choice_of(shape, at->end);
        }
    }
    return false;
}

// Two lists end at it, or one and its own cycle.
bool existential_needed(const Shape& shape) {
    const auto incoming = std::count_if(shape.begin(), shape.end() - 1, [](const auto& entry) {
        return entry.second.kind == Atom::Kind::list && entry.second.end == existential;
    });
    const Choice& own = shape.back().second;
    const bool ring = own.kind == Atom::Kind::list && own.end == existential;
    return incoming >= 2 || (ring && incoming >= 1);
}

bool allowed(const Shape& shape, bool with_existential, bool cycles) {
    const std::size_t variables = shape.size() - (with_existential ? 1 : 0);
    const bool all_none = std::all_of(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(variables),
                                      [](const auto& e) { return e.second.kind == Atom::Kind::none; });
    return !all_none && !ends_at_tree(shape) && (cycles || !has_long_cycle(shape)) &&
           (!with_existential || existential_needed(shape));
}

std::vector<Choice> choices(const ShapeSpace& space, bool with_existential, bool for_existential) {
    std::vector<Choice> out{{Atom::Kind::none, {}}};
    if (!for_existential) out.push_back({Atom::Kind::tree, {}});
    out.push_back({Atom::Kind::list, null_name});
    for (const auto& name : space.variables) out.push_back({Atom::Kind::list, name});
    if (with_existential) out.push_back({Atom::Kind::list, existential});
    return out;
}

SymbolicHeap heap_of(const Shape& shape, bool with_existential) {
    SymbolicHeap heap;
    if (with_existential) heap.exists.push_back(existential);
    for (const auto& [name, choice] : shape) {
        Atom atom;
        atom.kind = choice.kind;
        atom.strict = choice.kind != Atom::Kind::none;
        atom.arguments = {name};
        if (choice.kind == Atom::Kind::list) atom.arguments.push_back(choice.end);
        heap.atoms.push_back(std::move(atom));
    }
    return heap;
}

// All combinations of choices for the names from `at` on.
void extend(const ShapeSpace& space, bool with_existential, Shape& shape, std::vector<Formula>& out) {
    const std::size_t at = shape.size(), variables = space.variables.size();
    if (at == variables + (with_existential ? 1 : 0)) {
        if (allowed(shape, with_existential, space.cycles))
            out.push_back({{heap_of(shape, with_existential)}});
        return;
    }
    const bool last = at == variables;
    for (const Choice& choice : choices(space, with_existential, last)) {
        shape.emplace_back(last ? existential : space.variables[at], choice);
        extend(space, with_existential, shape, out);
        shape.pop_back();
    }
}

std::vector<std::shared_ptr<const Lambda>> bodies() {
    std::vector<std::shared_ptr<const Lambda>> out{nullptr};
    for (const char* text : {"ls(u, NULL)", "ls(u, u)", "tree(u)", "exists e . ls(u, e) * ls(e, e)"})
        out.push_back(
            std::make_shared<const Lambda>(Lambda{"u", parse_formula(text, Reading::shape).heaps[0]}));
    return out;
}

using Stratum = std::tuple<Part, bool, std::size_t, std::size_t>;

bool nests(const Atom& atom) {
    return is_structure(atom) && predicate(atom.kind).nests;
}

Stratum stratum_of(const Formula& formula, Part part) {
    const SymbolicHeap& heap = formula.heaps[0];
    std::size_t structures = 0, nested = 0;
    for (const Atom& atom : heap.atoms) {
        structures += atom.kind != Atom::Kind::none ? 1 : 0;
        nested += atom.body != nullptr ? 1 : 0;
    }
    return {part, heap.exists.empty(), structures, nested};
}

} // namespace

// Every way to give the structures of a flat formula bodies; all empty first.
void with_bodies(const Formula& flat, const std::vector<std::shared_ptr<const Lambda>>& kinds,
                 std::vector<Formula>& out) {
    std::vector<std::size_t> structures;
    for (std::size_t i = 0; i < flat.heaps[0].atoms.size(); ++i)
        if (nests(flat.heaps[0].atoms[i])) structures.push_back(i);
    std::size_t combinations = 1;
    for (std::size_t i = 0; i < structures.size(); ++i) combinations *= kinds.size();
    for (std::size_t c = 0; c < combinations; ++c) {
        Formula formula = flat;
        std::size_t rest = c;
        for (const std::size_t i : structures) {
            formula.heaps[0].atoms[i].body = kinds[rest % kinds.size()];
            rest /= kinds.size();
        }
        out.push_back(std::move(formula));
    }
}

std::vector<Formula> enumerate_shapes(const ShapeSpace& space) {
    std::vector<Formula> flat;
    for (const bool with_existential : {false, true}) {
        Shape shape;
        extend(space, with_existential, shape, flat);
    }
    if (!space.nested) return flat;
    std::vector<Formula> nested;
    const auto kinds = bodies();
    for (const Formula& formula : flat) with_bodies(formula, kinds, nested);
    std::stable_partition(nested.begin(), nested.end(), [](const Formula& f) {
        return std::none_of(f.heaps[0].atoms.begin(), f.heaps[0].atoms.end(),
                            [](const Atom& a) { return a.body != nullptr; });
    });
    return nested;
}

const char* name_of(Part part) {
    return part == Part::train ? "train" : part == Part::valid ? "valid" : "test";
}

namespace {

// The first 6 of 10 in a shuffled order are for training, the next 2 for validation.
std::vector<Part> shuffled_parts(std::size_t count, std::uint64_t seed) {
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = i;
    Random random(seed, {count});
    random.shuffle(order);
    std::vector<Part> parts(count, Part::test);
    for (std::size_t i = 0; i < count; ++i)
        if (10 * i < 8 * count) parts[order[i]] = 10 * i < 6 * count ? Part::train : Part::valid;
    return parts;
}

} // namespace

std::vector<Part> split_shapes(std::size_t count) {
    return shuffled_parts(count, split_seed);
}

std::string renaming_class(const Formula& formula) {
    const std::set<std::string> free = free_names(formula);
    GGSNN_ASSERT(free.size() <= most_renamed);
    const std::vector<std::string> names(free.begin(), free.end());
    std::vector<std::size_t> places(names.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    std::string least;
    do {
        std::map<std::string, std::string> terms;
        for (std::size_t i = 0; i < names.size(); ++i) terms[names[i]] = fmt::format("v{}", places[i]);
        Formula renamed;
        for (const SymbolicHeap& heap : formula.heaps) renamed.heaps.push_back(substitute(heap, terms));
        std::string text = print_tagged(canonical(renamed));
        if (least.empty() || text < least) least = std::move(text);
    } while (std::next_permutation(places.begin(), places.end()));
    return least;
}

std::vector<Part> split_shapes(const std::vector<Formula>& formulas, SplitBy split) {
    if (split == SplitBy::formula) return split_shapes(formulas.size());
    std::map<std::string, std::size_t> classes; // in order of first appearance
    std::vector<std::size_t> of;
    for (const Formula& formula : formulas)
        of.push_back(classes.emplace(renaming_class(formula), classes.size()).first->second);
    const std::vector<Part> by_class = shuffled_parts(classes.size(), class_seed);
    std::vector<Part> parts;
    for (const std::size_t c : of) parts.push_back(by_class[c]);
    return parts;
}

std::vector<std::size_t> sample_shapes(const std::vector<Formula>& formulas, std::size_t count,
                                       const std::vector<std::size_t>& include, SplitBy split) {
    const std::vector<Part> parts = split_shapes(formulas, split);
    std::map<Stratum, std::vector<std::size_t>> strata;
    for (std::size_t i = 0; i < formulas.size(); ++i) strata[stratum_of(formulas[i], parts[i])].push_back(i);
    // Formulas in an order in which every beginning has each stratum by its share: the j-th of n stands at
    // (j+1/2)/n.
    std::vector<std::tuple<bool, double, std::size_t>> order;
    Random random(sample_seed);
    for (auto& [key, members] : strata) {
        random.shuffle(members);
        for (std::size_t j = 0; j < members.size(); ++j) {
            const bool wanted = std::find(include.begin(), include.end(), members[j]) != include.end();
            order.emplace_back(!wanted, (static_cast<double>(j) + 0.5) / static_cast<double>(members.size()),
                               members[j]);
        }
    }
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < order.size() && i < count; ++i) out.push_back(std::get<2>(order[i]));
    std::sort(out.begin(), out.end());
    return out;
}

Formula figure_three(const std::string& first, const std::string& second) {
    return parse_formula("ls(" + first + ", NULL, \\u -> ls(u, NULL)) * tree(" + second +
                             ", \\u -> exists e . ls(u, e) * ls(e, e))",
                         Reading::shape);
}

} // namespace ggsnn::logic
