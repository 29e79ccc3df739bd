// Runs that fail, played back: compiled with sanitizers, the program fails too, at the same line.
#include "ggsnn/base/files.hpp"
#include "ggsnn/verify/read/read.hpp"
#include "ggsnn/verify/run/replay.hpp"
#include "ggsnn/verify/run/runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace ggsnn::verify {
namespace {

using ::testing::HasSubstr;

// A folder that is removed at the end.
struct Folder {
    std::filesystem::path path;
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "ggsnn-replay-XXXXXX").string();
        path = mkdtemp(name.data()) == nullptr ? "" : name;
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string file(const std::string& name) const { return (path / name).string(); }
};

// A compiler that has sanitizers, or nothing.
std::string compiler() {
    static const std::string found = [] {
        const Folder folder;
        write_file(folder.file("a.c"), "int main(void) { return 0; }\n");
        for (const char* name : {"clang-19", "clang", "gcc", "cc"}) {
            const std::string command =
                fmt::format("cd {} && {} -fsanitize=address,undefined a.c >a.out.txt 2>&1 && ./a.out",
                            folder.path.string(), name);
            if (std::system(command.c_str()) == 0) return std::string(name);
        }
        return std::string();
    }();
    return found;
}

struct Played {
    bool failed = false;
    std::string output;
};

Played play(const Folder& folder, const std::string& replay) {
    write_file(folder.file("replay.c"), replay);
    const std::string command =
        fmt::format("cd {} && {} -w -g -fsanitize=address,undefined replay.c -o replay >log.txt 2>&1",
                    folder.path.string(), compiler());
    Played played;
    if (std::system(command.c_str()) != 0) {
        ADD_FAILURE() << "does not compile: " << read_file(folder.file("log.txt")) << replay;
        return played;
    }
    const std::string run = fmt::format("cd {} && ./replay >log.txt 2>&1 </dev/null", folder.path.string());
    played.failed = std::system(run.c_str()) != 0;
    played.output = read_file(folder.file("log.txt"));
    return played;
}

bool is_leak(Fault::Kind kind) {
    return kind == Fault::Kind::leak || kind == Fault::Kind::lost;
}

// Plays the first run of a file that fails; or that loses blocks, if none fails otherwise.
bool play_file(const std::string& path) {
    const Program p = read_program(path);
    for (std::size_t f = 0; f < p.functions.size(); ++f) {
        const Runs runs = collect_runs(p, static_cast<int>(f));
        int bad = runs.first_fault();
        for (std::size_t i = 0; i < runs.runs.size() && bad < 0; ++i)
            if (runs.runs[i].fault.kind == Fault::Kind::lost) bad = static_cast<int>(i);
        if (bad < 0) continue;
        const auto i = static_cast<std::size_t>(bad);
        const Fault& fault = runs.runs[i].fault;
        const Folder folder;
        const Played played = play(folder, replay_text(p, static_cast<int>(f), runs.inputs[i], runs.runs[i]));
        EXPECT_TRUE(played.failed) << fault_text(p, fault);
        const std::string place =
            fmt::format("{}:{}", std::filesystem::path(path).filename().string(), fault.position.line);
        EXPECT_THAT(played.output, HasSubstr(is_leak(fault.kind) ? "LeakSanitizer" : place))
            << fault_text(p, fault);
        return true;
    }
    return false;
}

#define GGSNN_NEEDS_SANITIZERS()                                                                             \
    if (!reading_available() || compiler().empty())                                                          \
    GTEST_SKIP() << "no reader, or no compiler with sanitizers"

TEST(Replay, BrokenExamplesFailAgain) {
    GGSNN_NEEDS_SANITIZERS();
    int played = 0;
    const std::string folder = std::string(GGSNN_SOURCE) + "/examples/programs/broken";
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".c") played += play_file(entry.path()) ? 1 : 0;
    EXPECT_GE(played, 9);
}

TEST(Replay, WhatWasDrawnIsDrawnAgain) {
    GGSNN_NEEDS_SANITIZERS();
    const char* types = "#include <stdlib.h>\n#include <stdio.h>\n#include <string.h>\n"
                        "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);\n";
    for (const char* code : {
             "int main(void) { int a[4] = {0}; return a[rand()]; }",
             "int main(void) { int *p = 0; rand(); if (rand() < 5 && __VERIFIER_nondet_int() >= 0) *p = "
             "1; return 0; }",
             "int main(void) { char t[3]; if (scanf(\"%s\", t) == 1) return t[0]; return 0; }",
             "int main(void) { int n, a[5] = {0}; if (scanf(\"%d\", &n) != 1) return 0; return a[n]; }",
             "int main(int argc, char **argv) { return argv[argc][0]; }",
             "int main(int argc, char **argv) { return strlen(argv[2]); }",
             "int main(void) { char b[8]; if (!fgets(b, 16, stdin)) return 1; return b[0]; }",
             "int main(void) { FILE *f = fopen(\"x\", \"r\"); fclose(f); return 0; }",
             "int main(void) { char *p = malloc(__VERIFIER_nondet_uchar()); p[3] = 0; free(p); return 0; }",
             "int main(void) { while (getchar() != 'q') { if (getchar() == 3) { free((void *)8); } } return "
             "0; }",
         }) {
        const Folder folder;
        write_file(folder.file("drawn.c"), std::string(types) + code + "\n");
        EXPECT_TRUE(play_file(folder.file("drawn.c"))) << code;
    }
}

TEST(Replay, AllocationsThatFailFailAgain) {
    GGSNN_NEEDS_SANITIZERS();
    const Folder folder;
    write_file(folder.file("two.c"),
               "#include <stdlib.h>\nint main(void) { int *a = malloc(4), *b = malloc(4);\n"
               "  if (!a) return 1;\n  *a = 1;\n  *b = 2;\n  free(a); free(b); return 0; }\n");
    const Program p = read_program(folder.file("two.c"));
    InterpretLimits limits;
    limits.fail_allocation = 1;
    const auto run = interpret(p, 0, {}, limits);
    ASSERT_EQ(run.fault.kind, Fault::Kind::null_dereference) << run.fault.reason;
    const Played played = play(folder, replay_text(p, 0, {}, run));
    EXPECT_TRUE(played.failed);
    EXPECT_THAT(played.output, HasSubstr("two.c:5"));
}

TEST(Replay, NoGuesses) {
    if (!reading_available()) GTEST_SKIP() << "built without LLVM";
    const Program p =
        read_program_text("int main(void) { int x, *p = 0; if (x) *p = 1; return 0; }\n", "test.c");
    for (std::uint64_t seed = 1; seed < 9; ++seed) {
        Input input;
        input.seed = seed;
        const auto run = interpret(p, 0, input);
        EXPECT_TRUE(run.guessed);
        EXPECT_THROW(replay_text(p, 0, input, run), Error);
    }
}

} // namespace
} // namespace ggsnn::verify
