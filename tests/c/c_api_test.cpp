// The C interface gives the numbers of Predictor, and refuses everything else with words: every pointer,
// count, index and number that comes in.
#include "ggsnn/c/ggsnn.h"

#include "folder.hpp"
#include "ggsnn/nn/train/trainer.hpp"
#include "nn/models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>
#include <functional>
#include <memory>
#include <thread>

namespace ggsnn {
namespace {

using namespace test;
using ::testing::HasSubstr;

struct FreeModel {
    void operator()(ggsnn_model* model) const { ggsnn_free(model); }
};
struct FreeAnswer {
    void operator()(ggsnn_answer* answer) const { ggsnn_answer_free(answer); }
};
using ModelHandle = std::unique_ptr<ggsnn_model, FreeModel>;
using AnswerHandle = std::unique_ptr<ggsnn_answer, FreeAnswer>;

ModelHandle handle_of(const Model& model) {
    const std::string bytes = encode_model(model);
    return ModelHandle(ggsnn_load_bytes(bytes.data(), bytes.size()));
}

// A draft as C passes it.
class Input {
  public:
    explicit Input(const Draft& draft) : features(draft.features), arguments(draft.example.arguments) {
        for (const Edge& e : draft.edges) edges.insert(edges.end(), {e.source, e.type, e.target});
        c.nodes = draft.nodes;
        c.edges = static_cast<int>(draft.edges.size());
        c.question = draft.example.question;
        c.arguments = static_cast<int>(arguments.size());
        c.edge_list = edges.data();
        c.features = features.data();
        c.argument_list = arguments.data();
    }
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;

    std::vector<int> edges;
    std::vector<float> features;
    std::vector<int> arguments;
    ggsnn_input c = {};
};

std::vector<double> list_of(const ggsnn_answer* answer, int list) {
    const double* values = nullptr;
    const int count = ggsnn_list(answer, list, &values);
    return {values, values + count};
}

std::vector<int> labels_of(const ggsnn_answer* answer) {
    const int* labels = nullptr;
    const int count = ggsnn_labels(answer, &labels);
    return {labels, labels + count};
}

TEST(CInterface, AnswersAsPredictorDoes) {
    for (const AnswerKind kind : all_kinds()) {
        const Schema schema = schema_of(kind, 2);
        const Model model = random_model(schema, 11, Variant::authors, 2);
        const ModelHandle handle = handle_of(model);
        ASSERT_NE(handle, nullptr) << ggsnn_last_error();
        Random random(3);
        for (int i = 0; i < 20; ++i) {
            const Draft draft = random_draft(random, schema);
            const Prediction expected = predict(model, data_of(schema, {draft}))[0];
            const Input input(draft);
            const AnswerHandle answer(ggsnn_predict(handle.get(), &input.c));
            ASSERT_NE(answer, nullptr) << ggsnn_last_error();
            EXPECT_EQ(labels_of(answer.get()), expected.labels);
            ASSERT_EQ(ggsnn_lists(answer.get()), static_cast<int>(expected.lists.size()));
            for (std::size_t l = 0; l < expected.lists.size(); ++l)
                EXPECT_EQ(list_of(answer.get(), static_cast<int>(l)), expected.lists[l]);
            EXPECT_EQ(ggsnn_ended(answer.get()), expected.capped ? 0 : 1);
        }
    }
}

TEST(CInterface, LoadsTheSameFromAFile) {
    const Schema schema = schema_of(AnswerKind::klass);
    const testing::Folder folder;
    save_model(random_model(schema, 2), folder / "model");
    const ModelHandle file(ggsnn_load((folder / "model").c_str())),
        bytes = handle_of(random_model(schema, 2));
    ASSERT_NE(file, nullptr) << ggsnn_last_error();
    Random random(1);
    const Draft draft = random_draft(random, schema);
    const Input input(draft);
    const AnswerHandle one(ggsnn_predict(file.get(), &input.c)), two(ggsnn_predict(bytes.get(), &input.c));
    EXPECT_EQ(list_of(one.get(), 0), list_of(two.get(), 0));
}

TEST(CInterface, SaysWhatAModelIs) {
    const std::vector<std::pair<AnswerKind, ggsnn_kind>> kinds = {
        {AnswerKind::node, GGSNN_NODE},
        {AnswerKind::klass, GGSNN_CLASS},
        {AnswerKind::values, GGSNN_NUMBERS},
        {AnswerKind::node_classes, GGSNN_NODE_CLASSES},
        {AnswerKind::node_values, GGSNN_NODE_NUMBERS},
        {AnswerKind::node_sequence, GGSNN_NODE_SEQUENCE},
        {AnswerKind::class_sequence, GGSNN_CLASS_SEQUENCE}};
    for (const auto& [kind, c_kind] : kinds)
        EXPECT_EQ(ggsnn_answer_kind(handle_of(random_model(schema_of(kind), 1)).get()), c_kind);
    Schema schema = schema_of(AnswerKind::values, 4);
    schema.features = 5;
    const ModelHandle numbers = handle_of(random_model(schema, 1)),
                      classes = handle_of(random_model(schema_of(AnswerKind::klass), 1));
    EXPECT_EQ(ggsnn_count(numbers.get(), GGSNN_EDGE_TYPES), 3);
    EXPECT_EQ(ggsnn_count(numbers.get(), GGSNN_QUESTION_TYPES), 4);
    EXPECT_EQ(ggsnn_count(numbers.get(), GGSNN_CLASSES), 0);
    EXPECT_EQ(ggsnn_count(numbers.get(), GGSNN_FEATURES), 5);
    EXPECT_EQ(ggsnn_count(numbers.get(), GGSNN_ARGUMENTS), 2);
    EXPECT_EQ(ggsnn_count(numbers.get(), GGSNN_OUTPUTS), 2);
    EXPECT_EQ(ggsnn_count(classes.get(), GGSNN_OUTPUTS), 0);
    EXPECT_STREQ(ggsnn_name(numbers.get(), GGSNN_EDGE_TYPES, 2), "t");
    EXPECT_STREQ(ggsnn_name(numbers.get(), GGSNN_QUESTION_TYPES, 3), "q3");
    EXPECT_STREQ(ggsnn_name(classes.get(), GGSNN_CLASSES, 0), "a");
    EXPECT_EQ(ggsnn_find(numbers.get(), GGSNN_EDGE_TYPES, "s"), 1);
}

// A model with everything, and a question of it that is answered.
class CErrors : public ::testing::Test {
  protected:
    CErrors() {
        draft_.nodes = 3;
        draft_.edges = {{0, 0, 1}, {1, 2, 2}};
        draft_.features = {0, 1, 2, 3, 4, 5};
        draft_.example.arguments = {2, 0};
    }
    std::string refusal(const ggsnn_input* input) const {
        const AnswerHandle answer(ggsnn_predict(model_.get(), input));
        return answer != nullptr ? "answered" : ggsnn_last_error();
    }
    std::string refusal(const std::function<void(Input&)>& change) const {
        Input input(draft_);
        change(input);
        return refusal(&input.c);
    }
    Draft draft_;
    ModelHandle model_ = handle_of(random_model(schema_of(AnswerKind::node, 2), 7));
};

TEST_F(CErrors, NameWhatWasFoundAndExpected) {
    ASSERT_EQ(refusal([](Input&) {}), "answered");
    const std::vector<std::pair<std::function<void(Input&)>, std::string>> cases = {
        {[](Input& i) { i.c.nodes = 0; }, "nodes is 0; expected 1 to"},
        {[](Input& i) { i.c.nodes = INT_MAX; }, "nodes is 2147483647; expected 1 to"},
        {[](Input& i) { i.c.edges = -1; }, "edges is -1; expected 0 to"},
        {[](Input& i) { i.c.edges = INT_MAX; }, "edges is 2147483647; expected 0 to"},
        {[](Input& i) { i.c.edge_list = nullptr; }, "edge_list is NULL"},
        {[](Input& i) { i.c.features = nullptr; }, "features is NULL"},
        {[](Input& i) { i.c.argument_list = nullptr; }, "argument_list is NULL"},
        {[](Input& i) { i.c.arguments = 3; }, "arguments is 3; expected 0 to 2"},
        {[](Input& i) { i.c.arguments = -1; }, "arguments is -1; expected 0 to 2"},
        {[](Input& i) { i.c.question = 2; }, "question is 2; expected 0 to 1"},
        {[](Input& i) { i.edges[3] = 3; }, "edge 1: source is 3; there are 3, numbered from 0"},
        {[](Input& i) { i.edges[1] = -1; }, "edge 0: type is -1; there are 3, numbered from 0"},
        {[](Input& i) { i.edges[5] = 9; }, "edge 1: target is 9; there are 3, numbered from 0"},
        {[](Input& i) { i.arguments[1] = 3; }, "argument 1 is 3; there are 3 nodes, numbered from 0"},
        {[](Input& i) { i.features[3] = NAN; }, "feature 1 of node 1 is nan; expected a finite number"},
        {[](Input& i) { i.features[4] = -INFINITY; },
         "feature 0 of node 2 is -inf; expected a finite number"},
    };
    for (const auto& [change, expected] : cases) EXPECT_THAT(refusal(change), HasSubstr(expected));
    EXPECT_EQ(refusal(nullptr), "input is NULL");
}

TEST_F(CErrors, EveryIndexIsChecked) {
    for (const int bad : {INT_MIN, -1, 3, INT_MAX}) {
        for (std::size_t i = 0; i < 6; ++i)
            EXPECT_THAT(refusal([&](Input& input) { input.edges[i] = bad; }), HasSubstr("edge ")) << i;
        for (std::size_t i = 0; i < 2; ++i)
            EXPECT_THAT(refusal([&](Input& input) { input.arguments[i] = bad; }), HasSubstr("argument "));
        EXPECT_THAT(refusal([&](Input& input) { input.c.question = bad; }), HasSubstr("question is"));
    }
}

TEST_F(CErrors, OfQueries) {
    const ggsnn_model* const none = nullptr;
    const Input input(draft_);
    const auto expect = [](auto result, auto bad, const char* text) {
        EXPECT_EQ(result, bad);
        EXPECT_THAT(ggsnn_last_error(), HasSubstr(text));
    };
    const char* const no_name = nullptr;
    expect(ggsnn_answer_kind(none), -1, "model is NULL");
    expect(ggsnn_count(none, GGSNN_FEATURES), -1, "model is NULL");
    expect(ggsnn_count(model_.get(), 6), -1, "part is 6; expected 0 to 5");
    expect(ggsnn_count(model_.get(), -1), -1, "part is -1");
    expect(ggsnn_name(none, GGSNN_EDGE_TYPES, 0), no_name, "model is NULL");
    expect(ggsnn_name(model_.get(), GGSNN_FEATURES, 0), no_name, "part 3 has no names");
    expect(ggsnn_name(model_.get(), GGSNN_EDGE_TYPES, 3), no_name, "number is 3; expected 0 to 2");
    expect(ggsnn_name(model_.get(), GGSNN_EDGE_TYPES, -1), no_name, "number is -1; expected 0 to 2");
    expect(ggsnn_name(model_.get(), GGSNN_CLASSES, 0), no_name, "number is 0; the model has none");
    expect(ggsnn_find(none, GGSNN_EDGE_TYPES, "r"), -1, "model is NULL");
    expect(ggsnn_find(model_.get(), GGSNN_EDGE_TYPES, nullptr), -1, "name is NULL");
    expect(ggsnn_find(model_.get(), GGSNN_EDGE_TYPES, "u"), -1, "\"u\" is unknown to the model");
    expect(ggsnn_predict(none, &input.c) == nullptr, true, "model is NULL");
    expect(ggsnn_labels(nullptr, nullptr), -1, "answer is NULL");
    expect(ggsnn_lists(nullptr), -1, "answer is NULL");
    expect(ggsnn_list(nullptr, 0, nullptr), -1, "answer is NULL");
    expect(ggsnn_ended(nullptr), -1, "answer is NULL");
    ggsnn_free(nullptr);
    ggsnn_answer_free(nullptr);
    const AnswerHandle answer(ggsnn_predict(model_.get(), &input.c));
    expect(ggsnn_list(answer.get(), -1, nullptr), -1, "list is -1; expected 0 to 0");
    expect(ggsnn_list(answer.get(), 1, nullptr), -1, "list is 1; expected 0 to 0");
    EXPECT_EQ(ggsnn_list(answer.get(), 0, nullptr), 3);
    EXPECT_EQ(ggsnn_labels(answer.get(), nullptr), 1);
}

TEST_F(CErrors, OfLoading) {
    const auto expect = [](ggsnn_model* found, const char* text) {
        EXPECT_EQ(found, nullptr);
        EXPECT_THAT(ggsnn_last_error(), HasSubstr(text));
    };
    const testing::Folder folder;
    folder.put("text", "this is not a model");
    expect(ggsnn_load(nullptr), "path is NULL");
    expect(ggsnn_load((folder / "absent").c_str()), "absent");
    expect(ggsnn_load((folder / "text").c_str()), "not a model file");
    expect(ggsnn_load(folder.path().c_str()), folder.path().c_str());
    expect(ggsnn_load_bytes(nullptr, 10), "bytes is NULL");
    const std::string bytes = encode_model(random_model(schema_of(AnswerKind::node), 7));
    for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 97)
        expect(ggsnn_load_bytes(bytes.data(), size), "model in memory: ");

    Dataset questions;
    questions.schema.answer = AnswerKind::klass;
    questions.schema.classes = Vocabulary({"yes", "no"});
    questions.schema.edge_types = Vocabulary({"r"});
    questions.schema.question_types = Vocabulary({"q"});
    questions.schema.entities = Vocabulary({"ann"});
    questions.graphs.emplace_back(GraphRecord{Graph(1, {}), {}, {}});
    questions.examples.emplace_back();
    questions.examples[0].labels = {1};
    questions.examples[0].tokens = {2, 1};
    TrainOptions options;
    options.kind = "lstm";
    options.network = {{"state", 2}};
    options.updates = 1;
    ThreadPool pool(1);
    const std::string tokens = encode_model(train(questions, {}, options, pool));
    expect(ggsnn_load_bytes(tokens.data(), tokens.size()),
           "a recurrent network, which reads tokens; expected one");
}

TEST_F(CErrors, FeaturesWhereTheModelHasNone) {
    Schema schema = schema_of(AnswerKind::node);
    schema.features = 0;
    const ModelHandle model = handle_of(random_model(schema, 7));
    Input input(draft_);
    EXPECT_EQ(ggsnn_predict(model.get(), &input.c), nullptr);
    EXPECT_THAT(ggsnn_last_error(), HasSubstr("features are given; the model has none"));
    input.c.features = nullptr;
    EXPECT_NE(AnswerHandle(ggsnn_predict(model.get(), &input.c)), nullptr) << ggsnn_last_error();
}

TEST_F(CErrors, AreEachThreadsOwn) {
    refusal(nullptr);
    std::string elsewhere = "not set";
    std::thread([&] { elsewhere = ggsnn_last_error(); }).join();
    EXPECT_EQ(elsewhere, "");
    EXPECT_STREQ(ggsnn_last_error(), "input is NULL");
}

TEST_F(CErrors, AModelIsSharedByThreads) {
    const Input input(draft_);
    const AnswerHandle first(ggsnn_predict(model_.get(), &input.c));
    const std::vector<double> expected = list_of(first.get(), 0);
    std::vector<std::thread> threads;
    std::vector<int> same(4, 0);
    for (int& count : same)
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) {
                const AnswerHandle answer(ggsnn_predict(model_.get(), &input.c));
                count += list_of(answer.get(), 0) == expected ? 1 : 0;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(same, std::vector<int>(4, 50));
}

} // namespace
} // namespace ggsnn
