// The plain meaning of clauses with any definitions, on heaps of a few locations with one field and a few
// integers: every value of every existential is tried, and every way to share the cells out. It shares only
// Clause with the program.
#pragma once

#include "ggsnn/logic/definitions.hpp"

#include <map>
#include <tuple>
#include <vector>

namespace ggsnn::logic {

struct SmallHeap {
    std::vector<int> next;   // by location from 1: what its cell holds; -1: no cell. next[0] is not used
    std::vector<int> values; // of Problem::names: a location, 0 is NULL, or an integer

    int cells() const; // bits of locations that have one
};

class BruteMeaning {
  public:
    static constexpr int least = -3, most = 4; // integers that existentials may be

    explicit BruteMeaning(const Problem& problem) : problem_(problem) {}

    // Some clause holds of all cells.
    bool holds(const SmallHeap& heap, const std::vector<Clause>& clauses);

  private:
    using Question = std::tuple<int, std::vector<int>, int>; // definition, arguments, cells

    bool clause_holds(const Clause& clause, std::vector<int> values, std::size_t fixed, int cells, int depth);
    bool atoms_hold(const Clause& clause, const std::vector<int>& values, int cells, int depth);
    bool calls_hold(const Clause& clause, const std::vector<int>& values, std::size_t call, int cells,
                    int depth);
    bool call_holds(const Question& question, int depth);

    const Problem& problem_;
    const SmallHeap* heap_ = nullptr;
    std::map<std::pair<Question, int>, bool> known_;
};

} // namespace ggsnn::logic
