// ./ggsnn and scripts/main.sh: when it builds, when it does not look at anything, and what its help names.
// The build itself is a stand-in that notes that it was called.
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace ggsnn::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Wrapper {
  public:
    Wrapper() {
        for (const char* path : {"scripts", "web", "src", "include", "models", "bin"})
            fs::create_directories(folder_ / path);
        for (const char* path : {"ggsnn", "scripts/main.sh"})
            fs::copy_file(fs::path(GGSNN_SOURCE) / path, folder_ / path);
        for (const char* path : {"CMakeLists.txt", "CMakePresets.json", "src/a.cpp"}) folder_.put(path, "");
        script("bin/dpkg-query", "echo packages >> \"$0.log\"; echo install ok installed");
        script("bin/cmake",
               "echo called >> \"$0.log\"\n"
               "cd \"${0%/bin/cmake}\" && mkdir -p build/release && touch build/release/build.ninja\n"
               "echo '[1/1] compiled'\n"
               "test ! -e src/broken.cpp || exit 1\n"
               "test ! -e src/edited.cpp || echo >> src/edited.cpp\n"
               "printf '#!/bin/sh\\necho program \"$@\"\\n' > build/release/ggsnn\n"
               "chmod +x build/release/ggsnn");
    }
    Result run(Arguments arguments) const {
        arguments.insert(arguments.begin(), folder_ / "ggsnn");
        const std::string path = (folder_ / "bin") + ":/usr/bin:/bin";
        return Process(arguments, [&] { ::setenv("PATH", path.c_str(), 1); }, "/bin/sh").wait();
    }
    // Whether the call looks at packages or builds.
    bool looks(const Arguments& arguments) const {
        for (const char* name : {"bin/cmake.log", "bin/dpkg-query.log"}) fs::remove(folder_ / name);
        const Result result = run(arguments);
        EXPECT_EQ(result.code, 0) << result.err;
        const bool packages = fs::exists(folder_ / "bin/dpkg-query.log");
        EXPECT_EQ(packages, fs::exists(folder_ / "bin/cmake.log"));
        if (!packages) EXPECT_EQ(result.err, "");
        return packages;
    }
    const Folder& folder() const { return folder_; }

  private:
    void script(const std::string& name, const std::string& body) const {
        folder_.put(name, "#!/bin/sh\n" + body + "\n");
        fs::permissions(folder_ / name, fs::perms::owner_all);
    }
    Folder folder_;
};

TEST(Wrapper, BuildsOnlyWhereSomethingHasChanged) {
    const Wrapper wrapper;
    EXPECT_TRUE(wrapper.looks({"--version"}));
    EXPECT_FALSE(wrapper.looks({"--version"}));
    EXPECT_FALSE(wrapper.looks({"train", "data"}));
    EXPECT_EQ(wrapper.run({"train", "some data"}).out, "program train some data\n");
    wrapper.folder().put("src/a.cpp", "changed");
    EXPECT_TRUE(wrapper.looks({"info"}));
    EXPECT_FALSE(wrapper.looks({"info"}));
    wrapper.folder().put("src/b.cpp", "new");
    EXPECT_TRUE(wrapper.looks({"info"}));
    EXPECT_FALSE(wrapper.looks({"info"}));
    fs::remove(wrapper.folder() / "src/a.cpp");
    EXPECT_TRUE(wrapper.looks({"info"}));
    EXPECT_FALSE(wrapper.looks({"info"}));
    for (const char* path : {"CMakeLists.txt", "CMakePresets.json", "models/flat.ggsnn", "scripts/demo.sh"}) {
        wrapper.folder().put(path, "changed");
        EXPECT_TRUE(wrapper.looks({"info"})) << path;
        EXPECT_FALSE(wrapper.looks({"info"})) << path;
    }
    // An older file in the place of a newer one is a change as well.
    wrapper.folder().put("src/b.cpp", "older");
    fs::last_write_time(wrapper.folder() / "src/b.cpp",
                        fs::file_time_type::clock::now() - std::chrono::hours(48));
    EXPECT_TRUE(wrapper.looks({"info"}));
    fs::remove(wrapper.folder() / "build/release/ggsnn");
    EXPECT_TRUE(wrapper.looks({"info"}));
}

// Whoever goes on writing while it is built gets that built the next time.
TEST(Wrapper, WhatChangesDuringABuildIsNotTakenForBuilt) {
    const Wrapper wrapper;
    wrapper.folder().put("src/edited.cpp", "");
    EXPECT_TRUE(wrapper.looks({"info"}));
    EXPECT_TRUE(wrapper.looks({"info"}));
    fs::remove(wrapper.folder() / "src/edited.cpp");
    EXPECT_TRUE(wrapper.looks({"info"}));
    EXPECT_FALSE(wrapper.looks({"info"}));
}

// Reading C needs more packages: a program that was built without them is not current for verify.
TEST(Wrapper, CommandsThatReadCLookForTheirPackages) {
    const Wrapper wrapper;
    EXPECT_TRUE(wrapper.looks({"info"}));
    EXPECT_TRUE(wrapper.looks({"verify", "x.c"}));
    EXPECT_FALSE(wrapper.looks({"verify", "x.c"}));
    EXPECT_FALSE(wrapper.looks({"info"}));
}

TEST(Wrapper, AFailedBuildIsShownAndTriedAgain) {
    const Wrapper wrapper;
    EXPECT_TRUE(wrapper.looks({"info"}));
    wrapper.folder().put("src/broken.cpp", "");
    for (int i = 0; i < 2; ++i) {
        const Result result = wrapper.run({"info"});
        EXPECT_EQ(result.code, 1);
        EXPECT_EQ(result.out, "");
        EXPECT_THAT(result.err, HasSubstr("[1/1] compiled"));
        EXPECT_THAT(result.err, HasSubstr("the build failed"));
    }
}

TEST(Wrapper, BuildsQuietlyWhereNobodyLooks) {
    const Wrapper wrapper;
    const Result result = wrapper.run({"info"});
    EXPECT_EQ(result.out, "program info\n");
    EXPECT_EQ(result.err.find("compiled"), std::string::npos) << result.err;
    EXPECT_THAT(result.err, HasSubstr("ggsnn: building\n"));
}

TEST(Wrapper, ShowsHowFarItIsOnATerminal) {
    const Wrapper wrapper;
    const std::string command =
        "'" + (wrapper.folder() / "ggsnn") + "' info > '" + (wrapper.folder() / "out") + "'";
    const std::string path = (wrapper.folder() / "bin") + ":/usr/bin:/bin";
    const Result result =
        Process(
            {"-qec", command, "/dev/null"}, [&] { ::setenv("PATH", path.c_str(), 1); }, "/usr/bin/script")
            .wait();
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("[1/1] compiled"));
    EXPECT_EQ(read_file(wrapper.folder() / "out"), "program info\n");
}

TEST(Wrapper, HelpNamesWhatItAdds) {
    const Wrapper wrapper;
    for (const char* word : {"--help", "-h", "help"}) {
        const Result result = wrapper.run({word});
        EXPECT_EQ(result.code, 0);
        EXPECT_THAT(result.out, HasSubstr("program --help\n"));
        for (const char* command : {"demo", "test", "attack", "lint", "bench"})
            EXPECT_THAT(result.out, HasSubstr("./ggsnn " + std::string(command) + " "));
    }
    EXPECT_EQ(wrapper.run({"help", "train"}).out, "program help train\n");
}

} // namespace
} // namespace ggsnn::testing
