// Kinds of network as the rest of the program sees them: settings with limits, recipes that train, files that
// come back; and training in the units of the data.
#include "folder.hpp"
#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/nn/train/trainer.hpp"
#include "models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using namespace test;
using ggsnn::testing::Folder;
using ::testing::HasSubstr;

template <class Body>
std::string reason(Body body) {
    try {
        body();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Kinds, AreFoundByNameAndDistinct) {
    std::set<std::string> names;
    for (const Kind& kind : kinds()) {
        EXPECT_EQ(&kind_named(kind.name), &kind);
        EXPECT_TRUE(names.insert(kind.name).second);
    }
    EXPECT_GE(names.size(), 4u);
    EXPECT_THAT(reason([] { kind_named("gru"); }),
                HasSubstr("unknown kind of network \"gru\"; expected ggnn, gnn, rnn, lstm"));
}

TEST(Settings, SayWhatWasExpected) {
    const Kind& kind = kind_named("ggnn");
    const auto check = [&](const Json& given) {
        return reason([&] { checked_settings(kind.settings, given, "ggnn"); });
    };
    EXPECT_EQ(check({{"state", 5}, {"variant", "paper"}}), "");
    EXPECT_THAT(check({{"sate", 5}}), HasSubstr("ggnn has no setting \"sate\"; expected one of variant,"));
    EXPECT_THAT(check(Json::object()),
                HasSubstr("ggnn needs the setting \"state\"; expected a whole number"));
    EXPECT_THAT(check({{"state", 0}}), HasSubstr("is 0; expected a whole number from 1 to 4096"));
    EXPECT_THAT(check({{"state", 2.5}}), HasSubstr("is 2.5; expected a whole number"));
    EXPECT_THAT(check({{"state", 5}, {"variant", "mine"}}),
                HasSubstr("is \"mine\"; expected one of paper, authors"));
    EXPECT_THAT(check({{"state", 5}, {"shared_propagation", 1}}), HasSubstr("expected true or false"));
    const Json all = checked_settings(kind.settings, {{"state", 7}}, "ggnn");
    EXPECT_EQ(all["steps"], 5);
    EXPECT_EQ(all.size(), kind.settings.size());
}

TEST(Settings, AreWrittenOnTheCommandLineWithDashes) {
    const auto flag = [](const char* kind, const char* name) {
        for (const Setting& s : kind_named(kind).settings)
            if (s.name == name) return s.flag();
        return std::string();
    };
    EXPECT_EQ(flag("gnn", "edge_function"), "--edge-function");
    EXPECT_EQ(flag("ggnn", "shared_propagation"), "--separate");
}

TEST(Kinds, RefuseDataThatDoesNotSuitThem) {
    Random random(1);
    ThreadPool pool(1);
    const Dataset sequences = random_data(random, schema_of(AnswerKind::node_sequence), 8);
    TrainOptions options = recipe_for(sequences.schema, 8, "gnn");
    EXPECT_THAT(reason([&] { train(sequences, {}, options, pool); }), HasSubstr("single answers"));
    options = recipe_for(sequences.schema, 8, "lstm");
    EXPECT_THAT(reason([&] { train(sequences, {}, options, pool); }), HasSubstr("token sequences"));
    options = recipe_for(sequences.schema, 8);
    options.network = {{"state", 2}};
    EXPECT_THAT(reason([&] { train(sequences, {}, options, pool); }), HasSubstr("--state 2 is too small"));
}

// Numbers of many small graphs have a recipe of their own; few, large or asked ones, and other answers, do
// not.
TEST(Kinds, RecipesLookAtTheSizeOfGraphs) {
    Schema schema = schema_of(AnswerKind::values);
    schema.arguments = 0;
    const auto reaches = [](const Schema& s, std::size_t examples, double nodes, int largest) {
        const TrainOptions o =
            kind_named("ggnn").recipe({s, examples, static_cast<long>(examples), nodes, largest});
        EXPECT_NE(o.because, "");
        return o.network.contains("reach");
    };
    EXPECT_TRUE(reaches(schema, 5000, 18, 29));
    EXPECT_FALSE(reaches(schema, 200, 18, 29)) << "too few";
    EXPECT_FALSE(reaches(schema, 5000, 200, 300)) << "too large";
    EXPECT_FALSE(reaches(schema, 5000, 18, 5000)) << "one is larger than a network with reach reads";
    EXPECT_FALSE(reaches(schema, 5000, 0, 0)) << "not known";
    Schema asked = schema;
    asked.arguments = 1;
    EXPECT_FALSE(reaches(asked, 5000, 18, 29));
    EXPECT_FALSE(reaches(schema_of(AnswerKind::klass), 5000, 18, 29));
}

// Answers far from 0 and features far from 1, as they come: y = 1000 + 40 x, x up to 50.
Dataset distant(std::uint64_t seed, int count, AnswerKind answer) {
    Random random(seed);
    Dataset data;
    data.schema.answer = answer;
    data.schema.edge_types = Vocabulary({"r"});
    data.schema.question_types = Vocabulary({"q"});
    data.schema.features = 1;
    data.schema.values = 1;
    for (int i = 0; i < count; ++i) {
        Draft draft;
        draft.nodes = answer == AnswerKind::values ? 1 : 3;
        for (int v = 0; v < draft.nodes; ++v) {
            draft.features.push_back(static_cast<float>(random.uniform(0, 50)));
            draft.example.values.push_back(1000 + 40 * draft.features.back());
        }
        add(data, draft);
    }
    return data;
}

TEST(Training, IsGivenAndAnswersNumbersInTheUnitsOfTheData) {
    ThreadPool pool(2);
    const Folder folder;
    for (const AnswerKind answer : {AnswerKind::values, AnswerKind::node_values}) {
        const Dataset train_set = distant(1, 60, answer), test_set = distant(2, 20, answer);
        TrainOptions options = recipe_for(train_set.schema, train_set.examples.size());
        options.network["state"] = 8;
        options.learning_rate = 0.01;
        options.updates = 1500;
        const Model model = train(train_set, {}, options, pool);
        ASSERT_EQ(model.schema.scales.value.size(), 1u);
        EXPECT_NEAR(model.schema.scales.value_mean[0], 2000, 200);
        EXPECT_NEAR(model.schema.scales.feature[0], 1.0 / 50, 0.002);
        const auto answers = predict(model, test_set, &pool);
        for (std::size_t i = 0; i < answers.size(); ++i)
            for (std::size_t v = 0; v < answers[i].lists.size(); ++v)
                EXPECT_NEAR(answers[i].lists[v][0], test_set.examples[i].values[v], 100)
                    << name_of(answer) << " " << i;
        save_model(model, folder / "model");
        const auto again = predict(load_model(folder / "model"), test_set);
        for (std::size_t i = 0; i < answers.size(); ++i) EXPECT_EQ(again[i].lists, answers[i].lists);
    }
}

} // namespace
} // namespace ggsnn
