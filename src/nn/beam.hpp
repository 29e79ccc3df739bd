// Beam search over the outputs of a sequence. An output is not fed back (the paper's appendix B), so the
// distribution of output k is the same whatever was chosen before it, and the search is exact for its width:
// it keeps the most probable unfinished sequences and all finished ones, and stops when no unfinished
// sequence can still overtake the finished ones that are wanted.
#pragma once

#include <vector>

namespace ggsnn {

struct LabelSequence {
    std::vector<int> labels; // without 'end'
    double log_probability = 0;
};

class BeamSearch {
  public:
    explicit BeamSearch(int width) : width_(width), open_(1) {}

    // Takes the distribution of the next output, whose last entry is 'end'. True when the search is over.
    bool step(const std::vector<double>& probabilities);
    bool done() const { return done_; }

    // The most probable finished sequences, at most `width` of them, best first; equal ones in order of
    // labels.
    std::vector<LabelSequence> best() const { return finished_; }

  private:
    int width_;
    std::vector<LabelSequence> open_, finished_;
    bool done_ = false;
};

} // namespace ggsnn
