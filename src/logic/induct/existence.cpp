#include "ggsnn/logic/induct/existence.hpp"

#include "ggsnn/logic/induct/rings.hpp"

#include <algorithm>
#include <set>

namespace ggsnn::logic::induct {

namespace {

constexpr std::size_t most_numbers = 8;       // of a definition for which candidates are tried
constexpr std::size_t most_sloping_calls = 4; // of a rule
constexpr int greatest_slope = 3;
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

Conditions slopes(const Definition& definition, int number) {
    Conditions result;
    const std::vector<Linear> sums = progress(definition, number);
    for (const Linear& a : sums)
        for (const Linear& b : sums) {
            if (a.terms[0].first == b.terms[0].first) continue;
            for (int slope = 1; slope <= greatest_slope; ++slope)
                for (const int sign : {1, -1}) {
                    Linear one;
                    one.relation = Linear::Relation::at_most_zero;
                    add(one, a, sign);
                    add(one, b, -sign * slope);
                    if (!one.terms.empty()) result.push_back(std::move(one));
                }
        }
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
    Linear result;
    for (const auto& [parameter, coefficient] : residue.sum.terms)
        add_term(result, arguments[static_cast<std::size_t>(parameter - 1)], coefficient);
    result.constant = residue.sum.constant - residue.rest;
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
    : context_(context), kinds_(context.definitions.size()), derivations_(context.definitions.size()) {
    const int count = static_cast<int>(context.definitions.size());
    for (int d = 0; d < count; ++d) {
        const auto at = static_cast<std::size_t>(d);
        kind(d, false).conditions = context.invariants_empty[at];
        kind(d, true).conditions = context.invariants_nonempty[at];
        context.pairs.derivations(d, context.budget, [&](std::size_t rule, const auto& choice, const auto& pair) {
            derivations_[at].push_back({pair, {rule, choice}});
            return derivations_[at].size() < most_derivations;
        });
    }
    strengthen();
    for (int d = 0; d < count; ++d)
        for (const std::vector<int>& ring : rings_below(context.definitions, d, context.budget))
            if (!shown_.contains({ring[0], 0}) && !context.pairs.of(ring[0]).empty()) show(ring);
}

// ---- what holds in all heaps

void Existence::append_kind(const Kind& kind, const std::vector<TermId>& arguments,
                            std::vector<TermId>* fresh, Conditions& into) {
    for (const Linear& one : kind.conditions) into.push_back(of_arguments(one, arguments));
    for (const Residue& residue : kind.residues) {
        into.push_back(as_condition(residue, arguments, next_));
        if (fresh) fresh->push_back(next_);
        ++next_;
    }
}

// fresh: gets terms for which some integers are meant.
Conditions Existence::of_pair(const Call& call, int pair, std::vector<TermId>* fresh) {
    Conditions result;
    const BasePair& of = context_.pairs.of(call.definition)[static_cast<std::size_t>(pair)];
    append_kind(kind(call.definition, of.nonempty), call.arguments, fresh, result);
    return result;
}

Conditions Existence::with_pairs(const Clause& clause, const std::vector<int>& choice,
                                 std::vector<TermId>* fresh) {
    Conditions result = clause.linear;
    for (std::size_t c = 0; c < clause.calls.size(); ++c) {
        const Conditions more = of_pair(clause.calls[c], choice[c], fresh);
        result.insert(result.end(), more.begin(), more.end());
    }
    return result;
}

// Candidates are assumed, and dropped where some rule does not keep them.
void Existence::strengthen() {
    const int count = static_cast<int>(kinds_.size());
    std::vector<std::array<std::size_t, 2>> certain;
    for (int d = 0; d < count; ++d) {
        const Definition& of = definition(d);
        certain.push_back({kind(d, false).conditions.size(), kind(d, true).conditions.size()});
        const bool small =
            of.numbers.size() <= most_numbers &&
            std::all_of(of.rules.begin(), of.rules.end(),
                        [](const Clause& rule) { return rule.calls.size() <= most_sloping_calls; });
        if (!small) continue;
        for (const bool nonempty : {false, true}) {
            for (Linear& one : slopes(of, d)) kind(d, nonempty).conditions.push_back(std::move(one));
            kind(d, nonempty).residues = residues(of, d);
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int d = 0; d < count; ++d) changed |= drop(d);
    }
    // What others imply says nothing new.
    for (int d = 0; d < count; ++d)
        for (const bool nonempty : {false, true}) {
            Conditions& all = kind(d, nonempty).conditions;
            for (std::size_t i = all.size(); i-- > 0;) {
                Conditions others = all;
                others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
                if (context_.arithmetic.implies(others, all[i])) all = std::move(others);
            }
        }
}

bool Existence::drop(int number) {
    const Definition& of = definition(number);
    bool changed = false;
    for (const Clause& rule : of.rules)
        for (unsigned with_cell = 0; with_cell < 1U << std::min(rule.calls.size(), most_sloping_calls);
             ++with_cell) {
            if (rule.calls.size() > most_sloping_calls) break; // it has no candidates
            Kind& own = kind(number, !rule.cells.empty() || with_cell != 0);
            if (own.conditions.empty() && own.residues.empty()) continue;
            Conditions known_ones = rule.linear;
            for (std::size_t c = 0; c < rule.calls.size(); ++c)
                append_kind(kind(rule.calls[c].definition, (with_cell >> c & 1U) != 0),
                            rule.calls[c].arguments, nullptr, known_ones);
            if (context_.arithmetic.contradictory(known_ones)) continue;
            changed |= std::erase_if(own.conditions, [&](const Linear& one) {
                           return !context_.arithmetic.implies(known_ones, one);
                       }) > 0;
            changed |= std::erase_if(own.residues, [&](const Residue& residue) {
                           // Another rest: sum = modulus * t + rest + u with 1 <= u < modulus.
                           Linear other = as_condition(residue, parameters_of(of), next_), least, most;
                           const TermId u = next_ + 1;
                           next_ += 2;
                           add_term(other, u, -1);
                           least.relation = most.relation = Linear::Relation::at_most_zero;
                           add_term(least, u, -1);
                           least.constant = 1;
                           add_term(most, u, 1);
                           most.constant = 1 - residue.modulus;
                           Conditions all = known_ones;
                           all.insert(all.end(), {other, least, most});
                           return !context_.arithmetic.contradictory(all);
                       }) > 0;
        }
    return changed;
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
    const Conditions known_ones = of_pair({number, parameters_of(of)}, pair, nullptr);
    std::vector<Arithmetic::Alternative> alternatives;
    for (const auto& [given, derivation] : derivations_[static_cast<std::size_t>(number)]) {
        if (!says_less(given, wanted)) continue;
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
            Linear inner = of_arguments(measures->at(call.definition), call.arguments), less = inner;
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
    for (const int d : ring) shown_.try_emplace({d, 0}, false);
}

} // namespace ggsnn::logic::induct
