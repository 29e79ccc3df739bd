// Consequences of a symbolic heap: cells stand at different addresses that are not NULL; a call whose rules
// but one are ruled out obeys that rule.
#include "ggsnn/logic/state.hpp"

#include <algorithm>

namespace ggsnn::logic {

State::State(const Clause& clause) {
    add_clause(clause, 0);
}

TermId State::find(TermId term) const {
    while (parent[static_cast<std::size_t>(term)] != term) term = parent[static_cast<std::size_t>(term)];
    return term;
}

void State::merge(TermId a, TermId b) {
    a = find(a);
    b = find(b);
    if (a != b) parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
}

void State::add_clause(const Clause& clause, int depth) {
    for (int t = static_cast<int>(parent.size()); t < clause.terms; ++t) parent.push_back(t);
    for (const auto& [a, b] : clause.equal) merge(a, b);
    distinct.insert(distinct.end(), clause.distinct.begin(), clause.distinct.end());
    cells.insert(cells.end(), clause.cells.begin(), clause.cells.end());
    dangling.insert(dangling.end(), clause.dangling.begin(), clause.dangling.end());
    for (const Call& call : clause.calls) calls.push_back({call.definition, call.arguments, depth, 0, {}});
}

void State::unfold(int call, int rule, const std::vector<Definition>& definitions) {
    const LeftCall old = calls[static_cast<std::size_t>(call)];
    calls.erase(calls.begin() + call);
    Clause parts;
    parts.terms = static_cast<int>(parent.size());
    instantiate(definitions[static_cast<std::size_t>(old.definition)].rules[static_cast<std::size_t>(rule)],
                old.arguments, parts);
    const std::size_t first = calls.size();
    const bool choice = definitions[static_cast<std::size_t>(old.definition)].rules.size() > 1;
    add_clause(parts, old.depth + (choice ? 1 : 0));
    for (std::size_t c = first; c < calls.size(); ++c)
        calls[c].wanted = std::max(0, old.wanted - (calls[c].definition == old.definition ? 1 : 0));
}

namespace {

std::uint64_t pair_key(TermId a, TermId b) {
    return (static_cast<std::uint64_t>(std::min(a, b)) << 32) | static_cast<std::uint64_t>(std::max(a, b));
}

} // namespace

// Names lead straight to their representatives; disequalities and dangling names are looked up by those.
void State::index_names() {
    for (TermId& up : parent) up = parent[static_cast<std::size_t>(up)]; // a lesser name, done before
    dangling_.assign(parent.size(), 0);
    for (const TermId t : dangling) dangling_[static_cast<std::size_t>(find(t))] = 1;
    distinct_keys_.clear();
    for (const auto& [a, b] : distinct) distinct_keys_.push_back(pair_key(find(a), find(b)));
    std::sort(distinct_keys_.begin(), distinct_keys_.end());
    distinct_keys_.erase(std::unique(distinct_keys_.begin(), distinct_keys_.end()), distinct_keys_.end());
}

bool State::apart(TermId a, TermId b) const {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (std::binary_search(distinct_keys_.begin(), distinct_keys_.end(), pair_key(a, b))) return true;
    const int oa = owner[static_cast<std::size_t>(a)], ob = owner[static_cast<std::size_t>(b)];
    if (oa >= 0 && ob >= 0) return oa != ob;
    const auto no_cell = [&](TermId t) { return t == null_term || is_dangling(t); };
    if (oa >= 0) return no_cell(b);
    if (ob >= 0) return no_cell(a);
    return (a == null_term && is_dangling(b)) || (b == null_term && is_dangling(a));
}

bool State::allocated_outside(TermId term, int call) const {
    const int atom = owner[static_cast<std::size_t>(find(term))];
    return atom >= 0 && atom != call_owner(call);
}

// The atom has a cell at term. False: another one has, or nothing can.
bool State::claim(TermId term, int atom, bool& changed) {
    term = find(term);
    int& current = owner[static_cast<std::size_t>(term)];
    if (term == null_term || is_dangling(term) || (current >= 0 && current != atom)) return false;
    changed |= current < 0;
    current = atom;
    return true;
}

bool State::close_cells() {
    owner.assign(parent.size(), -1);
    bool changed = false;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        if (owner[static_cast<std::size_t>(find(cells[c].root))] >= 0) return false;
        if (!claim(cells[c].root, static_cast<int>(c), changed)) return false;
    }
    return std::none_of(dangling.begin(), dangling.end(), [&](TermId t) { return find(t) == null_term; }) &&
           std::none_of(distinct.begin(), distinct.end(),
                        [&](const auto& p) { return same(p.first, p.second); });
}

bool State::rule_feasible(const LeftCall& call, int number, const Clause& rule,
                          const Definition& definition) const {
    const auto outer = [&](TermId t) { return t <= definition.parameters; };
    const auto actual = [&](TermId t) {
        return t == null_term ? null_term : call.arguments[static_cast<std::size_t>(t - 1)];
    };
    for (const auto& [a, b] : rule.equal)
        if (outer(a) && outer(b) && apart(actual(a), actual(b))) return false;
    for (const auto& [a, b] : rule.distinct)
        if (outer(a) && outer(b) && same(actual(a), actual(b))) return false;
    const auto may_own = [&](TermId t) {
        const int atom = owner[static_cast<std::size_t>(find(t))];
        return find(t) != null_term && !is_dangling(t) && (atom < 0 || atom == call_owner(number));
    };
    for (const CellAtom& cell : rule.cells)
        if (outer(cell.root) && !may_own(actual(cell.root))) return false;
    // The last cell of a doubly-linked segment that is not empty stands at `last`, and is not `out`.
    const auto& segment = definition.segment;
    if (!segment || segment->last < 0 || rule.cells.empty()) return true;
    if (segment->out_guarded && same(actual(segment->last), actual(segment->out))) return false;
    return may_own(actual(segment->last));
}

bool State::close_call(int number, const std::vector<Definition>& definitions, bool& changed, bool& removed) {
    LeftCall& call = calls[static_cast<std::size_t>(number)];
    const Definition& definition = definitions[static_cast<std::size_t>(call.definition)];
    const auto actual = [&](TermId t) {
        return t == null_term ? null_term : call.arguments[static_cast<std::size_t>(t - 1)];
    };
    call.feasible.assign(definition.rules.size(), 0);
    int only = -1, count = 0;
    bool all_have_cells = true;
    for (std::size_t r = 0; r < definition.rules.size(); ++r) {
        if (!rule_feasible(call, number, definition.rules[r], definition)) continue;
        call.feasible[r] = 1;
        only = static_cast<int>(r);
        ++count;
        all_have_cells &= !definition.rules[r].cells.empty();
    }
    if (count == 0) return false;
    if (all_have_cells && definition.root > 0 && !claim(actual(definition.root), call_owner(number), changed))
        return false;
    if (all_have_cells && definition.segment && definition.segment->last > 0 &&
        !claim(actual(definition.segment->last), call_owner(number), changed))
        return false;
    if (count > 1) return true;
    const Clause& rule = definition.rules[static_cast<std::size_t>(only)];
    if (rule.cells.empty() || definition.rules.size() == 1) {
        unfold(number, only, definitions);
        removed = true;
        return true;
    }
    for (const auto& [a, b] : rule.equal) {
        if (a > definition.parameters || b > definition.parameters || same(actual(a), actual(b))) continue;
        merge(actual(a), actual(b));
        removed = true; // representatives changed: start over
    }
    for (const auto& [a, b] : rule.distinct) {
        if (a > definition.parameters || b > definition.parameters || apart(actual(a), actual(b))) continue;
        distinct.emplace_back(actual(a), actual(b));
        removed = true;
    }
    return true;
}

namespace {

// Of looking at all rules once.
std::size_t work(const Definition& definition) {
    std::size_t parts = 0;
    for (const Clause& rule : definition.rules)
        parts += rule.equal.size() + rule.distinct.size() + rule.cells.size() + rule.calls.size();
    return parts / 8;
}

} // namespace

bool State::close(const std::vector<Definition>& definitions, Budget& budget) {
    for (;;) {
        if (!budget.spend(1 + parent.size() / 8 + cells.size() + distinct.size())) return false;
        index_names();
        if (!close_cells()) return false;
        bool restart = false, changed = true;
        while (changed && !restart) {
            changed = false;
            for (std::size_t c = 0; c < calls.size() && !restart; ++c) {
                if (!budget.spend(1 + work(definitions[static_cast<std::size_t>(calls[c].definition)])))
                    return false;
                if (!close_call(static_cast<int>(c), definitions, changed, restart)) return false;
            }
        }
        if (!restart) return true;
    }
}

std::size_t State::bytes() const {
    std::size_t total =
        sizeof(State) + parent.size() * (sizeof(TermId) * 2 + 1) + distinct.size() * 24 + dangling.size() * 4;
    for (const CellAtom& cell : cells) total += sizeof(CellAtom) + cell.links.size() * sizeof(Link);
    for (const LeftCall& call : calls)
        total += sizeof(LeftCall) + call.arguments.size() * sizeof(TermId) + 16;
    return total;
}

} // namespace ggsnn::logic
