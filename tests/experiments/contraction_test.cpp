// Appendix A: influence over distance in contraction networks and in gated ones.
#include "ggsnn/experiments/contraction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace ggsnn {
namespace {

TEST(Contraction, InfluenceInTheGnnIsBelowRhoToTheDistanceAndInATrainedGgnnAbove) {
    ContractionOptions options;
    options.distance = 8;
    options.rhos = {0.5, 0.9};
    options.updates = 1000;
    options.restarts = 2;
    ThreadPool pool(2);
    const auto points = measure_contraction(options, pool);
    std::map<std::string, int> counts;
    double gated = NAN;
    for (const InfluencePoint& p : points) {
        ++counts[p.network];
        ASSERT_TRUE(std::isfinite(p.influence)) << p.network;
        if (p.network == "ggnn-trained" && p.distance == options.distance) gated = p.influence;
        if (!p.network.starts_with("gnn")) continue;
        ASSERT_GT(p.rho, 0);
        ASSERT_LT(p.rho, 1) << p.network;
        EXPECT_GT(p.influence, 0) << p.network << " at " << p.distance << ": every node hears every other";
        EXPECT_LE(p.influence, std::pow(p.rho, p.distance)) << p.network << " at " << p.distance;
    }
    const std::map<std::string, int> expected = {{"gnn-linear-random", 16},  {"gnn-neural-random", 16},
                                                 {"gnn-linear-trained", 16}, {"gnn-neural-trained", 16},
                                                 {"ggnn-random", 8},         {"ggnn-trained", 8}};
    EXPECT_EQ(counts, expected);
    EXPECT_GT(gated, std::pow(0.9, options.distance));
}

TEST(Contraction, IsTheSameAtAnyNumberOfThreads) {
    ContractionOptions options;
    options.distance = 3;
    options.rhos = {0.7};
    options.updates = 40;
    ThreadPool one(1), three(3);
    const auto a = measure_contraction(options, one), b = measure_contraction(options, three);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_EQ(a[i].influence, b[i].influence) << a[i].network << " at " << a[i].distance;
}

} // namespace
} // namespace ggsnn
