// The symbolic executor: runs a function of the intermediate language on symbolic states, path by path, from
// its entry or from the head of a loop up to the next head or return. Loops whose course is decided by what
// is known are run through, round by round; the others are cut at their heads. A segment depends only on
// where it begins, what is known there, and the contracts of what it calls; formulas are compared with its
// arrivals later (proof.hpp), so many candidates cost one execution.
//
// Every access must be shown safe on every path that is not refuted; structures are opened where a cell of
// them is needed, and a path is split where a structure may be empty. What is not understood ends in a
// failure, never in silence.
#pragma once

#include "ggsnn/verify/library.hpp"
#include "ggsnn/verify/prove/deadline.hpp"
#include "ggsnn/verify/prove/entailments.hpp"
#include "ggsnn/verify/prove/state.hpp"
#include "ggsnn/verify/prove/surroundings.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ggsnn::verify {

// \old(name): how a formula speaks of the value that a variable had when the function began.
std::string old_name(const std::string& name);

// With tags. Over parameters (in both: their values when the function began), globals (requires: when it
// began; ensures: when it returned), \old(global), and in ensures \result. Both describe the whole heap that
// the function can reach: what requires covers and ensures does not has been freed.
struct Contract {
    logic::Formula requires_, ensures;

    bool operator==(const Contract&) const = default;
};
using Contracts = std::vector<std::optional<Contract>>; // by function

struct ProofOptions {
    bool allocation_may_fail = false; // malloc and calloc may give NULL
    bool assertions = true;           // must hold; otherwise the program just ends where one fails
    bool cleanup = false;             // all memory must be freed before the program ends
    bool whole_program = false; // the function is main, with everything inlined: memory begins as initialised
    logic::ProverLimits prover{.seconds = 1};
    double seconds = 10;    // wall time of one call of FunctionProof, about
    int paths = 3000;       // of one segment
    int failures = 8;       // of one segment, kept
    int weakenings = 20;    // rounds of dropping pure parts that are not kept
    int combinations = 500; // of candidates
    int rounds = 1200;      // of a loop that is run through, on one path
    int open_rounds = 0;    // of those, with the loop's end not decided; then it is cut
};

// A branch on a path: its line, and whether the condition held.
struct Turn {
    int line = 0;
    bool taken = false;
};

struct Failure {
    enum class Kind {
        memory_error,
        not_established, // an invariant does not hold when its loop is reached
        not_preserved,   // nor after a round
        postcondition,
        leak,
        precondition, // of a call
        assertion,
        unknown, // a limit, or something that is not understood
    };
    Kind kind = Kind::unknown;
    Position position;
    std::string reason;
    int block = 0;                      // where it happened
    int loop = -1;                      // not_established, not_preserved; leak at a head
    logic::SymbolicHeap state;          // over program variables
    std::vector<Turn> path;             // from the entry or the head on
    std::optional<logic::Heap> counter; // a heap of that state (of a condition: one that breaks it)
};
const char* kind_text(Failure::Kind kind);

// A condition that was put to the prover.
struct Condition {
    enum class Kind { established, preserved, postcondition, precondition };
    Kind kind = Kind::postcondition;
    Position position;
    int loop = -1; // the loop whose invariant is to hold
    std::vector<Turn> path;
    logic::SymbolicHeap left; // over program variables
    logic::Formula right;     // as written in the invariant or contract
    logic::Validity verdict = logic::Validity::unknown;
};

struct Arrival {
    int loop = -1; // its head; -1: a return
    int block = 0; // from which
    Position position;
    std::vector<Turn> path;
    SymbolicState state;
};

struct PathSegment {
    std::vector<Arrival> arrivals;
    std::vector<Failure> failures;
    std::vector<Condition> conditions; // of calls
    std::set<int> callees;             // whose contracts were relied on
    std::set<std::string> assumptions; // relied on: that malloc succeeds, that a function without a body ...
    std::set<int> blocks;              // that were entered
    std::set<int> to_cut;              // loops whose end is not decided: nothing else counts then
    bool cut = false;                  // by the time limit
};

class Executor {
  public:
    // All references must outlive the executor.
    Executor(const Program& program, int function, const Contracts& contracts, const ProofOptions& options,
             Entailments& entailments);

    static constexpr int entry = -1;
    // From the entry under requires, or from the head of a loop under its invariant and what surrounds it.
    PathSegment run(int start, const logic::Formula& given, const Surroundings* surroundings,
                    const Deadline& deadline);

    // Loops that are cut at their heads, by loop. The others are run through.
    std::vector<char> cut_loops;
    int open_rounds = 0; // see ProofOptions

    // What formulas may speak of: at a head of a loop, with the values of a state; at a return; at the entry.
    // The state is asked for values, and invents those it does not have.
    Names names_at_head(int loop, SymbolicState& state) const;
    Names names_at_return(SymbolicState& state) const;
    // Only pointers, and what the formula names.
    Names shown_names(const Names& names, const logic::Formula* formula) const;

    const Function& function() const { return function_; }
    const Program& program() const { return program_; }
    bool assigned(int variable) const { return assigned_[static_cast<std::size_t>(variable)] != 0; }
    const std::vector<std::int64_t>& thresholds() const { return thresholds_; }

  private:
    struct Path {
        SymbolicState state;
        int block = 0;
        std::size_t at = 0; // instruction
        std::vector<Turn> turns;
        std::vector<int> rounds, open; // by loop that is run through
        std::size_t steps = 0;
    };
    using States = std::vector<SymbolicState>;
    using Kind = Instruction::Kind;

    void start(int from, const logic::Formula& given, const Surroundings* surroundings);
    SymbolicState blank_state(bool at_entry) const;
    void add_globals(SymbolicState& state, bool initial) const;
    void fill_global(SymbolicState& state, int global, bool initial) const;
    void enter(Path path, int block, Position position);
    void advance(Path path);
    void finish_block(Path path, const Block& block);
    void fork(Path& path, std::size_t ways);
    void leave_function(Path path, const Block& block);
    void add_object_names(const SymbolicState& state, const Object& object, const TermName& root,
                          Names& names) const;

    States execute(const Path& path, const Instruction& i);

    // Values (executor_values.cpp).
    SymbolicValue evaluate(SymbolicState& state, const Operand& operand) const;
    Interval range(const SymbolicState& state, const SymbolicValue& value) const;
    SymbolicValue compute(SymbolicState& state, const Instruction& i, const SymbolicValue& a,
                          const SymbolicValue& b) const;
    SymbolicValue arithmetic(SymbolicState& state, Operator op, int bits, const SymbolicValue& a,
                             const SymbolicValue& b) const;
    SymbolicValue converted(SymbolicState& state, Operator op, int from, int to,
                            const SymbolicValue& a) const;
    SymbolicValue compare(SymbolicState& state, Operator op, int bits, const SymbolicValue& a,
                          const SymbolicValue& b) const;
    std::optional<bool> decided(const SymbolicState& state, Operator op, const SymbolicValue& a,
                                const SymbolicValue& b) const;
    bool assume_truth(SymbolicState& state, const SymbolicValue& condition, bool truth) const;
    bool assume_comparison(SymbolicState& state, const Comparison& comparison, bool truth) const;
    bool assume_order(SymbolicState& state, Operator op, const SymbolicValue& a,
                      const SymbolicValue& b) const;
    SymbolicValue moved(SymbolicState& state, const SymbolicValue& base, std::int64_t bytes) const;
    SymbolicValue moved(SymbolicState& state, const SymbolicValue& base, const SymbolicValue& index,
                        std::int64_t scale) const;

    // Memory (executor_memory.cpp). Work on SymbolicState::held.
    enum class Use { read, write, release };
    // States in which held[which] leads to a block with so many bytes from there on; failures for the others.
    States access(const Path& path, SymbolicState state, const Instruction& i, std::size_t which,
                  Interval bytes, Use use);
    bool within(const Path& path, SymbolicState& state, const Instruction& i, std::size_t which,
                Interval bytes, Use use, States& open, States& found);
    void report_access(const Path& path, SymbolicState& state, const Instruction& i, std::size_t which,
                       Use use);
    std::string pointer_text(const SymbolicState& state, const Instruction& i, std::size_t which) const;
    States do_load(const Path& path, const Instruction& i);
    States do_store(const Path& path, const Instruction& i);
    States do_move(const Path& path, const Instruction& i);
    States do_fill(const Path& path, const Instruction& i);
    States do_local(const Path& path, const Instruction& i);
    States end_object(const Path& path, SymbolicState state, const Instruction& i, int object);
    States copied(const Path& path, SymbolicState state, const Instruction& i, Interval bytes,
                  bool may_overlap);
    static void copy_contents(SymbolicState& state, int from, std::int64_t from_offset, int to,
                              std::int64_t to_offset, std::int64_t bytes);
    States release(const Path& path, SymbolicState state, const Instruction& i, std::size_t which);
    bool not_an_object(const Path& path, SymbolicState& state, const Instruction& i, std::size_t which);
    States allocated(const Path& path, SymbolicState state, const Instruction& i,
                     std::optional<std::int64_t> size, SymbolicBlock::Rest rest, SymbolicValue& result);

    // The C library (executor_library.cpp).
    States do_library(const Path& path, const Instruction& i);
    States do_special(const Path& path, SymbolicState state, const Instruction& i, const LibraryFunction& f);
    States check_accesses(const Path& path, SymbolicState state, const Instruction& i,
                          const LibraryFunction& f);
    States one_access(const Path& path, SymbolicState state, const Instruction& i, const Access& access);
    std::optional<Interval> extent(const SymbolicState& state, const Extent& extent) const;
    // Bounds of the length of the text that held[which] leads to, without its end; nothing if none is sure.
    std::optional<Interval> text_length(const SymbolicState& state, const SymbolicValue& value) const;
    std::optional<std::string> constant_text(const SymbolicState& state, const SymbolicValue& value) const;
    States text_argument(const Path& path, SymbolicState state, const Instruction& i, std::size_t which);
    States print(const Path& path, SymbolicState state, const Instruction& i, const LibraryFunction& f);
    States print_into(const Path& path, SymbolicState state, const Instruction& i, const LibraryFunction& f);
    States scan(const Path& path, SymbolicState state, const Instruction& i, const LibraryFunction& f);
    States copy_text(const Path& path, SymbolicState state, const Instruction& i, bool append);
    States read_line(const Path& path, SymbolicState state, const Instruction& i, const LibraryFunction& f);
    States duplicate(const Path& path, SymbolicState state, const Instruction& i);
    States reallocate(const Path& path, SymbolicState state, const Instruction& i);
    States library_result(const Path& path, States states, const Instruction& i, const LibraryFunction& f);
    void library_place(SymbolicState& state, const Instruction& i, const LibraryFunction& f) const;
    States do_external(const Path& path, const Instruction& i);
    void stop_here(const Path& path, SymbolicState& state, const Instruction& i);
    static void set_result(SymbolicState& state, const Instruction& i, const SymbolicValue& value);
    void unknown_results(SymbolicState& state, const Instruction& i) const;

    // Leaks at the end of the program: blocks and structures that nothing leads to.
    void look_for_leaks(const Path& path, SymbolicState& state, Position position, bool variables_count);
    // With ProofOptions::cleanup: blocks and structures that are there, whatever leads to them. False: there
    // may be some.
    bool nothing_left(const Path& path, SymbolicState& state, Position position, const std::string& reason);
    void break_off(const Path& path, SymbolicState& state, Position position);

    // Calls (executor_call.cpp).
    States do_call(const Path& path, const Instruction& i);
    Names call_names(SymbolicState& state, const Function& callee) const;
    static std::set<int> footprint(const logic::SymbolicHeap& left, const logic::Formula& needed);
    States frames(const Path& path, const SymbolicState& state, const Instruction& i,
                  const Contract& contract);
    std::optional<SymbolicState> without(const SymbolicState& state, const logic::SymbolicHeap& kept) const;
    std::string after_call(SymbolicState state, const SymbolicState& before, const Instruction& i,
                           const Contract& contract, States& results) const;

    void fail(const Path& path, SymbolicState& state, Failure::Kind kind, Position position,
              std::string reason, std::optional<logic::Heap> model = std::nullopt);
    void give_up(Position position, std::string reason);
    bool possible(const SymbolicState& state); // not refuted
    bool in_time();
    Names variable_names(const SymbolicState& state) const;

    const Program& program_;
    const Function& function_;
    const Contracts& contracts_;
    const ProofOptions& options_;
    Entailments& entailments_;
    std::vector<char> assigned_;     // by variable: anywhere in the function
    std::vector<int> loop_at_block_; // -1: no head
    std::vector<char>
        used_globals_; // by global: it, or what leads to it, is named in the function or callees
    std::vector<std::vector<char>>
        changed_globals_;              // by function, by global: it may be written, also by callees
    std::vector<char> may_free_;       // by function: also by callees
    std::vector<logic::Pure> lasting_; // pure parts of the precondition
    std::vector<std::int64_t> thresholds_;
    PathSegment segment_;
    std::vector<Path> paths_;
    int path_count_ = 0;
    bool stopped_ = false;
    const Deadline* deadline_ = nullptr; // of the run
};

} // namespace ggsnn::verify
