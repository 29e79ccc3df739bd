// From snapshots of one place of a program to formulas that hold in all of them: candidates for loop
// invariants and postconditions. The shapes come from the networks (src/shapes); around them stand the
// paper's deterministic procedure for `!=`, points-to where every snapshot shows one cell between names,
// doubly-linked segments where cells have `prev`, and disjunctions where one formula cannot describe all.
// Every candidate was checked on every snapshot.
#pragma once

#include "ggsnn/logic/formula.hpp"
#include "ggsnn/logic/heap.hpp"
#include "ggsnn/shapes/shape_predict.hpp"
#include "ggsnn/verify/infer/parts.hpp"

#include <string>
#include <vector>

namespace ggsnn::verify {

struct Inferred {
    std::vector<logic::Formula> candidates; // Reading::program, best first
    // What the networks said of the first group of snapshots that they were asked about, for people.
    std::vector<shapes::TraceStep> trace;
    std::vector<logic::Heap> seen; // the heaps that it speaks of
};

struct InferOptions {
    bool pure = true;   // candidates with `!=` first; else those without
    bool cases = false; // disjunctions first, which say most
    bool trace = false;
    std::size_t most = 8;       // candidates
    std::size_t snapshots = 80; // distinct ones looked at
    std::size_t disjuncts = 5;
};

class Inference {
  public:
    // Thread-safe. The shipped models, or a file's.
    Inference();
    Inference(shapes::ShapeModel flat, shapes::ShapeModel nested);

    // Snapshots are shown with the given names only; a name that some snapshot does not have is left out.
    Inferred infer(const std::vector<logic::Heap>& snapshots, const std::vector<std::string>& names,
                   const InferOptions& options = {}) const;

  private:
    shapes::ShapeModel flat_, nested_;
    shapes::NetworkDecider flat_decider_, nested_decider_;
    mutable KnownShapes known_;
};

} // namespace ggsnn::verify
