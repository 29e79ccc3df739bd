// The original graph neural network: Almeida-Pineda gradients against unrolling and against finite
// differences, the penalty, contraction, labels, threads, and what happens when states do not settle.
#include "differences.hpp"
#include "gnn_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using namespace test;

struct Case {
    const char* name;
    EdgeFunction f;
    AnswerKind answer;
    int state;
    int graphs = 3;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << c.name;
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (EdgeFunction f : {EdgeFunction::linear, EdgeFunction::neural}) {
        const bool l = f == EdgeFunction::linear;
        all.push_back({l ? "linear_node" : "neural_node", f, AnswerKind::node, 3});
        all.push_back({l ? "linear_class" : "neural_class", f, AnswerKind::klass, 3});
        all.push_back({l ? "linear_values" : "neural_values", f, AnswerKind::values, 2});
        all.push_back({l ? "linear_node_classes" : "neural_node_classes", f, AnswerKind::node_classes, 4});
        all.push_back({l ? "linear_node_values" : "neural_node_values", f, AnswerKind::node_values, 3});
        all.push_back({l ? "linear_one_state" : "neural_one_state", f, AnswerKind::node, 1});
        all.push_back({l ? "linear_nine_states" : "neural_nine_states", f, AnswerKind::klass, 9, 1});
    }
    return all;
}

class GnnGradient : public testing::TestWithParam<Case> {
  protected:
    GnnGradient()
        : data_(labelled_graphs(5, GetParam().answer, GetParam().graphs)),
          rig_(data_, shape_for(data_, GetParam().f, GetParam().state), 11) {
        if (GetParam().f == EdgeFunction::linear) rig_.scale("Xi", 2);
    }

    void compare_with_differences() {
        double value = NAN;
        auto gradient = rig_.gradient(&value);
        ASSERT_TRUE(std::isfinite(value));
        const auto loss = [&] {
            rig_.gradient(&value);
            return value;
        };
        const ParameterLayout& layout = rig_.network.layout();
        EXPECT_GT(test::compare_with_differences(layout, rig_.parameters, gradient, loss), layout.count() / 2)
            << "most parameters matter for random graphs";
    }

    Dataset data_;
    GnnRig<double> rig_;
};

TEST_P(GnnGradient, AgreesWithUnrolling) {
    rig_.scale("W_2", 0.5);
    double value = NAN;
    auto gradient = rig_.gradient(&value);
    ASSERT_LT(
        rig_.network.jacobian_norm(rig_.batch(), rig_.parameters.data(), rig_.prepared.data(), rig_.work),
        0.9)
        << "the reference has no penalty";
    UnrolledGnn reference(rig_, 320);
    const auto unrolled = reference.gradient();
    EXPECT_NEAR(value, reference.loss, 1e-11);
    const ParameterLayout& layout = rig_.network.layout();
    EXPECT_GT(
        test::compare_gradient(layout, gradient, {1e-9, 1e-9}, [&](std::size_t at) { return unrolled[at]; }),
        layout.count() / 2);
}

TEST_P(GnnGradient, AgreesWithFiniteDifferences) {
    compare_with_differences();
}

class GnnPenalty : public GnnGradient {};

// Far above mu, where the penalty is most of the loss.
TEST_P(GnnPenalty, AgreesWithFiniteDifferences) {
    const GnnShape strict = shape_for(data_, EdgeFunction::neural, GetParam().state, 0.05);
    const auto parameters = rig_.parameters;
    GnnRig<double> rig(data_, strict, 11);
    rig.parameters = parameters;
    double value = NAN;
    rig.gradient(&value);
    ASSERT_TRUE(std::isfinite(value));
    const double plain =
        rig.network.run(rig.batch(), rig.parameters.data(), rig.prepared.data(), false, rig.work, rig.team)
            .loss;
    EXPECT_GT(value - plain, 0.01) << "the penalty is at work";
    rig_.network = Gnn<double>(strict);
    compare_with_differences();
}

TEST_P(GnnGradient, PadsStayZero) {
    double value = NAN;
    auto gradient = rig_.gradient(&value);
    for (const Tensor& t : rig_.network.layout().tensors())
        for (int i = 0; i < t.rows; ++i)
            for (int j = 0; j < t.cols; ++j) gradient[t.offset + static_cast<std::size_t>(i) * t.ld + j] = 0;
    for (double g : gradient) ASSERT_EQ(g, 0);
}

std::vector<Case> neural_cases() {
    std::vector<Case> all = cases();
    std::erase_if(all, [](const Case& c) { return c.f == EdgeFunction::linear; });
    return all;
}

INSTANTIATE_TEST_SUITE_P(NeuralNetworks, GnnPenalty, testing::ValuesIn(neural_cases()),
                         [](const auto& instance) { return std::string(instance.param.name); });
INSTANTIATE_TEST_SUITE_P(AllNetworks, GnnGradient, testing::ValuesIn(cases()),
                         [](const auto& instance) { return std::string(instance.param.name); });

} // namespace
} // namespace ggsnn
