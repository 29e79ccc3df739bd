// Snapshots as the networks are asked about them. What hangs together is described together: a heap whose
// structures share no cell and no link is taken apart, each part is put to the networks alone, and the whole
// is the separating conjunction of what they say. Work then grows with the number of structures instead of
// with its square, and the networks see heaps of the size that they were trained on.
//
// Answers are kept by what was asked, up to the names of variables: the lists that a loop leaves alone look
// the same at the next loop, and in the next function.
#pragma once

#include "ggsnn/shapes/shape_predict.hpp"

#include <mutex>
#include <string>
#include <unordered_map>

namespace ggsnn::verify {

// Answers that were given. Thread-safe.
class KnownShapes {
  public:
    bool find(const std::string& question, shapes::ShapeAnswer& answer) const;
    void keep(const std::string& question, const shapes::ShapeAnswer& answer);

  private:
    mutable std::mutex mutex_;
    std::unordered_map<std::string, shapes::ShapeAnswer> answers_;
};

// A part of a group of heaps: its names, sorted, and for each heap what belongs to them.
struct HeapPart {
    std::vector<std::string> names;
    std::vector<logic::Heap> heaps;
};

// The parts of a group, in the order of their first names; nulls: names that are NULL in every heap, which
// belong to none. A single part if some cells belong to no name. REQUIRES the same names in all heaps.
std::vector<HeapPart> parts_of(const shapes::Group& group, std::vector<std::string>& nulls);

class PartPredictor {
  public:
    // All must outlive it.
    PartPredictor(const shapes::Decider& decider, const shapes::ShapeOptions& options, KnownShapes& known);

    // `alone`, `checked` and `others` of each group, and what a trace of `checked` speaks of.
    std::vector<shapes::ShapeAnswer> predict(const std::vector<shapes::Group>& groups) const;

  private:
    shapes::ShapeAnswer whole(const shapes::Group& group) const;
    shapes::ShapeAnswer ask(const std::vector<logic::Heap>& heaps) const;

    const shapes::Decider& decider_;
    const shapes::ShapeOptions options_;
    shapes::ShapePredictor predictor_;
    KnownShapes& known_;
};

} // namespace ggsnn::verify
