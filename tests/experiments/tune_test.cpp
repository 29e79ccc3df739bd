// The search for settings: what it chooses depends on the seed alone, it goes on from what is there, it keeps
// to what the user set, and the recipe is its first trial.
#include "ggsnn/experiments/tune.hpp"

#include "folder.hpp"
#include "ggsnn/nn/kinds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace ggsnn {
namespace {

// Rings of even and odd length, to be told apart; enough to rank settings by.
Dataset rings(int count, std::uint64_t seed) {
    Dataset data;
    data.schema.answer = AnswerKind::klass;
    data.schema.edge_types = Vocabulary({"next"});
    data.schema.question_types = Vocabulary({"parity"});
    data.schema.classes = Vocabulary({"even", "odd"});
    data.schema.arguments = 1;
    Random random(seed);
    for (int i = 0; i < count; ++i) {
        const int n = 3 + static_cast<int>(random.below(4));
        std::vector<Edge> edges;
        for (int v = 0; v < n; ++v) edges.push_back({v, 0, (v + 1) % n});
        data.graphs.push_back({Graph(n, edges), {}, {}});
        Example e;
        e.graph = i;
        e.arguments = {0};
        e.labels = {n % 2};
        data.examples.push_back(e);
    }
    return data;
}

struct Search {
    Dataset train = rings(24, 1), valid = rings(12, 2);
    TuneOptions options;
    ggsnn::testing::Folder folder;
    Search() {
        options.recipe = recipe_for(train);
        options.recipe.network = {{"state", 6}, {"steps", 4}};
        options.recipe.updates = 36;
        options.recipe.restarts = 1;
        options.recipe.ensemble = 1;
        options.rounds = 1;
        options.folder = folder / "runs";
        options.fingerprint = "rings";
    }
    TuneResult run(int threads = 1) const {
        ThreadPool pool(threads);
        Progress progress(true);
        return tune(train, valid, options, pool, progress);
    }
};

TEST(Tune, TheSameSeedChoosesTheSameAtAnyNumberOfThreads) {
    const Search one, two;
    const TuneResult a = one.run(1), b = two.run(2);
    EXPECT_EQ(to_json(a), to_json(b));
    EXPECT_EQ(encode_model(a.model), encode_model(b.model));
    EXPECT_EQ(a.trials.size(), 1u + 9u);
    EXPECT_EQ(std::count_if(a.trials.begin(), a.trials.end(), [](const TuneTrial& t) { return t.complete; }),
              2);
    Search other;
    other.options.recipe.seed = 2;
    EXPECT_NE(to_json(other.run()), to_json(a));
}

TEST(Tune, IsNeverWorseThanTheRecipe) {
    const TuneResult result = Search().run();
    const auto recipe = std::find_if(result.trials.begin(), result.trials.end(),
                                     [](const TuneTrial& t) { return t.number == 0; });
    ASSERT_NE(recipe, result.trials.end());
    EXPECT_TRUE(recipe->complete);
    EXPECT_TRUE(recipe->choice.empty());
    EXPECT_LE(result.trials.front().error, recipe->error);
}

TEST(Tune, GoesOnFromWhatIsThere) {
    Search search;
    const TuneResult first = search.run();
    std::map<std::string, std::filesystem::file_time_type> times;
    for (const auto& entry : std::filesystem::directory_iterator(search.options.folder))
        times[entry.path().string()] = entry.last_write_time();
    search.options.rounds = 2;
    const TuneResult second = search.run();
    EXPECT_EQ(second.trials.size(), first.trials.size() + 9);
    for (const auto& [path, time] : times) EXPECT_EQ(std::filesystem::last_write_time(path), time) << path;
    // With no time left nothing new begins; what is there still gives a model.
    search.options.rounds = 3;
    search.options.seconds = 1e-9;
    const TuneResult third = search.run();
    EXPECT_GE(third.trials.size(), 1u);
    EXPECT_LT(third.rounds, 3);
}

TEST(Tune, KeepsToWhatTheUserSet) {
    Search search;
    search.options.fixed = {"state", "steps", "learning_rate"};
    for (const TuneTrial& t : search.run().trials)
        for (const char* name : {"state", "steps", "learning_rate"}) EXPECT_FALSE(t.choice.contains(name));
}

TEST(Tune, JudgesByFolds) {
    Search search;
    search.options.folds = 3;
    search.options.trials = 3;
    const TuneResult result = search.run();
    EXPECT_EQ(result.trials.size(), 4u);
    EXPECT_TRUE(std::isfinite(result.trials.front().error));
    search.options.folds = 20;
    EXPECT_THROW(search.run(), UsageError) << "fewer than two questions a fold";
}

// One graph, some of whose nodes train and some validate: folds are of nodes.
TEST(Tune, FoldsOfOneGraphAreOfItsNodes) {
    Search search;
    Dataset& train = search.train;
    train.schema.answer = AnswerKind::node_classes;
    train.schema.arguments = 0;
    train.schema.features = 1;
    constexpr int n = 30;
    std::vector<Edge> edges;
    for (int v = 0; v + 1 < n; ++v) edges.push_back({v, 0, v + 1});
    Example all;
    GraphRecord record{Graph(n, edges), {}, {}};
    for (int v = 0; v < n; ++v) {
        record.features.push_back(static_cast<float>(v % 2));
        all.labels.push_back(v % 2);
        all.split.push_back(v < 20 ? Part::train : Part::valid);
    }
    train.graphs = {record};
    search.valid = train;
    train.examples = {*part_of(all, Part::train)};
    search.valid.examples = {*part_of(all, Part::valid)};
    search.options.recipe.network = {{"state", 6}, {"steps", 2}};
    search.options.folds = 3;
    search.options.trials = 3;
    const TuneResult result = search.run();
    EXPECT_EQ(result.trials.size(), 4u);
    EXPECT_LE(result.trials.front().error, 0.5);
}

TEST(Tune, DrawsAPicture) {
    const std::string picture = draw(Search().run(), false);
    EXPECT_NE(picture.find("<svg"), std::string::npos);
    EXPECT_NE(picture.find("recipe"), std::string::npos);
}

} // namespace
} // namespace ggsnn
