// Token sequences of the baselines: the paper's layout, and one vocabulary for training and test.
#include "tasks/files_for_tests.hpp"
#include "tasks/tokens.hpp"

#include <gmock/gmock.h>

namespace ggsnn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::parse_stories;

std::string token_line(const TokenVocabulary& vocabulary, const Story& story, std::size_t question = 0) {
    std::string out;
    write_tokens(out, vocabulary, vocabulary.encode(story, story.questions[question]));
    return out;
}

TokenVocabulary vocabulary_of(const std::vector<Story>& stories) {
    TokenVocabulary vocabulary;
    for (const Story& story : stories) vocabulary.add(story);
    return vocabulary;
}

// The Eulerian circuit of appendix B; there the numbers of the nodes follow another order.
const std::string circuit = "3 connected-to 7\n7 connected-to 3\n1 connected-to 2\n2 connected-to 1\n"
                            "5 connected-to 7\n7 connected-to 5\n0 connected-to 4\n4 connected-to 0\n"
                            "1 connected-to 0\n0 connected-to 1\n8 connected-to 6\n6 connected-to 8\n"
                            "3 connected-to 6\n6 connected-to 3\n5 connected-to 8\n8 connected-to 5\n"
                            "4 connected-to 2\n2 connected-to 4\neval eulerian-circuit 5 7\t5,7,3,6,8\n";

TEST(Tokens, SequenceOfNodesAsInTheAppendix) {
    const auto stories = parse_stories(circuit);
    EXPECT_EQ(token_line(vocabulary_of(stories), stories[0]),
              "n1 e1 n2 eol n2 e1 n1 eol n3 e1 n4 eol n4 e1 n3 eol n5 e1 n2 eol n2 e1 n5 eol "
              "n6 e1 n7 eol n7 e1 n6 eol n3 e1 n6 eol n6 e1 n3 eol n8 e1 n9 eol n9 e1 n8 eol "
              "n1 e1 n9 eol n9 e1 n1 eol n5 e1 n8 eol n8 e1 n5 eol n7 e1 n4 eol n4 e1 n7 eol "
              "q1 n5 n2 ans 5 2 1 9 8\n");
}

TEST(Tokens, ClassesAreTheWordsOfTheAnswersUnlessAllAreEntities) {
    const auto stories = parse_stories("B > A\nC > B\neval C < A\tfalse\neval A < C\ttrue\n");
    const TokenVocabulary vocabulary = vocabulary_of(stories);
    EXPECT_FALSE(vocabulary.answers_are_entities);
    EXPECT_THAT(vocabulary.classes().names(), ElementsAre("false", "true"));
    EXPECT_EQ(token_line(vocabulary, stories[0], 0), "n1 e1 n2 eol n3 e1 n1 eol q1 n3 n2 ans 1\n");
    EXPECT_EQ(token_line(vocabulary, stories[0], 1), "n1 e1 n2 eol n3 e1 n1 eol q1 n2 n3 ans 2\n");
}

TEST(Tokens, SequenceOfClasses) {
    const auto stories = parse_stories("E s A\nB n C\nE w F\nB w E\neval path B A\tw,s\n");
    const TokenVocabulary vocabulary = vocabulary_of(stories);
    EXPECT_THAT(vocabulary.encode(stories[0], stories[0].questions[0]).targets, ElementsAre(0, 1));
    EXPECT_EQ(token_line(vocabulary, stories[0]),
              "n1 e1 n2 eol n3 e2 n4 eol n1 e3 n5 eol n3 e3 n1 eol q1 n3 n2 ans 1 2\n");
}

TEST(Tokens, IdsFollowTheTrainingDataWhateverTheOrderOfTheTest) {
    const auto train = parse_stories("A is B\nB has_fear C\neval A has_fear\tC\n");
    const auto test = parse_stories("C has_fear A\nB is C\neval B has_fear\tA\neval C is\tA\n");
    const TokenVocabulary vocabulary = vocabulary_of(train);
    EXPECT_EQ(vocabulary.tokens(), 2 + 3 + 2 + 1);
    const TokenExample example = vocabulary.encode(test[0], test[0].questions[0]);
    EXPECT_THAT(example.tokens, ElementsAre(4, 6, 2, 0, 3, 5, 4, 0, 7, 3, 1));
    EXPECT_THAT(example.targets, ElementsAre(0));
}

TEST(Tokens, QuestionWithoutAnAnswerHasNoTargets) {
    const auto stories = parse_stories("A n C\neval A n\n", {false, true});
    EXPECT_EQ(token_line(vocabulary_of(stories), stories[0]), "n1 e1 n2 eol q1 n1 ans\n");
}

void expect_error(const TokenVocabulary& vocabulary, const std::string& text, long line,
                  const std::string& what) {
    const auto stories = parse_stories(text);
    try {
        vocabulary.encode(stories[0], stories[0].questions[0]);
        FAIL() << "no error for " << text;
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(fmt::format("story.txt:{}: ", line)));
        EXPECT_THAT(error.what(), HasSubstr(what));
    }
}

TEST(Tokens, UnseenNamesAreErrorsThatNameThePlace) {
    const TokenVocabulary vocabulary = vocabulary_of(parse_stories("A is B\neval A is\tB\n"));
    expect_error(vocabulary, "\nA is Z\neval A is\tB\n", 2,
                 "the entity 'Z' does not occur in the training data");
    expect_error(vocabulary, "A was B\neval A is\tB\n", 1, "the relation 'was'");
    expect_error(vocabulary, "A is B\neval A what\tB\n", 2, "the question type 'what'");
    expect_error(vocabulary, "A is B\neval A is\tQ\n", 2, "the answer 'Q'");
    expect_error(vocabulary, "A is B\neval A is\tQ\n", 2, "expected one of A, B");
}

} // namespace
} // namespace ggsnn
