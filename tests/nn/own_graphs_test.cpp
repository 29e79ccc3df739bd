// Graphs as people have them: edges with weights and numbers, nodes with types and wide features, means in
// place of sums. Answers follow the equations, model files hold all of it, and explanations add up.
#include "ggsnn/nn/explain.hpp"
#include "plain.hpp"

#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using namespace test;

struct OwnCase {
    AnswerKind kind;
    Variant variant;
    int state;
    bool embedding, residual, mean;
    bool reset_after, by_step, linear;
    int reach;
    int pairs;
};

std::vector<OwnCase> own_cases() {
    std::vector<OwnCase> all;
    int i = 0;
    for (AnswerKind kind : all_kinds())
        for (Variant variant : {Variant::paper, Variant::authors})
            for (int state : {12, 20})
                for (bool embedding : {false, true}) {
                    all.push_back({kind, variant, state, embedding, i % 2 == 0, i % 3 == 0, i % 4 < 2,
                                   i % 5 < 2, is_each_node(kind) && i % 4 == 1, i % 7 < 3 ? 3 : 0,
                                   !head_of(kind).traits.node_rows && i % 3 < 2 ? 5 : 0});
                    ++i;
                }
    return all;
}

class OwnGraphs : public testing::TestWithParam<OwnCase> {
  protected:
    Model model(int members = 1) const {
        const OwnCase& c = GetParam();
        Schema schema = own_schema(c.kind);
        return random_model(schema, 5, c.variant, members, c.state, Directions::apart,
                            [&](GatedShape& shape) {
                                shape.residual = c.residual;
                                shape.mean = c.mean;
                                shape.reset_after = c.reset_after;
                                shape.sets = c.by_step ? shape.steps : 1;
                                shape.linear = c.linear;
                                shape.reach = c.reach;
                                shape.pairs = c.pairs;
                                shape.edge_types += shape.reading().added_types();
                                if (!c.embedding) return;
                                shape.inputs = schema.inputs();
                                shape.embedding = 3;
                                shape.annotation = schema.annotation(3);
                            });
    }
    std::vector<Draft> drafts(const Schema& schema, int count) const {
        Random random(17);
        std::vector<Draft> list;
        for (int i = 0; i < count; ++i) {
            list.push_back(random_draft(random, schema));
            if (i % 3 != 0) weigh(random, list.back());
        }
        return list;
    }
};

INSTANTIATE_TEST_SUITE_P(All, OwnGraphs, testing::ValuesIn(own_cases()), [](const auto& instance) {
    const OwnCase& c = instance.param;
    return std::string(name_of(c.kind)) + (c.variant == Variant::paper ? "_paper" : "_authors") +
           std::to_string(c.state) + (c.embedding ? "_embedding" : "") + (c.residual ? "_residual" : "") +
           (c.mean ? "_mean" : "") + (c.reset_after ? "_after" : "") + (c.by_step ? "_by_step" : "") +
           (c.linear ? "_linear" : "") + (c.reach > 0 ? "_reach" : "") + (c.pairs > 0 ? "_pairs" : "");
});

// With the edges that a reach adds, found by the plainest way: shorter ways until there are none.
Draft reaching(Draft draft, int reach, int types) {
    if (reach < 2) return draft;
    const std::size_t nodes = static_cast<std::size_t>(draft.nodes);
    std::vector<std::vector<int>> apart(nodes, std::vector<int>(nodes, 1000));
    for (std::size_t v = 0; v < nodes; ++v) apart[v][v] = 0;
    for (const Edge& e : draft.edges)
        if (e.source != e.target) apart[e.source][e.target] = apart[e.target][e.source] = 1;
    for (std::size_t by = 0; by < nodes; ++by)
        for (std::size_t u = 0; u < nodes; ++u)
            for (std::size_t v = 0; v < nodes; ++v)
                apart[u][v] = std::min(apart[u][v], apart[u][by] + apart[by][v]);
    const std::size_t width = draft.edges.empty() ? 0 : draft.edge_numbers.size() / draft.edges.size();
    for (std::size_t u = 0; u < nodes; ++u)
        for (std::size_t v = 0; v < nodes; ++v) {
            if (apart[u][v] < 2 || apart[u][v] > reach) continue;
            draft.edges.push_back({static_cast<int>(u), types + apart[u][v] - 2, static_cast<int>(v)});
            if (!draft.weights.empty()) draft.weights.push_back(1);
            draft.edge_numbers.insert(draft.edge_numbers.end(), width, 0);
        }
    return draft;
}

TEST_P(OwnGraphs, AnswersFollowTheEquations) {
    const Model model = this->model(2);
    const auto drafts = this->drafts(model.schema, 20);
    const auto predictions = predict(model, data_of(model.schema, drafts));
    for (std::size_t i = 0; i < drafts.size(); ++i) {
        const auto& lists = predictions[i].lists;
        const int steps = is_sequence(GetParam().kind) ? static_cast<int>(lists.size()) : 1;
        const auto expected =
            plain_lists(model, reaching(drafts[i], GetParam().reach, model.schema.edge_types.size()), steps);
        ASSERT_EQ(lists.size(), expected.size()) << i;
        for (std::size_t k = 0; k < lists.size(); ++k)
            for (std::size_t j = 0; j < lists[k].size(); ++j)
                ASSERT_NEAR(lists[k][j], expected[k][j], 2e-4 * (1 + std::abs(expected[k][j])))
                    << "question " << i << ", list " << k;
    }
}

TEST_P(OwnGraphs, SparseFeaturesAreTheSameFeatures) {
    const Model model = this->model();
    Dataset data = data_of(model.schema, drafts(model.schema, 10));
    const auto dense = predict(model, data);
    // Most, so that dense and sparse ones share chunks.
    for (std::size_t g = 0; g < data.graphs.size(); ++g) {
        GraphRecord& record = data.graphs[g];
        if (g % 4 == 1) continue;
        auto sparse = std::make_shared<SparseRows>();
        for (int v = 0; v < record.graph.nodes(); ++v) {
            for (int j = 0; j < model.schema.features; ++j)
                sparse->add(j, record.features[static_cast<std::size_t>(v) * model.schema.features + j]);
            sparse->end_row();
        }
        record.features.clear();
        record.sparse = sparse;
    }
    const auto found = predict(model, data);
    for (std::size_t i = 0; i < dense.size(); ++i) {
        ASSERT_EQ(found[i].lists.size(), dense[i].lists.size());
        for (std::size_t k = 0; k < dense[i].lists.size(); ++k)
            for (std::size_t j = 0; j < dense[i].lists[k].size(); ++j)
                ASSERT_NEAR(found[i].lists[k][j], dense[i].lists[k][j], 1e-4);
    }
}

TEST_P(OwnGraphs, ModelFilesHoldAllOfIt) {
    const Model model = this->model(2);
    const Model again = decode_model(encode_model(model), "memory");
    EXPECT_EQ(gated_shape(*again.network), gated_shape(*model.network));
    EXPECT_EQ(again.schema.tags.names(), model.schema.tags.names());
    EXPECT_EQ(again.schema.edge_features, model.schema.edge_features);
    EXPECT_EQ(again.networks, model.networks);
}

TEST_P(OwnGraphs, SharesAddUpToTheChangeOfTheScore) {
    const Model model = this->model(2);
    const Dataset data = data_of(model.schema, drafts(model.schema, 8));
    const auto answers = predict(model, data);
    const AnswerKind kind = model.schema.answer;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        ExplainOptions options;
        options.points = 96;
        options.node = is_each_node(kind) ? data.graphs[i].graph.nodes() - 1 : -1;
        options.output = is_regression(kind) ? 1 : 0;
        const Explanation why = explain(model, data, data.examples[i], answers[i], options);
        const double change = why.score - why.baseline;
        ASSERT_NEAR(why.explained(), change, 1e-4 * (1 + std::abs(change))) << i;
        double nodes = 0, types = 0;
        for (double share : why.nodes) nodes += share;
        for (double share : why.edge_types) types += share;
        ASSERT_NEAR(nodes + types + why.reach, why.explained(), 1e-9);
        ASSERT_EQ(why.edges.size(), static_cast<std::size_t>(data.graphs[i].graph.edges()));
        ASSERT_EQ(why.attention.empty(), head_of(kind).traits.node_rows);
        if (is_regression(kind)) {
            ASSERT_NEAR(why.score, answers[i].lists[is_each_node(kind) ? options.node : 0][1], 1e-4);
        }
    }
}

// What a node cannot hear of has no share in what is said of it.
TEST(Explanations, WhatIsNotHeardDoesNotMatter) {
    const Model model = random_model(schema_of(AnswerKind::node_classes), 3);
    Draft draft;
    draft.nodes = 4;
    draft.edges = {{0, 0, 1}, {2, 1, 3}};
    draft.features = {1, 2, 3, 4, 5, 6, 7, 8};
    draft.example.labels = {0, 0, 0, 0};
    const Dataset data = data_of(model.schema, {draft});
    ExplainOptions options;
    options.node = 0;
    const Explanation why = explain(model, data, data.examples[0], predict(model, data)[0], options);
    ASSERT_EQ(why.edges.size(), 2u);
    EXPECT_NE(why.edges[0].share, 0);
    EXPECT_EQ(why.edges[1].share, 0);
    EXPECT_NE(why.nodes[0], 0);
    EXPECT_NE(why.nodes[1], 0);
    EXPECT_EQ(why.nodes[2], 0);
    EXPECT_EQ(why.nodes[3], 0);
}

// Members of an ensemble are explained together, also where nothing is known of nodes; and features are told
// in the units of the data.
TEST(Explanations, OfEnsemblesAndInTheUnitsOfTheData) {
    Schema bare = schema_of(AnswerKind::klass);
    bare.features = bare.arguments = 0;
    const Model model = random_model(bare, 3, Variant::authors, 3);
    Dataset data;
    data.schema = bare;
    data.graphs.push_back({Graph(3, std::vector<Edge>{{0, 0, 1}, {1, 1, 2}}), {}, {}});
    data.examples.emplace_back();
    data.examples[0].labels = {0};
    const Explanation why = explain(model, data, data.examples[0], predict(model, data)[0], {});
    ASSERT_EQ(why.edges.size(), 2u);
    EXPECT_NEAR(why.edge_types[0], why.edges[0].share, 1e-12);
    EXPECT_NEAR(why.explained(), why.score - why.baseline, 1e-4);

    Model scaled = random_model(schema_of(AnswerKind::klass), 3);
    scaled.schema.scales.feature = {0.5, 0.25};
    Draft draft;
    draft.nodes = 1;
    draft.features = {2, 4};
    draft.example.labels = {0};
    const Dataset one = data_of(scaled.schema, {draft});
    const Explanation told = explain(scaled, one, one.examples[0], predict(scaled, one)[0], {});
    ASSERT_EQ(told.inputs.size(), 2u);
    EXPECT_EQ(told.inputs[0].value, 2);
    EXPECT_EQ(told.inputs[1].value, 4);
}

// Observed annotations, which the network rounds between its outputs, are known like the first ones.
TEST(Explanations, OfObservedAnnotationsAddUp) {
    for (AnswerKind kind : {AnswerKind::node_sequence, AnswerKind::class_sequence}) {
        Schema schema = schema_of(kind);
        schema.observed = true;
        const Model model = random_model(schema, 4, Variant::authors, 2, 9, Directions::apart,
                                         [](GatedShape& shape) { shape.observed = true; });
        Random random(8);
        std::vector<Draft> drafts;
        for (int i = 0; i < 6; ++i) drafts.push_back(random_draft(random, schema));
        const Dataset data = data_of(schema, drafts);
        const auto answers = predict(model, data);
        int later = 0;
        for (std::size_t i = 0; i < answers.size(); ++i) {
            ExplainOptions options;
            options.points = 96;
            const Explanation why = explain(model, data, data.examples[i], answers[i], options);
            const double change = why.score - why.baseline;
            ASSERT_NEAR(why.explained(), change, 1e-4 * (1 + std::abs(change))) << i;
            // The score is of the answer that the network gives by itself.
            double score = 0;
            for (std::size_t k = 0; k < answers[i].lists.size(); ++k) {
                const std::size_t last = answers[i].lists[k].size() - 1;
                const bool end = k >= answers[i].labels.size();
                score += std::log(answers[i].lists[k][end ? last : answers[i].labels[k]]);
            }
            if (answers[i].lists.size() == answers[i].labels.size() + 1) {
                EXPECT_LE(why.score, score + 1e-3) << "the mean of logarithms, members being two";
            }
            for (const auto& input : why.inputs) later += input.step > 0 ? 1 : 0;
        }
        EXPECT_GT(later, 0);
    }
}

TEST(Explanations, AreRefusedWhereTheyMeanNothing) {
    const Model model = random_model(schema_of(AnswerKind::node_classes), 3);
    Random random(1);
    const Dataset data = random_data(random, model.schema, 1);
    const auto answers = predict(model, data);
    EXPECT_THROW(explain(model, data, data.examples[0], answers[0], {}), UsageError) << "which node?";
}

TEST(OwnGraphs, NumbersOfEdgesMustBeThoseOfTheModel) {
    const Model model = random_model(own_schema(AnswerKind::klass), 3, Variant::authors, 1, 12);
    Dataset data = data_of(schema_of(AnswerKind::klass), {});
    data.graphs.push_back({Graph(2, std::vector<Edge>{{0, 0, 1}}), {1, 2, 3, 4}, {}});
    Example e;
    e.arguments = {0, 1};
    data.examples.push_back(e);
    EXPECT_THROW(predict(model, data), Error);
}

// Parts of the data: answers of others are missing, and an example without any is left out.
TEST(Parts, KeepTheirOwnAnswers) {
    Example e;
    e.labels = {0, 1, 2, -1};
    e.split = {Part::train, Part::valid, Part::train, Part::test};
    EXPECT_EQ(part_of(e, Part::train)->labels, (std::vector<int>{0, -1, 2, -1}));
    EXPECT_EQ(part_of(e, Part::valid)->labels, (std::vector<int>{-1, 1, -1, -1}));
    EXPECT_FALSE(part_of(e, Part::test)) << "its label is missing";
    e.split = {Part::valid};
    EXPECT_FALSE(part_of(e, Part::train));
    EXPECT_EQ(part_of(e, Part::valid)->labels, e.labels);
    e.split = {};
    EXPECT_EQ(part_of(e, Part::test)->labels, e.labels);
    Example numbers;
    numbers.values = {1, 2, 3, 4};
    numbers.split = {Part::train, Part::test};
    const auto train = part_of(numbers, Part::train);
    EXPECT_EQ(train->values[1], 2);
    EXPECT_TRUE(std::isnan(train->values[2]) && std::isnan(train->values[3]));
}

// Dropout leaves out what its key says, whoever asks; and what remains makes up for the rest on average.
TEST(Dropout, KeepsTheMean) {
    const Drop drop(0.3);
    double sum = 0;
    for (std::uint64_t i = 0; i < 100000; ++i)
        sum += double(drop.of(mixed(7, i / 4), static_cast<int>(i % 4)));
    EXPECT_NEAR(sum / 100000, 1, 0.01);
}

} // namespace
} // namespace ggsnn
