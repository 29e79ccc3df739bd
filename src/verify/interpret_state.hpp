// The store of a run: cells, frames, and how they look as a heap. Used by the interpreter only.
#pragma once

#include "verify/interpret.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ggsnn::verify {

struct Frame {
    int function = -1;
    int block = 0;
    std::size_t next = 0; // instruction
    int target = -1;      // variable of the caller for the result
    Position called_at;
    std::vector<Value> variables; // own ones
    std::vector<Value> initial;   // parameters at the entry
    // The function under study only:
    int call = -1;           // which of its calls this is
    std::vector<bool> reach; // cells that arguments and globals reached at the entry; later ones are its own
};

struct State {
    const Program& program;
    std::vector<Cell> cells;
    std::vector<Value> globals;

    Value& variable(Frame& frame, int v) {
        const auto own = static_cast<int>(frame.variables.size());
        return v < own ? frame.variables[static_cast<std::size_t>(v)]
                       : globals[static_cast<std::size_t>(v - own)];
    }
    const Value& variable(const Frame& frame, int v) const {
        const auto own = static_cast<int>(frame.variables.size());
        return v < own ? frame.variables[static_cast<std::size_t>(v)]
                       : globals[static_cast<std::size_t>(v - own)];
    }
    // Marks live cells that these values lead to.
    std::vector<bool> reached(const std::vector<Value>& from) const;
};

// A heap from cells and named values, numbering nodes in the order they are met.
class Picture {
  public:
    // shown: which cells belong to it; empty: all.
    Picture(const State& state, std::function<bool(int)> shown) : state_(state), shown_(std::move(shown)) {}
    // False if the value is not shown: freed, undetermined.
    bool name(const std::string& name, const Value& value);
    logic::Heap finish();

  private:
    int node(int cell);

    const State& state_;
    std::function<bool(int)> shown_;
    logic::Heap heap_;
    std::vector<int> nodes_; // by cell; -1: none yet
    std::vector<int> order_; // cells in the order of their nodes
};

} // namespace ggsnn::verify
