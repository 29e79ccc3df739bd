// The SL-COMP problems that are at hand. Divisions of lists: every answer right, none unknown, each model
// confirmed. The others: no answer wrong, an end within a limit of work under which most are solved, no
// crash.
#include "ggsnn/base/files.hpp"
#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/logic/smtlib.hpp"

#include <gtest/gtest.h>

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
    if (answer.verdict != Validity::invalid || !answer.counter) return;
    EXPECT_EQ(satisfies(*answer.counter, problem.left, problem), Truth::yes) << path;
    EXPECT_EQ(satisfies(*answer.counter, problem.right, problem), Truth::no) << path;
}

// As above, where the check of heaps may not come to an end: definitions may call themselves without a cell.
void expect_not_refuted(const Answer& answer, const Problem& problem, const std::string& path) {
    // Without a model: base pairs say that there is one. With integers: the tests of induction check models.
    if (answer.verdict != Validity::invalid || !answer.counter || has_numbers(problem)) return;
    EXPECT_NE(satisfies(*answer.counter, problem.left, problem), Truth::no) << path;
    EXPECT_NE(satisfies(*answer.counter, problem.right, problem), Truth::yes) << path;
}

TEST(SlComp, EveryAnswerIsRightAndNoneUnknown) {
    const std::vector<std::string> paths = problems(true);
    if (paths.empty()) GTEST_SKIP() << "no problems in " << GGSNN_DATA;
    ProverLimits limits;
    limits.work = 1'000'000; // a problem; the hardest needs less than half
    for (const std::string& path : paths) {
        const SmtProblem problem = read_smtlib(read_file(path), limits);
        ASSERT_TRUE(problem.status == "sat" || problem.status == "unsat") << path;
        const Answer answer = solve(problem, limits);
        EXPECT_EQ(smt_word(answer.verdict), problem.status) << path << " " << answer.reason;
        EXPECT_TRUE(answer.counter || answer.verdict != Validity::invalid) << path;
        expect_confirmed(answer, problem.problem, path);
    }
}

TEST(SlComp, BeyondListsNoAnswerIsWrong) {
    const std::vector<std::string> paths = problems(false);
    if (paths.empty()) GTEST_SKIP() << "no problems of other divisions in " << GGSNN_DATA;
    int solved = 0;
    for (const std::string& path : paths) {
        ProverLimits limits;
        limits.seconds = 1000;
        limits.work = 20'000;
        const SmtProblem problem = read_smtlib(read_file(path), limits);
        const Answer answer = solve(problem, limits);
        if (answer.verdict == Validity::unknown) continue;
        ++solved;
        if (problem.status != "unknown") {
            EXPECT_EQ(smt_word(answer.verdict), problem.status) << path;
        }
        expect_not_refuted(answer, problem.problem, path);
    }
    std::printf("%d of %zu problems solved\n", solved, paths.size());
    EXPECT_GE(solved, 190);
}

} // namespace
} // namespace ggsnn::logic
