// Each measure beside its definition by brute force, and on cases worked out by hand: ties, classes that
// never occur, numbers that are all the same.
#include "ggsnn/nn/metrics.hpp"

#include "ggsnn/base/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ggsnn {
namespace {

// Scores from a few values, so that ties are many.
std::vector<Scored> draw_scores(Random& random, int count, int values) {
    std::vector<Scored> out;
    for (int i = 0; i < count; ++i)
        out.push_back({static_cast<double>(random.below(values)) / values, random.chance(0.4)});
    return out;
}

double area_by_pairs(const std::vector<Scored>& scored) {
    double won = 0, pairs = 0;
    for (const Scored& p : scored)
        for (const Scored& n : scored) {
            if (!p.positive || n.positive) continue;
            ++pairs;
            won += p.score > n.score ? 1 : p.score == n.score ? 0.5 : 0;
        }
    return won / pairs;
}

// Sum over positives of the precision among all things that are scored at least as high.
double average_precision_by_positives(const std::vector<Scored>& scored) {
    double sum = 0, positives = 0;
    for (const Scored& p : scored) {
        if (!p.positive) continue;
        double hits = 0, taken = 0;
        for (const Scored& s : scored) {
            if (s.score < p.score) continue;
            ++taken;
            hits += s.positive ? 1 : 0;
        }
        sum += hits / taken;
        ++positives;
    }
    return sum / positives;
}

TEST(Metrics, AreasAreThoseOfPairsAndPositives) {
    Random random(4);
    int compared = 0;
    for (int round = 0; round < 300; ++round) {
        const auto scored = draw_scores(random, 2 + static_cast<int>(random.below(40)),
                                        1 + static_cast<int>(random.below(30)));
        double positives = 0;
        for (const Scored& s : scored) positives += s.positive ? 1 : 0;
        const Ranking ranking = rank_scores(scored);
        if (positives == 0) {
            EXPECT_TRUE(std::isnan(ranking.average_precision) && std::isnan(ranking.roc_area));
            continue;
        }
        ASSERT_NEAR(ranking.average_precision, average_precision_by_positives(scored), 1e-12);
        if (positives == static_cast<double>(scored.size())) {
            EXPECT_TRUE(std::isnan(ranking.roc_area));
            continue;
        }
        ASSERT_NEAR(ranking.roc_area, area_by_pairs(scored), 1e-12);
        EXPECT_EQ(ranking.roc.front(), std::pair(0.0, 0.0));
        EXPECT_EQ(ranking.roc.back(), std::pair(1.0, 1.0));
        ++compared;
    }
    EXPECT_GT(compared, 200);
}

TEST(Metrics, AreasWorkedOutByHand) {
    // Above the negative 0.5: one of two positives.
    const Ranking ranking = rank_scores({{0.9, true}, {0.5, false}, {0.1, true}});
    EXPECT_DOUBLE_EQ(ranking.roc_area, 0.5);
    EXPECT_DOUBLE_EQ(ranking.average_precision, 0.5 * 1 + 0.5 * 2 / 3);
    EXPECT_DOUBLE_EQ(rank_scores({{0.5, true}, {0.5, false}}).roc_area, 0.5);
    EXPECT_DOUBLE_EQ(rank_scores({{0.5, true}, {0.5, false}}).average_precision, 0.5);
    EXPECT_DOUBLE_EQ(rank_scores({{1, true}, {0, false}}).roc_area, 1);
    EXPECT_TRUE(std::isnan(rank_scores({}).roc_area));
}

TEST(Metrics, ConfusionIsCountedByClass) {
    Random random(9);
    constexpr int classes = 5; // the last is never true, the one before never answered
    Confusion confusion(classes);
    std::vector<std::pair<int, int>> seen;
    for (int i = 0; i < 400; ++i) {
        const int truth = static_cast<int>(random.below(4)), drawn = static_cast<int>(random.below(4));
        seen.emplace_back(truth, drawn == 3 ? 4 : drawn);
        confusion.add(seen.back().first, seen.back().second);
    }
    double macro[3] = {};
    for (int c = 0; c < classes; ++c) {
        double hits = 0, truths = 0, answers = 0;
        for (const auto& [truth, answer] : seen) {
            truths += truth == c ? 1 : 0;
            answers += answer == c ? 1 : 0;
            hits += truth == c && answer == c ? 1 : 0;
        }
        if (c == 3) {
            EXPECT_TRUE(std::isnan(confusion.precision(c)));
            EXPECT_EQ(confusion.f1(c), 0);
        } else {
            EXPECT_DOUBLE_EQ(confusion.precision(c), hits / answers);
        }
        if (c == 4) {
            EXPECT_TRUE(std::isnan(confusion.recall(c)));
            EXPECT_EQ(confusion.f1(c), 0) << "answered, never true";
            continue;
        }
        EXPECT_DOUBLE_EQ(confusion.recall(c), hits / truths);
        const double p = answers > 0 ? hits / answers : 0, r = hits / truths;
        macro[0] += p / 4;
        macro[1] += r / 4;
        macro[2] += p + r > 0 ? 2 * p * r / (p + r) / 4 : 0;
    }
    EXPECT_NEAR(confusion.macro().precision, macro[0], 1e-12);
    EXPECT_NEAR(confusion.macro().recall, macro[1], 1e-12);
    EXPECT_NEAR(confusion.macro().f1, macro[2], 1e-12);
    double right = 0;
    for (const auto& [truth, answer] : seen) right += truth == answer ? 1 : 0;
    EXPECT_DOUBLE_EQ(confusion.micro().f1, right / 400);
    EXPECT_DOUBLE_EQ(confusion.micro().precision, right / 400);
}

TEST(Metrics, ConfusionWorkedOutByHand) {
    Confusion confusion(3);
    for (const auto& [truth, answer] : {std::pair(0, 0), {0, 0}, {0, 1}, {1, 1}})
        confusion.add(truth, answer);
    EXPECT_EQ(confusion.count(0, 0), 2);
    EXPECT_EQ(confusion.count(0, 1), 1);
    EXPECT_EQ(confusion.count(1, 0), 0);
    EXPECT_DOUBLE_EQ(confusion.precision(0), 1);
    EXPECT_DOUBLE_EQ(confusion.recall(0), 2.0 / 3);
    EXPECT_DOUBLE_EQ(confusion.f1(0), 0.8);
    EXPECT_DOUBLE_EQ(confusion.precision(1), 0.5);
    EXPECT_DOUBLE_EQ(confusion.f1(1), 2.0 / 3);
    EXPECT_TRUE(std::isnan(confusion.f1(2))) << "a class that does not occur at all";
    EXPECT_DOUBLE_EQ(confusion.macro().f1, (0.8 + 2.0 / 3) / 2) << "which does not count";
    EXPECT_DOUBLE_EQ(confusion.micro().f1, 0.75);
    EXPECT_TRUE(std::isnan(Confusion(2).micro().f1));
    EXPECT_TRUE(std::isnan(Confusion(2).macro().precision));
}

TEST(Metrics, CalibrationIsTheDistanceOfTenBins) {
    Calibration calibration;
    EXPECT_TRUE(std::isnan(calibration.error()));
    calibration.add(0.95, true);
    calibration.add(0.91, false);
    calibration.add(0.31, false);
    calibration.add(1, true);    // belongs to the last bin
    calibration.add(0.82, true); // not to that
    // Last bin: 2 of 3 right, confidence 2.86 / 3; the others: 0 of 1, 0.31, and 1 of 1, 0.82.
    EXPECT_NEAR(calibration.error(), (std::abs(2 - 2.86) + 0.31 + 0.18) / 5, 1e-12);
    Random random(2);
    std::vector<std::pair<double, bool>> seen;
    Calibration drawn;
    for (int i = 0; i < 500; ++i) {
        seen.emplace_back(random.uniform(0, 1), random.chance(0.5));
        drawn.add(seen.back().first, seen.back().second);
    }
    double expected = 0;
    for (int bin = 0; bin < 10; ++bin) {
        double count = 0, right = 0, confidence = 0;
        for (const auto& [p, hit] : seen) {
            if (p < bin / 10.0 || p >= (bin + 1) / 10.0) continue;
            ++count;
            right += hit ? 1 : 0;
            confidence += p;
        }
        if (count > 0) expected += count / 500 * std::abs(right / count - confidence / count);
    }
    EXPECT_NEAR(drawn.error(), expected, 1e-12);
}

TEST(Metrics, NumberErrorsInTwoPassesOrOneOrInParts) {
    Random random(7);
    for (double offset : {0.0, 1e6}) {
        NumberErrors whole, first, second;
        std::vector<double> truths, answers;
        for (int i = 0; i < 300; ++i) {
            truths.push_back(offset + random.uniform(-1, 1));
            answers.push_back(truths.back() + random.uniform(-0.3, 0.3));
            whole.add(truths[i], answers[i], offset + 0.25);
            (i < 100 ? first : second).add(truths[i], answers[i], offset + 0.25);
        }
        first.add(second);
        double mean = 0, absolute = 0, square = 0, spread = 0, constant = 0;
        for (double t : truths) mean += t / 300;
        for (std::size_t i = 0; i < 300; ++i) {
            absolute += std::abs(answers[i] - truths[i]) / 300;
            square += (answers[i] - truths[i]) * (answers[i] - truths[i]);
            spread += (truths[i] - mean) * (truths[i] - mean);
            constant += std::abs(truths[i] - offset - 0.25) / 300;
        }
        for (const NumberErrors* errors : {&whole, &first}) {
            EXPECT_EQ(errors->count(), 300);
            EXPECT_NEAR(errors->mean_absolute(), absolute, 1e-9);
            EXPECT_NEAR(errors->root_mean_square(), std::sqrt(square / 300), 1e-9);
            EXPECT_NEAR(errors->r2(), 1 - square / spread, 1e-6);
            EXPECT_NEAR(errors->constant_mean_absolute(), constant, 1e-9);
        }
    }
}

TEST(Metrics, NumberErrorsThatDoNotExist) {
    NumberErrors none, same;
    EXPECT_TRUE(std::isnan(none.mean_absolute()) && std::isnan(none.root_mean_square()) &&
                std::isnan(none.r2()));
    for (int i = 0; i < 3; ++i) same.add(0.1, 0.4, NAN);
    EXPECT_NEAR(same.mean_absolute(), 0.3, 1e-12);
    EXPECT_TRUE(std::isnan(same.r2())) << "nothing to explain";
    EXPECT_TRUE(std::isnan(same.constant_mean_absolute()));
    same.add(none);
    EXPECT_EQ(same.count(), 3);
}

TEST(Metrics, RanksOfEqualsAreShared) {
    EXPECT_DOUBLE_EQ(reciprocal_rank({0.5, 0.3, 0.2}, 0), 1);
    EXPECT_DOUBLE_EQ(reciprocal_rank({0.5, 0.3, 0.2}, 2), 1.0 / 3);
    EXPECT_DOUBLE_EQ(reciprocal_rank({0.4, 0.4, 0.2}, 1), 1 / 1.5);
    EXPECT_DOUBLE_EQ(reciprocal_rank({0.25, 0.25, 0.25, 0.25}, 3), 1 / 2.5);
    EXPECT_DOUBLE_EQ(log_loss(1), 0);
    EXPECT_DOUBLE_EQ(log_loss(0.5), std::log(2));
    EXPECT_DOUBLE_EQ(log_loss(0), 15 * std::log(10)) << "never infinite";
}

} // namespace
} // namespace ggsnn
