// The satisfaction check: does this heap satisfy this formula, its atoms covering every cell exactly once?
//
// The check runs clauses as a logic program over the heap: cells bind existential names to nodes, calls are
// replaced by the rules that fit, and a choice is undone where it fails. With names bound and definitions
// whose rules exclude each other (all of this project's) it is linear in the size of the heap; existential
// ends of lists are searched for. The check knows nothing of the prover, which it judges.
#pragma once

#include "ggsnn/logic/budget.hpp"
#include "ggsnn/logic/definitions.hpp"
#include "ggsnn/logic/heap.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace ggsnn::logic {

enum class Truth { no, yes, unknown };

struct SatisfyLimits {
    std::uint64_t steps = 50'000'000;             // goals looked at and rules tried; beyond: unknown
    std::uint64_t bytes = std::uint64_t{1} << 31; // of the goals and choices alive; beyond: unknown
    Deadline deadline = std::nullopt;             // beyond: unknown
};

// Names of the problem are looked up among the heap's variables; a name without a variable counts as unbound
// (existential).
Truth satisfies(const Heap& heap, const Clause& clause, const Problem& problem,
                const SatisfyLimits& limits = {});

// Any of the clauses; unknown if none is yes and some is unknown.
Truth satisfies(const Heap& heap, const std::vector<Clause>& clauses, const Problem& problem,
                const SatisfyLimits& limits = {});

// A formula compiled once, for many heaps. Thread-safe after construction.
class Checker {
  public:
    explicit Checker(const Formula& formula);
    Truth operator()(const Heap& heap, const SatisfyLimits& limits = {}) const;
    // As above; on yes, fills where the existentials of the disjunct that holds stand (those of outermost
    // scope, by name; node -1 if any address will do).
    Truth operator()(const Heap& heap, std::map<std::string, int>& witness,
                     const SatisfyLimits& limits = {}) const;

  private:
    Formula formula_;
    Problem problem_;
};

// Throws nothing; unknown only beyond the limits.
Truth satisfies(const Heap& heap, const Formula& formula, const SatisfyLimits& limits = {});

} // namespace ggsnn::logic
