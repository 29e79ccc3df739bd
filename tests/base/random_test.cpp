// The numbers behind every seed: fixed for ever, uniform, and independent between streams.
#include "ggsnn/base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace ggsnn {
namespace {

// xoshiro256** seeded by splitmix64, computed by a program of its own in another language.
TEST(Random, GoldenValues) {
    Random plain(0);
    for (const std::uint64_t expected :
         {0x99ec5f36cb75f2b4ULL, 0xbf6e1f784956452aULL, 0x1a5f849d4933e6e0ULL, 0x6aa594f1262d2d2cULL})
        EXPECT_EQ(plain.next(), expected);
    Random keyed(42, {3, 7});
    for (const std::uint64_t expected :
         {0x764c52b83d06f3b2ULL, 0xcaca12096b862850ULL, 0x40934444a622e9bdULL, 0x74c8417b8515c3b3ULL})
        EXPECT_EQ(keyed.next(), expected);
}

// Sum of squared deviations from equal counts, in units that grow like the number of cells.
double chi_square(const std::vector<int>& counts, double expected) {
    double sum = 0;
    for (int count : counts) sum += (count - expected) * (count - expected) / expected;
    return sum;
}

void expect_uniform(const std::vector<int>& counts, double expected) {
    const double free = static_cast<double>(counts.size() - 1);
    EXPECT_LT(chi_square(counts, expected), free + 4 * std::sqrt(2 * free));
    EXPECT_GT(chi_square(counts, expected), free - 4 * std::sqrt(2 * free)) << "too even to be random";
}

TEST(Random, BelowIsUniform) {
    Random random(1);
    for (const std::size_t n : {2u, 3u, 7u, 100u}) {
        std::vector<int> counts(n);
        for (std::size_t i = 0; i < 1000 * n; ++i) ++counts.at(random.below(n));
        expect_uniform(counts, 1000);
    }
    for (int i = 0; i < 100; ++i) EXPECT_EQ(random.below(1), 0u);
    const std::uint64_t large = std::uint64_t{3} << 62;
    int lower = 0;
    for (int i = 0; i < 6000; ++i) {
        const std::uint64_t drawn = random.below(large);
        ASSERT_LT(drawn, large);
        lower += drawn < large / 3 ? 1 : 0;
    }
    EXPECT_NEAR(lower, 2000, 200) << "a remainder alone would give the lower third half of the time";
}

TEST(Random, UniformIsUniformAndBelowOne) {
    Random random(2);
    std::vector<int> counts(64);
    for (int i = 0; i < 64000; ++i) {
        const double x = random.uniform();
        ASSERT_TRUE(x >= 0 && x < 1);
        ++counts.at(static_cast<std::size_t>(x * 64));
    }
    expect_uniform(counts, 1000);
    for (int i = 0; i < 1000; ++i) {
        const double x = random.uniform(-3, 5);
        ASSERT_TRUE(x >= -3 && x < 5);
    }
    int yes = 0;
    for (int i = 0; i < 10000; ++i) yes += random.chance(0.2) ? 1 : 0;
    EXPECT_NEAR(yes, 2000, 200);
}

TEST(Random, ShuffleGivesEveryOrderAlike) {
    std::map<std::vector<int>, int> orders;
    Random random(3);
    for (int i = 0; i < 24000; ++i) {
        std::vector<int> items = {0, 1, 2, 3};
        random.shuffle(items);
        ++orders[items];
    }
    ASSERT_EQ(orders.size(), 24u);
    std::vector<int> counts;
    for (const auto& [order, count] : orders) counts.push_back(count);
    expect_uniform(counts, 1000);
    std::vector<int> none;
    random.shuffle(none);
    EXPECT_TRUE(none.empty());
}

// Streams that differ in seed or keys, by one bit or in order, share no numbers and are not correlated.
TEST(Random, StreamsAreIndependent) {
    std::vector<Random> streams;
    for (std::uint64_t seed = 0; seed < 8; ++seed) streams.emplace_back(seed);
    for (std::uint64_t i = 0; i < 8; ++i)
        for (std::uint64_t j = 0; j < 8; ++j) streams.push_back(Random(1, {i, j}));
    for (std::uint64_t i = 0; i < 8; ++i) streams.push_back(Random(1, {i}));
    std::set<std::uint64_t> seen;
    for (Random& stream : streams)
        for (int i = 0; i < 100; ++i) EXPECT_TRUE(seen.insert(stream.next()).second);
    for (std::size_t i = 1; i < streams.size(); ++i) {
        double sum = 0;
        for (int k = 0; k < 1000; ++k) sum += (streams[i - 1].uniform() - 0.5) * (streams[i].uniform() - 0.5);
        EXPECT_LT(std::abs(sum) / (std::sqrt(1000.0) / 12), 4.5) << i;
    }
    EXPECT_EQ(Random(5, {1, 2}).next(), Random(5, {1, 2}).next());
}

TEST(Random, FirstNumbersOfNeighbouringStreamsAreUniform) {
    std::vector<int> counts(10);
    for (std::uint64_t i = 0; i < 10000; ++i) ++counts.at(Random(1, {4, i}).below(10));
    expect_uniform(counts, 1000);
}

} // namespace
} // namespace ggsnn
