#include "ggsnn/logic/linear.hpp"

#include "ggsnn/logic/budget.hpp"

#include <algorithm>
#include <numeric>

namespace ggsnn::logic {

namespace {

constexpr std::int64_t largest = std::int64_t{1} << 40; // products of two stay far from the end of the type

__extension__ using Wide = __int128; // sums and products of two, before they are checked

std::int64_t checked(Wide value) {
    if (value > largest || value < -largest) throw OutOfBudget{"a number is too large for exact sums"};
    return static_cast<std::int64_t>(value);
}

// Rounded down.
std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

} // namespace

void add_term(Linear& into, int term, std::int64_t coefficient) {
    if (coefficient == 0) return;
    const auto at = std::lower_bound(into.terms.begin(), into.terms.end(), term,
                                     [](const auto& pair, int t) { return pair.first < t; });
    if (at == into.terms.end() || at->first != term) {
        into.terms.insert(at, {term, checked(coefficient)});
        return;
    }
    at->second = checked(static_cast<Wide>(at->second) + coefficient);
    if (at->second == 0) into.terms.erase(at);
}

void add(Linear& into, const Linear& from, std::int64_t factor) {
    for (const auto& [term, coefficient] : from.terms)
        add_term(into, term, checked(static_cast<Wide>(coefficient) * factor));
    into.constant = checked(static_cast<Wide>(from.constant) * factor + into.constant);
}

std::int64_t coefficient_of(const Linear& sum, int term) {
    for (const auto& [t, coefficient] : sum.terms)
        if (t == term) return coefficient;
    return 0;
}

void normalize(Linear& condition) {
    std::int64_t divisor = 0;
    for (const auto& [term, coefficient] : condition.terms) divisor = std::gcd(divisor, coefficient);
    if (divisor == 0) return;
    const bool equation = condition.relation != Linear::Relation::at_most_zero;
    if (equation && condition.constant % divisor != 0) { // no integers satisfy the equation
        condition.terms.clear();
        condition.constant = 1;
        return;
    }
    if (equation && condition.terms[0].second < 0) divisor = -divisor;
    for (auto& [term, coefficient] : condition.terms) coefficient /= divisor;
    // sum + c <= 0 with all coefficients divisible: sum / d <= floor(-c / d)
    condition.constant =
        equation ? condition.constant / divisor : -floor_quotient(-condition.constant, divisor);
}

void rename(Linear& condition, int from, int to) {
    const std::int64_t coefficient = coefficient_of(condition, from);
    if (coefficient == 0) return;
    add_term(condition, from, -coefficient);
    add_term(condition, to, coefficient);
}

void replace(Linear& condition, int term, const Linear& value) {
    const std::int64_t coefficient = coefficient_of(condition, term);
    if (coefficient == 0) return;
    add_term(condition, term, -coefficient);
    add(condition, value, coefficient);
}

Linear negation(const Linear& condition) {
    Linear result = condition;
    switch (condition.relation) {
    case Linear::Relation::zero:
        result.relation = Linear::Relation::nonzero;
        break;
    case Linear::Relation::nonzero:
        result.relation = Linear::Relation::zero;
        break;
    case Linear::Relation::at_most_zero: // s >= 1
        for (auto& [term, coefficient] : result.terms) coefficient = -coefficient;
        result.constant = checked(1 - static_cast<Wide>(condition.constant));
        break;
    }
    return result;
}

Known known(const Linear& condition) {
    if (!condition.terms.empty()) return Known::open;
    bool holds = condition.constant <= 0;
    if (condition.relation == Linear::Relation::zero) holds = condition.constant == 0;
    if (condition.relation == Linear::Relation::nonzero) holds = condition.constant != 0;
    return holds ? Known::yes : Known::no;
}

} // namespace ggsnn::logic
