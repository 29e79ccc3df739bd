#include "ggsnn/logic/induct/pairs.hpp"

#include <algorithm>
#include <functional>

namespace ggsnn::logic::induct {

namespace {

// The terms of a clause while pairs are chosen for its calls.
class Mixture {
  public:
    explicit Mixture(const Clause& clause) : parent_(static_cast<std::size_t>(clause.terms)) {
        for (std::size_t t = 0; t < parent_.size(); ++t) parent_[t] = static_cast<TermId>(t);
        for (const auto& [a, b] : clause.equal) merge(a, b);
        distinct_ = clause.distinct;
        for (const CellAtom& cell : clause.cells) allocated_.push_back(cell.root);
        nonempty_ = !clause.cells.empty();
    }

    TermId find(TermId term) const {
        while (parent_[static_cast<std::size_t>(term)] != term) term = parent_[static_cast<std::size_t>(term)];
        return term;
    }

    // What the pair says of these arguments. False: contradiction.
    bool take(const BasePair& pair, const std::vector<TermId>& arguments) {
        const auto argument = [&](std::size_t p) { return p == 0 ? null_term : arguments[p - 1]; };
        for (std::size_t p = 1; p < pair.same.size(); ++p)
            if (pair.same[p] != p) merge(argument(p), argument(pair.same[p]));
        for (std::size_t p = 0; p < pair.same.size(); ++p) {
            if ((pair.allocated >> p & 1U) != 0) allocated_.push_back(argument(p));
            for (std::size_t q = p + 1; q < pair.same.size(); ++q)
                if ((pair.distinct[p] >> q & 1U) != 0) distinct_.emplace_back(argument(p), argument(q));
        }
        nonempty_ |= pair.nonempty;
        return consistent();
    }

    bool consistent() const {
        for (const auto& [a, b] : distinct_)
            if (find(a) == find(b)) return false;
        std::vector<TermId> roots;
        for (const TermId term : allocated_) roots.push_back(find(term));
        std::sort(roots.begin(), roots.end());
        return (roots.empty() || roots[0] != null_term) &&
               std::adjacent_find(roots.begin(), roots.end()) == roots.end();
    }

    // Seen from the parameters. The least of a class stands for it, so parameters stand for theirs.
    BasePair project(int parameters) const {
        const auto n = static_cast<std::size_t>(parameters) + 1;
        BasePair pair;
        pair.nonempty = nonempty_;
        pair.distinct.assign(n, 0);
        for (std::size_t p = 0; p < n; ++p)
            pair.same.push_back(static_cast<std::uint8_t>(find(static_cast<TermId>(p))));
        const auto apart = [&](TermId a, TermId b) {
            if (a > parameters || b > parameters) return;
            pair.distinct[static_cast<std::size_t>(a)] |= std::uint64_t{1} << b;
            pair.distinct[static_cast<std::size_t>(b)] |= std::uint64_t{1} << a;
        };
        for (const auto& [a, b] : distinct_) apart(find(a), find(b));
        for (const TermId a : allocated_) {
            if (find(a) <= parameters) pair.allocated |= std::uint64_t{1} << find(a);
            apart(find(a), null_term);
            for (const TermId b : allocated_)
                if (find(a) != find(b)) apart(find(a), find(b));
        }
        return pair;
    }

  private:
    void merge(TermId a, TermId b) {
        a = find(a);
        b = find(b);
        parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }

    std::vector<TermId> parent_, allocated_;
    std::vector<std::pair<TermId, TermId>> distinct_;
    bool nonempty_ = false;
};

// All that `less` says, `more` says too.
bool says_less(const BasePair& less, const BasePair& more) {
    if (less.nonempty && !more.nonempty) return false;
    const std::size_t n = less.same.size();
    for (std::size_t p = 0; p < n; ++p) {
        if (more.same[p] != more.same[less.same[p]]) return false;
        if ((less.allocated >> p & 1U) != 0 && (more.allocated >> more.same[p] & 1U) == 0) return false;
        for (std::size_t q = p + 1; q < n; ++q)
            if ((less.distinct[p] >> q & 1U) != 0 && (more.distinct[more.same[p]] >> more.same[q] & 1U) == 0)
                return false;
    }
    return true;
}

using Choices = std::vector<int>;

// Visits every consistent choice of pairs for calls from `at` on; `fresh` says whether a pair is new, and
// choices without a new one are left out if asked. The visitor returns whether to go on.
struct Chooser {
    const Clause& clause;
    const std::vector<std::vector<BasePair>>& pairs;
    const std::vector<std::size_t>& seen;
    bool only_new;
    Budget& budget;
    std::function<bool(const Mixture&, const Choices&)> visit;

    bool run(const Mixture& mixture, Choices& chosen, bool has_new) const {
        budget.require(1 + clause.calls.size());
        const std::size_t at = chosen.size();
        if (at == clause.calls.size()) return (only_new && !has_new) || visit(mixture, chosen);
        const Call& call = clause.calls[at];
        const auto definition = static_cast<std::size_t>(call.definition);
        for (std::size_t i = 0; i < pairs[definition].size(); ++i) {
            if (pairs[definition][i].dropped) continue;
            Mixture next = mixture;
            budget.require(1 + call.arguments.size());
            if (!next.take(pairs[definition][i], call.arguments)) continue;
            chosen.push_back(static_cast<int>(i));
            const bool go_on = run(next, chosen, has_new || i >= seen[definition]);
            chosen.pop_back();
            if (!go_on) return false;
        }
        return true;
    }
};

} // namespace

Pairs::Pairs(const std::vector<Definition>& definitions, Budget& budget)
    : definitions_(definitions), pairs_(definitions.size()), seen_(definitions.size(), 0) {
    for (const Definition& definition : definitions)
        GGSNN_ASSERT(definition.parameters <= most_parameters);
    for (bool first = true; round(budget) || first;) first = false;
}

bool Pairs::round(Budget& budget) {
    std::vector<std::size_t> before;
    for (const auto& pairs : pairs_) before.push_back(pairs.size());
    bool changed = false;
    for (std::size_t d = 0; d < definitions_.size(); ++d)
        for (std::size_t r = 0; r < definitions_[d].rules.size(); ++r) {
            const Clause& rule = definitions_[d].rules[r];
            const bool constant = rule.calls.empty();
            if (constant && before[d] > 0 && seen_[d] > 0) continue;
            const Mixture start(rule);
            if (!start.consistent()) continue;
            std::vector<BasePair> found; // pairs_ must stay as it is while choices run over it
            Choices chosen;
            Chooser{rule, pairs_, seen_, !constant, budget, [&](const Mixture& mixture, const Choices& choices) {
                        found.push_back(mixture.project(definitions_[d].parameters));
                        found.back().rule = static_cast<int>(r);
                        found.back().children = choices;
                        return true;
                    }}
                .run(start, chosen, false);
            for (BasePair& pair : found) changed |= add(d, std::move(pair));
        }
    seen_ = before;
    return changed;
}

bool Pairs::add(std::size_t definition, BasePair pair) {
    std::vector<BasePair>& pairs = pairs_[definition];
    for (const BasePair& other : pairs)
        if (!other.dropped && says_less(other, pair)) return false;
    for (BasePair& other : pairs)
        if (!other.dropped && says_less(pair, other)) other.dropped = true;
    pairs.push_back(std::move(pair));
    return true;
}

bool Pairs::satisfiable(const Clause& clause, Budget& budget, std::vector<int>& choice) const {
    const Mixture start(clause);
    bool found = false;
    Choices chosen;
    if (!start.consistent()) return false;
    Chooser{clause, pairs_, seen_, false, budget, [&](const Mixture&, const Choices& choices) {
                found = true;
                choice = choices;
                return false;
            }}
        .run(start, chosen, false);
    return found;
}

} // namespace ggsnn::logic::induct
