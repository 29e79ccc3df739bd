// Explanations, searches for settings and parts of the data, from the command line.
#include "ggsnn/base/json.hpp"
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;

TEST(Explain, SharesOfAStoryAddUp) {
    const Folder folder;
    must({"generate", "babi15", "--count", "60", "-o", folder / "s.txt"});
    must({"train", folder / "s.txt", "-o", folder / "m", "--quiet"});
    const Json why =
        Json::parse(must({"explain", folder / "m", folder / "s.txt", "--question", "2", "--json"}));
    double nodes = 0, types = 0, edges = 0;
    for (const Json& node : why["nodes"]) nodes += node["share"].get<double>();
    for (const Json& edge : why["edges"]) edges += edge["share"].get<double>();
    for (const auto& [name, share] : why["edge_types"].items()) types += share.get<double>();
    const double change = why["score"].get<double>() - why["baseline"].get<double>();
    EXPECT_NEAR(nodes + edges, change, 0.01 * std::abs(change));
    EXPECT_NEAR(types, edges, 1e-9);
    EXPECT_EQ(why["question"], "has_fear");
}

TEST(Explain, DrawsAndTells) {
    const Folder folder;
    must({"generate", "babi18", "--count", "30", "-o", folder / "s.txt"});
    must({"train", folder / "s.txt", "-o", folder / "m", "--quiet", "--updates", "60", "--restarts", "1"});
    const std::string text = must({"explain", folder / "m", folder / "s.txt", "-o", folder / "why.svg"});
    EXPECT_THAT(text, HasSubstr("log probability"));
    EXPECT_THAT(text, HasSubstr("gates open to"));
    EXPECT_THAT(read_file(folder / "why.svg"), HasSubstr("<svg"));
    EXPECT_THAT(run({"explain", folder / "m", folder / "s.txt", "--question", "100000"}).err,
                HasSubstr("expected at least 100000"));
    const Result wrong = run({"explain", folder / "m", folder / "s.txt", "--node", "x"});
    EXPECT_EQ(wrong.code, 2) << wrong.err;
}

// What a recipe puts between data and annotations can be taken away.
TEST(Train, WideFeaturesGoThroughALayerUnlessToldOtherwise) {
    const Folder folder;
    std::string text;
    for (int i = 0; i < 12; ++i) {
        std::string row = "0";
        for (int j = 1; j < 70; ++j) row += j == i ? ", 1" : ", 0";
        text += R"({"nodes": 2, "edges": [[0, "r", 1]], "features": [[)" + row + "], [" + row +
                R"(]], "question": {"answer": {"class": ")" + (i % 2 == 0 ? "a" : "b") + "\"}}}\n";
    }
    folder.put("g", text);
    const Arguments train = {"train", folder / "g", "-o", folder / "m", "--updates",
                             "3",     "--restarts", "1",  "--quiet"};
    must(train);
    EXPECT_THAT(must({"info", folder / "m"}), HasSubstr("70 inputs through a layer of 24"));
    Arguments without = train;
    without.insert(without.end(), {"--embedding", "0", "--state", "80"});
    must(without);
    EXPECT_THAT(must({"info", folder / "m"}), ::testing::Not(HasSubstr("through a layer")));
}

TEST(Parts, AreTrainedValidatedAndEvaluated) {
    const Folder folder;
    std::string line =
        R"({"nodes": 6, "edges": [[0,"r",1],[2,"r",3],[4,"r",5]], "features": [[1],[0],[1],[0],[1],[0]],)"
        R"( "split": ["train","train","valid","valid","test","test"],)"
        R"( "question": {"answer": {"node_classes": ["a","b","a","b","a","a"]}}})"
        "\n";
    folder.put("g", line);
    must({"train", folder / "g", "-o", folder / "m", "--quiet", "--updates", "200", "--restarts", "1"});
    const auto accuracy = [&](const char* part) {
        const Json json =
            Json::parse(must({"evaluate", folder / "m", folder / "g", "--split", part, "--json"}));
        return json["accuracy"].get<double>();
    };
    EXPECT_EQ(accuracy("train"), 1);
    EXPECT_EQ(accuracy("valid"), 1);
    EXPECT_EQ(accuracy("test"), 0.5) << "one of the two is labelled against the rule";
    EXPECT_NEAR(accuracy("all"), 5.0 / 6, 1e-9);
    const Json whole = Json::parse(must({"evaluate", folder / "m", folder / "g", "--json"}));
    EXPECT_EQ(whole["split"], "test") << "what nobody trained on, if nobody says otherwise";
    EXPECT_EQ(whole["nodes"], 2);
    EXPECT_EQ(run({"train", folder / "g", "-o", folder / "n", "--train-count", "1"}).code, 2);
}

TEST(Tune, WritesAModelATableAndAPicture) {
    const Folder folder;
    must({"generate", "babi15", "--count", "30", "-o", folder / "s.txt"});
    const std::string table = must({"tune", folder / "s.txt", "-o", folder / "m", "--trials", "3",
                                    "--updates", "90", "--restarts", "1", "--steps", "3", "--quiet"});
    EXPECT_THAT(table, HasSubstr("the recipe"));
    EXPECT_THAT(must({"info", folder / "m"}), HasSubstr("3 propagation steps"));
    EXPECT_THAT(read_file(folder / "m.tune.svg"), HasSubstr("<svg"));
    const Json all = Json::parse(read_file(folder / "m.tune.json"));
    EXPECT_EQ(all["trials"].size(), 4u);
    EXPECT_EQ(all["rounds"], 1);
}

TEST(Train, SaysItsRecipeAndWhy) {
    const Folder folder;
    must({"generate", "babi15", "--count", "30", "-o", folder / "s.txt"});
    EXPECT_THAT(run({"train", folder / "s.txt", "-o", folder / "m"}).err,
                HasSubstr("recipe: D = 6, 5 steps; "));
    const Result weights =
        run({"train", folder / "s.txt", "-o", folder / "n", "--class-weights", "balanced"});
    EXPECT_EQ(weights.code, 2);
    EXPECT_THAT(weights.err, HasSubstr("class weights are for answers that are classes"));
    // Settings without a meaning are wrong usage, not silently ignored.
    for (const Arguments& setting :
         {Arguments{"--loss", "absolute"}, Arguments{"--feature-dropout", "0.5"}}) {
        Arguments all = {"train", folder / "s.txt", "-o", folder / "n"};
        all.insert(all.end(), setting.begin(), setting.end());
        const Result result = run(all);
        EXPECT_EQ(result.code, 2);
        EXPECT_THAT(result.err, HasSubstr(setting[0] + " has no meaning here: "));
    }
    EXPECT_EQ(
        run({"train", folder / "s.txt", "-o", folder / "n", "--model", "lstm", "--state-dropout", "0.5"})
            .code,
        2);
}

// The same bits at any number of threads, with everything random in it.
TEST(Train, DropoutIsTheSameAtAnyNumberOfThreads) {
    const Folder folder;
    must({"generate", "cora-size", "-o", folder / "g"});
    for (const char* threads : {"1", "3"})
        must({"train", folder / "g", "-o", folder / threads, "--quiet", "--updates", "4", "--edge-dropout",
              "0.2", "--threads", threads});
    EXPECT_EQ(read_file(folder / "1"), read_file(folder / "3"));
}

} // namespace
} // namespace ggsnn
