// `ggsnn verify` among other verifiers: properties, result lines, SARIF, witnesses; `reproduce strangers`.
#include "process.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/json.hpp"
#include "ggsnn/base/sha256.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string fails = "#include <stdlib.h>\n"
                          "void reach_error(void);\n"
                          "int __VERIFIER_nondet_int(void);\n"
                          "int main(void) {\n"
                          "    if (__VERIFIER_nondet_int()) reach_error();\n"
                          "    return 0;\n"
                          "}\n";
const std::string leaks = "#include <stdlib.h>\n"
                          "int main(void) {\n"
                          "    char *p = malloc(3);\n"
                          "    p = 0;\n"
                          "    return p != 0;\n"
                          "}\n";
const std::string memsafety =
    "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n"
    "CHECK( init(main()), LTL(G valid-memtrack) )\n";
const std::string counts = "int __VERIFIER_nondet_int(void);\n"
                           "int main(void) {\n"
                           "    int i = 0;\n"
                           "    while (i < 1000000 && __VERIFIER_nondet_int()) i++;\n"
                           "    return i;\n"
                           "}\n";

bool without_llvm(const Result& result) {
    return result.err.find("built without LLVM") != std::string::npos ||
           result.err.find("clang-19 is not found") != std::string::npos;
}

TEST(Exchange, APropertySaysWhatIsJudged) {
    const Folder folder;
    folder.put("fails.c", fails);
    folder.put("memory.prp", memsafety);
    folder.put("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    const Result all = run({"verify", folder / "fails.c", "--property", "all"});
    if (without_llvm(all)) GTEST_SKIP() << all.err;
    EXPECT_EQ(all.code, 1);
    EXPECT_THAT(all.out, HasSubstr("result: false\n"));
    for (const std::string& memory : {std::string("memory"), folder / "memory.prp"}) {
        const Result result = run({"verify", folder / "fails.c", "--property", memory});
        EXPECT_EQ(result.code, 0) << result.out;
        EXPECT_THAT(result.out, HasSubstr("result: true\n"));
    }
    const Result other = run({"verify", folder / "fails.c", "--property", folder / "reach.prp"});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("call(reach_error"));
    EXPECT_EQ(run({"verify", folder / "fails.c", "--property", "speed"}).code, 2);
}

TEST(Exchange, ErrorsAreCalledAsInSvComp) {
    const Folder folder;
    folder.put("leaks.c", leaks);
    const Result result = run({"verify", folder / "leaks.c", "--property", "memory", "--sarif",
                               folder / "s.json", "--witness", folder / "w.yml"});
    if (without_llvm(result)) GTEST_SKIP() << result.err;
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.out, HasSubstr("result: false(valid-memtrack)\n"));
    const Json sarif = parse_json(read_file(folder / "s.json"), {"s.json", 1});
    EXPECT_EQ(sarif["version"], "2.1.0");
    const Json& found = sarif["runs"][0]["results"][0];
    EXPECT_EQ(found["ruleId"], "valid-memtrack");
    EXPECT_EQ(found["level"], "error");
    EXPECT_EQ(found["locations"][0]["physicalLocation"]["region"]["startLine"], 5);
    const std::string witness = read_file(folder / "w.yml");
    EXPECT_THAT(witness, HasSubstr("entry_type: violation_sequence\n"));
    EXPECT_THAT(witness, HasSubstr(sha256(leaks)));
    EXPECT_THAT(witness, HasSubstr("          line: 5\n"));
}

TEST(Exchange, ProofsComeWithWhatCCanSay) {
    const Folder folder;
    folder.put("counts.c", counts);
    const Result result =
        run({"verify", folder / "counts.c", "--property", "memory", "--witness", folder / "w.yml"});
    if (without_llvm(result)) GTEST_SKIP() << result.err;
    EXPECT_EQ(result.code, 0) << result.out;
    const std::string witness = read_file(folder / "w.yml");
    EXPECT_THAT(witness, HasSubstr("entry_type: invariant_set\n"));
    EXPECT_THAT(witness, HasSubstr("value: \"0 <= i && i <= 1000000\"\n"));
}

TEST(Exchange, SizesOf32BitsAreSeen) {
    const Folder folder;
    folder.put("narrow.c",
               "typedef unsigned int word; typedef word size_t;\nvoid *malloc(size_t);\nvoid free(void *);\n"
               "int main(void) { long *p = malloc(4); *p = 1; free(p); return 0; }\n");
    const Result result = run({"verify", folder / "narrow.c"});
    if (without_llvm(result)) GTEST_SKIP() << result.err;
    EXPECT_EQ(result.code, 0) << result.out;
    EXPECT_THAT(result.out, HasSubstr("read with -m32"));
    EXPECT_EQ(run({"verify", folder / "narrow.c", "--", "-m64"}).code, 3);
}

TEST(Exchange, StrangersAreHeldToTheirExpectations) {
    const Folder folder;
    std::filesystem::create_directories(folder / "data/svcomp/a");
    std::filesystem::create_directories(folder / "data/ligmm");
    folder.put("data/svcomp/expected.tsv", "path\texpected_verdict\tsubproperty\na/fails.c\ttrue\t\n"
                                           "a/leaks.c\tfalse\tvalid-memtrack\na/wrong.c\ttrue\t\n");
    folder.put("data/svcomp/a/fails.c", fails);
    folder.put("data/svcomp/a/leaks.c", leaks);
    folder.put("data/svcomp/a/wrong.c", leaks);
    folder.put("data/ligmm/f.c",
               "struct n { struct n *next; };\n"
               "struct n *f(struct n *p) /*@ With t Require data_at(field_addr(p, next), t)\n"
               "  Ensure data_at(field_addr(__return, next), 0) */ { p->next = 0; return p; }\n");
    const Result result =
        run({"reproduce", "strangers", "-o", folder / "out", "--data", folder / "data", "--timeout", "20"});
    if (without_llvm(result)) GTEST_SKIP() << result.err;
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out + result.err, HasSubstr("strangers: 3 of 4 right, 1 wrong"));
    const std::string page = read_file(folder / "out/index.html");
    EXPECT_THAT(page, HasSubstr("Programs of strangers"));
    EXPECT_THAT(page, HasSubstr("<b>wrong: </b>unsafe, valid-memtrack"));
    EXPECT_EQ(run({"reproduce", "strangers", "-o", folder / "out"}).code, 2);
    EXPECT_EQ(run({"reproduce", "strangers", "-o", folder / "out", "--data", folder / "out"}).code, 1);
}

} // namespace
} // namespace ggsnn::testing
