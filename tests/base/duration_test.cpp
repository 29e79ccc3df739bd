// Lengths of time as people write them.
#include "ggsnn/base/duration.hpp"
#include "ggsnn/base/error.hpp"

#include <gtest/gtest.h>

namespace ggsnn {
namespace {

TEST(Duration, IsNumbersWithUnits) {
    EXPECT_EQ(parse_duration("90s"), 90);
    EXPECT_EQ(parse_duration("10m"), 600);
    EXPECT_EQ(parse_duration("2h"), 7200);
    EXPECT_EQ(parse_duration("1h30m"), 5400);
    EXPECT_EQ(parse_duration("1h5s"), 3605);
    EXPECT_EQ(parse_duration("1h2m3s"), 3723);
    EXPECT_EQ(parse_duration("0.5h"), 1800);
    EXPECT_EQ(parse_duration("0h1s"), 1);
}

TEST(Duration, AnythingElseIsWrongUsage) {
    for (const char* text : {"", "10", "m", "10x", "10 m", "-5m", "0s", "5m1h", "1m1m", "1e3s", "nans",
                             "infh", "1h30", "99999999999h", "10ms", "+5s", "1..5s"})
        EXPECT_THROW(parse_duration(text), UsageError) << text;
}

TEST(Duration, IsToldInTheTwoLargestUnits) {
    EXPECT_EQ(duration_text(0), "0 s");
    EXPECT_EQ(duration_text(7.4), "7 s");
    EXPECT_EQ(duration_text(59.6), "1 min 0 s");
    EXPECT_EQ(duration_text(200), "3 min 20 s");
    EXPECT_EQ(duration_text(3599), "59 min 59 s");
    EXPECT_EQ(duration_text(7500), "2 h 5 min");
}

} // namespace
} // namespace ggsnn
