#include "ggsnn/nn/metrics.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

namespace {

double quotient(double part, double whole) {
    return whole > 0 ? part / whole : NAN;
}

} // namespace

void Confusion::add(int truth, int answer) {
    ++counts_[{truth, answer}];
    ++truths_[truth];
    ++answers_[answer];
    ++total_;
    if (truth != answer) return;
    ++hits_[truth];
    ++right_;
}

long Confusion::count(int truth, int answer) const {
    const auto at = counts_.find({truth, answer});
    return at == counts_.end() ? 0 : at->second;
}

double Confusion::precision(int c) const {
    return quotient(static_cast<double>(hits_[c]), static_cast<double>(answers_[c]));
}

double Confusion::recall(int c) const {
    return quotient(static_cast<double>(hits_[c]), static_cast<double>(truths_[c]));
}

double Confusion::f1(int c) const {
    return quotient(2.0 * static_cast<double>(hits_[c]), static_cast<double>(truths_[c] + answers_[c]));
}

Confusion::Average Confusion::macro() const {
    Average sum{0, 0, 0};
    double present = 0;
    for (int c = 0; c < classes(); ++c) {
        if (truths_[c] == 0) continue;
        ++present;
        sum.precision += answers_[c] > 0 ? precision(c) : 0;
        sum.recall += recall(c);
        sum.f1 += f1(c);
    }
    return {quotient(sum.precision, present), quotient(sum.recall, present), quotient(sum.f1, present)};
}

Confusion::Average Confusion::micro() const {
    // A wrong answer is a false positive of one class and a false negative of another.
    const double share = quotient(static_cast<double>(right_), static_cast<double>(total_));
    return {share, share, share};
}

Ranking rank_scores(std::vector<Scored> scored) {
    std::sort(scored.begin(), scored.end(),
              [](const Scored& a, const Scored& b) { return a.score > b.score; });
    double positives = 0;
    for (const Scored& s : scored) positives += s.positive ? 1 : 0;
    const double negatives = static_cast<double>(scored.size()) - positives;
    Ranking ranking{{}, {}, NAN, NAN};
    if (positives == 0) return ranking;
    if (negatives > 0) {
        ranking.roc = {{0, 0}};
        ranking.roc_area = 0;
    }
    ranking.average_precision = 0;
    double hits = 0, misses = 0;
    for (std::size_t i = 0; i < scored.size();) {
        const double score = scored[i].score, hits_before = hits, misses_before = misses;
        for (; i < scored.size() && scored[i].score == score; ++i) (scored[i].positive ? hits : misses) += 1;
        const double precision = hits / (hits + misses);
        ranking.average_precision += precision * (hits - hits_before);
        ranking.precision_recall.emplace_back(hits / positives, precision);
        if (negatives == 0) continue;
        ranking.roc_area += (misses - misses_before) * (hits + hits_before) / 2; // trapezium, in pairs
        ranking.roc.emplace_back(misses / negatives, hits / positives);
    }
    ranking.average_precision /= positives;
    ranking.roc_area /= positives * negatives; // NaN stays NaN
    return ranking;
}

void Calibration::add(double confidence, bool right) {
    const int at = std::clamp(static_cast<int>(confidence * bins), 0, bins - 1);
    ++bins_[at].count;
    bins_[at].right += right ? 1 : 0;
    bins_[at].confidence += confidence;
}

double Calibration::error() const {
    double sum = 0, count = 0;
    for (const Bin& bin : bins_) {
        sum += std::abs(static_cast<double>(bin.right) - bin.confidence);
        count += static_cast<double>(bin.count);
    }
    return quotient(sum, count);
}

void NumberErrors::add(double truth, double answer, double constant) {
    ++count_;
    absolute_ += std::abs(answer - truth);
    square_ += (answer - truth) * (answer - truth);
    constant_ += std::abs(constant - truth);
    // Welford: sums of squares of large numbers with a small spread would cancel.
    const double before = truth - mean_;
    mean_ += before / static_cast<double>(count_);
    spread_ += before * (truth - mean_);
}

void NumberErrors::add(const NumberErrors& other) {
    if (other.count_ == 0) return;
    const double mine = static_cast<double>(count_), its = static_cast<double>(other.count_);
    const double apart = other.mean_ - mean_;
    spread_ += other.spread_ + apart * apart * mine * its / (mine + its);
    mean_ += apart * its / (mine + its);
    count_ += other.count_;
    absolute_ += other.absolute_;
    square_ += other.square_;
    constant_ += other.constant_;
}

double NumberErrors::mean_absolute() const {
    return quotient(absolute_, static_cast<double>(count_));
}

double NumberErrors::root_mean_square() const {
    return std::sqrt(quotient(square_, static_cast<double>(count_)));
}

double NumberErrors::r2() const {
    return spread_ > 0 ? 1 - square_ / spread_ : NAN;
}

double NumberErrors::constant_mean_absolute() const {
    return quotient(constant_, static_cast<double>(count_));
}

double reciprocal_rank(const std::vector<double>& list, int entry) {
    double above = 0, equal = 0;
    for (double v : list) {
        above += v > list[entry] ? 1 : 0;
        equal += v == list[entry] ? 1 : 0;
    }
    return 1 / (above + (equal + 1) / 2);
}

double log_loss(double probability) {
    return -std::log(std::max(probability, 1e-15));
}

} // namespace ggsnn
