// Where few nodes have answers, only what they can hear is computed: the rows that this takes, found by the
// plainest way, and the same losses and gradients as with all of them.
#include "ggsnn/nn/edges.hpp"
#include "models.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace ggsnn {
namespace {

using namespace test;

constexpr int steps = 3; // as random_model's

// A long path with a few more edges, and answers at some of its nodes alone.
Draft path(Random& random, const Schema& schema, int nodes, int answers) {
    Draft draft;
    draft.nodes = nodes;
    const auto type = [&] { return static_cast<int>(random.below(schema.edge_types.size())); };
    for (int v = 1; v < nodes; ++v) {
        draft.edges.push_back({v, type(), v - 1});
        if (random.chance(0.5)) std::swap(draft.edges.back().source, draft.edges.back().target);
        if (random.chance(0.1)) draft.edges.push_back({v, type(), std::max(0, v - 5)});
    }
    for (int i = 0; i < nodes * schema.features; ++i)
        draft.features.push_back(static_cast<float>(random.uniform(-1, 1)));
    for (std::size_t i = 0; i < draft.edges.size() * schema.edge_features; ++i)
        draft.edge_numbers.push_back(static_cast<float>(random.uniform(-1, 1)));
    for (int v = 0; v < nodes; ++v)
        if (schema.tags.size() > 0 && random.chance(0.4))
            draft.tags.emplace_back(v, static_cast<int>(random.below(schema.tags.size())));
    weigh(random, draft);
    Example& e = draft.example;
    e.question = 0;
    for (int i = 0; i < schema.arguments; ++i) e.arguments.push_back(static_cast<int>(random.below(nodes)));
    e.labels.assign(is_regression(schema.answer) ? 0 : nodes, -1);
    e.values.assign(nodes * schema.values, NAN);
    for (int i = 0; i < answers; ++i) {
        const std::size_t v = random.below(nodes);
        if (is_regression(schema.answer)) // some of a node's numbers may be unknown
            e.values[v * schema.values + random.below(schema.values)] =
                static_cast<float>(random.uniform(-1, 1));
        else
            e.labels[v] = static_cast<int>(random.below(schema.classes.size()));
    }
    return draft;
}

// Slot, row, neighbour, and what the edge carries; sorted.
std::vector<std::vector<float>> links(const Graph& graph) {
    std::vector<std::vector<float>> all;
    for (int slot = 0; slot < graph.slots(); ++slot)
        for (int entry = graph.slot_begin(slot); entry < graph.slot_end(slot); ++entry)
            for (const int& neighbour : graph.neighbours(entry)) {
                const auto link = &neighbour - graph.neighbours().data();
                auto& told = all.emplace_back();
                for (const int number : {slot, graph.row(entry), neighbour})
                    told.push_back(static_cast<float>(number));
                told.push_back(graph.weights()[link]);
                const auto numbers = graph.edge_features(static_cast<int>(link));
                told.insert(told.end(), numbers.begin(), numbers.end());
            }
    std::sort(all.begin(), all.end());
    return all;
}

TEST(NearFirst, RowsAreOrderedByDistance) {
    Random random(3);
    const Schema schema = own_schema(AnswerKind::node_classes);
    for (int round = 0; round < 30; ++round) {
        const Draft draft = path(random, schema, 60, 1 + round % 3);
        const Dataset data = data_of(schema, {draft});
        const auto near = near_first(data.graphs[0], data.examples[0], steps);
        ASSERT_NE(near, nullptr);
        std::vector<int> apart(draft.nodes, 1000);
        for (int v = 0; v < draft.nodes; ++v)
            if (draft.example.labels[v] >= 0) apart[v] = 0;
        for (int round_of = 0; round_of < draft.nodes; ++round_of)
            for (const Edge& e : draft.edges) {
                apart[e.source] = std::min(apart[e.source], apart[e.target] + 1);
                apart[e.target] = std::min(apart[e.target], apart[e.source] + 1);
            }
        ASSERT_EQ(near->within.size(), steps + 1U);
        for (int k = 0; k <= steps; ++k)
            EXPECT_EQ(near->within[k],
                      std::count_if(apart.begin(), apart.end(), [&](int d) { return d <= k; }));
        for (int i = 0; i < draft.nodes; ++i) {
            EXPECT_EQ(near->row_of[near->node_of[i]], i);
            if (i > 0 && i < near->within.back())
                EXPECT_GE(apart[near->node_of[i]], apart[near->node_of[i - 1]]);
        }
        // The same graph under other names: back again, edge by edge with what they carry.
        const Graph& before = data.graphs[0].graph;
        EXPECT_EQ(links(renumbered(near->graph, near->node_of)), links(before));
        EXPECT_NE(links(near->graph), links(before));
        EXPECT_EQ(near_first(data.graphs[0], data.examples[0], steps), near) << "kept";
    }
}

TEST(NearFirst, IsLeftWhereItWouldNotPay) {
    Random random(4);
    const Schema schema = own_schema(AnswerKind::node_classes);
    const Dataset all = data_of(schema, {path(random, schema, 60, 2000)});
    EXPECT_EQ(near_first(all.graphs[0], all.examples[0], steps), nullptr) << "answers everywhere";
    const Dataset close = data_of(schema, {path(random, schema, 60, 30)});
    EXPECT_EQ(near_first(close.graphs[0], close.examples[0], 20), nullptr) << "all are near";
    EXPECT_NE(near_first(close.graphs[0], close.examples[0], 1), nullptr);
}

TEST(NearFirst, OneLabelMoreIsAnotherOrder) {
    Random random(5);
    const Schema schema = own_schema(AnswerKind::node_classes);
    Dataset data = data_of(schema, {path(random, schema, 100, 2)});
    const auto first = near_first(data.graphs[0], data.examples[0], steps);
    Example other = data.examples[0];
    const auto v = std::find(other.labels.begin(), other.labels.end(), -1) - other.labels.begin();
    other.labels[v] = 0;
    const auto second = near_first(data.graphs[0], other, steps);
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(second->within[0], first->within[0] + 1);
    EXPECT_LT(second->row_of[v], second->within[0]);
    EXPECT_EQ(near_first(data.graphs[0], data.examples[0], steps + 1)->within.size(), steps + 2U);
}

using Case = std::tuple<AnswerKind, Variant, int, bool, bool>; // kind, variant, state, embedding, the rest

class NearFirstRuns : public testing::TestWithParam<Case> {
  protected:
    GatedShape shape(const Schema& schema) const {
        const auto [kind, variant, state, embedding, rest] = GetParam();
        const Model model =
            random_model(schema, 5, variant, 1, state, rest ? Directions::added : Directions::apart,
                         [&, embedding = embedding, rest = rest](GatedShape& s) {
                             s.residual = s.mean = s.linear = rest;
                             s.sets = rest ? s.steps : 1;
                             if (!embedding) return;
                             s.inputs = schema.inputs();
                             s.embedding = 3;
                             s.annotation = schema.annotation(3);
                         });
        return gated_shape(*model.network);
    }
};

INSTANTIATE_TEST_SUITE_P(All, NearFirstRuns,
                         testing::Combine(testing::Values(AnswerKind::node_classes, AnswerKind::node_values),
                                          testing::Values(Variant::paper, Variant::authors),
                                          testing::Values(7, 20), testing::Bool(), testing::Bool()));

// Lanes: more than one where the chunk is split over them.
void compare(const GatedShape& shape, const Dataset& data, const Loading& how, int lanes, Keep keep) {
    const Assembler<double> assembler(data.schema, shape.reading());
    const Example& example = data.examples[0];
    const auto near = near_first(data.graphs[0], example, shape.steps);
    ASSERT_NE(near, nullptr);
    Chunk<double> all, few;
    for (Chunk<double>* chunk : {&all, &few}) {
        assembler.begin(*chunk, how);
        assembler.append(*chunk, data, example, how, 0, chunk == &few ? near : nullptr);
        assembler.finish(*chunk, data, {&example});
        chunk->scale = 0.37;
    }
    ASSERT_LT(few.counting(), few.nodes);
    Rig<double> rig(shape, 8, lanes, 1);
    double expected_loss = 0, loss = 0;
    // Twice each, and the other one between: nothing may be left of what was there before.
    std::vector<double> expected, found;
    for (int round = 0; round < 2; ++round) {
        expected = rig.gradient(all, keep, &expected_loss);
        found = rig.gradient(few, keep, &loss);
    }
    ASSERT_GT(expected_loss, 0);
    EXPECT_NEAR(loss, expected_loss, 1e-12 * expected_loss);
    expected_loss = rig.loss(all); // without dropout
    EXPECT_NEAR(rig.loss(few), expected_loss, 1e-12 * expected_loss);
    double size = 0;
    for (const double g : expected) size = std::max(size, std::abs(g));
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-11 * size) << i;
    rig.network.prepare(rig.parameters.data(), false, rig.prepared.data());
    const auto outcome = [&](const Chunk<double>& chunk) {
        return rig.network.run(chunk, rig.parameters.data(), rig.prepared.data(), false, rig.work, rig.team);
    };
    const Outcome of_all = outcome(all), of_few = outcome(few);
    EXPECT_EQ(of_few.targets, of_all.targets);
    EXPECT_EQ(of_few.correct, of_all.correct);
    EXPECT_EQ(of_few.answers, of_all.answers);
    EXPECT_EQ(of_few.solved, of_all.solved);
}

TEST_P(NearFirstRuns, GiveTheSameLossesAndGradients) {
    const Schema schema = own_schema(std::get<0>(GetParam()));
    Random random(6);
    Loading how;
    how.noise = {0.5, 0.3, 0, 77}; // keyed by node, whatever its row
    for (int round = 0; round < 4; ++round)
        compare(shape(schema), data_of(schema, {path(random, schema, 150, 4)}), round < 2 ? Loading{} : how,
                1, round % 2 == 0 ? Keep::all : Keep::gates);
}

TEST_P(NearFirstRuns, GiveThemOverSeveralLanes) {
    const Schema schema = own_schema(std::get<0>(GetParam()));
    Random random(7);
    const Dataset data = data_of(schema, {path(random, schema, large_rows + 300, 700)});
    compare(shape(schema), data, {}, 3, Keep::gates);
}

TEST_P(NearFirstRuns, AreWhatTrainingDoes) {
    const Schema schema = own_schema(std::get<0>(GetParam()));
    Random random(8);
    const Dataset data = data_of(
        schema, {path(random, schema, 20, 3), path(random, schema, 1000, 9), path(random, schema, 15, 3)});
    const Network<double> network(shape(schema));
    GatedPasses<double> passes(network, schema, 1);
    ASSERT_EQ(passes.load(data, examples_of(data), {}), 3);
    EXPECT_EQ(passes.chunk(0).near, nullptr);
    EXPECT_NE(passes.chunk(1).near, nullptr);
    EXPECT_EQ(passes.chunk(2).near, nullptr);
    Loading answers;
    answers.targets = false; // predictions are of every node
    passes.load(data, examples_of(data), answers);
    EXPECT_EQ(passes.chunk(1).near, nullptr);
}

} // namespace
} // namespace ggsnn
