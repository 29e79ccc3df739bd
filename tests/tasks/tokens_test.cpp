// Token sequences of the baselines: the paper's layout, and one vocabulary for training and test.
#include "ggsnn/tasks/build.hpp"
#include "ggsnn/tasks/recipe.hpp"
#include "ggsnn/tasks/tokens.hpp"
#include "tasks/files_for_tests.hpp"

#include <gmock/gmock.h>

namespace ggsnn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Reads the text of a file of any format into the builder.
void read(DatasetBuilder& builder, const std::string& text, bool need_answers = true) {
    const testing::Folder folder;
    write_file(folder / "story.txt", text);
    const auto reader = open_records(folder / "story.txt", {need_answers, {}});
    for (Record record; reader->next(record);) builder.add(record);
    builder.finish();
}

Dataset learn(const std::string& text) {
    DatasetBuilder builder(Form::tokens);
    read(builder, text);
    return builder.data();
}

Dataset read_like(const Dataset& train, const std::string& text, bool need_answers = true) {
    DatasetBuilder builder(train.schema, need_answers);
    read(builder, text, need_answers);
    return builder.data();
}

std::string token_line(const Dataset& data, std::size_t example = 0) {
    std::string out;
    write_tokens(out, data.schema, data.examples[example]);
    return out;
}

// The Eulerian circuit of appendix B; there the numbers of the nodes follow another order.
const std::string circuit = "3 connected-to 7\n7 connected-to 3\n1 connected-to 2\n2 connected-to 1\n"
                            "5 connected-to 7\n7 connected-to 5\n0 connected-to 4\n4 connected-to 0\n"
                            "1 connected-to 0\n0 connected-to 1\n8 connected-to 6\n6 connected-to 8\n"
                            "3 connected-to 6\n6 connected-to 3\n5 connected-to 8\n8 connected-to 5\n"
                            "4 connected-to 2\n2 connected-to 4\neval eulerian-circuit 5 7\t5,7,3,6,8\n";

TEST(Tokens, SequenceOfNodesAsInTheAppendix) {
    const Dataset data = learn(circuit);
    EXPECT_EQ(token_line(data),
              "n1 e1 n2 eol n2 e1 n1 eol n3 e1 n4 eol n4 e1 n3 eol n5 e1 n2 eol n2 e1 n5 eol "
              "n6 e1 n7 eol n7 e1 n6 eol n3 e1 n6 eol n6 e1 n3 eol n8 e1 n9 eol n9 e1 n8 eol "
              "n1 e1 n9 eol n9 e1 n1 eol n5 e1 n8 eol n8 e1 n5 eol n7 e1 n4 eol n4 e1 n7 eol "
              "q1 n5 n2 ans 5 2 1 9 8\n");
    EXPECT_EQ(data.schema.answer, AnswerKind::class_sequence);
    EXPECT_EQ(data.schema.outputs(), 10) << "nine nodes and 'end'";
}

TEST(Tokens, ClassesAreTheWordsOfTheAnswersUnlessAllAreEntities) {
    const Dataset data = learn("B > A\nC > B\neval C < A\tfalse\neval A < C\ttrue\n");
    EXPECT_EQ(data.schema.answer, AnswerKind::klass);
    EXPECT_THAT(data.schema.classes.names(), ElementsAre("false", "true"));
    EXPECT_EQ(token_line(data, 0), "n1 e1 n2 eol n3 e1 n1 eol q1 n3 n2 ans 1\n");
    EXPECT_EQ(token_line(data, 1), "n1 e1 n2 eol n3 e1 n1 eol q1 n2 n3 ans 2\n");
    EXPECT_THAT(learn("B n A\nC e B\neval C n\tA\n").schema.classes.names(), ElementsAre("B", "A", "C"));
}

TEST(Tokens, SequenceOfClasses) {
    const Dataset data = learn("E s A\nB n C\nE w F\nB w E\neval path B A\tw,s\n");
    EXPECT_THAT(data.examples[0].labels, ElementsAre(0, 1));
    EXPECT_EQ(token_line(data), "n1 e1 n2 eol n3 e2 n4 eol n1 e3 n5 eol n3 e3 n1 eol q1 n3 n2 ans 1 2\n");
}

// Names that appear late must not move the numbers of tokens that were read before.
TEST(Tokens, NumbersAreThoseOfTheWholeTrainingData) {
    const Dataset data = learn("A is B\neval A is\tB\n\nC was D\neval C was\tD\n");
    EXPECT_THAT(data.examples[0].tokens, ElementsAre(2, 6, 3, eol_token, 8, 2, ans_token));
    EXPECT_THAT(data.examples[1].tokens, ElementsAre(4, 7, 5, eol_token, 9, 4, ans_token));
    EXPECT_EQ(data.schema.tokens(), 10);
}

TEST(Tokens, IdsFollowTheTrainingDataWhateverTheOrderOfTheTest) {
    const Dataset train = learn("A is B\nB has_fear C\neval A has_fear\tC\n");
    const Dataset test = read_like(train, "C has_fear A\nB is C\neval B has_fear\tA\n");
    EXPECT_EQ(train.schema.tokens(), 2 + 3 + 2 + 1);
    EXPECT_THAT(test.examples[0].tokens, ElementsAre(4, 6, 2, 0, 3, 5, 4, 0, 7, 3, 1));
    EXPECT_THAT(test.examples[0].labels, ElementsAre(0));
}

TEST(Tokens, QuestionWithoutAnAnswerHasNoTargets) {
    const Dataset train = learn("A n C\neval A n\tC\n");
    EXPECT_EQ(token_line(read_like(train, "C n A\neval C n\n", false)), "n2 e1 n1 eol q1 n2 ans\n");
}

TEST(Tokens, NumberedNodesAreNamedByTheirNumbers) {
    const Dataset data = learn(R"({"nodes": 3, "edges": [[2, "to", 0]], "questions": )"
                               R"([{"type": "next", "arguments": [2], "answer": {"node": 0}}]})"
                               "\n");
    EXPECT_THAT(data.schema.entities.names(), ElementsAre("0", "1", "2"));
    EXPECT_EQ(token_line(data), "n3 e1 n1 eol q1 n3 ans 1\n");
}

void expect_error(const Dataset& train, const std::string& text, long line, const std::string& what) {
    try {
        read_like(train, text);
        FAIL() << "no error for " << text;
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(fmt::format("story.txt:{}: ", line)));
        EXPECT_THAT(error.what(), HasSubstr(what));
    }
}

TEST(Tokens, UnseenNamesAreErrorsThatNameThePlace) {
    const Dataset train = learn("A is B\neval A is\tB\n");
    expect_error(train, "\nA is Z\neval A is\tB\n", 3, "unknown entity \"Z\"; the model knows A, B");
    expect_error(train, "A was B\neval A is\tB\n", 1, "unknown relation \"was\"");
    expect_error(train, "A is B\neval A what\tB\n", 2, "unknown question type \"what\"");
    expect_error(train, "A is B\neval A is\tQ\n", 2, "unknown answer \"Q\"; the model knows A, B");
}

TEST(BaselineRecipe, HasTheAuthorsSettingsForEveryTask) {
    const auto rnn = baseline_recipe("rnn", "babi16"), lstm = baseline_recipe("lstm", "shortest-path");
    ASSERT_TRUE(rnn && lstm);
    EXPECT_EQ(rnn->kind, "rnn");
    EXPECT_EQ(rnn->updates, 20000);
    EXPECT_EQ(rnn->batch, 100);
    EXPECT_EQ(rnn->learning_rate, 0.0005);
    EXPECT_EQ(lstm->updates, 5000);
    EXPECT_EQ(lstm->batch, 10);
    EXPECT_EQ(lstm->network["state"], 50);
    EXPECT_TRUE(lstm->keep_best && !lstm->cosine);
    for (const char* task : {"babi4", "babi15", "babi18", "babi19", "eulerian-circuit"})
        EXPECT_TRUE(baseline_recipe("lstm", task)) << task;
    EXPECT_FALSE(baseline_recipe("lstm", "babi1"));
    EXPECT_FALSE(baseline_recipe("ggnn", "babi4"));
}

} // namespace
} // namespace ggsnn
