#include "ggsnn/logic/induct/simplify.hpp"

#include <algorithm>
#include <set>

namespace ggsnn::logic::induct {

namespace {

constexpr std::size_t most_products = 12; // of conditions when a number is eliminated

bool contains_pair(const std::vector<std::pair<TermId, TermId>>& sorted, TermId a, TermId b) {
    return std::binary_search(sorted.begin(), sorted.end(), std::pair(std::min(a, b), std::max(a, b)));
}

// x - y = 0
bool is_equality(const Linear& condition) {
    return condition.relation == Linear::Relation::zero && condition.constant == 0 &&
           condition.terms.size() == 2 && condition.terms[0].second + condition.terms[1].second == 0 &&
           std::abs(condition.terms[0].second) == 1;
}

// Makes terms that are said to be equal one. True if something changed.
bool merge_equal(Sequent& sequent) {
    tidy(sequent.left);
    if (!sequent.left.equal.empty()) {
        const auto [keep, other] = sequent.left.equal.front();
        rename(sequent, other, keep);
        return true;
    }
    for (const Linear& condition : sequent.left.linear)
        if (is_equality(condition)) {
            const TermId keep = condition.terms[0].first, other = condition.terms[1].first;
            rename(sequent, other, keep);
            return true;
        }
    return false;
}

// Which atom surely has a cell at a term: cells by number, calls after them.
using Owners = std::map<TermId, int>;

bool pair_fits(const BasePair& pair, const Call& call, const Clause& left, const Owners& owners, int number) {
    const auto argument = [&](std::size_t p) { return p == 0 ? null_term : call.arguments[p - 1]; };
    for (std::size_t p = 0; p < pair.same.size(); ++p) {
        const TermId term = argument(p);
        if (apart(left, term, argument(pair.same[p]))) return false;
        if ((pair.allocated >> pair.same[p] & 1U) != 0) {
            if (term == null_term) return false;
            const auto owner = owners.find(term);
            if (owner != owners.end() && owner->second != number) return false;
        }
        for (std::size_t q = p + 1; q < pair.same.size(); ++q)
            if ((pair.distinct[p] >> q & 1U) != 0 && term == argument(q)) return false;
    }
    // Arguments that are one, at representatives with cells of their own, were found as distinct above.
    return true;
}

struct Common {
    const Call& call;
    CallView view;
    std::vector<std::pair<TermId, TermId>> equal, distinct;
    bool first = true;

    explicit Common(const Call& of) : call(of) {
        view.possible = false;
        view.may_allocate.assign(of.arguments.size(), 0);
        view.allocated.assign(of.arguments.size(), 1);
        view.nonempty = true;
    }

    void add(const BasePair& pair) {
        view.possible = true;
        view.nonempty = view.nonempty && pair.nonempty;
        std::vector<std::pair<TermId, TermId>> same, differ;
        const auto argument = [&](std::size_t p) { return p == 0 ? null_term : call.arguments[p - 1]; };
        for (std::size_t p = 0; p < pair.same.size(); ++p) {
            if (p > 0) {
                const bool here = (pair.allocated >> pair.same[p] & 1U) != 0;
                view.allocated[p - 1] = view.allocated[p - 1] && here;
                view.may_allocate[p - 1] = view.may_allocate[p - 1] || here;
            }
            for (std::size_t q = p + 1; q < pair.same.size(); ++q) {
                const TermId a = std::min(argument(p), argument(q)), b = std::max(argument(p), argument(q));
                if (pair.same[p] == pair.same[q] && a != b) same.emplace_back(a, b);
                if ((pair.distinct[pair.same[p]] >> pair.same[q] & 1U) != 0) differ.emplace_back(a, b);
            }
        }
        meet(equal, std::move(same));
        meet(distinct, std::move(differ));
        first = false;
    }

    void meet(std::vector<std::pair<TermId, TermId>>& into,
              std::vector<std::pair<TermId, TermId>> other) const {
        std::sort(other.begin(), other.end());
        if (first) {
            into = std::move(other);
            return;
        }
        std::erase_if(
            into, [&](const auto& pair) { return !std::binary_search(other.begin(), other.end(), pair); });
    }
};

// Cells and what calls surely allocate. False: two atoms with a cell at one place, or one at NULL.
bool own(Owners& owners, TermId term, int atom) {
    if (term == null_term) return false;
    const auto [at, fresh] = owners.emplace(term, atom);
    return fresh || at->second == atom;
}

// Whether the integers allow the call to be without a cell, and to have one. Where they allow one of both
// only, what then holds of them is added.
struct Sides {
    bool empty = true, nonempty = true;
};

Sides sides_of(const Call& call, Clause& left, Context& context, bool& changed) {
    const auto definition = static_cast<std::size_t>(call.definition);
    const Conditions &of_empty = context.invariants_empty[definition],
                     &of_nonempty = context.invariants_nonempty[definition];
    Sides sides;
    if (of_empty.empty() && of_nonempty.empty()) return sides;
    const Conditions known_ones = numbers_of(left, context);
    const auto with = [&](const Conditions& conditions) {
        Conditions all = known_ones;
        for (const Linear& one : conditions) all.push_back(of_arguments(one, call.arguments));
        return all;
    };
    sides.empty = !context.arithmetic.contradictory(with(of_empty));
    sides.nonempty = !context.arithmetic.contradictory(with(of_nonempty));
    if (sides.empty == sides.nonempty) return sides;
    for (const Linear& one : sides.empty ? of_empty : of_nonempty) {
        const Linear instance = of_arguments(one, call.arguments);
        if (context.arithmetic.implies(known_ones, instance)) continue;
        left.linear.push_back(instance);
        changed = true;
    }
    return sides;
}

// One look at all atoms. Adds to the pure part of the left side; `changed` says whether it did.
bool look_at_atoms(Sequent& sequent, Context& context, View& view, bool& changed) {
    Clause& left = sequent.left;
    Owners owners;
    int atom = 0;
    for (const CellAtom& cell : left.cells)
        if (owners.contains(cell.root) || !own(owners, cell.root, atom++)) return false;
    std::vector<std::pair<TermId, TermId>> distinct;
    // Twice: what the calls allocate rules out pairs of calls before them.
    for (int turn = 0; turn < 2; ++turn) {
        view.calls.clear();
        for (std::size_t c = 0; c < left.calls.size(); ++c) {
            const Call& call = left.calls[c];
            const int number = static_cast<int>(left.cells.size() + c);
            Common common(call);
            const Sides sides = sides_of(call, left, context, changed);
            context.budget.require(1 + call.arguments.size() * context.pairs.of(call.definition).size());
            for (const BasePair& pair : context.pairs.of(call.definition))
                if (!pair.dropped && (pair.nonempty ? sides.nonempty : sides.empty) &&
                    pair_fits(pair, call, left, owners, number))
                    common.add(pair);
            if (!common.view.possible) return false;
            for (std::size_t i = 0; i < call.arguments.size(); ++i)
                if (common.view.allocated[i] != 0 && !own(owners, call.arguments[i], number)) return false;
            left.equal.insert(left.equal.end(), common.equal.begin(), common.equal.end());
            distinct.insert(distinct.end(), common.distinct.begin(), common.distinct.end());
            view.calls.push_back(std::move(common.view));
        }
    }
    for (auto a = owners.begin(); a != owners.end(); ++a) {
        distinct.emplace_back(null_term, a->first);
        for (auto b = std::next(a); b != owners.end(); ++b)
            if (a->second != b->second) distinct.emplace_back(a->first, b->first);
    }
    for (const auto& pair : distinct)
        if (!contains_pair(left.distinct, pair.first, pair.second)) {
            left.distinct.push_back(pair);
            changed = true;
            tidy(left);
        }
    changed |= !left.equal.empty();
    return true;
}

// Puts another term in the place of an existential.
void choose(Sequent& sequent, TermId existential, TermId term) {
    Linear value;
    if (term != null_term) add_term(value, term, 1);
    sequent.chosen.push_back({existential, std::move(value)});
    rename(sequent.right, existential, term);
    std::erase(sequent.exists, existential);
}

bool strike_equalities(Sequent& sequent, bool& changed) {
    Clause& right = sequent.right;
    for (std::size_t i = 0; i < right.equal.size(); ++i) {
        auto [a, b] = right.equal[i];
        if (is_existential(sequent, a)) std::swap(a, b);
        if (is_existential(sequent, b)) {
            choose(sequent, b, a);
            changed = true;
            return true;
        }
        if (apart(sequent.left, a, b)) return false;
    }
    return true;
}

int existentials(const Sequent& sequent, const Linear& condition) {
    return static_cast<int>(
        std::count_if(condition.terms.begin(), condition.terms.end(),
                      [&](const auto& pair) { return is_existential(sequent, pair.first); }));
}

// An equation that says what an existential is.
bool solve_existential(Sequent& sequent, Context& context, bool& changed) {
    Clause& right = sequent.right;
    for (std::size_t i = 0; i < right.linear.size(); ++i) {
        const Linear condition = right.linear[i];
        if (condition.relation != Linear::Relation::zero) continue;
        if (is_equality(condition)) {
            TermId a = condition.terms[0].first, b = condition.terms[1].first;
            if (is_existential(sequent, a)) std::swap(a, b);
            if (is_existential(sequent, b)) {
                choose(sequent, b, a);
                changed = true;
                return true;
            }
        }
        for (const auto& [term, coefficient] : condition.terms) {
            if (std::abs(coefficient) != 1 || !is_existential(sequent, term)) continue;
            Linear value; // the term is -(rest) / coefficient
            add(value, condition, -coefficient);
            add_term(value, term, 1);
            if (in_atoms(right, term)) {
                if (existentials(sequent, condition) > 1) continue;
                // The universal terms say what it is: a name for that, on the left side.
                const TermId named = context.terms.fresh(true);
                sequent.defined.push_back({named, value});
                sequent.left.linear.push_back(condition);
                rename(sequent.left.linear.back(), term, named);
                choose(sequent, term, named);
                changed = true;
                return true;
            }
            sequent.chosen.push_back({term, value});
            right.linear.erase(right.linear.begin() + static_cast<std::ptrdiff_t>(i));
            for (Linear& other : right.linear) replace(other, term, value);
            std::erase(sequent.exists, term);
            changed = true;
            return true;
        }
    }
    return true;
}

bool strike_conditions(Sequent& sequent, Context& context) {
    Clause& right = sequent.right;
    std::vector<std::pair<TermId, TermId>> distinct;
    for (const auto& [a, b] : right.distinct) {
        if (a == b) return false;
        if (apart(sequent.left, a, b)) continue;
        // Any other place will do for an existential that only has to differ.
        const auto free = [&](TermId term) {
            return is_existential(sequent, term) && !in_atoms(right, term);
        };
        if (free(a) || free(b)) continue;
        distinct.emplace_back(a, b);
    }
    right.distinct = std::move(distinct);
    if (right.linear.empty()) return true;
    const Conditions known_ones = numbers_of(sequent.left, context);
    std::vector<Linear> open;
    for (const Linear& condition : right.linear) {
        if (known(condition) == Known::no) return false;
        if (!is_existential(sequent, condition)) {
            if (context.arithmetic.implies(known_ones, condition)) continue;
            if (context.arithmetic.implies(known_ones, negation(condition))) return false;
        }
        open.push_back(condition);
    }
    right.linear = std::move(open);
    return true;
}

// Takes a number out of the conditions: by an equation, or each lower with each upper bound. Weaker, never
// stronger. False: that would be too many.
bool eliminate(Conditions& conditions, TermId term) {
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        const Linear equation = conditions[i];
        const std::int64_t coefficient = coefficient_of(equation, term);
        if (equation.relation != Linear::Relation::zero || std::abs(coefficient) != 1) continue;
        Linear value;
        add(value, equation, -coefficient);
        add_term(value, term, 1);
        conditions.erase(conditions.begin() + static_cast<std::ptrdiff_t>(i));
        for (Linear& other : conditions) replace(other, term, value);
        return true;
    }
    Conditions upper, lower, rest;
    for (const Linear& condition : conditions) {
        const std::int64_t coefficient = coefficient_of(condition, term);
        if (coefficient == 0)
            rest.push_back(condition);
        else if (condition.relation == Linear::Relation::at_most_zero)
            (coefficient > 0 ? upper : lower).push_back(condition);
    }
    if (upper.size() * lower.size() > most_products) return false;
    for (const Linear& a : upper)
        for (const Linear& b : lower) {
            Linear sum;
            sum.relation = Linear::Relation::at_most_zero;
            add(sum, a, -coefficient_of(b, term));
            add(sum, b, coefficient_of(a, term));
            rest.push_back(std::move(sum));
        }
    conditions = std::move(rest);
    return true;
}

} // namespace

bool apart(const Clause& left, TermId a, TermId b) {
    return contains_pair(left.distinct, a, b);
}

Linear sum_of_arguments(const Linear& sum, const std::vector<TermId>& arguments) {
    Linear result;
    result.relation = sum.relation;
    result.constant = sum.constant;
    for (const auto& [parameter, coefficient] : sum.terms)
        add_term(result, arguments[static_cast<std::size_t>(parameter - 1)], coefficient);
    return result;
}

Linear of_arguments(const Linear& condition, const std::vector<TermId>& arguments) {
    Linear result = sum_of_arguments(condition, arguments);
    normalize(result);
    return result;
}

namespace {

// The number of cells of a clause, where all its calls have one.
std::optional<Linear> size_of(const Clause& clause, const Context& context) {
    Linear size;
    size.constant = static_cast<std::int64_t>(clause.cells.size());
    for (const Call& call : clause.calls) {
        const auto& of_definition = context.sizes[static_cast<std::size_t>(call.definition)];
        if (!of_definition) return std::nullopt;
        add(size, sum_of_arguments(*of_definition, call.arguments));
    }
    return size;
}

} // namespace

Conditions numbers_of(const Clause& clause, const Context& context) {
    Conditions result = clause.linear;
    for (const Call& call : clause.calls)
        for (const Linear& invariant : context.invariants[static_cast<std::size_t>(call.definition)])
            result.push_back(of_arguments(invariant, call.arguments));
    return result;
}

Conditions necessary(const Sequent& sequent, const Context& context) {
    Conditions result = numbers_of(sequent.right, context);
    const auto left = size_of(sequent.left, context), right = size_of(sequent.right, context);
    if (left && right) {
        Linear equal = *left;
        add(equal, *right, -1);
        result.push_back(equal);
    }
    for (const TermId term : sequent.exists)
        if (context.terms.is_number(term) && !eliminate(result, term))
            std::erase_if(result,
                          [&](const Linear& condition) { return coefficient_of(condition, term) != 0; });
    for (Linear& condition : result) normalize(condition);
    std::erase_if(result, [](const Linear& condition) { return known(condition) == Known::yes; });
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

bool add_size(Sequent& sequent, const Context& context) {
    const auto left = size_of(sequent.left, context), right = size_of(sequent.right, context);
    if (!left || !right) return false;
    Linear equal = *left;
    add(equal, *right, -1);
    normalize(equal);
    const auto unit = [&](const auto& pair) {
        return is_existential(sequent, pair.first) && std::abs(pair.second) == 1;
    };
    if (existentials(sequent, equal) != 1 || !std::any_of(equal.terms.begin(), equal.terms.end(), unit))
        return false;
    sequent.right.linear.push_back(std::move(equal));
    return true;
}

void find_heads(Context& context) {
    for (const Definition& definition : context.definitions) {
        std::vector<Head>& heads = context.heads.emplace_back();
        const auto has = [&](const Clause& rule, const Head& head) {
            const auto parameter = [](std::size_t argument) { return static_cast<TermId>(argument) + 1; };
            return std::any_of(rule.cells.begin(), rule.cells.end(), [&](const CellAtom& cell) {
                return cell.root == parameter(head.root) &&
                       std::any_of(cell.links.begin(), cell.links.end(), [&](const Link& link) {
                           return link.field == head.field && link.value == parameter(head.value);
                       });
            });
        };
        if (definition.rules.empty()) continue;
        for (const CellAtom& cell : definition.rules[0].cells)
            for (const Link& link : cell.links) {
                const bool number = std::find(definition.numbers.begin(), definition.numbers.end(),
                                              link.value) != definition.numbers.end();
                if (!number || cell.root < 1 || cell.root > definition.parameters) continue;
                const Head head{static_cast<std::size_t>(cell.root - 1),
                                static_cast<std::size_t>(link.value - 1), link.field};
                if (std::all_of(definition.rules.begin(), definition.rules.end(),
                                [&](const Clause& rule) { return has(rule, head); }))
                    heads.push_back(head);
            }
    }
}

namespace {

// Sets of terms that hang together. NULL hangs together with nothing.
class Groups {
  public:
    void join(TermId a, TermId b) {
        if (a != null_term && b != null_term) group_[find(a)] = find(b);
    }
    TermId find(TermId term) {
        while (group_.contains(term) && group_[term] != term) term = group_[term];
        return term;
    }

  private:
    std::map<TermId, TermId> group_;
};

} // namespace

void find_anchors(Context& context) {
    context.anchors.clear();
    for (const Definition& definition : context.definitions) {
        std::vector<std::size_t>& all = context.anchors.emplace_back();
        for (TermId p = 1; p <= definition.parameters; ++p)
            if (std::find(definition.numbers.begin(), definition.numbers.end(), p) ==
                definition.numbers.end())
                all.push_back(static_cast<std::size_t>(p - 1));
    }
    const auto holds = [&](const Definition& definition, const Clause& rule, std::size_t argument) {
        const auto contains = [](const std::vector<TermId>& all, TermId term) {
            return std::find(all.begin(), all.end(), term) != all.end();
        };
        Groups groups;
        for (const auto& [a, b] : rule.equal) groups.join(a, b);
        for (const CellAtom& cell : rule.cells)
            for (const Link& link : cell.links)
                if (!contains(rule.numbers, link.value) && !contains(definition.numbers, link.value))
                    groups.join(cell.root, link.value);
        const TermId from = groups.find(static_cast<TermId>(argument) + 1);
        return std::all_of(rule.cells.begin(), rule.cells.end(),
                           [&](const CellAtom& cell) { return groups.find(cell.root) == from; }) &&
               std::all_of(rule.calls.begin(), rule.calls.end(), [&](const Call& call) {
                   const auto& anchors = context.anchors[static_cast<std::size_t>(call.definition)];
                   return std::any_of(anchors.begin(), anchors.end(), [&](std::size_t anchor) {
                       return groups.find(call.arguments[anchor]) == from;
                   });
               });
    };
    for (bool changed = true; changed;) {
        context.budget.require(10);
        changed = false;
        for (std::size_t d = 0; d < context.definitions.size(); ++d)
            changed |= std::erase_if(context.anchors[d], [&](std::size_t argument) {
                           const Definition& of = context.definitions[d];
                           return !std::all_of(of.rules.begin(), of.rules.end(),
                                               [&](const Clause& rule) { return holds(of, rule, argument); });
                       }) > 0;
    }
}

namespace {

// Whether each part of the left side that may have a cell hangs together with a place from which the right
// side is reached. If not, there is a heap of the left side in which it does not.
bool hangs_together(const Sequent& sequent, const Context& context, const View& view) {
    const Clause &left = sequent.left, &right = sequent.right;
    std::set<TermId> reached; // from universal terms
    std::vector<char> cells(right.cells.size(), 0), calls(right.calls.size(), 0);
    const auto is_reached = [&](TermId term) {
        return term != null_term && (!is_existential(sequent, term) || reached.contains(term));
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t c = 0; c < right.cells.size(); ++c) {
            const CellAtom& cell = right.cells[c];
            const auto leads = [&](const Link& link) {
                return !context.terms.is_number(link.value) && is_reached(link.value);
            };
            if (cells[c] != 0) continue;
            if (!is_reached(cell.root) && std::none_of(cell.links.begin(), cell.links.end(), leads)) continue;
            cells[c] = 1;
            changed = true;
            reached.insert(cell.root);
            for (const Link& link : cell.links)
                if (!context.terms.is_number(link.value)) reached.insert(link.value);
        }
        for (std::size_t c = 0; c < right.calls.size(); ++c)
            for (const std::size_t anchor :
                 context.anchors[static_cast<std::size_t>(right.calls[c].definition)])
                if (calls[c] == 0 && is_reached(right.calls[c].arguments[anchor])) {
                    reached.insert(right.calls[c].arguments[anchor]);
                    calls[c] = 1;
                }
    }
    if (std::count(cells.begin(), cells.end(), 0) + std::count(calls.begin(), calls.end(), 0) > 0)
        return true;
    Groups groups;
    for (const CellAtom& cell : left.cells)
        for (const Link& link : cell.links) groups.join(cell.root, link.value);
    const auto places = [&](const Call& call) {
        std::vector<TermId> result;
        for (const TermId term : call.arguments)
            if (term != null_term && !context.terms.is_number(term)) result.push_back(term);
        return result;
    };
    for (const Call& call : left.calls) {
        const std::vector<TermId> all = places(call);
        for (const TermId term : all) groups.join(all[0], term);
    }
    std::set<TermId> found;
    for (const TermId term : reached) found.insert(groups.find(term));
    for (const CellAtom& cell : left.cells)
        if (!found.contains(groups.find(cell.root))) return false;
    for (std::size_t c = 0; c < left.calls.size(); ++c) {
        const std::vector<TermId> all = places(left.calls[c]);
        const std::vector<char>& may = view.calls[c].may_allocate;
        if (all.empty() || std::none_of(may.begin(), may.end(), [](char one) { return one != 0; })) continue;
        if (!found.contains(groups.find(all[0]))) return false;
    }
    return true;
}

// Visits place, field and integer of each cell of which the clause says an integer.
template <typename Visitor>
void visit_data(const Clause& clause, const Context& context, const Visitor& visit) {
    for (const CellAtom& cell : clause.cells)
        for (const Link& link : cell.links)
            if (context.terms.is_number(link.value)) visit(cell.root, link.field, link.value);
    for (const Call& call : clause.calls)
        for (const Head& head : context.heads[static_cast<std::size_t>(call.definition)])
            visit(call.arguments[head.root], head.field, call.arguments[head.value]);
}

} // namespace

bool add_heads(Sequent& sequent, const Context& context) {
    std::optional<Linear> equal;
    visit_data(sequent.right, context, [&](TermId place, int field, TermId value) {
        if (equal || !is_existential(sequent, value)) return;
        visit_data(sequent.left, context, [&](TermId other, int of_field, TermId known_value) {
            if (equal || other != place || of_field != field) return;
            equal.emplace();
            add_term(*equal, value, 1);
            add_term(*equal, known_value, -1);
            normalize(*equal);
        });
    });
    if (equal) sequent.right.linear.push_back(std::move(*equal));
    return equal.has_value();
}

bool close_left(Sequent& sequent, Context& context, View& view) {
    for (bool changed = true; changed;) {
        context.budget.require(10);
        while (merge_equal(sequent)) context.budget.require(5);
        for (const auto& [a, b] : sequent.left.distinct)
            if (a == b) return false;
        changed = false;
        if (!look_at_atoms(sequent, context, view, changed)) return false;
    }
    return !context.arithmetic.contradictory(numbers_of(sequent.left, context));
}

bool reduce_right(Sequent& sequent, Context& context) {
    for (bool changed = true; changed;) {
        changed = false;
        context.budget.require(5);
        tidy(sequent.right);
        if (!strike_equalities(sequent, changed)) return false;
        if (!changed) solve_existential(sequent, context, changed);
    }
    return strike_conditions(sequent, context);
}

bool match_cells(Sequent& sequent, int& consumed) {
    Clause &left = sequent.left, &right = sequent.right;
    for (std::size_t r = 0; r < right.cells.size();) {
        const CellAtom& cell = right.cells[r];
        if (cell.root == null_term) return false;
        const auto same = std::find_if(left.cells.begin(), left.cells.end(),
                                       [&](const CellAtom& other) { return other.root == cell.root; });
        if (same == left.cells.end()) {
            ++r;
            continue;
        }
        for (const Link& link : cell.links) {
            const auto there = std::find_if(same->links.begin(), same->links.end(),
                                            [&](const Link& other) { return other.field == link.field; });
            if (there == same->links.end()) return false;
            if (there->value == link.value) continue;
            right.equal.emplace_back(link.value, there->value);
        }
        left.cells.erase(same);
        right.cells.erase(right.cells.begin() + static_cast<std::ptrdiff_t>(r));
        ++consumed;
    }
    return true;
}

namespace {

// Equalities of numbers are conditions.
void numeric_equalities(Clause& clause, const Terms& terms) {
    std::erase_if(clause.equal, [&](const auto& pair) {
        if (!terms.is_number(pair.first) && !terms.is_number(pair.second)) return false;
        Linear condition;
        add_term(condition, pair.first, 1);
        add_term(condition, pair.second, -1);
        clause.linear.push_back(std::move(condition));
        return true;
    });
}

} // namespace

namespace {

// Whether the atoms of the right side may be together, and the left side may have a cell wherever they surely
// have one: where it has none, it has a heap in which nothing is there. REQUIRES a closed left side.
bool right_may_hold(const Sequent& sequent, const Context& context, const View& view) {
    const Clause &left = sequent.left, &right = sequent.right;
    const auto possible = [&](TermId term) {
        if (term == null_term) return false;
        if (is_existential(sequent, term)) return true;
        for (const CellAtom& cell : left.cells)
            if (cell.root == term) return true;
        for (std::size_t c = 0; c < left.calls.size(); ++c)
            for (std::size_t i = 0; i < left.calls[c].arguments.size(); ++i)
                if (left.calls[c].arguments[i] == term && view.calls[c].may_allocate[i] != 0) return true;
        return false;
    };
    Owners owners;
    int atom = 0;
    for (const CellAtom& cell : right.cells)
        if (owners.contains(cell.root) || !own(owners, cell.root, atom++) || !possible(cell.root))
            return false;
    for (std::size_t c = 0; c < right.calls.size(); ++c) {
        const Call& call = right.calls[c];
        const int number = static_cast<int>(right.cells.size() + c);
        const std::vector<BasePair>& pairs = context.pairs.of(call.definition);
        context.budget.require(1 + call.arguments.size() * pairs.size());
        std::vector<char> everywhere(call.arguments.size(), 1);
        bool some = false;
        for (const BasePair& pair : pairs) {
            if (pair.dropped || !pair_fits(pair, call, left, owners, number)) continue;
            some = true;
            for (std::size_t i = 0; i < everywhere.size(); ++i)
                if ((pair.allocated >> pair.same[i + 1] & 1U) == 0) everywhere[i] = 0;
        }
        if (!some) return false;
        for (std::size_t i = 0; i < everywhere.size(); ++i)
            if (everywhere[i] != 0 &&
                (!own(owners, call.arguments[i], number) || !possible(call.arguments[i])))
                return false;
    }
    return true;
}

} // namespace

Outcome simplify(Sequent& sequent, Context& context, View& view, int& consumed) {
    if (!close_left(sequent, context, view)) return Outcome::contradictory;
    for (;;) {
        numeric_equalities(sequent.right, context.terms);
        if (!reduce_right(sequent, context)) return Outcome::failed;
        const std::size_t before = sequent.right.cells.size();
        if (!match_cells(sequent, consumed)) return Outcome::failed;
        if (sequent.right.cells.size() == before) break;
    }
    forget(sequent);
    if (!close_left(sequent, context, view)) return Outcome::contradictory;
    const Clause &left = sequent.left, &right = sequent.right;
    const bool left_empty = left.cells.empty() && left.calls.empty();
    const bool right_empty = right.cells.empty() && right.calls.empty();
    if (left_empty && right_empty) return pure_holds(sequent, context) ? Outcome::proved : Outcome::open;
    if (right_empty && !left.cells.empty()) return Outcome::failed;
    if (left_empty && !right.cells.empty()) return Outcome::failed;
    if (right_empty)
        for (const CallView& call : view.calls)
            if (call.nonempty) return Outcome::failed;
    return right_may_hold(sequent, context, view) && hangs_together(sequent, context, view) ? Outcome::open
                                                                                            : Outcome::failed;
}

void forget(Sequent& sequent) {
    Clause& left = sequent.left;
    const auto needed = [&](TermId term) {
        return term == null_term || in_atoms(left, term) || occurs(sequent.right, term);
    };
    std::erase_if(left.distinct,
                  [&](const auto& pair) { return !needed(pair.first) || !needed(pair.second); });
    std::vector<TermId> gone;
    for (const Linear& condition : left.linear)
        for (const auto& [term, coefficient] : condition.terms)
            if (!needed(term)) gone.push_back(term);
    std::sort(gone.begin(), gone.end());
    gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
    for (const TermId term : gone) eliminate(left.linear, term);
    tidy(left);
}

bool pure_holds(const Sequent& sequent, Context& context) {
    const Clause& right = sequent.right;
    if (!right.equal.empty() || !right.distinct.empty()) return false;
    if (right.linear.empty()) return true;
    std::vector<int> exists;
    for (const TermId term : sequent.exists)
        if (context.terms.is_number(term)) exists.push_back(term);
    return context.arithmetic.implies(sequent.left.linear, exists, right.linear);
}

} // namespace ggsnn::logic::induct
