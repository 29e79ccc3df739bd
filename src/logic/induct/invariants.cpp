#include "ggsnn/logic/induct/invariants.hpp"

#include <algorithm>

namespace ggsnn::logic::induct {

namespace {

Linear candidate(std::initializer_list<std::pair<TermId, int>> terms, int constant,
                 Linear::Relation relation) {
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
        add_term(result, term == size_parameter ? size : arguments[static_cast<std::size_t>(term - 1)],
                 coefficient);
    normalize(result);
    return result;
}

// What is kept so far: of derivations without a cell, and of those with one.
struct Kept {
    std::vector<Conditions> empty, nonempty;
};

// What is known inside a rule: its conditions, the candidates of its calls, each with a cell or without, and
// the sum of the sizes.
Conditions premises(const Clause& rule, const Kept& kept, unsigned with_cell) {
    Conditions known_ones = rule.linear;
    for (Linear& condition : known_ones) normalize(condition);
    Linear size =
        candidate({{size_parameter, -1}}, static_cast<int>(rule.cells.size()), Linear::Relation::zero);
    TermId next = size_parameter + 1;
    for (std::size_t c = 0; c < rule.calls.size(); ++c) {
        const Call& call = rule.calls[c];
        const bool nonempty = (with_cell >> c & 1U) != 0;
        const TermId of_call = next++;
        add_term(size, of_call, 1);
        known_ones.push_back(candidate({{of_call, -1}}, nonempty ? 1 : 0,
                                       nonempty ? Linear::Relation::at_most_zero : Linear::Relation::zero));
        for (const Linear& condition :
             (nonempty ? kept.nonempty : kept.empty)[static_cast<std::size_t>(call.definition)])
            known_ones.push_back(moved(condition, call.arguments, of_call));
    }
    known_ones.push_back(size);
    return known_ones;
}

constexpr std::size_t most_calls = 4; // of a rule; with more, nothing is known of its definition

bool drop_what_is_not_kept(const Context& context, Kept& kept) {
    bool changed = false;
    for (std::size_t d = 0; d < kept.empty.size(); ++d)
        for (const Clause& rule : context.definitions[d].rules) {
            if (rule.calls.size() > most_calls) {
                changed |= !kept.empty[d].empty() || !kept.nonempty[d].empty();
                kept.empty[d].clear();
                kept.nonempty[d].clear();
                break;
            }
            for (unsigned with_cell = 0; with_cell < 1U << rule.calls.size(); ++with_cell) {
                Conditions& own = (rule.cells.empty() && with_cell == 0 ? kept.empty : kept.nonempty)[d];
                if (own.empty()) continue;
                const Conditions known_ones = premises(rule, kept, with_cell);
                if (context.arithmetic.contradictory(known_ones)) continue;
                changed |= std::erase_if(own, [&](const Linear& condition) {
                               return !context.arithmetic.implies(known_ones, condition);
                           }) > 0;
            }
        }
    return changed;
}

// Without those that others imply, and without what speaks of the size.
Conditions of_numbers(const Conditions& kept, Arithmetic& arithmetic) {
    Conditions result;
    for (const Linear& condition : kept)
        if (coefficient_of(condition, size_parameter) == 0 && !arithmetic.implies(result, condition))
            result.push_back(condition);
    return result;
}

// What is said of the size is said of the numbers that it is the sum of.
Conditions with_size(const Conditions& kept, const std::optional<Linear>& size) {
    Conditions result = kept;
    if (!size) return result;
    for (Linear& condition : result) {
        replace(condition, size_parameter, *size);
        normalize(condition);
    }
    return result;
}

// What both sides say.
Conditions common(const Conditions& a, const Conditions& b, Arithmetic& arithmetic) {
    Conditions result;
    for (const Linear& condition : a)
        if (arithmetic.implies(b, condition)) result.push_back(condition);
    for (const Linear& condition : b)
        if (arithmetic.implies(a, condition) &&
            std::find(result.begin(), result.end(), condition) == result.end())
            result.push_back(condition);
    return result;
}

} // namespace

void find_invariants(Context& context) {
    const std::size_t count = context.definitions.size();
    for (auto* all : {&context.invariants, &context.invariants_empty, &context.invariants_nonempty,
                      &context.kept_empty, &context.kept_nonempty})
        all->assign(count, {});
    context.sizes.assign(count, std::nullopt);
    if (!Arithmetic::available() || !has_numbers(context.problem)) return;
    Kept kept;
    for (const Definition& definition : context.definitions) {
        Conditions all = candidates(definition);
        for (Linear& condition : all) normalize(condition);
        kept.empty.push_back(all);
        kept.nonempty.push_back(std::move(all));
    }
    while (drop_what_is_not_kept(context, kept)) {
    }
    context.kept_empty = kept.empty;
    context.kept_nonempty = kept.nonempty;
    for (std::size_t d = 0; d < count; ++d) {
        // No cells means size 0, whatever the rules.
        kept.empty[d].push_back(candidate({{size_parameter, 1}}, 0, Linear::Relation::zero));
        kept.nonempty[d].push_back(candidate({{size_parameter, -1}}, 1, Linear::Relation::at_most_zero));
        const Conditions both = common(kept.empty[d], kept.nonempty[d], context.arithmetic);
        for (const Linear& condition : both) {
            const std::int64_t of_size = coefficient_of(condition, size_parameter);
            if (of_size == 0 || condition.relation != Linear::Relation::zero || context.sizes[d]) continue;
            Linear size; // size = -(rest) / coefficient, which is 1 or -1
            add(size, condition, -of_size);
            add_term(size, size_parameter, 1);
            size.relation = Linear::Relation::zero;
            context.sizes[d] = size;
        }
        context.invariants[d] = of_numbers(both, context.arithmetic);
        context.invariants_empty[d] =
            of_numbers(with_size(kept.empty[d], context.sizes[d]), context.arithmetic);
        context.invariants_nonempty[d] =
            of_numbers(with_size(kept.nonempty[d], context.sizes[d]), context.arithmetic);
        if (!context.sizes[d]) continue;
        Linear least; // a size is never negative
        least.relation = Linear::Relation::at_most_zero;
        add(least, *context.sizes[d], -1);
        if (!context.arithmetic.implies(context.invariants[d], least)) context.invariants[d].push_back(least);
    }
}

} // namespace ggsnn::logic::induct
