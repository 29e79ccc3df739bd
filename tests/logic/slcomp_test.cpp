// All SL-COMP problems that are at hand: every answer right, none unknown, each model confirmed.
#include "base/files.hpp"
#include "logic/satisfy.hpp"
#include "logic/smtlib.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>

namespace ggsnn::logic {
namespace {

TEST(SlComp, EveryAnswerIsRightAndNoneUnknown) {
    const std::filesystem::path folder = std::filesystem::path(GGSNN_DATA) / "slcomp";
    if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
    int count = 0;
    const std::clock_t start = std::clock();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".smt2") continue;
        ++count;
        const SmtProblem problem = read_smtlib(read_file(entry.path()));
        ASSERT_TRUE(problem.status == "sat" || problem.status == "unsat") << entry.path();
        const Answer answer = solve(problem);
        EXPECT_EQ(smt_word(answer.verdict), problem.status) << entry.path() << " " << answer.reason;
        if (answer.verdict != Verdict::invalid) continue;
        EXPECT_EQ(satisfies(*answer.counter, problem.problem.left, problem.problem), Truth::yes)
            << entry.path();
        EXPECT_EQ(satisfies(*answer.counter, problem.problem.right, problem.problem), Truth::no)
            << entry.path();
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%d problems in %.3f s of processor time\n", count, seconds);
    EXPECT_GT(count, 0);
    EXPECT_LT(seconds, 5);
}

} // namespace
} // namespace ggsnn::logic
