// Man pages, completions and the reference: made from what --help tells, and read by those they are for.
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;

bool has(const char* program) {
    return std::system((std::string("command -v ") + program + " >/dev/null 2>&1").c_str()) == 0;
}

// What a command of the shell prints.
std::string shell(const std::string& command) {
    std::string out;
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    for (int c = 0; (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
    const int code = ::pclose(pipe);
    return code == 0 ? out : out + "\n(failed)";
}

TEST(Manual, PagesTellOfEveryCommandAndOption) {
    const Folder folder;
    must({"manual", "man", "-o", folder / "."});
    const std::string page = read_file(folder / "./ggsnn-train.1");
    EXPECT_THAT(page, HasSubstr("\\-\\-learning\\-rate"));
    EXPECT_THAT(page, HasSubstr(".SH SYNOPSIS"));
    EXPECT_THAT(read_file(folder / "./ggsnn-heap-train.1"), HasSubstr("Algorithms 1 and 2"));
    EXPECT_THAT(read_file(folder / "./ggsnn.1"), HasSubstr("ggsnn\\-verify"));
    if (has("man"))
        EXPECT_THAT(shell("man --warnings -l " + (folder / "./ggsnn-train.1") + " | cat"), HasSubstr("NAME"));
}

TEST(Manual, BashCompletesCommandsOptionsAndWords) {
    const Folder folder;
    folder.put("c", must({"manual", "bash"}));
    const auto complete = [&](const std::string& words, int at) {
        return shell("bash -c 'source " + (folder / "c") + "; COMP_WORDS=(" + words +
                     "); COMP_CWORD=" + std::to_string(at) + "; _ggsnn; echo ${COMPREPLY[@]}'");
    };
    EXPECT_EQ(complete("ggsnn tra", 1), "train\n");
    EXPECT_EQ(complete("ggsnn train --learn", 2), "--learning-rate\n");
    EXPECT_EQ(complete("ggsnn train x --schedule co", 4), "constant cosine\n");
    EXPECT_EQ(complete("ggsnn heap tr", 2), "train\n");
    EXPECT_EQ(complete("ggsnn generate babi1", 2), "babi15 babi16 babi18 babi19\n");
}

TEST(Manual, OtherShellsReadTheirs) {
    const Folder folder;
    folder.put("z", must({"manual", "zsh"}));
    folder.put("f", must({"manual", "fish"}));
    EXPECT_THAT(read_file(folder / "z"), HasSubstr("#compdef ggsnn"));
    EXPECT_THAT(read_file(folder / "f"), HasSubstr("-l learning-rate"));
    if (has("zsh")) EXPECT_EQ(shell("zsh -n " + (folder / "z")), "");
    if (has("fish")) EXPECT_EQ(shell("fish -n " + (folder / "f")), "");
}

TEST(Manual, TheReferenceHasWhatHelpHas) {
    const std::string text = must({"manual", "markdown"});
    for (const char* name :
         {"## ggsnn train", "## ggsnn heap predict", "`--malloc-may-fail`", "`-o`, `--output`"})
        EXPECT_THAT(text, HasSubstr(name));
    EXPECT_EQ(run({"manual", "man"}).code, 2);
    EXPECT_EQ(run({"manual", "bash", "-o", "x"}).code, 2);
}

TEST(Version, SaysWhatItIsMadeOf) {
    const std::string text = must({"--version"});
    for (const char* word : {"ggsnn ", "compiler", "instructions", "MPI", "LLVM"})
        EXPECT_THAT(text, HasSubstr(word));
}

} // namespace
} // namespace ggsnn
