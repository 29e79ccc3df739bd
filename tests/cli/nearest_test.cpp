// What a mistyped word was meant to be.
#include "ggsnn/cli/nearest.hpp"

#include <gtest/gtest.h>

namespace ggsnn::cli {
namespace {

TEST(Nearest, DistanceCountsLettersAndSwaps) {
    EXPECT_EQ(typing_distance("", ""), 0);
    EXPECT_EQ(typing_distance("train", ""), 5);
    EXPECT_EQ(typing_distance("train", "train"), 0);
    EXPECT_EQ(typing_distance("train", "trin"), 1);
    EXPECT_EQ(typing_distance("trin", "train"), 1);
    EXPECT_EQ(typing_distance("train", "brain"), 1);
    EXPECT_EQ(typing_distance("train", "trian"), 1); // neighbours swapped
    EXPECT_EQ(typing_distance("ca", "abc"), 3);      // a swapped pair is not touched again
    EXPECT_EQ(typing_distance("kitten", "sitting"), 3);
}

TEST(Nearest, NearEnoughOrTheOnlyOneThatBeginsSo) {
    const std::vector<std::string> known{"--updates",       "--seed", "--state", "--steps",
                                         "--learning-rate", "--l1",   "-o"};
    EXPECT_EQ(nearest("--udpates", known), "--updates");
    EXPECT_EQ(nearest("-updates", known), "--updates");
    EXPECT_EQ(nearest("--stats", known), "--state"); // one letter, as --steps is two away
    EXPECT_EQ(nearest("--checkpoimt", {"--checkpoint", "--checkpoints"}), "--checkpoint"); // both are near
    EXPECT_EQ(nearest("--checkpoimt", {"--checkpoints", "--checkpoint"}), "--checkpoint");
    EXPECT_EQ(nearest("--learn", known), "--learning-rate");
    EXPECT_EQ(nearest("--s", known), ""); // three begin so
    EXPECT_EQ(nearest("--frobnicate", known), "");
    EXPECT_EQ(nearest("--", known), "");
    EXPECT_EQ(nearest("x", known), "");
    EXPECT_EQ(nearest(std::string(100000, 'x'), known), "");
    EXPECT_EQ(nearest("--updates", {}), "");
}

} // namespace
} // namespace ggsnn::cli
