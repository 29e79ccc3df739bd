// A C program in, verdicts out.
//
// A file with `main` is judged as a whole: runs from main, and a proof of main with everything that it calls
// in its place. A file without is judged function by function, from the leaves of the call graph upwards,
// each under its precondition: given, or the weakest that was found, and printed. In both, loop invariants
// and postconditions that are not given are inferred from snapshots of runs, and proved. Where a proof fails
// with a heap that breaks a candidate, that heap becomes a snapshot and inference is run again, a few rounds.
// What the networks say decides what is tried, never what is true.
#pragma once

#include "ggsnn/verify/infer/infer.hpp"
#include "ggsnn/verify/prove/proof.hpp"
#include "ggsnn/verify/run/runs.hpp"

#include <memory>
#include <set>

namespace ggsnn::verify {

class VerdictCache;

enum class Verdict { proved, unsafe, unknown };
const char* name_of(Verdict verdict);

struct VerifyOptions {
    RunOptions runs;
    ProofOptions proof;
    int rounds = 3;                  // of refinement
    double seconds = 30;             // wall time for the whole program
    double function_seconds = 8;     // of that, for one function
    std::set<std::string> functions; // empty: all; else judged one by one, also where there is a main
    bool prove = true;               // false: infer only
    bool proof_only = false; // errors and only runs that runs show do not count: the proof alone, for tests
    bool trace = false;      // keep snapshots and what the networks said
    bool assertions = true;  // are part of what is proved
    bool cleanup = false;    // all memory must be freed before main ends: REQUIRES a main
    // Verdicts of earlier runs (cache/cache.hpp), of functions that are judged one by one; or null.
    const VerdictCache* cache = nullptr;
    int jobs = 1;       // functions at the same time; the result is the same
    bool graphs = true; // of a whole program: memory graphs first (graph/analyse.hpp)
};

struct LoopReport {
    Position position;
    std::optional<logic::Formula> invariant; // proved, or the best candidate
    bool proved = false;
    bool given = false;
    bool run_through = false;        // it needs no invariant: its course is known, round by round
    std::string function;            // that it stands in
    std::vector<std::string> facts;  // what holds there, as expressions of C
    std::vector<std::string> graphs; // that describe all memories which arrive there, in words
    std::vector<logic::Formula> candidates;
    FoundBy source = FoundBy::procedures; // of the invariant, if it was inferred
    std::vector<logic::Heap> snapshots;   // some, if asked for
    std::vector<shapes::TraceStep> trace;
    std::vector<logic::Heap> seen; // the heaps that the trace speaks of
};

struct FunctionReport {
    std::string name;
    int function = -1; // in the program
    Position position;
    Verdict verdict = Verdict::unknown;
    std::string reason; // of unsafe and unknown; empty if proved
    logic::Formula requires_;
    std::optional<logic::Formula> ensures;
    std::string written; // the contract in another verifier's notation, if it was judged under that
    bool requires_assumed = false, ensures_inferred = false;
    bool functions_given = false; // assumed: parameters that are pointers to functions are not NULL
    bool whole = false;           // main, with everything that it calls
    bool only_run = false;        // proved because the program has this one run
    bool by_graphs = false;       // proved on memory graphs
    bool cleanup = false;         // that all memory is freed at the end was judged, too
    std::vector<LoopReport> loops;
    std::vector<std::string> assumptions, warnings;
    std::optional<Run> bad_run;           // unsafe: the run, and
    std::optional<Input> bad_start;       // what it began with,
    std::optional<logic::Heap> bad_input; // as a heap
    std::optional<Failure> failure;       // unknown: where the proof failed
    std::vector<Condition> conditions;
    std::size_t runs = 0;
    double seconds = 0;
};

struct ProgramReport {
    std::string path;
    std::vector<FunctionReport> functions; // in source order
    std::vector<std::string> notes;        // functions that main does not call, comments that were skipped
    bool all_proved() const;
    bool some_unsafe() const;
};

// What found the invariant that was proved: name_of its source; "graphs" (memory graphs), "running" (none was
// needed), "given". Empty where nothing was proved.
std::string found_by(const LoopReport& loop);

// What was shown of a function that is proved, for people: no word more.
std::string claim_of(const FunctionReport& report);

// Never throws for what a program does; Error for options that name a function that is not there.
ProgramReport verify_program(const Program& program, const Inference& inference,
                             const VerifyOptions& options = {});

} // namespace ggsnn::verify
