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
        {{"train", data, "-o", model, "--directions", "both"}, "--directions", "ggsnn train"},
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
        {{"train", data, "-o", model, "--valid", data, "--valid-count", "3"},
         "--valid and --valid-count exclude each other",
         ""},
        {{"train", data, "-o", model, "--target", "0"},
         "--target is for molecules; " + data + " holds stories",
         ""},
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

// What a model gives no meaning is not passed over in silence.
TEST(Usage, OptionsThatAModelCannotFollowAreWrong) {
    const Folder folder;
    const std::string data = folder / "data", lists = folder / "lists";
    folder.put("data", "A r B\neval A q\tB\n\nB r A\neval A q\tB\n");
    folder.put("lists", "A r B\neval A q\tB,A\n\nB r A\neval A q\tA,B\n");
    const auto model = [&](const std::string& kind, const std::string& from) {
        const std::string path = folder / kind;
        must({"train", from, "-o", path, "--model", kind, "--updates", "2", "--restarts", "1",
              "--valid-count", "0", "--quiet"});
        return path;
    };
    const std::vector<Wrong> cases = {
        {{model("ggnn", data), data, "--beam", "3"},
         "--beam is for sequences; this model answers with node",
         ""},
        {{model("ggnn", data), data, "--target", "0"}, "--target is for molecules", ""},
        {{model("gnn", data), data, "--steps", "3"}, "--steps has no meaning with a model of kind gnn", ""},
        {{model("rnn", data), data, "--steps", "3"}, "--steps has no meaning with a model of kind rnn", ""},
        {{model("lstm", lists), lists, "--beam", "2"}, "--beam has no meaning with a model of kind lstm", ""},
    };
    for (const Wrong& wrong : cases) {
        for (const char* command : {"evaluate", "predict"}) {
            Arguments arguments = wrong.arguments;
            arguments.insert(arguments.begin(), command);
            const Result result = run(arguments);
            EXPECT_EQ(result.code, 2) << wrong.message << result.err;
            EXPECT_EQ(result.out, "") << wrong.message;
            EXPECT_THAT(result.err, HasSubstr(wrong.message));
        }
    }
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
