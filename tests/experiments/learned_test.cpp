// What is said of test data and of what networks learned: overlap of files, rules of three families found
// again in answers that were made by them, and in a network that was trained.
#include "ggsnn/experiments/learned.hpp"

#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/base/random.hpp"

#include <gtest/gtest.h>

namespace ggsnn {
namespace {

TEST(Overlap, CountsWhatWasTrainedOn) {
    const testing::Folder folder;
    write_file(folder / "train.txt", "A n B\nB n C\neval n B\tC\n\nD n E\nE n F\neval s E\tD\n");
    // The first problem under other names, the same as it is written, the second (not trained on), another.
    write_file(folder / "test.txt", "X n Y\nY n Z\neval n Y\tZ\n\nA n B\nB n C\neval n B\tC\n\n"
                                    "D n E\nE n F\neval s E\tD\n\nA n B\nB n C\neval n A\tB\n");
    const Overlap overlap = find_overlap(folder / "train.txt", 1, folder / "test.txt");
    EXPECT_FALSE(overlap.same_file);
    EXPECT_EQ(overlap.questions, 4);
    EXPECT_EQ(overlap.copied, 1);
    EXPECT_EQ(overlap.seen, 2);
    EXPECT_EQ(overlap.problems.size(), 3u);
    EXPECT_EQ(hashes_of_text(hashes_text(overlap.problems)), overlap.problems);
    EXPECT_EQ(find_overlap(folder / "train.txt", 2, folder / "test.txt").seen, 3);
    EXPECT_TRUE(find_overlap(folder / "test.txt", 1, folder / "test.txt").same_file);
}

// Two thirds of the answers are those of a rule; the rest are random.
std::vector<Answered> answers_by(const Rule& rule, int types, std::uint64_t seed) {
    std::vector<Answered> all;
    Random random(seed);
    while (all.size() < 60) {
        RuleGraph graph;
        graph.nodes = 6;
        const auto any = [&](int n) { return static_cast<int>(random.below(static_cast<std::uint64_t>(n))); };
        for (int i = 0; i < 7; ++i) graph.edges.push_back({any(6), any(types), any(6)});
        graph.arguments = {any(6), any(6)};
        const auto said = rule(graph);
        if (!said || (rule.answer == AnswerKind::class_sequence && said->size() < 2)) continue;
        all.push_back({graph, *said});
        if (all.size() % 3 == 0) all.back().labels[0] = any(2);
    }
    return all;
}

TEST(Rules, AreFoundAgain) {
    const Step along_0 = 0 + outgoing, against_1 = 2 + incoming;
    Rule walk;
    walk.start = 1;
    walk.walk = {along_0, against_1};
    const Rule found = fit_rule(AnswerKind::node, answers_by(walk, 2, 1));
    EXPECT_EQ(found.walk, walk.walk);
    EXPECT_EQ(found.start, 1);
    Schema schema;
    schema.edge_types = Vocabulary({"is", "fears"});
    EXPECT_EQ(rule_text(found, schema), "from argument 1: along is, against fears");

    Rule either;
    either.answer = AnswerKind::klass;
    either.walk = {along_0, along_0};
    either.yes = 0;
    either.no = 1;
    const Rule which = fit_rule(AnswerKind::klass, answers_by(either, 1, 2));
    EXPECT_EQ(which.walk, either.walk);
    EXPECT_EQ(which.yes, 0);
    EXPECT_EQ(which.no, 1);

    Rule way;
    way.answer = AnswerKind::class_sequence;
    way.ways = {outgoing};
    way.backwards = true;
    way.class_of = {{0 + outgoing, 1}, {2 + outgoing, 0}, {4 + outgoing, 2}};
    const Rule path = fit_rule(AnswerKind::class_sequence, answers_by(way, 3, 3));
    EXPECT_EQ(path.ways, way.ways);
    EXPECT_TRUE(path.backwards);
    EXPECT_EQ(path.class_of, way.class_of);
}

// Where two shortest ways, or two ends, are possible, a rule says nothing.
TEST(Rules, SayNothingWhereTheyDoNotApply) {
    Rule walk;
    walk.walk = {0 + outgoing};
    EXPECT_EQ(walk({3, {{0, 0, 1}}, {0}}), std::vector{1});
    EXPECT_FALSE(walk({3, {{0, 0, 1}, {0, 0, 2}}, {0}}));
    EXPECT_FALSE(walk({3, {{1, 0, 0}}, {0}}));
    Rule way;
    way.answer = AnswerKind::class_sequence;
    way.ways = {outgoing};
    way.class_of = {{0 + outgoing, 7}, {2 + outgoing, 8}};
    EXPECT_EQ(way({4, {{0, 0, 1}, {1, 1, 3}}, {0, 3}}), (std::vector{7, 8}));
    EXPECT_FALSE(way({4, {{0, 0, 1}, {1, 1, 3}, {0, 1, 2}, {2, 0, 3}}, {0, 3}}));
    EXPECT_FALSE(way({4, {{0, 0, 1}, {3, 1, 1}}, {0, 3}}));
}

TEST(Rules, OfATrainedNetworkAreItsTasks) {
    const testing::Folder folder;
    generate_fold(folder / "data", "babi15", 1);
    const Unit unit{"babi15", "ggnn", 50, 1};
    const FoldFiles files = fold_files(folder / "data", "babi15", 1);
    const auto learned = learned_rules(train_unit(unit, files.train, 1), unit, files);
    ASSERT_EQ(learned.size(), 1u);
    EXPECT_EQ(learned[0].text, "from argument 0: along is, along has_fear");
    const Agreement& a = learned[0].agreement;
    EXPECT_EQ(a.questions, 4000);
    EXPECT_EQ(a.agreed, a.questions);
    EXPECT_EQ(a.used, 200) << "two edges of each of 100 graphs";
    EXPECT_EQ(a.unused, 600);
    EXPECT_GT(a.kept, 300) << "edges without which the answer stands";
    EXPECT_GT(a.moved, 80);
    EXPECT_GT(a.followed, a.moved / 2);
}

// A question type that training does not show has no network: its questions are wrong, and the rest are
// asked.
TEST(Unit, QuestionsThatTrainingDoesNotShowAreWrong) {
    const testing::Folder folder;
    generate_fold(folder / "data", "babi4", 1);
    const FoldFiles files = fold_files(folder / "data", "babi4", 1);
    const UnitResult result = test_unit(train_unit({"babi4", "ggnn", 1, 1}, files.train, 1), files.test);
    long unknown = 0;
    for (const auto& [type, count] : result.unknown) unknown += count;
    EXPECT_GT(unknown, 600);
    EXPECT_LT(unknown, 900);
    EXPECT_LE(result.accuracy, 100 - double(unknown) / 10 + 1e-9);
    EXPECT_EQ(result.effort.validated, 0) << "said by who knows";
}

} // namespace
} // namespace ggsnn
