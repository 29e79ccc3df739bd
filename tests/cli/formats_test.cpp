// Data of other programs through the command line, as docs/formats.md has it.
#include "ggsnn/base/json.hpp"
#include "process.hpp"

#include <gmock/gmock.h>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;

const std::string data = std::string(GGSNN_SOURCE) + "/examples/data/";

TEST(FormatsOfData, GiveTheSameModel) {
    const Folder folder;
    const auto model_of = [&](const std::string& input) {
        must({"train", data + input, "-o", folder / "model", "--updates", "20", "--quiet"});
        return read_file(folder / "model");
    };
    const std::string expected = model_of("people/edges.csv");
    for (const char* same : {"people", "people.graphml", "people.json"})
        EXPECT_EQ(model_of(same), expected) << same;
    for (const char* other : {"people.mtx", "large/graph.json", "RINGS"}) model_of(other);
}

TEST(FormatsOfData, ALabelIsRememberedByTheModel) {
    const Folder folder;
    must({"train", data + "people/edges.csv", "-o", folder / "model", "--updates", "20", "--label", "city",
          "--quiet"});
    const std::string line = must({"predict", folder / "model", data + "people.json", "--json"});
    const Json answer = Json::parse(line)["answer"];
    for (const Json& city : answer)
        EXPECT_TRUE(city == "Rome" || city == "Oslo" || city == "Lima") << city;
    const Result wrong = run({"evaluate", folder / "model", data + "people.json", "--label", "none_such"});
    EXPECT_EQ(wrong.code, 1);
    EXPECT_THAT(wrong.err, HasSubstr("there is no column \"none_such\" of answers"));
}

TEST(FormatsOfData, NodesMayStandElsewhere) {
    const Folder folder;
    folder.put("links.csv", "source,target\na,b\nb,c\n");
    folder.put("who.csv", "id,size,y\na,1,no\nb,2,no\nc,3,yes\n");
    const Result without = run({"train", folder / "links.csv", "-o", folder / "model"});
    EXPECT_EQ(without.code, 1);
    EXPECT_THAT(without.err, HasSubstr("expected nodes.csv beside the file, or --nodes"));
    const Arguments nodes = {"--nodes", folder / "who.csv"};
    must({"train", folder / "links.csv", "-o", folder / "model", "--updates", "5", nodes[0], nodes[1]});
    EXPECT_EQ(lines_of(must({"predict", folder / "model", folder / "links.csv", nodes[0], nodes[1]})), 1);
}

TEST(FormatsOfData, OptionsWithoutAMeaningAreWrongUsage) {
    const Folder folder;
    folder.put("story.txt", "A r B\neval A q\tB\n");
    for (const char* option : {"--nodes", "--label"}) {
        const Result result = run({"train", folder / "story.txt", "-o", folder / "model", option, "x"});
        EXPECT_EQ(result.code, 2) << option;
        EXPECT_THAT(result.err, HasSubstr("holds stories"));
    }
    const Result empty = run({"train", folder.path(), "-o", folder / "model"});
    EXPECT_EQ(empty.code, 2);
    EXPECT_THAT(empty.err, HasSubstr("is a folder"));
}

} // namespace
} // namespace ggsnn
