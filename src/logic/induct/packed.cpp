#include "ggsnn/logic/induct/packed.hpp"

#include "ggsnn/logic/induct/rings.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <set>

namespace ggsnn::logic::induct {

namespace {

constexpr std::size_t few_pairs = 16; // of a definition: all are looked at
constexpr std::size_t most_packed_compared =
    200;                                  // pairs of a definition up to which what says more is dropped
constexpr std::size_t most_siblings = 16; // choices for a call that are compared with each other
constexpr std::size_t most_indices = 4;   // of a definition
constexpr std::size_t bytes_of_pair = 80; // with its place among those that are known

constexpr std::uint8_t not_null_flag = 1, allocated_flag = 2;

std::uint64_t bit(unsigned parameter) {
    return std::uint64_t{1} << parameter;
}

std::uint64_t hash_of(const PackedPair& pair) {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (const std::uint64_t part : {pair.null, pair.not_null, pair.allocated, std::uint64_t{pair.details}}) {
        hash = (hash ^ part) * 0xff51afd7ed558ccd;
        hash ^= hash >> 32;
    }
    return hash;
}

// Where the pair is, or a free place.
std::size_t place_of(const std::vector<std::uint32_t>& known, const std::vector<PackedPair>& all,
                     const PackedPair& pair) {
    std::size_t at = hash_of(pair) & (known.size() - 1);
    while (known[at] != 0 && all[known[at] - 1] != pair) at = (at + 1) & (known.size() - 1);
    return at;
}

} // namespace

struct PackedPairs::Mixture {
    std::vector<std::uint16_t> of;   // by term: the least that equals it
    std::vector<std::uint8_t> flags; // by such a term
    std::vector<std::pair<TermId, TermId>> distinct;

    std::uint16_t find(TermId term) const { return of[static_cast<std::size_t>(term)]; }

    // Both return false where that cannot be.
    bool merge(TermId a, TermId b) {
        const std::uint16_t keep = std::min(find(a), find(b)), other = std::max(find(a), find(b));
        if (keep == other) return true;
        if ((flags[keep] & flags[other] & allocated_flag) != 0) return false;
        flags[keep] |= flags[other];
        if (flags[null_term] != 0) return false;
        for (std::uint16_t& one : of) one = one == other ? keep : one;
        return true;
    }
    bool mark(TermId term, std::uint8_t what) {
        std::uint8_t& at = flags[find(term)];
        if ((at & what & allocated_flag) != 0) return false;
        at |= what;
        return flags[null_term] == 0;
    }
    bool consistent() {
        return std::all_of(distinct.begin(), distinct.end(), [&](const auto& pair) {
            const std::uint16_t a = find(pair.first), b = find(pair.second);
            if (a == b) return false;
            if (a == null_term) return mark(b, not_null_flag);
            return b != null_term || mark(a, not_null_flag);
        });
    }
    // All that it says, `more` says, too (or it is not seen that it does: false).
    bool says_less(const Mixture& more) const {
        for (std::size_t t = 0; t < of.size(); ++t)
            if (more.of[t] != more.of[of[t]] || (flags[of[t]] & ~more.flags[more.of[t]]) != 0) return false;
        return std::all_of(distinct.begin(), distinct.end(), [&](const auto& pair) {
            const std::uint16_t a = more.find(pair.first), b = more.find(pair.second);
            if (a == null_term || b == null_term) return (more.flags[std::max(a, b)] & not_null_flag) != 0;
            if ((more.flags[a] & more.flags[b] & allocated_flag) != 0) return true;
            return std::any_of(more.distinct.begin(), more.distinct.end(), [&](const auto& other) {
                const std::uint16_t c = more.find(other.first), d = more.find(other.second);
                return (a == c && b == d) || (a == d && b == c);
            });
        });
    }
};

struct PackedPairs::Join {
    const Clause& clause;
    std::vector<std::size_t> order;            // of calls
    std::vector<std::size_t> limits;           // by call: pairs that it may be, from the first
    std::function<bool(const Mixture&)> visit; // of choices for all calls: whether to go on
    // By place in the order: what is known before the call, pairs that may fit, what would be known with
    // them.
    std::vector<Mixture> known{};
    std::vector<std::vector<std::uint32_t>> found{};
    std::vector<std::vector<Mixture>> next{};

    Join(const Clause& of, std::vector<std::size_t> calls)
        : clause(of),
          order(std::move(calls)),
          limits(of.calls.size(), ~std::size_t{0}),
          known(order.size() + 1),
          found(order.size()),
          next(order.size()) {
        for (auto& one : next) one.resize(most_siblings);
    }
};

PackedPairs::PackedPairs(const std::vector<Definition>& definitions, Budget& budget)
    : definitions_(definitions), budget_(budget), sets_(definitions.size()) {}

PackedPairs::~PackedPairs() = default;

bool PackedPairs::satisfiable(const Clause& clause) {
    for (const Call& call : clause.calls) complete(call.definition);
    Join join(clause, order_of(clause, -1));
    if (!start(clause, join.known[0])) return false;
    join.visit = [](const Mixture&) { return false; };
    return !choose(join, 0);
}

// ---- pairs

unsigned PackedPairs::least(const PackedPair& pair, unsigned parameter) const {
    if ((pair.null & bit(parameter)) != 0) return 0;
    for (const std::uint16_t code : details_[pair.details].equal)
        if (code % 64 == parameter) return code / 64;
    return parameter;
}

bool PackedPairs::differ(const PackedPair& pair, unsigned a, unsigned b) const {
    a = least(pair, a);
    b = least(pair, b);
    if (a > b) std::swap(a, b);
    if (a == 0) return (pair.not_null & bit(b)) != 0;
    if ((pair.allocated & bit(a)) != 0 && (pair.allocated & bit(b)) != 0) return a != b;
    const std::vector<std::uint16_t>& distinct = details_[pair.details].distinct;
    return std::binary_search(distinct.begin(), distinct.end(), static_cast<std::uint16_t>(a * 64 + b));
}

bool PackedPairs::says_less(const PackedPair& less, const PackedPair& more) const {
    if ((less.null & ~more.null) != 0 || (less.not_null & ~more.not_null) != 0) return false;
    if (less.details == 0 && more.details == 0) return (less.allocated & ~more.allocated) == 0;
    for (std::uint64_t rest = less.allocated; rest != 0; rest &= rest - 1)
        if ((more.allocated & bit(least(more, static_cast<unsigned>(std::countr_zero(rest))))) == 0)
            return false;
    const Details& details = details_[less.details];
    return std::all_of(details.equal.begin(), details.equal.end(),
                       [&](unsigned code) { return least(more, code / 64) == least(more, code % 64); }) &&
           std::all_of(details.distinct.begin(), details.distinct.end(),
                       [&](unsigned code) { return differ(more, code / 64, code % 64); });
}

PackedPair PackedPairs::project(const Mixture& mixture, int parameters) {
    PackedPair pair;
    Details details;
    for (TermId p = 1; p <= parameters; ++p) {
        const TermId least = mixture.find(p);
        const std::uint8_t flags = mixture.flags[static_cast<std::size_t>(least)];
        const std::uint64_t here = bit(static_cast<unsigned>(p));
        if (least == null_term) {
            pair.null |= here;
            continue;
        }
        if (least != p) details.equal.push_back(static_cast<std::uint16_t>(least * 64 + p));
        if ((flags & not_null_flag) != 0) pair.not_null |= here;
        if (least == p && (flags & allocated_flag) != 0) pair.allocated |= here;
    }
    for (const auto& [one, other] : mixture.distinct) {
        const TermId a = std::min(mixture.find(one), mixture.find(other)),
                     b = std::max(mixture.find(one), mixture.find(other));
        if (a == null_term || b > parameters) continue;
        const auto both = bit(static_cast<unsigned>(a)) | bit(static_cast<unsigned>(b));
        if ((pair.allocated & both) != both)
            details.distinct.push_back(static_cast<std::uint16_t>(a * 64 + b));
    }
    if (details.equal.empty() && details.distinct.empty()) return pair;
    std::sort(details.equal.begin(), details.equal.end());
    std::sort(details.distinct.begin(), details.distinct.end());
    details.distinct.erase(std::unique(details.distinct.begin(), details.distinct.end()),
                           details.distinct.end());
    const auto [at, fresh] =
        known_details_.emplace(std::move(details), static_cast<std::uint32_t>(details_.size()));
    if (fresh) {
        budget_.require(1,
                        2 * (sizeof(Details) + 2 * at->first.equal.size() + 2 * at->first.distinct.size()));
        details_.push_back(at->first);
    }
    pair.details = at->second;
    return pair;
}

bool PackedPairs::is_new(Set& set, const PackedPair& pair) {
    if (!set.known.empty() && set.known[place_of(set.known, set.all, pair)] != 0) return false;
    if (set.all.size() > most_packed_compared) return true;
    budget_.require(1 + set.all.size() / 8);
    for (std::size_t i = 0; i < set.all.size(); ++i)
        if (set.dropped[i] == 0 && says_less(set.all[i], pair)) return false;
    for (std::size_t i = 0; i < set.all.size(); ++i)
        if (set.dropped[i] == 0 && says_less(pair, set.all[i])) set.dropped[i] = 1;
    return true;
}

void PackedPairs::add(int definition, const Mixture& mixture) {
    const PackedPair pair = project(mixture, definitions_[static_cast<std::size_t>(definition)].parameters);
    Set& set = set_of(definition);
    if (!is_new(set, pair)) return;
    const auto number = static_cast<std::uint32_t>(set.all.size());
    budget_.require(1, bytes_of_pair);
    set.all.push_back(pair);
    set.dropped.push_back(0);
    if (set.all.size() * 2 > set.known.size()) {
        set.known.assign(std::max<std::size_t>(16, set.known.size() * 2), 0);
        for (std::uint32_t i = 0; i < number; ++i)
            set.known[place_of(set.known, set.all, set.all[i])] = i + 1;
    }
    set.known[place_of(set.known, set.all, pair)] = number + 1;
    for (PackedIndex& index : set.indices) {
        const std::size_t before = index.bytes();
        index.add(set.all, number);
        budget_.require(1, index.bytes() - before);
    }
}

// ---- the fixed point

void PackedPairs::complete(int definition) {
    if (set_of(definition).complete) return;
    for (const std::vector<int>& ring : rings_below(definitions_, definition, budget_))
        if (!set_of(ring[0]).complete) go_through(ring);
}

void PackedPairs::go_through(const std::vector<int>& ring) {
    struct Place { // of a call in the ring
        int definition;
        std::size_t call;
        Mixture known;
        std::unique_ptr<Join> join;
    };
    std::map<int, std::vector<Place>> places; // by what is called
    const std::set<int> members(ring.begin(), ring.end());
    for (const int definition : ring)
        for (const Clause& rule : definitions_[static_cast<std::size_t>(definition)].rules) {
            Mixture known;
            if (!start(rule, known)) continue;
            bool inside = false;
            const auto visit = [this, definition](const Mixture& mixture) {
                add(definition, mixture);
                return true;
            };
            for (std::size_t c = 0; c < rule.calls.size(); ++c) {
                if (!members.contains(rule.calls[c].definition)) continue;
                inside = true;
                auto join = std::make_unique<Join>(rule, order_of(rule, static_cast<std::ptrdiff_t>(c)));
                join->visit = visit;
                places[rule.calls[c].definition].push_back({definition, c, known, std::move(join)});
            }
            if (inside) continue;
            Join join(rule, order_of(rule, -1));
            join.known[0] = std::move(known);
            join.visit = visit;
            choose(join, 0);
        }
    // One pair after the other takes the place of each call that it may be. Other calls in the ring are those
    // before it, and it itself only in calls further behind: each choice of pairs has its turn once.
    for (bool changed = true; changed;) {
        changed = false;
        for (const int called : ring)
            for (Set& set = set_of(called); set.done < set.all.size(); ++set.done) {
                changed = true;
                if (set.dropped[set.done] != 0) continue;
                for (Place& place : places[called]) {
                    Join& join = *place.join;
                    const std::vector<Call>& calls = join.clause.calls;
                    for (std::size_t c = 0; c < calls.size(); ++c)
                        if (members.contains(calls[c].definition))
                            join.limits[c] = set_of(calls[c].definition).done +
                                             (calls[c].definition == called && c > place.call ? 1 : 0);
                    join.known[0] = place.known;
                    if (take(join.known[0], set.all[set.done], calls[place.call].arguments)) choose(join, 0);
                }
            }
    }
    for (const int definition : ring) set_of(definition).complete = true;
}

// ---- choices for the calls of a clause

bool PackedPairs::start(const Clause& clause, Mixture& mixture) const {
    GGSNN_ASSERT(clause.terms < 65536);
    mixture.of.resize(static_cast<std::size_t>(clause.terms));
    for (std::size_t t = 0; t < mixture.of.size(); ++t) mixture.of[t] = static_cast<std::uint16_t>(t);
    mixture.flags.assign(mixture.of.size(), 0);
    mixture.distinct = clause.distinct;
    for (const auto& [a, b] : clause.equal)
        if (!mixture.merge(a, b)) return false;
    for (const CellAtom& cell : clause.cells)
        if (!mixture.mark(cell.root, not_null_flag | allocated_flag)) return false;
    return mixture.consistent();
}

bool PackedPairs::take(Mixture& mixture, const PackedPair& pair, const std::vector<TermId>& arguments) const {
    const auto argument = [&](std::size_t p) { return arguments[p - 1]; };
    const Details& details = details_[pair.details];
    for (const std::uint16_t code : details.equal)
        if (!mixture.merge(argument(code / 64), argument(code % 64))) return false;
    for (const std::uint16_t code : details.distinct)
        mixture.distinct.emplace_back(argument(code / 64), argument(code % 64));
    for (std::size_t p = 1; p <= arguments.size(); ++p) {
        const std::uint64_t here = bit(static_cast<unsigned>(p));
        if ((pair.null & here) != 0 && !mixture.merge(null_term, argument(p))) return false;
        if ((pair.not_null & here) != 0 && !mixture.mark(argument(p), not_null_flag)) return false;
        if ((pair.allocated & here) != 0 && !mixture.mark(argument(p), not_null_flag | allocated_flag))
            return false;
    }
    return mixture.consistent();
}

// Next comes the call with the fewest arguments of which nothing is said before; of these, the one with the
// fewest pairs. `first`: already chosen.
std::vector<std::size_t> PackedPairs::order_of(const Clause& clause, std::ptrdiff_t first) const {
    std::vector<char> bound(static_cast<std::size_t>(clause.terms), 0);
    bound[null_term] = 1;
    for (const CellAtom& cell : clause.cells) bound[static_cast<std::size_t>(cell.root)] = 1;
    const auto bind = [&](const Call& call) {
        for (const TermId term : call.arguments) bound[static_cast<std::size_t>(term)] = 1;
    };
    std::vector<std::size_t> rest, order;
    for (std::size_t c = 0; c < clause.calls.size(); ++c)
        if (static_cast<std::ptrdiff_t>(c) != first) rest.push_back(c);
    if (first >= 0) bind(clause.calls[static_cast<std::size_t>(first)]);
    while (!rest.empty()) {
        budget_.require(rest.size());
        const auto cost = [&](std::size_t c) {
            const Call& call = clause.calls[c];
            const Set& set = sets_[static_cast<std::size_t>(call.definition)];
            const auto open = std::count_if(call.arguments.begin(), call.arguments.end(), [&](TermId term) {
                return bound[static_cast<std::size_t>(term)] == 0;
            });
            return std::pair(open, set.complete ? set.all.size() : ~std::size_t{0});
        };
        const auto least = std::min_element(rest.begin(), rest.end(),
                                            [&](std::size_t a, std::size_t b) { return cost(a) < cost(b); });
        bind(clause.calls[*least]);
        order.push_back(*least);
        rest.erase(least);
    }
    return order;
}

// Numbers of pairs, among them all that agree with what is known of the arguments.
void PackedPairs::candidates(const Join& join, const Call& call, const Mixture& mixture,
                             std::vector<std::uint32_t>& found) {
    Set& set = set_of(call.definition);
    found.clear();
    std::uint64_t null = 0, not_null = 0;
    for (std::size_t p = 1; p <= call.arguments.size(); ++p) {
        const std::uint16_t term = mixture.find(call.arguments[p - 1]);
        if (term == null_term)
            null |= bit(static_cast<unsigned>(p));
        else if ((mixture.flags[term] & not_null_flag) != 0)
            not_null |= bit(static_cast<unsigned>(p));
    }
    const std::uint64_t known = null | not_null;
    const auto limit = static_cast<std::uint32_t>(
        std::min(set.all.size(), join.limits[static_cast<std::size_t>(&call - join.clause.calls.data())]));
    if (limit <= few_pairs || known == 0) {
        for (std::uint32_t i = 0; i < limit; ++i) found.push_back(i);
    } else {
        const auto fit = [&](const PackedIndex& index) { return std::popcount(index.parameters() & known); };
        const auto exact = std::find_if(set.indices.begin(), set.indices.end(),
                                        [&](const PackedIndex& one) { return one.parameters() == known; });
        const PackedIndex* index = exact == set.indices.end() ? nullptr : &*exact;
        if (!index && set.indices.size() < most_indices) {
            set.indices.emplace_back(known);
            for (std::uint32_t i = 0; i < set.all.size(); ++i) set.indices.back().add(set.all, i);
            budget_.require(set.all.size(), set.indices.back().bytes());
            index = &set.indices.back();
        } else if (!index) {
            index = &*std::max_element(set.indices.begin(), set.indices.end(),
                                       [&](const auto& a, const auto& b) { return fit(a) < fit(b); });
        }
        index->find(null, not_null, found);
    }
    std::erase_if(found, [&](std::uint32_t i) {
        return i >= limit || set.dropped[i] != 0 || !set.all[i].agrees(null, not_null);
    });
}

// False: the visitor said that it is enough.
bool PackedPairs::choose(Join& join, std::size_t depth) {
    const Mixture& known = join.known[depth];
    if (depth == join.order.size()) return join.visit(known);
    const Call& call = join.clause.calls[join.order[depth]];
    std::vector<std::uint32_t>& found = join.found[depth];
    candidates(join, call, known, found);
    budget_.require(1 + found.size());
    std::size_t count = 0;
    for (const std::uint32_t number : found) {
        Mixture& next = join.next[depth][count];
        next = known;
        if (!take(next, set_of(call.definition).all[number], call.arguments)) continue;
        if (++count < most_siblings) continue;
        if (!visit_chosen(join, depth, count)) return false;
        count = 0;
    }
    return visit_chosen(join, depth, count);
}

bool PackedPairs::visit_chosen(Join& join, std::size_t depth, std::size_t count) {
    std::vector<Mixture>& all = join.next[depth];
    std::array<bool, most_siblings> least{};
    for (std::size_t i = 0; i < count; ++i) {
        least[i] = true;
        for (std::size_t k = 0; least[i] && k < count; ++k)
            least[i] = i == k || !all[k].says_less(all[i]) || (k > i && all[i].says_less(all[k]));
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (!least[i]) continue;
        std::swap(join.known[depth + 1], all[i]);
        if (!choose(join, depth + 1)) return false;
    }
    return true;
}

} // namespace ggsnn::logic::induct
