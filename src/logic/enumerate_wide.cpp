// The wide space of shape formulas: every predicate, with names for last cells and parents of holes.
#include "ggsnn/logic/definitions.hpp"
#include "ggsnn/logic/enumerate.hpp"

#include <algorithm>

namespace ggsnn::logic {

namespace {

using Kind = Atom::Kind;

// What stands at a name: a predicate, and the name that it ends at.
struct Stand {
    Kind kind = Kind::none;
    std::string end;
};

struct Sketch {
    std::vector<std::string> names; // variables, and perhaps an existential, the last
    std::size_t variables = 0;
    std::vector<Stand> stands; // by name
};

bool is_linear(Kind kind) {
    return kind == Kind::list || kind == Kind::dll;
}

std::vector<Stand> stands_of(const Sketch& sketch, std::size_t name) {
    const bool bound = name >= sketch.variables;
    std::vector<Stand> out{{Kind::none, ""}};
    if (!bound)
        for (const Kind kind : {Kind::tree, Kind::ptree}) out.push_back({kind, ""});
    for (const Kind kind : {Kind::list, Kind::dll}) {
        if (bound && kind == Kind::dll) continue;
        out.push_back({kind, null_name});
        // Only lists of one direction can share what an existential names.
        for (std::size_t i = 0; i < sketch.names.size(); ++i)
            if (i < sketch.variables || kind == Kind::list) out.push_back({kind, sketch.names[i]});
    }
    if (!bound)
        for (const Kind kind : {Kind::treeseg, Kind::ptreeseg})
            for (std::size_t i = 0; i < sketch.variables; ++i)
                if (i != name) out.push_back({kind, sketch.names[i]});
    return out;
}

const Stand* stand_of(const Sketch& sketch, const std::string& name) {
    for (std::size_t i = 0; i < sketch.names.size(); ++i)
        if (sketch.names[i] == name) return &sketch.stands[i];
    return nullptr;
}

// The structures that end at a name, but for lists of one direction, of which any number may.
std::vector<std::size_t> single_enders(const Sketch& sketch, const std::string& name) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < sketch.names.size(); ++i)
        if (sketch.stands[i].end == name && sketch.stands[i].kind != Kind::list) out.push_back(i);
    return out;
}

bool fits_end(const Stand& from, const Stand& at) {
    switch (from.kind) {
    case Kind::list:
        return is_linear(at.kind) || at.kind == Kind::none;
    case Kind::dll:
        return at.kind == Kind::dll || at.kind == Kind::none;
    case Kind::treeseg:
        return at.kind == Kind::tree || at.kind == Kind::treeseg;
    case Kind::ptreeseg:
        return at.kind == Kind::ptree || at.kind == Kind::ptreeseg;
    default:
        return true;
    }
}

// Trees with holes never lead to themselves: a hole inside of its own tree is none.
bool has_tree_cycle(const Sketch& sketch) {
    for (std::size_t i = 0; i < sketch.names.size(); ++i) {
        const Stand* at = &sketch.stands[i];
        for (std::size_t steps = 0; at != nullptr && !at->end.empty() && !is_linear(at->kind); ++steps) {
            if (steps > sketch.names.size()) return true;
            at = stand_of(sketch, at->end);
        }
    }
    return false;
}

bool keeps_rules(const Sketch& sketch) {
    const auto begin = sketch.stands.begin();
    if (std::all_of(begin, begin + static_cast<std::ptrdiff_t>(sketch.variables),
                    [](const Stand& s) { return s.kind == Kind::none; }))
        return false;
    for (const Stand& stand : sketch.stands)
        if (const Stand* at = stand_of(sketch, stand.end); at != nullptr && !fits_end(stand, *at))
            return false;
    for (const std::string& name : sketch.names)
        if (single_enders(sketch, name).size() > 1) return false;
    if (has_tree_cycle(sketch)) return false;
    if (sketch.names.size() == sketch.variables) return true;
    const std::string& bound = sketch.names.back();
    const auto incoming =
        std::count_if(begin, sketch.stands.end() - 1, [&](const Stand& stand) { return stand.end == bound; });
    return incoming >= 2 || (sketch.stands.back().end == bound && incoming >= 1);
}

Formula formula_of(const Sketch& sketch) {
    SymbolicHeap heap;
    if (sketch.names.size() > sketch.variables) heap.exists.push_back(sketch.names.back());
    const auto last_of = [](std::size_t name) { return fmt::format("last{}", name); };
    for (std::size_t i = 0; i < sketch.names.size(); ++i) {
        const Stand& stand = sketch.stands[i];
        Atom atom;
        atom.kind = stand.kind;
        atom.strict = stand.kind != Kind::none;
        atom.arguments = {sketch.names[i]};
        if (atom.strict) {
            const Ends& ends = ends_of(stand.kind);
            atom.arguments.resize(predicate(stand.kind).parameters.size());
            const auto set = [&](int argument, const std::string& value) {
                if (argument >= 0) atom.arguments[static_cast<std::size_t>(argument)] = value;
            };
            set(ends.end, stand.end);
            set(ends.last, last_of(i));
            if (ends.last >= 0) heap.exists.push_back(last_of(i));
            const std::vector<std::size_t> before = single_enders(sketch, sketch.names[i]);
            set(ends.back, before.empty() ? null_name : last_of(before[0]));
        }
        heap.atoms.push_back(std::move(atom));
    }
    return {{std::move(heap)}};
}

void extend_wide(Sketch& sketch, std::vector<Formula>& out) {
    if (sketch.stands.size() == sketch.names.size()) {
        if (keeps_rules(sketch)) out.push_back(formula_of(sketch));
        return;
    }
    for (const Stand& stand : stands_of(sketch, sketch.stands.size())) {
        sketch.stands.push_back(stand);
        extend_wide(sketch, out);
        sketch.stands.pop_back();
    }
}

std::vector<std::shared_ptr<const Lambda>> wide_bodies() {
    std::vector<std::shared_ptr<const Lambda>> out{nullptr};
    for (const char* text :
         {"ls(u, NULL)", "ls(u, u)", "tree(u)", "exists e . ls(u, e) * ls(e, e)",
          "exists l . dll(u, l, NULL, NULL)", "exists l . dll(u, l, l, u)", "ptree(u, NULL)"})
        out.push_back(
            std::make_shared<const Lambda>(Lambda{"u", parse_formula(text, Reading::shape).heaps[0]}));
    return out;
}

} // namespace

std::vector<Formula> enumerate_wide(const std::vector<std::string>& variables, bool nested) {
    std::vector<Formula> flat;
    for (const bool with_existential : {false, true}) {
        Sketch sketch{variables, variables.size(), {}};
        if (with_existential) sketch.names.emplace_back("t");
        extend_wide(sketch, flat);
    }
    if (!nested) return flat;
    std::vector<Formula> out;
    const auto kinds = wide_bodies();
    for (const Formula& formula : flat) with_bodies(formula, kinds, out);
    return out;
}

} // namespace ggsnn::logic
