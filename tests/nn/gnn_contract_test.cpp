// The original graph neural network keeps what it promises: contraction, node order, labels, threads, limits.
#include "gnn_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using namespace test;
using testing::HasSubstr;

const AnswerKind answers[] = {AnswerKind::node, AnswerKind::klass};

std::vector<double> propagate(GnnRig<double>& rig, const std::vector<double>& h) {
    std::vector<double> next(h.size());
    rig.network.begin(rig.batch(), rig.parameters.data(), rig.work);
    rig.network.step(rig.batch(), rig.parameters.data(), rig.prepared.data(), h.data(), next.data(),
                     rig.work);
    return next;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
    return sum;
}

std::vector<double> random_state(Random& random, const GnnRig<double>& rig) {
    std::vector<double> h(static_cast<std::size_t>(rig.batch().chunk.nodes) * rig.network.width(), 0);
    for (std::size_t i = 0; i < h.size(); ++i)
        if (static_cast<int>(i) % rig.network.width() < rig.network.shape().state)
            h[i] = random.uniform(-2, 2);
    return h;
}

// The largest |F(h + unit) - F(h)|_1: for a linear F its 1-norm, exactly.
double largest_column(GnnRig<double>& rig, const std::vector<double>& h, double unit) {
    double top = 0;
    const auto base = propagate(rig, h);
    for (std::size_t i = 0; i < h.size(); ++i) {
        if (static_cast<int>(i) % rig.network.width() >= rig.network.shape().state) continue;
        auto moved = h;
        moved[i] += unit;
        const double norm = distance(propagate(rig, moved), base) / unit;
        if (!(norm <= top)) top = norm;
    }
    return top;
}

// Entries of Xi so large that tanh is +-1: the worst there is.
TEST(GnnContraction, LipschitzConstantOfTheLinearMapIsBelowMuOnRandomGraphs) {
    Random random(3);
    double top = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const double mu = random.uniform(0.1, 0.99);
        const Dataset data = labelled_graphs(seed, answers[seed % 2], 3, 10);
        GnnRig<double> rig(data, shape_for(data, EdgeFunction::linear, 1 + static_cast<int>(seed % 4), mu),
                           seed);
        rig.scale("Xi", 1000);
        rig.network.prepare(rig.parameters.data(), rig.prepared.data());
        const auto a = random_state(random, rig), b = random_state(random, rig);
        const double norm = largest_column(rig, a, 1);
        ASSERT_LE(norm, mu * (1 + 1e-12)) << seed;
        ASSERT_LE(distance(propagate(rig, a), propagate(rig, b)), mu * (1 + 1e-12) * distance(a, b)) << seed;
        ASSERT_LE(norm, rig.network.jacobian_norm(rig.batch(), rig.parameters.data(), rig.prepared.data(),
                                                  rig.work) *
                            (1 + 1e-12));
        top = std::max(top, norm / mu);
    }
    EXPECT_GT(top, 0.99) << "the bound is reached, so it is no accident";
}

TEST(GnnContraction, NormOfTheNeuralJacobianIsBoundedFromAboveAndExactWithoutSharedEnds) {
    Random random(4);
    int exact = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const Dataset data = labelled_graphs(seed, AnswerKind::node, 1, 2);
        GnnRig<double> rig(data, shape_for(data, EdgeFunction::neural, 3), seed);
        rig.network.prepare(rig.parameters.data(), rig.prepared.data());
        const auto h = random_state(random, rig);
        const double measured = largest_column(rig, h, 1e-7);
        propagate(rig, h);
        const double bound =
            rig.network.jacobian_norm(rig.batch(), rig.parameters.data(), rig.prepared.data(), rig.work);
        ASSERT_LE(measured, bound + 1e-6) << seed;
        exact += measured > 0 && std::abs(measured - bound) < 1e-5 * bound ? 1 : 0;
    }
    EXPECT_GT(exact, 0);
}

TEST(GnnLabels, AreTheDistinctAnnotationsOfTheTrainingData) {
    const Dataset data = labelled_graphs(7, AnswerKind::klass, 30);
    const LabelTable table = find_labels(data, data.schema);
    EXPECT_EQ(table.count(), 8) << "two binary features and one argument bit";
    const float seen[] = {1, 0, 1}, unseen[] = {0.5f, 0, 1};
    EXPECT_GE(table.find(seen), 0);
    EXPECT_EQ(table.find(unseen), -1);
    std::size_t with_super = 0;
    for (const Triple& t : table.triples) {
        EXPECT_EQ(table.triple(t.receiver, t.slot, t.source), &t - table.triples.data());
        EXPECT_EQ(t.slot >= 4, t.receiver == table.super() || t.source == table.super());
        with_super += t.slot >= 4 ? 1 : 0;
    }
    EXPECT_EQ(with_super, 16u) << "to and from the super node, for each label";
    EXPECT_EQ(table.triple(0, 99, 0), -1);
}

TEST(GnnLabels, MeasurementsAreNoLabels) {
    Dataset data = labelled_graphs(7, AnswerKind::node, 500, 8);
    float value = 0;
    for (GraphRecord& g : data.graphs)
        for (float& f : g.features) f = value += 1;
    EXPECT_THROW(find_labels(data, data.schema), Error);
}

TEST(GnnLabels, AnUnseenLabelIsAnErrorThatNamesThePlace) {
    const Dataset data = labelled_graphs(7, AnswerKind::node, 10);
    Dataset other = data;
    other.graphs[3].features[0] = 5;
    const GnnShape shape = shape_for(data, EdgeFunction::linear, 3);
    GnnBatches<float> batches(shape, data.schema);
    try {
        batches.load(other, {&other.examples[2], &other.examples[3]}, Loading{});
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("sample:4: node 0 has features"));
    }
}

TEST(GnnLabels, AnUnseenTripleSendsNothing) {
    const Dataset data = labelled_graphs(7, AnswerKind::node, 1);
    ASSERT_GT(data.graphs[0].graph.edges(), 0);
    GnnShape shape = shape_for(data, EdgeFunction::linear, 3);
    shape.labels.triples.clear();
    GnnRig<double> rig(data, shape, 1);
    EXPECT_EQ(rig.batch().messages.dropped(), 2 * data.graphs[0].graph.edges());
    EXPECT_TRUE(rig.batch().messages.groups.empty());
    ASSERT_TRUE(rig.network.settle(rig.batch(), rig.parameters.data(), rig.prepared.data(), rig.work));
    for (int i = 0; i < rig.batch().chunk.nodes * rig.network.width(); ++i)
        EXPECT_EQ(rig.work.h.data()[i], 0);
}

// The same graph with its nodes the other way round gives the same scores the other way round.
TEST(Gnn, NodeOrderDoesNotMatter) {
    for (EdgeFunction f : {EdgeFunction::linear, EdgeFunction::neural}) {
        Dataset data = labelled_graphs(9, AnswerKind::node, 2, 7), turned = data;
        for (std::size_t g = 0; g < data.graphs.size(); ++g) {
            const int nodes = data.graphs[g].graph.nodes();
            std::vector<Edge> edges;
            const Graph& graph = data.graphs[g].graph;
            for (int s = 0; s < graph.slots(); s += 2)
                for (int i = graph.slot_begin(s); i < graph.slot_end(s); ++i)
                    for (int u : graph.neighbours(i))
                        edges.push_back({nodes - 1 - u, s / 2, nodes - 1 - graph.row(i)});
            turned.graphs[g].graph = Graph(nodes, edges);
            for (int i = 0; i < 2 * nodes; ++i)
                turned.graphs[g].features[i] = data.graphs[g].features[2 * (nodes - 1 - i / 2) + i % 2];
            turned.examples[g].arguments[0] = nodes - 1 - data.examples[g].arguments[0];
        }
        const GnnShape shape = shape_for(data, f, 3);
        GnnRig<double> a(data, shape, 5), b(turned, shape, 5);
        for (auto* rig : {&a, &b}) rig->network.prepare(rig->parameters.data(), rig->prepared.data());
        const double* out_a =
            a.network.outputs(a.batch(), a.parameters.data(), a.prepared.data(), a.work, a.team);
        const double* out_b =
            b.network.outputs(b.batch(), b.parameters.data(), b.prepared.data(), b.work, b.team);
        ASSERT_TRUE(out_a != nullptr && out_b != nullptr);
        const auto& start = a.batch().chunk.graph_start;
        for (int g = 0; g < 2; ++g)
            for (int v = start[g]; v < start[g + 1]; ++v)
                EXPECT_NEAR(out_a[v * padding], out_b[(start[g] + start[g + 1] - 1 - v) * padding], 1e-10);
    }
}

TEST(Gnn, GradientIsTheSameBitsAtAnyNumberOfThreads) {
    for (EdgeFunction f : {EdgeFunction::linear, EdgeFunction::neural}) {
        const Dataset data = labelled_graphs(2, AnswerKind::klass, 300);
        const GnnShape shape = shape_for(data, f, 5);
        const auto architecture = make_gnn(shape);
        std::vector<const Example*> examples;
        for (const Example& e : data.examples) examples.push_back(&e);
        std::vector<float> parameters(architecture->layout().size()), first;
        Random random(1);
        architecture->layout().initialise(random, parameters.data());
        double loss = NAN;
        for (int threads : {0, 1, 3}) {
            ThreadPool pool(std::max(1, threads));
            Learner<float> learner(architecture->passes(data.schema, pool.workers(), Keep::all),
                                   threads > 0 ? &pool : nullptr);
            std::vector<float> gradient(parameters.size(), NAN);
            learner.load(data, examples, true);
            const Outcome outcome = learner.evaluate(parameters.data(), gradient.data());
            ASSERT_TRUE(std::isfinite(outcome.loss));
            EXPECT_EQ(outcome.answers, 300);
            if (threads == 0) {
                first = gradient;
                loss = outcome.loss;
            }
            EXPECT_EQ(gradient, first);
            EXPECT_EQ(outcome.loss, loss);
        }
    }
}

// W_1 = 3 I, W_2 = -3 I: states swing between two values for ever.
TEST(Gnn, StatesThatNeverSettleFollowThePenalty) {
    const Dataset data = labelled_graphs(9, AnswerKind::node, 3);
    GnnRig<double> rig(data, shape_for(data, EdgeFunction::neural, 2), 5);
    for (const Tensor& t : rig.network.layout().tensors()) {
        if (!t.name.starts_with("f.")) continue;
        for (int i = 0; i < t.rows; ++i)
            for (int j = 0; j < t.cols; ++j)
                rig.parameters[t.offset + static_cast<std::size_t>(i) * t.ld + j] =
                    t.name.ends_with("b_2") ? 0.01
                    : t.rows > 1 && i == j  ? (t.name.ends_with("W_1") ? 3 : -3)
                                            : 0;
    }
    rig.network.prepare(rig.parameters.data(), rig.prepared.data());
    EXPECT_EQ(
        rig.network.outputs(rig.batch(), rig.parameters.data(), rig.prepared.data(), rig.work, rig.team),
        nullptr);
    EXPECT_EQ(rig.work.iterations, rig.network.most_iterations() + 1);
    const Outcome outcome =
        rig.network.run(rig.batch(), rig.parameters.data(), rig.prepared.data(), false, rig.work, rig.team);
    EXPECT_EQ(outcome.loss, INFINITY);
    EXPECT_EQ(outcome.solved, 0);
    double before = NAN, after = NAN;
    const auto gradient = rig.gradient(&before);
    ASSERT_TRUE(std::isfinite(before) && before > 0);
    double size = 0;
    for (double g : gradient) size += g * g;
    ASSERT_GT(size, 0);
    for (std::size_t i = 0; i < gradient.size(); ++i)
        rig.parameters[i] -= 1e-3 * gradient[i] / std::sqrt(size);
    rig.gradient(&after);
    EXPECT_LT(after, before);
}

TEST(Gnn, ParametersThatAreNotFiniteEndInAnInfiniteLoss) {
    for (EdgeFunction f : {EdgeFunction::linear, EdgeFunction::neural}) {
        const Dataset data = labelled_graphs(9, AnswerKind::node, 3);
        GnnRig<double> rig(data, shape_for(data, f, 2), 5);
        rig.scale(f == EdgeFunction::linear ? "b" : "b_2", NAN);
        double value = 0;
        rig.gradient(&value);
        EXPECT_FALSE(std::isfinite(value));
    }
}

} // namespace
} // namespace ggsnn
