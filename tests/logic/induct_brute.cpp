#include "induct_brute.hpp"

#include <algorithm>

namespace ggsnn::logic {

namespace {

constexpr int deepest = 7; // of calls within calls: more than the heaps of these tests have cells

bool holds_of(const Linear& condition, const std::vector<int>& values) {
    std::int64_t sum = condition.constant;
    for (const auto& [term, coefficient] : condition.terms)
        sum += coefficient * values[static_cast<std::size_t>(term)];
    if (condition.relation == Linear::Relation::zero) return sum == 0;
    return condition.relation == Linear::Relation::nonzero ? sum != 0 : sum <= 0;
}

} // namespace

int SmallHeap::cells() const {
    int bits = 0;
    for (std::size_t i = 1; i < next.size(); ++i)
        if (next[i] >= 0) bits |= 1 << i;
    return bits;
}

bool BruteMeaning::holds(const SmallHeap& heap, const std::vector<Clause>& clauses) {
    heap_ = &heap;
    known_.clear();
    return std::any_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
        std::vector<int> values = heap.values;
        return clause_holds(clause, values, values.size(), heap.cells(), deepest);
    });
}

// values has `fixed` terms; the others are tried.
bool BruteMeaning::clause_holds(const Clause& clause, std::vector<int> values, std::size_t fixed, int cells,
                                int depth) {
    if (values.size() < static_cast<std::size_t>(clause.terms)) {
        const auto term = static_cast<TermId>(values.size());
        const bool number =
            std::find(clause.numbers.begin(), clause.numbers.end(), term) != clause.numbers.end();
        const int from = number ? least : 0, to = number ? most : static_cast<int>(heap_->next.size());
        for (int value = from; value <= to; ++value) { // one location more than the heap has: it dangles
            values.push_back(value);
            if (clause_holds(clause, values, fixed, cells, depth)) return true;
            values.pop_back();
        }
        return false;
    }
    const auto at = [&](TermId t) { return values[static_cast<std::size_t>(t)]; };
    for (const auto& [a, b] : clause.equal)
        if (at(a) != at(b)) return false;
    for (const auto& [a, b] : clause.distinct)
        if (at(a) == at(b)) return false;
    for (const Linear& condition : clause.linear)
        if (!holds_of(condition, values)) return false;
    return atoms_hold(clause, values, cells, depth);
}

bool BruteMeaning::atoms_hold(const Clause& clause, const std::vector<int>& values, int cells, int depth) {
    for (const CellAtom& cell : clause.cells) {
        const int place = values[static_cast<std::size_t>(cell.root)];
        if (place <= 0 || place >= static_cast<int>(heap_->next.size()) || (cells >> place & 1) == 0)
            return false;
        for (const Link& link : cell.links)
            if (heap_->next[static_cast<std::size_t>(place)] != values[static_cast<std::size_t>(link.value)])
                return false;
        cells &= ~(1 << place);
    }
    return calls_hold(clause, values, 0, cells, depth);
}

bool BruteMeaning::calls_hold(const Clause& clause, const std::vector<int>& values, std::size_t call,
                              int cells, int depth) {
    if (call == clause.calls.size()) return cells == 0;
    std::vector<int> arguments;
    for (const TermId term : clause.calls[call].arguments)
        arguments.push_back(values[static_cast<std::size_t>(term)]);
    for (int part = cells;; part = (part - 1) & cells) { // every part of the cells, the empty one last
        if (call_holds({clause.calls[call].definition, arguments, part}, depth) &&
            calls_hold(clause, values, call + 1, cells & ~part, depth))
            return true;
        if (part == 0) return false;
    }
}

bool BruteMeaning::call_holds(const Question& question, int depth) {
    if (depth == 0) return false;
    const auto [found, fresh] = known_.emplace(std::pair(question, depth), false);
    if (!fresh) return found->second;
    const auto& [definition, arguments, cells] = question;
    std::vector<int> values{0};
    values.insert(values.end(), arguments.begin(), arguments.end());
    const std::vector<Clause>& rules = problem_.written[static_cast<std::size_t>(definition)].rules;
    const bool result = std::any_of(rules.begin(), rules.end(), [&, part = cells](const Clause& rule) {
        return clause_holds(rule, values, values.size(), part, depth - 1);
    });
    return known_[std::pair(question, depth)] = result;
}

} // namespace ggsnn::logic
