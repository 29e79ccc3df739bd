// What is known at a loop head besides its invariant formula: bounds of numbers, the contents of objects and
// globals that formulas do not describe, and arrays from the heap that a variable leads to. Found by
// iteration: what the first arrival brings, joined with what every other one does, until nothing changes.
// Bounds that keep moving jump to the next constant of the program.
#pragma once

#include "ggsnn/verify/prove/state.hpp"

namespace ggsnn::verify {

// What is known of one value.
struct Fact {
    enum class Kind { number, function, address, any };
    enum class Base { object, global, anchored };
    Kind kind = Kind::any;
    Interval range;    // number: its bounds; address: of the offset
    int function = -1; // function
    Base base = Base::object;
    int index = -1; // address: of which object, global or anchored block
    bool operator==(const Fact&) const = default;
};

struct Contents {
    bool alive = false;
    bool constant = false;
    bool handle = false; // anchored: an open file, not memory
    std::optional<std::int64_t> size;
    SymbolicBlock::Rest rest = SymbolicBlock::Rest::undetermined;
    std::map<std::int64_t, std::pair<int, Fact>> slots; // by offset: bytes, value
    std::map<std::int64_t, std::int64_t> texts;         // see SymbolicBlock
    bool operator==(const Contents&) const = default;
};

// Where a pointer is kept: in a variable, or in an object or a global at an offset.
struct Keeper {
    enum class Kind { variable, object, global };
    Kind kind = Kind::variable;
    int index = -1;
    std::int64_t offset = 0;
    bool operator==(const Keeper&) const = default;
};

class Surroundings {
  public:
    bool reached = false;
    std::vector<Fact> variables; // by variable; of those not in scope at the head: any
    std::vector<char> known;     // by variable: has a value at the head
    std::vector<Contents> objects, globals;
    struct Anchored {
        Keeper keeper;
        Contents contents;
        bool operator==(const Anchored&) const = default;
    };
    std::vector<Anchored> anchored;
    std::vector<Keeper> given_up; // keepers that do not lead to a block on every arrival
    std::vector<TermName> at_exit;
    bool at_exit_differs = false;
    int joins = 0;

    // Joins what a state brings to the head. True if something changed.
    bool join(const SymbolicState& state, const Loop& loop, const std::vector<std::int64_t>& thresholds);
    // Makes the memory and the values of a state at the head. REQUIRES reached, and a state with nothing in
    // it.
    void apply(SymbolicState& state, const Loop& loop) const;
    // Blocks of the state that are described here and not by the formula: their roots.
    std::set<TermName> left_out(const SymbolicState& state) const;
    bool operator==(const Surroundings& other) const;
    std::uint64_t hash() const;
};

// Constants that bounds may jump to: those the function compares with, and sizes.
std::vector<std::int64_t> thresholds_of(const Program& program, const Function& function);

} // namespace ggsnn::verify
