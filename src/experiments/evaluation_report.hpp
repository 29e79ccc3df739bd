// The page of `ggsnn evaluate --html`: figures, the confusion matrix, curves, and the answers that were
// worst, drawn as graphs. One file that needs no other.
#pragma once

#include "ggsnn/nn/evaluation.hpp"

namespace ggsnn {

class EvaluationReport {
  public:
    // schema must outlive it.
    explicit EvaluationReport(const Schema& schema) : schema_(schema), pairs_(schema.values) {}

    // Keeps what the page shows: the worst answers, and of numbers a part that does not grow with the data.
    void add(const GraphRecord& graph, const Example& example, const Prediction& prediction);

    // result: that of the evaluation, with what the command adds.
    std::string page(const Evaluation& evaluation, const OrderedJson& result, const std::string& model,
                     const std::string& data) const;

    struct Case {
        double loss = 0; // of the question: log loss, or squared error in deviations of the training data
        GraphRecord graph;
        Example example;
        Prediction prediction;
    };
    // By falling loss, at most most_cases; of equals the first.
    const std::vector<Case>& worst() const { return worst_; }
    static constexpr std::size_t most_cases = 6;

    // (truth, answer) of one output, every stride-th so that there are at most most_pairs.
    struct Pairs {
        std::vector<std::pair<double, double>> kept;
        long seen = 0, stride = 1;
    };
    static constexpr std::size_t most_pairs = 4000;

  private:
    double loss_of(const Example& example, const Prediction& prediction) const;
    void keep_pairs(const Example& example, const Prediction& prediction);

    const Schema& schema_;
    std::vector<Case> worst_;
    std::vector<Pairs> pairs_; // by output
};

// The part of the page that shows them.
std::string worst_html(const Schema& schema, const std::vector<EvaluationReport::Case>& worst);

} // namespace ggsnn
