#include "ggsnn/logic/induct/existence.hpp"

#include "ggsnn/logic/induct/rings.hpp"

#include <algorithm>
#include <set>

namespace ggsnn::logic::induct {

namespace {

constexpr std::size_t most_numbers = 8; // of a definition for which candidates are tried
constexpr int greatest_slope = 3, greatest_constant = 3;
constexpr int greatest_modulus = 4;
constexpr std::size_t most_derivations = 400; // of a definition

Linear difference(TermId p, TermId q) {
    Linear result;
    add_term(result, p, 1);
    if (q != null_term) add_term(result, q, -1);
    return result;
}

// Parameters that every rule passes on to its own definition as they are.
std::vector<TermId> passed_on(const Definition& definition, int number) {
    std::vector<TermId> result;
    for (const TermId p : definition.numbers) {
        bool same = true, calls = false;
        for (const Clause& rule : definition.rules)
            for (const Call& call : rule.calls)
                if (call.definition == number) {
                    calls = true;
                    same = same && call.arguments[static_cast<std::size_t>(p - 1)] == p;
                }
        if (same && calls) result.push_back(p);
    }
    return result;
}

// Sums that a rule may change by a constant: a parameter that it changes, less one that it does not.
std::vector<Linear> progress(const Definition& definition, int number) {
    const std::vector<TermId> constant = passed_on(definition, number);
    std::vector<Linear> result;
    for (const TermId p : definition.numbers) {
        if (std::find(constant.begin(), constant.end(), p) != constant.end()) continue;
        result.push_back(difference(p, null_term));
        for (const TermId q : constant) result.push_back(difference(p, q));
    }
    return result;
}

void add_bounds(const Linear& sum, Conditions& into) {
    for (int constant = -greatest_constant; constant <= greatest_constant; ++constant)
        for (const int sign : {1, -1}) {
            Linear one;
            one.relation = Linear::Relation::at_most_zero;
            add(one, sum, sign);
            one.constant = constant;
            into.push_back(std::move(one));
        }
}

Conditions candidates_of(const Definition& definition, int number) {
    Conditions result;
    for (const TermId p : definition.numbers) {
        add_bounds(difference(p, null_term), result);
        for (const TermId q : definition.numbers)
            if (p < q) add_bounds(difference(p, q), result);
    }
    const std::vector<Linear> sums = progress(definition, number);
    for (const Linear& a : sums)
        for (const Linear& b : sums) {
            if (a.terms[0].first == b.terms[0].first) continue;
            for (int slope = -greatest_slope; slope <= greatest_slope; ++slope)
                for (const int sign : {1, -1}) {
                    Linear one;
                    one.relation = Linear::Relation::at_most_zero;
                    add(one, a, sign);
                    add(one, b, sign * slope);
                    if (slope != 0 && one.terms.size() > 1) result.push_back(std::move(one));
                }
        }
    for (Linear& one : result) normalize(one);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

std::vector<Residue> residues(const Definition& definition, int number) {
    std::vector<Residue> result;
    for (const Linear& sum : progress(definition, number))
        for (int modulus = 2; modulus <= greatest_modulus; ++modulus)
            for (int rest = 0; rest < modulus; ++rest) result.push_back({sum, modulus, rest});
    return result;
}

// sum = modulus * term + rest
Linear as_condition(const Residue& residue, const std::vector<TermId>& arguments, TermId term) {
    Linear result = sum_of_arguments(residue.sum, arguments);
    result.constant -= residue.rest;
    add_term(result, term, -residue.modulus);
    return result;
}

std::vector<TermId> parameters_of(const Definition& definition) {
    std::vector<TermId> result;
    for (TermId p = 1; p <= definition.parameters; ++p) result.push_back(p);
    return result;
}

} // namespace

Existence::Existence(Context& context)
    : context_(context),
      ranges_(context.definitions.size()),
      derivations_(context.definitions.size()),
      cut_(context.definitions.size(), 0) {
    const int count = static_cast<int>(context.definitions.size());
    for (int d = 0; d < count; ++d) {
        const auto at = static_cast<std::size_t>(d);
        const std::vector<BasePair>& pairs = context.pairs.of(d);
        for (const BasePair& pair : pairs)
            ranges_[at].push_back(
                {(pair.nonempty ? context.invariants_nonempty : context.invariants_empty)[at], {}, {}});
        context.pairs.derivations(
            d, context.budget, [&](std::size_t rule, const auto& choice, const auto& pair) {
                const auto first = std::find_if(pairs.begin(), pairs.end(), [&](const BasePair& one) {
                    return !one.dropped && says_less(one, pair);
                });
                GGSNN_ASSERT(first != pairs.end());
                derivations_[at].push_back(
                    {rule, choice, pair, static_cast<std::size_t>(first - pairs.begin())});
                cut_[at] = derivations_[at].size() == most_derivations;
                return cut_[at] == 0;
            });
    }
    guess();
    for (int d = 0; d < count; ++d)
        for (const std::vector<int>& ring : rings_below(context.definitions, d, context.budget))
            if (!shown_.contains({ring[0], -1})) show(ring);
}

// ---- what holds in all heaps

void Existence::append_range(const Range& range, const std::vector<TermId>& arguments,
                             std::vector<TermId>* fresh, Conditions& into) {
    for (const Conditions* all : {&range.known, &range.guessed})
        for (const Linear& one : *all) into.push_back(of_arguments(one, arguments));
    for (const Residue& residue : range.residues) {
        into.push_back(as_condition(residue, arguments, next_));
        if (fresh) fresh->push_back(next_);
        ++next_;
    }
}

Conditions Existence::with_pairs(const Clause& clause, const std::vector<int>& choice,
                                 std::vector<TermId>* fresh) {
    Conditions result = clause.linear;
    for (std::size_t c = 0; c < clause.calls.size(); ++c)
        append_range(range(clause.calls[c].definition, static_cast<std::size_t>(choice[c])),
                     clause.calls[c].arguments, fresh, result);
    return result;
}

void Existence::guess() {
    const int count = static_cast<int>(ranges_.size());
    for (int d = 0; d < count; ++d) {
        const Definition& of = definition(d);
        if (of.numbers.size() > most_numbers || cut_[static_cast<std::size_t>(d)] != 0) continue;
        for (Range& one : ranges_[static_cast<std::size_t>(d)]) {
            one.guessed = candidates_of(of, d);
            one.residues = residues(of, d);
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int d = 0; d < count; ++d)
            for (const Derivation& one : derivations_[static_cast<std::size_t>(d)]) changed |= drop(d, one);
    }
    tidy_ranges();
}

bool Existence::drop(int number, const Derivation& derivation) {
    Range& own = range(number, derivation.counts_for);
    const Conditions known_ones =
        with_pairs(definition(number).rules[derivation.rule], derivation.choice, nullptr);
    if (context_.arithmetic.contradictory(known_ones)) return false;
    bool changed = false;
    while (drop_one(number, own, known_ones)) changed = true;
    return changed;
}

namespace {

// The value of a sum; terms that are not there are 0.
std::int64_t value_of(const Linear& sum, const std::map<int, std::int64_t>& values) {
    std::int64_t result = sum.constant;
    for (const auto& [term, coefficient] : sum.terms) {
        const auto found = values.find(term);
        if (found != values.end()) result += coefficient * found->second;
    }
    return result;
}

bool refuted(const Linear& condition, const std::map<int, std::int64_t>& values) {
    Linear left;
    left.relation = condition.relation;
    left.constant = value_of(condition, values);
    return known(left) == Known::no;
}

bool refuted(const Residue& residue, const std::map<int, std::int64_t>& values) {
    return (value_of(residue.sum, values) - residue.rest) % residue.modulus != 0;
}

} // namespace

// sum = modulus * t + rest + u with 1 <= u < modulus.
Conditions Existence::another_rest(const Residue& residue, const std::vector<TermId>& arguments) {
    Linear other = as_condition(residue, arguments, next_), least, most;
    const TermId u = next_ + 1;
    next_ += 2;
    add_term(other, u, -1);
    least.relation = most.relation = Linear::Relation::at_most_zero;
    add_term(least, u, -1);
    least.constant = 1;
    add_term(most, u, 1);
    most.constant = 1 - residue.modulus;
    return {other, least, most};
}

// Finds a candidate that does not follow, and drops all that fail for the same integers. False: all follow.
bool Existence::drop_one(int number, Range& range, const Conditions& known_ones) {
    std::map<int, std::int64_t> values;
    const auto fails = [&](const Conditions& negated) {
        Conditions all = known_ones;
        all.insert(all.end(), negated.begin(), negated.end());
        if (context_.arithmetic.contradictory(all)) return false;
        values = context_.arithmetic.solve(all).value_or(std::map<int, std::int64_t>{});
        return true;
    };
    const auto drop_with = [&](auto& candidates, std::size_t at) {
        candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(at));
        if (values.empty()) return;
        std::erase_if(range.guessed, [&](const Linear& one) { return refuted(one, values); });
        std::erase_if(range.residues, [&](const Residue& one) { return refuted(one, values); });
    };
    for (std::size_t i = 0; i < range.guessed.size(); ++i)
        if (fails({negation(range.guessed[i])})) {
            drop_with(range.guessed, i);
            return true;
        }
    for (std::size_t i = 0; i < range.residues.size(); ++i) {
        const Residue& residue = range.residues[i];
        if (!fails(another_rest(residue, parameters_of(definition(number))))) continue;
        drop_with(range.residues, i);
        return true;
    }
    return false;
}

// What others imply says nothing new.
void Existence::tidy_ranges() {
    for (std::size_t d = 0; d < ranges_.size(); ++d)
        for (Range& one : ranges_[d]) {
            Conditions kept = one.known;
            std::erase_if(one.guessed, [&](const Linear& guess) {
                if (context_.arithmetic.implies(kept, guess)) return true;
                kept.push_back(guess);
                return false;
            });
            for (std::size_t i = one.guessed.size(); i-- > 0;) {
                Conditions others = one.known;
                for (std::size_t k = 0; k < one.guessed.size(); ++k)
                    if (k != i) others.push_back(one.guessed[k]);
                if (context_.arithmetic.implies(others, one.guessed[i]))
                    one.guessed.erase(one.guessed.begin() + static_cast<std::ptrdiff_t>(i));
            }
            const std::vector<TermId> parameters = parameters_of(context_.definitions[d]);
            std::vector<Residue> residues = std::exchange(one.residues, {});
            for (Residue& residue : residues) {
                Conditions all;
                append_range(one, parameters, nullptr, all);
                const Conditions otherwise = another_rest(residue, parameters);
                all.insert(all.end(), otherwise.begin(), otherwise.end());
                if (!context_.arithmetic.contradictory(all)) one.residues.push_back(std::move(residue));
            }
        }
}

bool Existence::excluded(const Clause& clause, const std::vector<int>& choice) {
    return context_.arithmetic.contradictory(with_pairs(clause, choice, nullptr));
}

// ---- that it says all

bool Existence::shown(const Clause& clause, const std::vector<int>& choice,
                      std::map<TermId, std::int64_t>* values) {
    for (std::size_t c = 0; c < clause.calls.size(); ++c) {
        const auto found = shown_.find({clause.calls[c].definition, choice[c]});
        if (found == shown_.end() || !found->second) return false;
    }
    const auto solved = context_.arithmetic.solve(with_pairs(clause, choice, nullptr));
    if (solved && values) *values = *solved;
    return solved.has_value();
}

// Sums that may become less from call to call.
std::vector<Existence::Measures> Existence::measures(const std::vector<int>& ring) const {
    std::vector<Measures> result;
    Measures sizes;
    for (const int d : ring)
        if (const auto& size = context_.sizes[static_cast<std::size_t>(d)]) sizes[d] = *size;
    if (sizes.size() == ring.size()) result.push_back(std::move(sizes));
    const std::vector<TermId>& numbers = definition(ring[0]).numbers;
    const bool alike = std::all_of(ring.begin(), ring.end(),
                                   [&](int d) { return definition(d).numbers.size() == numbers.size(); });
    if (!alike || numbers.size() > most_numbers) return result;
    const auto place = [&](int d, std::size_t i) { return definition(d).numbers[i]; };
    for (std::size_t i = 0; i < numbers.size(); ++i)
        for (std::size_t k = 0; k <= numbers.size(); ++k) {
            if (i == k) continue;
            Measures up, down;
            for (const int d : ring) {
                up[d] = difference(place(d, i), k == numbers.size() ? null_term : place(d, k));
                add(down[d], up[d], -1);
            }
            result.push_back(std::move(up));
            if (k == numbers.size()) result.push_back(std::move(down));
        }
    return result;
}

// Every choice of integers that the conditions allow comes about by some rule. measures: of the definitions
// in the ring.
bool Existence::covered(int number, int pair, const Shown& shown, const Measures* measures) {
    const Definition& of = definition(number);
    const BasePair& wanted = context_.pairs.of(number)[static_cast<std::size_t>(pair)];
    Conditions known_ones;
    append_range(range(number, static_cast<std::size_t>(pair)), parameters_of(of), nullptr, known_ones);
    if (context_.arithmetic.contradictory(known_ones)) return true; // there is no such heap
    std::vector<Arithmetic::Alternative> alternatives;
    for (const Derivation& derivation : derivations_[static_cast<std::size_t>(number)]) {
        if (!says_less(derivation.gives, wanted)) continue;
        const Clause& rule = of.rules[derivation.rule];
        Arithmetic::Alternative one;
        one.exists = rule.numbers;
        bool possible = true;
        for (std::size_t c = 0; possible && c < rule.calls.size(); ++c) {
            const auto found = shown.find({rule.calls[c].definition, derivation.choice[c]});
            possible = found != shown.end() && found->second;
        }
        if (!possible) continue;
        one.conditions = with_pairs(rule, derivation.choice, &one.exists);
        for (const Call& call : rule.calls) {
            if (!measures->contains(call.definition)) continue;
            Linear inner = sum_of_arguments(measures->at(call.definition), call.arguments), less = inner;
            less.relation = inner.relation = Linear::Relation::at_most_zero;
            add(less, measures->at(number), -1);
            less.constant += 1; // inner + 1 <= outer
            Linear never;
            never.relation = Linear::Relation::at_most_zero;
            add(never, inner, -1); // 0 <= inner
            one.conditions.insert(one.conditions.end(), {less, never});
        }
        alternatives.push_back(std::move(one));
    }
    return !alternatives.empty() && context_.arithmetic.implies_one(known_ones, alternatives);
}

void Existence::show(const std::vector<int>& ring) {
    bool leads_back = false;
    const std::set<int> members(ring.begin(), ring.end());
    for (const int d : ring)
        for (const Clause& rule : definition(d).rules)
            for (const Call& call : rule.calls) leads_back |= members.contains(call.definition);
    std::vector<Measures> all = measures(ring);
    if (!leads_back) all = {Measures{}};
    Shown best = shown_;
    std::size_t most = 0;
    for (const Measures& one : all) {
        Shown now = shown_;
        for (const int d : ring)
            for (std::size_t p = 0; p < context_.pairs.of(d).size(); ++p)
                now[{d, static_cast<int>(p)}] = !context_.pairs.of(d)[p].dropped;
        std::size_t count = 0;
        for (bool changed = true; changed;) {
            changed = false;
            count = 0;
            for (const int d : ring)
                for (std::size_t p = 0; p < context_.pairs.of(d).size(); ++p) {
                    bool& here = now[{d, static_cast<int>(p)}];
                    if (!here) continue;
                    here = covered(d, static_cast<int>(p), now, &one);
                    changed |= !here;
                    count += here ? 1 : 0;
                }
        }
        if (count <= most && most > 0) continue;
        best = std::move(now);
        most = count;
        const bool complete = std::all_of(ring.begin(), ring.end(), [&](int d) {
            const std::vector<BasePair>& pairs = context_.pairs.of(d);
            for (std::size_t p = 0; p < pairs.size(); ++p)
                if (!pairs[p].dropped && !best[{d, static_cast<int>(p)}]) return false;
            return true;
        });
        if (complete) break;
    }
    shown_ = std::move(best);
    for (const int d : ring) shown_[{d, -1}] = true; // was looked at
}

} // namespace ggsnn::logic::induct
