#include "ggsnn/logic/induct/pairs.hpp"

#include <algorithm>

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
        while (parent_[static_cast<std::size_t>(term)] != term)
            term = parent_[static_cast<std::size_t>(term)];
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

    // The arguments that are NULL, and those that are not, as bits of parameters.
    void nulls(const std::vector<TermId>& arguments, std::uint64_t& null, std::uint64_t& not_null) const {
        null = not_null = 0;
        for (std::size_t p = 1; p <= arguments.size(); ++p)
            if (find(arguments[p - 1]) == null_term) null |= std::uint64_t{1} << p;
        const auto mark = [&](TermId term) {
            for (std::size_t p = 1; p <= arguments.size(); ++p)
                if (find(arguments[p - 1]) == term) not_null |= std::uint64_t{1} << p;
        };
        for (const auto& [a, b] : distinct_) {
            if (find(a) == null_term) mark(find(b));
            if (find(b) == null_term) mark(find(a));
        }
        for (const TermId term : allocated_) mark(find(term));
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
        for (std::size_t p = 1; p < n; ++p) {
            if (pair.same[p] == 0) pair.null |= std::uint64_t{1} << p;
            if ((pair.distinct[0] >> pair.same[p] & 1U) != 0) pair.not_null |= std::uint64_t{1} << p;
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

using Choices = std::vector<int>;

// Visits every consistent choice of pairs for the calls, if asked only those with a new pair. The visitor
// returns whether to go on.
struct Chooser {
    const Clause& clause;
    const std::vector<std::vector<BasePair>>& pairs;
    const std::vector<std::size_t>& seen;
    bool only_new;
    Budget& budget;
    std::function<bool(const Mixture&, const Choices&)> visit;

    std::vector<std::size_t> order{}; // of calls: those with few pairs first

    void run(const Mixture& start) {
        for (std::size_t c = 0; c < clause.calls.size(); ++c) order.push_back(c);
        const auto count = [&](std::size_t c) {
            return pairs[static_cast<std::size_t>(clause.calls[c].definition)].size();
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return count(a) < count(b); });
        Choices chosen(clause.calls.size(), -1);
        // Each choice has a first call with a new pair; those before it have old ones.
        for (std::size_t first = 0; first < (only_new ? order.size() : 1); ++first)
            if (!choose(start, chosen, 0, first)) return;
    }

    bool choose(const Mixture& mixture, Choices& chosen, std::size_t at, std::size_t first) const {
        budget.require(1 + clause.calls.size());
        if (at == order.size()) return visit(mixture, chosen);
        // The one with a new pair comes first: it leaves least open.
        const std::size_t place = !only_new ? at : at == 0 ? first : at <= first ? at - 1 : at;
        const std::size_t number = order[place];
        const Call& call = clause.calls[number];
        const auto definition = static_cast<std::size_t>(call.definition);
        const std::vector<BasePair>& all = pairs[definition];
        const std::size_t from = only_new && place == first ? seen[definition] : 0;
        const std::size_t to = only_new && place < first ? seen[definition] : all.size();
        std::uint64_t null = 0, not_null = 0;
        mixture.nulls(call.arguments, null, not_null);
        budget.require(1 + (to - std::min(from, to)) / 16);
        for (std::size_t i = from; i < to; ++i) {
            const BasePair& pair = all[i];
            if (pair.dropped || (pair.null & not_null) != 0 || (pair.not_null & null) != 0) continue;
            Mixture next = mixture;
            budget.require(1 + call.arguments.size());
            if (!next.take(pair, call.arguments)) continue;
            chosen[number] = static_cast<int>(i);
            if (!choose(next, chosen, at + 1, first)) return false;
        }
        return true;
    }
};

constexpr std::size_t most_compared = 200; // pairs of a definition up to which what says more is dropped

std::string bytes_of(const BasePair& pair) {
    std::string bytes(pair.same.begin(), pair.same.end());
    bytes.append(reinterpret_cast<const char*>(&pair.allocated), sizeof pair.allocated);
    bytes.append(reinterpret_cast<const char*>(pair.distinct.data()),
                 pair.distinct.size() * sizeof pair.distinct[0]);
    bytes.push_back(pair.nonempty ? 1 : 0);
    return bytes;
}

} // namespace

bool says_less(const BasePair& less, const BasePair& more) {
    if (less.nonempty != more.nonempty) return false;
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

Pairs::Pairs(const std::vector<Definition>& definitions, Budget& budget)
    : definitions_(definitions),
      pairs_(definitions.size()),
      seen_(definitions.size(), 0),
      known_(definitions.size()) {
    for (const Definition& definition : definitions) GGSNN_ASSERT(definition.parameters <= most_parameters);
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
            Chooser{rule,
                    pairs_,
                    seen_,
                    !constant,
                    budget,
                    [&](const Mixture& mixture, const Choices& choices) {
                        BasePair pair = mixture.project(definitions_[d].parameters);
                        if (!known_[d].insert(bytes_of(pair)).second) return true;
                        found.push_back(std::move(pair));
                        found.back().rule = static_cast<int>(r);
                        found.back().children = choices;
                        return true;
                    }}
                .run(start);
            for (BasePair& pair : found) changed |= add(d, std::move(pair), budget);
        }
    seen_ = before;
    return changed;
}

bool Pairs::add(std::size_t definition, BasePair pair, Budget& budget) {
    std::vector<BasePair>& pairs = pairs_[definition];
    budget.require(5, 4 * pair.distinct.size() * sizeof pair.distinct[0] + sizeof pair);
    if (pairs.size() <= most_compared) {
        for (const BasePair& other : pairs)
            if (!other.dropped && says_less(other, pair)) return false;
        for (BasePair& other : pairs)
            if (!other.dropped && says_less(pair, other)) other.dropped = true;
    }
    pairs.push_back(std::move(pair));
    return true;
}

void Pairs::choices(const Clause& clause, Budget& budget,
                    const std::function<bool(const std::vector<int>&)>& visitor) const {
    const Mixture start(clause);
    if (!start.consistent()) return;
    Chooser{clause, pairs_, seen_,
            false,  budget, [&](const Mixture&, const Choices& choices) { return visitor(choices); }}
        .run(start);
}

void Pairs::derivations(
    int definition, Budget& budget,
    const std::function<bool(std::size_t, const std::vector<int>&, const BasePair&)>& visitor) const {
    const Definition& of = definitions_[static_cast<std::size_t>(definition)];
    bool more = true;
    for (std::size_t r = 0; r < of.rules.size() && more; ++r) {
        const Mixture start(of.rules[r]);
        if (!start.consistent()) continue;
        Chooser{of.rules[r],
                pairs_,
                seen_,
                false,
                budget,
                [&](const Mixture& mixture, const Choices& choices) {
                    return more = visitor(r, choices, mixture.project(of.parameters));
                }}
            .run(start);
    }
}

} // namespace ggsnn::logic::induct
