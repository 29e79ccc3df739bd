// Wrong usage: the right usage on standard error, exit code 2, nothing on standard output, nothing written.
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Wrong {
    Arguments arguments;
    std::string message, usage;
};

TEST(Usage, WrongOnesAreExplainedWithExitCode2) {
    const Folder folder;
    const std::string model = folder / "model", data = folder / "data";
    folder.put("data", "A r B\neval A q\tB\n\nB r A\neval A q\tB\n");
    const std::vector<Wrong> cases = {
        {{}, "subcommand is required", "SUBCOMMAND"},
        {{"frobnicate"}, "frobnicate", "SUBCOMMAND"},
        {{"--frobnicate"}, "--frobnicate", "SUBCOMMAND"},
        {{"generate"}, "task is required", "ggsnn generate"},
        {{"generate", "babi7"}, "babi7", "ggsnn generate"},
        {{"generate", "babi15", "--count", "0"}, "--count", "ggsnn generate"},
        {{"generate", "babi15", "--count", "many"}, "--count", "ggsnn generate"},
        {{"generate", "babi15", "--count"}, "--count", "ggsnn generate"},
        {{"generate", "babi15", "--scale", "0"}, "scale", ""},
        {{"generate", "babi4", "--scale", "2"}, "scale 2: babi4 has one size only", ""},
        {{"train"}, "data is required", "ggsnn train"},
        {{"train", data}, "--output is required", "ggsnn train"},
        {{"train", data, "-o", model, "--train-count", "-3"}, "--train-count", "ggsnn train"},
        {{"train", data, "-o", model, "--train-count", "0"}, "--train-count", "ggsnn train"},
        {{"train", data, "-o", model, "--valid-count", "x"}, "--valid-count", "ggsnn train"},
        {{"train", data, "-o", model, "--variant", "other"}, "--variant", "ggsnn train"},
        {{"train", data, "-o", model, "--schedule", "linear"}, "--schedule", "ggsnn train"},
        {{"train", data, "-o", model, "--learning-rate", "0"}, "--learning-rate", "ggsnn train"},
        {{"train", data, "-o", model, "--learning-rate", "nan"}, "--learning-rate", "ggsnn train"},
        {{"train", data, "-o", model, "--learning-rate", "inf"}, "--learning-rate", "ggsnn train"},
        {{"train", data, "-o", model, "--l1", "nan"}, "--l1", "ggsnn train"},
        {{"train", data, "-o", model, "--seed", "-1"}, "--seed", "ggsnn train"},
        {{"train", data, "-o", model, "--threads", "0"}, "--threads", "ggsnn train"},
        {{"train", data, "-o", model, "--frobnicate"}, "--frobnicate", "ggsnn train"},
        {{"train", data, "-o", model, "extra"}, "extra", "ggsnn train"},
        {{"train", data, "-o", model, "--state", "1", "--annotation", "2"},
         "--state 1 is too small: annotations take 2",
         ""},
        {{"train", data, "-o", model, "--balance"}, "--balance needs graphs that are classified", ""},
        {{"evaluate"}, "model is required", "ggsnn evaluate"},
        {{"evaluate", model}, "data is required", "ggsnn evaluate"},
        {{"evaluate", model, data, "--top", "3"}, "--top", "ggsnn evaluate"},
        {{"evaluate", model, data, "--count", "0"}, "--count", "ggsnn evaluate"},
        {{"predict", model}, "data is required", "ggsnn predict"},
        {{"predict", model, data, "--top", "0"}, "--top", "ggsnn predict"},
        {{"info"}, "model is required", "ggsnn info"},
        {{"info", model, "--steps", "3"}, "--steps", "ggsnn info"},
    };
    for (const Wrong& wrong : cases) {
        const Result result = run(wrong.arguments);
        std::string text;
        for (const auto& argument : wrong.arguments) text += argument + " ";
        EXPECT_EQ(result.code, 2) << text << result.err;
        EXPECT_EQ(result.out, "") << text;
        EXPECT_THAT(result.err, StartsWith("ggsnn: ")) << text;
        EXPECT_THAT(result.err, HasSubstr(wrong.message)) << text;
        EXPECT_THAT(result.err, HasSubstr(wrong.usage)) << text;
    }
    EXPECT_EQ(folder.files(), 1) << "nothing was written";
}

TEST(Usage, HelpAndVersionGoToStandardOutput) {
    for (const Arguments& arguments : std::vector<Arguments>{
             {"--help"}, {"-h"}, {"train", "--help"}, {"evaluate", "--help"}, {"generate", "--help"}}) {
        const Result result = run(arguments);
        EXPECT_EQ(result.code, 0);
        EXPECT_EQ(result.err, "");
        EXPECT_THAT(result.out, HasSubstr("Usage: "));
    }
    for (const char* command : {"generate", "train", "evaluate", "predict", "info"})
        EXPECT_THAT(run({"--help"}).out, HasSubstr(command));
    EXPECT_EQ(run({"--version"}).code, 0);
    EXPECT_THAT(run({"--version"}).out, ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

} // namespace
} // namespace ggsnn
