// What Evaluation tells of answers of every kind: worked out by hand, and no figure that is not a number.
#include "ggsnn/nn/evaluation.hpp"

#include "models.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ggsnn {
namespace {

using namespace test;

Prediction said(Lists lists, std::vector<int> labels) {
    Prediction p;
    p.lists = std::move(lists);
    p.labels = std::move(labels);
    return p;
}

Example truth(std::vector<int> labels, int question = 0) {
    Example e;
    e.labels = std::move(labels);
    e.question = question;
    return e;
}

TEST(Evaluation, NodeClassesCountByLabelledNode) {
    const Schema schema = schema_of(AnswerKind::node_classes, 2);
    Evaluation evaluation(schema);
    // Three labelled nodes, two right; one without a label; then a graph that is right as a whole.
    evaluation.add(truth({0, 1, -1, 2}),
                   said({{0.8, 0.1, 0.1}, {0.6, 0.3, 0.1}, {0.1, 0.8, 0.1}, {0, 0.5, 0.5}}, {0, 0, 1, 2}));
    evaluation.add(truth({1}, 1), said({{0.2, 0.7, 0.1}}, {1}));
    evaluation.add(truth({-1}), said({{0.2, 0.7, 0.1}}, {1})); // nothing to measure by
    const OrderedJson json = evaluation.to_json();
    EXPECT_EQ(json["count"], 2);
    EXPECT_EQ(json["nodes"], 4);
    EXPECT_EQ(json["accuracy"], 0.75);
    EXPECT_EQ(json["graph_accuracy"], 0.5);
    EXPECT_EQ(json["step_accuracy"], 0.75) << "its old name";
    EXPECT_NEAR(json["log_loss"].get<double>(),
                -(std::log(0.8) + std::log(0.3) + std::log(0.5) + std::log(0.7)) / 4, 1e-12);
    EXPECT_EQ(json["confusion"].dump(), "[[1,0,0],[1,1,0],[0,0,1]]");
    EXPECT_EQ(json["classes"][1]["class"], "b");
    EXPECT_EQ(json["classes"][1]["count"], 2);
    EXPECT_EQ(json["classes"][1]["recall"], 0.5);
    // Class c: its one positive (0.5) is above all negatives. Class a: 0.8 above 0.6, 0, 0.2.
    EXPECT_EQ(json["classes"][2]["roc_auc"], 1.0);
    EXPECT_EQ(json["classes"][0]["pr_auc"], 1.0);
    // Class b: positives 0.3, 0.7; negatives 0.1, 0.5: three of four pairs.
    EXPECT_EQ(json["classes"][1]["roc_auc"], 0.75);
    EXPECT_NEAR(json["macro"]["roc_auc"].get<double>(), (1 + 0.75 + 1) / 3, 1e-12);
    EXPECT_EQ(json["by_question_type"]["q1"]["accuracy"], 1.0);
    EXPECT_NEAR(json["by_question_type"]["q0"]["accuracy"].get<double>(), 2.0 / 3, 1e-12);
    EXPECT_EQ(json["by_question_type"]["q0"]["graph_accuracy"], 0.0);
}

TEST(Evaluation, SequencesCountWholeAndByOutput) {
    const Schema schema = schema_of(AnswerKind::class_sequence);
    Evaluation evaluation(schema);
    const std::vector<double> a{0.7, 0.1, 0.1, 0.1}, b{0.1, 0.7, 0.1, 0.1}, end{0.1, 0.1, 0.1, 0.7};
    evaluation.add(truth({0, 1}), said({a, b, end}, {0, 1}));
    evaluation.add(truth({0, 1}), said({a, end}, {0}));    // ends too early
    evaluation.add(truth({0}), said({a, b, end}, {0, 1})); // and too late
    const OrderedJson json = evaluation.to_json();
    EXPECT_NEAR(json["accuracy"].get<double>(), 1.0 / 3, 1e-12);
    EXPECT_NEAR(json["step_accuracy"].get<double>(), (3.0 + 1 + 1) / (3 + 3 + 2), 1e-12);
    EXPECT_FALSE(json.contains("graph_accuracy"));
    // Where both have an output: a a a; b for b; end for b; b for end; end for end.
    EXPECT_EQ(json["confusion"].dump(), "[[3,0,0,0],[0,1,0,1],[0,0,0,0],[0,1,0,1]]");
    EXPECT_EQ(json["classes"][3]["class"], "(end)");
    EXPECT_TRUE(json["classes"][2]["f1"].is_null()) << "a class that never occurs";
    EXPECT_TRUE(json["classes"][2]["roc_auc"].is_null());
}

TEST(Evaluation, NodesAreRanked) {
    const Schema schema = schema_of(AnswerKind::node);
    Evaluation evaluation(schema);
    evaluation.add(truth({1}), said({{0.2, 0.5, 0.3}}, {1}));
    evaluation.add(truth({0}), said({{0.2, 0.5, 0.3}}, {1}));
    const OrderedJson json = evaluation.to_json();
    EXPECT_EQ(json["accuracy"], 0.5);
    EXPECT_NEAR(json["mean_reciprocal_rank"].get<double>(), (1 + 1.0 / 3) / 2, 1e-12);
    EXPECT_NEAR(json["log_loss"].get<double>(), -(std::log(0.5) + std::log(0.2)) / 2, 1e-12);
    EXPECT_NEAR(json["calibration_error"].get<double>(), 0, 1e-12) << "confidence 0.5, half right";
    EXPECT_FALSE(json.contains("confusion"));
}

TEST(Evaluation, NumbersLeaveOutWhatIsMissing) {
    Schema schema = schema_of(AnswerKind::values);
    schema.scales.value = {1, 1};
    schema.scales.value_mean = {2, 10};
    Evaluation evaluation(schema);
    Example e;
    for (const auto& [first, second] : {std::pair(1.0F, NAN), {3.0F, 12.0F}, {NAN, NAN}}) {
        e.values = {first, second};
        evaluation.add(e, said({{2, 11}}, {}));
    }
    const OrderedJson json = evaluation.to_json();
    EXPECT_EQ(json["count"], 3);
    EXPECT_EQ(json["mae"].dump(), "[1.0,1.0]");
    EXPECT_EQ(json["rmse"].dump(), "[1.0,1.0]");
    EXPECT_EQ(json["r2"].dump(), "[0.0,null]") << "the mean explains nothing; one number has no spread";
    EXPECT_EQ(json["mean_predictor_mae"].dump(), "[1.0,2.0]");
    EXPECT_FALSE(json.contains("accuracy"));
    EXPECT_EQ(json["by_question_type"]["q0"]["mae"].dump(), "[1.0,1.0]");
    schema.scales = {};
    Evaluation unscaled(schema);
    unscaled.add(e, said({{2, 11}}, {}));
    EXPECT_EQ(unscaled.to_json()["mean_predictor_mae"].dump(), "[null,null]");
    EXPECT_EQ(unscaled.to_json()["mae"].dump(), "[null,null]");
}

// Every number of the JSON is one, whatever was asked, and for models with real answers.
void expect_numbers(const OrderedJson& json, const std::string& name) {
    if (json.is_number_float()) EXPECT_TRUE(std::isfinite(json.get<double>())) << name;
    if (json.is_structured())
        for (const auto& [key, value] : json.items()) expect_numbers(value, name + "/" + key);
}

TEST(Evaluation, AllFiguresAreNumbersOrNull) {
    for (AnswerKind kind : all_kinds()) {
        const Model model = random_model(schema_of(kind, 2), 3);
        Random random(12);
        for (int count : {0, 1, 2, 50}) {
            const Dataset data = random_data(random, model.schema, count);
            const auto predictions = predict(model, data);
            Evaluation evaluation(model.schema);
            for (std::size_t i = 0; i < predictions.size(); ++i)
                evaluation.add(data.examples[i], predictions[i]);
            const OrderedJson json = evaluation.to_json();
            expect_numbers(json, name_of(kind));
            EXPECT_EQ(json.contains("accuracy"), !is_regression(kind));
            EXPECT_EQ(json.contains("confusion"), has_classes(kind));
            if (count == 50 && has_classes(kind)) {
                EXPECT_TRUE(json["macro"]["roc_auc"].is_number());
            }
        }
    }
}

} // namespace
} // namespace ggsnn
