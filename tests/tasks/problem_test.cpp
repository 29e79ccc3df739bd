// Canonical problems: two judges. One tries every renaming of small stories; the other is a second way of
// refinement, on stories of all tasks.
#include "ggsnn/tasks/problem.hpp"

#include "ggsnn/base/random.hpp"
#include "ggsnn/tasks/generate.hpp"
#include "tasks/problem.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

namespace ggsnn {
namespace {

// Facts and arguments in the least of all numberings of the entities.
std::string least_of_all_renamings(const Story& story, const Question& question) {
    std::vector<int> number(story.entities.size());
    std::iota(number.begin(), number.end(), 0);
    std::string least;
    do {
        std::vector<std::string> lines;
        for (const Fact& f : story.facts)
            lines.push_back(fmt::format("{} {} {},", number[f.source], f.relation, number[f.target]));
        std::sort(lines.begin(), lines.end());
        std::string text = fmt::format("{} of {}", question.type, number.size());
        for (int argument : question.arguments) text += fmt::format(" {}", number[argument]);
        for (const std::string& line : lines) text += line;
        if (least.empty() || text < least) least = text;
    } while (std::next_permutation(number.begin(), number.end()));
    return least;
}

// Few entities, relations and facts, so that many stories are alike and many have symmetries.
Story random_story(Random& random) {
    Story story;
    const int entities = 2 + static_cast<int>(random.below(4));
    for (int i = 0; i < entities; ++i) story.entities.push_back(std::string(1, static_cast<char>('A' + i)));
    const auto any = [&] { return static_cast<int>(random.below(static_cast<std::uint64_t>(entities))); };
    for (std::uint64_t left = 1 + random.below(5); left > 0; --left)
        story.facts.push_back({any(), random.chance(0.7) ? "r" : "s", any()});
    Question question;
    question.type = random.chance(0.8) ? "p" : "q";
    for (std::uint64_t left = random.below(3); left > 0; --left) question.arguments.push_back(any());
    story.questions.push_back(question);
    return story;
}

// Each text of one judge goes with one text of the other.
class Pairs {
  public:
    void add(const std::string& a, const std::string& b) {
        EXPECT_EQ(there_.try_emplace(a, b).first->second, b) << "told apart: " << a;
        EXPECT_EQ(back_.try_emplace(b, a).first->second, a) << "not told apart: " << b;
    }
    std::size_t size() const { return there_.size(); }

  private:
    std::map<std::string, std::string> there_, back_;
};

TEST(Problem, TellsStoriesApartAsAllRenamingsDo) {
    Random random(7);
    Pairs pairs;
    for (int i = 0; i < 800; ++i) {
        const Story story = random_story(random);
        const Question& question = story.questions[0];
        pairs.add(canonical_problem(story, question).value(), least_of_all_renamings(story, question));
    }
    EXPECT_GT(pairs.size(), 200u);
    EXPECT_LT(pairs.size(), 750u);
}

TEST(Problem, AgreesOnStoriesOfEveryTask) {
    for (const std::string& task : task_names()) {
        Pairs pairs;
        generate_stories({task, 150, 3}, [&](const Story& story) {
            for (const Question& question : story.questions)
                pairs.add(canonical_problem(story, question).value(),
                          testing::canonical_problem(story, question));
        });
    }
}

TEST(Problem, LiteralOnesKeepNamesAndOrder) {
    Random random(1);
    Story story = random_story(random);
    while (story.facts.size() < 2) story = random_story(random);
    story.facts[1] = story.facts[0];
    story.facts[1].relation = "t";
    Story turned = story;
    std::swap(turned.facts[0], turned.facts[1]);
    EXPECT_EQ(canonical_problem(story, story.questions[0]), canonical_problem(turned, story.questions[0]));
    EXPECT_NE(literal_problem(story, story.questions[0]), literal_problem(turned, story.questions[0]));
    Story renamed = story;
    for (std::string& name : renamed.entities) name += "2";
    EXPECT_EQ(canonical_problem(story, story.questions[0]), canonical_problem(renamed, story.questions[0]));
    EXPECT_NE(literal_problem(story, story.questions[0]), literal_problem(renamed, story.questions[0]));
}

// Six entities without facts have 6! numberings.
TEST(Problem, SaysSoWhereThereAreTooManyNumberings) {
    Story story;
    for (char c = 'A'; c <= 'F'; ++c) story.entities.push_back(std::string(1, c));
    EXPECT_FALSE(canonical_problem(story, {}, 719));
    EXPECT_TRUE(canonical_problem(story, {}, 720));
}

} // namespace
} // namespace ggsnn
