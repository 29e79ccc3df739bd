// Wrong usage: one line on standard error that says what is right or where it stands, exit code 2, nothing on
// standard output, nothing written.
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

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
        {{}, "a command is required", "ggsnn help"},
        {{"frobnicate"}, "unknown command frobnicate", "ggsnn help"},
        {{"--frobnicate"}, "unknown option --frobnicate", "ggsnn help"},
        {{"generate"}, "task is required", "ggsnn help generate"},
        {{"generate", "babi7"}, "babi7", "ggsnn help generate"},
        {{"generate", "babi15", "--count", "0"}, "--count", "ggsnn help generate"},
        {{"generate", "babi15", "--count", "many"}, "--count", "ggsnn help generate"},
        {{"generate", "babi15", "--count"}, "--count", "ggsnn help generate"},
        {{"generate", "babi15", "--scale", "0"}, "scale", ""},
        {{"generate", "babi4", "--scale", "2"}, "scale 2: babi4 has one size only", ""},
        {{"train"}, "data is required", "ggsnn help train"},
        {{"train", data}, "--output is required", "ggsnn help train"},
        {{"train", data, "-o", model, "--train-count", "-3"}, "--train-count", "ggsnn help train"},
        {{"train", data, "-o", model, "--train-count", "0"}, "--train-count", "ggsnn help train"},
        {{"train", data, "-o", model, "--valid-count", "x"}, "--valid-count", "ggsnn help train"},
        {{"train", data, "-o", model, "--variant", "other"}, "--variant", "ggsnn help train"},
        {{"train", data, "-o", model, "--directions", "both"}, "--directions", "ggsnn help train"},
        {{"train", data, "-o", model, "--schedule", "linear"}, "--schedule", "ggsnn help train"},
        {{"train", data, "-o", model, "--learning-rate", "0"}, "--learning-rate", "ggsnn help train"},
        {{"train", data, "-o", model, "--learning-rate", "nan"}, "--learning-rate", "ggsnn help train"},
        {{"train", data, "-o", model, "--learning-rate", "inf"}, "--learning-rate", "ggsnn help train"},
        {{"train", data, "-o", model, "--l1", "nan"}, "--l1", "ggsnn help train"},
        {{"train", data, "-o", model, "--seed", "-1"}, "--seed", "ggsnn help train"},
        {{"train", data, "-o", model, "--threads", "0"}, "--threads", "ggsnn help train"},
        {{"train", data, "-o", model, "--time", "10"},
         "--time: \"10\" is no length of time; expected one such as 90s, 10m, 2h or 1h30m",
         "ggsnn help train"},
        {{"train", data, "-o", model, "--time", "soon"}, "--time", "ggsnn help train"},
        {{"train", data, "-o", data}, "--output and the data are the same file", ""},
        {{"train", data, "-o", model, "--log", model}, "--output and --log are the same file", ""},
        {{"train", data, "-o", model, "--log", data}, "--log and the data are the same file", ""},
        {{"plot", "-o", model}, "logs is required", "ggsnn help plot"},
        {{"plot", data}, "--output is required", "ggsnn help plot"},
        {{"plot", data, "-o", model, "--x", "years"}, "--x", "ggsnn help plot"},
        {{"train", data, "-o", model, "--frobnicate"}, "--frobnicate", "ggsnn help train"},
        {{"train", data, "-o", model, "extra"}, "extra", "ggsnn help train"},
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
        {{"evaluate"}, "model is required", "ggsnn help evaluate"},
        {{"evaluate", model}, "data is required: ggsnn evaluate MODEL DATA", ""},
        {{"evaluate", model, data, "--top", "3"}, "--top", "ggsnn help evaluate"},
        {{"evaluate", model, data, "--count", "0"}, "--count", "ggsnn help evaluate"},
        {{"predict", model}, "data is required: ggsnn predict MODEL DATA", ""},
        {{"predict", model, data, "--top", "0"}, "--top", "ggsnn help predict"},
        {{"info"}, "model is required", "ggsnn help info"},
        {{"info", model, "--steps", "3"}, "unknown option --steps for info", "ggsnn help info"},
        {{"heap"}, "subcommand is required", "ggsnn help heap"},
        {{"heap", "generate"}, "kind is required", "ggsnn help heap generate"},
        {{"heap", "generate", "flat"}, "--output is required", "ggsnn help heap generate"},
        {{"heap", "train", data, "-o", model, "--variant", "paper"},
         "unknown option --variant for heap train",
         "ggsnn help heap train"},
        {{"heap", "predict"}, "data is required", "ggsnn help heap predict"},
        {{"heap", "predict", data, data, data}, "At Most 2", "ggsnn help heap predict"},
    };
    for (const Wrong& wrong : cases) {
        const Result result = run(wrong.arguments);
        std::string text;
        for (const auto& argument : wrong.arguments) text += argument + " ";
        EXPECT_EQ(result.code, 2) << text << result.err;
        EXPECT_EQ(result.out, "") << text;
        EXPECT_THAT(result.err, StartsWith("ggsnn: ")) << text;
        EXPECT_EQ(lines_of(result.err), 1) << text << result.err;
        EXPECT_THAT(result.err, HasSubstr(wrong.message)) << text;
        EXPECT_THAT(result.err, HasSubstr(wrong.usage)) << text;
    }
    EXPECT_EQ(folder.files(), 1) << "nothing was written";
}

TEST(Usage, TheNearestWordIsNamedInOneLine) {
    const Folder folder;
    const std::string data = folder / "data";
    folder.put("data", "A r B\neval A q\tB\n");
    const std::vector<std::pair<Arguments, std::string>> cases = {
        {{"train", data, "-o", "m", "--udpates", "5"},
         "unknown option --udpates for train; did you mean --updates?"},
        {{"train", "--udpates", "5"}, "unknown option --udpates for train; did you mean --updates?"},
        {{"train", "--udpates=5", data}, "unknown option --udpates for train; did you mean --updates?"},
        {{"train", data, "--learn", "1"}, "unknown option --learn for train; did you mean --learning-rate?"},
        {{"generate", "--cuont", "5", "babi15"},
         "unknown option --cuont for generate; did you mean --count?"},
        {{"heap", "predict", data, "--togehter", "2"},
         "unknown option --togehter for heap predict; did you mean --together?"},
        {{"--verison"}, "unknown option --verison; did you mean --version?"},
        {{"trian", data}, "unknown command trian; did you mean train?"},
        {{"reproduec", "all"}, "unknown command reproduec; did you mean reproduce?"},
        {{"heap", "trian"}, "unknown command heap trian; did you mean heap train?"},
        {{"help", "trian"}, "unknown command trian; did you mean train?"},
        {{"help", "heap", "predit"}, "unknown command heap predit; did you mean heap predict?"},
        {{"verify", "--tiemout", "3", "x.c", "--", "--udpates"},
         "unknown option --tiemout for verify; did you mean --timeout?"},
        {{"train", data, "--xyzzy"}, "unknown option --xyzzy for train; see ggsnn help train"},
        {{"train", data, "-x"}, "unknown option -x for train; see ggsnn help train"},
        {{"heap", "xyzzy"}, "unknown command heap xyzzy; see ggsnn help heap"},
    };
    for (const auto& [arguments, message] : cases) {
        const Result result = run(arguments);
        EXPECT_EQ(result.code, 2) << message;
        EXPECT_EQ(result.out, "") << message;
        EXPECT_EQ(result.err, "ggsnn: " + message + "\n");
    }
    EXPECT_EQ(folder.files(), 1) << "nothing was written";
}

// A word is an option only where it is not the value of one.
TEST(Usage, ValuesMayLookLikeOptions) {
    const Folder folder;
    EXPECT_THAT(run({"train", folder / "nowhere", "-o", "--udpates"}).err, HasSubstr("nowhere"));
    EXPECT_THAT(run({"train", folder / "nowhere", "-o", "m", "--seed", "-1"}).err, HasSubstr("--seed"));
    EXPECT_THAT(run({"train", folder / "nowhere", "-om"}).err, HasSubstr("nowhere"));
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

// By whatever name, data is not written over, nor anything else that is no model.
TEST(Usage, TrainingReplacesModelsAlone) {
    const Folder folder;
    const std::string content = "A r B\neval A q\tB\n\nB r A\neval A q\tB\n";
    folder.put("data", content);
    folder.put("valid", content);
    std::filesystem::create_symlink("data", folder / "link");
    std::filesystem::create_hard_link(folder / "valid", folder / "other_name");
    const auto train = [&](const std::string& output) {
        return run({"train", folder / "data", "--valid", folder / "valid", "-o", output, "--updates", "2",
                    "--restarts", "1", "--quiet"});
    };
    for (const std::string& same :
         {folder / "data", folder / "link", folder / "./data", folder / "valid", folder / "other_name"}) {
        const Result result = train(same);
        EXPECT_EQ(result.code, 2) << same;
        EXPECT_THAT(result.err, HasSubstr("are the same file, " + folder.path())) << same;
        EXPECT_EQ(lines_of(result.err), 1);
    }
    const std::vector<std::pair<std::string, std::string>> others = {
        {"first words\nand more", "text that begins \"first words\""},
        {std::string("\x1f\x8b\x08\0\0", 5), "a gzipped file"},
        {std::string("\x7f"
                     "ELF\0\0\0\0\0\0\0\0",
                     12),
         "a binary file of another kind"},
        {std::string("\x14\0\0\0\0\0\0\0{\"__metadata__\": {}}", 28), "a tensor file of another program"},
        {"{\"event\": \"start\", \"metric\": \"error_rate\"}\n", "a log of training"}};
    for (const auto& [bytes, what] : others) {
        folder.put("out", bytes);
        const Result result = train(folder / "out");
        EXPECT_EQ(result.code, 1) << what;
        EXPECT_EQ(result.err,
                  fmt::format("ggsnn: {}: would be replaced, and is {}; expected a model or no file\n",
                              folder / "out", what));
        EXPECT_EQ(read_file(folder / "out"), bytes);
    }
    folder.put("out", "");
    for (const char* time : {"over nothing", "over a model"})
        EXPECT_EQ(train(folder / "out").code, 0) << time;
    EXPECT_EQ(train("/dev/null").code, 0);
    EXPECT_EQ(read_file(folder / "data"), content);
    EXPECT_EQ(read_file(folder / "valid"), content);
}

TEST(Usage, HelpAndVersionGoToStandardOutput) {
    for (const Arguments& arguments : std::vector<Arguments>{
             {"--help"}, {"-h"}, {"train", "--help"}, {"evaluate", "--help"}, {"generate", "--help"}}) {
        const Result result = run(arguments);
        EXPECT_EQ(result.code, 0);
        EXPECT_EQ(result.err, "");
        EXPECT_THAT(result.out, HasSubstr("Usage: "));
    }
    for (const char* command : {"generate", "train", "evaluate", "predict", "info", "heap", "help"})
        EXPECT_THAT(run({"--help"}).out, HasSubstr(command));
    EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
    EXPECT_EQ(run({"help", "train"}).out, run({"train", "--help"}).out);
    EXPECT_THAT(run({"help", "heap", "train"}).out, HasSubstr("Usage: ggsnn heap train "));
    EXPECT_EQ(run({"help", "heap", "train"}).out, run({"heap", "train", "--help"}).out);
    EXPECT_EQ(run({"--version"}).code, 0);
    EXPECT_EQ(run({"-V"}).out, run({"--version"}).out);
    EXPECT_THAT(run({"--version"}).out, ::testing::MatchesRegex("ggsnn [0-9]+\\.[0-9]+\\.[0-9]+\n(.|\n)*"));
}

} // namespace
} // namespace ggsnn
