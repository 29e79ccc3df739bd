#include "ggsnn/verify/infer/infer.hpp"

#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/shapes/shipped.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace ggsnn::verify {

using logic::Atom;
using logic::Formula;
using logic::Heap;
using logic::Pure;
using logic::SymbolicHeap;

namespace {

constexpr logic::SatisfyLimits check_limits{200'000};
constexpr std::size_t asked_snapshots = 6;  // of a group, put to the networks
constexpr int alternatives = 2;             // of the networks' candidates, beside the best
constexpr std::size_t widened_families = 3; // that the wide networks may be asked about

// A snapshot as the networks see it. Cells that hold a variable (field `deref`) and named cells without a
// link of a structure are described here, by points-to, and taken out.
struct View {
    Heap heap;                   // what is left
    const Heap* whole = nullptr; // with all names
};

// Same names NULL, same names equal, and the same cells taken out: one shape can describe these.
struct Family {
    std::string pattern;
    std::size_t distinct = 0; // names on nodes of their own
    std::vector<View> views;
    std::vector<Atom> taken_out;
    std::vector<std::string> hidden; // invented names, to be bound
};

std::string hidden_name(const std::string& variable) {
    return "content_" + variable;
}

template <class Condition>
bool has_role(const std::string& field, Condition condition) {
    for (const logic::Predicate& predicate : logic::predicates())
        for (const logic::Role& role : logic::meaning(predicate.kind).roles)
            if (role.field == field && condition(role)) return true;
    return false;
}

bool is_structural(const std::string& field) {
    return has_role(field, [](const logic::Role& role) { return role.onward; });
}

bool leads_back(const std::string& field) {
    return has_role(field, [](const logic::Role& role) { return role.own && !role.onward; });
}

Heap shown(const Heap& heap, const std::set<std::string>& names) {
    Heap out = heap;
    std::erase_if(out.variables, [&](const auto& variable) { return !names.contains(variable.first); });
    return out;
}

std::string name_of_node(const Heap& heap, int node) {
    if (node == 0) return logic::null_name;
    for (const auto& [name, at] : heap.variables)
        if (at == node) return name;
    return "";
}

// Nodes that can be reached from one, without passing another.
std::set<int> reached_from(const Heap& heap, int from, int without) {
    std::set<int> seen{from};
    std::vector<int> open{from};
    while (!open.empty()) {
        const int node = open.back();
        open.pop_back();
        for (const auto& [field, target] : heap.nodes[static_cast<std::size_t>(node)].links)
            if (target > 0 && target != without && seen.insert(target).second) open.push_back(target);
    }
    return seen;
}

// Whether some name stands inside the structure that hangs from this cell, and not on its list: the cell must
// be told from the others of its list then.
bool is_entered(const Heap& heap, int node) {
    const int val = heap.target(node, heap.find_field("val")),
              next = heap.target(node, heap.find_field("next"));
    if (val <= 0) return false;
    const std::set<int> hanging = reached_from(heap, val, node);
    const std::set<int> behind = next > 0 ? reached_from(heap, next, node) : std::set<int>{};
    return std::any_of(heap.variables.begin(), heap.variables.end(), [&](const auto& variable) {
        return variable.second > 0 && variable.second != node && hanging.contains(variable.second) &&
               !behind.contains(variable.second);
    });
}

// Takes single cells out of the heap; their description goes to the family.
void take_out_cells(View& view, Family& family) {
    for (const auto& [name, node] : std::vector(view.heap.variables)) {
        if (node == 0 || !view.heap.nodes[static_cast<std::size_t>(node)].allocated) continue;
        Heap::Node& cell = view.heap.nodes[static_cast<std::size_t>(node)];
        const bool structural = std::any_of(cell.links.begin(), cell.links.end(), [&](const auto& link) {
            return is_structural(view.heap.fields[static_cast<std::size_t>(link.first)]);
        });
        // A link to where no cell is any more belongs to no list.
        const bool loose = std::any_of(cell.links.begin(), cell.links.end(), [&](const auto& link) {
            return link.second > 0 && !view.heap.nodes[static_cast<std::size_t>(link.second)].allocated &&
                   !leads_back(view.heap.fields[static_cast<std::size_t>(link.first)]) &&
                   name_of_node(view.heap, link.second).empty();
        });
        if (structural && !loose && !is_entered(view.heap, node)) continue;
        Atom atom;
        atom.kind = Atom::Kind::cell;
        atom.arguments = {name};
        for (const auto& [field, target] : cell.links) {
            const std::string& role = view.heap.fields[static_cast<std::size_t>(field)];
            std::string value = name_of_node(view.heap, target);
            if (value.empty() || role == "deref") {
                value = hidden_name(name) + (role == "deref" ? "" : "_" + role);
                view.heap.set_variable(value, target);
                family.hidden.push_back(value);
            }
            atom.links.emplace_back(role, value);
        }
        cell = {};
        family.taken_out.push_back(std::move(atom));
    }
}

// Which names are NULL or equal, and what was taken out.
std::string pattern_of(const View& view, const Family& family, std::size_t& distinct) {
    std::string out;
    std::map<int, std::string> first;
    distinct = 0;
    for (const auto& [name, node] : view.heap.variables) {
        const auto [at, fresh] = first.emplace(node, name);
        if (node == 0)
            out += name + "=0 ";
        else if (!fresh)
            out += name + "=" + at->second + " ";
        else
            ++distinct;
    }
    SymbolicHeap taken;
    taken.atoms = family.taken_out;
    return out + logic::print(taken, logic::Reading::program);
}

std::vector<Family> families(const std::vector<Heap>& heaps) {
    std::map<std::string, Family> by_pattern;
    for (const Heap& heap : heaps) {
        Family one;
        View view{heap, &heap};
        take_out_cells(view, one);
        const std::string pattern = pattern_of(view, one, one.distinct);
        Family& family = by_pattern[pattern];
        if (family.views.empty()) {
            family = std::move(one);
            family.pattern = pattern;
        }
        family.views.push_back(std::move(view));
    }
    std::vector<Family> out;
    for (auto& [pattern, family] : by_pattern) out.push_back(std::move(family));
    std::stable_sort(out.begin(), out.end(), [](const Family& a, const Family& b) {
        return std::tuple(-static_cast<long>(a.distinct), -static_cast<long>(a.views.size())) <
               std::tuple(-static_cast<long>(b.distinct), -static_cast<long>(b.views.size()));
    });
    return out;
}

bool holds(const SymbolicHeap& shape, const std::vector<const Heap*>& heaps) {
    const logic::Checker checker({{shape}});
    return std::all_of(heaps.begin(), heaps.end(),
                       [&](const Heap* heap) { return checker(*heap, check_limits) == logic::Truth::yes; });
}

std::vector<const Heap*> wholes(const Family& family) {
    std::vector<const Heap*> out;
    for (const View& view : family.views) out.push_back(view.whole);
    return out;
}

// With what was taken out, and invented names bound.
SymbolicHeap completed(SymbolicHeap shape, const Family& family) {
    for (const Atom& atom : family.taken_out) shape.atoms.push_back(atom);
    for (const std::string& name : std::set(family.hidden.begin(), family.hidden.end()))
        shape.exists.push_back(name);
    return shape;
}

// `!=` between names, and between names and NULL, that all heaps keep (the paper's deterministic procedure).
SymbolicHeap with_distinct_names(SymbolicHeap shape, const std::vector<const Heap*>& heaps) {
    if (heaps.empty()) return shape;
    std::vector<std::string> names{logic::null_name};
    for (const auto& variable : heaps[0]->variables) names.push_back(variable.first);
    const auto at = [](const Heap* heap, const std::string& name) {
        return name == logic::null_name ? 0 : heap->variable(name);
    };
    for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t j = i + 1; j < names.size(); ++j)
            if (std::all_of(heaps.begin(), heaps.end(),
                            [&](const Heap* h) { return at(h, names[i]) != at(h, names[j]); }))
                shape.pure.push_back({false, names[j], names[i]});
    return shape;
}

// Lists that are one cell between the same names everywhere become points-to.
std::optional<SymbolicHeap> with_points_to(const SymbolicHeap& shape, const std::vector<const Heap*>& heaps) {
    SymbolicHeap out = shape;
    bool changed = false;
    for (Atom& atom : out.atoms) {
        if (atom.kind != Atom::Kind::list || atom.body || atom.arguments[0] == atom.arguments[1]) continue;
        const Atom cell = logic::one_cell(atom).atoms[0];
        SymbolicHeap trial = out;
        trial.atoms[static_cast<std::size_t>(&atom - out.atoms.data())] = cell;
        if (!holds(trial, heaps)) continue;
        atom = cell;
        changed = true;
    }
    if (!changed) return std::nullopt;
    return out;
}

// Lists over `next` that also have `prev`: doubly-linked segments, their neighbours found among the names.
SymbolicHeap with_prev(const SymbolicHeap& shape, const std::vector<const Heap*>& heaps) {
    const bool any =
        std::any_of(heaps.begin(), heaps.end(), [](const Heap* h) { return h->find_field("prev") >= 0; });
    if (!any) return shape;
    std::vector<std::string> names{logic::null_name};
    for (const auto& variable : heaps[0]->variables) names.push_back(variable.first);
    SymbolicHeap out = shape;
    std::vector<std::string> lasts; // invented names of last cells, before which the next list begins
    for (std::size_t i = 0; i < out.atoms.size(); ++i) {
        if (out.atoms[i].kind != Atom::Kind::list || out.atoms[i].body) continue;
        const Atom list = out.atoms[i];
        const std::string last = fmt::format("last_{}", i), before = fmt::format("before_{}", i);
        std::vector<std::string> befores = names, ends = names;
        befores.insert(befores.end(), lasts.begin(), lasts.end());
        befores.push_back(before);
        ends.push_back(last);
        const auto convert = [&](const std::string& from, const std::string& end) {
            SymbolicHeap trial = out;
            Atom& dll = trial.atoms[i];
            dll.kind = Atom::Kind::dll;
            dll.arguments = {list.arguments[0], end, from, list.arguments[1]};
            for (const std::string& invented : {last, before})
                if (end == invented || from == invented) trial.exists.push_back(invented);
            if (!holds(trial, heaps)) return false;
            out = std::move(trial);
            return true;
        };
        bool found = false;
        for (std::size_t b = 0; b < befores.size() && !found; ++b)
            for (std::size_t e = 0; e < ends.size() && !found; ++e) found = convert(befores[b], ends[e]);
        if (found && std::find(out.exists.begin(), out.exists.end(), last) != out.exists.end())
            lasts.push_back(last);
    }
    return out;
}

// Networks for nested shapes were trained on heaps where every cell has a `val`.
Heap with_all_vals(Heap heap) {
    const int val = heap.field("val");
    for (std::size_t v = 1; v < heap.nodes.size(); ++v)
        if (!heap.nodes[v].links.empty() && heap.target(static_cast<int>(v), val) < 0)
            heap.link(static_cast<int>(v), "val", 0);
    return heap;
}

// The views that tell most: nothing that could hang from a cell is missing, and large.
std::vector<const View*> telling(const Family& family) {
    const auto missing = [](const View& view) {
        const int val = view.heap.find_field("val");
        long count = 0;
        for (const Heap::Node& node : view.heap.nodes)
            for (const auto& [field, target] : node.links) count += field == val && target == 0 ? 1 : 0;
        return count;
    };
    std::vector<std::tuple<long, long, std::size_t>> order;
    for (std::size_t i = 0; i < family.views.size(); ++i)
        order.emplace_back(missing(family.views[i]), -static_cast<long>(family.views[i].heap.nodes.size()),
                           i);
    std::sort(order.begin(), order.end());
    std::vector<const View*> out;
    for (std::size_t i = 0; i < order.size() && i < asked_snapshots; ++i)
        out.push_back(&family.views[std::get<2>(order[i])]);
    return out;
}

// Where an existential cuts a list whose two parts have different bodies, one of them none: the body for
// both. (Of structures that may be empty, a part without any looks as if it had no body.)
std::optional<SymbolicHeap> with_one_body(const SymbolicHeap& shape) {
    SymbolicHeap out = shape;
    bool changed = false;
    for (Atom& first : out.atoms)
        for (Atom& second : out.atoms) {
            if (first.kind != Atom::Kind::list || second.kind != Atom::Kind::list || &first == &second ||
                first.arguments[1] != second.root() || (first.body == nullptr) == (second.body == nullptr))
                continue;
            (first.body ? second.body : first.body) = first.body ? first.body : second.body;
            changed = true;
        }
    if (!changed) return std::nullopt;
    return shapes::without_cuts(out);
}

// A formula that networks say of a family, as program proofs read it.
struct Offer {
    SymbolicHeap shape;
    FoundBy source = FoundBy::network;
};

// What the networks of one grammar say of each family.
class Answers {
  public:
    Answers(const shapes::Decider& decider, KnownShapes& known, const InferOptions& options,
            const std::vector<Family>& families)
        : wide_(decider.grammar().wide) {
        shapes::ShapeOptions ask;
        ask.keep = alternatives;
        ask.trace = options.trace;
        const PartPredictor predictor(decider, ask, known);
        std::vector<shapes::Group> groups;
        for (const Family& family : families) {
            shapes::Group& group = groups.emplace_back();
            for (const View* view : telling(family))
                group.push_back(decider.nested() && !wide_ ? &filled_.emplace_back(with_all_vals(view->heap))
                                                           : &view->heap);
        }
        of_ = predictor.predict(groups);
        for (std::size_t f = 0; f < families.size(); ++f) {
            extra_.emplace_back();
            if (families[f].views.size() == 1 || holds(offers(f, families[f])[0].shape, wholes(families[f])))
                continue;
            // Where the batch misleads, its heaps one by one.
            for (const Heap* heap : groups[f])
                for (shapes::ShapeAnswer& answer : predictor.predict({{heap}})) {
                    extra_[f].push_back(std::move(answer.checked));
                    for (shapes::Candidate& other : answer.others) extra_[f].push_back(std::move(other));
                }
        }
    }

    const shapes::ShapeAnswer& operator[](std::size_t family) const { return of_[family]; }

    // Those that hold in the whole family first.
    std::vector<Offer> offers(std::size_t f, const Family& family) const {
        const FoundBy by_search = wide_ ? FoundBy::wide_search : FoundBy::search;
        const bool cut = !logic::canonically_equal({{of_[f].alone.shape}}, {{of_[f].checked.shape}});
        std::vector<Offer> out{{shapes::weakened(of_[f].checked.shape), !of_[f].alone_holds ? by_search
                                                                        : cut   ? FoundBy::procedures
                                                                        : wide_ ? FoundBy::wide_network
                                                                                : FoundBy::network}};
        for (const shapes::Candidate& other : of_[f].others)
            out.push_back({shapes::weakened(other.shape), by_search});
        for (const shapes::Candidate& other : extra_[f])
            out.push_back({shapes::weakened(other.shape), by_search});
        for (std::size_t i = 0; i < out.size(); ++i)
            if (auto merged = with_one_body(out[i].shape))
                out.insert(out.begin() + static_cast<std::ptrdiff_t>(i++), {*merged, FoundBy::procedures});
        for (Offer& offer : out) {
            offer.shape = completed(std::move(offer.shape), family);
            if (!family.taken_out.empty()) offer.source = FoundBy::procedures;
        }
        std::stable_partition(out.begin(), out.end(),
                              [&](const Offer& offer) { return holds(offer.shape, wholes(family)); });
        return out;
    }

  private:
    bool wide_;
    std::deque<Heap> filled_;
    std::vector<shapes::ShapeAnswer> of_;               // by family
    std::vector<std::vector<shapes::Candidate>> extra_; // of its heaps alone
};

// Whether a heap has links that only the wide networks see, or trees, which may have a hole.
bool may_be_wide(const Family& family) {
    for (const View& view : family.views)
        for (const char* field : {"prev", "parent", "left", "right"})
            if (view.heap.find_field(field) >= 0) return true;
    return false;
}

class Builder {
  public:
    Builder(const shapes::Decider& decider, const shapes::Decider& wide, KnownShapes& known,
            const InferOptions& options, const std::vector<Heap>& heaps)
        : options_(options), families_(families(heaps)), answers_(decider, known, options, families_) {
        for (const Heap& heap : heaps) all_.push_back(&heap);
        for (std::size_t f = 0; f < families_.size(); ++f) {
            std::vector<Offer>& mine = offers_.emplace_back(answers_.offers(f, families_[f]));
            const auto heaps_of_it = wholes(families_[f]);
            if (f >= widened_families || !may_be_wide(families_[f]) || holds(mine[0].shape, heaps_of_it))
                continue;
            const std::vector<Family> alone{families_[f]};
            std::vector<Offer> more = Answers(wide, known, options, alone).offers(0, alone[0]);
            if (holds(more[0].shape, heaps_of_it)) mine.insert(mine.begin(), more.begin(), more.end());
        }
    }

    Inferred run() {
        if (options_.cases) disjunction(true);
        for (std::size_t f = 0; f < families_.size() && f < 3; ++f)
            for (const Offer& offer : offers_[f]) single(offer);
        disjunction(true);
        disjunction(false);
        if (options_.trace && !families_.empty()) {
            out_.trace = answers_[0].checked.trace;
            out_.seen = answers_[0].seen;
        }
        if (out_.candidates.size() > options_.most) {
            out_.candidates.resize(options_.most);
            out_.sources.resize(options_.most);
        }
        return std::move(out_);
    }

  private:
    // One formula for everything.
    void single(const Offer& offer) {
        if (!holds(offer.shape, all_)) return;
        const SymbolicHeap linked = with_prev(offer.shape, all_);
        const auto cells = with_points_to(linked, all_);
        const FoundBy source = linked == offer.shape ? offer.source : FoundBy::procedures;
        if (options_.pure) {
            if (cells) add({{with_distinct_names(*cells, all_)}}, FoundBy::procedures);
            add({{with_distinct_names(linked, all_)}}, source);
        }
        if (cells) add({{*cells}}, FoundBy::procedures);
        add({{linked}}, source);
        if (!options_.pure)
            add({{with_distinct_names(cells ? *cells : linked, all_)}}, cells ? FoundBy::procedures : source);
    }

    // Families that an earlier formula describes go with it; the others get their own.
    void disjunction(bool points_to) {
        std::vector<SymbolicHeap> parts;
        std::vector<std::vector<const Heap*>> covered;
        for (std::size_t f = 0; f < families_.size(); ++f) {
            const auto mine = wholes(families_[f]);
            bool known = false;
            for (std::size_t p = 0; p < parts.size() && !known; ++p) {
                known = holds(parts[p], mine);
                if (known) covered[p].insert(covered[p].end(), mine.begin(), mine.end());
            }
            if (known) continue;
            if (parts.size() == options_.disjuncts) return;
            const SymbolicHeap& shape = offers_[f][0].shape;
            if (!holds(shape, mine)) return;
            parts.push_back(with_prev(shape, mine));
            // Before other families join, lest they blur it.
            if (points_to)
                if (auto cells = with_points_to(parts.back(), mine)) parts.back() = std::move(*cells);
            covered.push_back(mine);
        }
        if (parts.size() < 2) return;
        Formula plain, distinct;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            plain.heaps.push_back(parts[p]);
            distinct.heaps.push_back(with_distinct_names(parts[p], covered[p]));
        }
        add(distinct, FoundBy::procedures);
        add(plain, FoundBy::procedures);
    }

    void add(const Formula& formula, FoundBy source) {
        if (!seen_.insert(logic::canonical(formula)).second) return;
        out_.candidates.push_back(formula);
        out_.sources.push_back(source);
    }

    const InferOptions& options_;
    std::vector<const Heap*> all_;
    std::vector<Family> families_;
    Answers answers_;                        // of the networks of ls and tree
    std::vector<std::vector<Offer>> offers_; // by family
    logic::FormulaSet seen_;                 // canonical
    Inferred out_;
};

} // namespace

const char* name_of(FoundBy source) {
    switch (source) {
    case FoundBy::network:
        return "network";
    case FoundBy::search:
        return "search";
    case FoundBy::wide_network:
        return "wide network";
    case FoundBy::wide_search:
        return "wide search";
    case FoundBy::procedures:
        return "procedures";
    }
    return "";
}

Inference::Inference()
    : Inference(shapes::shipped_model(false), shapes::shipped_model(true),
                shapes::shipped_model(shapes::Grammar::of_all())) {}

Inference::Inference(shapes::ShapeModel flat, shapes::ShapeModel nested, shapes::ShapeModel wide)
    : flat_(std::move(flat)),
      nested_(std::move(nested)),
      wide_(std::move(wide)),
      flat_decider_(flat_),
      nested_decider_(nested_),
      wide_decider_(wide_) {}

Inferred Inference::infer(const std::vector<Heap>& snapshots, const std::vector<std::string>& names,
                          const InferOptions& options) const {
    std::set<std::string> common(names.begin(), names.end());
    for (const Heap& heap : snapshots)
        std::erase_if(common, [&](const std::string& name) { return heap.variable(name) < 0; });
    // Distinct ones, smallest first.
    std::map<std::pair<std::size_t, std::string>, Heap> distinct;
    for (const Heap& heap : snapshots) {
        Heap one = shown(heap, common);
        std::string text = logic::heap_text(one);
        distinct.emplace(std::pair(one.nodes.size(), std::move(text)), std::move(one));
    }
    // Too many: the smallest half of what is kept, and the rest spread over all sizes.
    std::vector<Heap> heaps;
    std::size_t index = 0;
    const std::size_t half = options.snapshots / 2,
                      rest = distinct.size() > half ? distinct.size() - half : 1;
    bool nested = false;
    for (auto& [key, heap] : distinct) {
        const std::size_t at = index++;
        const bool kept = distinct.size() <= options.snapshots || at < half ||
                          (at - half) * half / rest != (at - half + 1) * half / rest;
        if (!kept) continue;
        const int val = heap.find_field("val");
        for (const Heap::Node& node : heap.nodes)
            for (const auto& [field, target] : node.links) nested = nested || (field == val && target > 0);
        heaps.push_back(std::move(heap));
    }
    if (heaps.empty()) return {};
    return Builder(nested ? static_cast<const shapes::Decider&>(nested_decider_) : flat_decider_,
                   wide_decider_, known_, options, heaps)
        .run();
}

} // namespace ggsnn::verify
