// Linear conditions over integers: sum of coefficient * term, plus a constant, compared with zero. Terms are
// those of the clause (definitions.hpp) in which the condition stands.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace ggsnn::logic {

struct Linear {
    enum class Relation { zero, nonzero, at_most_zero };

    std::vector<std::pair<int, std::int64_t>> terms; // (term, coefficient), by term, none zero
    std::int64_t constant = 0;
    Relation relation = Relation::zero;

    auto operator<=>(const Linear&) const = default;
};

// All of these throw OutOfBudget where a number leaves the range in which sums are exact.

// into += factor * from; the relation of `into` stays.
void add(Linear& into, const Linear& from, std::int64_t factor = 1);
void add_term(Linear& into, int term, std::int64_t coefficient);
std::int64_t coefficient_of(const Linear& sum, int term); // 0: it does not occur
// Divided by what divides all coefficients, where that is exact over integers; a sum compared with = or !=
// begins with a positive coefficient.
void normalize(Linear& condition);
void rename(Linear& condition, int from, int to);
// Puts `value` (its relation does not count) in the place of the term.
void replace(Linear& condition, int term, const Linear& value);
// The condition that holds where this one does not.
Linear negation(const Linear& condition);

// Without terms it is true or false.
enum class Known { no, yes, open };
Known known(const Linear& condition);

} // namespace ggsnn::logic
