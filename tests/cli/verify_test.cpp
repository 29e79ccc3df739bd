// `ggsnn verify` and `infer` as a user calls them.
#include "process.hpp"

#include "ggsnn/base/json.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace ggsnn::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string programs = std::string(GGSNN_SOURCE) + "/examples/programs/";

#define GGSNN_NEEDS_LLVM(result)                                                                             \
    if (result.err.find("built without LLVM") != std::string::npos ||                                        \
        result.err.find("clang-19 is not found") != std::string::npos)                                       \
    GTEST_SKIP() << "built without LLVM, or no clang-19"

// With a text as standard input.
Result run_with(const Arguments& arguments, const Folder& folder, const std::string& text) {
    folder.put("input", text);
    return run(arguments, [&] { ::dup2(::open((folder / "input").c_str(), O_RDONLY), STDIN_FILENO); });
}

constexpr const char* walk = "struct n { int v; struct n *next; };\n"
                             "int walk(struct n *x) { while (x) x = x->next; return K; }\n";
constexpr const char* crash = "int main(void) {\n    int *p = 0;\n    return *p;\n}\n";
constexpr const char* strange =
    "int f(int k) {\n    for (; k > 0; k--) __asm__ volatile(\"nop\");\n    return 0;\n}\n";

// ---- exit codes

TEST(VerifyCli, ProvesWithExitCodeZero) {
    const Result result = run({"verify", programs + "concat.c"});
    GGSNN_NEEDS_LLVM(result);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("proved inductive"));
    EXPECT_THAT(result.out, HasSubstr("concat  memory-safe"));
    EXPECT_EQ(result.err, "");
}

TEST(VerifyCli, TellsUnsafeFromUnknown) {
    const Result unsafe = run({"verify", programs + "broken/double_free.c", "--json"});
    GGSNN_NEEDS_LLVM(unsafe);
    EXPECT_EQ(unsafe.code, 1);
    const Json json = parse_json(unsafe.out, {"out", 1});
    EXPECT_EQ(json["functions"][0]["verdict"], "unsafe");
    EXPECT_EQ(json["functions"][0]["run"]["fault"], "double free");
    const Folder folder;
    folder.put("a.c", strange);
    const Result unknown = run({"verify", folder / "a.c", "--json"});
    EXPECT_EQ(unknown.code, 3);
    const Json other = parse_json(unknown.out, {"out", 1});
    EXPECT_EQ(other["functions"][0]["verdict"], "unknown");
    EXPECT_THAT(other["functions"][0]["reason"].get<std::string>(), HasSubstr("a.c:2:24: "));
}

TEST(VerifyCli, TheWorstVerdictIsTheExitCode) {
    const Folder folder;
    folder.put("unknown.c", strange);
    folder.put("unsafe.c", crash);
    const Result proved = run({"verify", programs + "dispose.c"});
    GGSNN_NEEDS_LLVM(proved);
    EXPECT_EQ(proved.code, 0);
    EXPECT_EQ(run({"verify", programs + "dispose.c", folder / "unknown.c"}).code, 3);
    EXPECT_EQ(run({"verify", folder / "unknown.c", folder / "unsafe.c", programs + "dispose.c"}).code, 1);
    EXPECT_EQ(run({"verify"}).code, 2);
    EXPECT_EQ(run({"verify", folder / "unknown.c", "--no-such-option"}).code, 2);
    EXPECT_EQ(run({"verify", folder / "unknown.c", "--timeout", "0"}).code, 2);
    EXPECT_EQ(run({"verify", folder / "unknown.c", "--timeout", "soon"}).code, 2);
}

// ---- what is given

TEST(VerifyCli, ReadsStandardInput) {
    const Folder folder;
    const Result unsafe = run_with({"verify", "-"}, folder, crash);
    GGSNN_NEEDS_LLVM(unsafe);
    EXPECT_EQ(unsafe.code, 1);
    EXPECT_THAT(unsafe.out, HasSubstr(":3:12: in main: null dereference: 'p' is NULL"));
    EXPECT_EQ(run_with({"verify", "-", "--", "-DK=1"}, folder, walk).code, 0);
    EXPECT_EQ(run_with({"verify", "-"}, folder, "").code, 1);
}

TEST(VerifyCli, PassesFlagsToTheCompiler) {
    const Folder folder, include;
    folder.put("walk.c", walk);
    include.put("settings.h", "#ifndef BROKEN\n#define BROKEN 1\n#endif\n");
    folder.put("set.c",
               "#include \"settings.h\"\nint f(void) { int a[2] = {0, 1};\n#if BROKEN\nreturn a[2];\n#else\n"
               "return a[1];\n#endif\n}\n");
    const Result with = run({"verify", folder / "walk.c", "--", "-DK=3"});
    GGSNN_NEEDS_LLVM(with);
    EXPECT_EQ(with.code, 0) << with.err;
    const Result without = run({"verify", folder / "walk.c"});
    EXPECT_EQ(without.code, 1);
    EXPECT_THAT(without.err, HasSubstr("walk.c:2:55: "));
    // A header that is missing is an error, never an empty one.
    const Result missing = run({"verify", folder / "set.c"});
    EXPECT_EQ(missing.code, 1);
    EXPECT_THAT(missing.err, HasSubstr("set.c:1:10: 'settings.h' file not found"));
    EXPECT_EQ(missing.out, "");
    const Result broken = run({"verify", folder / "set.c", "--", "-I" + include / ""});
    EXPECT_EQ(broken.code, 1);
    EXPECT_THAT(broken.out, HasSubstr("set.c:4:8: in f: out of bounds"));
    EXPECT_EQ(run({"verify", folder / "set.c", "--", "-I", include / "", "-DBROKEN=0"}).code, 0);
    const Result plugin = run({"verify", folder / "walk.c", "--", "-DK=3", "-fplugin=/tmp/x.so"});
    EXPECT_NE(plugin.code, 0);
    EXPECT_THAT(plugin.err, HasSubstr("-fplugin=/tmp/x.so"));
}

TEST(VerifyCli, ReadsBitcodeAndCompileCommands) {
    const Folder folder;
    folder.put("walk.c", walk);
    folder.put("compile_commands.json",
               "[{\"directory\": \"" + folder / "" +
                   "\", \"file\": \"walk.c\", "
                   "\"arguments\": [\"cc\", \"-O2\", \"-DK=5\", \"-c\", \"walk.c\"]}]");
    const Result result =
        run({"verify", folder / "walk.c", "--compile-commands", folder / "compile_commands.json"});
    GGSNN_NEEDS_LLVM(result);
    EXPECT_EQ(result.code, 0) << result.err;
    const std::string compile = "clang-19 -O0 -g -Xclang -disable-O0-optnone -DK=1 -c -emit-llvm -o " +
                                folder / "walk.bc" + " " + folder / "walk.c";
    ASSERT_EQ(std::system(compile.c_str()), 0);
    const Result bitcode = run({"verify", folder / "walk.bc"});
    EXPECT_EQ(bitcode.code, 0) << bitcode.err;
    EXPECT_THAT(bitcode.out, HasSubstr("walk  memory-safe"));
    folder.put("bad.bc", "BC\xc0\xde and then nothing");
    EXPECT_EQ(run({"verify", folder / "bad.bc"}).code, 1);
}

TEST(VerifyCli, OtherFilesAreVerifiedWhereOneIsBroken) {
    const Folder folder;
    folder.put("broken.c", "int f( {\n");
    const Result result = run({"verify", folder / "broken.c", programs + "dispose.c", folder / "absent.c"});
    GGSNN_NEEDS_LLVM(result);
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("broken.c:1:8: "));
    EXPECT_THAT(result.err, HasSubstr("absent.c: cannot open"));
    EXPECT_THAT(result.out, HasSubstr("dispose  memory-safe"));
}

TEST(VerifyCli, NamesMayBeWordsOfFormulas) {
    const Folder folder;
    folder.put("names.c",
               "struct n { int v; struct n *next; };\n"
               "int f(struct n *ls, struct n *dll, struct n *tree, struct n *none, struct n *exists) {\n"
               "    int k = 0;\n    while (ls) ls = ls->next, k++;\n"
               "    return k + !!dll + !!tree + !!none + !!exists;\n}\n");
    const Result result = run({"verify", folder / "names.c"});
    GGSNN_NEEDS_LLVM(result);
    EXPECT_EQ(result.code, 0) << result.out << result.err;
}

TEST(VerifyCli, ASpecificationMayStandInAFile) {
    const Folder folder;
    folder.put("f.c", "struct n { struct n *next; };\nvoid f(struct n *x) { x->next = 0; }\n");
    folder.put("f.spec", "function f\nrequires x |-> {next: NULL}\nensures x |-> {next: NULL}\n");
    const Result result = run({"verify", folder / "f.c", "--spec", folder / "f.spec"});
    GGSNN_NEEDS_LLVM(result);
    EXPECT_EQ(result.code, 0) << result.out << result.err;
    EXPECT_THAT(result.out, Not(HasSubstr("assumed")));
    folder.put("bad.spec", "function f\nrequires x |-> {\n");
    const Result bad = run({"verify", folder / "f.c", "--spec", folder / "bad.spec"});
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.err, HasSubstr("bad.spec:2:"));
    folder.put("inside.c", "struct n { struct n *next; };\n\n//@ requires ls(x, \nvoid f(struct n *x) { }\n");
    const Result inside = run({"verify", folder / "inside.c"});
    EXPECT_EQ(inside.code, 1);
    EXPECT_THAT(inside.err, HasSubstr("inside.c:3:19: "));
}

TEST(VerifyCli, AMissingFunctionIsNamed) {
    const Result result = run({"verify", programs + "dispose.c", "--function", "nothing"});
    GGSNN_NEEDS_LLVM(result);
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("no function 'nothing'"));
}

// ---- what comes out

TEST(VerifyCli, ReportsLoopsAsData) {
    const Result result = run({"verify", programs + "traverse1.c", "--json"});
    GGSNN_NEEDS_LLVM(result);
    const Json json = parse_json(result.out, {"out", 1});
    const Json& loop = json["functions"][0]["loops"][0];
    EXPECT_EQ(loop["invariant"], "ls(curr, NULL) * ls(lst, curr)");
    EXPECT_EQ(loop["proved"], true);
    EXPECT_EQ(loop["found_by"], "network");
    EXPECT_EQ(json["functions"][0]["reason"], "");
}

TEST(VerifyCli, AnErrorIsToldWithFileLineAndColumn) {
    const Result result = run({"verify", programs + "broken/use_after_free.c"});
    GGSNN_NEEDS_LLVM(result);
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.out,
                ::testing::ContainsRegex("use_after_free\\.c:[0-9]+:[0-9]+: in [a-z_]+: use after free: "));
    EXPECT_THAT(result.out, HasSubstr("with this input: "));
}

TEST(VerifyCli, WritesAPage) {
    const Folder folder;
    const Result result = run({"verify", programs + "reverse.c", "--html", folder / "page.html"});
    GGSNN_NEEDS_LLVM(result);
    const std::string page = read_file(folder / "page.html");
    for (const char* part : {"<svg", "Each step of the prediction", "proof's", "proved inductive"})
        EXPECT_THAT(page, HasSubstr(part));
}

TEST(VerifyCli, WritesAReplayOfTheFirstErrorOnly) {
    const Folder folder;
    const Result unsafe = run({"verify", programs + "broken/double_free.c", "--replay", folder / "replay.c"});
    GGSNN_NEEDS_LLVM(unsafe);
    EXPECT_EQ(unsafe.code, 1);
    const std::string text = read_file(folder / "replay.c");
    EXPECT_THAT(text, StartsWith("// Plays back: double free"));
    EXPECT_THAT(text, HasSubstr("double_free.c\""));
    EXPECT_EQ(run({"verify", programs + "dispose.c", "--replay", folder / "none.c"}).code, 0);
    EXPECT_FALSE(std::filesystem::exists(folder / "none.c"));
}

TEST(VerifyCli, InfersWithoutProof) {
    const Result result = run({"infer", programs + "copy.c"});
    GGSNN_NEEDS_LLVM(result);
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.out, HasSubstr("(from runs, not proved)"));
}

// ---- limits

// Clang itself is slow on the first; the second has a thousand functions; the third has 2^40 paths. Each is
// answered, proved or not, whatever the machine does besides.
TEST(VerifyCli, TheLimitOfTimeHoldsForTheWholeFile) {
    const Folder folder;
    std::string cases = "int f(int k) { switch (k) {\n", functions,
                ifs = "int f(int *a, int k) { int s = 0;\n";
    for (int i = 0; i < 5000; ++i)
        cases += "case " + std::to_string(i) + ": return " + std::to_string(i * 7 % 31) + ";\n";
    for (int i = 0; i < 1000; ++i) {
        const std::string n = std::to_string(i);
        functions += "int g" + n + "(int *p) { " +
                     (i > 0 ? "if (p) return g" + std::to_string(i - 1) + "(p); " : "") +
                     "return p ? *p : 0; }\n";
    }
    for (int i = 0; i < 40; ++i)
        ifs += "if (a && a[0] == " + std::to_string(i) + ") s += k; else s ^= k * 3;\n";
    folder.put("cases.c", cases + "}\nreturn 0; }\n");
    folder.put("functions.c", functions);
    folder.put("ifs.c", ifs + "for (int i = 0; i < s; i++) s += a ? *a : 1;\nreturn s; }\n");
    for (const char* name : {"cases.c", "functions.c", "ifs.c"}) {
        const Result result = run({"verify", folder / name, "--timeout", "2"});
        GGSNN_NEEDS_LLVM(result);
        EXPECT_TRUE(result.code == 0 || result.code == 3) << name << ": " << result.code << " " << result.err;
        EXPECT_LT(result.peak, 2'000'000) << name;
    }
}

// ---- many files, many cores, many runs

// A project of three files: one name twice, static functions of one name, flags of each, a header they share.
void make_project(const Folder& folder) {
    for (const char* name : {"a", "b", "include"}) std::filesystem::create_directories(folder / name);
    folder.put("include/list.h", "struct n { int v; struct n *next; };\nint walk(struct n *x);\n");
    folder.put("a/list.c", "#include <list.h>\n"
                           "static int first(struct n *x) { return x ? x->v : KIND; }\n"
                           "int walk(struct n *x) { int s = first(x); while (x) x = x->next; return s; }\n");
    folder.put("b/list.c",
               "#include <list.h>\n#include <stdlib.h>\n"
               "static void first(struct n **x) { *x = malloc(sizeof **x); (*x)->next = 0; }\n"
               "void b(void) {\n    struct n *x;\n    first(&x);\n#ifdef TIDY\n    free(x);\n#endif\n}\n");
    std::string text = "[";
    for (const char* file : {"b/list.c", "a/list.c", "missing.c", "b/list.c", "x.cpp"})
        text +=
            (text.size() > 1 ? "," : "") +
            fmt::format(R"({{"directory": "{}", "file": "{}", "command": "cc -Iinclude {} -c {} -o x.o"}})",
                        folder.path(), file, file[0] == 'a' ? "-DKIND=1" : "-DUNTIDY", file);
    folder.put("compile_commands.json", text + "]");
}

TEST(VerifyCli, AProjectIsVerifiedByItsCommands) {
    const Folder folder;
    make_project(folder);
    const std::string commands = folder / "compile_commands.json";
    const Result all = run({"verify", "--compile-commands", commands});
    GGSNN_NEEDS_LLVM(all);
    EXPECT_EQ(all.code, 1); // a leak, and a file that is not there
    const auto at = [&](const std::string& text) { return all.out.find(text); };
    // In the order of the commands, each once, under names that tell them apart.
    EXPECT_THAT(all.out, HasSubstr("b/list.c:4  b  unsafe: "));
    EXPECT_THAT(all.out, HasSubstr("a/list.c:3  walk  memory-safe"));
    EXPECT_LT(at("b/list.c:4  b "), at("a/list.c:2  first "));
    EXPECT_EQ(at("b/list.c:4  b  unsafe"), all.out.rfind("b/list.c:4  b  unsafe"));
    EXPECT_THAT(all.err, HasSubstr("missing.c: cannot open: No such file"));
    EXPECT_THAT(all.err, Not(HasSubstr("x.cpp")));
    // Given one by one, in any number at the same time.
    for (const char* jobs : {"1", "2", "5"}) {
        const Result again = run({"verify", "--compile-commands", commands, "--jobs", jobs});
        EXPECT_EQ(again.out, all.out);
        EXPECT_EQ(again.err, all.err);
        EXPECT_EQ(again.code, 1);
    }
    const Result unknown = run({"verify", "--compile-commands", commands, folder / "include/list.h"});
    EXPECT_THAT(unknown.err, HasSubstr("compile_commands.json: no command for "));
    EXPECT_EQ(run({"verify", "--jobs", "0", folder / "a/list.c"}).code, 2);
}

TEST(VerifyCli, ASecondRunTakesWhatChanged) {
    const Folder folder;
    const std::string text = "#include <stdlib.h>\n"
                             "void leak(void) {\n    char *p = malloc(3);\n    p = 0;\n}\n"
                             "int fine(void) { return 0; }\n";
    folder.put("a.c", text);
    folder.put("main.c", "int main(void) { return 0; }\n");
    const Arguments arguments{"verify", folder / "a.c", folder / "main.c",
                              "--json", "--cache",      folder / "cache"};
    const Result first = run(arguments);
    GGSNN_NEEDS_LLVM(first);
    EXPECT_EQ(first.code, 1);
    EXPECT_EQ(first.err, "");
    const Result second = run(arguments); // the same, seconds and all: nothing was done
    EXPECT_EQ(second.out, first.out);
    EXPECT_EQ(second.code, 1);
    folder.put("a.c", "// one line more\n" + text);
    const Json moved = parse_json(run(arguments).out, {"out", 1});
    EXPECT_THAT(moved[0]["functions"][0]["reason"].get<std::string>(), HasSubstr("a.c:6:1: "));
    EXPECT_THAT(moved[0]["functions"][0]["reason"].get<std::string>(), HasSubstr("from line 4"));
    EXPECT_EQ(moved[0]["functions"][0]["line"], 3);
    // A folder that cannot be is told.
    const Result bad = run({"verify", folder / "a.c", "--cache", folder / "a.c"});
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.err, HasSubstr("--cache"));
}

TEST(VerifyCli, PropertiesOfSVCompAreToldApart) {
    const Folder folder;
    folder.put("kept.c", "#include <stdlib.h>\nint *g;\nint main(void) { g = malloc(4); return 0; }\n");
    folder.put("lost.c",
               "#include <stdlib.h>\nint *g;\nint main(void) { g = malloc(4); g = 0; return 0; }\n");
    folder.put("freed.c",
               "#include <stdlib.h>\nint *g;\nint main(void) { g = malloc(4); free(g); return 0; }\n");
    folder.put("deref.c", crash);
    const auto property = [&](const std::string& name, const std::vector<std::string>& parts) {
        std::string content;
        for (const std::string& part : parts) content += "CHECK( init(main()), LTL(G valid-" + part + ") )\n";
        folder.put(name, content);
        return folder / name;
    };
    const std::string safety = property("valid-memsafety.prp", {"deref", "free", "memtrack"}),
                      cleanup = property("valid-memcleanup.prp", {"memcleanup"}),
                      all = property("all.prp", {"deref", "free", "memtrack", "memcleanup"}),
                      frees = property("free.prp", {"free"});
    const auto line = [&](const std::string& file, const std::string& which) {
        const std::string out = run({"verify", folder / file, "--property", which}).out;
        const auto at = out.rfind("result: ");
        return at == std::string::npos ? "" : out.substr(at + 8, out.size() - at - 9);
    };
    GGSNN_NEEDS_LLVM(run({"verify", folder / "freed.c"}));
    EXPECT_EQ(line("kept.c", safety), "true");
    EXPECT_EQ(line("kept.c", cleanup), "false(valid-memcleanup)");
    EXPECT_EQ(line("kept.c", all), "false(valid-memcleanup)");
    EXPECT_EQ(line("lost.c", safety), "false(valid-memtrack)");
    EXPECT_EQ(line("lost.c", cleanup), "false(valid-memcleanup)");
    EXPECT_EQ(line("lost.c", all), "false(valid-memtrack)");
    EXPECT_EQ(line("freed.c", all), "true");
    EXPECT_EQ(line("deref.c", cleanup), "unknown"); // an error, and none of this kind
    EXPECT_EQ(line("deref.c", all), "false(valid-deref)");
    EXPECT_EQ(line("lost.c", frees), "unknown");
    EXPECT_EQ(run({"verify", folder / "kept.c", "--property", property("other.prp", {"nonsense"})}).code, 2);
}

} // namespace
} // namespace ggsnn::testing
