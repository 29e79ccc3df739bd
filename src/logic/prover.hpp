// The prover: entailment and satisfiability of symbolic heaps with inductive definitions.
//
// To prove L |- R1 \/ .. \/ Rk, the left side is closed under what follows from it (state.hpp), and the atoms
// of one Ri are subtracted from it one by one (subtract.hpp). Where subtraction is stuck because the left
// side leaves something open (are two names equal? is a list empty?), the left side is split on just that,
// and both cases are proved. Where nothing is left to split, a concrete heap is built from the left side
// (model.hpp); if the satisfaction check confirms that it satisfies the left side and not the right, the
// entailment is invalid. If not, the answer is unknown. Lists are composed by the lemma at Segment
// (definitions.hpp), not by induction. For equalities, disequalities, cells and plain `ls` on both sides
// without existentials and with one disjunct on the right this decides every problem (Berdine, Calcagno,
// O'Hearn 2004 give the small models that show why; tests compare with enumeration).
#pragma once

#include "ggsnn/logic/budget.hpp"
#include "ggsnn/logic/definitions.hpp"
#include "ggsnn/logic/heap.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ggsnn::logic {

enum class Validity { valid, invalid, unknown };

struct Answer {
    Validity verdict = Validity::unknown;
    std::string reason;                // unknown: why
    bool out_of_work = false;          // unknown: the limit of work was the reason
    std::optional<Heap> counter;       // invalid: satisfies the left side and not the right, checked
    std::uint64_t splits = 0;          // cases looked at
    std::string numbers;               // invalid, with integers: those of names, and of cells ("1.val=3")
    std::vector<std::string> labels{}; // of nodes of the counter-heap: their integers, for heap_svg
    std::string proof{}; // valid, where it was asked for and found: for the checker (src/checker)
};

// How an entailment was proved, for people: the cases that were looked at, each below the one that was split.
struct ProofStep {
    int parent = -1;     // its number; -1: a disjunct of the left side
    std::string because; // what this case assumes: "x = y", "ls(x, y) is empty"
    std::string state;   // what is known in it, as a formula
    std::string outcome; // "no such heap", "every part is found", "split on ..", "a counter-model", "open"
};
struct ProofTree {
    static constexpr std::size_t most = 400; // steps that are kept
    std::vector<ProofStep> steps;            // parents before children
    bool cut = false;                        // there were more
};

// The time of compiling counts, and once a limit is reached the answer is unknown, a few tenths of a second
// later at most.
//
// problem.left |- problem.right. An empty right side is false: then `valid` says the left side is
// unsatisfiable, and `invalid` carries a model of it. Never throws for what a problem contains.
// tree: filled if it is given.
Answer prove(const Problem& problem, const ProverLimits& limits = {}, ProofTree* tree = nullptr);

Answer prove(const Formula& left, const Formula& right, const ProverLimits& limits = {},
             ProofTree* tree = nullptr);
// left |- right * true: right holds on a part of every heap of left.
Answer prove_on_a_part(const Formula& left, const Formula& right, const ProverLimits& limits = {});

// valid: no heap satisfies it; invalid: counter is a model.
Answer refute(const Formula& formula, const ProverLimits& limits = {});

// left |- right * rest for some rest. valid: every heap of left is one of some case * one of right on other
// cells, where a case holds what is known in it besides (equalities, disequalities). invalid: the
// counter-heap satisfies left, and no part of it satisfies right. REQUIRES that left has no existentials;
// those of a case are cells met inside structures.
struct FrameAnswer {
    Validity verdict = Validity::unknown;
    std::string reason;
    std::optional<Heap> counter;
    std::vector<SymbolicHeap> cases;
};
FrameAnswer infer_frame(const SymbolicHeap& left, const Formula& right, const ProverLimits& limits = {});

} // namespace ggsnn::logic
