// Algorithms on graphs larger than those they were learned on, as a user has them.
#include "ggsnn/base/json.hpp"
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;

TEST(LargerGraphsAsAUser, AreAnsweredByWhatSmallOnesTaught) {
    const Folder folder;
    const std::string train = folder / "train", test = folder / "test", model = folder / "model";
    must({"generate", "bfs", "--count", "60", "--hints", "-o", train});
    must({"generate", "bfs", "--count", "6", "--nodes", "120", "--seed", "2", "-o", test});
    must({"train", train, "-o", model, "--updates", "300", "--quiet"});
    EXPECT_THAT(must({"info", model}), HasSubstr("network that learns steps"));
    const Json measured = Json::parse(must({"evaluate", model, test, "--json"}));
    EXPECT_EQ(measured["accuracy"], 1.0);
    EXPECT_EQ(measured["count"], 6);
    // As many parents as nodes.
    const std::string said = must({"predict", model, test, "--json"});
    const Json first = Json::parse(said.substr(0, said.find('\n')));
    EXPECT_EQ(first["answer"].size(), 120u) << said.substr(0, 300);
}

TEST(LargerGraphsAsAUser, CircuitsAndSetsToo) {
    const Folder folder;
    must({"generate", "eulerian-circuit", "--count", "40", "--hints", "-o", folder / "train"});
    must({"generate", "eulerian-circuit", "--count", "10", "--scale", "10", "-o", folder / "test"});
    must({"train", folder / "train", "-o", folder / "model", "--updates", "300", "--quiet"});
    EXPECT_EQ(Json::parse(must({"evaluate", folder / "model", folder / "test", "--json"}))["accuracy"], 1.0);
    must({"generate", "mis", "--count", "60", "-o", folder / "sets"});
    must(
        {"generate", "mis", "--count", "5", "--nodes", "80", "--family", "delaunay", "-o", folder / "large"});
    must({"train", folder / "sets", "-o", folder / "model", "--model", "stepper", "--updates", "400",
          "--quiet"});
    EXPECT_GT(Json::parse(must({"evaluate", folder / "model", folder / "large", "--json"}))["accuracy"]
                  .get<double>(),
              0.9)
        << "from answers alone";
}

TEST(LargerGraphsAsAUser, WrongFlagsAreNamed) {
    EXPECT_THAT(run({"generate", "babi15", "--hints"}).err, HasSubstr("--hints is for bfs"));
    EXPECT_THAT(run({"generate", "babi15", "--nodes", "20"}).err,
                HasSubstr("--family and --nodes are for bfs"));
    EXPECT_THAT(run({"generate", "bfs", "--scale", "2"}).err, HasSubstr("--scale has no meaning for bfs"));
    EXPECT_THAT(run({"generate", "bfs", "--family", "ring"}).err, HasSubstr("ring not in"));
    EXPECT_THAT(run({"generate", "eulerian-circuit", "--hints", "--observed"}).err,
                HasSubstr("expected either --hints or --observed"));
    EXPECT_EQ(run({"generate", "bfs", "--nodes", "2000", "--hints"}).code, 2);
}

} // namespace
} // namespace ggsnn
