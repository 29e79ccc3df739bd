// What answers are measured by, each on its own, so that it can be held to its definition: classes by
// confusion, areas under curves and calibration; numbers by their errors. A figure that does not exist (no
// class of that name, one value alone) is NaN here, and null or `-` wherever it is shown.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace ggsnn {

// Counts of (true class, predicted class).
class Confusion {
  public:
    explicit Confusion(int classes = 0) : truths_(classes), answers_(classes), hits_(classes) {}

    void add(int truth, int answer);

    int classes() const { return static_cast<int>(truths_.size()); }
    long count(int truth, int answer) const;
    long truths(int c) const { return truths_[c]; } // how often c is true
    long answers(int c) const { return answers_[c]; }
    long total() const { return total_; }
    long right() const { return right_; }

    double precision(int c) const; // NaN where c is never answered
    double recall(int c) const;    // NaN where c is never true
    double f1(int c) const;        // NaN where c is neither

    struct Average {
        double precision, recall, f1;
    };
    // Over the classes that are true somewhere; one of them that is never answered has precision 0.
    Average macro() const;
    // Of all classes' counts together; where each thing has one class, all three are the accuracy.
    Average micro() const;

  private:
    std::vector<long> truths_, answers_, hits_;
    std::map<std::pair<int, int>, long> counts_; // those that are not zero: classes may be many
    long total_ = 0, right_ = 0;
};

// One thing that either is of a class or is not, and how probable the network says it is.
struct Scored {
    double score;
    bool positive;
};

// One class against the rest. Things with equal scores are taken together: no order among them counts.
struct Ranking {
    using Points = std::vector<std::pair<double, double>>;
    Points roc;               // (false positive rate, true positive rate), from (0, 0) to (1, 1)
    Points precision_recall;  // (recall, precision), by falling threshold
    double roc_area;          // how often a positive is above a negative, a tie being a half
    double average_precision; // sum of precision times the recall gained, over the thresholds
};
// REQUIRES scores that are numbers. Areas are NaN, and curves empty, where no thing is positive; those of ROC
// also where none is negative.
Ranking rank_scores(std::vector<Scored> scored);

// Confidence (the probability of what is answered) against how often that is right, in ten bins.
class Calibration {
  public:
    static constexpr int bins = 10;
    struct Bin {
        long count = 0, right = 0;
        double confidence = 0; // sum
    };

    void add(double confidence, bool right);
    const std::array<Bin, bins>& all() const { return bins_; }
    // Expected calibration error: |accuracy - mean confidence| of the bins, weighted by their counts.
    double error() const;

  private:
    std::array<Bin, bins> bins_;
};

// Errors of one output of a regression.
class NumberErrors {
  public:
    // constant: what a predictor says that always says the same; NaN where there is none.
    void add(double truth, double answer, double constant);
    void add(const NumberErrors& other);

    long count() const { return count_; }
    double mean_absolute() const;
    double root_mean_square() const;
    double r2() const; // NaN where all truths are equal
    double constant_mean_absolute() const;

  private:
    long count_ = 0;
    double absolute_ = 0, square_ = 0, constant_ = 0;
    double mean_ = 0, spread_ = 0; // of the truths: mean, and sum of squares about it
};

// 1 / rank of an entry in a list, by falling value; equals share the middle of their ranks.
double reciprocal_rank(const std::vector<double>& list, int entry);

// -log p, p being at least 1e-15: one answer that was held impossible does not make all others count for
// nothing.
double log_loss(double probability);

} // namespace ggsnn
