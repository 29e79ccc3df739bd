// Proofs of functions: memory safety, no leak, and the postcondition, from loop invariants.
//
// Every path from the entry under the precondition, and from every loop head under its invariant, must be
// safe, and must reach the next head in its invariant and a return in the postcondition. All of these
// describe the whole heap, so that a lost cell is a failed entailment. What an invariant does not say is not
// known after its head, but for the values of parameters that are never assigned and the pure parts of the
// precondition. An invariant that needs the first value of a parameter calls it \old(x).
//
// Where invariants come from is of no concern here: a formula is proved inductive or it is not.
#pragma once

#include "verify/symbolic.hpp"

#include <map>
#include <memory>

namespace ggsnn::verify {

using Invariants = std::vector<std::optional<logic::Formula>>; // by loop

struct LoopResult {
    int loop = 0;
    std::optional<logic::Formula> invariant; // as proved: parts that are not kept may have been dropped
    bool proved = false;                     // holds whenever the head is reached
};

struct ProofResult {
    bool proved = false; // safe, without leak, and the postcondition holds, if the contracts of callees do
    std::vector<LoopResult> loops;
    std::vector<Failure> failures;     // none iff proved
    std::vector<Condition> conditions; // as they were put to the prover
    std::set<int> callees;
    std::vector<std::string> assumptions; // for example that malloc succeeds
};

// One loop under a candidate, the others under theirs. Paths that reach a head without an invariant are not
// looked at beyond it, and what fails before the loop is reached is not its concern: prove() has the last
// word.
struct LoopCheck {
    logic::Formula invariant; // the candidate, perhaps with pure parts dropped
    bool established = false; // on every arrival from outside
    bool preserved = false;   // after every round, and the round is safe
    bool sufficient = false;  // what comes after it, up to the next head or return, is safe and holds
    bool proved() const { return established && preserved && sufficient; }
    std::vector<Failure> failures;
};

class FunctionProof {
  public:
    // All references must outlive it. Executions and answers are kept, so that one object should serve all
    // candidates of a function.
    FunctionProof(const Program& program, int function, const Contracts& contracts,
                  const ProofOptions& options, Entailments& entailments);

    // With exactly these invariants.
    ProofResult prove(const Invariants& invariants);
    // weaken: pure parts of the candidate that do not hold are dropped.
    LoopCheck check_loop(int loop, const logic::Formula& candidate, const Invariants& others, bool weaken);
    // Drops pure parts of the invariants until all that are given hold on all arrivals. False: that is not
    // enough (the invariants are then of no use).
    bool weaken(Invariants& invariants);
    // Tries the candidates of each loop, in order, with weakening; loops in source order, a choice being
    // undone as soon as a condition between chosen ones fails. If nothing is proved: the attempt that came
    // furthest.
    ProofResult search(const std::vector<std::vector<logic::Formula>>& candidates);

  private:
    // What begins at the entry (-1) or at a loop with an invariant.
    const Segment& segment(int start, const Invariants& invariants);
    bool holds(const Arrival& arrival, const logic::Formula& formula);
    std::optional<logic::Formula> without_failing_parts(const Arrival& arrival,
                                                        const logic::Formula& formula);
    // A failure unless the formula holds on arrival.
    std::optional<Failure> compare(const Arrival& arrival, int from, const logic::Formula& formula,
                                   std::vector<Condition>* conditions);
    Names names_at(const Arrival& arrival, SymbolicState& state) const;

    ProofResult prove_in_time(const Invariants& invariants);
    bool weaken_in_time(Invariants& invariants);
    std::optional<Failure> objection();
    const logic::Formula* wanted_at(const Arrival& arrival, const Invariants& invariants) const;
    void visit(int start, const Invariants& invariants, ProofResult& result);
    void judge_loops(const Invariants& invariants, ProofResult& result) const;
    // The choice of candidates that came furthest.
    struct Attempt {
        Invariants invariants;
        std::size_t depth = 0; // loops chosen
        bool done = false;
    };
    bool weaken_at(int loop, Invariants& invariants);
    bool consistent_so_far(Invariants& chosen);
    bool out_of_time() const;
    std::vector<int> starts(const Invariants& invariants) const;
    void choose(std::size_t loop, const Invariants& chosen,
                const std::vector<std::vector<logic::Formula>>& candidates, Attempt& best);

    void find_nesting();
    bool reaches(int block, int loop) const;
    bool inside(int block, int loop) const;

    const Function& function_;
    const Contract* contract_ = nullptr;
    const ProofOptions options_;
    Entailments& entailments_;
    Executor executor_;
    std::map<std::string, std::shared_ptr<const Segment>> segments_; // by start and formula
    std::vector<std::vector<char>> reaches_, inside_;                // by loop and block
    int combinations_ = 0;
    Deadline deadline_{0};
    std::shared_ptr<const Segment> cut_; // the last segment that the time limit cut
};

// search() with the invariants of the program text first.
ProofResult prove_function(const Program& program, int function, const Contracts& contracts,
                           const std::vector<std::vector<logic::Formula>>& candidates,
                           const ProofOptions& options = {});

} // namespace ggsnn::verify
