// `ggsnn snapshots` as a user calls it.
#include "process.hpp"

#include "ggsnn/base/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace ggsnn::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string programs = std::string(GGSNN_SOURCE) + "/examples/programs/";

bool without_llvm(const Result& result) {
    return result.err.find("built without LLVM") != std::string::npos ||
           result.err.find("clang-19 is not found") != std::string::npos;
}
#define GGSNN_NEEDS_LLVM(result)                                                                             \
    if (without_llvm(result)) GTEST_SKIP() << "built without LLVM, or no clang-19"

TEST(Snapshots, AreHeapsWithTheirPlace) {
    const Result result = run({"snapshots", programs + "concat.c", "--function", "concat"});
    GGSNN_NEEDS_LLVM(result);
    ASSERT_EQ(result.code, 0) << result.err;
    std::istringstream lines(result.out);
    std::map<std::string, int> places;
    for (std::string line; std::getline(lines, line);) {
        const Json json = Json::parse(line);
        EXPECT_EQ(json["function"], "concat");
        ++places[json["location"]];
        EXPECT_TRUE(json["run"].is_number());
        EXPECT_TRUE(json["variables"].contains("a"));
        if (json["location"] == "loop:16") {
            EXPECT_TRUE(json["variables"].contains("cur"));
        }
        if (json["location"] == "return") {
            EXPECT_TRUE(json["variables"].contains("\\result"));
        }
    }
    EXPECT_EQ(places.size(), 3U);
    EXPECT_GT(places["entry"], 10);
    EXPECT_GT(places["loop:16"], places["entry"]);
    EXPECT_EQ(places["return"], places["entry"]);
    EXPECT_EQ(run({"snapshots", programs + "concat.c", "--function", "concat"}).out, result.out);
}

TEST(Snapshots, ToAFileWithASpecification) {
    const Folder folder;
    folder.put("f.c",
               "struct n { struct n *next; };\nint f(struct n *x) { while (x) x = x->next; return 0; }\n");
    folder.put("f.spec", "function f\nrequires x |-> {next: NULL}\n");
    const Result result =
        run({"snapshots", folder / "f.c", "--spec", folder / "f.spec", "-o", folder / "heaps.jsonl"});
    GGSNN_NEEDS_LLVM(result);
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(read_file(folder / "heaps.jsonl"),
                StartsWith("{\"nodes\":2,\"null\":0,\"edges\":[[1,\"next\",0]],\"variables\":{\"x\":1},"
                           "\"function\":\"f\",\"location\":\"entry\",\"run\":0}\n"));
}

TEST(Snapshots, SayWhatWasAssumedNotFollowedAndFound) {
    const Folder folder;
    folder.put("f.c", "#include <stdlib.h>\nstruct n { struct n *next; };\n"
                      "void f(struct n *x) { while (x) x = x->next; }\n"
                      "void g(struct n *x) { while (x) { __asm__ volatile(\"nop\"); x = x->next; } }\n"
                      "void h(struct n *x) { struct n *y = malloc(sizeof *y); y->next = x; }\n");
    const Result result = run({"snapshots", folder / "f.c"});
    GGSNN_NEEDS_LLVM(result);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("f.c:3:1: f: assumed: requires ls(x, NULL)\n"));
    EXPECT_THAT(result.err, HasSubstr("f.c:4:35: in g: not followed: assembler"));
    EXPECT_THAT(result.err, HasSubstr("is not finished\n"));
    EXPECT_THAT(result.err, HasSubstr("f.c:5:69: in h: leak: "));
    const Result cycle = run({"snapshots", programs + "broken/cycle.c"});
    EXPECT_THAT(cycle.err, HasSubstr("concat: what it ensures does not hold"));
}

TEST(Snapshots, SayWhatIsWrong) {
    const Folder folder;
    folder.put("bad.c", "int f( {\n");
    folder.put("none.c",
               "struct n { struct n *next; };\n//@ requires x = NULL * x != NULL\nvoid g(struct n *x) { }\n");
    const Result bad = run({"snapshots", folder / "bad.c"});
    GGSNN_NEEDS_LLVM(bad);
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.err, StartsWith("ggsnn: " + folder / "bad.c" + ":1:8: "));
    const Result none = run({"snapshots", folder / "none.c"});
    EXPECT_EQ(none.code, 1);
    EXPECT_THAT(none.err, HasSubstr("none.c:3:1: g is left out: no heap satisfies its precondition"));
    EXPECT_EQ(run({"snapshots", folder / "absent.c"}).code, 1);
    EXPECT_EQ(run({"snapshots"}).code, 2);
    const Result name = run({"snapshots", programs + "concat.c", "--function", "nobody"});
    EXPECT_EQ(name.code, 1);
    EXPECT_THAT(name.err, HasSubstr("no function 'nobody'"));
}

} // namespace
} // namespace ggsnn::testing
