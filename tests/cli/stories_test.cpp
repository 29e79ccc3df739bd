// Stories in English, as a user has them: from text to a model, its answers and what they come from.
#include "ggsnn/base/json.hpp"
#include "ggsnn/base/random.hpp"
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;

// People walk about; where is one of them?
std::string walks(std::uint64_t seed, int stories) {
    const std::vector<std::string> people = {"Mary", "John", "Eve"},
                                   places = {"garden", "kitchen", "hall", "office"},
                                   verbs = {"went", "moved", "walked"};
    Random random(seed);
    std::string text;
    for (int s = 0; s < stories; ++s) {
        std::map<std::string, std::string> where;
        int line = 0;
        for (int t = 0; t < 5; ++t) {
            const std::string &who = people[random.below(3)], &place = places[random.below(4)];
            where[who] = place;
            text += std::to_string(++line) + " " + who + " " + verbs[random.below(3)] + " to the " + place +
                    ".\n";
        }
        for (const auto& [who, place] : where)
            text += std::to_string(++line) + " Where is " + who + "?\t" + place + "\t1\n";
    }
    return text;
}

TEST(EnglishStoriesAsAUser, AreLearnedAnsweredAndExplained) {
    const Folder folder;
    folder.put("train", walks(1, 150));
    folder.put("test", walks(2, 50));
    const std::string model = folder / "model";
    must({"train", folder / "train", "-o", model, "--updates", "500", "--restarts", "2", "--state", "16",
          "--quiet"});
    EXPECT_EQ(Json::parse(must({"evaluate", model, folder / "test", "--json"}))["accuracy"], 1.0);
    const std::string info = must({"info", model});
    EXPECT_THAT(info, HasSubstr("network that reads stories"));
    EXPECT_THAT(info, HasSubstr("alike            hall, office, kitchen, garden"))
        << "in the order in which they are met, which this seed has";

    folder.put("asked",
               "1 Mary went to the hall.\n2 John flew to the moon.\n3 Mary moved to the garden.\n4 Where is "
               "Mary?\n");
    EXPECT_THAT(must({"predict", model, folder / "asked"}), HasSubstr("Where is Mary?\tgarden"));
    const Json why = Json::parse(must({"explain", model, folder / "asked", "--json"}));
    EXPECT_EQ(why["answer"], "garden");
    double most = 0;
    std::string best;
    for (const Json& node : why["nodes"])
        if (node["share"].get<double>() > most) {
            most = node["share"];
            best = node["node"];
        }
    EXPECT_EQ(best, "3 Mary moved to the garden.");

    // An answer that training never saw.
    folder.put(
        "new",
        "1 Mary went to the hall.\n2 Where is Mary?\thall\n1 Eve went to the moon.\n2 Where is Eve?\tmoon\n");
    const Result result = run({"evaluate", model, folder / "new", "--json"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(Json::parse(result.out)["accuracy"], 0.5);
    EXPECT_EQ(Json::parse(result.out)["count"], 2);
    EXPECT_THAT(result.err, HasSubstr(":4: the answer \"moon\" was none in training"));
}

TEST(EnglishStoriesAsAUser, OtherNetworksReadThemToo) {
    const Folder folder;
    folder.put("train", walks(1, 20));
    for (const char* kind : {"ggnn", "lstm"}) {
        must({"train", folder / "train", "-o", folder / kind, "--model", kind, "--updates", "5", "--quiet"});
        EXPECT_THAT(must({"evaluate", folder / kind, folder / "train"}), HasSubstr("questions"));
    }
    // What a model reads is what it was trained on.
    folder.put("symbols", "A is B\neval A asks\tB\n");
    const Result result = run({"evaluate", folder / "lstm", folder / "symbols"});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("this is no story in English; the model reads stories in English"));
}

TEST(Babi20, SaysWhatItNeeds) {
    const Folder folder;
    EXPECT_EQ(run({"reproduce", "babi20", "-o", folder / "report"}).code, 2);
    const Result result = run({"reproduce", "babi20", "-o", folder / "report", "--data", folder / "."});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("no task of bAbI in English; expected files T_train.txt"));
}

} // namespace
} // namespace ggsnn
