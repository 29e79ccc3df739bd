// The first step's own way (first_step.hpp) against the equations, and a whole network with it against the
// same network without it.
#include "ggsnn/nn/ggnn/first_step.hpp"
#include "samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace ggsnn {
namespace {

using test::random_chunk;
using test::Rig;

GatedShape shape_of(Variant variant, Directions directions, bool sequence, int edge_types) {
    GatedShape shape;
    shape.directions = directions;
    shape.variant = variant;
    shape.answer = sequence ? AnswerKind::node_sequence : AnswerKind::node;
    shape.shared_propagation = false;
    shape.state = 13;
    shape.annotation = 3;
    shape.edge_types = edge_types;
    shape.steps = 2;
    return shape;
}

std::map<std::string, Tensor> by_name(const ParameterLayout& layout) {
    std::map<std::string, Tensor> all;
    for (const Tensor& tensor : layout.tensors()) all.emplace(tensor.name, tensor);
    return all;
}

bool has_first_step(const Network<double>& network) {
    return network.gradient_size() > network.layout().size();
}

// Edge types that no graph has make S too deep to be worth it, and change nothing else.
TEST(FirstStep, AgreesWithTheOtherStepsWay) {
    for (const Variant variant : {Variant::paper, Variant::authors})
        for (const bool sequence : {false, true})
            for (const Directions directions : {Directions::apart, Directions::added}) {
                const GatedShape few = shape_of(variant, directions, sequence, 2),
                                 many = shape_of(variant, directions, sequence, 20);
                Random random(31), again(31);
                const Chunk<double> chunk = random_chunk<double>(random, few, 6);
                const Chunk<double> same = random_chunk<double>(again, many, 6, 6, few.edge_types);
                Rig<double> with(few, 3), without(many, 5);
                ASSERT_TRUE(has_first_step(with.network));
                ASSERT_FALSE(has_first_step(without.network));
                const auto places = by_name(without.network.layout());
                const auto each = [&](auto body) {
                    for (const Tensor& tensor : with.network.layout().tensors())
                        for (int i = 0; i < tensor.rows; ++i)
                            for (int j = 0; j < tensor.cols; ++j) {
                                const Tensor& other = places.at(tensor.name);
                                body(tensor.offset + static_cast<std::size_t>(i) * tensor.ld + j,
                                     other.offset + static_cast<std::size_t>(i) * other.ld + j);
                            }
                };
                each([&](std::size_t a, std::size_t b) { without.parameters[b] = with.parameters[a]; });
                double loss = NAN, expected_loss = NAN;
                const auto gradient = with.gradient(chunk, Keep::all, &loss);
                const auto expected = without.gradient(same, Keep::all, &expected_loss);
                EXPECT_NEAR(loss, expected_loss, 1e-12);
                EXPECT_NEAR(with.loss(chunk), expected_loss, 1e-12) << "inference";
                each([&](std::size_t a, std::size_t b) {
                    ASSERT_NEAR(gradient[a], expected[b], 1e-12 + 1e-10 * std::abs(expected[b])) << a;
                });
            }
}

TEST(FirstStep, SumsHoldAnnotationsAndDegreesBySlot) {
    Chunk<float> chunk;
    chunk.reset(1, 2);
    const std::vector<Edge> edges = {{0, 0, 1}, {2, 0, 1}, {1, 0, 1}};
    chunk.append(Graph(3, edges));
    for (int v = 0; v < 3; ++v) {
        chunk.annotation_row(v)[0] = static_cast<float>(v + 1);
        chunk.annotation_row(v)[1] = static_cast<float>(10 * (v + 1));
    }
    PropagationOffsets at;
    at.d = 9;
    at.slots = 2;
    const FirstStep<float> authors(at, 2);
    ASSERT_TRUE(authors.worth());
    ASSERT_EQ(authors.depth(), 6);
    std::vector<float> s(2 * authors.width(), NAN);
    authors.sums(chunk, chunk.x.data(), 1, 3, s.data());
    EXPECT_EQ(std::vector<float>(s.begin(), s.begin() + 8), (std::vector<float>{6, 60, 3, 2, 20, 1, 0, 0}));
    EXPECT_EQ(std::vector<float>(s.begin() + 8, s.end()), (std::vector<float>{0, 0, 0, 2, 20, 1, 0, 0}));
    at.authors = false;
    const FirstStep<float> paper(at, 2);
    ASSERT_EQ(paper.depth(), 5);
    paper.sums(chunk, chunk.x.data(), 2, 3, s.data());
    EXPECT_EQ(std::vector<float>(s.begin(), s.begin() + 8), (std::vector<float>{0, 0, 2, 20, 1, 0, 0, 0}));
}

TEST(FirstStep, IsForStatesThatAreWideAndSumsThatAreNot) {
    PropagationOffsets at;
    at.slots = 4;
    at.d = 8; // narrow.hpp
    EXPECT_FALSE(FirstStep<float>(at, 2).worth());
    at.d = 9;
    EXPECT_TRUE(FirstStep<float>(at, 5).worth()) << "24 numbers for 18 of a, at most 27";
    EXPECT_FALSE(FirstStep<float>(at, 6).worth()) << "28";
    at.sides = 1;
    EXPECT_TRUE(FirstStep<float>(at, 2).worth()) << "12 numbers for 9 of a, at most 13";
    EXPECT_FALSE(FirstStep<float>(at, 3).worth()) << "16";
    at.sides = 2;
    at.slots = 0;
    EXPECT_FALSE(FirstStep<float>(at, 4).worth()) << "no edges";
}

} // namespace
} // namespace ggsnn
