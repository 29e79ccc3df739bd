// How many parameters networks have, and that loss and gradient of a minibatch depend neither on threads nor,
// but for rounding, on how it is cut.
#include "ggsnn/nn/ggnn/passes.hpp"
#include "models.hpp"

#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using namespace test;

GatedShape task_4_shape(AnswerKind answer, Variant variant) {
    GatedShape shape;
    shape.variant = variant;
    shape.answer = answer;
    shape.state = 4;
    shape.annotation = 1;
    shape.edge_types = 2;
    shape.steps = 5;
    return shape;
}

TEST(ParameterCount, OfThePapersModelForTask4Is271) {
    EXPECT_EQ(Network<float>(task_4_shape(AnswerKind::node, Variant::authors)).layout().count(), 271u);
    // A score for each node without the gate of the authors' node selection.
    EXPECT_EQ(Network<float>(task_4_shape(AnswerKind::node_classes, Variant::authors)).layout().count(),
              265u);
    // The equations as printed: one bias b of 2D instead of one for each of 4 slots, none in the gates, no
    // gate.
    EXPECT_EQ(Network<float>(task_4_shape(AnswerKind::node, Variant::paper)).layout().count(),
              271u - 6 - 16 + 8 - 12);
}

TEST(ParameterCount, OfAModelIsThatOfAllItsNetworks) {
    const Model model = random_model(schema_of(AnswerKind::klass, 3), 1, Variant::authors, 2);
    EXPECT_EQ(model.parameter_count(), 6 * model.network->layout().count());
}

struct Result {
    Outcome outcome;
    std::vector<float> gradient;
};

Result run(const Model& model, const Dataset& data, ThreadPool* pool, Keep keep = Keep::gates,
           int* chunks = nullptr) {
    const Network<float> network(gated_shape(*model.network));
    Learner<float> engine = gated_learner(network, model.schema, pool, keep);
    engine.load(data, examples_of(data), true);
    if (chunks != nullptr) *chunks = engine.batches();
    Result result;
    result.gradient.resize(network.layout().size());
    result.outcome = engine.evaluate(model.networks[0][0].data(), result.gradient.data());
    const Outcome again = engine.evaluate(model.networks[0][0].data());
    EXPECT_EQ(again.loss, result.outcome.loss);
    EXPECT_EQ(again.solved, result.outcome.solved);
    return result;
}

class Engines : public ::testing::TestWithParam<AnswerKind> {};
INSTANTIATE_TEST_SUITE_P(All, Engines, ::testing::ValuesIn(all_kinds()),
                         [](const auto& instance) { return std::string(name_of(instance.param)); });

TEST_P(Engines, GiveTheSameBitsAtAnyNumberOfThreads) {
    const Model model = random_model(schema_of(GetParam()), 2);
    Random random(12);
    Dataset data = random_data(random, model.schema, 400, 12);
    int chunks = 0;
    const Result expected = run(model, data, nullptr, Keep::gates, &chunks);
    ASSERT_GT(chunks, 8) << "more chunks than lanes";
    ASSERT_TRUE(std::isfinite(expected.outcome.loss));
    ASSERT_GT(expected.outcome.targets, 0);
    for (int threads : {1, 2, 3, 5}) {
        ThreadPool pool(threads);
        const Result found = run(model, data, &pool);
        EXPECT_EQ(found.outcome.loss, expected.outcome.loss);
        EXPECT_EQ(found.outcome.correct, expected.outcome.correct);
        EXPECT_EQ(found.gradient, expected.gradient) << threads << " threads";
    }
}

TEST_P(Engines, GiveTheAverageOfSingleExamples) {
    const Model model = random_model(schema_of(GetParam()), 2);
    Random random(13);
    const Dataset data = random_data(random, model.schema, 120, 12);
    const Result whole = run(model, data, nullptr);
    double loss = 0;
    long targets = 0, correct = 0, solved = 0;
    std::vector<double> gradient(whole.gradient.size(), 0);
    for (const Example& e : data.examples) {
        Dataset one;
        one.schema = data.schema;
        one.graphs = {data.graphs[e.graph]};
        one.examples = {e};
        one.examples[0].graph = 0;
        const Result part = run(model, one, nullptr);
        const double weight = static_cast<double>(part.outcome.targets);
        loss += part.outcome.loss * weight;
        targets += part.outcome.targets;
        correct += part.outcome.correct;
        solved += part.outcome.solved;
        for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += part.gradient[i] * weight;
    }
    ASSERT_GT(targets, 0);
    EXPECT_EQ(whole.outcome.targets, targets);
    EXPECT_EQ(whole.outcome.correct, correct);
    EXPECT_EQ(whole.outcome.solved, solved);
    EXPECT_EQ(whole.outcome.answers, 120);
    EXPECT_NEAR(whole.outcome.loss, loss / static_cast<double>(targets),
                1e-6 * (1 + std::abs(whole.outcome.loss)));
    for (std::size_t i = 0; i < gradient.size(); ++i)
        ASSERT_NEAR(whole.gradient[i], gradient[i] / static_cast<double>(targets), 1e-5) << i;
}

void train_large_graphs(const Model& model) {
    Random random(14);
    Dataset data = random_data(random, model.schema, 30);
    for (int i = 0; i < 2; ++i) {
        Draft draft = random_draft(random, model.schema);
        draft.nodes = large_rows + 300 * (i + 1);
        draft.edges = random_edges(random, draft.nodes, 3, 3 * draft.nodes);
        draft.features.assign(static_cast<std::size_t>(draft.nodes) * 2, 0.25f);
        add(data, draft);
    }
    const Result expected = run(model, data, nullptr);
    for (int threads : {2, 3}) {
        ThreadPool pool(threads);
        for (Keep keep : {Keep::gates, Keep::states}) {
            const Result found = run(model, data, &pool, keep);
            EXPECT_EQ(found.outcome.loss, expected.outcome.loss);
            EXPECT_EQ(found.gradient, expected.gradient);
        }
    }
}

TEST(LargeGraphs, TrainToTheSameBitsAtAnyNumberOfThreads) {
    const auto train = [](AnswerKind kind, Variant variant, int state) {
        SCOPED_TRACE(name_of(kind));
        train_large_graphs(random_model(schema_of(kind), 2, variant, 1, state));
    };
    train(AnswerKind::node, Variant::authors, 7);
    // First steps of their own (first_step.hpp).
    train(AnswerKind::node, Variant::authors, 20);
    train(AnswerKind::klass, Variant::paper, 20);
    train(AnswerKind::node_sequence, Variant::authors, 20);
}

TEST(Chunks, AreAsManyForEachLane) {
    const auto rows_of = [](long rows) { return chunk_rows(100, rows); };
    EXPECT_EQ(rows_of(63), 63);
    EXPECT_EQ(rows_of(64), 32);
    const int limit = chunk_rows(100);
    for (long rows = 2 * limit + 1; rows < 300L * limit; rows += 37) {
        const int found = rows_of(rows);
        bool even = false;
        for (long chunks = 4; chunks <= rows / limit + 16; chunks += chunks < 16 ? 4 : 8)
            even = even || found == (rows + chunks - 1) / chunks;
        ASSERT_TRUE(even) << found << " of " << rows;
        ASSERT_LE(8 * found, 9 * limit + 8) << rows;
        ASSERT_GE(2 * found, limit) << rows;
    }
}

} // namespace
} // namespace ggsnn
