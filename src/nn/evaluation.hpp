// What a model got right, measured from its predictions: counts by question type, and what else is usual for
// the kind of answer (metrics.hpp). Accuracy is by what is asked: by question, by labelled node where every
// node has a class, by whole sequence (and beside it by output).
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/nn/metrics.hpp"
#include "ggsnn/nn/prediction.hpp"

#include <functional>

namespace ggsnn {

class Evaluation {
  public:
    struct Part {
        long count = 0, right = 0;         // questions with an answer; with all of it right
        long steps = 0, steps_right = 0;   // sequences: outputs and 'end'; classes of nodes: labelled nodes
        std::vector<NumberErrors> numbers; // regression, by output
        void add(const Part& other);
    };

    // schema must outlive it: that of the model.
    explicit Evaluation(const Schema& schema);

    // Questions without an answer are not counted. REQUIRES an example read against the schema.
    void add(const Example& example, const Prediction& prediction);

    // A question of this type whose answer no network of this schema can give: counted, and not right.
    void add_impossible(const std::string& question_type);

    const Schema& schema() const { return schema_; }
    const Part& all() const { return all_; }
    const std::map<std::string, Part>& by_question() const { return by_question_; }

    // Right over asked, by what is asked; NaN for regression and where nothing was asked.
    double accuracy(const Part& part) const;

    // Classes of every kind; a sequence's outputs count position by position as long as both have one, 'end'
    // being a class of its own, the last.
    bool has_confusion() const { return has_classes(schema_.answer); }
    const Confusion& confusion() const { return confusion_; }
    std::string class_name(int c) const;
    // One class against the rest. Empty where there are more than most_ranked classes: scores of all things
    // are kept for it.
    std::vector<Ranking> rankings() const;
    static constexpr int most_ranked = 1000;

    // Labels of any kind: means over all that were answered; NaN for regression.
    double mean_log_loss() const;
    double mean_reciprocal_rank() const; // nodes
    const Calibration& calibration() const { return calibration_; }

    // Documented in docs/evaluation.md. NaN is null.
    OrderedJson to_json() const;

  private:
    void add_numbers(const Example& example, const Prediction& prediction, Part& part) const;
    void add_labels(const Example& example, const Prediction& prediction, Part& part);
    void add_label(int truth, int answer, const std::vector<double>& list);
    OrderedJson part_json(const Part& part) const;
    void add_class_json(OrderedJson& out) const;

    const Schema& schema_;
    Part all_;
    std::map<std::string, Part> by_question_;
    Confusion confusion_;
    Calibration calibration_;
    double log_loss_ = 0, reciprocal_ = 0;
    long labels_ = 0;            // that were answered
    std::vector<double> scores_; // labels_ x classes
    std::vector<int> truths_;    // of their rows
};

// The labels of an answer beside what was said: (truth, answer, list of probabilities) for each that has all
// three. Outputs of a sequence end where either does.
void for_labels(const Schema& schema, const Example& example, const Prediction& prediction,
                const std::function<void(int truth, int answer, const std::vector<double>& list)>& body);

// Null where it is no number.
OrderedJson number_or_null(double value);

} // namespace ggsnn
