// What follows from a symbolic heap without looking at cases: equalities, disequalities, and which names
// surely have a cell. Cheap; a program's path is cut off with it as soon as it cannot be taken.
#pragma once

#include "ggsnn/logic/state.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ggsnn::logic {

class Closure {
  public:
    // REQUIRES a heap without existentials. Where the limits do not suffice, nothing is known.
    explicit Closure(const SymbolicHeap& heap, const ProverLimits& limits = {});

    // No heap satisfies it. (False says nothing.)
    bool contradictory() const { return contradictory_; }
    // Surely equal, surely different, surely with a cell. REQUIRES !contradictory(). A name that does not
    // occur in the heap is equal to itself alone.
    bool same(const std::string& a, const std::string& b) const;
    bool apart(const std::string& a, const std::string& b) const;
    bool allocated(const std::string& name) const;
    // Pairs of names of the heap, the second never replaced itself, that are surely equal: replacing the
    // first by the second everywhere leaves no further pair.
    std::vector<std::pair<std::string, std::string>> equalities() const;

  private:
    int term(const std::string& name) const; // -1: does not occur

    Closure(const SymbolicHeap& heap, Budget&& budget);

    Problem problem_;
    State state_;
    bool contradictory_ = false;
    std::map<std::string, int> terms_;
};

} // namespace ggsnn::logic
