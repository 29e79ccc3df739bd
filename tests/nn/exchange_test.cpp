// Names that are exchanged in training: in edges and answers alike, and nowhere else.
#include "ggsnn/nn/train/exchange.hpp"

#include "ggsnn/nn/edges.hpp"
#include "ggsnn/nn/train/trainer.hpp"
#include "models.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace ggsnn {
namespace {

using namespace test;

// A chain of edges; the answer is the types along it. Only some of the twelve pairs of types are shown.
Dataset chains(const std::vector<std::pair<int, int>>& pairs) {
    Dataset data;
    data.schema.answer = AnswerKind::class_sequence;
    data.schema.edge_types = Vocabulary({"n", "e", "s", "w", "near"});
    data.schema.classes = Vocabulary({"w", "s", "e", "n", "none"});
    data.schema.question_types = Vocabulary({"path"});
    data.schema.arguments = 2;
    for (const auto& [first, second] : pairs) {
        Draft draft;
        draft.nodes = 5;
        draft.edges = {{0, first, 1}, {1, second, 2}, {0, second, 3}, {1, first, 4}, {3, 4, 4}};
        draft.example.arguments = {0, 2};
        draft.example.labels = {3 - first, 3 - second};
        add(data, draft);
    }
    return data;
}

TrainOptions options_of(int exchanged) {
    TrainOptions options;
    options.exchanged = exchanged;
    return options;
}

TEST(Exchange, ConcernsNamesThatAreEdgesAndAnswers) {
    Dataset data = chains({{0, 1}});
    EXPECT_EQ(exchangeable_names(data.schema),
              (std::vector<std::pair<int, int>>{{3, 0}, {2, 1}, {1, 2}, {0, 3}}));
    data.schema.question_types = Vocabulary({"e"});
    EXPECT_EQ(exchangeable_names(data.schema).size(), 3u) << "a question type keeps its name";
    data.schema.classes = Vocabulary({"yes", "no"});
    EXPECT_TRUE(exchangeable_names(data.schema).empty());
    EXPECT_FALSE(with_exchanged_names(data, options_of(5)));
    EXPECT_FALSE(with_exchanged_names(chains({{0, 1}}), options_of(0)));
}

TEST(Exchange, CopiesDifferAndAnswerAsTheirEdgesSay) {
    const Dataset data = chains({{0, 1}, {2, 3}});
    const auto all = with_exchanged_names(data, options_of(23));
    ASSERT_TRUE(all);
    ASSERT_EQ(all->graphs.size(), 2u + 2 * 23u) << "every exchange of four names";
    std::set<std::vector<int>> drawn;
    for (const Example& e : all->examples) {
        const std::vector<Edge> edges = edges_of(all->graphs[static_cast<std::size_t>(e.graph)].graph);
        const auto type = [&](int source, int target) {
            return std::find_if(
                       edges.begin(), edges.end(),
                       [&](const Edge& edge) { return edge.source == source && edge.target == target; })
                ->type;
        };
        EXPECT_EQ(e.labels, (std::vector{3 - type(0, 1), 3 - type(1, 2)}));
        EXPECT_EQ(type(3, 4), 4) << "a name that is no answer stays";
        EXPECT_EQ(type(1, 4), type(0, 1));
        EXPECT_EQ(e.arguments, (std::vector{0, 2}));
        if (e.graph >= 2) drawn.insert({e.labels[0], e.labels[1], e.graph});
    }
    EXPECT_EQ(drawn.size(), 46u);
    EXPECT_EQ(with_exchanged_names(data, options_of(500))->graphs.size(), 48u) << "there are no more";
    const auto again = with_exchanged_names(data, options_of(3)),
               other = with_exchanged_names(data, options_of(3));
    for (std::size_t i = 0; i < again->examples.size(); ++i)
        EXPECT_EQ(again->examples[i].labels, other->examples[i].labels);
}

// Three of twelve pairs are enough to learn all of them; every third run has to do without.
TEST(Exchange, TeachesWhatWasNotShown) {
    const Dataset data = chains({{0, 1}, {1, 2}, {2, 3}, {3, 0}}),
                  valid = chains({{0, 2}, {0, 3}, {1, 0}, {1, 3}, {2, 0}, {2, 1}, {3, 1}, {3, 2}});
    TrainOptions options = options_of(23);
    options.network = {{"state", 10}, {"steps", 2}};
    options.learning_rate = 0.02;
    options.updates = 400;
    options.restarts = 3;
    options.l1 = 0.02;
    ThreadPool pool(1);
    const Model model = train(data, valid, options, pool);
    double with = 1, without = -1;
    for (const Json& run : model.training.at("runs")) {
        double& error = run.at("restart") == 2 ? without : with;
        error = run.at("restart") == 2 ? run.at("valid_error").get<double>()
                                       : std::min(with, run.at("valid_error").get<double>());
    }
    EXPECT_LE(with, 0.25);
    EXPECT_GT(without, with);
    EXPECT_EQ(model.training.at("train_examples"), 4) << "copies are no examples";
}

} // namespace
} // namespace ggsnn
