// Proofs of functions: memory safety, no leak, and the postcondition, from loop invariants.
//
// Every path from the entry under the precondition, and from every head of a loop that is cut under its
// invariant and what surrounds it, must be safe, and must reach the next head in its invariant and a return
// in the postcondition. All of these describe the whole heap, so that a lost cell is a failed entailment.
// What an invariant and its surroundings do not say is not known after the head, but for the values of
// parameters that are never assigned and the pure parts of the precondition. An invariant that needs the
// first value of a parameter calls it \old(x).
//
// Where invariants come from is of no concern here: a formula is proved inductive or it is not.
#pragma once

#include "ggsnn/verify/prove/executor.hpp"

#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>

namespace ggsnn::verify {

using Invariants = std::vector<std::optional<logic::Formula>>; // by loop; with tags

struct LoopResult {
    int loop = 0;
    std::optional<logic::Formula>
        invariant;            // as proved: parts that are not kept may have been dropped; no tags
    bool proved = false;      // holds whenever the head is reached
    bool run_through = false; // its course is known: it needs no invariant
};

struct ProofResult {
    bool proved = false; // safe, without leak, and the postcondition holds, if the contracts of callees do
    std::vector<LoopResult> loops;
    std::vector<Failure> failures;     // none iff proved
    std::vector<Condition> conditions; // as they were put to the prover
    std::set<int> callees;
    std::set<std::string> assumptions; // for example that malloc succeeds
    std::set<int> blocks;              // of the function, that some path enters
};

class FunctionProof {
  public:
    // All references must outlive it. Executions and answers are kept, so that one object should serve all
    // candidates of a function.
    FunctionProof(const Program& program, int function, const Contracts& contracts,
                  const ProofOptions& options, Entailments& entailments);

    // Without invariants: every loop is run through, or it fails.
    ProofResult run_through(double seconds);
    // Tries the candidates of each loop that has to be cut, in order, with weakening (pure parts that do not
    // hold are dropped); loops in source order, a choice being undone as soon as a condition between chosen
    // ones fails. If nothing is proved: the attempt that came furthest.
    ProofResult search(const std::vector<std::vector<logic::Formula>>& candidates);

  private:
    // What begins at the entry (-1) or at a loop with an invariant.
    const PathSegment& segment(int start, const Invariants& invariants);
    // Finds what surrounds each head; false: out of time, or loops must be cut (recut_).
    bool settle(const Invariants& invariants);
    bool settle_in_order(const Invariants& invariants);
    std::tuple<int, int, int> rank(int start) const; // in which order heads are settled, one by one
    bool holds(const Arrival& arrival, const logic::Formula& formula);
    std::optional<logic::Formula> without_failing_parts(const Arrival& arrival,
                                                        const logic::Formula& formula);
    // A failure unless the formula holds on arrival.
    std::optional<Failure> compare(const Arrival& arrival, int from, const logic::Formula& formula,
                                   std::vector<Condition>* conditions);
    Names names_at(const Arrival& arrival, SymbolicState& state) const;
    std::set<TermName> left_out(const Arrival& arrival) const;

    ProofResult prove_in_time(const Invariants& invariants);
    bool weaken(Invariants& invariants);
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
    bool consistent_so_far(Invariants& chosen);
    bool out_of_time() const;
    std::vector<int> starts(const Invariants& invariants) const;
    void choose(std::size_t loop, const Invariants& chosen,
                const std::vector<std::vector<logic::Formula>>& candidates, Attempt& best);

    bool inside(int block, int loop) const;
    bool reaches(int block, int loop) const;
    void find_reaching();

    const Function& function_;
    const Contract* contract_ = nullptr;
    const ProofOptions options_;
    Entailments& entailments_;
    Executor executor_;
    struct SegmentKey {
        int start = -1;
        logic::Formula given;
        Surroundings around;
        std::vector<char> cut_loops;

        bool operator==(const SegmentKey&) const = default;
    };
    struct SegmentKeyHash {
        std::size_t operator()(const SegmentKey& key) const;
    };
    std::unordered_map<SegmentKey, std::shared_ptr<const PathSegment>, SegmentKeyHash> segments_;
    std::vector<Surroundings> surroundings_; // by loop
    std::vector<std::vector<char>> reaches_; // by loop and block
    int combinations_ = 0;
    bool one_by_one_ = false;
    bool recut_ = false; // a segment asked for further cuts: begin anew
    Deadline deadline_{0};
    std::shared_ptr<const PathSegment> last_; // the last segment that is not kept
};

} // namespace ggsnn::verify
