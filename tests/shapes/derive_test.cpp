// The right runs of Algorithms 1 and 2, and that they are the inverse of the search: what is taught is what
// is asked, and the answers taught give the formula back.
#include "ggsnn/base/random.hpp"
#include "ggsnn/logic/sample.hpp"
#include "ggsnn/shapes/derive.hpp"
#include "ggsnn/shapes/heap_data.hpp"
#include "ggsnn/shapes/search.hpp"
#include "samples.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace ggsnn::shapes {
namespace {

using logic::Formula;
using logic::Heap;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Step {
    Decision decision;
    std::vector<int> labels, active;
    std::array<int, predicate_count> earlier;
};

std::vector<Step> steps_of(const Heap& heap, const std::string& formula, bool nested) {
    std::vector<Step> steps;
    derive(heap, shape(formula), nested, {"data.jsonl", 7},
           [&](Decision d, const Heap&, const Marks& m, const std::vector<int>& labels) {
               steps.push_back({d, labels, m.active, m.earlier});
           });
    return steps;
}

std::vector<Decision> decisions(const std::vector<Step>& steps) {
    std::vector<Decision> out;
    for (const Step& step : steps) out.push_back(step.decision);
    return out;
}

std::string error_of(const Heap& heap, const std::string& formula, bool nested) {
    try {
        steps_of(heap, formula, nested);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

// x and y meet in 3.
Heap meeting() {
    return heap_of(3, {{1, "next", 3}, {2, "next", 3}, {3, "next", 0}}, {{"x", 1}, {"y", 2}});
}

TEST(Derive, Algorithm1DeclaresAllExistentialsFirst) {
    const auto steps = steps_of(meeting(), "exists t . ls(x, t) * ls(y, t) * ls(t, NULL)", false);
    using enum Decision;
    EXPECT_THAT(decisions(steps), ElementsAre(quantify, pick, quantify, predicate, end, explain, predicate,
                                              end, explain, predicate, end, explain));
    EXPECT_TRUE(steps[0].active.empty());
    EXPECT_THAT(steps[3].active, ElementsAre(1));
    EXPECT_THAT(steps[6].active, ElementsAre(2));
    EXPECT_THAT(steps[9].active, ElementsAre(3));
}

TEST(Derive, Algorithm2DeclaresThemWhereAListEnds) {
    const auto steps = steps_of(meeting(), "exists t . ls(x, t) * ls(y, t) * ls(t, NULL)", true);
    using enum Decision;
    EXPECT_THAT(decisions(steps), ElementsAre(quantify, pick, quantify, predicate, end, explain, //
                                              quantify, predicate, end, explain,                 //
                                              quantify, predicate, end, explain));
    EXPECT_THAT(steps[0].active, ElementsAre(1)) << "of x, whose list ends there";
    EXPECT_THAT(steps[6].labels, ElementsAre(no_more)) << "y's list ends at a node that has a name by now";
}

TEST(Derive, EarlierPredicatesAreCounted) {
    const Heap heap = heap_of(3, {{1, "next", 0}, {2, "left", 0}, {2, "right", 0}, {3, "next", 0}},
                              {{"x", 1}, {"y", 2}, {"z", 3}});
    const auto steps = steps_of(heap, "ls(x, NULL) * tree(y) * ls(z, NULL)", false);
    EXPECT_EQ(steps.front().earlier, (std::array<int, predicate_count>{0, 0, 0}));
    EXPECT_EQ(steps.back().earlier, (std::array<int, predicate_count>{0, 2, 1}));
}

TEST(Derive, NoneHasNeitherEndNorCells) {
    Heap heap = heap_of(1, {{1, "next", 0}}, {{"x", 1}});
    heap.set_variable("y", heap.add_node(false));
    const auto steps = steps_of(heap, "ls(x, NULL) * none(y)", false);
    using enum Decision;
    EXPECT_THAT(decisions(steps), ElementsAre(quantify, predicate, end, explain, predicate));
    EXPECT_THAT(steps.back().labels, ElementsAre(is_none));
}

// Of two names for a node the first stands for both; a name that is NULL has no turn.
TEST(Derive, AliasesAndNullHaveNoTurn) {
    Heap heap = list_heap(2);
    heap.set_variable("y", 1);
    heap.set_variable("z", 0);
    const auto steps = steps_of(heap, "y = x * z = NULL * ls(x, NULL)", false);
    using enum Decision;
    EXPECT_THAT(decisions(steps), ElementsAre(quantify, predicate, end, explain));
}

TEST(Derive, OnlyTwoBodiesOfAStructureAreAskedAbout) {
    Heap heap;
    for (int i = 0; i < 8; ++i) heap.add_node(true);
    for (int i = 1; i <= 4; ++i) {
        heap.link(i, "next", i < 4 ? i + 1 : 0);
        heap.link(i, "val", i + 4);
        heap.link(i + 4, "next", 0);
        heap.link(i + 4, "val", 0);
    }
    heap.set_variable("x", 1);
    Lessons lessons(true);
    lessons.add(heap, shape("ls(x, NULL, \\t -> ls(t, NULL))"), {});
    const Dataset& explain = lessons.data[static_cast<std::size_t>(Decision::explain)];
    EXPECT_EQ(explain.examples.size(), 3U) << "the list, and two of its four bodies";
    EXPECT_EQ(explain.graphs.size(), 3U);
    const auto hanging = std::count(explain.examples[0].labels.begin(), explain.examples[0].labels.end(),
                                    static_cast<int>(hangs_here));
    EXPECT_EQ(hanging, 4) << "all are pointed out";
}

TEST(Derive, ErrorsNameThePlaceAndTheReason) {
    const Heap list = list_heap(2);
    const Heap hanging =
        heap_of(2, {{1, "next", 0}, {1, "val", 2}, {2, "next", 0}, {2, "val", 0}}, {{"x", 1}});
    EXPECT_THAT(error_of(list, "ls(x, NULL) \\/ tree(x)", false),
                HasSubstr("data.jsonl:7: a formula with 2 cases; expected one"));
    EXPECT_THAT(error_of(list, "tree(x)", false),
                HasSubstr("data.jsonl:7: the heap does not satisfy its formula tree(x)"));
    Heap unsaid = list;
    unsaid.set_variable("y", unsaid.add_node(false));
    EXPECT_THAT(error_of(unsaid, "ls(x, NULL)", false), HasSubstr("the formula says nothing of y"));
    EXPECT_THAT(error_of(heap_of(1, {{1, "next", 0}}, {{"x", 1}}), "x |-> {next: NULL}", false),
                HasSubstr("a part that is none of ls, tree, none"));
    EXPECT_THAT(error_of(hanging, "ls(x, NULL)", true), HasSubstr("does not satisfy"));
    EXPECT_THAT(error_of(list, "exists t . t = NULL * ls(x, t)", false),
                HasSubstr("the existential t of the formula names no node"));
}

TEST(Cells, OfListsCyclesAndTrees) {
    using enum logic::Atom::Kind;
    EXPECT_THAT(cells_of(panhandle(), list, 1, 3), ElementsAre(1, 2));
    EXPECT_THAT(cells_of(panhandle(), list, 3, 3), ElementsAre(3, 4)) << "a cycle has all its cells";
    EXPECT_THAT(cells_of(list_heap(3), list, 1, 0), ElementsAre(1, 2, 3));
    const Heap tree_of_three = heap_of(
        3,
        {{1, "left", 2}, {1, "right", 3}, {2, "left", 0}, {2, "right", 0}, {3, "left", 0}, {3, "right", 0}},
        {{"x", 1}});
    EXPECT_THAT(cells_of(tree_of_three, tree, 1, 0), ElementsAre(1, 2, 3)) << "left before right";
}

// A prediction may name an end that is never met, or call a graph with cycles a tree.
TEST(Cells, WrongQuestionsHaveAnEnd) {
    using enum logic::Atom::Kind;
    EXPECT_LE(cells_of(panhandle(), list, 1, 0).size(), panhandle().nodes.size() + 1);
    const Heap round =
        heap_of(2, {{1, "left", 2}, {1, "right", 2}, {2, "left", 1}, {2, "right", 1}}, {{"x", 1}});
    EXPECT_LE(cells_of(round, tree, 1, 0).size(), round.nodes.size() + 1);
    EXPECT_THAT(cells_of(heap_of(1, {}, {{"x", 1}}), list, 1, 0), ElementsAre(1)) << "no fields at all";
}

TEST(ReachablePart, HasWhatIsReachedAndItsOldNumbers) {
    std::vector<int> origin;
    const Heap part = reachable_part(panhandle(), 3, "u", origin);
    EXPECT_THAT(origin, ElementsAre(0, 3, 4));
    EXPECT_EQ(part.nodes.size(), 3U);
    EXPECT_EQ(part.variables.size(), 1U);
    EXPECT_EQ(part.variable("u"), 1);
    const int next = part.find_field("next");
    EXPECT_EQ(part.target(1, next), 2);
    EXPECT_EQ(part.target(2, next), 1);
}

TEST(ReachablePart, KeepsDanglingNodesAsTheyAre) {
    Heap heap = heap_of(1, {}, {{"x", 1}});
    heap.link(1, "next", heap.add_node(false));
    std::vector<int> origin;
    const Heap part = reachable_part(heap, 1, "u", origin);
    ASSERT_EQ(part.nodes.size(), 3U);
    EXPECT_TRUE(part.nodes[1].allocated);
    EXPECT_FALSE(part.nodes[2].allocated);
}

// Answers as the derivation taught, and only what it taught.
class Recited : public Decider {
  public:
    explicit Recited(Grammar grammar) : grammar_(grammar) {}
    void learn(const Heap& heap, const Formula& formula) {
        derive(heap, formula, grammar_, {},
               [&](Decision d, const Heap& asked, const Marks& marks, const std::vector<int>& labels) {
                   taught_[key(d, asked, marks)] = labels;
               });
    }
    bool nested() const override { return grammar_.nested; }
    Grammar grammar() const override { return grammar_; }
    void decide(Decision d, const Dataset&, const std::vector<Question>& questions,
                std::vector<Prediction>& out) const override {
        out.clear();
        for (const Question& q : questions) out.push_back(answer(d, q));
    }

  private:
    static std::string key(Decision d, const Heap& heap, const Marks& marks) {
        std::string text = std::string(name_of(d)) + " " + logic::heap_text(heap);
        for (std::size_t v = 0; v < marks.named.size(); ++v)
            text +=
                fmt::format(" {}{}", static_cast<int>(marks.named[v]), static_cast<int>(marks.explained[v]));
        for (const int v : marks.active) text += fmt::format(" a{}", v);
        for (const int count : marks.earlier) text += fmt::format(" e{}", count);
        return text;
    }
    Prediction answer(Decision d, const Question& q) const {
        Prediction p;
        // As many as there are nodes, or as classes of the question that has the most.
        const bool of_nodes = d != Decision::quantify && d != Decision::predicate;
        const std::size_t choices = of_nodes ? q.heap->nodes.size() : predicate_count;
        const auto found = taught_.find(key(d, *q.heap, *q.marks));
        if (found == taught_.end()) {
            ADD_FAILURE() << "asked what was never taught: " << key(d, *q.heap, *q.marks);
            p.lists = {std::vector<double>(choices, 0.1)};
            p.labels.assign(q.heap->nodes.size(), nothing_new);
            return p;
        }
        if (d == Decision::explain) {
            p.labels = found->second;
            return p;
        }
        p.lists = {std::vector<double>(choices, 0.0)};
        p.lists[0][static_cast<std::size_t>(found->second[0])] = 1;
        return p;
    }

    Grammar grammar_;
    std::map<std::string, std::vector<int>> taught_;
};

class Inverse : public ::testing::TestWithParam<bool> {};

TEST_P(Inverse, TheLessonsOfAFormulaGiveItBack) {
    const bool nested = GetParam();
    Random random(3);
    // At most two cells hang from a structure: of more than two bodies not all are taught.
    const logic::SampleSizes sizes{1, 2, 1, 4, nested};
    const auto formulas = logic::enumerate_shapes(space_of(nested, true));
    std::size_t seen = 0;
    for (std::size_t f = 0; f < formulas.size(); f += nested ? 5 : 1, ++seen) {
        const Heap heap = logic::sample_heap(formulas[f].heaps[0], sizes, random);
        Recited recited(nested);
        recited.learn(heap, formulas[f]);
        const auto found = Searcher(recited).run({{&heap}});
        ASSERT_EQ(found[0].size(), 1U);
        EXPECT_EQ(text(found[0][0].shape), text(formulas[f].heaps[0]));
        EXPECT_NEAR(found[0][0].score, 0, 1e-9) << "every answer was certain";
    }
    EXPECT_GT(seen, 300U);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Inverse, ::testing::Bool());

// Of every formula of the wide spaces up to names: what is taught of a heap that satisfies it gives it back,
// with last cells, parents and holes.
TEST(Wide, TheLessonsOfAFormulaGiveItBack) {
    Random random(5);
    const logic::SampleSizes sizes{1, 2, 1, 4};
    std::size_t seen = 0;
    const auto spaces = wide_spaces();
    for (const auto& [formulas, step] : {std::pair(&spaces[0], 3), std::pair(&spaces[1], 41)})
        for (std::size_t f = 0; f < formulas->size(); f += static_cast<std::size_t>(step), ++seen) {
            const Formula& formula = (*formulas)[f];
            const Heap heap = logic::sample_heap(formula.heaps[0], sizes, random);
            Recited recited(Grammar::of_all());
            recited.learn(heap, formula);
            const auto found = Searcher(recited).run({{&heap}});
            ASSERT_EQ(found[0].size(), 1U);
            EXPECT_EQ(text(found[0][0].shape), text(formula.heaps[0])) << logic::heap_text(heap);
        }
    EXPECT_GT(seen, 600U);
}

// The hole of a tree is chosen, its parent is read off; so is the last cell of a ring.
TEST(Wide, HolesAndLastCells) {
    const Heap tree = heap_of(3,
                              {{1, "left", 2},
                               {1, "right", 0},
                               {1, "parent", 0},
                               {2, "left", 0},
                               {2, "right", 3},
                               {2, "parent", 1},
                               {3, "left", 0},
                               {3, "right", 0},
                               {3, "parent", 2}},
                              {{"x", 1}, {"y", 3}});
    EXPECT_THAT(cells_of(tree, logic::Atom::Kind::ptreeseg, 1, 3), ElementsAre(1, 2));
    EXPECT_THAT(argument_nodes(tree, logic::Atom::Kind::ptreeseg, 1, 3), ElementsAre(1, 0, 3, 2));
    const Heap ring =
        heap_of(2, {{1, "next", 2}, {1, "prev", 2}, {2, "next", 1}, {2, "prev", 1}}, {{"x", 1}});
    EXPECT_THAT(argument_nodes(ring, logic::Atom::Kind::dll, 1, 1), ElementsAre(1, 2, 2, 1));
}

TEST(Lessons, EveryDecisionHasItsOwnGraphsAndSchema) {
    Lessons lessons(false);
    lessons.add(panhandle(), shape("exists t . ls(b, t) * ls(t, t)"), {});
    lessons.add(list_heap(2), shape("ls(x, NULL)"), {});
    const auto count = [&](Decision d) { return lessons.data[static_cast<std::size_t>(d)].examples.size(); };
    EXPECT_EQ(count(Decision::quantify), 3U);
    EXPECT_EQ(count(Decision::pick), 1U);
    EXPECT_EQ(count(Decision::predicate), 3U);
    EXPECT_EQ(count(Decision::end), 3U);
    EXPECT_EQ(count(Decision::explain), 3U);
    for (const Decision d : all_decisions) {
        const Dataset& data = lessons.data[static_cast<std::size_t>(d)];
        EXPECT_EQ(data.schema.question_types.names(), std::vector<std::string>{name_of(d)});
        std::set<int> used;
        for (const Example& example : data.examples) used.insert(example.graph);
        EXPECT_EQ(used.size(), data.graphs.size()) << name_of(d) << ": a graph that no example asks about";
    }
}

} // namespace
} // namespace ggsnn::shapes
