#include "ggsnn/logic/induct/search.hpp"

#include <algorithm>
#include <utility>

namespace ggsnn::logic::induct {

namespace {

constexpr std::size_t most_instances = 4; // of a hypothesis in a sequent
constexpr std::size_t most_joins = 16;    // ways to join two calls by one lemma
constexpr std::size_t most_ordered = 10;  // integers that are compared with each other
constexpr std::size_t most_lemmas = 24;
constexpr std::size_t most_wanted_below = 2000; // conditions that are remembered
constexpr std::size_t most_splits_below = 3;    // on such conditions, of a sequent
constexpr std::size_t most_atoms_of_lemma = 2;  // on its left side
constexpr std::size_t most_left_choices = 3;    // calls of the left side that are tried for unfolding

void remove_call(Clause& clause, std::size_t call) {
    clause.calls.erase(clause.calls.begin() + static_cast<std::ptrdiff_t>(call));
}

// What waits on the right side without existentials.
template <typename Wanted>
void collect_wanted(const Sequent& sequent, Wanted& wanted) {
    const auto open = [&](const std::pair<TermId, TermId>& pair) {
        return !is_existential(sequent, pair.first) && !is_existential(sequent, pair.second);
    };
    for (const auto& pairs : {&sequent.right.equal, &sequent.right.distinct})
        for (const auto& pair : *pairs)
            if (open(pair) && std::find(wanted.equal.begin(), wanted.equal.end(), pair) == wanted.equal.end())
                wanted.equal.push_back(pair);
    for (const Linear& condition : sequent.right.linear)
        if (!is_existential(sequent, condition) &&
            std::find(wanted.conditions.begin(), wanted.conditions.end(), condition) ==
                wanted.conditions.end())
            wanted.conditions.push_back(condition);
}

// Nothing universal waits, so that no split is needed.
bool waits(const Sequent& sequent) {
    const auto universal = [&](const std::pair<TermId, TermId>& pair) {
        return !is_existential(sequent, pair.first) && !is_existential(sequent, pair.second);
    };
    return std::any_of(sequent.right.equal.begin(), sequent.right.equal.end(), universal) ||
           std::any_of(sequent.right.distinct.begin(), sequent.right.distinct.end(), universal) ||
           std::any_of(sequent.right.linear.begin(), sequent.right.linear.end(),
                       [&](const Linear& condition) { return !is_existential(sequent, condition); });
}

// Whether the values could be one: the same, or one of them still to be chosen, or numbers.
bool may_equal(const Sequent& sequent, const Terms& terms, TermId right, TermId left) {
    return right == left || is_existential(sequent, right) ||
           (terms.is_number(right) && terms.is_number(left));
}

bool cell_may_match(const Sequent& sequent, const Terms& terms, const CellAtom& right, const CellAtom& left) {
    if (!may_equal(sequent, terms, right.root, left.root)) return false;
    for (const Link& link : right.links) {
        const auto there = std::find_if(left.links.begin(), left.links.end(),
                                        [&](const Link& other) { return other.field == link.field; });
        if (there == left.links.end() || !may_equal(sequent, terms, link.value, there->value)) return false;
    }
    return true;
}

// Cells of the right side at a known place where the left side has none (yet).
std::size_t stuck_cells(const Sequent& sequent) {
    return static_cast<std::size_t>(
        std::count_if(sequent.right.cells.begin(), sequent.right.cells.end(),
                      [&](const CellAtom& cell) { return !is_existential(sequent, cell.root); }));
}

// The use of P(x ..) |- Q(x ..) on a call of P.
Step conversion_step(const Step& conversion, const Call& call) {
    Step step;
    step.rule = Step::Rule::use;
    step.fact = conversion.id;
    const std::vector<TermId>& names = conversion.sequent.left.calls[0].arguments;
    for (std::size_t i = 0; i < names.size(); ++i) step.terms[names[i]] = call.arguments[i];
    return step;
}

// A step above one that was proved.
Proved above(Step step, const Proof& child) {
    step.children = {child.step};
    return Proof{child.lowest, std::make_shared<Step>(std::move(step))};
}

Proved split(Step step, const Proof& first, const Proof& second) {
    step.rule = Step::Rule::split;
    step.children = {first.step, second.step};
    return Proof{std::min(first.lowest, second.lowest), std::make_shared<Step>(std::move(step))};
}

// Where simplification came to an end.
Proved leaf(Sequent sequent, Outcome outcome) {
    Step step{outcome == Outcome::contradictory ? Step::Rule::contradiction : Step::Rule::done,
              std::move(sequent)};
    return Proof{no_hypothesis, std::make_shared<Step>(std::move(step))};
}

bool ended_well(Outcome outcome) {
    return outcome == Outcome::proved || outcome == Outcome::contradictory;
}

// Which integers of the atoms are known to be at most (strict: less than) others, whatever their values.
Conditions orders_of(const Sequent& sequent, const Conditions& known_ones, Context& context, bool strict) {
    std::set<TermId> numbers;
    for (const Clause* side : {&sequent.left, &sequent.right}) {
        for (const Call& call : side->calls) numbers.insert(call.arguments.begin(), call.arguments.end());
        for (const CellAtom& cell : side->cells)
            for (const Link& link : cell.links) numbers.insert(link.value);
    }
    std::erase_if(numbers, [&](TermId term) {
        return !context.terms.is_number(term) || is_existential(sequent, term);
    });
    Conditions result;
    if (numbers.size() > most_ordered) return result;
    for (const TermId a : numbers)
        for (const TermId b : numbers) {
            if (a == b) continue;
            Linear order;
            order.relation = Linear::Relation::at_most_zero;
            add_term(order, a, 1);
            add_term(order, b, -1);
            order.constant = strict ? 1 : 0;
            if (context.arithmetic.implies(known_ones, order)) result.push_back(order);
        }
    return result;
}

// A lemma is of use where it gives what the right side has.
bool leads_to(const Sequent& lemma, const Sequent& sequent) {
    return std::any_of(lemma.right.calls.begin(), lemma.right.calls.end(), [&](const Call& given) {
        return std::any_of(sequent.right.calls.begin(), sequent.right.calls.end(),
                           [&](const Call& asked) { return asked.definition == given.definition; });
    });
}

// Nothing is known of the cell, but other atoms will tell its place.
bool cell_waits(const Sequent& sequent, const Terms& terms, const CellAtom& cell) {
    for (const Link& link : cell.links)
        if (!terms.is_number(link.value) && !is_existential(sequent, link.value)) return false;
    const auto leads_here = [&](TermId term) { return term == cell.root; };
    return std::any_of(sequent.right.cells.begin(), sequent.right.cells.end(),
                       [&](const CellAtom& other) {
                           return std::any_of(other.links.begin(), other.links.end(),
                                              [&](const Link& link) { return leads_here(link.value); });
                       }) ||
           std::any_of(sequent.right.calls.begin(), sequent.right.calls.end(), [&](const Call& call) {
               return std::any_of(call.arguments.begin(), call.arguments.end(), leads_here);
           });
}

// Some cell of the right side at an unknown place, of those from a number on, might be one of the left.
bool cell_candidate(const Sequent& sequent, const Terms& terms, std::size_t first) {
    const std::vector<CellAtom>& cells = sequent.right.cells;
    return std::any_of(cells.begin() + static_cast<std::ptrdiff_t>(first), cells.end(),
                       [&](const CellAtom& cell) {
                           return is_existential(sequent, cell.root) && !cell_waits(sequent, terms, cell) &&
                                  std::any_of(sequent.left.cells.begin(), sequent.left.cells.end(),
                                              [&](const CellAtom& left) {
                                                  return cell_may_match(sequent, terms, cell, left);
                                              });
                       });
}

} // namespace

namespace {

// P(x ..) |- Q(x ..), all arguments different names, and nothing else.
bool is_conversion(const Sequent& sequent) {
    const Clause &left = sequent.left, &right = sequent.right;
    if (!left.cells.empty() || left.calls.size() != 1 || !right.cells.empty() || right.calls.size() != 1)
        return false;
    if (!left.equal.empty() || !left.distinct.empty() || !left.linear.empty()) return false;
    if (!right.equal.empty() || !right.distinct.empty() || !right.linear.empty()) return false;
    const std::vector<TermId>& names = left.calls[0].arguments;
    const std::set<TermId> different(names.begin(), names.end());
    return names == right.calls[0].arguments && different.size() == names.size() &&
           !different.contains(null_term);
}

} // namespace

void Lemmas::add(const StepPtr& proof) {
    const Sequent& sequent = proof->sequent;
    const std::size_t size = sequent.left.cells.size() + sequent.left.calls.size();
    if (size > most_atoms_of_lemma || sequent.right.calls.empty() || all_.size() == most_lemmas) return;
    if (!known_.insert(shape_of(sequent)).second) return;
    all_.push_back(proof);
    proofs_.push_back(proof);
    if (is_conversion(sequent))
        conversions_.emplace(std::pair(sequent.left.calls[0].definition, sequent.right.calls[0].definition),
                             proof);
}

void Lemmas::keep_conversion(const StepPtr& proof) {
    const Sequent& sequent = proof->sequent;
    const std::pair ends(sequent.left.calls[0].definition, sequent.right.calls[0].definition);
    if (conversions_.emplace(ends, proof).second) proofs_.push_back(proof);
}

bool Lemmas::find_representatives(const std::set<int>& definitions) {
    for (const StepPtr& join : joins_) {
        const int to = join->sequent.right.calls[0].definition;
        if (representatives_.contains(to)) continue;
        for (const int from : definitions)
            if (from != to && conversion(from, to) && conversion(to, from))
                representatives_.emplace(from, to);
    }
    return !representatives_.empty();
}

StepPtr Search::prove(const Sequent& sequent) {
    nodes_ = 0;
    failed_.clear();
    wanted_below_.clear();
    Path path;
    path.unfoldings = effort_.unfoldings;
    path.uses = effort_.uses;
    path.splits = effort_.splits;
    path.idle = effort_.idle;
    path.guesses = effort_.guesses;
    path.number_splits = effort_.number_splits;
    const Proved proved = solve(sequent, path);
    return proved ? proved->step : nullptr;
}

std::string Search::key(const Sequent& sequent, const Path& path) const {
    int usable = 0;
    for (const Hypothesis& hypothesis : path.hypotheses) usable += hypothesis.consumed < path.consumed;
    return fmt::format("{} {} {} {} {} {} {} {} {} {}", shape_of(sequent), path.unfoldings, path.uses,
                       path.splits, path.number_splits, path.idle, path.guesses, path.hypotheses.size(),
                       usable, path.at_case ? 1 : 0);
}

Proved Search::solve(Sequent sequent, Path path) {
    context_.budget.require(20);
    if (++nodes_ > effort_.nodes || ++path.depth > effort_.depth) return {};
    View view;
    for (bool again = true; again;) {
        const Outcome outcome = simplify(sequent, context_, view, path.consumed);
        if (ended_well(outcome)) return leaf(std::move(sequent), outcome);
        if (outcome == Outcome::failed) return {};
        again = match_equal_calls(sequent, path, view) || add_size(sequent, context_) ||
                add_heads(sequent, context_);
    }
    // The steps below start anew.
    Sequent log;
    std::swap(log.chosen, sequent.chosen);
    std::swap(log.defined, sequent.defined);
    std::string seen = key(sequent, path);
    if (failed_.contains(seen)) return {};
    const bool at_case = std::exchange(path.at_case, false);
    const std::size_t before = wanted_below_.size();
    Wanted wanted;
    collect_wanted(sequent, wanted);
    if (!numbers_may_fit(sequent, wanted)) return {};
    if (effort_.below && wanted_below_.size() < most_wanted_below)
        wanted_below_.insert(wanted_below_.end(), wanted.conditions.begin(), wanted.conditions.end());
    Proved proved = try_exchange(sequent, path);
    if (!proved) proved = try_calls(sequent, path, view);
    if (!proved) proved = try_cells(sequent, path);
    if (!proved) proved = try_joins(sequent, path);
    if (!proved) proved = try_facts(sequent, path, view);
    if (!proved) proved = try_right(sequent, path, wanted);
    if (!proved) proved = try_splits(sequent, path, wanted);
    if (!proved && at_case) proved = try_splits(sequent, path, wanted_below(sequent, before, wanted));
    if (!proved) proved = try_guesses(sequent, path, view);
    if (!proved) proved = try_left(sequent, path, view);
    if (!proved) {
        failed_.insert(std::move(seen));
        return {};
    }
    proved->step->sequent = std::move(sequent);
    proved->step->sequent.chosen = std::move(log.chosen);
    proved->step->sequent.defined = std::move(log.defined);
    return proved;
}

// Whether what the right side needs of the integers may hold: false if it surely does not. What is open is
// wanted.
bool Search::numbers_may_fit(const Sequent& sequent, Wanted& wanted) {
    const Conditions needed = necessary(sequent, context_);
    if (needed.empty()) return true;
    const Conditions known_ones = numbers_of(sequent.left, context_);
    for (const Linear& condition : needed) {
        if (context_.arithmetic.implies(known_ones, condition)) continue;
        if (context_.arithmetic.implies(known_ones, negation(condition))) return false;
        if (std::find(wanted.conditions.begin(), wanted.conditions.end(), condition) ==
            wanted.conditions.end())
            wanted.conditions.push_back(condition);
    }
    return true;
}

// A call that stands on both sides with the same arguments. No other choice is tried.
bool Search::match_equal_calls(Sequent& sequent, Path& path, const View& view) {
    const Conditions known_ones = numbers_of(sequent.left, context_);
    const auto same = [&](TermId a, TermId b) {
        if (a == b) return true;
        if (!context_.terms.is_number(a) || is_existential(sequent, a)) return false;
        Linear equal;
        add_term(equal, a, 1);
        add_term(equal, b, -1);
        normalize(equal);
        return context_.arithmetic.implies(known_ones, equal);
    };
    for (std::size_t r = 0; r < sequent.right.calls.size(); ++r)
        for (std::size_t l = 0; l < sequent.left.calls.size(); ++l) {
            const Call &right = sequent.right.calls[r], &left = sequent.left.calls[l];
            if (right.definition != left.definition) continue;
            bool equal = true;
            for (std::size_t i = 0; equal && i < left.arguments.size(); ++i)
                equal = same(right.arguments[i], left.arguments[i]);
            if (!equal) continue;
            sequent.left.linear = known_ones;
            path.consumed += view.calls[l].nonempty ? 1 : 0;
            remove_call(sequent.right, r);
            remove_call(sequent.left, l);
            return true;
        }
    return false;
}

// By call of the right side, calls of the left that it may be; those with the fewest come first, as they are
// the least of a guess, and what they choose leaves fewer to the others.
std::vector<std::pair<std::size_t, std::vector<std::size_t>>>
Search::matches_of_calls(const Sequent& sequent) const {
    std::vector<std::pair<std::size_t, std::vector<std::size_t>>> result;
    for (std::size_t r = 0; r < sequent.right.calls.size(); ++r) {
        const Call& right = sequent.right.calls[r];
        std::vector<std::size_t> candidates;
        for (std::size_t l = 0; l < sequent.left.calls.size(); ++l) {
            const Call& left = sequent.left.calls[l];
            if (right.definition != left.definition && !lemmas_.conversion(left.definition, right.definition))
                continue;
            bool fits = true;
            for (std::size_t i = 0; fits && i < left.arguments.size(); ++i)
                fits = may_equal(sequent, context_.terms, right.arguments[i], left.arguments[i]);
            if (fits) candidates.push_back(l);
        }
        if (!candidates.empty()) result.emplace_back(r, std::move(candidates));
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    return result;
}

// Matches that choose what existentials are.
Proved Search::try_calls(const Sequent& sequent, const Path& path, const View& view) {
    for (const auto& [r, candidates] : matches_of_calls(sequent))
        for (const std::size_t l : candidates) {
            const Call &right = sequent.right.calls[r], &left = sequent.left.calls[l];
            Step step;
            if (right.definition != left.definition)
                step = conversion_step(*lemmas_.conversion(left.definition, right.definition), left);
            Sequent next = sequent;
            Path on = path;
            next.left.linear = numbers_of(sequent.left, context_);
            on.consumed += view.calls[l].nonempty ? 1 : 0;
            for (std::size_t i = 0; i < left.arguments.size(); ++i)
                next.right.equal.emplace_back(right.arguments[i], left.arguments[i]);
            remove_call(next.right, r);
            remove_call(next.left, l);
            View ignored;
            const Outcome outcome = simplify(next, context_, ignored, on.consumed);
            if (ended_well(outcome)) return above(std::move(step), *leaf(std::move(next), outcome));
            if (outcome == Outcome::failed || waits(next)) continue;
            if (const Proved proved = solve(std::move(next), std::move(on)))
                return above(std::move(step), *proved);
        }
    return {};
}

Proved Search::try_cells(const Sequent& sequent, const Path& path) {
    for (const CellAtom& right : sequent.right.cells) {
        if (!is_existential(sequent, right.root) || cell_waits(sequent, context_.terms, right)) continue;
        for (const CellAtom& left : sequent.left.cells) {
            if (!cell_may_match(sequent, context_.terms, right, left)) continue;
            Sequent next = sequent;
            next.right.equal.emplace_back(right.root, left.root);
            if (const Proved proved = solve(std::move(next), path)) return above({}, *proved);
        }
    }
    return {};
}

namespace {

// A call of the same definition, or one that it can be converted to, on the right side has the same places
// first that the joined one has there, and that none of the two parts has in common with the other.
bool begins_a_goal(const Call& joined, const Call& second, const Sequent& sequent, const Terms& terms,
                   const Lemmas& lemmas) {
    return std::any_of(sequent.right.calls.begin(), sequent.right.calls.end(), [&](const Call& goal) {
        if (goal.definition != joined.definition && !lemmas.conversion(joined.definition, goal.definition))
            return false;
        bool some = false;
        for (std::size_t i = 0; i < goal.arguments.size(); ++i) {
            if (terms.is_number(joined.arguments[i]) || joined.arguments[i] == second.arguments[i]) continue;
            if (goal.arguments[i] != joined.arguments[i]) return false;
            some = true;
        }
        return some;
    });
}

} // namespace

// Neighbours on the left side become one, from where a structure of the right side begins. There is an end to
// that, as there is a call less each time.
Proved Search::try_joins(const Sequent& sequent, const Path& path) {
    for (const StepPtr& join : lemmas_.joins()) {
        for (const Instance& instance : instances(join->sequent, sequent, context_, most_joins)) {
            Step step;
            step.rule = Step::Rule::use;
            step.fact = join->id;
            step.terms = instance.terms;
            step.meanings = instance.meanings;
            const auto named = [&](Call call) {
                for (TermId& term : call.arguments)
                    if (const auto found = instance.terms.find(term); found != instance.terms.end())
                        term = found->second;
                return call;
            };
            if (!begins_a_goal(named(join->sequent.right.calls[0]), named(join->sequent.left.calls[1]),
                               sequent, context_.terms, lemmas_))
                continue;
            Sequent next = use(join->sequent, instance, sequent, context_, step.fresh);
            if (const Proved proved = solve(std::move(next), path)) return above(std::move(step), *proved);
        }
    }
    return {};
}

Proved Search::try_facts(const Sequent& sequent, const Path& path, const View& view) {
    if (path.uses == 0) return {};
    const auto attempt = [&](const Sequent& fact, int id, bool smaller) -> Proved {
        for (const Instance& instance : instances(fact, sequent, context_, most_instances)) {
            if (!smaller && !leaves_a_cell(instance, sequent, view)) continue;
            Path on = path;
            --on.uses;
            Step step;
            step.rule = Step::Rule::use;
            step.fact = id;
            step.terms = instance.terms;
            step.meanings = instance.meanings;
            Sequent next = use(fact, instance, sequent, context_, step.fresh);
            if (const Proved proved = solve(std::move(next), std::move(on)))
                return above(std::move(step), *proved);
        }
        return {};
    };
    for (std::size_t i = 0; i < path.hypotheses.size(); ++i) {
        const Hypothesis& hypothesis = path.hypotheses[i];
        if (Proved proved = attempt(hypothesis.sequent, hypothesis.id, hypothesis.consumed < path.consumed)) {
            proved->lowest = std::min(proved->lowest, i);
            return proved;
        }
    }
    for (std::size_t i = 0; i < lemmas_.all().size(); ++i) {
        const StepPtr lemma = lemmas_.all()[i]; // more may be found on the way
        if (stuck_cells(sequent) == 0 && !leads_to(lemma->sequent, sequent)) continue;
        if (const Proved proved = attempt(lemma->sequent, lemma->id, true)) return proved;
    }
    return {};
}

Proved Search::try_right(const Sequent& sequent, const Path& path, Wanted& wanted) {
    const bool stuck =
        stuck_cells(sequent) > 0; // the left side has to give that cell before this one can end
    for (std::size_t c = 0; c < sequent.right.calls.size(); ++c) {
        if (floats(sequent, c) == Floating::waiting) continue;
        const int definition = sequent.right.calls[c].definition;
        const std::vector<Clause>& rules = context_.definitions[static_cast<std::size_t>(definition)].rules;
        for (std::size_t r = 0; r < rules.size(); ++r)
            if (stuck && rules[r].cells.empty())
                continue;
            else if (const Proved proved = try_rule(sequent, path, c, r, wanted))
                return proved;
    }
    return {};
}

Proved Search::try_rule(const Sequent& sequent, const Path& path, std::size_t call, std::size_t number,
                        Wanted& wanted) {
    const int definition = sequent.right.calls[call].definition;
    const Clause& rule = context_.definitions[static_cast<std::size_t>(definition)].rules[number];
    Path on = path;
    if (rule.cells.empty() && !rule.calls.empty() && --on.idle < 0) return {};
    Sequent next = sequent;
    std::vector<TermId> locals;
    const Clause body = instance(rule, sequent.right.calls[call].arguments, context_.terms, &locals);
    remove_call(next.right, call);
    append(next.right, body);
    next.exists.insert(next.exists.end(), locals.begin(), locals.end()); // fresh ones are the greatest
    View view;
    int matched = 0;
    const std::size_t stuck = stuck_cells(sequent);
    const Outcome outcome = simplify(next, context_, view, matched);
    Step step;
    step.rule = Step::Rule::right;
    step.call = call;
    step.by = number;
    const auto finish = [&](const Proved& proved) {
        proved->step->locals = locals;
        return above(std::move(step), *proved);
    };
    if (outcome == Outcome::failed) return {};
    if (ended_well(outcome)) return finish(leaf(std::move(next), outcome));
    if (stuck_cells(next) > stuck) return {};
    // Cells that are not matched at once: there must be some for them.
    if (!rule.cells.empty() && matched == 0 &&
        (next.right.cells.size() > next.left.cells.size() ||
         !cell_candidate(next, context_.terms, sequent.right.cells.size())))
        return {};
    const std::size_t before = wanted.conditions.size();
    if (!numbers_may_fit(next, wanted) || wanted.conditions.size() > before) return {};
    if (waits(next)) {
        collect_wanted(next, wanted);
        return {};
    }
    if (matched > 0) on.idle = effort_.idle;
    on.consumed += matched;
    const Proved proved = solve(std::move(next), std::move(on));
    return proved ? finish(proved) : Proved();
}

Proved Search::try_splits(const Sequent& sequent, const Path& path, const Wanted& wanted) {
    Path on = path;
    --on.splits;
    for (const auto& [a, b] : wanted.equal) {
        if (path.splits == 0) break;
        if (!occurs(sequent.left, a) && a != null_term && !occurs(sequent.right, a)) continue;
        Sequent equal = sequent, distinct = sequent;
        equal.left.equal.emplace_back(a, b);
        distinct.left.distinct.emplace_back(a, b);
        if (const Proved first = solve(std::move(equal), on))
            if (const Proved second = solve(std::move(distinct), on)) {
                Step step;
                step.equal = {a, b};
                return split(std::move(step), *first, *second);
            }
    }
    on = path;
    --on.number_splits;
    for (const Linear& condition : wanted.conditions) {
        if (path.number_splits == 0) break;
        Sequent holds = sequent, fails = sequent;
        holds.left.linear.push_back(condition);
        fails.left.linear.push_back(negation(condition));
        if (const Proved first = solve(std::move(holds), on))
            if (const Proved second = solve(std::move(fails), on)) {
                Step step;
                step.condition = condition;
                return split(std::move(step), *first, *second);
            }
    }
    return {};
}

// Conditions that the right side waited for after choices that were made below, and that speak of what is
// there already here: which choice is right may depend on them.
Search::Wanted Search::wanted_below(const Sequent& sequent, std::size_t first, const Wanted& here) const {
    Wanted result;
    for (std::size_t i = first; i < wanted_below_.size() && result.conditions.size() < most_splits_below;
         ++i) {
        const Linear& condition = wanted_below_[i];
        const auto has = [&](const Conditions& all) {
            return std::find(all.begin(), all.end(), condition) != all.end();
        };
        if (has(here.conditions) || has(result.conditions)) continue;
        if (std::all_of(condition.terms.begin(), condition.terms.end(),
                        [&](const auto& pair) { return in_atoms(sequent.left, pair.first); }))
            result.conditions.push_back(condition);
    }
    return result;
}

bool Search::may_begin_at(const Call& call, std::size_t argument) const {
    const std::vector<BasePair>& pairs = context_.pairs.of(call.definition);
    return std::any_of(pairs.begin(), pairs.end(), [&](const BasePair& pair) {
        return !pair.dropped && (pair.allocated >> pair.same[argument + 1] & 1U) != 0;
    });
}

Search::Floating Search::floats(const Sequent& sequent, std::size_t number) const {
    const Call& call = sequent.right.calls[number];
    Clause others = sequent.right;
    remove_call(others, number);
    Floating result = Floating::no;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const TermId term = call.arguments[i];
        if (context_.terms.is_number(term) || !may_begin_at(call, i)) continue;
        if (!is_existential(sequent, term)) return Floating::no;
        if (result != Floating::waiting)
            result = in_atoms(others, term) ? Floating::waiting : Floating::alone;
    }
    return result;
}

// A structure of the right side of which nothing says where it begins.
Proved Search::try_guesses(const Sequent& sequent, const Path& path, const View& view) {
    if (path.guesses == 0) return {};
    std::set<TermId> places;
    for (const CellAtom& cell : sequent.left.cells) places.insert(cell.root);
    for (std::size_t c = 0; c < sequent.left.calls.size(); ++c)
        for (std::size_t i = 0; i < view.calls[c].may_allocate.size(); ++i)
            if (view.calls[c].may_allocate[i] != 0) places.insert(sequent.left.calls[c].arguments[i]);
    Path on = path;
    --on.guesses;
    for (std::size_t c = 0; c < sequent.right.calls.size(); ++c) {
        if (floats(sequent, c) != Floating::alone) continue;
        const Call& call = sequent.right.calls[c];
        std::size_t first = 0;
        while (context_.terms.is_number(call.arguments[first]) || !may_begin_at(call, first)) ++first;
        for (const TermId place : places) {
            Sequent next = sequent;
            next.right.equal.emplace_back(call.arguments[first], place);
            if (const Proved proved = solve(std::move(next), on)) return above({}, *proved);
        }
    }
    return {};
}

// Calls that may have a cell where the right side needs one come first.
std::vector<std::size_t> Search::order_of_unfolding(const Sequent& sequent, const View& view) const {
    std::set<TermId> needed;
    for (const CellAtom& cell : sequent.right.cells) needed.insert(cell.root);
    for (const Call& call : sequent.right.calls)
        for (const TermId term : call.arguments)
            if (term != null_term && !context_.terms.is_number(term)) needed.insert(term);
    std::set<TermId> stuck;
    for (const CellAtom& cell : sequent.right.cells)
        if (!is_existential(sequent, cell.root)) stuck.insert(cell.root);
    std::vector<std::pair<int, std::size_t>> ranked;
    for (std::size_t c = 0; c < sequent.left.calls.size(); ++c) {
        int rank = 3;
        for (std::size_t i = 0; i < view.calls[c].may_allocate.size(); ++i) {
            const TermId term = sequent.left.calls[c].arguments[i];
            if (view.calls[c].may_allocate[i] == 0) continue;
            if (stuck.contains(term)) rank = 1;
            if (needed.contains(term)) rank = std::min(rank, 2);
        }
        if (stuck.empty() || rank == 1) ranked.emplace_back(rank, c);
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::size_t> order;
    for (const auto& [rank, call] : ranked) order.push_back(call);
    return order;
}

Proved Search::try_left(const Sequent& sequent, const Path& path, const View& view) {
    if (path.unfoldings == 0) return {};
    std::size_t tried = 0;
    for (const std::size_t call : order_of_unfolding(sequent, view)) {
        if (++tried > most_left_choices) break;
        if (const Proved proved = unfold_left(sequent, path, call)) return proved;
    }
    return {};
}

// Says the same with another definition.
Proved Search::try_exchange(const Sequent& sequent, const Path& path) {
    if (!effort_.exchange) return {};
    for (std::size_t c = 0; c < sequent.left.calls.size(); ++c) {
        const Call& call = sequent.left.calls[c];
        const int other = lemmas_.representative(call.definition);
        if (other == call.definition) continue;
        Step step = conversion_step(*lemmas_.conversion(call.definition, other), call);
        Sequent next = sequent;
        next.left.calls[c].definition = other;
        if (const Proved proved = solve(std::move(next), path)) return above(std::move(step), *proved);
        break;
    }
    return {};
}

// First with less on the left side: without the disequalities that do not follow from cells and calls, and of
// the integers only what the right side cannot do without. A weaker hypothesis is easier to use.
Proved Search::unfold_left(const Sequent& sequent, const Path& path, std::size_t call) {
    Sequent weaker = essential(sequent);
    if (path.unfoldings > 1) {
        bool differs = !weaker.left.distinct.empty();
        weaker.left.distinct.clear();
        const Conditions needed = necessary(sequent, context_),
                         known_ones = numbers_of(sequent.left, context_);
        if (needed != weaker.left.linear && std::all_of(needed.begin(), needed.end(), [&](const Linear& one) {
                return context_.arithmetic.implies(known_ones, one);
            })) {
            weaker.left.linear = needed;
            differs = true;
        }
        if (differs)
            if (const Proved proved = unfold_as_it_is(weaker, path, call)) return proved;
        const Conditions few = weaker.left.linear;
        for (const bool strict : {false, true}) {
            if (path.hypotheses.size() > (strict ? 0U : 1U) || sequent.left.linear.empty()) break;
            const Conditions orders = orders_of(sequent, known_ones, context_, strict);
            weaker.left.linear = few;
            weaker.left.linear.insert(weaker.left.linear.end(), orders.begin(), orders.end());
            tidy(weaker.left);
            if (orders.empty() || weaker.left.linear == sequent.left.linear) continue;
            if (const Proved proved = unfold_as_it_is(weaker, path, call)) return proved;
        }
    }
    return unfold_as_it_is(sequent, path, call);
}

// The step states what may be used below, then the sequent itself, which says as much, and unfolds that.
Proved Search::unfold_as_it_is(const Sequent& sequent, const Path& path, std::size_t call) {
    Path on = path;
    --on.unfoldings;
    on.at_case = effort_.below;
    Step usable;
    usable.sequent = essential(sequent);
    usable.id = lemmas_.next_id();
    on.hypotheses.push_back({usable.sequent, path.consumed, usable.id});
    Step unfolded;
    unfolded.rule = Step::Rule::left;
    unfolded.sequent = sequent;
    unfolded.call = call;
    Proof all;
    const Call replaced = sequent.left.calls[call];
    for (const Clause& rule : context_.definitions[static_cast<std::size_t>(replaced.definition)].rules) {
        Sequent next = sequent;
        remove_call(next.left, call);
        std::vector<TermId> locals;
        append(next.left, instance(rule, replaced.arguments, context_.terms, &locals));
        const Proved proved = solve(std::move(next), on);
        if (!proved) return {};
        proved->step->locals = std::move(locals);
        unfolded.children.push_back(proved->step);
        all.lowest = std::min(all.lowest, proved->lowest);
    }
    usable.children = {std::make_shared<Step>(std::move(unfolded))};
    all.step = std::make_shared<Step>(std::move(usable));
    // Its own hypothesis is discharged here; if it needs none from above, it stands on its own.
    if (all.lowest >= path.hypotheses.size()) {
        lemmas_.add(all.step);
        all.lowest = no_hypothesis;
    }
    return above({}, all);
}

// Without the disequalities that its own cells and calls imply: easier to use, and the same.
Sequent Search::essential(const Sequent& sequent) {
    Sequent bare = sequent;
    bare.left.distinct.clear();
    View view;
    if (!close_left(bare, context_, view)) return sequent;
    Sequent result = sequent;
    std::erase_if(result.left.distinct,
                  [&](const auto& pair) { return apart(bare.left, pair.first, pair.second); });
    return result;
}

} // namespace ggsnn::logic::induct
