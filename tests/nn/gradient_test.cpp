// Every gradient against central finite differences in double precision: every parameter of every network
// kind is counted, and NaN fails. Also: the ways to run backward (what the tape keeps, how many lanes and
// threads) agree.
#include "differences.hpp"
#include "samples.hpp"

#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using test::random_chunk;
using test::Rig;

struct Case {
    std::string name;
    GatedShape shape;
    test::Extras extras = {};
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << c.name;
}

GatedShape shape_of(Variant variant, AnswerKind answer, int outputs, int state = 5, int annotation = 2) {
    GatedShape shape;
    shape.variant = variant;
    shape.answer = answer;
    shape.outputs = outputs;
    shape.state = state;
    shape.annotation = annotation;
    shape.edge_types = 3;
    shape.steps = 3;
    return shape;
}

GatedShape sequence_of(Variant variant, AnswerKind answer, int outputs, bool shared, bool observed) {
    GatedShape shape = shape_of(variant, answer, outputs, 6, 3);
    shape.shared_propagation = shared;
    shape.observed = observed;
    shape.steps = 2;
    return shape;
}

// Weights and numbers of edges, wide inputs, dropout, weighted losses: each by itself, and with residuals and
// means all together, with small and with larger states. (Settings one by one: settings_test.cpp.)
void add_extras(std::vector<Case>& all) {
    for (int state : {6, 14}) {
        for (Variant v : {Variant::paper, Variant::authors}) {
            const std::string tail = (v == Variant::paper ? "_paper_" : "_authors_") + std::to_string(state);
            const GatedShape base = shape_of(v, AnswerKind::node_classes, 4, state, 3);
            const auto add = [&](const char* name, auto change) {
                Case c{name + tail, base};
                change(c);
                all.push_back(c);
            };
            add("edge_weights", [](Case& c) { c.extras.weights = true; });
            add("edge_dropout", [](Case& c) { c.extras.edge_dropout = 0.3; });
            add("edge_numbers", [](Case& c) { c.shape.edge_features = 3; });
            add("edge_both", [](Case& c) {
                c.extras.weights = true;
                c.shape.edge_features = 9;
            });
            add("embedding", [](Case& c) {
                c.shape.inputs = 11;
                c.shape.embedding = 2;
            });
            add("state_dropout", [](Case& c) { c.extras.state_dropout = 0.4; });
            add("smoothing", [](Case& c) { c.extras.smoothing = 0.2; });
            add("class_weights", [](Case& c) { c.extras.class_weights = true; });
            add("reset_after_by_step_added", [](Case& c) {
                c.shape.reset_after = true;
                c.shape.sets = c.shape.steps;
                c.shape.directions = Directions::added;
                c.shape.residual = true;
                c.extras.weights = true;
            });
            const auto everything = [](Case& c) {
                c.extras = {true, 0.2, 0.3, 0.1, has_classes(c.shape.answer), true};
                c.shape.inputs = 7;
                c.shape.embedding = 2;
                c.shape.residual = c.shape.mean = true;
                c.shape.edge_features = 2;
            };
            add("everything", everything);
            Case sequence{"everything_sequence" + tail,
                          sequence_of(v, AnswerKind::node_sequence, 1, true, false)};
            sequence.shape.state = state;
            everything(sequence);
            all.push_back(sequence);
            sequence.name = "everything_separate_added" + tail;
            sequence.shape.shared_propagation = false;
            sequence.shape.directions = Directions::added;
            all.push_back(sequence);
            sequence.name = "everything_reset_after_by_step" + tail;
            sequence.shape.reset_after = true;
            sequence.shape.sets = sequence.shape.steps;
            all.push_back(sequence);
            for (AnswerKind kind : {AnswerKind::klass, AnswerKind::values}) {
                Case pairs{std::string("pairs_") + name_of(kind) + tail, shape_of(v, kind, 2, state, 3)};
                pairs.shape.pairs = 3;
                all.push_back(pairs);
                everything(pairs);
                pairs.name = "everything_" + pairs.name;
                pairs.shape.pairs = 9;
                all.push_back(pairs);
            }
            Case values{"everything_values" + tail, shape_of(v, AnswerKind::values, 2, state, 3)};
            everything(values);
            all.push_back(values);
        }
    }
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (Variant v : {Variant::paper, Variant::authors}) {
        const std::string tail = v == Variant::paper ? "_paper" : "_authors";
        for (AnswerKind kind : answer_kinds()) {
            const int outputs = has_classes(kind) || is_regression(kind) ? 3 : 1;
            all.push_back({name_of(kind) + tail, is_sequence(kind)
                                                     ? sequence_of(v, kind, outputs, true, false)
                                                     : shape_of(v, kind, outputs)});
        }
        all.push_back({"nodes_separate" + tail, sequence_of(v, AnswerKind::node_sequence, 1, false, false)});
    }
    all.push_back(
        {"nodes_observed", sequence_of(Variant::authors, AnswerKind::node_sequence, 1, false, true)});
    all.push_back(
        {"classes_observed", sequence_of(Variant::authors, AnswerKind::class_sequence, 3, true, true)});
    // With both directions added.
    const std::size_t apart = all.size();
    for (std::size_t i = 0; i < apart; ++i) {
        Case added = all[i];
        added.name += "_added";
        added.shape.directions = Directions::added;
        all.push_back(added);
    }
    // All of these are narrow (narrow.hpp). The same with states of more than one unit of padding, where the
    // first step is computed in a way of its own (first_step.hpp) and, with more edge types, is not.
    const std::size_t narrow = all.size();
    for (std::size_t i = 0; i < narrow; ++i) {
        Case wide = all[i];
        wide.name += "_wide";
        wide.shape.state += 9;
        all.push_back(wide);
        if (i % 3 != 0) continue;
        wide.name += "_many_types";
        wide.shape.edge_types = 9;
        all.push_back(wide);
    }
    all.push_back({"wide_annotation", shape_of(Variant::authors, AnswerKind::node, 1, 9, 9)});
    all.push_back({"narrow_annotation", shape_of(Variant::authors, AnswerKind::node, 1, 8, 8)});
    all.push_back({"no_annotation", shape_of(Variant::authors, AnswerKind::node, 1, 12, 0)});
    for (Variant v : {Variant::paper, Variant::authors}) {
        const std::string name = v == Variant::paper ? "_paper" : "_authors";
        Case one_step{"one_step" + name, shape_of(v, AnswerKind::klass, 3, 12, 3)};
        one_step.shape.steps = 1;
        all.push_back(one_step);
        Case no_edges{"no_edge_types" + name, shape_of(v, AnswerKind::node, 1, 12, 3)};
        no_edges.shape.edge_types = 0;
        all.push_back(no_edges);
    }
    all.push_back({"one_state", shape_of(Variant::paper, AnswerKind::klass, 2, 1, 1)});
    add_extras(all);
    return all;
}

class Gradient : public testing::TestWithParam<Case> {};

TEST_P(Gradient, AgreesWithFiniteDifferences) {
    const GatedShape& shape = GetParam().shape;
    Random random(7);
    const auto chunk =
        random_chunk<double>(random, shape, shape.embedding > 0 ? 8 : 4, 6, 0, GetParam().extras);
    Rig<double> rig(shape, 11);
    double value = NAN;
    auto gradient = rig.gradient(chunk, Keep::all, &value);
    ASSERT_TRUE(std::isfinite(value));
    // Observed annotations enter the loss only when it is trained: difference that loss.
    const auto loss = [&] {
        double at = NAN;
        rig.gradient(chunk, Keep::all, &at);
        return at;
    };
    const ParameterLayout& layout = rig.network.layout();
    const std::size_t moving =
        test::compare_with_differences(layout, rig.parameters, gradient, loss, {1e-8, 1e-6});
    // Without edges nothing is heard, and half of the gates' weights have nothing to weigh.
    EXPECT_GT(moving, shape.edge_types > 0 ? layout.count() / 2 : layout.count() / 3)
        << "most parameters matter";
}

TEST_P(Gradient, PadsStayZero) {
    const GatedShape& shape = GetParam().shape;
    Random random(5);
    Rig<double> rig(shape, 3);
    auto gradient = rig.gradient(random_chunk<double>(random, shape, 3, 6, 0, GetParam().extras));
    for (const Tensor& t : rig.network.layout().tensors())
        for (int i = 0; i < t.rows; ++i)
            for (int j = 0; j < t.cols; ++j) gradient[t.offset + static_cast<std::size_t>(i) * t.ld + j] = 0;
    for (double g : gradient) ASSERT_EQ(g, 0);
}

TEST_P(Gradient, DoesNotDependOnWhatTheTapeKeeps) {
    const GatedShape& shape = GetParam().shape;
    Random random(5);
    const auto chunk = random_chunk<float>(random, shape, 5);
    Rig<float> rig(shape, 3);
    const auto all = rig.gradient(chunk, Keep::all);
    EXPECT_EQ(all, rig.gradient(chunk, Keep::gates));
    EXPECT_EQ(all, rig.gradient(chunk, Keep::states));
}

INSTANTIATE_TEST_SUITE_P(AllNetworks, Gradient, testing::ValuesIn(cases()),
                         [](const auto& instance) { return instance.param.name; });

// States of so many numbers that weights are packed: some of their thousands of parameters.
TEST(WideStates, GradientsAgreeWithFiniteDifferences) {
    for (const auto& [variant, directions, keep] :
         {std::tuple(Variant::authors, Directions::apart, Keep::all),
          std::tuple(Variant::authors, Directions::added, Keep::states),
          std::tuple(Variant::paper, Directions::apart, Keep::gates),
          std::tuple(Variant::paper, Directions::added, Keep::all)}) {
        GatedShape shape = sequence_of(variant, AnswerKind::node_sequence, 1, false, false);
        shape.directions = directions;
        shape.state = 50;
        Random random(7);
        const auto chunk = random_chunk<double>(random, shape, 4);
        Rig<double> rig(shape, 11);
        const auto gradient = rig.gradient(chunk, keep);
        for (const Tensor& tensor : rig.network.layout().tensors())
            for (int sample = 0; sample < 12; ++sample) {
                const std::size_t at =
                    tensor.offset + random.below(tensor.rows) * tensor.ld + random.below(tensor.cols);
                const double step = 1e-5, old = rig.parameters[at];
                rig.parameters[at] = old + step;
                const double above = rig.loss(chunk);
                rig.parameters[at] = old - step;
                const double expected = (above - rig.loss(chunk)) / (2 * step);
                rig.parameters[at] = old;
                ASSERT_NEAR(gradient[at], expected, 1e-8 + 1e-6 * std::abs(expected)) << tensor.name;
            }
    }
}

// One large graph, split over lanes: as one lane up to rounding, and the same bits for any number of threads,
// fewer than lanes and more.
TEST(Lanes, AgreeWithOneLaneAtAnyNumberOfThreads) {
    GatedShape latent = sequence_of(Variant::authors, AnswerKind::node_sequence, 1, false, false);
    latent.state = 15;
    GatedShape added = shape_of(Variant::paper, AnswerKind::node, 1, 18, 3);
    added.directions = Directions::added;
    GatedShape own = shape_of(Variant::authors, AnswerKind::node_classes, 4, 12, 5);
    own.inputs = 9;
    own.embedding = 4;
    own.residual = own.mean = true;
    own.edge_features = 3;
    for (const GatedShape& shape : {own, shape_of(Variant::authors, AnswerKind::node, 1, 12, 3),
                                    shape_of(Variant::paper, AnswerKind::node, 1, 12, 3),
                                    shape_of(Variant::authors, AnswerKind::klass, 3, 12, 3), latent, added}) {
        Random random(19);
        const bool extra = shape == own;
        Chunk<float> chunk = random_chunk<float>(random, shape, 2, 1500, 0,
                                                 extra ? test::Extras{true, 0.2, 0.3} : test::Extras{});
        ASSERT_GT(chunk.nodes, 2 * Team<float>::block_rows);
        Rig<float> one(shape, 3), split(shape, 3, 5, 1), threads(shape, 3, 5, 3), many(shape, 3, 5, 8);
        double loss_one = NAN, loss_split = NAN, loss_threads = NAN;
        const auto whole = one.gradient(chunk, Keep::all, &loss_one);
        const auto parts = split.gradient(chunk, Keep::all, &loss_split);
        EXPECT_NEAR(loss_one, loss_split, 1e-6 * std::abs(loss_one));
        for (std::size_t i = 0; i < whole.size(); ++i)
            ASSERT_TRUE(std::abs(whole[i] - parts[i]) <= 1e-5f + 1e-4f * std::abs(whole[i])) << i;
        EXPECT_EQ(parts, threads.gradient(chunk, Keep::all, &loss_threads));
        EXPECT_EQ(parts, threads.gradient(chunk, Keep::gates));
        EXPECT_EQ(parts, threads.gradient(chunk, Keep::states));
        EXPECT_EQ(parts, many.gradient(chunk, Keep::all));
        EXPECT_EQ(loss_split, loss_threads);
    }
}

// A narrow network goes through kernels of its own unless its graph is split over lanes: both ways agree, for
// every number of states that is narrow and graphs that fill no whole number of blocks.
TEST(Lanes, NarrowKernelsAgreeWithWideOnes) {
    for (Variant variant : {Variant::paper, Variant::authors})
        for (int both = 2; both <= 2 * padding + 1; ++both) {
            const int state = both / 2;
            GatedShape shape = shape_of(variant, AnswerKind::node, 1, state, std::min(state, 3));
            shape.directions = both % 2 == 0 ? Directions::apart : Directions::added;
            Random random(23);
            Chunk<double> chunk = random_chunk<double>(random, shape, 2, 30 + state);
            Rig<double> narrow(shape, 3), wide(shape, 3, 5, 1);
            double narrow_loss = NAN, wide_loss = NAN;
            const auto a = narrow.gradient(chunk, Keep::all, &narrow_loss);
            const auto b = wide.gradient(chunk, Keep::all, &wide_loss);
            ASSERT_NEAR(narrow_loss, wide_loss, 1e-12) << state;
            for (std::size_t i = 0; i < a.size(); ++i)
                ASSERT_NEAR(a[i], b[i], 1e-12 + 1e-10 * std::abs(b[i])) << state << ", " << i;
        }
}

} // namespace
} // namespace ggsnn
