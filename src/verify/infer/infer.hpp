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

// Where a formula comes from. The networks' formulas are read with structures that may be empty, and with
// `!=` between names added where all heaps keep it; what is changed beyond that is the work of procedures.
enum class FoundBy {
    network,      // the greedy run of the networks of ls and tree
    search,       // their search, with the satisfaction check
    wide_network, // the networks of every predicate, asked where the others have no formula that holds
    wide_search,
    procedures, // points-to, links back, cells taken out, disjunctions, weakening in the proof, emp
};
const char* name_of(FoundBy source); // network, search, wide network, wide search, procedures

struct Inferred {
    std::vector<logic::Formula> candidates; // Reading::program, best first
    std::vector<FoundBy> sources;           // of the candidates
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
    Inference(shapes::ShapeModel flat, shapes::ShapeModel nested, shapes::ShapeModel wide);

    // Snapshots are shown with the given names only; a name that some snapshot does not have is left out.
    Inferred infer(const std::vector<logic::Heap>& snapshots, const std::vector<std::string>& names,
                   const InferOptions& options = {}) const;

  private:
    shapes::ShapeModel flat_, nested_, wide_;
    shapes::NetworkDecider flat_decider_, nested_decider_, wide_decider_;
    mutable KnownShapes known_;
};

} // namespace ggsnn::verify
