// The generators by themselves: same seed, same text; every answer right; as many distinct problems as
// the folds have; larger graphs.
#include "ggsnn/tasks/generate.hpp"
#include "tasks/files_for_tests.hpp"
#include "tasks/problem.hpp"
#include "tasks/solver.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace ggsnn {
namespace {

using ::testing::HasSubstr;
using testing::parse_stories;

std::string generate_text(const std::string& task, long count, std::uint64_t seed, int scale = 1) {
    std::string text;
    generate({task, count, seed, scale}, [&](std::string_view piece) { text += piece; });
    return text;
}

class Generated : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, Generated, ::testing::ValuesIn(task_names()), [](const auto& task) {
    std::string name = task.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST_P(Generated, SameSeedSameText) {
    const std::string text = generate_text(GetParam(), 20, 7);
    EXPECT_EQ(text, generate_text(GetParam(), 20, 7));
    EXPECT_NE(text, generate_text(GetParam(), 20, 8));
    EXPECT_TRUE(generate_text(GetParam(), 50, 7).starts_with(text));
}

TEST_P(Generated, ReadsBackAsDrawn) {
    const std::string text = generate_text(GetParam(), 50, 3);
    const auto stories = parse_stories(text);
    ASSERT_EQ(stories.size(), 50u);
    const bool blank = GetParam().starts_with("babi");
    EXPECT_EQ(text.find("\n\n") != std::string::npos, blank);
    EXPECT_TRUE(text.ends_with("\n") && !text.ends_with("\n\n"));
    std::string again;
    for (const Story& story : stories) {
        if (blank && !again.empty()) again += '\n';
        write_story(again, story);
    }
    EXPECT_EQ(again, text);
    Random one(1, {2}), two(1, {2});
    const Story drawn = generate_story(GetParam(), one);
    std::string told;
    write_story(told, generate_story(GetParam(), two));
    const Story read = parse_stories(told).at(0);
    EXPECT_EQ(drawn.entities, read.entities);
    EXPECT_EQ(drawn.questions.at(0).arguments, read.questions.at(0).arguments);
}

TEST_P(Generated, EveryAnswerIsRight) {
    for (const Story& story : parse_stories(generate_text(GetParam(), 2000, 11)))
        ASSERT_EQ(testing::check_answers(GetParam(), story), "") << story.place.text();
}

// The solvers themselves: on a wrong answer each says so.
TEST_P(Generated, AWrongAnswerIsNoticed) {
    for (Story& story : parse_stories(generate_text(GetParam(), 50, 12))) {
        auto& answer = story.questions.at(0).answer;
        if (answer.size() > 1) {
            answer.back() =
                answer.front() == answer.back() ? (answer.back() == "n" ? "s" : "n") : answer.front();
        } else {
            answer[0] = answer[0] == "true" ? "false" : answer[0] == "false" ? "true" : answer[0] + "x";
        }
        ASSERT_NE(testing::check_answers(GetParam(), story), "");
    }
}

// As many as in the folds, except for babi18, whose problems are too many to draw them all.
TEST_P(Generated, HasAsManyDistinctProblemsAsTheFolds) {
    static const std::map<std::string, std::size_t> expected = {
        {"babi4", 4},    {"babi15", 15},        {"babi16", 7},
        {"babi19", 376}, {"shortest-path", 34}, {"eulerian-circuit", 1}};
    std::set<std::string> problems;
    for (const Story& story : parse_stories(generate_text(GetParam(), 8000, 5)))
        for (const Question& question : story.questions)
            problems.insert(testing::canonical_problem(story, question));
    if (GetParam() == "babi18") {
        EXPECT_GT(problems.size(), 9000u);
    } else {
        EXPECT_EQ(problems.size(), expected.at(GetParam()));
    }
}

// All pairs two comparisons apart are asked, turned round half of the time.
TEST(Generate, SizesAskEveryPairAtDistanceTwo) {
    int turned = 0, questions = 0;
    for (const Story& story : parse_stories(generate_text("babi18", 2000, 6))) {
        const auto lines = testing::lines_of(story);
        std::set<testing::Names> expected, asked;
        for (const auto& ab : lines)
            for (const auto& bc : lines)
                if (ab.b == bc.a && testing::follow(lines, ab.a, ">").count(bc.b) == 0)
                    expected.insert({bc.b, ab.a});
        for (const Question& question : story.questions) {
            testing::Names pair = testing::arguments_of(story, question);
            ++questions;
            if (question.answer[0] == "false") {
                std::swap(pair[0], pair[1]);
                ++turned;
            }
            EXPECT_TRUE(asked.insert(pair).second);
        }
        ASSERT_EQ(asked, expected);
        ASSERT_GE(lines.size(), 4u);
        ASSERT_LE(lines.size(), 9u);
    }
    EXPECT_NEAR(turned, questions / 2, 3 * std::sqrt(questions));
}

struct Golden {
    std::string task, text;
};

// A seed means the same stories for ever: the first of each task.
TEST(Generate, FirstStories) {
    // clang-format off
    const std::vector<Golden> golden = {
{"babi4",
"D e A\n" "A e B\n" "eval A w\tD\n"},
{"babi15",
"H is C\n" "C has_fear I\n" "I has_fear B\n" "E has_fear B\n" "A is I\n" "F is E\n" "G is B\n" "B has_fear E\n" "eval A has_fear\tB\n" "eval G has_fear\tE\n" "eval F has_fear\tB\n" "eval H has_fear\tI\n"},
{"babi16",
"H has_color N\n" "J has_color I\n" "A has_color B\n" "K has_color N\n" "G is M\n" "J is M\n" "H is C\n" "K is C\n" "A is E\n" "eval G has_color\tI\n"},
{"babi18",
"D > F\n" "E > B\n" "B > A\n" "E > F\n" "E > G\n" "F > A\n" "G > A\n" "eval A < D\ttrue\n" "eval A < E\ttrue\n"},
{"babi19",
"A n E\n" "G e A\n" "D s F\n" "A s D\n" "eval path G D\te,s\n"},
{"shortest-path",
"4 connected-to 7\n" "7 connected-to 4\n" "5 connected-to 0\n" "0 connected-to 5\n" "8 connected-to 4\n" "4 connected-to 8\n" "8 connected-to 7\n" "7 connected-to 8\n" "0 connected-to 6\n" "6 connected-to 0\n" "6 connected-to 1\n" "1 connected-to 6\n" "8 connected-to 3\n" "3 connected-to 8\n" "1 connected-to 2\n" "2 connected-to 1\n" "6 connected-to 2\n" "2 connected-to 6\n" "eval shortest-path 1 0\t1,6,0\n"},
{"eulerian-circuit",
"1 connected-to 7\n" "7 connected-to 1\n" "2 connected-to 6\n" "6 connected-to 2\n" "0 connected-to 4\n" "4 connected-to 0\n" "3 connected-to 8\n" "8 connected-to 3\n" "0 connected-to 7\n" "7 connected-to 0\n" "2 connected-to 8\n" "8 connected-to 2\n" "4 connected-to 1\n" "1 connected-to 4\n" "3 connected-to 5\n" "5 connected-to 3\n" "6 connected-to 5\n" "5 connected-to 6\n" "eval eulerian-circuit 3 8\t3,8,2,6,5\n"}};
    // clang-format on
    ASSERT_EQ(golden.size(), task_names().size());
    for (const Golden& story : golden) EXPECT_EQ(generate_text(story.task, 1, 1), story.text) << story.task;
}

class Scaled : public ::testing::TestWithParam<std::pair<std::string, int>> {};

INSTANTIATE_TEST_SUITE_P(All, Scaled,
                         ::testing::Values(std::pair{"babi15", 2}, std::pair{"babi15", 10},
                                           std::pair{"shortest-path", 2}, std::pair{"shortest-path", 10},
                                           std::pair{"eulerian-circuit", 2},
                                           std::pair{"eulerian-circuit", 10}));

TEST_P(Scaled, LargerGraphsWithRightAnswers) {
    const auto& [task, scale] = GetParam();
    const std::size_t n = static_cast<std::size_t>(scale);
    std::size_t longest = 0;
    for (const Story& story : parse_stories(generate_text(task, 100, 4, scale))) {
        ASSERT_EQ(testing::check_answers(task, story), "");
        ASSERT_EQ(story.entities.size(), (task == "babi15" ? 8 : 9) * n);
        ASSERT_EQ(story.facts.size(), (task == "babi15" ? 8 : 18) * n);
        ASSERT_EQ(story.questions.size(), task == "babi15" ? 4 * n : 1);
        if (task != "babi15") {
            const auto lines = testing::lines_of(story);
            const auto main = testing::component(lines, story.questions[0].answer[0]);
            const auto other = std::find_if(lines.begin(), lines.end(),
                                            [&](const auto& line) { return main.count(line.a) == 0; });
            ASSERT_EQ(main.size(), 5 * n);
            ASSERT_EQ(testing::component(lines, other->a).size(), 4 * n);
        }
        longest = std::max(longest, story.questions[0].answer.size());
    }
    if (task == "eulerian-circuit") {
        EXPECT_EQ(longest, 5 * n);
    }
    if (task == "shortest-path") {
        EXPECT_GT(longest, scale == 2 ? 4u : 10u);
    }
}

void expect_usage_error(const GenerateOptions& options, const std::string& what) {
    try {
        generate(options, [](std::string_view) { FAIL() << "text before the error"; });
        FAIL() << "no error; expected: " << what;
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr(what));
    }
}

TEST(Generate, WrongUsage) {
    expect_usage_error({"babi1", 1, 1, 1}, "unknown task 'babi1'; expected one of babi4, babi15");
    expect_usage_error({"babi4", 1, 1, 2}, "scale 2: babi4 has one size only");
    expect_usage_error({"babi15", 1, 1, 0}, "scale 0; expected 1 to 1000");
    expect_usage_error({"babi15", 1, 1, 1001}, "scale 1001");
    expect_usage_error({"babi15", 0, 1, 1}, "count 0; expected at least 1");
    Random random(1);
    EXPECT_THROW(generate_story("babi19", random, 3), UsageError);
}

} // namespace
} // namespace ggsnn
