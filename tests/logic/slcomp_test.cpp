// The SL-COMP problems that are at hand. Divisions of lists: every answer right, none unknown, each model
// confirmed. The others, most of which are beyond this prover: no answer wrong, none late, no crash.
#include "ggsnn/base/files.hpp"
#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/logic/smtlib.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <filesystem>

namespace ggsnn::logic {
namespace {

// The problems in divisions of lists, or those in the others.
std::vector<std::string> problems(bool lists) {
    const std::filesystem::path folder = std::filesystem::path(GGSNN_DATA) / "slcomp";
    std::vector<std::string> paths;
    if (!std::filesystem::is_directory(folder)) return paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::string division = entry.path().parent_path().filename();
        if (entry.path().extension() == ".smt2" && division.starts_with("qf_shls_") == lists)
            paths.push_back(entry.path());
    }
    return paths;
}

void expect_confirmed(const Answer& answer, const Problem& problem, const std::string& path) {
    if (answer.verdict != Validity::invalid) return;
    EXPECT_EQ(satisfies(*answer.counter, problem.left, problem), Truth::yes) << path;
    EXPECT_EQ(satisfies(*answer.counter, problem.right, problem), Truth::no) << path;
}

TEST(SlComp, EveryAnswerIsRightAndNoneUnknown) {
    const std::vector<std::string> paths = problems(true);
    if (paths.empty()) GTEST_SKIP() << "no problems in " << GGSNN_DATA;
    const std::clock_t start = std::clock();
    for (const std::string& path : paths) {
        const SmtProblem problem = read_smtlib(read_file(path));
        ASSERT_TRUE(problem.status == "sat" || problem.status == "unsat") << path;
        const Answer answer = solve(problem);
        EXPECT_EQ(smt_word(answer.verdict), problem.status) << path << " " << answer.reason;
        expect_confirmed(answer, problem.problem, path);
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%zu problems in %.3f s of processor time\n", paths.size(), seconds);
    EXPECT_LT(seconds, 5);
}

TEST(SlComp, BeyondListsNoAnswerIsWrongOrLate) {
    const std::vector<std::string> paths = problems(false);
    if (paths.empty()) GTEST_SKIP() << "no problems of other divisions in " << GGSNN_DATA;
    int solved = 0;
    for (const std::string& path : paths) {
        ProverLimits limits;
        const auto start = std::chrono::steady_clock::now();
        limits.deadline = start + std::chrono::milliseconds(200);
        const SmtProblem problem = read_smtlib(read_file(path), limits);
        const Answer answer = solve(problem, limits);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        EXPECT_LT(taken.count(), 1.2) << path;
        if (answer.verdict == Validity::unknown) continue;
        ++solved;
        if (problem.status != "unknown") {
            EXPECT_EQ(smt_word(answer.verdict), problem.status) << path;
        }
        expect_confirmed(answer, problem.problem, path);
    }
    std::printf("%d of %zu problems solved\n", solved, paths.size());
    EXPECT_GE(solved, 110);
}

} // namespace
} // namespace ggsnn::logic
