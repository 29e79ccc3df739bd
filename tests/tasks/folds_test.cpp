// The generators beside the published folds: for each task, a number of features with one value a story
// are compared by a two-sample chi-square test. A rule that differs from that of the folds, in what is
// drawn, in the letters or in the order of lines, shows as a sum far above its degrees of freedom.
#include "ggsnn/tasks/generate.hpp"
#include "tasks/files_for_tests.hpp"
#include "tasks/problem.hpp"
#include "tasks/solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

namespace ggsnn {
namespace {

using testing::arguments_of;
using testing::Line;
using testing::lines_of;

using Feature = std::function<std::string(const Story&)>;

std::string fact_text(const Line& line) {
    return line.a + " " + line.relation + " " + line.b;
}

std::string question_text(const Story& story, const Question& question) {
    return fmt::format("{} {} {} {}", question.type, question.type_position,
                       fmt::join(arguments_of(story, question), " "), fmt::join(question.answer, ","));
}

// For each step along the answer, whether its edge is first written in that direction. (Answers that are
// not paths have no such edges.)
std::string orientation(const Story& story) {
    const auto lines = lines_of(story);
    const auto& answer = story.questions[0].answer;
    std::string signs;
    for (std::size_t i = 0; i < answer.size(); ++i) {
        const std::string &a = answer[i], &b = answer[(i + 1) % answer.size()];
        for (const Line& line : lines) {
            if ((line.a == a && line.b == b) || (line.a == b && line.b == a)) {
                signs += line.a == a ? '+' : '-';
                break;
            }
        }
    }
    return signs;
}

// Which facts hold: a sign for each.
std::string mark(const Story& story, const std::function<bool(const Line&)>& holds) {
    std::string signs;
    for (const Line& line : lines_of(story)) signs += holds(line) ? '+' : '-';
    return signs;
}

const std::map<std::string, Feature>& features() {
    static const std::map<std::string, Feature> all = {
        {"first fact", [](const Story& s) { return fact_text(lines_of(s).front()); }},
        {"last fact", [](const Story& s) { return fact_text(lines_of(s).back()); }},
        {"first two facts",
         [](const Story& s) { return fact_text(lines_of(s)[0]) + ", " + fact_text(lines_of(s)[1]); }},
        {"first question", [](const Story& s) { return question_text(s, s.questions.front()); }},
        {"last question", [](const Story& s) { return question_text(s, s.questions.back()); }},
        {"answer", [](const Story& s) { return fmt::format("{}", fmt::join(s.questions[0].answer, ",")); }},
        {"sizes",
         [](const Story& s) {
             return fmt::format("{} {} {}", s.facts.size(), s.questions.size(), s.entities.size());
         }},
        {"entities",
         [](const Story& s) {
             return fmt::format("{}", fmt::join(std::set(s.entities.begin(), s.entities.end()), " "));
         }},
        {"relations",
         [](const Story& s) {
             std::string text;
             for (const Fact& fact : s.facts) text += fact.relation + " ";
             return text;
         }},
        {"order of questions",
         [](const Story& s) {
             std::string text;
             for (const Question& question : s.questions) text += arguments_of(s, question)[0];
             return text;
         }},
        {"problem", [](const Story& s) { return testing::canonical_problem(s, s.questions.front()); }},
        {"orientation", orientation},
        {"facts of the part asked about",
         [](const Story& s) {
             const auto part = testing::component(lines_of(s), arguments_of(s, s.questions[0])[0]);
             return mark(s, [&](const Line& line) { return part.count(line.a) > 0; });
         }},
        {"facts of the one asked about",
         [](const Story& s) {
             const std::string asked = arguments_of(s, s.questions[0])[0];
             return mark(s, [&](const Line& line) { return line.a == asked || line.b == asked; });
         }},
    };
    return all;
}

using Counts = std::map<std::string, std::array<double, 2>>;

// How many standard deviations the chi-square sum of the two samples lies above its degrees of freedom.
// Values seen fewer than ten times are taken together.
double excess(const Counts& counts) {
    std::vector<std::array<double, 2>> cells(1);
    std::array<double, 2> total{};
    for (const auto& [value, count] : counts) {
        auto& cell = count[0] + count[1] < 10 ? cells[0] : cells.emplace_back();
        for (int side = 0; side < 2; ++side) {
            cell[side] += count[side];
            total[side] += count[side];
        }
    }
    double sum = 0, cells_used = 0;
    for (const auto& cell : cells) {
        if (cell[0] + cell[1] == 0) continue;
        const double difference =
            std::sqrt(total[1] / total[0]) * cell[0] - std::sqrt(total[0] / total[1]) * cell[1];
        sum += difference * difference / (cell[0] + cell[1]);
        ++cells_used;
    }
    return cells_used < 2 ? 0 : (sum - (cells_used - 1)) / std::sqrt(2 * (cells_used - 1));
}

// All stories of a task. A file that repeats another (task 4 has two such) counts once.
std::vector<Story> fold_stories(const std::string& folder, const std::string& task) {
    const std::string name = (task.starts_with("babi") ? task.substr(4) : task) + ".txt";
    std::set<std::string> seen;
    std::vector<Story> stories;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().filename() != name || !seen.insert(read_file(entry.path().string())).second)
            continue;
        for (Story& story : testing::read_stories(entry.path().string())) stories.push_back(std::move(story));
    }
    return stories;
}

class Folds : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, Folds, ::testing::ValuesIn(task_names()), [](const auto& task) {
    std::string name = task.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST_P(Folds, AreWhatTheGeneratorDraws) {
    const std::string folder = std::string(GGSNN_DATA) + "/babi";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no folder " << folder;
    const std::vector<Story> given = fold_stories(folder, GetParam());
    ASSERT_GE(given.size(), 4000u);
    std::vector<Story> drawn;
    for (std::uint64_t i = 0; i < 10000; ++i) {
        Random random(2016, {i});
        drawn.push_back(generate_story(GetParam(), random));
    }
    for (const auto& [name, feature] : features()) {
        Counts counts;
        for (const Story& story : given) ++counts[feature(story)][0];
        for (const Story& story : drawn) ++counts[feature(story)][1];
        const double deviation = excess(counts);
        EXPECT_LT(deviation, 4) << name << ", " << counts.size() << " values";
    }
}

TEST_P(Folds, AnswersOfTheFoldsAreRight) {
    const std::string folder = std::string(GGSNN_DATA) + "/babi";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no folder " << folder;
    for (const Story& story : fold_stories(folder, GetParam()))
        ASSERT_EQ(testing::check_answers(GetParam(), story), "") << story.place.text();
}

} // namespace
} // namespace ggsnn
