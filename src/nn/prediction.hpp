// What is asked of a model and what it answers, and the way from the outputs of an ensemble to an answer,
// which all kinds of network share.
#pragma once

#include "ggsnn/nn/beam.hpp"
#include "ggsnn/nn/dataset.hpp"
#include "ggsnn/nn/head.hpp"

#include <optional>

namespace ggsnn {

struct Prediction {
    // One list per thing predicted. Node or class: one list of probabilities over nodes or classes.
    // Sequences: one list per output, the last of them won by 'end' (the last entry) unless `capped`. Classes
    // per node: one list per node. Regression: one list of numbers, or one per node.
    std::vector<std::vector<double>> lists;
    // The most probable entry of each list, the first of equals; for sequences without 'end'.
    std::vector<int> labels;
    bool capped = false; // a sequence that did not end within the limit
    // A network's numbers ran out of single precision: it says nothing, so its probabilities are all the
    // same; numbers of a regression may not be finite.
    bool overflow = false;
    std::vector<LabelSequence> sequences; // beam search: the best sequences, `labels` being the first of them
};

struct PredictOptions {
    int steps = 0; // propagation steps; 0: as trained
    int beam = 0;  // sequences: width of a beam search; 0: greedy
    int most = 0;  // longest sequence; 0: several times the longest in training, and every node once
};

using Lists = std::vector<std::vector<double>>;

// The answer to one question, output step by output step.
class Decoder {
  public:
    // most: longest sequence.
    Decoder(AnswerKind answer, const PredictOptions& options, int most);

    // Adds what one of `members` says of graph g to the lists of this step.
    void add(const Chunk<float>& chunk, int g, const Outputs<float>& out, std::size_t members);
    void add(const float* scores, int count, std::size_t members); // a class, from its scores
    // Takes the step into the prediction; true when that is complete.
    bool take(Prediction& prediction);
    bool done() const { return done_; }

  private:
    void add_list(std::size_t i, std::size_t members);

    const Head* head_;
    bool sequence_;
    int most_, taken_ = 0;
    bool done_ = false, overflow_ = false;
    std::optional<BeamSearch> beam_;
    Lists lists_;
    std::vector<double> part_;
};

} // namespace ggsnn
