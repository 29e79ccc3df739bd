#include "ggsnn/verify/run/unfold.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace ggsnn::verify {

namespace {

using logic::Atom;
using logic::SymbolicHeap;

constexpr std::size_t max_cells = 400; // of one input

} // namespace

Unfolding::Unfolding(Random& random, const std::vector<int>& inner_sizes)
    : random_(random), sizes_(inner_sizes) {
    names_[logic::null_name] = fresh(); // number 0
}

int Unfolding::name(const std::string& text) {
    const auto [place, added] = names_.try_emplace(text, 0);
    if (added) place->second = fresh();
    return place->second;
}

bool Unfolding::add(const SymbolicHeap& heap, const std::vector<int>& sizes) {
    for (const logic::Pure& p : heap.pure) {
        if (p.equal) {
            join(name(p.left), name(p.right));
        } else {
            different_.emplace_back(name(p.left), name(p.right));
        }
    }
    for (std::size_t i = 0; i < heap.atoms.size(); ++i) atom(heap.atoms[i], sizes[i]);
    return cells_.size() <= max_cells;
}

int Unfolding::root(int n) const {
    while (parent_[static_cast<std::size_t>(n)] != n) n = parent_[static_cast<std::size_t>(n)];
    return n;
}

bool Unfolding::consistent() const {
    std::set<int> taken{root(0)};
    for (const Made& cell : cells_)
        if (!taken.insert(root(cell.at)).second) return false;
    return std::all_of(different_.begin(), different_.end(),
                       [&](const auto& pair) { return root(pair.first) != root(pair.second); });
}

void Unfolding::join(int a, int b) {
    a = root(a);
    b = root(b);
    parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b); // NULL stays a root
}

int Unfolding::fresh() {
    parent_.push_back(static_cast<int>(parent_.size()));
    return static_cast<int>(parent_.size()) - 1;
}

Unfolding::Made& Unfolding::make(int at) {
    cells_.push_back({at, {}, static_cast<long>(cells_.size()) + (1L << 32)});
    return cells_.back();
}

void Unfolding::atom(const Atom& a, int size) {
    if (cells_.size() > max_cells) return;
    if (a.kind == Atom::Kind::none) {
        different_.emplace_back(name(a.root()), 0);
    } else if (a.kind == Atom::Kind::cell) {
        Made cell{name(a.root()), {}, 0};
        for (const auto& [field, term] : a.links)
            cell.links.emplace_back(std::string(logic::bare_field(field)), name(term));
        make(cell.at).links = cell.links;
    } else {
        structure(a, size);
    }
}

// Grown by steps at places drawn by chance. Data are in order from the first cell of a list to its last, and
// from left to right in a tree: each cell stands in the middle of what its calls lead to, and before a single
// one.
void Unfolding::structure(const Atom& a, int size) {
    const auto number = static_cast<int>(&logic::predicate(a.kind) - logic::predicates().data());
    const Rules rules = chosen_rules(logic::cases(a), number);
    const Rules inner = a.strict ? chosen_rules(logic::meaning(a.kind).definition.rules, number) : rules;
    std::vector<int> arguments;
    for (const std::string& argument : a.arguments) arguments.push_back(name(argument));
    // What ends it may have a cell too.
    if (inner.end != nullptr && !inner.end->cells.empty()) --size;
    if (rules.end == nullptr) size = std::max(size, 1); // strict
    size = std::min(size, static_cast<int>(max_cells) + 1);
    if (rules.step == nullptr || size <= 0) {
        apply(a, rules.end != nullptr ? *rules.end : *rules.step, arguments, number);
        return;
    }
    std::vector<Step> steps{{rules.step, {}, std::vector<int>(rules.calls, -1), 0}};
    while (static_cast<int>(steps.size()) < size) {
        std::size_t at = 0;
        for (;;) {
            std::vector<int>& children = steps[at].children;
            const std::size_t count = children.size();
            const std::size_t which =
                count == 1
                    ? 0
                    : std::min(count - 1,
                               static_cast<std::size_t>(random_.uniform() * static_cast<double>(count)));
            if (children[which] < 0) {
                children[which] = static_cast<int>(steps.size());
                break;
            }
            at = static_cast<std::size_t>(children[which]);
        }
        steps.push_back({inner.step, {}, std::vector<int>(inner.calls, -1), 0});
    }
    steps[0].arguments = arguments;
    for (std::size_t s = 0; s < steps.size() && cells_.size() <= max_cells; ++s) {
        steps[s].cell = cells_.size();
        const std::vector<std::vector<int>> calls = apply(a, *steps[s].rule, steps[s].arguments, number);
        for (std::size_t c = 0; c < calls.size(); ++c) {
            if (const int child = steps[s].children[c]; child >= 0)
                steps[static_cast<std::size_t>(child)].arguments = calls[c];
            else
                apply(a, *inner.end, calls[c], number);
        }
    }
    if (cells_.size() <= max_cells) put_in_order(steps);
}

Unfolding::Rules Unfolding::chosen_rules(const std::vector<logic::Clause>& all, int number) {
    const auto calls = [&](const logic::Clause& rule) {
        return static_cast<std::size_t>(
            std::count_if(rule.calls.begin(), rule.calls.end(),
                          [&](const logic::Call& call) { return call.definition == number; }));
    };
    std::vector<const logic::Clause*> steps, ends;
    for (const logic::Clause& rule : all) (calls(rule) > 0 ? steps : ends).push_back(&rule);
    const auto one = [&](std::vector<const logic::Clause*>& of) -> const logic::Clause* {
        return of.empty() ? nullptr : of.size() == 1 ? of[0] : random_.pick(of);
    };
    Rules rules{one(steps), one(ends), 0};
    if (rules.step != nullptr) rules.calls = calls(*rules.step);
    return rules;
}

std::vector<std::vector<int>> Unfolding::apply(const Atom& a, const logic::Clause& rule,
                                               const std::vector<int>& arguments, int number) {
    std::vector<int> names{0};
    names.insert(names.end(), arguments.begin(), arguments.end());
    while (static_cast<int>(names.size()) < rule.terms) names.push_back(fresh());
    const auto of = [&](logic::TermId term) { return names[static_cast<std::size_t>(term)]; };
    for (const auto& [x, y] : rule.equal) join(of(x), of(y));
    for (const auto& [x, y] : rule.distinct) different_.emplace_back(of(x), of(y));
    for (std::size_t c = 0; c < rule.cells.size(); ++c) {
        Made& cell = make(of(rule.cells[c].root));
        for (const logic::Link& link : rule.cells[c].links)
            cell.links.emplace_back(logic::built_in_fields()[static_cast<std::size_t>(link.field)],
                                    of(link.value));
        if (c == 0) body(a);
    }
    std::vector<std::vector<int>> own;
    for (const logic::Call& call : rule.calls) {
        std::vector<int> inner;
        for (const logic::TermId term : call.arguments) inner.push_back(of(term));
        if (call.definition == number) {
            own.push_back(std::move(inner));
            continue;
        }
        Atom other;
        other.kind = logic::predicates()[static_cast<std::size_t>(call.definition)].kind;
        for (const int argument : inner) {
            other.arguments.push_back(fmt::format("#{}", argument));
            names_[other.arguments.back()] = argument;
        }
        atom(other, random_.pick(sizes_));
    }
    return own;
}

void Unfolding::put_in_order(const std::vector<Step>& steps) {
    std::vector<long> places; // of the cells, as they were made
    for (const Step& step : steps) places.push_back(cells_[step.cell].order);
    std::size_t next = 0;
    const std::function<void(const Step&)> visit = [&](const Step& step) {
        const auto walk = [&](std::size_t from, std::size_t to) {
            for (std::size_t c = from; c < to; ++c)
                if (step.children[c] >= 0) visit(steps[static_cast<std::size_t>(step.children[c])]);
        };
        const std::size_t middle = step.children.size() / 2;
        walk(0, middle);
        cells_[step.cell].order = places[next++];
        walk(middle, step.children.size());
    };
    visit(steps[0]);
}

// What hangs at `val` of the last cell that was made.
void Unfolding::body(const Atom& a) {
    if (a.body == nullptr || cells_.size() > max_cells) return;
    const std::size_t cell = cells_.size() - 1;
    SymbolicHeap heap = a.body->heap;
    const std::string hook = fmt::format("{}#{}", a.body->parameter, parent_.size());
    std::vector<std::string> exists = std::move(heap.exists);
    heap.exists.clear();
    heap = substitute(heap, a.body->parameter, hook);
    for (const std::string& bound : exists)
        heap = substitute(heap, bound, fmt::format("{}#{}", bound, parent_.size()));
    const int target = name(hook);
    cells_[cell].links.emplace_back("val", target);
    std::vector<int> sizes;
    for (std::size_t i = 0; i < heap.atoms.size(); ++i) sizes.push_back(random_.pick(sizes_));
    add(heap, sizes);
}

} // namespace ggsnn::verify
