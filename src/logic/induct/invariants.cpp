#include "ggsnn/logic/induct/invariants.hpp"

#include <algorithm>

namespace ggsnn::logic::induct {

namespace {

// The number of cells, as a parameter beside those that a definition has.
constexpr TermId size_parameter = 1 << 24; // beyond all terms of rules

Linear candidate(std::initializer_list<std::pair<TermId, int>> terms, int constant, Linear::Relation relation) {
    Linear result;
    result.relation = relation;
    result.constant = constant;
    for (const auto& [term, coefficient] : terms) add_term(result, term, coefficient);
    return result;
}

// In the order in which they are preferred where one is as good as another: equations first.
Conditions candidates(const Definition& definition) {
    using Relation = Linear::Relation;
    Conditions result;
    const std::vector<TermId>& numbers = definition.numbers;
    for (const TermId p : numbers)
        for (int constant = -2; constant <= 2; ++constant)
            result.push_back(candidate({{size_parameter, 1}, {p, -1}}, constant, Relation::zero));
    for (const TermId p : numbers)
        for (const TermId q : numbers) {
            if (p == q) continue;
            for (int constant = -1; constant <= 1; ++constant)
                result.push_back(candidate({{size_parameter, 1}, {p, -1}, {q, 1}}, constant, Relation::zero));
            if (p < q) result.push_back(candidate({{p, 1}, {q, -1}}, 0, Relation::zero));
            result.push_back(candidate({{p, 1}, {q, -1}}, 1, Relation::at_most_zero)); // p < q
            result.push_back(candidate({{p, 1}, {q, -1}}, 0, Relation::at_most_zero));
        }
    for (const TermId p : numbers) {
        for (int least = 2; least >= 0; --least)
            result.push_back(candidate({{p, -1}}, least, Relation::at_most_zero));
        result.push_back(candidate({{size_parameter, 1}, {p, -1}}, 0, Relation::at_most_zero));
    }
    result.push_back(candidate({{size_parameter, -1}}, 1, Relation::at_most_zero));
    return result;
}

Linear moved(const Linear& condition, const std::vector<TermId>& arguments, TermId size) {
    Linear result;
    result.relation = condition.relation;
    result.constant = condition.constant;
    for (const auto& [term, coefficient] : condition.terms)
        add_term(result, term == size_parameter ? size : arguments[static_cast<std::size_t>(term - 1)], coefficient);
    normalize(result);
    return result;
}

// What is known inside a rule: its conditions, the candidates of its calls, and the sum of the sizes.
Conditions premises(const Clause& rule, const std::vector<Conditions>& kept) {
    Conditions known_ones = rule.linear;
    for (Linear& condition : known_ones) normalize(condition);
    Linear size = candidate({{size_parameter, -1}}, static_cast<int>(rule.cells.size()), Linear::Relation::zero);
    TermId next = std::max(rule.terms, size_parameter + 1);
    for (const Call& call : rule.calls) {
        const TermId of_call = next++;
        add_term(size, of_call, 1);
        known_ones.push_back(candidate({{of_call, -1}}, 0, Linear::Relation::at_most_zero));
        for (const Linear& condition : kept[static_cast<std::size_t>(call.definition)])
            known_ones.push_back(moved(condition, call.arguments, of_call));
    }
    known_ones.push_back(size);
    return known_ones;
}

bool drop_what_is_not_kept(const Context& context, std::vector<Conditions>& kept) {
    bool changed = false;
    for (std::size_t d = 0; d < kept.size(); ++d)
        for (const Clause& rule : context.definitions[d].rules) {
            if (kept[d].empty()) break;
            const Conditions known_ones = premises(rule, kept);
            if (context.arithmetic.contradictory(known_ones)) continue;
            changed |= std::erase_if(kept[d], [&](const Linear& condition) {
                           return !context.arithmetic.implies(known_ones, condition);
                       }) > 0;
        }
    return changed;
}

} // namespace

void find_invariants(Context& context) {
    const std::size_t count = context.definitions.size();
    context.invariants.assign(count, {});
    context.sizes.assign(count, std::nullopt);
    if (!Arithmetic::available() || !has_numbers(context.problem)) return;
    std::vector<Conditions> kept;
    for (const Definition& definition : context.definitions) {
        kept.push_back(candidates(definition));
        for (Linear& condition : kept.back()) normalize(condition);
    }
    while (drop_what_is_not_kept(context, kept)) {}
    for (std::size_t d = 0; d < count; ++d)
        for (const Linear& condition : kept[d]) {
            const std::int64_t of_size = coefficient_of(condition, size_parameter);
            if (of_size == 0) {
                if (!context.arithmetic.implies(context.invariants[d], condition))
                    context.invariants[d].push_back(condition);
            } else if (condition.relation == Linear::Relation::zero && !context.sizes[d]) {
                Linear size; // size = -(rest) / coefficient, which is 1 or -1
                add(size, condition, -of_size);
                add_term(size, size_parameter, 1);
                context.sizes[d] = size;
            }
        }
    // A size is never negative.
    for (std::size_t d = 0; d < count; ++d)
        if (context.sizes[d]) {
            Linear least;
            least.relation = Linear::Relation::at_most_zero;
            add(least, *context.sizes[d], -1);
            if (!context.arithmetic.implies(context.invariants[d], least)) context.invariants[d].push_back(least);
        }
}

} // namespace ggsnn::logic::induct
