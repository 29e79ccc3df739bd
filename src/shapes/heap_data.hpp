// Heaps with their formulas as files: one JSON object a line, a heap (logic/heap.hpp) with the key "formula".
#pragma once

#include "ggsnn/base/progress.hpp"
#include "ggsnn/base/threads.hpp"
#include "ggsnn/logic/enumerate.hpp"
#include "ggsnn/logic/sample.hpp"

#include <functional>
#include <memory>

namespace ggsnn::shapes {

struct HeapDataOptions {
    bool nested = false;
    std::size_t formulas = 327; // of the space: a fixed, stratified choice (logic::sample_shapes)
    bool cycles = false;        // the space with cycles through several names
    int graphs = 498;           // heaps a formula
    std::uint64_t seed = 1;
    logic::SampleSizes sizes;
    bool wide = false;                               // every predicate, of wide_spaces()
    logic::SplitBy split = logic::SplitBy::renaming; // by formula: as the models flat and nested were trained
};

// The space that data of this kind is drawn from: x, y, z; or x, y with nested bodies.
logic::ShapeSpace space_of(bool nested, bool cycles);
// Those of wide data, which gives each half of its formulas: flat ones over x, y, z; nested ones over x, y.
std::vector<std::vector<logic::Formula>> wide_spaces();

// Writes train.jsonl.gz, valid.jsonl.gz and test.jsonl.gz into the folder, which is made. Every heap is
// checked against its formula. Throws Error, or Interrupted.
void generate_heaps(const HeapDataOptions& options, const std::string& folder, ThreadPool& pool,
                    Progress& progress);

// The stress set, one file: heaps of the space's formulas in which some variables are NULL or the same as
// another, with the equalities in the formula, and heaps much larger than those for training (sizes times
// `scale`).
struct StressOptions {
    bool nested = false;
    std::size_t count = 2000;
    int scale = 10; // every second heap
    std::uint64_t seed = 1;
};
void generate_stress(const StressOptions& options, const std::string& path);

// The formula is shared by the lines that have the same text.
struct LabelledHeap {
    logic::Heap heap;
    std::shared_ptr<const logic::Formula> formula; // null where the line has none
    std::string group;                             // "group", or "function" and "location"; else empty
    Place place;
};

// Every line in order. Throws Error naming the place for what a heap or formula has wrong.
void read_labelled(const std::string& path, bool need_formula,
                   const std::function<void(LabelledHeap&&)>& each);

// Whether a file's first line is a heap: an object with "edges" and "variables".
bool holds_heaps(const std::string& path);

} // namespace ggsnn::shapes
