// Runs functions of the intermediate language on concrete heaps, within limits, and never on the machine
// itself: calls are frames on a stack of its own, cells are entries of a table, and every access is checked.
// On the way it takes snapshots of the heap, for the model to describe.
//
// What it finds by itself: dereference of NULL, of a freed cell, of an address without a cell, and of a value
// that was never given; double free; free of what is not a cell from malloc; and, when the function under
// study returns, cells that nothing reaches any more.
#pragma once

#include "base/random.hpp"
#include "logic/heap.hpp"
#include "verify/program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ggsnn::verify {

struct Value {
    enum class Kind { undetermined, number, pointer };
    Kind kind = Kind::undetermined;
    std::int64_t number = 0; // number
    int cell = 0;            // pointer: 0 is NULL

    bool operator==(const Value&) const = default;
    static Value of_number(std::int64_t n) { return {Kind::number, n, 0}; }
    static Value of_cell(int c) { return {Kind::pointer, 0, c}; }
};

struct Cell {
    enum class State { live, freed, absent }; // absent: an address where there never was a cell
    State state = State::live;
    int record = -1;
    bool boxed = false; // of a variable: not from malloc
    std::vector<Value> fields;
};

// Where a run starts. cells[0] stands for NULL and is not looked at.
struct Input {
    std::vector<Cell> cells{1};
    std::vector<Value> parameters, globals;
    std::uint64_t seed = 1; // of values that are unknown
};

struct InterpretLimits {
    long steps = 200'000; // instructions and jumps
    int cells = 20'000;
    int depth = 2'000;        // calls
    int snapshots = 40;       // at one place of one call; the last one is always kept
    int calls = 30;           // recursive calls of the function under study that snapshots are taken of
    int fail_allocation = -1; // this malloc (from 0) gives NULL; -1: none does
    bool take_snapshots = true;
};

struct Fault {
    enum class Kind {
        none,
        null_dereference,
        use_after_free,
        dangling_dereference,
        undetermined_dereference,
        double_free,
        bad_free,
        leak,
        limit,   // steps, cells or calls: no answer
        refused, // something the language does not have
    };
    Kind kind = Kind::none;
    int function = -1;
    Position position;
    std::string reason; // for people: "'p' is NULL"
    logic::Heap heap;   // at that moment, with the variables of that function
    std::vector<std::pair<int, Position>>
        calls; // function and place of each call that led there, outermost first
};
std::string fault_name(Fault::Kind kind);

struct Snapshot {
    enum class Where { entry, loop, give };
    Where where = Where::entry;
    int loop = -1; // index in Function::loops
    int call = 0;  // 0: the run itself; 1, 2, ..: recursive calls of the function under study, in order
    logic::Heap heap;
    // Pointer variables of this place that the heap does not show: freed, or without a value.
    std::vector<std::string> dead;
};

struct Run {
    Fault fault;
    bool stopped = false; // by exit, abort or a failed assert
    Value result;
    long steps = 0;
    std::vector<Snapshot> snapshots; // of the function under study, in order of time
    bool safe() const { return fault.kind == Fault::Kind::none; }
};

// REQUIRES an input that fits the function: as many parameters and globals, and fields as the records say.
// Snapshots show pointer fields, called by role. At a return, parameters stand for their values at the entry.
// Those of recursive calls show only what their arguments and globals reached at their entry and what was
// allocated since: local reasoning.
Run interpret(const Program& program, int function, const Input& input, const InterpretLimits& limits = {});

// The input as the entry's snapshot shows it.
logic::Heap input_heap(const Program& program, int function, const Input& input);

// "loop:9", "entry", "return".
std::string location_text(const Function& function, const Snapshot& snapshot);

} // namespace ggsnn::verify
