// Beam search against enumerating every sequence.
#include "ggsnn/base/random.hpp"
#include "ggsnn/nn/beam.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ggsnn {
namespace {

std::vector<std::vector<double>> random_outputs(Random& random, int steps, int labels) {
    std::vector<std::vector<double>> outputs(steps, std::vector<double>(labels + 1));
    for (auto& p : outputs) {
        double sum = 0;
        for (double& x : p) sum += x = std::exp(random.uniform(-3, 3));
        for (double& x : p) x /= sum;
    }
    outputs.back().assign(labels + 1, 0); // every sequence ends within the given steps
    outputs.back().back() = 1;
    return outputs;
}

void enumerate(const std::vector<std::vector<double>>& outputs, LabelSequence& prefix,
               std::vector<LabelSequence>& all) {
    const auto& p = outputs[prefix.labels.size()];
    if (p.back() > 0) all.push_back({prefix.labels, prefix.log_probability + std::log(p.back())});
    for (int label = 0; label + 1 < static_cast<int>(p.size()); ++label) {
        if (!(p[label] > 0)) continue;
        LabelSequence next = prefix;
        next.labels.push_back(label);
        next.log_probability += std::log(p[label]);
        enumerate(outputs, next, all);
    }
}

TEST(BeamSearch, FindsTheMostProbableSequences) {
    Random random(1);
    int longer_than_greedy = 0;
    for (int round = 0; round < 300; ++round) {
        const int width = 1 + static_cast<int>(random.below(5));
        const auto outputs = random_outputs(random, 5, 3);
        std::vector<LabelSequence> all;
        LabelSequence start;
        enumerate(outputs, start, all);
        std::sort(all.begin(), all.end(),
                  [](const auto& a, const auto& b) { return a.log_probability > b.log_probability; });
        BeamSearch search(width);
        std::size_t used = 0;
        while (!search.done()) {
            ASSERT_LT(used, outputs.size());
            search.step(outputs[used++]);
        }
        const auto found = search.best();
        ASSERT_EQ(static_cast<int>(found.size()), width);
        for (int i = 0; i < width; ++i) {
            EXPECT_NEAR(found[i].log_probability, all[i].log_probability, 1e-12);
            EXPECT_EQ(found[i].labels, all[i].labels);
        }
        std::size_t greedy = 0; // where greedy decoding would stop
        while (std::max_element(outputs[greedy].begin(), outputs[greedy].end()) + 1 != outputs[greedy].end())
            ++greedy;
        longer_than_greedy += found[0].labels.size() != greedy ? 1 : 0;
    }
    EXPECT_GT(longer_than_greedy, 0) << "the search never differed from greedy decoding: too easy";
}

} // namespace
} // namespace ggsnn
