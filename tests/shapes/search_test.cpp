// The search around the answers: groups, width, limits of runs that lose their way, traces; and that the
// networks do not care how nodes are numbered.
#include "ggsnn/base/random.hpp"
#include "ggsnn/logic/sample.hpp"
#include "ggsnn/shapes/shape_predict.hpp"
#include "ggsnn/shapes/shipped.hpp"
#include "oracle.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace ggsnn::shapes {
namespace {

using logic::Formula;
using logic::Heap;
using ::testing::ElementsAre;

std::vector<Candidate> candidates(const Decider& decider, const Group& group, int width = 1) {
    return Searcher(decider, {width, true}).run({group})[0];
}

// Says the same whatever it is asked.
class Stubborn : public Decider {
  public:
    Stubborn(bool is_nested, int quantify, int predicate, int label)
        : nested_(is_nested), quantify_(quantify), predicate_(predicate), label_(label) {}
    bool nested() const override { return nested_; }
    void decide(Decision d, const Dataset&, const std::vector<Question>& questions,
                std::vector<Prediction>& out) const override {
        out.clear();
        for (const Question& q : questions) {
            Prediction p;
            const std::size_t nodes = q.heap->nodes.size();
            p.labels.assign(nodes, label_);
            const bool of_node = d == Decision::pick || d == Decision::end;
            p.lists = {std::vector<double>(of_node ? nodes : 3, 0.1)};
            if (d == Decision::quantify) p.lists[0][static_cast<std::size_t>(quantify_)] = 0.8;
            if (d == Decision::predicate) p.lists[0][static_cast<std::size_t>(predicate_)] = 0.8;
            out.push_back(std::move(p));
        }
    }

  private:
    bool nested_;
    int quantify_, predicate_, label_;
};

TEST(Search, AGroupWithoutHeapsHasNoCandidates) {
    const Heap heap = list_heap(2);
    const Oracle oracle(false);
    const auto all = Searcher(oracle).run({{}, {&heap}, {}});
    ASSERT_EQ(all.size(), 3U);
    EXPECT_TRUE(all[0].empty());
    EXPECT_EQ(all[1].size(), 1U);
    EXPECT_TRUE(all[2].empty());
}

TEST(Search, AHeapWithoutNamesIsEmpty) {
    const Heap none;
    Heap all_null;
    all_null.set_variable("x", 0);
    for (const bool nested : {false, true}) {
        const Oracle oracle(nested);
        EXPECT_EQ(text(candidates(oracle, {&none})[0].shape), text(shape("emp").heaps[0]));
        EXPECT_EQ(text(candidates(oracle, {&all_null})[0].shape), text(shape("x = NULL").heaps[0]));
    }
}

// x leads to lists of different lengths: one formula for all.
TEST(Search, GroupsAreAskedTogether) {
    const Heap one = list_heap(1), five = list_heap(5);
    const Oracle oracle(false);
    const auto both = candidates(oracle, {&one, &five});
    EXPECT_EQ(text(both[0].shape), "ls(x, NULL)");
    const double alone = candidates(oracle, {&one})[0].score + candidates(oracle, {&five})[0].score;
    EXPECT_NEAR(both[0].score, alone, 1e-9) << "scores are summed over the heaps";
}

TEST(Search, ANameThatIsNullInSomeHeapsIsDescribedByTheOthers) {
    Heap without = list_heap(2), with = list_heap(2);
    without.set_variable("y", 0);
    with.set_variable("y", with.add_node(true));
    with.link(3, "next", 0);
    const Oracle oracle(false);
    for (const Group& group : {Group{&without, &with}, Group{&with, &without}}) {
        const Candidate found = candidates(oracle, group)[0];
        EXPECT_EQ(text(found.shape), "ls(x, NULL) * ls(y, NULL)");
        std::vector<std::string> about;
        for (const TraceStep& step : found.trace)
            if (step.decision == Decision::predicate) about.push_back(step.about);
        EXPECT_THAT(about, ElementsAre("x", "y")) << "whichever heap comes first";
    }
}

TEST(Search, TheOrderOfAGroupDoesNotMatter) {
    Random random(2);
    const ShapeModel model = shipped_model(false);
    const NetworkDecider decider(model);
    const auto formulas = logic::enumerate_shapes({});
    for (int round = 0; round < 10; ++round) {
        const Formula& formula = random.pick(formulas);
        std::vector<Heap> heaps;
        for (int i = 0; i < 3; ++i) heaps.push_back(logic::sample_heap(formula.heaps[0], {}, random));
        const auto there = candidates(decider, {&heaps[0], &heaps[1], &heaps[2]}),
                   back = candidates(decider, {&heaps[2], &heaps[1], &heaps[0]});
        EXPECT_EQ(text(there[0].shape), text(back[0].shape));
        EXPECT_NEAR(there[0].score, back[0].score, 1e-6 * (1 + std::abs(there[0].score)));
    }
}

TEST(Search, RunsThatLoseTheirWayHaveAnEnd) {
    const Heap list = list_heap(9);
    for (const bool nested : {false, true}) {
        const Stubborn greedy_for_names(nested, one_more, is_none, nothing_new);
        const auto found = candidates(greedy_for_names, {&list});
        ASSERT_EQ(found.size(), 1U);
        EXPECT_LE(found[0].shape.exists.size(), 4U);
        EXPECT_FALSE(found[0].shape.exists.empty());
    }
    Heap deep;
    for (int i = 0; i < 12; ++i) deep.add_node(true);
    for (int i = 1; i <= 12; ++i) deep.link(i, "val", i < 12 ? i + 1 : 0);
    deep.set_variable("x", 1);
    const Stubborn hanging(true, no_more, is_tree, hangs_here);
    const Candidate nest = candidates(hanging, {&deep})[0];
    int depth = 0;
    for (const TraceStep& step : nest.trace) depth = std::max(depth, step.depth);
    EXPECT_EQ(depth, 3) << "bodies within bodies end";
}

// More names are asked for than there are nodes: an existential without a node says nothing.
TEST(Search, ExistentialsWithoutANodeAreHarmless) {
    const Heap small = list_heap(1);
    const Stubborn decider(false, one_more, is_list, now_explained);
    const auto found = candidates(decider, {&small});
    ASSERT_EQ(found.size(), 1U);
    for (const logic::Atom& atom : found[0].shape.atoms) EXPECT_EQ(atom.root(), "x");
}

TEST(Search, AWiderSearchHoldsTheGreedyRunAndIsSorted) {
    const ShapeModel model = shipped_model(false);
    const NetworkDecider decider(model);
    Random random(6);
    const auto formulas = logic::enumerate_shapes({});
    int wider = 0;
    for (int round = 0; round < 8; ++round) {
        const Heap heap = logic::sample_heap(random.pick(formulas).heaps[0], {}, random);
        const auto one = candidates(decider, {&heap}, 1), many = candidates(decider, {&heap}, 6);
        ASSERT_EQ(one.size(), 1U);
        ASSERT_LE(many.size(), 6U);
        wider += many.size() > 1 ? 1 : 0;
        EXPECT_GE(many[0].score, one[0].score - 1e-9);
        for (std::size_t i = 1; i < many.size(); ++i) EXPECT_GE(many[i - 1].score, many[i].score);
        for (const Candidate& candidate : many) EXPECT_LE(candidate.score, 0);
    }
    EXPECT_EQ(wider, 8);
}

TEST(Search, TheTraceHasTheLinesOfTheAlgorithms) {
    const Heap heap = panhandle();
    const Oracle flat(false), nested(true);
    const auto lines = [&](const Decider& decider) {
        std::vector<int> out;
        const auto found = candidates(decider, {&heap});
        for (const TraceStep& step : found[0].trace) out.push_back(step.line);
        return out;
    };
    EXPECT_THAT(lines(flat), ElementsAre(3, 5, 3, 11, 13, 18, 11, 13, 18));
    EXPECT_THAT(lines(nested), ElementsAre(11, 13, 11, 20, 22, 31, 11, 20, 22, 31));
    const Candidate found = candidates(flat, {&heap})[0];
    const TraceStep& pick = found.trace[1];
    ASSERT_EQ(pick.sites.size(), 1U);
    EXPECT_THAT(pick.sites[0].named, ElementsAre(1));
    EXPECT_THAT(pick.sites[0].chosen, ElementsAre(3));
    EXPECT_EQ(pick.outcome, "node 3");
    EXPECT_THAT(found.trace.back().sites[0].chosen, ElementsAre(3, 4));
    double sum = 0;
    for (const TraceStep& step : found.trace)
        for (const auto& [outcome, score] : step.scores)
            if (outcome == step.outcome) {
                sum += score;
                break;
            }
    EXPECT_NEAR(sum, found.score, 1e-9) << "the score is the sum of what was chosen";
}

TEST(Search, WithoutATraceNoneIsKept) {
    const Heap heap = panhandle();
    const Oracle oracle(false);
    EXPECT_TRUE(Searcher(oracle, {1, false}).run({{&heap}})[0][0].trace.empty());
}

// ---- prediction

TEST(Predict, RenumberedHeapsGetTheSameFormula) {
    Random random(12);
    for (const bool nested : {false, true}) {
        const ShapeModel model = shipped_model(nested);
        const NetworkDecider decider(model);
        const auto formulas = logic::enumerate_shapes(space_of(nested, false));
        for (int round = 0; round < 12; ++round) {
            logic::SampleSizes sizes;
            sizes.val = nested;
            const Heap heap = logic::sample_heap(random.pick(formulas).heaps[0], sizes, random);
            const Heap moved = renumbered(heap, any_order(heap.nodes.size(), random));
            const auto here = candidates(decider, {&heap}), there = candidates(decider, {&moved});
            EXPECT_EQ(text(here[0].shape), text(there[0].shape)) << logic::heap_text(heap);
            EXPECT_NEAR(here[0].score, there[0].score, 1e-4 * (1 + std::abs(here[0].score)));
        }
    }
}

TEST(Predict, WithoutSearchTheGreedyRunStands) {
    const Heap heap = panhandle();
    const Stubborn wrong(false, no_more, is_tree, now_explained);
    ThreadPool pool(1);
    ShapeOptions options;
    options.width = 0;
    const ShapeAnswer answer = ShapePredictor(wrong, options).predict({{&heap}}, pool)[0];
    EXPECT_FALSE(answer.alone_holds);
    EXPECT_FALSE(answer.checked_holds);
    EXPECT_EQ(text(answer.checked.shape), "tree(b)");
}

TEST(Predict, OthersHoldAndDifferFromTheFirst) {
    const ShapeModel model = shipped_model(false);
    const NetworkDecider decider(model);
    Random random(21);
    ThreadPool pool(1);
    ShapeOptions options;
    options.width = 16;
    options.keep = 3;
    const auto formulas = logic::enumerate_shapes({});
    for (int round = 0; round < 6; ++round) {
        const Heap heap = logic::sample_heap(random.pick(formulas).heaps[0], {}, random);
        const ShapeAnswer answer = ShapePredictor(decider, options).predict({{&heap}}, pool)[0];
        EXPECT_LE(answer.others.size(), 3U);
        for (const Candidate& other : answer.others) {
            EXPECT_TRUE(holds_in_all(other.shape, {&heap}));
            EXPECT_NE(text(other.shape), text(answer.checked.shape));
        }
    }
}

TEST(Predict, AnEmptyGroupAmongOthersHasAnEmptyAnswer) {
    const Heap heap = panhandle();
    const Oracle oracle(false);
    ThreadPool pool(1);
    const auto answers = ShapePredictor(oracle, {}).predict({{&heap}, {}, {&heap}}, pool);
    EXPECT_TRUE(answers[0].alone_holds);
    EXPECT_FALSE(answers[1].alone_holds);
    EXPECT_TRUE(answers[1].alone.shape.atoms.empty());
    EXPECT_EQ(text(answers[0].alone.shape), text(answers[2].alone.shape));
}

TEST(Predict, HoldsInAllMeansAll) {
    const Heap list = list_heap(2), ring = panhandle();
    Heap other = list;
    other.link(2, "next", 1);
    EXPECT_TRUE(holds_in_all(shape("ls(x, NULL)").heaps[0], {&list}));
    EXPECT_FALSE(holds_in_all(shape("ls(x, NULL)").heaps[0], {&list, &other}));
    EXPECT_TRUE(holds_in_all(shape("ls(x, x)").heaps[0], {&other}));
}

std::vector<LabelledHeap> labelled(const std::vector<std::pair<Heap, int>>& items,
                                   const std::vector<std::shared_ptr<const Formula>>& formulas) {
    std::vector<LabelledHeap> out;
    for (const auto& [heap, f] : items) out.push_back({heap, formulas[static_cast<std::size_t>(f)], "", {}});
    return out;
}

TEST(Predict, BatchesAreOfOneFormulaAndRestsAreLeftOut) {
    const std::vector<std::shared_ptr<const Formula>> formulas{
        std::make_shared<const Formula>(shape("ls(x, NULL)")),
        std::make_shared<const Formula>(shape("tree(x)"))};
    const Heap heap = list_heap(1);
    const auto heaps = labelled({{heap, 0}, {heap, 0}, {heap, 0}, {heap, 1}, {heap, 1}, {heap, 0}}, formulas);
    const Batches twos = batches(heaps, 2);
    ASSERT_EQ(twos.groups.size(), 2U);
    EXPECT_EQ(twos.groups[0], (Group{&heaps[0].heap, &heaps[1].heap}));
    EXPECT_EQ(twos.groups[1], (Group{&heaps[3].heap, &heaps[4].heap}));
    EXPECT_EQ(twos.labels[1], formulas[1].get());
    EXPECT_EQ(batches(heaps, 1).groups.size(), 6U);
    EXPECT_TRUE(batches(heaps, 7).groups.empty());
}

TEST(Predict, TheScoreCountsWhatIsRightEquivalentAndDetermined) {
    const std::vector<std::shared_ptr<const Formula>> formulas{
        std::make_shared<const Formula>(shape("ls(x, NULL)"))};
    const auto heaps = labelled({{list_heap(1), 0}, {list_heap(2), 0}, {list_heap(3), 0}}, formulas);
    const Batches data = batches(heaps, 1);
    std::vector<ShapeAnswer> answers(3);
    const auto say = [](ShapeAnswer& answer, const char* alone, const char* checked) {
        answer.alone.shape = shape(alone).heaps[0];
        answer.checked.shape = shape(checked).heaps[0];
    };
    say(answers[0], "ls(x, NULL)", "ls(x, NULL)");
    say(answers[1], "x != NULL * ls(x, NULL)", "ls(x, NULL)"); // the same meaning, another text
    say(answers[2], "tree(x)", "tree(x)");
    ThreadPool pool(1);
    const ShapeScore plain = score(data, answers, {}, pool);
    EXPECT_EQ(plain.count, 3);
    EXPECT_EQ(plain.alone, 1);
    EXPECT_EQ(plain.equivalent, 2);
    EXPECT_EQ(plain.checked, 2);
    EXPECT_EQ(plain.determined, -1);
    EXPECT_FALSE(plain.to_json().contains("ceiling"));
    const ShapeScore all = score(data, answers, {shape("ls(x, NULL)"), shape("tree(x)")}, pool);
    EXPECT_EQ(all.determined, 3);
    EXPECT_DOUBLE_EQ(all.to_json()["checked_of_determined"], 2.0 / 3);
    const ShapeScore none = score(data, answers, {shape("ls(x, NULL)"), shape("ls(x, NULL)")}, pool);
    EXPECT_EQ(none.determined, 0);
    EXPECT_FALSE(none.to_json().contains("checked_of_determined")) << "no ratio to nothing";
    EXPECT_EQ(ShapeScore{}.to_json()["accuracy"], 0);
}

} // namespace
} // namespace ggsnn::shapes
