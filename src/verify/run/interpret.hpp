// Runs functions of the intermediate language on concrete memory, within limits, and never on the machine
// itself: calls are frames on a stack of its own, memory is blocks of its own, and every access is checked.
// On the way it takes snapshots of the heap, for the model to describe.
//
// What a program does not decide by itself (what it reads, time, random numbers, memory of other files) is
// drawn from the input's seed, and kept in the order of time, so that the run can be played back. What nobody
// decides (memory never written, floating numbers, which are not followed) is drawn too where the run needs
// it; such a run is `guessed`, and a fault at its end may be none of the program's.
#pragma once

#include "ggsnn/logic/heap.hpp"
#include "ggsnn/verify/program.hpp"
#include "ggsnn/verify/run/memory.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ggsnn::verify {

// A block that the caller has made. Bytes without an entry are anything.
struct InputBlock {
    struct Entry {
        std::int64_t offset = 0, bytes = 0;
        Value value;
    };
    std::int64_t size = 0;
    int record = -1; // Program::records
    MemoryBlock::Kind kind = MemoryBlock::Kind::heap;
    MemoryBlock::State state = MemoryBlock::State::live;
    std::vector<Entry> contents;
};

// Where a run starts. Pointers lead to blocks[i] (Value::of_pointer(i)) or to globals (Value::of_global(g)).
struct Input {
    std::vector<InputBlock> blocks{1}; // blocks[0] stands for NULL and is not looked at
    std::vector<Value> parameters;     // of main: may be left out, and are drawn then
    // Globals hold what the program says at its start, except for these. anything: whatever is not constant
    // holds anything, but for the contents that are listed.
    bool anything = false;
    struct Content {
        int global = -1;
        InputBlock::Entry entry;
    };
    std::vector<Content> globals;
    std::uint64_t seed = 1; // of what is drawn
    // What numbers of the library are, in order of time; those behind its end are drawn.
    std::vector<std::int64_t> script;
};

struct InterpretLimits {
    long steps = 200'000;         // instructions, jumps, and each 16 bytes that are moved at once
    int blocks = 20'000;          // of memory
    std::int64_t bytes = 1 << 22; // that were written
    int depth = 2'000;            // calls
    int nesting = 20;             // of functions that the library calls back
    int snapshots = 40;           // at one place of one call; the last one is always kept
    int calls = 30;               // recursive calls of the function under study that snapshots are taken of
    int fail_allocation = -1;     // this allocation (from 0) gives NULL; -1: none does
    bool take_snapshots = true;
    // Memory and variables that were never written hold numbers, drawn when they are first looked at, and
    // kept: no guess is needed then, and every run is one that a machine could make.
    bool draw_unwritten = false;
    bool assertions = true; // one that fails is a fault; otherwise the program just ends there
    bool cleanup = false;   // of a program: what is not freed at its end is a fault, whatever leads to it
    std::size_t film = 0;   // so many pictures are kept of the last lines that were reached; 0: none
    std::optional<std::chrono::steady_clock::time_point> deadline;
};

struct Fault {
    enum class Kind {
        none,
        null_dereference,
        use_after_free,
        use_after_scope,          // of a local after its scope or its function's return
        out_of_bounds,            // of a live block
        dangling_dereference,     // no block is there, and never was
        undetermined_dereference, // through a pointer that was never given a value
        double_free,
        bad_free,          // of what is not from malloc, or not its beginning
        write_to_constant, // string literals, const objects
        leak,
        not_freed,        // a block that is still led to when the program ends, where all must be freed
        lost,             // a block of the caller that nothing leads to any more: a warning
        failed_assertion, // assert, reach_error
        division,         // by zero, or of the least number by -1
        endless_text,     // no zero byte before the end of the block
        overlap,          // memcpy, strcpy between places that overlap
        bad_handle,       // a FILE that is closed, or none
        unreachable,      // __builtin_unreachable and the like
        limit,            // steps, blocks or calls: no answer
        refused,          // something that is not followed: no answer
        external,         // a function without a body was called: no answer
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
// What SV-COMP calls it: valid-deref, valid-free, valid-memtrack, valid-memcleanup; empty for errors of other
// kinds.
std::string property_of(Fault::Kind kind);
// An error of the program; not none, a warning, or no answer.
bool is_error(Fault::Kind kind);
bool is_no_answer(Fault::Kind kind);

struct Snapshot {
    enum class Where { entry, loop, give };
    Where where = Where::entry;
    int loop = -1; // index in Function::loops
    int call = 0;  // 0: the run itself; 1, 2, ..: recursive calls of the function under study, in order
    logic::Heap heap;
    // Pointer variables of this place that the heap does not show: freed, or without a value.
    std::vector<std::string> dead;
};

// Something that was drawn.
struct Choice {
    std::string what; // the function of the library; "memory": bytes of the input or of a global
    Position position;
    std::int64_t value = 0;  // a result
    std::string bytes;       // or what was written: by the function, or where `block` says
    int block = 0;           // memory
    std::int64_t offset = 0; // memory
};

// The heap when a line was reached, with the variables of its function.
struct FilmFrame {
    int function = -1;
    Position position;
    logic::Heap heap;
    std::vector<std::string> dead; // variables that the heap does not show: freed, or without a value
    std::vector<int> blocks;       // by node: the same number is the same block throughout; 0: no block
};

struct Run {
    Fault fault;
    std::deque<FilmFrame> film; // if asked for
    bool stopped = false;       // by exit or abort
    bool excluded = false;      // by __VERIFIER_assume: the run does not count
    // Nothing was drawn: every run of this function from this input is this one.
    bool deterministic = true;
    bool guessed = false; // something was drawn that a machine would have decided: a fault may be none
    int guesses = 0;      // one alone, about memory never written, leaves a use of such a pointer an error
    Position guess_at;    // the first of them
    int unwritten = 0;    // numbers that were drawn for what was never written
    int allocations = 0;
    Value result;
    long steps = 0;
    std::vector<Choice> choices;
    std::vector<Snapshot> snapshots; // of the function under study, in order of time
    std::vector<char> reached;       // by block of the function under study
    bool safe() const { return fault.kind == Fault::Kind::none; }
};

// REQUIRES an input that fits the function. Snapshots show pointer fields, called by role; see picture.hpp
// for what else they show. At a return, parameters stand for their values at the entry. Those of recursive
// calls show only what their arguments and globals reached at their entry and what was allocated since: local
// reasoning. Of main: constructors run first; what atexit registered, and destructors, run last.
Run interpret(const Program& program, int function, const Input& input, const InterpretLimits& limits = {});

// The input as the entry's snapshot shows it.
logic::Heap input_heap(const Program& program, int function, const Input& input);

// "loop:9", "entry", "return".
std::string location_text(const Function& function, const Snapshot& snapshot);

} // namespace ggsnn::verify
