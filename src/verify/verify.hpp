// A C program in, verdicts out: functions from the leaves of the call graph upwards, each run on inputs that
// satisfy its precondition, its loop invariants and postcondition inferred from the snapshots where none are
// given, and proved. Where a proof fails with a heap that breaks a candidate, that heap becomes a snapshot
// and inference is run again, a few rounds. What the networks say decides what is tried, never what is true.
#pragma once

#include "verify/infer.hpp"
#include "verify/proof.hpp"
#include "verify/runs.hpp"

#include <memory>
#include <set>

namespace ggsnn::verify {

enum class Verdict { proved, unsafe, unknown };
const char* name_of(Verdict verdict);

struct VerifyOptions {
    RunOptions runs;
    ProofOptions proof;
    int rounds = 3;                  // of refinement
    double seconds = 8;              // processor time for one function, all rounds
    std::set<std::string> functions; // empty: all
    bool prove = true;               // false: infer only
    bool trace = false;              // keep snapshots and what the networks said
};

struct LoopReport {
    Position position;
    std::optional<logic::Formula> invariant; // proved, or the best candidate
    bool proved = false;
    bool given = false;
    std::vector<logic::Formula> candidates;
    std::vector<logic::Heap> snapshots; // some, if asked for
    std::vector<shapes::TraceStep> trace;
};

struct FunctionReport {
    std::string name;
    Position position;
    Verdict verdict = Verdict::unknown;
    std::string reason; // of unsafe and unknown; empty if proved
    logic::Formula requires_;
    std::optional<logic::Formula> ensures;
    bool requires_assumed = false, ensures_inferred = false;
    std::vector<LoopReport> loops;
    std::vector<std::string> assumptions;
    std::optional<Run> bad_run;           // unsafe: the run, and
    std::optional<logic::Heap> bad_input; // what it began with
    std::optional<Failure> failure;       // unknown: where the proof failed
    std::vector<Condition> conditions;
    std::size_t runs = 0;
    double seconds = 0;
};

struct ProgramReport {
    std::string path;
    std::vector<FunctionReport> functions; // in source order
    bool all_proved() const;
};

// Never throws for what a program does; Error for options that name a function that is not there.
ProgramReport verify_program(const Program& program, const Inference& inference,
                             const VerifyOptions& options = {});

} // namespace ggsnn::verify
