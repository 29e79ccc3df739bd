// Examples from the right run, search, summaries, files, baseline.
#include "ggsnn/base/files.hpp"
#include "ggsnn/logic/enumerate.hpp"
#include "ggsnn/logic/sample.hpp"
#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/shapes/baseline.hpp"
#include "ggsnn/shapes/derive.hpp"
#include "ggsnn/shapes/learn.hpp"
#include "ggsnn/shapes/shape_predict.hpp"
#include "ggsnn/shapes/summary.hpp"

#include "oracle.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include <unistd.h>

namespace ggsnn::shapes {
namespace {

using logic::Formula;
using logic::Heap;
using logic::Reading;

struct Step {
    Decision decision;
    std::vector<int> labels, active;
    std::vector<char> named, explained;
};

std::vector<Step> steps_of(const Heap& heap, const Formula& formula, bool nested) {
    std::vector<Step> steps;
    derive(heap, formula, nested, {},
           [&](Decision d, const Heap&, const Marks& m, const std::vector<int>& labels) {
               steps.push_back({d, labels, m.active, m.named, m.explained});
           });
    return steps;
}

TEST(Derive, FollowsThePapersFigure) {
    const auto steps = steps_of(panhandle(), shape("exists t . ls(b, t) * ls(t, t)"), false);
    ASSERT_EQ(steps.size(), 9u);
    EXPECT_EQ(steps[0].decision, Decision::quantify);
    EXPECT_EQ(steps[0].labels, std::vector<int>{one_more});
    EXPECT_EQ(steps[1].decision, Decision::pick);
    EXPECT_EQ(steps[1].labels, std::vector<int>{3});
    EXPECT_EQ(steps[2].labels, std::vector<int>{no_more});
    EXPECT_EQ(steps[2].named, (std::vector<char>{0, 1, 0, 1, 0}));
    EXPECT_EQ(steps[3].decision, Decision::predicate);
    EXPECT_EQ(steps[3].active, std::vector<int>{1});
    EXPECT_EQ(steps[4].decision, Decision::end);
    EXPECT_EQ(steps[4].labels, std::vector<int>{3});
    EXPECT_EQ(steps[5].decision, Decision::explain);
    EXPECT_EQ(steps[5].labels, (std::vector<int>{0, 1, 1, 0, 0}));
    EXPECT_EQ(steps[6].active, std::vector<int>{3});
    EXPECT_EQ(steps[6].explained, (std::vector<char>{0, 1, 1, 0, 0}));
    EXPECT_EQ(steps[7].labels, std::vector<int>{3}); // ls(t, t)
    EXPECT_EQ(steps[8].labels, (std::vector<int>{0, 0, 0, 1, 1}));
}

TEST(Derive, RefusesAFormulaThatDoesNotHold) {
    EXPECT_THROW(steps_of(panhandle(), shape("ls(b, NULL)"), false), Error);
}

TEST(Derive, BodiesAreAskedAboutOnTheirOwnPart) {
    Heap heap;
    for (int i = 0; i < 3; ++i) heap.add_node(true);
    heap.link(1, "next", 0);
    heap.link(1, "val", 2);
    heap.link(2, "next", 3);
    heap.link(3, "next", 0);
    heap.link(2, "val", 0);
    heap.link(3, "val", 0);
    heap.set_variable("x", 1);
    const auto steps = steps_of(heap, shape("ls(x, NULL, \\t -> ls(t, NULL))"), true);
    // x: no quantifier, ls, end, annotations; then the same for the body.
    ASSERT_EQ(steps.size(), 8u);
    EXPECT_EQ(steps[3].labels, (std::vector<int>{nothing_new, now_explained, hangs_here, nothing_new}));
    EXPECT_EQ(steps[4].named.size(), 3u); // NULL and the two cells of the body
    EXPECT_EQ(steps[7].labels, (std::vector<int>{nothing_new, now_explained, now_explained}));
}

class EveryFormula : public testing::TestWithParam<bool> {};

TEST_P(EveryFormula, IsFoundWhenEveryAnswerIsRight) {
    const bool nested = GetParam();
    const Oracle oracle(nested);
    ShapeOptions options;
    options.trace = true;
    const ShapePredictor predictor(oracle, options);
    ThreadPool pool(1);
    Random random(11);
    const auto formulas = logic::enumerate_shapes(space_of(nested, false));
    for (std::size_t f = 0; f < formulas.size(); f += nested ? 7 : 1) {
        logic::SampleSizes sizes;
        sizes.val = nested;
        std::vector<Heap> heaps;
        for (int i = 0; i < 3; ++i) heaps.push_back(logic::sample_heap(formulas[f].heaps[0], sizes, random));
        const Group group{&heaps[0], &heaps[1], &heaps[2]};
        const auto answers = predictor.predict({group}, pool);
        EXPECT_EQ(text(answers[0].alone.shape), text(formulas[f].heaps[0]));
        EXPECT_TRUE(answers[0].alone_holds);
        EXPECT_FALSE(answers[0].alone.trace.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryFormula, testing::Bool());

TEST(Search, NamesThatAreNullOrEqualBecomeEqualities) {
    Heap heap = panhandle();
    heap.set_variable("a", 0);
    heap.set_variable("c", 1);
    const Oracle oracle(false);
    ThreadPool pool(1);
    const auto answers = ShapePredictor(oracle, {}).predict({{&heap}}, pool);
    EXPECT_EQ(text(answers[0].checked.shape),
              text(shape("exists t . a = NULL * c = b * ls(b, t) * ls(t, t)").heaps[0]));
    EXPECT_TRUE(answers[0].checked_holds);
}

TEST(Search, ListsThatAreOnlyCutAreMended) {
    EXPECT_EQ(text(without_cuts(shape("exists e . ls(x, e) * ls(e, NULL) * tree(y)").heaps[0])),
              "ls(x, NULL) * tree(y)");
    for (const char* needed :
         {"exists e . ls(x, e) * ls(y, e) * ls(e, NULL)", "exists e . ls(x, e) * ls(e, e)",
          "exists e . ls(x, e, \\t -> ls(t, NULL)) * ls(e, NULL)"})
        EXPECT_EQ(text(without_cuts(shape(needed).heaps[0])), text(shape(needed).heaps[0]));
}

TEST(Search, WeakenedShapesMayBeEmptyButCyclesStay) {
    EXPECT_EQ(logic::print(weakened(shape("ls(x, y) * ls(y, y) * none(z)").heaps[0]), Reading::program),
              "ls(x, y) * ls+(y, y)");
}

TEST(Summary, KeepsTheShapeAndIsSmall) {
    Random random(5);
    const auto formulas = logic::enumerate_shapes({});
    for (const Formula& f : formulas) {
        const Heap heap = logic::sample_heap(f.heaps[0], {20, 60}, random);
        const auto summary = summarise(heap);
        ASSERT_TRUE(summary.has_value());
        EXPECT_EQ(logic::satisfies(*summary, f), logic::Truth::yes) << text(f.heaps[0]) << "\n"
                                                                    << logic::heap_text(*summary);
        EXPECT_LE(summary->nodes.size(), 40u);
    }
    EXPECT_FALSE(summarise(panhandle()).has_value());
}

TEST(Summary, NestedShapesToo) {
    Random random(6);
    logic::SampleSizes sizes{10, 20, 5, 10, true};
    const Formula f = logic::figure_three("x", "y");
    const Heap heap = logic::sample_heap(f.heaps[0], sizes, random);
    const auto summary = summarise(heap);
    ASSERT_TRUE(summary.has_value());
    EXPECT_EQ(logic::satisfies(*summary, f), logic::Truth::yes);
    EXPECT_LT(summary->nodes.size(), heap.nodes.size() / 4);
}

TEST(Baseline, GradientAgreesWithFiniteDifferences) {
    const Heap heap = panhandle();
    Marks marks(heap.nodes.size());
    marks.named[1] = 1;
    marks.active = {1};
    for (const int hidden : {0, 3})
        for (const bool compete : {false, true}) {
            Case c{features_of(Decision::end, heap, marks), {}};
            c.labels = compete ? std::vector<int>{3} : std::vector<int>{0, 1, 1, 2, 0};
            Scorer scorer;
            scorer.width = c.rows.width;
            scorer.hidden = hidden;
            scorer.outputs = compete ? 1 : 3;
            scorer.v.resize(static_cast<std::size_t>(scorer.width * hidden));
            scorer.w.resize(static_cast<std::size_t>((hidden > 0 ? hidden : scorer.width) * scorer.outputs));
            Random random(1);
            for (auto* weights : {&scorer.v, &scorer.w})
                for (double& x : *weights) x = random.uniform(-0.5, 0.5);
            std::vector<double> dv(scorer.v.size()), dw(scorer.w.size()), ignored_v(dv), ignored_w(dw);
            case_loss(scorer, c, compete, dv, dw);
            long checked = 0;
            for (auto [weights, gradient] : {std::pair(&scorer.v, &dv), std::pair(&scorer.w, &dw)})
                for (std::size_t i = 0; i < weights->size(); ++i) {
                    const double kept = (*weights)[i], step = 1e-6;
                    (*weights)[i] = kept + step;
                    const double above = case_loss(scorer, c, compete, ignored_v, ignored_w);
                    (*weights)[i] = kept - step;
                    const double below = case_loss(scorer, c, compete, ignored_v, ignored_w);
                    (*weights)[i] = kept;
                    EXPECT_NEAR((*gradient)[i], (above - below) / (2 * step), 1e-7);
                    ++checked;
                }
            EXPECT_EQ(checked, static_cast<long>(scorer.v.size() + scorer.w.size()));
        }
}

// A folder with a little data, and a model trained on it for a moment.
class SmallModel : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder = testing::TempDir() + "/shapes_test_" + std::to_string(::getpid());
        ThreadPool pool(2);
        Progress quiet(true);
        generate_heaps({false, 40, false, 6, 1, {}}, folder, pool, quiet);
    }
    static void TearDownTestSuite() { std::filesystem::remove_all(folder); }
    static ShapeModel learned(int threads) {
        LearnOptions options;
        options.updates = 60;
        options.restarts = 1;
        ThreadPool pool(threads);
        return learn_shapes(folder, options, pool);
    }
    static std::string folder;
};
std::string SmallModel::folder;

TEST_F(SmallModel, SavedAndLoadedItPredictsTheSame) {
    const ShapeModel model = learned(1);
    const std::string path = folder + "/m.ggsnn";
    save_shape_model(model, path);
    EXPECT_TRUE(is_shape_model(path));
    const ShapeModel again = load_shape_model(path);
    std::vector<LabelledHeap> heaps;
    read_labelled(folder + "/test.jsonl.gz", true,
                  [&](LabelledHeap&& item) { heaps.push_back(std::move(item)); });
    ASSERT_FALSE(heaps.empty());
    const Batches data = batches(heaps, 2);
    EXPECT_EQ(data.groups.size(), heaps.size() / 2);
    ThreadPool one(1), three(3);
    const NetworkDecider first(model), second(again);
    const auto a = ShapePredictor(first, {}).predict(data.groups, one);
    const auto b = ShapePredictor(second, {}).predict(data.groups, three);
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(text(a[i].checked.shape), text(b[i].checked.shape));
        EXPECT_EQ(a[i].alone.score, b[i].alone.score);
    }
    // Cut anywhere, a file is refused.
    const std::string bytes = read_file(path);
    for (const std::size_t keep : {std::size_t{4}, bytes.size() / 2, bytes.size() - 1})
        EXPECT_THROW(decode_shape_model(bytes.substr(0, keep), "cut"), Error);
}

TEST_F(SmallModel, IsTheSameAtAnyNumberOfThreads) {
    const ShapeModel a = learned(1), b = learned(3);
    for (const Decision d : all_decisions) EXPECT_EQ(a[d].networks, b[d].networks) << name_of(d);
}

TEST_F(SmallModel, BaselineLearnsTheSameData) {
    std::vector<LabelledHeap> heaps;
    read_labelled(folder + "/train.jsonl.gz", true,
                  [&](LabelledHeap&& item) { heaps.push_back(std::move(item)); });
    BaselineOptions options;
    options.epochs = 20;
    const Baseline baseline(heaps, false, options);
    const Batches data = batches(heaps, 1);
    ThreadPool pool(1);
    const auto answers = ShapePredictor(baseline, {}).predict(data.groups, pool);
    const ShapeScore result = score(data, answers, {}, pool);
    EXPECT_EQ(result.count, static_cast<long>(heaps.size()));
    EXPECT_GT(result.alone, result.count * 7 / 10);
    EXPECT_GE(result.checked, result.alone);
}

} // namespace
} // namespace ggsnn::shapes
