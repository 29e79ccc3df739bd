// The hand-engineered baseline, reconstructed: multinomial logistic regression, or a small network with one
// hidden layer, for each decision, on the features of features.hpp. It answers the same questions as the
// networks and goes through the same search.
#pragma once

#include "ggsnn/shapes/features.hpp"
#include "ggsnn/shapes/heap_data.hpp"
#include "ggsnn/shapes/search.hpp"

namespace ggsnn::shapes {

struct BaselineOptions {
    int hidden = 0; // 0: logistic regression
    int epochs = 4;
    double learning_rate = 0.01;
    std::uint64_t seed = 1;
};

// From a feature row to scores: x W, or tanh(x V) W.
struct Scorer {
    int width = 0, hidden = 0, outputs = 1;
    std::vector<double> v, w;

    // scores[0 .. outputs); hidden_out is scratch.
    void operator()(const float* row, std::vector<double>& hidden_out, double* scores) const;
};

// One decision to learn from. A class: one row, whose scores are the classes'. A node: a row a node, one
// score each, softmax over the rows (rows_compete). Annotations: a row a node, each with scores of classes of
// its own.
struct Case {
    FeatureRows rows;
    std::vector<int> labels;
};

// Cross entropy, averaged over the labels; adds its gradient to dv and dw (as large as v and w).
double case_loss(const Scorer& scorer, const Case& c, bool rows_compete, std::vector<double>& dv,
                 std::vector<double>& dw);

class Baseline : public Decider {
  public:
    // Trains on heaps with formulas. Throws Error as derive.
    Baseline(const std::vector<LabelledHeap>& heaps, bool nested, const BaselineOptions& options);
    bool nested() const override { return nested_; }
    void decide(Decision decision, const Dataset& data, const std::vector<Question>& questions,
                std::vector<Prediction>& out) const override;

  private:
    bool nested_;
    std::array<Scorer, decision_count> scorers_;
};

} // namespace ggsnn::shapes
