// The symbolic executor: runs a function of the intermediate language on symbolic states, path by path, from
// its entry or from the head of a loop up to the next head or return. Such a segment depends only on where it
// begins and on the contracts of what it calls, not on the formulas it is to be held to: those are compared
// with its arrivals later (proof.hpp), so many candidates cost one execution.
//
// Every dereference must be shown safe on every path that is not refuted; structures are opened where a cell
// of them is needed, and a path is split where a structure may be empty. What is not understood ends in a
// failure, never in silence.
#pragma once

#include "verify/entailments.hpp"
#include "verify/program.hpp"
#include "verify/symbolic_state.hpp"

#include <ctime>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ggsnn::verify {

// Over parameters (in both: their values when the function began), globals (requires: when it began; ensures:
// when it returned), \old(global), and in ensures \result. Both describe the whole heap that the function can
// reach: what requires covers and ensures does not has been freed.
struct Contract {
    logic::Formula requires_, ensures;
};
using Contracts = std::vector<std::optional<Contract>>; // by function

struct ProofOptions {
    bool allocation_may_fail = false; // malloc and calloc may give NULL
    logic::ProverLimits prover{.seconds = 1};
    double seconds = 10;    // processor time of one call of FunctionProof, about
    int paths = 5000;       // of one segment
    int failures = 8;       // of one segment, kept
    int weakenings = 20;    // rounds of dropping pure parts that are not kept
    int combinations = 500; // of candidates
};

// Processor time from now on.
class Deadline {
  public:
    explicit Deadline(double seconds) : seconds_(seconds), begin_(std::clock()) {}
    bool passed() const { return static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC > seconds_; }
    std::string text() const { return fmt::format("the time limit of {} s was reached", seconds_); }

  private:
    double seconds_;
    std::clock_t begin_;
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
        unknown,      // a limit, or something that is not understood
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
    logic::Verdict verdict = logic::Verdict::unknown;
};

struct Arrival {
    int loop = -1; // its head; -1: a return
    int block = 0; // from which
    Position position;
    std::vector<Turn> path;
    SymbolicState state;
};

struct Segment {
    std::vector<Arrival> arrivals;
    std::vector<Failure> failures;
    std::vector<Condition> conditions; // of calls
    std::set<int> callees;             // whose contracts were relied on
    bool allocates = false;            // relied on malloc to succeed
    bool cut = false;                  // by the time limit
};

class Executor {
  public:
    using Effects = std::vector<std::vector<char>>; // by function, by something it may do something to

    // All references must outlive the executor.
    Executor(const Program& program, int function, const Contracts& contracts, const ProofOptions& options,
             Entailments& entailments);

    static constexpr int entry = -1;
    // From the entry under requires, or from the head of a loop under its invariant.
    Segment run(int start, const logic::Formula& given, const Deadline& deadline);

    // What formulas may speak of: at a head of a loop, with the values of a state; at a return; at the entry.
    // The state is asked for values, and invents those it does not have.
    Names names_at_head(int loop, SymbolicState& state) const;
    Names names_at_return(SymbolicState& state) const;
    // Only pointers, and what the formula names.
    Names shown_names(const Names& names, const logic::Formula* formula) const;

    // A state in which nothing is known but that parameters never assigned have their first value.
    SymbolicState blank_state(bool at_entry) const;
    const Function& function() const { return function_; }
    bool assigned(int variable) const { return assigned_[static_cast<std::size_t>(variable)] != 0; }

  private:
    struct Path {
        SymbolicState state;
        int block = 0;
        std::size_t at = 0; // instruction
        std::vector<Turn> turns;
        std::size_t blocks = 0;
    };
    using States = std::vector<SymbolicState>;

    void start(int from, const logic::Formula& given);
    void enter(Path path, int block, Position position);
    void advance(Path path);
    void finish_block(Path path, const Block& block);
    void give(Path path, const Block& block);

    States execute(const Path& path, const Instruction& instruction);
    States do_assign(SymbolicState state, const Instruction& instruction);
    States do_load(const Path& path, const Instruction& instruction);
    States do_store(const Path& path, const Instruction& instruction);
    States do_allocate(SymbolicState state, const Instruction& instruction);
    States do_release(const Path& path, const Instruction& instruction);
    States do_call(const Path& path, const Instruction& instruction);

    // States in which the term held[0] has a cell; where that cannot be shown a failure is recorded.
    States access(const Path& path, SymbolicState state, const Instruction& instruction);
    void report_access(const Path& path, SymbolicState& state, const Instruction& instruction);
    bool not_of_a_variable(const Path& path, SymbolicState& state, const Instruction& instruction);
    std::string pointer_text(const Instruction& instruction) const;

    Term evaluate(SymbolicState& state, const Expression& expression) const;
    // Cases of a value that is the outcome of a comparison, for the states given back: (state, held[0]).
    States evaluate_cases(SymbolicState state, const Expression& expression) const;
    // False: the condition cannot have this truth here.
    bool assume(SymbolicState& state, const Expression& condition, bool truth) const;
    bool assume_comparison(SymbolicState& state, const Expression& condition, bool truth) const;

    // Calls (symbolic_call.cpp).
    Names call_names(const SymbolicState& state, const Function& callee) const;
    static std::set<int> footprint(const SymbolicState& state, const logic::Formula& needed);
    States frames(const Path& path, const SymbolicState& state, const Instruction& instruction,
                  const Contract& contract);
    States with_frames(const SymbolicState& state, const std::vector<logic::SymbolicHeap>& cases) const;
    bool boxes_are_safe(const Path& path, SymbolicState& rest, const Instruction& instruction);
    std::string after_call(SymbolicState state, const Instruction& instruction, const Contract& contract,
                           States& results) const;

    void fail(const Path& path, SymbolicState& state, Failure::Kind kind, Position position,
              std::string reason, std::optional<logic::Heap> model = std::nullopt);
    void give_up(Position position, std::string reason);
    bool in_time();
    Names variable_names(const SymbolicState& state) const;

    const Program& program_;
    const Function& function_;
    const Contracts& contracts_;
    const ProofOptions& options_;
    Entailments& entailments_;
    std::vector<char> assigned_;       // by variable: anywhere in the function, or a global in what it calls
    std::vector<char> boxes_;          // by variable: the address of a local that lives in a cell
    std::vector<int> loop_at_block_;   // -1: no head
    std::vector<logic::Pure> lasting_; // pure parts of the precondition
    Effects globals_changed_;          // by function, by global: also by what it calls
    Effects records_freed_; // by function, by record: cells of it given to free, also by what it calls
    Segment segment_;
    std::vector<Path> paths_;
    int path_count_ = 0;
    bool stopped_ = false;
    const Deadline* deadline_ = nullptr; // of the run
};

} // namespace ggsnn::verify
