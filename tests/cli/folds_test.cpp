// What the built-in recipes reach on the published folds
#include "ggsnn/base/json.hpp"
#include "process.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;

class Recipes : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Task, Recipes, ::testing::Values("4", "15", "16", "18"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST_P(Recipes, SolveAllFoldsWithNoFlagButTheCounts) {
    const std::string task = GetParam(), root = std::string(GGSNN_DATA) + "/babi";
    if (!std::filesystem::exists(root)) GTEST_SKIP() << "no folder " << root;
    const Folder folder;
    for (const char* fold : {"/fold_1", "/fold_2", "/fold_3"}) {
        must({"train", root + fold + "/train/" + task + ".txt", "-o", folder / "model", "--train-count", "50",
              "--valid-count", "50"});
        const Json result = Json::parse(
            must({"evaluate", folder / "model", root + fold + "/test/" + task + ".txt", "--json"}));
        EXPECT_GE(result["count"].get<int>(), 1000) << fold;
        EXPECT_GE(result["accuracy"].get<double>(), task == "18" ? 0.999 : 1.0) << fold;
    }
}

} // namespace
} // namespace ggsnn
