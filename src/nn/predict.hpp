// Answers of a trained model: probabilities for what can be named, numbers for regression, averaged over
// the members of an ensemble.
#pragma once

#include "nn/model.hpp"

#include <memory>

namespace ggsnn {

struct Prediction {
    // One list per thing predicted. Node or class: one list of probabilities over nodes or classes. Sequences:
    // one list per output, the last of them won by 'end' (the last entry) unless `capped`. Classes per node:
    // one list per node. Regression: one list of numbers, or one per node.
    std::vector<std::vector<double>> lists;
    // The most probable entry of each list, the first of equals; for sequences without 'end'.
    std::vector<int> labels;
    bool capped = false; // a sequence that did not end within the limit
};

struct PredictOptions {
    int steps = 0; // propagation steps; 0: as trained
    int most = 0;  // longest sequence; 0: several times the longest in training, and every node once
};

class Predictor {
  public:
    // The model must outlive it; so must pool, which may be null.
    Predictor(const Model& model, ThreadPool* pool, const PredictOptions& options = {});
    ~Predictor();

    // REQUIRES data read against the model's schema.
    void predict(const Dataset& data, const std::vector<const Example*>& examples, std::vector<Prediction>& out);

  private:
    struct Worker;
    void run_chunk(const Dataset& data, const std::vector<const Example*>& members, int question, Worker& worker,
                   Prediction* const* out);

    const Model& model_;
    ThreadPool* pool_;
    PredictOptions options_;
    Network<float> network_;
    Assembler<float> assembler_;
    std::vector<std::unique_ptr<Worker>> workers_;
};

// What a model got right, counted from predictions.
struct Evaluation {
    long count = 0, right = 0;                 // questions; whole sequences
    long steps = 0, steps_right = 0;           // sequences, labels per node: single labels
    std::map<std::string, std::pair<long, long>> by_question; // count, right
    std::vector<double> absolute;              // regression: sums of absolute errors, by output
    std::vector<long> present;

    void add(const Schema& schema, const Example& example, const Prediction& prediction);
    OrderedJson to_json(const Schema& schema) const;
};

} // namespace ggsnn
