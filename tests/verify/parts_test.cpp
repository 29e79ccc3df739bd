// Heaps taken apart before the networks see them: parts that share nothing, and answers that are put
// together.
#include "ggsnn/verify/infer/parts.hpp"

#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/shapes/shipped.hpp"
#include "judged.hpp"

#include <random>

namespace ggsnn::verify {
namespace {

using logic::Heap;

// A list of so many cells for each name; its end is NULL, or a cell of the list before if it is shared.
Heap lists(const std::vector<int>& sizes, bool shared = false) {
    Heap heap;
    for (std::size_t l = 0; l < sizes.size(); ++l) {
        int next = shared && l == 1 && heap.nodes.size() > 1 ? 1 : 0;
        for (int i = 0; i < sizes[l]; ++i) {
            const int cell = heap.add_node(true);
            heap.link(cell, "next", next);
            next = cell;
        }
        heap.set_variable(std::string(1, static_cast<char>('a' + l)), next);
    }
    return heap;
}

std::vector<HeapPart> taken_apart(const std::vector<Heap>& heaps, std::vector<std::string>& nulls) {
    shapes::Group group;
    for (const Heap& heap : heaps) group.push_back(&heap);
    return parts_of(group, nulls);
}

TEST(Parts, ListsThatShareNothingAreApart) {
    std::vector<std::string> nulls;
    const auto parts = taken_apart({lists({2, 1, 0}), lists({1, 3, 0})}, nulls);
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].names, std::vector<std::string>{"a"});
    EXPECT_EQ(parts[1].names, std::vector<std::string>{"b"});
    EXPECT_EQ(nulls, std::vector<std::string>{"c"});
    EXPECT_EQ(parts[0].heaps, (std::vector<Heap>{lists({2}), lists({1})}));
    EXPECT_EQ(parts[1].heaps[1].cell_count(), 3U);
}

TEST(Parts, WhatIsSharedInOneHeapIsTogetherInAll) {
    std::vector<std::string> nulls;
    const auto parts = taken_apart({lists({2, 1}), lists({2, 1}, true)}, nulls);
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_EQ(parts[0].names, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(parts[0].heaps[1], lists({2, 1}, true));
}

TEST(Parts, CellsWithoutANameKeepAHeapWhole) {
    Heap heap = lists({1, 1});
    heap.link(heap.add_node(true), "next", 0);
    std::vector<std::string> nulls;
    const auto parts = taken_apart({heap}, nulls);
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_EQ(parts[0].heaps[0], heap);
    EXPECT_TRUE(nulls.empty());
}

// Every cell is in one part, links stay inside, and a name is where it was.
TEST(Parts, NothingIsLostOrDoubled) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        Heap heap;
        const int cells = static_cast<int>(random() % 8);
        for (int c = 0; c < cells; ++c) heap.add_node(true);
        for (int c = 1; c <= cells; ++c)
            heap.link(c, random() % 2 == 0 ? "next" : "prev", static_cast<int>(random() % (cells + 1)));
        for (int v = 0; v < 5; ++v)
            heap.set_variable(fmt::format("x{}", v), static_cast<int>(random() % (cells + 1)));
        std::vector<std::string> nulls;
        const auto parts = taken_apart({heap}, nulls);
        std::size_t count = 0, names = nulls.size();
        for (const HeapPart& part : parts) {
            count += part.heaps[0].cell_count();
            names += part.names.size();
            for (const auto& [name, node] : part.heaps[0].variables) {
                EXPECT_EQ(node == 0, heap.variable(name) == 0);
                EXPECT_EQ(part.heaps[0].nodes[static_cast<std::size_t>(node)].links.size(),
                          heap.nodes[static_cast<std::size_t>(heap.variable(name))].links.size());
            }
        }
        EXPECT_EQ(count, heap.cell_count());
        EXPECT_EQ(names, heap.variables.size());
        for (const std::string& name : nulls) EXPECT_EQ(heap.variable(name), 0);
    }
}

// Ten lists, by what the networks say of one, and the formula holds in all of it.
TEST(Parts, AnswersAreJoined) {
    const std::vector<Heap> heaps{lists(std::vector<int>(10, 2)), lists(std::vector<int>(10, 3))};
    const Inferred inferred =
        shipped_networks().infer(heaps, {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}, {.pure = false});
    ASSERT_FALSE(inferred.candidates.empty());
    const logic::Formula& best = inferred.candidates[0];
    EXPECT_EQ(best.heaps[0].atoms.size(), 10U) << logic::print(best, logic::Reading::program);
    for (const Heap& heap : heaps) EXPECT_EQ(logic::Checker(best)(heap, {1'000'000}), logic::Truth::yes);
}

// What was asked before is not asked again, whatever the names; a name like those that formulas invent is
// one.
TEST(Parts, AnswersAreKeptUpToNames) {
    class Counting : public shapes::Decider {
      public:
        explicit Counting(const shapes::Decider& other) : other_(other) {}
        bool nested() const override { return other_.nested(); }
        void decide(shapes::Decision decision, const Dataset& data,
                    const std::vector<shapes::Question>& questions,
                    std::vector<Prediction>& out) const override {
            ++asked;
            other_.decide(decision, data, questions, out);
        }
        mutable int asked = 0;

      private:
        const shapes::Decider& other_;
    };
    const shapes::ShapeModel model = shapes::shipped_model(false);
    const shapes::NetworkDecider networks(model);
    const Counting counting(networks);
    KnownShapes known;
    const PartPredictor predictor(counting, {}, known);
    Heap heap = lists({2, 1}, true), renamed = heap;
    renamed.variables = {{"e1", heap.variable("a")}, {"e2", heap.variable("b")}};
    const auto shape_of = [&](const Heap& one) { return predictor.predict({{&one}})[0].checked.shape; };
    const logic::SymbolicHeap first = shape_of(heap);
    const int asked = counting.asked;
    EXPECT_GT(asked, 0);
    const logic::SymbolicHeap second = shape_of(renamed);
    EXPECT_EQ(counting.asked, asked);
    EXPECT_TRUE(
        logic::canonically_equal({{logic::substitute(first, {{"a", "e1"}, {"b", "e2"}})}}, {{second}}));
    EXPECT_TRUE(shapes::holds_in_all(second, {&renamed})) << logic::print({{second}}, logic::Reading::shape);
}

} // namespace
} // namespace ggsnn::verify
