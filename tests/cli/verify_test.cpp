// `ggsnn verify` and `infer` as a user calls them.
#include "process.hpp"

#include "base/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn::testing {
namespace {

using ::testing::HasSubstr;

const std::string programs = std::string(GGSNN_SOURCE) + "/examples/programs/";

#define GGSNN_NEEDS_CLANG(result)                                                                            \
    if (result.err.find("built without libclang") != std::string::npos)                                      \
    GTEST_SKIP() << "built without libclang"

TEST(VerifyCli, ProvesWithExitCodeZero) {
    const Result result = run({"verify", programs + "concat.c"});
    GGSNN_NEEDS_CLANG(result);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("proved inductive"));
    EXPECT_THAT(result.out, HasSubstr("concat  memory-safe"));
}

TEST(VerifyCli, TellsUnsafeFromUnknown) {
    const Result unsafe = run({"verify", programs + "broken/double_free.c", "--json"});
    GGSNN_NEEDS_CLANG(unsafe);
    EXPECT_EQ(unsafe.code, 1);
    const Json json = parse_json(unsafe.out, {"out", 1});
    EXPECT_EQ(json["functions"][0]["verdict"], "unsafe");
    EXPECT_EQ(json["functions"][0]["run"]["fault"], "double free");
    const Folder folder;
    folder.put("a.c", "int f(void) { int a[3]; return a[0]; }\n");
    const Result unknown = run({"verify", folder / "a.c", "--json"});
    EXPECT_EQ(unknown.code, 1);
    const Json other = parse_json(unknown.out, {"out", 1});
    EXPECT_EQ(other["functions"][0]["verdict"], "unknown");
    EXPECT_THAT(other["functions"][0]["reason"].get<std::string>(), HasSubstr("line 1:"));
}

TEST(VerifyCli, ReportsLoopsAsData) {
    const Result result = run({"verify", programs + "traverse1.c", "--json"});
    GGSNN_NEEDS_CLANG(result);
    const Json json = parse_json(result.out, {"out", 1});
    const Json& loop = json["functions"][0]["loops"][0];
    EXPECT_EQ(loop["invariant"], "ls(curr, NULL) * ls(lst, curr)");
    EXPECT_EQ(loop["proved"], true);
    EXPECT_EQ(json["functions"][0]["reason"], "");
}

TEST(VerifyCli, WritesAPage) {
    const Folder folder;
    const Result result = run({"verify", programs + "reverse.c", "--html", folder / "page.html"});
    GGSNN_NEEDS_CLANG(result);
    const std::string page = read_file(folder / "page.html");
    for (const char* part : {"<svg", "Each step of the prediction", "proof's", "proved inductive"})
        EXPECT_THAT(page, HasSubstr(part));
}

TEST(VerifyCli, InfersWithoutProof) {
    const Result result = run({"infer", programs + "copy.c"});
    GGSNN_NEEDS_CLANG(result);
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.out, HasSubstr("(from runs, not proved)"));
}

TEST(VerifyCli, OtherFilesAreVerifiedWhereOneIsBroken) {
    const Folder folder;
    folder.put("broken.c", "int f( {\n");
    const Result result = run({"verify", folder / "broken.c", programs + "dispose.c", folder / "absent.c"});
    GGSNN_NEEDS_CLANG(result);
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("broken.c:1:"));
    EXPECT_THAT(result.out, HasSubstr("dispose  memory-safe"));
}

TEST(VerifyCli, AMissingFunctionIsNamed) {
    const Result result = run({"verify", programs + "dispose.c", "--function", "nothing"});
    GGSNN_NEEDS_CLANG(result);
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("no function 'nothing'"));
}

} // namespace
} // namespace ggsnn::testing
