// Answers of a trained model: probabilities for what can be named, numbers for regression, averaged over
// the members of an ensemble.
#pragma once

#include "nn/architecture.hpp"
#include "nn/model.hpp"

#include <memory>

namespace ggsnn {

class Predictor {
  public:
    // The model must outlive it; so must pool, which may be null.
    Predictor(const Model& model, ThreadPool* pool, const PredictOptions& options = {});

    // REQUIRES data read against the model's schema.
    void predict(const Dataset& data, const std::vector<const Example*>& examples,
                 std::vector<Prediction>& out) const;

  private:
    const Model& model_;
    ThreadPool* pool_;
    PredictOptions options_;
    std::unique_ptr<Architecture> architecture_;
};

// What a model got right, counted from predictions.
struct Evaluation {
    long count = 0, right = 0;                                // questions; whole sequences
    long steps = 0, steps_right = 0;                          // sequences, labels per node: single labels
    std::map<std::string, std::pair<long, long>> by_question; // count, right
    std::vector<double> absolute; // regression: sums of absolute errors, by output
    std::vector<long> present;

    void add(const Schema& schema, const Example& example, const Prediction& prediction);
    OrderedJson to_json(const Schema& schema) const;
};

} // namespace ggsnn
