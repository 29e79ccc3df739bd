// Random definitions, left and right sides, for tests of the prover by induction.
#pragma once

#include "ggsnn/logic/definitions.hpp"

#include <algorithm>
#include <random>

namespace ggsnn::logic {

class Draw {
  public:
    Draw(std::uint64_t seed, bool numbers) : random_(seed), numbers_(numbers) {}

    Problem problem() {
        Problem result;
        result.fields = {"next"};
        const int definitions = 1 + below(2);
        const bool lists = below(2) == 0;
        for (int d = 0; d < definitions; ++d) {
            Definition definition;
            definition.name = fmt::format("p{}", d);
            definition.parameters = numbers_ ? 3 : 2;
            if (numbers_) definition.numbers = {3};
            const int rules = 1 + below(3);
            if (lists) {
                definition.rules = {base_rule(), step_rule(definitions)};
                if (below(4) == 0) definition.rules.push_back(step_rule(definitions));
            }
            for (int r = 0; !lists && r < rules; ++r)
                definition.rules.push_back(
                    clause(definition.parameters + 1, definition.numbers, definitions, r == 0));
            result.written.push_back(std::move(definition));
        }
        result.definitions = result.written;
        result.names = {null_name, "x", "y"};
        result.sorts = {0, 0, 0};
        std::vector<TermId> numbers;
        if (numbers_) {
            result.names.emplace_back("n");
            result.sorts.push_back(number_sort);
            numbers = {3};
        }
        const int terms = static_cast<int>(result.names.size());
        if (lists) {
            result.left.push_back(chain(terms, definitions, 1 + below(2)));
            result.right.push_back(chain(terms, definitions, 1));
            return result;
        }
        result.left.push_back(clause(terms, numbers, definitions, false));
        result.right.push_back(clause(terms, numbers, definitions, false));
        return result;
    }

  private:
    int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

    // Definitions like lists, which proofs have something to do with.
    Clause base_rule() {
        Clause rule;
        rule.terms = numbers_ ? 4 : 3;
        if (below(4) > 0) rule.equal.emplace_back(1, below(4) == 0 ? null_term : 2);
        if (numbers_ && below(4) > 0) {
            Linear& zero = rule.linear.emplace_back();
            add_term(zero, 3, 1);
            zero.constant = -below(2);
        }
        return rule;
    }

    Clause step_rule(int definitions) {
        Clause rule;
        rule.terms = numbers_ ? 4 : 3;
        const TermId inner = rule.fresh();
        const bool forward = below(3) > 0;
        if (below(5) > 0) rule.cells.push_back({forward ? 1 : inner, {{0, forward ? inner : 2}}});
        if (below(4) == 0) rule.cells.push_back({below(2) == 0 ? 1 : inner, {{0, below(3)}}});
        if (below(3) == 0) rule.distinct.emplace_back(1, below(3) == 0 ? null_term : 2);
        Call call{below(definitions), {forward ? inner : 1, forward ? 2 : inner}};
        if (below(8) == 0) call.arguments[static_cast<std::size_t>(below(2))] = below(rule.terms) % 3;
        if (numbers_) {
            const TermId rest = rule.fresh();
            rule.numbers.push_back(rest);
            call.arguments.push_back(rest);
            Linear& condition = rule.linear.emplace_back();
            add_term(condition, 3, -1);
            add_term(condition, rest, 1);
            condition.constant = below(4) > 0 ? 1 : below(3) - 1;
            if (below(4) == 0) condition.relation = Linear::Relation::at_most_zero;
        }
        rule.calls.push_back(std::move(call));
        return rule;
    }

    // Calls and cells one after the other from x to y.
    Clause chain(int terms, int definitions, int links) {
        Clause result;
        result.terms = terms;
        TermId at = 1;
        for (int i = 0; i < links; ++i) {
            const TermId to = i + 1 == links ? 2 : result.fresh();
            if (below(4) == 0) {
                result.cells.push_back({at, {{0, to}}});
            } else {
                Call call{below(definitions), {at, to}};
                if (numbers_ && below(2) == 0) {
                    call.arguments.push_back(result.fresh());
                    result.numbers.push_back(call.arguments.back());
                } else if (numbers_) {
                    call.arguments.push_back(3);
                }
                result.calls.push_back(std::move(call));
            }
            at = to;
        }
        if (below(4) == 0) result.distinct.emplace_back(1, below(2) == 0 ? null_term : 2);
        if (numbers_ && below(2) == 0) {
            Linear& bound = result.linear.emplace_back();
            bound.relation = Linear::Relation::at_most_zero;
            bound.constant = below(3);
            add_term(bound, 3, -1);
        }
        return result;
    }

    Clause clause(int terms, const std::vector<TermId>& numbers, int definitions, bool base) {
        Clause result;
        result.terms = terms;
        std::vector<TermId> places{null_term}, integers = numbers;
        for (TermId t = 1; t < terms; ++t)
            if (std::find(numbers.begin(), numbers.end(), t) == numbers.end()) places.push_back(t);
        if (!base && below(2) == 0) places.push_back(result.fresh());
        if (numbers_ && !base && below(2) == 0) {
            integers.push_back(result.fresh());
            result.numbers.push_back(integers.back());
        }
        const auto place = [&] {
            return places[static_cast<std::size_t>(below(static_cast<int>(places.size())))];
        };
        const auto integer = [&] {
            return integers[static_cast<std::size_t>(below(static_cast<int>(integers.size())))];
        };
        if (below(3) == 0 || base) result.equal.emplace_back(place(), place());
        if (below(4) == 0) result.distinct.emplace_back(place(), place());
        if (below(3) > 0) result.cells.push_back({place(), {{0, place()}}});
        const int calls = base ? 0 : below(3);
        for (int c = 0; c < calls; ++c) {
            Call call{below(definitions), {place(), place()}};
            if (numbers_) call.arguments.push_back(integer());
            result.calls.push_back(std::move(call));
        }
        if (numbers_ && below(3) > 0) {
            Linear condition;
            add_term(condition, integer(), 1);
            add_term(condition, integer(), -1);
            condition.constant = below(3) - 1;
            condition.relation = below(3) == 0 ? Linear::Relation::at_most_zero : Linear::Relation::zero;
            result.linear.push_back(condition);
        }
        return result;
    }

    std::mt19937_64 random_;
    bool numbers_;
};

// The problem as a file, for those who read one.
std::string smt_text(const Problem& problem);

} // namespace ggsnn::logic
