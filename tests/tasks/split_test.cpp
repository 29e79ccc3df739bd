// Training and validation data: questions that only validation data asks are left out, and counted.
#include "folder.hpp"
#include "ggsnn/tasks/split.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using ggsnn::testing::Folder;
using ::testing::HasSubstr;

Split split_of(const std::string& train, const std::string& valid, Form form) {
    const Folder folder;
    folder.put("train", train);
    folder.put("valid", valid);
    return read_split({folder / "train", folder / "valid", 0, -1, {}, form});
}

const std::string facts = "A r B\nB s A\n";
const std::string train = facts + "eval A p\tB\neval B q\tA\n";

TEST(Split, LeavesOutQuestionTypesThatTrainingDataDoesNotHave) {
    const std::string known = facts + "eval B p\tB\neval A q\tA\n";
    const std::string more = facts + "eval A x\tB\neval B p\tB\neval A y\tB\neval B x\tA\neval A q\tA\n";
    for (const Form form : {Form::graphs, Form::tokens}) {
        const Split expected = split_of(train, known, form), split = split_of(train, more, form);
        EXPECT_TRUE(expected.unknown.empty());
        ASSERT_EQ(split.unknown.size(), 2u);
        EXPECT_EQ(split.unknown[0].type, "x");
        EXPECT_EQ(split.unknown[0].count, 2);
        EXPECT_EQ(split.unknown[0].first.line, 3);
        EXPECT_EQ(split.unknown[1].type, "y");
        EXPECT_EQ(split.unknown[1].count, 1);
        EXPECT_EQ(split.unknown[1].first.line, 5);
        EXPECT_EQ(split.train.schema.question_types.names(), (std::vector<std::string>{"p", "q"}));
        EXPECT_EQ(split.valid.schema.question_types.names(), (std::vector<std::string>{"p", "q"}));
        EXPECT_EQ(fingerprint(split), fingerprint(expected)) << "as if they had never been there";
    }
}

TEST(Split, NeedsSomethingThatAFileForValidationCanValidate) {
    try {
        split_of(train, facts + "eval A x\tB\n", Form::graphs);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("valid:3: question type \"x\" is not in the training data"));
    }
}

// Where the data names its parts, what is left out may come before what stays.
TEST(Split, RenumbersTheQuestionTypesThatStay) {
    const auto line = [](const char* type, const char* part) {
        return fmt::format(R"({{"nodes": ["A", "B"], "edges": [["A", "r", "B"]], "split": "{}", "question": )"
                           R"({{"type": "{}", "arguments": ["A"], "answer": {{"node": "B"}}}}}})"
                           "\n",
                           part, type);
    };
    const std::string known = line("p", "train") + line("q", "train") + line("q", "valid");
    for (const Form form : {Form::graphs, Form::tokens}) {
        const Folder folder;
        folder.put("known", known);
        folder.put("more", line("x", "valid") + known);
        const Split expected = read_split({folder / "known", "", 0, -1, {}, form}),
                    split = read_split({folder / "more", "", 0, -1, {}, form});
        EXPECT_EQ(split.unknown.size(), 1u);
        EXPECT_EQ(split.train.schema.question_types.names(), (std::vector<std::string>{"p", "q"}));
        ASSERT_EQ(split.train.examples.size(), 2u);
        ASSERT_EQ(split.valid.examples.size(), 1u);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_EQ(split.train.examples[i].question, expected.train.examples[i].question);
            EXPECT_EQ(split.train.examples[i].tokens, expected.train.examples[i].tokens);
        }
        EXPECT_EQ(split.valid.examples[0].question, 1);
        EXPECT_EQ(split.valid.examples[0].tokens, expected.valid.examples[0].tokens);
    }
}

} // namespace
} // namespace ggsnn
