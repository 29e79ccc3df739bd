// What is known at a loop head besides its invariant: bounds of numbers, contents of objects, arrays that a
// variable leads to; joined over arrivals.
#include "ggsnn/verify/prove/surroundings.hpp"

#include <gtest/gtest.h>

namespace ggsnn::verify {
namespace {

using Rest = SymbolicBlock::Rest;

// Variables p, q (pointers) and i (an int); an object of 40 bytes; a loop with all of them in scope.
class Around : public testing::Test {
  protected:
    enum Variables { p, q, i };

    Around() {
        Function f;
        f.variables.resize(3);
        f.variables[p] = {"p", {Type::Kind::pointer, 64, -1}, Variable::Kind::local, {}, 0, {}};
        f.variables[q] = {"q", {Type::Kind::pointer, 64, -1}, Variable::Kind::local, {}, 0, {}};
        f.variables[i] = {"i", {Type::Kind::integer, 32, -1}, Variable::Kind::local, {}, 0, {}};
        f.objects.push_back({"a", 40, -1, {}, {}});
        program_.functions.push_back(f);
        loop_.variables = {p, q, i};
        loop_.objects = {0};
    }

    SymbolicState blank() const { return {program_, program_.functions[0]}; }
    // Where i has a value, and the object exists.
    SymbolicState with(std::int64_t number) const {
        SymbolicState s = blank();
        s.store[i] = value_of(number);
        add_object(s);
        return s;
    }
    static void add_object(SymbolicState& s) {
        SymbolicBlock& a = s.add_block(SymbolicBlock::Kind::local, 40, Rest::undetermined);
        a.object = 0;
        s.objects[0] = a.root;
    }
    static TermName add_array(SymbolicState& s, int keeper) {
        const TermName root = s.add_block(SymbolicBlock::Kind::heap, 12, Rest::undetermined).root;
        s.store[static_cast<std::size_t>(keeper)] = value_of(root);
        return root;
    }
    Interval bounds(const Surroundings& around) const {
        SymbolicState s = blank();
        around.apply(s, loop_);
        return s.range(s.store[i].term);
    }

    Program program_;
    Loop loop_;
    const std::vector<std::int64_t> thresholds_{0, 10, 100};
};

TEST_F(Around, BoundsGrowAndThenJumpToAConstant) {
    Surroundings around;
    EXPECT_TRUE(around.join(with(3), loop_, thresholds_));
    EXPECT_TRUE(around.reached);
    EXPECT_EQ(bounds(around), (Interval{3, 3}));
    EXPECT_FALSE(around.join(with(3), loop_, thresholds_)) << "nothing new";
    EXPECT_TRUE(around.join(with(4), loop_, thresholds_));
    EXPECT_EQ(bounds(around), (Interval{3, 4}));
    for (std::int64_t n = 5; n < 9; ++n) around.join(with(n), loop_, thresholds_);
    EXPECT_EQ(bounds(around), (Interval{3, 10})) << "to the next constant that is compared with";
    EXPECT_FALSE(around.join(with(10), loop_, thresholds_));
    around.join(with(1000), loop_, thresholds_);
    EXPECT_GE(bounds(around).high, 1000);
    EXPECT_EQ(bounds(around).low, 3);
    around.join(with(-1), loop_, thresholds_);
    EXPECT_LE(bounds(around).low, -1);
}

TEST_F(Around, ContentsThatDifferAreNotKnown) {
    SymbolicState first = with(0), second = with(0);
    for (SymbolicState* s : {&first, &second}) {
        s->store_at(0, 0, 4, value_of(1));
        s->store_at(0, 4, 4, value_of(s == &first ? 5 : 6));
    }
    second.store_at(0, 8, 4, value_of(9));
    Surroundings around;
    around.join(first, loop_, thresholds_);
    around.join(second, loop_, thresholds_);
    SymbolicState s = blank();
    around.apply(s, loop_);
    const int a = s.block_at(s.objects[0]);
    ASSERT_GE(a, 0);
    const Type word{Type::Kind::integer, 32, -1};
    EXPECT_EQ(s.load(a, 0, word).term, "1");
    EXPECT_EQ(s.range(s.load(a, 4, word).term), (Interval{5, 6}));
    EXPECT_TRUE(s.load(a, 8, word).undetermined) << "not written on one of the ways";
}

TEST_F(Around, AnObjectThatIsGoneOnOneWayIsGone) {
    SymbolicState gone = blank();
    gone.store[i] = value_of(0);
    Surroundings around;
    around.join(with(0), loop_, thresholds_);
    around.join(gone, loop_, thresholds_);
    SymbolicState s = blank();
    around.apply(s, loop_);
    EXPECT_LT(s.objects[0].empty() ? -1 : s.block_at(s.objects[0]), 0);
}

TEST_F(Around, AnArrayStaysWithItsKeeper) {
    SymbolicState first = with(0), second = with(1);
    const TermName root = add_array(first, p);
    add_array(second, p);
    Surroundings around;
    around.join(first, loop_, thresholds_);
    EXPECT_EQ(around.left_out(first), std::set<TermName>{root}) << "no formula describes it";
    around.join(second, loop_, thresholds_);
    ASSERT_EQ(around.anchored.size(), 1U);
    SymbolicState s = blank();
    around.apply(s, loop_);
    const int block = s.block_at(s.store[p].term);
    ASSERT_GE(block, 0);
    EXPECT_EQ(s.blocks[static_cast<std::size_t>(block)].size, 12);
}

// Two keepers of one block would make two of it.
TEST_F(Around, TwoKeepersOfOneBlockAreNotBothBelieved) {
    SymbolicState apart = with(0), shared = with(0);
    add_array(apart, p);
    add_array(apart, q);
    add_array(shared, p);
    shared.store[q] = shared.store[p];
    Surroundings around;
    around.join(apart, loop_, thresholds_);
    EXPECT_EQ(around.anchored.size(), 2U);
    around.join(shared, loop_, thresholds_);
    EXPECT_LT(around.anchored.size(), 2U);
    EXPECT_FALSE(around.given_up.empty());
    around.join(apart, loop_, thresholds_);
    EXPECT_LT(around.anchored.size(), 2U) << "what was given up stays so";
    SymbolicState s = blank();
    around.apply(s, loop_);
    int blocks = 0;
    for (const SymbolicBlock& block : s.blocks) blocks += block.kind == SymbolicBlock::Kind::heap ? 1 : 0;
    EXPECT_LE(blocks, 1);
}

TEST_F(Around, AKeeperThatLeadsElsewhereIsGivenUp) {
    SymbolicState first = with(0), second = with(0);
    add_array(first, p);
    second.store[p] = value_of(0);
    Surroundings around;
    around.join(first, loop_, thresholds_);
    around.join(second, loop_, thresholds_);
    EXPECT_TRUE(around.anchored.empty());
    SymbolicState s = blank();
    around.apply(s, loop_);
    EXPECT_EQ(s.store[p].empty() ? -1 : s.block_at(s.store[p].term), -1);
}

TEST_F(Around, WhatIsRegisteredForTheExitMustBeTheSame) {
    SymbolicState first = with(0), second = with(0);
    second.at_exit.push_back(function_term(0));
    Surroundings around;
    around.join(first, loop_, thresholds_);
    EXPECT_FALSE(around.at_exit_differs);
    around.join(second, loop_, thresholds_);
    EXPECT_TRUE(around.at_exit_differs);
}

TEST_F(Around, TheHashTellsOneFromAnother) {
    Surroundings one, other, third;
    one.join(with(1), loop_, thresholds_);
    other.join(with(2), loop_, thresholds_);
    third.join(with(1), loop_, thresholds_);
    EXPECT_NE(one.hash(), other.hash());
    EXPECT_FALSE(one == other);
    EXPECT_EQ(one.hash(), third.hash());
    EXPECT_TRUE(one == third);
}

} // namespace
} // namespace ggsnn::verify
