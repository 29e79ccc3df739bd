// Heaps from the command line: generate, train, evaluate, predict, and what is wrong with bad snapshots.
#include "process.hpp"

#include "ggsnn/base/json.hpp"

#include <gtest/gtest.h>

namespace ggsnn::testing {
namespace {

TEST(HeapCli, DataModelFormulaWithoutTraining) {
    const Folder folder;
    ASSERT_EQ(
        run({"generate", "heap", "--formulas", "30", "--graphs", "4", "--seed", "3", "-o", (folder / "heap")})
            .code,
        0);
    const auto test = (folder / "heap") + "/test.jsonl.gz";
    const auto evaluated = run({"evaluate", test, "--json"});
    ASSERT_EQ(evaluated.code, 0) << evaluated.err;
    const Json json = parse_json(evaluated.out, {"out", 1});
    EXPECT_GT(json["accuracy"].get<double>(), 0.9);
    EXPECT_GE(json["accuracy_checked"].get<double>(), json["accuracy"].get<double>());
    EXPECT_EQ(json["ceiling"].get<double>() > 0.9, true);
    EXPECT_EQ(
        parse_json(run({"evaluate", test, "--json", "--batch", "2"}).out, {"out", 1})["count"].get<int>() * 2,
        json["count"].get<int>());
}

TEST(HeapCli, TheFormulaOfFigureThreeIsFound) {
    const Folder folder;
    ASSERT_EQ(run({"generate", "heap-nested", "--formulas", "1", "--graphs", "5", "--seed", "9", "-o",
                   (folder / "n")})
                  .code,
              0);
    const auto predicted =
        run({"predict", (folder / "n") + "/test.jsonl.gz", "--batch", "5", "--json", "--trace"});
    ASSERT_EQ(predicted.code, 0) << predicted.err;
    const Json json = parse_json(predicted.out, {"out", 1});
    EXPECT_EQ(json["formula"],
              "ls(x, NULL, \\t -> ls(t, NULL)) * tree(y, \\t -> exists e . ls(e, e) * ls(t, e))");
    EXPECT_EQ(json["network_alone"]["formula"], json["formula"]);
    EXPECT_TRUE(json["holds"].get<bool>());
    EXPECT_EQ(json["trace"][0]["decision"], "quantify");
    EXPECT_EQ(json["trace"][0]["heaps"].size(), 5u);
}

TEST(HeapCli, TrainsOnAFolderAndGoesOn) {
    const Folder folder;
    ASSERT_EQ(run({"generate", "heap", "--formulas", "40", "--graphs", "3", "-o", (folder / "heap")}).code,
              0);
    const auto trained =
        run({"train", (folder / "heap"), "-o", (folder / "m.ggsnn"), "--updates", "30", "--restarts", "1"});
    ASSERT_EQ(trained.code, 0) << trained.err;
    EXPECT_EQ(run({"evaluate", (folder / "m.ggsnn"), (folder / "heap") + "/test.jsonl.gz"}).code, 0);
    const auto wrong = run({"train", (folder / "nowhere"), "-o", "x"});
    EXPECT_EQ(wrong.code, 1);
    const auto meaningless =
        run({"train", (folder / "heap"), "-o", (folder / "m.ggsnn"), "--directions", "added"});
    EXPECT_EQ(meaningless.code, 2);
    EXPECT_NE(meaningless.err.find("--directions has no meaning with a folder of heaps"), std::string::npos);
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
        const auto result = run({"predict", (folder / "bad.jsonl")});
        EXPECT_EQ(result.code, 1);
        EXPECT_NE(result.err.find("bad.jsonl:2"), std::string::npos) << result.err;
        EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
    }
}

} // namespace
} // namespace ggsnn::testing
