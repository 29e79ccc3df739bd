// Networks that learn steps: 'the first in order' against all ways to draw, every gradient against central
// finite differences in double precision, runs that compute only what changed against whole steps, the same
// bits at any number of threads, and what is refused.
#include "differences.hpp"
#include "ggsnn/base/random.hpp"
#include "ggsnn/nn/predict.hpp"
#include "ggsnn/nn/stepper/kind.hpp"
#include "ggsnn/nn/stepper/run.hpp"
#include "ggsnn/nn/train/learner.hpp"
#include "ggsnn/nn/train/trainer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ggsnn {
namespace {

using ::testing::HasSubstr;

// Random graphs with weights, two edge types and an argument; hints and answers at random.
Dataset random_steps(AnswerKind answer, std::uint64_t seed, int count, int nodes, int edge_count) {
    constexpr int steps = 3;
    Dataset data;
    data.schema.answer = answer;
    data.schema.edge_types = Vocabulary({"a", "b"});
    data.schema.question_types = Vocabulary({"q"});
    data.schema.features = 1;
    data.schema.arguments = 1;
    if (answer == AnswerKind::node_classes) data.schema.classes = Vocabulary({"x", "y", "z"});
    if (answer == AnswerKind::values) data.schema.values = 1;
    Random random(seed);
    for (int i = 0; i < count; ++i) {
        std::vector<Edge> edges;
        std::vector<float> weights;
        std::vector<std::vector<int>> near(nodes);
        for (int v = 0; v < nodes; ++v) near[v].push_back(v);
        for (int e = 0; e < edge_count; ++e) {
            const int a = static_cast<int>(random.below(nodes)), b = static_cast<int>(random.below(nodes));
            edges.push_back({a, static_cast<int>(random.below(2)), b});
            weights.push_back(static_cast<float>(random.uniform(0.1, 1)));
            near[a].push_back(b);
            near[b].push_back(a);
        }
        GraphRecord record;
        record.graph = Graph(nodes, edges, {weights, {}, 0});
        for (int v = 0; v < nodes; ++v) record.features.push_back(static_cast<float>(random.uniform()));
        data.graphs.push_back(record);
        Example example;
        example.graph = i;
        example.arguments = {static_cast<int>(random.below(nodes))};
        auto hints = std::make_shared<Hints>();
        hints->steps = steps;
        hints->width = 2;
        for (int k = 0; k < steps; ++k) {
            for (int v = 0; v < nodes; ++v) {
                hints->pointers.push_back(random.pick(near[v]));
                for (int j = 0; j < 2; ++j) hints->bits.push_back(random.chance(0.5) ? 1 : 0);
            }
            hints->chosen.push_back(static_cast<int>(random.below(nodes + 1)) - 1);
        }
        for (int v = 0; v < nodes; ++v) {
            if (answer == AnswerKind::node_classes)
                example.labels.push_back(static_cast<int>(random.below(3)));
            if (answer == AnswerKind::node_sequence)
                example.labels.push_back(hints->pointers[hints->pointers.size() - nodes + v]);
        }
        if (answer == AnswerKind::values) example.values = {1.5F};
        example.hints = hints;
        data.examples.push_back(example);
    }
    return data;
}

StepperShape shape_for(const Schema& schema, bool hints, int state = 5) {
    StepperShape shape;
    shape.answer = schema.answer;
    shape.reads = schema.answer == AnswerKind::node_classes ? StepperShape::Reads::classes
                  : schema.answer == AnswerKind::values     ? StepperShape::Reads::length
                                                            : StepperShape::Reads::pointers;
    shape.inputs = 2;
    shape.bits = 2;
    shape.slots = 4;
    shape.state = state;
    shape.classes = schema.classes.size();
    shape.chooses = true;
    shape.steps = hints ? 0 : 3;
    shape.rounded = false; // what is rounded has no differences
    return shape;
}

std::vector<const Example*> all_of(const Dataset& data) {
    std::vector<const Example*> list;
    for (const Example& e : data.examples) list.push_back(&e);
    return list;
}

TEST(FirstOf, IsWhatDrawingEachGives) {
    const std::vector<double> a = {0.3, 0.9, 0.2, 0.6};
    const std::vector<int> order = {2, 0, 3, 1};
    std::vector<double> p(4), expected(4, 0);
    const double none = first_of(order.data(), 4, a.data(), p.data());
    double expected_none = 0;
    for (int drawn = 0; drawn < 16; ++drawn) { // which of them are allowed
        double weight = 1;
        for (int i = 0; i < 4; ++i) weight *= (drawn >> i & 1) != 0 ? a[i] : 1 - a[i];
        const auto at =
            std::find_if(order.begin(), order.end(), [&](int i) { return (drawn >> i & 1) != 0; });
        (at == order.end() ? expected_none : expected[*at]) += weight;
    }
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(p[i], expected[i], 1e-12);
    EXPECT_NEAR(none, expected_none, 1e-12);
}

// Kinks of relu and max, and equal keys, are not met by random numbers.
void check_gradient(const Dataset& data, const StepperShape& shape) {
    const Stepper<double> network(shape);
    Learner<double> learner(std::make_unique<StepperPasses<double>>(network, data.schema, 1), nullptr);
    std::vector<double> p(network.layout().size()), gradient(p.size());
    Random random(7);
    network.layout().initialise(random, p.data());
    learner.load(data, all_of(data), {});
    learner.evaluate(p.data(), gradient.data());
    const std::size_t moved = test::compare_with_differences(
        network.layout(), p, gradient, [&] { return learner.evaluate(p.data()).loss; }, {1e-6, 1e-5}, 1e-6);
    EXPECT_GT(moved, network.layout().count() * 2 / 3);
}

TEST(StepperGradient, IsThatOfFiniteDifferencesWithHints) {
    for (AnswerKind answer : {AnswerKind::node_sequence, AnswerKind::node_classes, AnswerKind::values}) {
        SCOPED_TRACE(name_of(answer));
        const Dataset data = random_steps(answer, 3, 3, 6, 12);
        check_gradient(data, shape_for(data.schema, true));
    }
}

TEST(StepperGradient, IsThatOfFiniteDifferencesThroughTime) {
    for (AnswerKind answer : {AnswerKind::node_sequence, AnswerKind::node_classes, AnswerKind::values}) {
        SCOPED_TRACE(name_of(answer));
        const Dataset data = random_steps(answer, 4, 3, 6, 12);
        check_gradient(data, shape_for(data.schema, false));
    }
}

// Whole steps, rounded, with all weight on one order.
StepperResult plain_run(const Stepper<float>& network, const Links& links, const std::vector<float>& p,
                        int steps) {
    auto state = StepperState<float>::begin(links, network.shape().bits);
    StepperTape<float> tape;
    for (int k = 0; k < steps; ++k) {
        network.forward(links, state, nullptr, true, p.data(), tape);
        state = tape.after();
    }
    StepperResult result;
    for (int v = 0; v < links.nodes; ++v)
        for (int l = links.start[v]; l < links.start[v + 1]; ++l)
            if (state.q[l] > 0.5F) result.pointers.push_back(links.from[l]);
    result.bits = state.x;
    for (int v = 0; v < links.nodes; ++v)
        if (tape.chosen[v] > 0.5F) result.chosen = v;
    if (result.chosen >= 0) result.way = state.way[result.chosen];
    return result;
}

// Sparse graphs: what changes in one place is not heard everywhere.
TEST(StepperRuns, ComputeWhatWholeStepsDo) {
    const Dataset data = random_steps(AnswerKind::node_sequence, 5, 10, 40, 44);
    int moved = 0, chose = 0, settled = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const Stepper<float> network(shape_for(data.schema, true, 6));
        std::vector<float> p(network.layout().size());
        Random random(seed);
        network.layout().initialise(random, p.data());
        for (float& each : p) each *= 4; // decided, one way or the other
        const auto& at = network.parts();
        for (int m = 0; m < link_orders; ++m) p[at.Po + m] = m == int(seed) % link_orders ? 60.0F : -60.0F;
        for (int m = 0; m < choice_orders; ++m)
            p[at.Go + m] = m == int(seed) % choice_orders ? 60.0F : -60.0F;
        for (const Example& example : data.examples)
            for (int steps : {1, 2, 3, 4, 6, 9}) {
                const Links links(data.schema, data, example, 4);
                const StepperResult found = run_stepper(network, links, {p}, steps);
                const StepperResult expected = plain_run(network, links, p, steps);
                ASSERT_EQ(found.pointers, expected.pointers);
                ASSERT_EQ(found.bits, expected.bits);
                ASSERT_EQ(found.chosen, expected.chosen);
                ASSERT_FLOAT_EQ(found.way, expected.way);
                for (int v = 0; v < links.nodes; ++v) moved += found.pointers[v] != v ? 1 : 0;
                chose += found.chosen >= 0 ? 1 : 0;
                settled += found.settled ? 1 : 0;
            }
    }
    EXPECT_GT(moved, 1000);
    EXPECT_GT(chose, 100);
    EXPECT_GT(settled, 20);
}

TEST(StepperLinks, AreEachNodeAndItsNeighboursOnce) {
    Dataset data;
    data.schema.edge_types = Vocabulary({"a", "b"});
    data.schema.arguments = 1;
    const std::vector<Edge> edges = {{0, 0, 2}, {2, 1, 0}, {1, 0, 1}, {2, 0, 1}, {0, 0, 2}};
    const std::vector<float> weights = {3, 2, 1, 5, 4};
    data.graphs.push_back({Graph(3, edges, {weights, {}, 0}), {}, {}});
    Example example;
    example.arguments = {1};
    const Links links(data.schema, data, example, 4);
    EXPECT_EQ(links.start, (std::vector<int>{0, 2, 4, 7}));
    EXPECT_EQ(links.from, (std::vector<int>{0, 2, 1, 2, 2, 0, 1}));
    EXPECT_EQ(links.back, (std::vector<int>{0, 5, 2, 6, 4, 1, 3}));
    EXPECT_EQ(links.length, (std::vector<float>{0, 2, 0, 5, 0, 2, 5}));
    // Of node 0 and 2: an edge of type a out of 0, one of type b into it.
    EXPECT_EQ(std::vector<char>(links.kind.begin() + 4, links.kind.begin() + 8),
              (std::vector<char>{0, 1, 1, 0}));
    EXPECT_EQ(links.inputs, (std::vector<float>{0, 1, 0}));
    EXPECT_EQ(links.link_to(1, 0), -1);
}

// Whoever has a neighbour that is reached is reached: taught on a few graphs of 6 nodes.
Dataset waves(int count, int nodes, std::uint64_t seed) {
    Dataset data;
    data.schema.answer = AnswerKind::node_sequence;
    data.schema.edge_types = Vocabulary({"a"});
    data.schema.question_types = Vocabulary({"q"});
    data.schema.arguments = 1;
    Random random(seed);
    for (int i = 0; i < count; ++i) {
        std::vector<Edge> edges;
        std::vector<std::vector<int>> near(nodes);
        for (int v = 1; v < nodes; ++v) {
            const int u = static_cast<int>(random.below(v));
            edges.push_back({u, 0, v});
            near[u].push_back(v);
            near[v].push_back(u);
        }
        data.graphs.push_back({Graph(nodes, edges), {}, {}});
        Example example;
        example.graph = i;
        example.arguments = {static_cast<int>(random.below(nodes))};
        auto hints = std::make_shared<Hints>();
        hints->width = 1;
        std::vector<char> reached(nodes, 0);
        std::vector<int> pointers(nodes);
        std::iota(pointers.begin(), pointers.end(), 0);
        for (bool changed = true; changed;) {
            const auto before = reached;
            for (int v = 0; v < nodes; ++v) {
                if (before[v] != 0) continue;
                if (v == example.arguments[0]) reached[v] = 1;
                for (int u : near[v])
                    if (before[u] != 0) reached[v] = 1, pointers[v] = u;
            }
            changed = reached != before;
            hints->bits.insert(hints->bits.end(), reached.begin(), reached.end());
            hints->pointers.insert(hints->pointers.end(), pointers.begin(), pointers.end());
            ++hints->steps;
        }
        example.labels = pointers;
        example.hints = hints;
        data.examples.push_back(example);
    }
    return data;
}

TEST(StepperNetwork, LearnsOnSmallTreesWhatHoldsOnLargeOnes) {
    const Dataset train_set = waves(30, 6, 1), valid_set = waves(10, 6, 2), large = waves(3, 300, 3);
    TrainOptions options = recipe_for(train_set, "stepper");
    options.updates = 300;
    options.evaluate_every = 100;
    ThreadPool one(1), three(3);
    const Model model = train(train_set, valid_set, options, one);
    EXPECT_EQ(encode_model(model), encode_model(train(train_set, valid_set, options, three)));
    std::vector<Prediction> answers;
    Predictor(model, nullptr).predict(large, all_of(large), answers);
    for (std::size_t i = 0; i < answers.size(); ++i) EXPECT_EQ(answers[i].labels, large.examples[i].labels);
    // Cut off, it is not there yet.
    Predictor(model, nullptr, {2, 0, 0}).predict(large, all_of(large), answers);
    EXPECT_NE(answers[0].labels, large.examples[0].labels);
    const Model read = decode_model(encode_model(model), "model");
    EXPECT_EQ(encode_model(read), encode_model(model));
    EXPECT_THAT(model.network->describe().summary, HasSubstr("stepper, 1 bits"));
}

TEST(StepperNetwork, RefusesWhatItCannotLearn) {
    ThreadPool pool(1);
    const auto reason = [&](const Dataset& data) -> std::string {
        try {
            TrainOptions options = recipe_for(data, "stepper");
            options.updates = 2;
            options.restarts = 1;
            train(data, {}, options, pool);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(reason(waves(4, 6, 1)), "");
    Dataset data = waves(4, 6, 1);
    data.schema.answer = AnswerKind::node;
    EXPECT_THAT(reason(data),
                HasSubstr("answers with nodes, with node_classes or with one number; the answers "
                          "are of kind node"));
    data = waves(4, 6, 1);
    for (Example& e : data.examples) e.hints = nullptr, e.labels.resize(3);
    EXPECT_THAT(reason(data), HasSubstr("learns sequences of nodes with hints"));
    data = waves(4, 6, 1);
    data.examples[2].hints = nullptr;
    EXPECT_THAT(reason(data), HasSubstr("the question has no hints"));
    data = waves(4, 6, 1);
    auto hints = std::make_shared<Hints>(*data.examples[1].hints);
    hints->pointers.clear();
    data.examples[1].hints = hints;
    EXPECT_THAT(reason(data), HasSubstr("hints of 1 bits, without pointers"));
    data = waves(4, 6, 1);
    hints = std::make_shared<Hints>(*data.examples[1].hints);
    std::fill(hints->pointers.begin(), hints->pointers.begin() + 6, 5);
    data.examples[1].hints = hints;
    EXPECT_THAT(reason(data),
                HasSubstr("hints: in step 1 node 0 points to 5; expected itself or a neighbour"));
}

} // namespace
} // namespace ggsnn
