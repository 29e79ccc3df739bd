// Every error that verify tells of is played back on the machine: the program that --replay writes, compiled
// with clang's sanitizers, fails at the line that was told.
#include "process.hpp"

#include "ggsnn/base/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace ggsnn::testing {
namespace {

using ::testing::HasSubstr;

const std::string source = GGSNN_SOURCE;

std::vector<std::string> broken_programs() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(source + "/examples/programs/broken"))
        if (entry.path().extension() == ".c") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

bool sanitizers_work() {
    static const bool work = [] {
        const Folder folder;
        folder.put("a.c", "int main(void) { return 0; }\n");
        const std::string command = "clang-19 -fsanitize=address,undefined " + folder / "a.c" + " -o " +
                                    folder / "a" + " >/dev/null 2>&1 && " + folder / "a" + " >/dev/null 2>&1";
        return std::system(command.c_str()) == 0;
    }();
    return work;
}

struct Played {
    Result told, run;
    std::string fault;
    int line = 0;
};

Played play(const Folder& folder, const std::string& program, const Arguments& flags = {}) {
    Played played;
    Arguments arguments{"verify", program, "--json", "--replay", folder / "replay.c"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    played.told = run(arguments);
    if (played.told.code != 1) return played;
    const Json json = parse_json(played.told.out, {"out", 1});
    for (const Json& f : json["functions"])
        if (f["verdict"] == "unsafe") {
            played.fault = f["run"]["fault"];
            played.line = f["run"]["line"];
            break;
        }
    const std::string command =
        "clang-19 -w -g -fsanitize=address,undefined " + folder / "replay.c" + " -o " + folder / "replay";
    if (std::system(command.c_str()) == 0) played.run = Process({}, [] {}, folder / "replay").wait();
    return played;
}

class Replays : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        if (!sanitizers_work()) GTEST_SKIP() << "no clang-19 with sanitizers (package libclang-rt-19-dev)";
    }
};

TEST_P(Replays, FailWhereItWasTold) {
    const Folder folder;
    const Played played = play(folder, GetParam());
    if (played.told.err.find("built without LLVM") != std::string::npos) GTEST_SKIP() << "built without LLVM";
    ASSERT_EQ(played.told.code, 1) << played.told.err;
    const std::string& name = GetParam();
    if (read_file(name).starts_with("// expect: unsafe: ensures")) {
        // A postcondition that does not hold is no error of memory: the run is played back, and ends.
        EXPECT_EQ(played.run.code, 0) << played.run.err;
        return;
    }
    EXPECT_GT(played.run.code, 0) << played.run.err;
    if (played.fault == "leak") {
        EXPECT_THAT(played.run.err, HasSubstr("LeakSanitizer: detected memory leaks"));
        return;
    }
    const std::string place =
        std::filesystem::path(name).filename().string() + ":" + std::to_string(played.line) + ":";
    EXPECT_THAT(played.run.err, HasSubstr(place)) << played.fault;
}

INSTANTIATE_TEST_SUITE_P(Broken, Replays, ::testing::ValuesIn(broken_programs()), [](const auto& program) {
    return std::filesystem::path(program.param).stem().string();
});

// Errors of other kinds than the examples have; each stands in line 4.
struct Small {
    const char *name, *text, *shown;
};
class SmallReplays : public ::testing::TestWithParam<Small> {
  protected:
    void SetUp() override {
        if (!sanitizers_work()) GTEST_SKIP() << "no clang-19 with sanitizers (package libclang-rt-19-dev)";
    }
};

TEST_P(SmallReplays, FailWhereItWasTold) {
    const Folder folder;
    folder.put("small.c", std::string("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n") +
                              GetParam().text);
    const Played played = play(folder, folder / "small.c");
    if (played.told.err.find("built without LLVM") != std::string::npos) GTEST_SKIP() << "built without LLVM";
    ASSERT_EQ(played.told.code, 1) << played.told.out << played.told.err;
    EXPECT_GT(played.run.code, 0) << played.run.err;
    EXPECT_THAT(played.run.err, HasSubstr(GetParam().shown));
    if (played.fault != "leak") {
        EXPECT_EQ(played.line, 4);
        EXPECT_THAT(played.run.err, HasSubstr("small.c:4:"));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, SmallReplays,
    ::testing::Values(
        Small{"heap_bounds", "int main(void) { int *p = malloc(1); *p = 5; int k = *p; free(p); return k; }",
              "heap-buffer-overflow"},
        Small{"stack_bounds", "int main(void) { int a[3] = {1, 2, 3}; int *p = a; p = p + 3; return *p; }",
              "stack-buffer-overflow"},
        Small{"global_bounds", "int t[2] = {1, 2}; int main(void) { int *p = &t[1]; p++; return *p; }",
              "global-buffer-overflow"},
        Small{"text_bounds", "int main(void) { char *s = malloc(3); strcpy(s, \"abc\"); free(s); return 0; }",
              "heap-buffer-overflow"},
        Small{"after_return",
              "static int *f(void) { int k = 1; int *p = &k; return p; } int main(void) { return *f(); }",
              "stack-use-after-return"},
        Small{"division", "int f(int k) { if (k == 7) return k / (k - 7); return 0; }", "division by zero"},
        Small{"index_given", "int t[4]; int f(int i) { if (i > 3) return t[i]; return 0; }", "out of bounds"},
        Small{"cells_given",
              "struct n { struct n *next; int v; }; /*@ requires ls(x, NULL) */ int f(struct n *x) { if (!x "
              "|| x->next) return 0; return "
              "x->next->v; }",
              "null pointer"},
        Small{"leak", "int main(void) { char *s = malloc(8); s[0] = 0; s = 0; return 0; }", "LeakSanitizer"},
        Small{"drawn",
              "int main(int argc, char **argv) { int k = getchar(); int t[2] = {0, 0}; if (k > 40) return "
              "t[k]; return 0; }",
              "out of bounds"}),
    [](const auto& small) { return small.param.name; });

} // namespace
} // namespace ggsnn::testing
