// Answers of models with random parameters: they follow the equations, whatever the graph looks like; they
// do not depend on how nodes are numbered, on what else is asked, or on the number of threads.
#include "ggsnn/nn/ggnn/passes.hpp"
#include "plain.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace ggsnn {
namespace {

using namespace test;

void expect_close(const std::vector<double>& found, const std::vector<double>& expected, double bound) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_TRUE(std::abs(found[i] - expected[i]) <= bound * (1 + std::abs(expected[i])))
            << "entry " << i << ": " << found[i] << ", expected " << expected[i];
}

// The same graph and question with node v called to[v].
Draft renumbered(const Draft& draft, const Schema& schema, const std::vector<int>& to) {
    Draft out = draft;
    for (Edge& e : out.edges) e = {to[e.source], e.type, to[e.target]};
    for (int& a : out.example.arguments) a = to[a];
    for (int v = 0; v < draft.nodes; ++v)
        for (int j = 0; j < schema.features; ++j)
            out.features[static_cast<std::size_t>(to[v]) * schema.features + j] =
                draft.features[static_cast<std::size_t>(v) * schema.features + j];
    return out;
}

struct Setting {
    AnswerKind kind;
    Variant variant;
    Directions directions = Directions::apart;
    int state = 7;
};

std::vector<Setting> settings() {
    std::vector<Setting> all;
    for (AnswerKind kind : all_kinds())
        for (Variant variant : {Variant::paper, Variant::authors}) {
            all.push_back({kind, variant});
            all.push_back({kind, variant, Directions::added});
            all.push_back({kind, variant, Directions::added, 20});
            // Weights are packed from 43 states on.
            all.push_back(
                {kind, variant, kind == AnswerKind::node ? Directions::apart : Directions::added, 50});
        }
    return all;
}

class Answers : public ::testing::TestWithParam<Setting> {
  protected:
    AnswerKind kind() const { return GetParam().kind; }
    Model model(std::uint64_t seed = 5, int members = 1) const {
        return random_model(schema_of(kind(), 2), seed, GetParam().variant, members, GetParam().state,
                            GetParam().directions);
    }
};

INSTANTIATE_TEST_SUITE_P(All, Answers, ::testing::ValuesIn(settings()), [](const auto& instance) {
    return std::string(name_of(instance.param.kind)) +
           (instance.param.variant == Variant::paper ? "_paper" : "_authors") +
           (instance.param.directions == Directions::added ? "_added" : "") +
           std::to_string(instance.param.state);
});

TEST_P(Answers, FollowTheEquations) {
    const Model model = this->model(5, 2);
    Random random(31);
    std::vector<Draft> drafts;
    for (int i = 0; i < 40; ++i) drafts.push_back(random_draft(random, model.schema));
    const auto predictions = predict(model, data_of(model.schema, drafts));
    for (std::size_t i = 0; i < drafts.size(); ++i) {
        SCOPED_TRACE(i);
        const auto& lists = predictions[i].lists;
        const auto expected = plain_lists(
            model, drafts[i], is_sequence(model.schema.answer) ? static_cast<int>(lists.size()) : 1);
        ASSERT_EQ(lists.size(), expected.size());
        for (std::size_t k = 0; k < lists.size(); ++k) expect_close(lists[k], expected[k], 2e-5);
    }
}

TEST_P(Answers, DoNotDependOnHowNodesAreNumbered) {
    const Model model = this->model();
    const bool over_nodes = selects_node(model.schema.answer);
    const bool by_node = is_each_node(kind());
    Random random(77);
    int moved = 0;
    for (int round = 0; round < 150; ++round) {
        SCOPED_TRACE(round);
        const Draft draft = random_draft(random, model.schema, 12);
        std::vector<int> to(draft.nodes);
        std::iota(to.begin(), to.end(), 0);
        random.shuffle(to);
        moved += std::is_sorted(to.begin(), to.end()) ? 0 : 1;
        const Draft other = renumbered(draft, model.schema, to);
        to.push_back(draft.nodes); // 'end' stays the last
        const auto before = predict(model, data_of(model.schema, {draft}))[0];
        const auto after = predict(model, data_of(model.schema, {other}))[0];
        ASSERT_EQ(before.lists.size(), after.lists.size());
        for (std::size_t k = 0; k < before.lists.size(); ++k) {
            const auto& found = after.lists[by_node ? to[k] : k];
            std::vector<double> expected(before.lists[k].size());
            for (std::size_t i = 0; i < expected.size(); ++i)
                expected[over_nodes ? to[i] : i] = before.lists[k][i];
            expect_close(found, expected, 5e-6);
        }
        ASSERT_EQ(before.labels.size(), after.labels.size());
        for (std::size_t k = 0; k < before.labels.size(); ++k) {
            const int label = over_nodes ? to[before.labels[k]] : before.labels[k];
            const std::size_t at = by_node ? to[k] : k;
            // Nodes that no network can tell apart are equally probable: either may come first.
            EXPECT_TRUE(after.labels[at] == label ||
                        std::abs(after.lists[at][label] - after.lists[at][after.labels[at]]) < 1e-5);
        }
    }
    EXPECT_GT(moved, 100);
}

TEST_P(Answers, DoNotDependOnWhatElseIsAskedOrOnThreads) {
    const Model model = this->model(9, 2);
    Random random(3);
    const Dataset data = random_data(random, model.schema, 300, 20);
    const auto together = predict(model, data);
    for (int threads : {1, 2, 3}) {
        ThreadPool pool(threads);
        const auto found = predict(model, data, &pool);
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_EQ(found[i].lists, together[i].lists) << threads << " threads";
    }
    for (std::size_t i = 0; i < data.examples.size(); i += 7) {
        std::vector<Prediction> alone;
        Predictor(model, nullptr).predict(data, {&data.examples[i]}, alone);
        ASSERT_EQ(alone[0].lists, together[i].lists) << i;
        ASSERT_EQ(alone[0].labels, together[i].labels) << i;
    }
}

TEST_P(Answers, DoNotDependOnTheOrderOfEdges) {
    const Model model = this->model();
    Random random(8);
    for (int round = 0; round < 20; ++round) {
        Draft draft = random_draft(random, model.schema);
        const auto before = predict(model, data_of(model.schema, {draft}))[0].lists;
        random.shuffle(draft.edges);
        EXPECT_EQ(predict(model, data_of(model.schema, {draft}))[0].lists, before);
    }
}

Draft pair_of_nodes(std::vector<Edge> edges) {
    Draft draft;
    draft.nodes = 3;
    draft.edges = std::move(edges);
    draft.features = {0.3f, -0.2f, 0.9f, 0.4f, -0.5f, 0.1f};
    draft.example.arguments = {0, 1};
    return draft;
}

TEST_P(Answers, SeeEveryEdge) {
    const Model model = this->model();
    const auto answer = [&](std::vector<Edge> edges) {
        return predict(model, data_of(model.schema, {pair_of_nodes(std::move(edges))}))[0].lists;
    };
    const auto once = answer({{0, 0, 1}});
    EXPECT_NE(once, answer({})) << "an edge matters";
    EXPECT_NE(once, answer({{0, 0, 1}, {0, 0, 1}})) << "a parallel edge counts again";
    EXPECT_NE(once, answer({{0, 1, 1}})) << "its type matters";
    EXPECT_NE(once, answer({{1, 0, 0}})) << "its direction matters";
    EXPECT_NE(once, answer({{0, 0, 1}, {2, 2, 2}})) << "so does a self loop";
}

TEST_P(Answers, WeightsOfMissingEdgeTypesDoNotMatter) {
    Model model = this->model();
    const Dataset data = data_of(model.schema, {pair_of_nodes({{0, 0, 1}, {1, 0, 2}})});
    const auto before = predict(model, data)[0].lists;
    const Network<float> network(gated_shape(*model.network));
    int changed = 0;
    for (const Tensor& t : network.layout().tensors()) {
        if (t.name.find("A.1.") == std::string::npos && t.name.find("A.2.") == std::string::npos) continue;
        for (int i = 0; i < t.rows; ++i)
            for (int j = 0; j < t.cols; ++j, ++changed)
                model.networks[0][0][t.offset + static_cast<std::size_t>(i) * t.ld + j] = 100;
    }
    ASSERT_GT(changed, 0);
    EXPECT_EQ(predict(model, data)[0].lists, before);
}

// Graphs above the size from which one graph's rows are split over threads, together with small ones and
// with each other.
TEST(LargeGraphs, AreAnsweredAlikeAloneAndTogetherAtAnyNumberOfThreads) {
    for (AnswerKind kind : {AnswerKind::node, AnswerKind::klass, AnswerKind::node_values}) {
        const Model model = random_model(schema_of(kind), 5);
        Random random(4);
        std::vector<Draft> drafts;
        for (int i = 0; i < 12; ++i) {
            Draft draft = random_draft(random, model.schema);
            if (i % 3 == 0) {
                draft.nodes = large_rows + 500 + 100 * i;
                draft.edges = random_edges(random, draft.nodes, 3, 2 * draft.nodes);
                draft.features.assign(static_cast<std::size_t>(draft.nodes) * 2, 0.25f);
            }
            drafts.push_back(draft);
        }
        const Dataset data = data_of(model.schema, drafts);
        const auto expected = predict(model, data);
        for (int threads : {1, 2, 3, 4}) {
            ThreadPool pool(threads);
            for (int round = 0; round < 3; ++round) {
                const auto found = predict(model, data, &pool);
                for (std::size_t i = 0; i < found.size(); ++i) {
                    ASSERT_EQ(found[i].lists.size(), expected[i].lists.size())
                        << name_of(kind) << " " << threads << " threads";
                    for (std::size_t k = 0; k < found[i].lists.size(); ++k)
                        expect_close(found[i].lists[k], expected[i].lists[k], 1e-6);
                }
            }
        }
    }
}

// Weights that no training gives, and that a file may hold all the same.
TEST(ExtremeWeights, GiveProbabilities) {
    int overflows = 0, asked = 0;
    for (AnswerKind kind : all_kinds()) {
        for (float size : {1e4F, 1e20F, 1e38F}) {
            for (std::uint64_t seed = 1; seed < 6; ++seed) {
                Model model = random_model(schema_of(kind), seed, Variant::authors, 2);
                for (auto& member : model.networks[0])
                    for (float& w : member) w = std::clamp(w * size, -3e38F, 3e38F);
                Random random(seed);
                const Dataset data = random_data(random, model.schema, 10);
                for (const Prediction& p : predict(model, data)) {
                    ++asked;
                    overflows += p.overflow ? 1 : 0;
                    if (is_regression(kind)) continue;
                    for (const auto& list : p.lists) {
                        ASSERT_NEAR(std::accumulate(list.begin(), list.end(), 0.0), 1, 1e-9) << name_of(kind);
                        for (double v : list) ASSERT_TRUE(v >= 0 && v <= 1) << name_of(kind);
                    }
                }
            }
        }
    }
    EXPECT_GT(overflows, 10) << "extreme enough to be a test";
    EXPECT_LT(overflows, asked / 2);
}

} // namespace
} // namespace ggsnn
