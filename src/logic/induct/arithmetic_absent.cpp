// Built without Z3: only what can be seen at once is shown.
#include "ggsnn/logic/induct/arithmetic.hpp"

#include <algorithm>

namespace ggsnn::logic::induct {

struct Arithmetic::Solver {};

Arithmetic::Arithmetic(Budget& budget) : budget_(budget) {}
Arithmetic::~Arithmetic() = default;

bool Arithmetic::available() {
    return false;
}

bool Arithmetic::contradictory(const Conditions& conditions) {
    budget_.require(1 + conditions.size());
    return std::any_of(conditions.begin(), conditions.end(),
                       [](const Linear& condition) { return known(condition) == Known::no; });
}

bool Arithmetic::implies(const Conditions& known_ones, const Linear& condition) {
    return known(condition) == Known::yes ||
           std::find(known_ones.begin(), known_ones.end(), condition) != known_ones.end();
}

bool Arithmetic::implies(const Conditions& known_ones, const std::vector<int>& exists,
                         const Conditions& conditions) {
    return exists.empty() && std::all_of(conditions.begin(), conditions.end(), [&](const Linear& condition) {
               return implies(known_ones, condition);
           });
}

bool Arithmetic::implies_one(const Conditions& known_ones, const std::vector<Alternative>& alternatives) {
    return std::any_of(alternatives.begin(), alternatives.end(), [&](const Alternative& one) {
        return implies(known_ones, one.exists, one.conditions);
    });
}

std::optional<std::map<int, std::int64_t>> Arithmetic::solve(const Conditions& conditions) {
    return conditions.empty() ? std::optional(std::map<int, std::int64_t>{}) : std::nullopt;
}

} // namespace ggsnn::logic::induct
