// Training and validation data: questions that only validation data asks are left out, and counted.
#include "folder.hpp"
#include "ggsnn/tasks/split.hpp"

#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using ggsnn::testing::Folder;

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

} // namespace
} // namespace ggsnn
