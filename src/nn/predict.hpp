// Answers of a trained model: probabilities for what can be named, numbers for regression, averaged over
// the members of an ensemble.
#pragma once

#include "ggsnn/nn/model.hpp"
#include "ggsnn/nn/prediction.hpp"

#include <memory>

namespace ggsnn {

class Predictor {
  public:
    // The model must outlive it; so must pool, which may be null.
    Predictor(const Model& model, ThreadPool* pool, const PredictOptions& options = {});

    // REQUIRES data with the model's schema. Features are given and numbers told in the units of the training
    // data.
    void predict(const Dataset& data, const std::vector<const Example*>& examples,
                 std::vector<Prediction>& out) const;

  private:
    const Model& model_;
    ThreadPool* pool_;
    PredictOptions options_;
};

// What a model got right, counted from predictions.
struct Evaluation {
    long count = 0, right = 0;       // questions with an answer; whole sequences
    long steps = 0, steps_right = 0; // sequences, labels per node: single labels
    struct Part {
        long count = 0, right = 0;
        std::vector<double> absolute; // regression: sums of absolute errors, by output
        std::vector<long> present;
    };
    std::map<std::string, Part> by_question;

    void add(const Schema& schema, const Example& example, const Prediction& prediction);
    // Mean absolute errors by output, over all question types; null where no target was present.
    std::vector<double> mean_absolute() const;
    OrderedJson to_json(const Schema& schema) const;
};

} // namespace ggsnn
