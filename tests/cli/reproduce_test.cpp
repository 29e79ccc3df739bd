// The paper's experiments as a user calls them: commands add up in a folder, and show how long they take.
#include "ggsnn/base/json.hpp"
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>

#include <filesystem>
#include <set>
#include <thread>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;

std::set<std::string> tables_in(const std::string& folder) {
    std::set<std::string> tables;
    for (const Json& r : Json::parse(read_file(folder + "/results.json"))) {
        tables.insert(r.at("table"));
        for (const char* key : {"task", "model", "train", "folds", "mean", "std", "seconds", "paper"})
            EXPECT_TRUE(r.contains(key)) << r.dump();
    }
    return tables;
}

TEST(Reproduce, CommandsIntoOneFolderAddUp) {
    const Folder folder;
    const std::string out = folder / "report";
    must({"reproduce", "contraction", "-o", out, "--quiet"});
    EXPECT_EQ(tables_in(out), (std::set<std::string>{"contraction"}));
    EXPECT_THAT(read_file(out + "/index.html"), HasSubstr("Appendix A"));
    const Arguments table = {"reproduce", "table1",  "--models", "ggnn", "--folds",
                             "1",         "--quick", "-o",       out,    "--quiet"};
    must(table);
    EXPECT_EQ(tables_in(out), (std::set<std::string>{"contraction", "learned", "table1"}));
    const std::string page = read_file(out + "/index.html"), results = read_file(out + "/results.json");
    EXPECT_THAT(page, HasSubstr("Appendix A"));
    EXPECT_THAT(page, HasSubstr("bAbI 18"));
    EXPECT_THAT(page, HasSubstr("from argument 0: along is, along has_fear")) << "the rule of task 15";
    must(table);
    EXPECT_EQ(read_file(out + "/index.html"), page);
    EXPECT_EQ(read_file(out + "/results.json"), results);
    must({"reproduce", "contraction", "--seed", "2", "-o", out, "--quiet"});
    EXPECT_EQ(tables_in(out), (std::set<std::string>{"contraction", "learned", "table1"}));
    EXPECT_NE(read_file(out + "/results.json"), results) << "the seed is followed";
}

// What the program writes to standard error if that is a terminal.
std::string on_terminal(const Arguments& arguments) {
    int outer = -1, inner = -1;
    if (::openpty(&outer, &inner, nullptr, nullptr, nullptr) != 0) throw std::runtime_error("no terminal");
    const std::string name = ::ttyname(inner);
    std::string text;
    std::thread reader([&] {
        char buffer[4096];
        for (ssize_t n = 0; (n = ::read(outer, buffer, sizeof buffer)) > 0;)
            text.append(buffer, static_cast<std::size_t>(n));
    });
    const Result result = run(arguments, [&] { ::dup2(::open(name.c_str(), O_RDWR), STDERR_FILENO); });
    ::close(inner); // the last one: ends the reading
    reader.join();
    ::close(outer);
    EXPECT_EQ(result.code, 0) << text;
    return text;
}

TEST(Reproduce, ShowsTheTimeLeft) {
    const Folder folder;
    EXPECT_THAT(on_terminal({"reproduce", "contraction", "-o", folder / "report"}),
                ::testing::ContainsRegex("of 18 networks of appendix A, about [0-9]+ s left"));
}

TEST(Reproduce, GoesOnAfterAnInterruption) {
    const Folder folder;
    const std::string out = folder / "report";
    Process process({"reproduce", "contraction", "--threads", "1", "-o", out, "--quiet"});
    const auto finished = [&] {
        int count = 0;
        if (std::filesystem::is_directory(out + "/runs/contraction"))
            for ([[maybe_unused]] const auto& e :
                 std::filesystem::directory_iterator(out + "/runs/contraction"))
                ++count;
        return count;
    };
    for (int i = 0; i < 2000 && finished() < 2; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    process.send(SIGINT);
    const Result result = process.wait();
    EXPECT_EQ(result.code, 130);
    EXPECT_THAT(result.err, HasSubstr("the same command goes on from here"));
    EXPECT_LT(finished(), 18);
    const auto first = std::filesystem::directory_iterator(out + "/runs/contraction")->path();
    const auto written = std::filesystem::last_write_time(first);
    must({"reproduce", "contraction", "--threads", "1", "-o", out, "--quiet"});
    EXPECT_EQ(finished(), 18);
    EXPECT_EQ(std::filesystem::last_write_time(first), written) << "computed again";
}

} // namespace
} // namespace ggsnn
