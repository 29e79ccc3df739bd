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

} // namespace ggsnn
