// The symbolic state: contents of blocks by offset, facts about terms, structures that are opened.
#include "ggsnn/verify/prove/state.hpp"

#include "ggsnn/logic/prover.hpp"

#include <gtest/gtest.h>

namespace ggsnn::verify {
namespace {

using Rest = SymbolicBlock::Rest;

Type integer(int bits) {
    return {Type::Kind::integer, bits, -1};
}
Type pointer(int record = -1) {
    return {Type::Kind::pointer, 64, record};
}

// struct node { int val; struct node *next; }, a function without anything in it.
class State : public testing::Test {
  protected:
    State() {
        RecordType node;
        node.name = "node";
        node.size = 16;
        node.structure = true;
        node.fields = {{"val", 0, integer(32), "val"}, {"next", 8, pointer(0), "next"}};
        program_.records.push_back(node);
        program_.functions.emplace_back();
    }
    SymbolicState blank() const { return {program_, program_.functions[0]}; }

    // A state with one block.
    struct One {
        SymbolicState state;
        SymbolicValue load(std::int64_t offset, const Type& type) { return state.load(0, offset, type); }
        std::int64_t number(std::int64_t offset, int bits) {
            const SymbolicValue v = load(offset, integer(bits));
            EXPECT_TRUE(v.plain() && !v.undetermined);
            const auto n = number_of(v.term);
            EXPECT_TRUE(n.has_value()) << v.term;
            return n.value_or(-999);
        }
        void store(std::int64_t offset, int bytes, const SymbolicValue& v) {
            state.store_at(0, offset, bytes, v);
        }
    };
    One block(std::int64_t size, Rest rest = Rest::undetermined) const {
        One one{blank()};
        one.state.add_block(SymbolicBlock::Kind::heap, size, rest);
        return one;
    }

    static logic::SymbolicHeap heap(const std::string& text) {
        return logic::parse_formula(text, logic::Reading::program).heaps[0];
    }
    // With the tag of the one record.
    static logic::SymbolicHeap tagged(const std::string& text) {
        logic::SymbolicHeap h = heap(text);
        for (logic::Atom& atom : h.atoms)
            if (atom.kind != logic::Atom::Kind::cell) atom.tag = "#0";
        return h;
    }
    Program program_;
};

// ---- contents

TEST_F(State, WhatIsStoredIsLoaded) {
    One b = block(16);
    b.store(8, 8, value_of("@99"));
    EXPECT_EQ(b.load(8, pointer()).term, "@99");
    EXPECT_FALSE(b.load(8, pointer()).undetermined);
    b.store(0, 4, value_of(-7));
    EXPECT_EQ(b.number(0, 32), -7);
    EXPECT_EQ(b.load(8, pointer()).term, "@99") << "the other stays";
}

TEST_F(State, NumbersAreMadeOfBytes) {
    One b = block(8);
    b.store(0, 4, value_of(0x01020384));
    EXPECT_EQ(b.number(0, 8), -0x7c); // sign-extended
    EXPECT_EQ(b.number(1, 8), 3);
    EXPECT_EQ(b.number(1, 16), 0x0203);
    b.store(4, 4, value_of(-1));
    EXPECT_EQ(b.number(0, 64), static_cast<std::int64_t>(0xffffffff01020384));
    EXPECT_EQ(b.number(2, 32), static_cast<std::int32_t>(0xffff0102));
    b.store(1, 1, value_of(0x55));
    EXPECT_EQ(b.number(0, 32), 0x01025584);
    EXPECT_EQ(b.number(2, 16), 0x0102) << "what is behind the overwritten byte stays";
}

TEST_F(State, APartOfWhatIsNotANumberIsNotKnown) {
    One b = block(16);
    b.store(0, 8, value_of("@5"));
    const SymbolicValue low = b.load(0, integer(32));
    EXPECT_FALSE(low.undetermined);
    EXPECT_FALSE(number_of(low.term));
    EXPECT_NE(low.term, "@5");
    EXPECT_EQ(b.load(0, pointer()).term, "@5") << "reading a part changes nothing";
    b.store(7, 1, value_of(0));
    EXPECT_NE(b.load(0, pointer()).term, "@5") << "a pointer with a byte changed is not that pointer";
    EXPECT_FALSE(b.load(0, pointer()).undetermined);
}

TEST_F(State, NothingIsKnownOfWhatWasNeverWritten) {
    One b = block(16);
    EXPECT_TRUE(b.load(0, pointer()).undetermined);
    EXPECT_NE(b.load(0, pointer()).term, b.load(0, pointer()).term) << "not even that it stays the same";
    b.store(0, 4, value_of(1));
    EXPECT_TRUE(b.load(0, integer(64)).undetermined) << "half of it";
    EXPECT_FALSE(b.load(0, integer(32)).undetermined);
}

TEST_F(State, ZeroedMemoryIsZeroInEveryWidth) {
    One b = block(64, Rest::zero);
    EXPECT_EQ(b.number(0, 8), 0);
    EXPECT_EQ(b.number(24, 64), 0);
    EXPECT_EQ(b.load(8, pointer()).term, logic::null_name);
    b.store(16, 4, value_of(5));
    EXPECT_EQ(b.number(16, 64), 5);
    EXPECT_EQ(b.number(14, 32), 5 << 16);
}

TEST_F(State, MemoryThatSomebodyWroteKeepsItsValue) {
    One b = block(16, Rest::any);
    const SymbolicValue v = b.load(8, pointer());
    EXPECT_FALSE(v.undetermined);
    EXPECT_EQ(b.load(8, pointer()), v);
    EXPECT_NE(b.load(0, pointer()), v);
    const SymbolicValue k = b.load(0, integer(8));
    EXPECT_EQ(b.state.range(k.term), (Interval{-128, 127}));
}

TEST_F(State, WhatIsForgottenMayBeWrittenOrNot) {
    One b = block(16);
    b.store(0, 8, value_of(3));
    b.store(8, 8, value_of("@5"));
    b.state.smudge(0, 4, 8, true);
    EXPECT_EQ(b.number(0, 32), 3) << "the half that stands before";
    const SymbolicValue v = b.load(4, integer(64));
    EXPECT_FALSE(v.undetermined);
    EXPECT_EQ(b.load(4, integer(64)), v);
    EXPECT_NE(b.load(8, pointer()).term, "@5");
    b.state.smudge(0, 0, 16, false);
    EXPECT_TRUE(b.load(0, integer(32)).undetermined);
    One zero = block(16, Rest::zero);
    zero.state.smudge(0, 0, 8, false);
    EXPECT_FALSE(number_of(zero.load(0, integer(64)).term)) << "zero no more";
    EXPECT_EQ(zero.number(8, 64), 0);
}

// ---- facts

TEST_F(State, RangesNarrowUntilOneNumberIsLeft) {
    SymbolicState s = blank();
    const TermName k = s.fresh_number(Interval::of_bits(8));
    EXPECT_EQ(s.range(k), (Interval{-128, 127}));
    ASSERT_TRUE(s.assume_range(k, {0, 10}));
    ASSERT_TRUE(s.assume_distinct(k, number_term(0)));
    EXPECT_EQ(s.range(k), (Interval{1, 10}));
    ASSERT_TRUE(s.assume_distinct(k, number_term(5))) << "in the middle";
    EXPECT_EQ(s.range(k), (Interval{1, 10}));
    SymbolicState other = s;
    EXPECT_FALSE(other.assume_equal(k, number_term(5)));
    other = s;
    EXPECT_FALSE(other.assume_range(k, {11, 20}));
    s.store.resize(1);
    s.store[0] = value_of(k);
    ASSERT_TRUE(s.assume_range(k, {7, 7}));
    EXPECT_EQ(s.store[0].term, "7") << "one number: it takes the name's place";
}

TEST_F(State, EqualTermsBecomeOneEverywhere) {
    SymbolicState s = blank();
    const TermName a = s.fresh(), b = s.fresh();
    s.add_block(SymbolicBlock::Kind::heap, 16, Rest::undetermined);
    s.store_at(0, 8, 8, value_of(b));
    s.initial["\\old(x)"] = b;
    ASSERT_TRUE(s.assume_distinct(a, logic::null_name));
    ASSERT_TRUE(s.assume_equal(a, b));
    EXPECT_EQ(s.load(0, 8, pointer()).term, s.initial["\\old(x)"]);
    EXPECT_FALSE(SymbolicState(s).assume_equal(s.initial["\\old(x)"], logic::null_name));
}

TEST_F(State, BlocksAreNeitherNullNorEachOther) {
    SymbolicState s = blank();
    const TermName a = s.add_block(SymbolicBlock::Kind::heap, 16, Rest::undetermined).root;
    const TermName b = s.add_block(SymbolicBlock::Kind::local, 16, Rest::undetermined).root;
    EXPECT_TRUE(s.apart(a, b));
    EXPECT_TRUE(s.apart(a, logic::null_name));
    EXPECT_FALSE(s.apart(a, s.fresh()));
    EXPECT_FALSE(SymbolicState(s).assume_equal(a, b));
    EXPECT_FALSE(SymbolicState(s).assume_equal(a, logic::null_name));
    SymbolicState gone = s;
    gone.remove_block(gone.block_at(a));
    EXPECT_FALSE(SymbolicState(gone).assume_equal(a, logic::null_name)) << "it was not NULL, and is not now";
    EXPECT_TRUE(SymbolicState(gone).assume_equal(a, gone.fresh()));
}

// ---- structures and formulas

TEST_F(State, AListIsOpenedOrEmpty) {
    SymbolicState s = blank();
    const TermName x = s.fresh();
    ASSERT_TRUE(s.assume(tagged("ls(x, NULL)"), {{"x", x}}));
    EXPECT_EQ(s.block_at(x), -1);
    ASSERT_EQ(s.structure_at(x), 0);
    SymbolicState one = s;
    one.store.resize(1);
    one.store[0] = value_of(x);
    const std::vector<SymbolicState> empty = one.emptied(0), opened = s.opened(0, x);
    ASSERT_EQ(empty.size(), 1U);
    EXPECT_EQ(empty[0].store[0].term, logic::null_name);
    ASSERT_EQ(opened.size(), 1U);
    s = opened[0];
    ASSERT_GE(s.block_at(x), 0);
    EXPECT_EQ(s.blocks[0].size, 16);
    const TermName next = s.load(0, 8, pointer(0)).term;
    EXPECT_EQ(s.structure_at(next), 0) << "the rest is a list again";
    EXPECT_FALSE(s.load(0, 0, integer(32)).undetermined) << "its number is not known, but there";
    EXPECT_FALSE(SymbolicState(s).assume_equal(x, logic::null_name));
}

TEST_F(State, SeparateStructuresDoNotShareCells) {
    SymbolicState s = blank();
    const TermName x = s.fresh(), y = s.fresh();
    ASSERT_TRUE(s.assume(tagged("ls+(x, NULL) * ls+(y, NULL)"), {{"x", x}, {"y", y}}));
    EXPECT_GE(s.block_at(x), 0) << "not empty: its first cell is known";
    EXPECT_TRUE(s.apart(x, y));
    EXPECT_FALSE(s.assume_equal(x, y));
}

TEST_F(State, ABlockShowsItselfAsACellOfItsSizeOnly) {
    const logic::Formula list = logic::Formula{{tagged("ls(x, NULL)")}};
    for (const std::int64_t size : {16, 24, 15}) {
        SymbolicState s = blank();
        const TermName root = s.add_block(SymbolicBlock::Kind::heap, size, Rest::undetermined).root;
        s.store_at(0, 8, 8, value_of(0));
        const logic::Formula right = instantiate(list, {{"x", root}});
        const auto answer = logic::prove({{s.question(right)}}, right);
        EXPECT_EQ(answer.verdict == logic::Validity::valid, size == 16) << size;
    }
}

TEST_F(State, AFieldThatWasNotWrittenLeadsNowhereInParticular) {
    SymbolicState s = blank();
    const TermName root = s.add_block(SymbolicBlock::Kind::heap, 16, Rest::undetermined).root;
    const logic::Formula right = instantiate({{tagged("ls(x, NULL)")}}, {{"x", root}});
    EXPECT_NE(logic::prove({{s.question(right)}}, right).verdict, logic::Validity::valid);
    SymbolicState zero = blank();
    const TermName z = zero.add_block(SymbolicBlock::Kind::heap, 16, Rest::zero).root;
    const logic::Formula wanted = instantiate({{tagged("ls(x, NULL)")}}, {{"x", z}});
    EXPECT_EQ(logic::prove({{zero.question(wanted)}}, wanted).verdict, logic::Validity::valid);
}

TEST_F(State, ValuesHaveNamesAndComeBackFromThem) {
    SymbolicValue v = value_of("@12");
    EXPECT_EQ(name_of_value(v), "@12");
    v.offset = -8;
    EXPECT_EQ(value_of(name_of_value(v)), v);
    v.index = "@3";
    v.scale = 4;
    EXPECT_EQ(value_of(name_of_value(v)), v);
    EXPECT_EQ(value_of(0).term, logic::null_name);
    EXPECT_EQ(number_of("-12"), -12);
    EXPECT_FALSE(number_of("@12"));
    EXPECT_FALSE(number_of("12x"));
    EXPECT_EQ(function_of(function_term(3)), 3);
}

} // namespace
} // namespace ggsnn::verify
