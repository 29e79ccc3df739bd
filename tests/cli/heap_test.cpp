// ggsnn heap: generate, train, evaluate, predict, and what is wrong with bad snapshots.
#include "process.hpp"

#include "ggsnn/base/json.hpp"

#include <gtest/gtest.h>

namespace ggsnn::testing {
namespace {

TEST(HeapCli, DataModelFormulaWithoutTraining) {
    const Folder folder;
    ASSERT_EQ(run({"heap", "generate", "flat", "--formulas", "30", "--graphs", "4", "--seed", "3", "-o",
                   (folder / "heap")})
                  .code,
              0);
    const auto test = (folder / "heap") + "/test.jsonl.gz";
    const auto evaluated = run({"heap", "evaluate", test, "--json"});
    ASSERT_EQ(evaluated.code, 0) << evaluated.err;
    const Json json = parse_json(evaluated.out, {"out", 1});
    EXPECT_GT(json["accuracy"].get<double>(), 0.9);
    EXPECT_GE(json["accuracy_checked"].get<double>(), json["accuracy"].get<double>());
    EXPECT_EQ(json["ceiling"].get<double>() > 0.9, true);
    EXPECT_EQ(
        parse_json(run({"heap", "evaluate", test, "--json", "--together", "2"}).out, {"out", 1})["count"]
                .get<int>() *
            2,
        json["count"].get<int>());
}

TEST(HeapCli, TheFormulaOfFigureThreeIsFound) {
    const Folder folder;
    ASSERT_EQ(run({"heap", "generate", "nested", "--formulas", "1", "--graphs", "5", "--seed", "9", "-o",
                   (folder / "n")})
                  .code,
              0);
    const auto predicted =
        run({"heap", "predict", (folder / "n") + "/test.jsonl.gz", "--together", "5", "--json", "--trace"});
    ASSERT_EQ(predicted.code, 0) << predicted.err;
    const Json json = parse_json(predicted.out, {"out", 1});
    EXPECT_EQ(json["formula"],
              "ls(x, NULL, \\t -> ls(t, NULL)) * tree(y, \\t -> exists e . ls(e, e) * ls(t, e))");
    EXPECT_EQ(json["network_alone"]["formula"], json["formula"]);
    EXPECT_TRUE(json["holds"].get<bool>());
    EXPECT_EQ(json["trace"][0]["decision"], "quantify");
    EXPECT_EQ(json["trace"][0]["heaps"].size(), 5u);
}

TEST(HeapCli, WideShapesHaveTheirOwnModel) {
    const Folder folder;
    ASSERT_EQ(run({"heap", "generate", "wide", "--formulas", "60", "--graphs", "3", "--seed", "5", "-o",
                   (folder / "w")})
                  .code,
              0);
    const auto evaluated = run({"heap", "evaluate", (folder / "w") + "/test.jsonl.gz", "--json"});
    ASSERT_EQ(evaluated.code, 0) << evaluated.err;
    const Json json = parse_json(evaluated.out, {"out", 1});
    EXPECT_GT(json["accuracy"].get<double>(), 0.8);
    EXPECT_FALSE(json.contains("ceiling")) << "a doubly-linked list is a list as well";
    // A ring of two cells, found by its links back.
    folder.put("ring.jsonl", R"({"nodes":3,"edges":[[1,"next",2],[1,"prev",2],[2,"next",1],[2,"prev",1]],)"
                             R"("variables":{"x":1}})"
                             "\n");
    const auto predicted = run({"heap", "predict", folder / "ring.jsonl"});
    ASSERT_EQ(predicted.code, 0) << predicted.err;
    EXPECT_EQ(predicted.out, "exists t . dll(x, t, t, x)\n");
}

TEST(HeapCli, ASplitByFormulaIsAnotherOne) {
    const Folder folder;
    const auto test_of = [&](const std::string& split) {
        EXPECT_EQ(run({"heap", "generate", "flat", "--formulas", "327", "--graphs", "1", "--split", split,
                       "-o", folder / split})
                      .code,
                  0);
        return lines_of(run({"heap", "predict", (folder / split) + "/test.jsonl.gz"}).out);
    };
    EXPECT_EQ(test_of("formula"), 65);
    EXPECT_NE(test_of("renaming"), 65) << "whole classes";
    EXPECT_EQ(run({"heap", "generate", "flat", "--split", "chance", "-o", folder / "x"}).code, 2);
}

TEST(HeapCli, TrainsOnAFolderAndGoesOn) {
    const Folder folder;
    ASSERT_EQ(
        run({"heap", "generate", "flat", "--formulas", "40", "--graphs", "3", "-o", (folder / "heap")}).code,
        0);
    const auto trained = run({"heap", "train", (folder / "heap"), "-o", (folder / "m.ggsnn"), "--updates",
                              "30", "--restarts", "1"});
    ASSERT_EQ(trained.code, 0) << trained.err;
    EXPECT_EQ(run({"heap", "evaluate", (folder / "m.ggsnn"), (folder / "heap") + "/test.jsonl.gz"}).code, 0);
    const auto wrong = run({"heap", "train", (folder / "nowhere"), "-o", "x"});
    EXPECT_EQ(wrong.code, 1);
}

// Heaps were data for the other commands once; whoever types that is told where they went.
TEST(HeapCli, OtherCommandsNameTheOnesForHeaps) {
    const Folder folder;
    const std::string model = GGSNN_SOURCE "/models/flat.ggsnn", heaps = folder / "heaps.jsonl";
    folder.put("heaps.jsonl", "{\"nodes\":1,\"edges\":[],\"variables\":{}}\n");
    const std::vector<std::pair<Arguments, std::string>> cases = {
        {{"generate", "heap", "-o", folder / "x"}, "ggsnn heap generate"},
        {{"generate", "heap-nested-stress"}, "ggsnn heap generate"},
        {{"train", folder / "", "-o", folder / "m"}, "ggsnn heap train"},
        {{"evaluate", model, heaps}, "ggsnn heap evaluate"},
        {{"predict", model, heaps}, "ggsnn heap predict"},
        {{"predict", heaps}, "ggsnn heap predict"},
    };
    for (const auto& [arguments, named] : cases) {
        const Result result = run(arguments);
        EXPECT_EQ(result.code, 2) << named << result.err;
        EXPECT_EQ(lines_of(result.err), 1) << result.err;
        EXPECT_NE(result.err.find(named), std::string::npos) << result.err;
    }
    EXPECT_EQ(folder.files(), 1) << "nothing was written";
}

TEST(HeapCli, BadSnapshotsAreNamed) {
    const Folder folder;
    const std::vector<std::pair<std::string, std::string>> cases{
        {R"({"nodes":2,"edges":[[1,"next",5]],"variables":{"x":1}})", "node 5"},
        {R"({"nodes":2,"edges":[[1,"next",0]],"variables":{"x":7}})", "variable \"x\" is node 7"},
        {R"({"nodes":2,"edges":[[1,"nxt",0]],"variables":{"x":1}})", "unknown field \"nxt\""},
        {R"({"nodes":3,"null":[0,2],"edges":[[1,"next",0]],"variables":{"x":1}})", "two NULLs"},
    };
    for (const auto& [line, message] : cases) {
        folder.put("bad.jsonl", "{\"nodes\":1,\"edges\":[],\"variables\":{}}\n" + line + "\n");
        const auto result = run({"heap", "predict", (folder / "bad.jsonl")});
        EXPECT_EQ(result.code, 1);
        EXPECT_NE(result.err.find("bad.jsonl:2"), std::string::npos) << result.err;
        EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
    }
}

} // namespace
} // namespace ggsnn::testing
