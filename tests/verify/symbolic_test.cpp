// Proofs of functions as their callers use them: candidates, one loop at a time, counter-models, limits. The
// programs are built here; proofs of C programs are in proof_test.cpp.
#include "logic/satisfy.hpp"
#include "verify/build.hpp"
#include "verify/proof.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

namespace ggsnn::verify {
namespace {

using build::apply;
using build::Builder;
using build::null;
using build::number;
using testing::HasSubstr;

logic::Formula formula(const std::string& text) {
    return logic::parse_formula(text, logic::Reading::program);
}

std::string text(const logic::Formula& f) {
    return logic::print(f, logic::Reading::program);
}

// The first function of a program under a contract.
class Subject {
  public:
    Subject(Program program, const std::string& before, const std::string& after, ProofOptions options = {})
        : program_(std::move(program)), contracts_(program_.functions.size()), options_(options) {
        contracts_[0] = Contract{formula(before), formula(after)};
    }
    void contract(int function, const std::string& before, const std::string& after) {
        contracts_[static_cast<std::size_t>(function)] = Contract{formula(before), formula(after)};
    }
    FunctionProof proof() { return {program_, 0, contracts_, options_, entailments_}; }
    ProofResult prove(const std::vector<std::string>& invariants) {
        Invariants all;
        for (const std::string& t : invariants) all.push_back(formula(t));
        return proof().prove(all);
    }
    ProofResult search(const std::vector<std::vector<std::string>>& candidates) {
        std::vector<std::vector<logic::Formula>> all;
        for (const std::vector<std::string>& list : candidates) {
            all.emplace_back();
            for (const std::string& t : list) all.back().push_back(formula(t));
        }
        return proof().search(all);
    }
    const Entailments& entailments() const { return entailments_; }

  private:
    Program program_;
    Contracts contracts_;
    ProofOptions options_;
    Entailments entailments_;
};

Program traverse() {
    Builder b;
    b.function("traverse", {"lst"}, "");
    b.local("cur");
    b.assign("cur", b["lst"]);
    b.loop(apply("!=", b["cur"], null()), [&] { b.load("cur", "cur", "next"); });
    b.give();
    return b.program;
}

// Two loops after one another, the first with one inside.
Program nested() {
    Builder b;
    b.function("nested", {"x"}, "");
    b.local("p");
    b.local("q");
    b.assign("p", b["x"]);
    b.loop(apply("!=", b["p"], null()), [&] {
        b.assign("q", b["p"]);
        b.loop(apply("!=", b["q"], null()), [&] { b.load("q", "q", "next"); });
        b.load("p", "p", "next");
    });
    b.assign("p", b["x"]);
    b.loop(apply("!=", b["p"], null()), [&] { b.load("p", "p", "next"); });
    b.give();
    return b.program;
}

TEST(Proof, ConditionsAreKeptAsData) {
    Subject subject(traverse(), "ls(lst, NULL)", "ls(lst, NULL)");
    const ProofResult result = subject.prove({"ls(lst, cur) * ls(cur, NULL)"});
    ASSERT_TRUE(result.proved);
    ASSERT_EQ(result.conditions.size(), 3u);
    EXPECT_EQ(result.conditions[0].kind, Condition::Kind::established);
    EXPECT_EQ(result.conditions[1].kind, Condition::Kind::preserved);
    EXPECT_EQ(result.conditions[2].kind, Condition::Kind::postcondition);
    for (const Condition& c : result.conditions) {
        EXPECT_EQ(c.verdict, logic::Verdict::valid);
        // Over program variables, and so that the text can be read and proved again.
        const logic::Formula left{{c.left}};
        EXPECT_EQ(text(formula(text(left))), text(left));
        EXPECT_EQ(logic::prove(left, c.right).verdict, logic::Verdict::valid) << text(left);
    }
    EXPECT_TRUE(result.assumptions.empty());
}

TEST(Proof, ACounterModelIsAHeapOverProgramVariablesThatBreaksTheInvariant) {
    Subject subject(traverse(), "ls(lst, NULL)", "ls(lst, NULL)");
    const std::string wrong = "lst = cur * ls(cur, NULL)";
    const ProofResult result = subject.prove({wrong});
    ASSERT_EQ(result.failures.size(), 1u);
    const Failure& failure = result.failures[0];
    EXPECT_EQ(failure.kind, Failure::Kind::not_preserved);
    EXPECT_EQ(failure.loop, 0);
    EXPECT_FALSE(result.loops[0].proved);
    ASSERT_TRUE(failure.counter);
    EXPECT_GE(failure.counter->variable("lst"), 0);
    EXPECT_GE(failure.counter->variable("cur"), 0);
    EXPECT_EQ(failure.counter->variables.size(), 2u);
    EXPECT_EQ(logic::satisfies(*failure.counter, formula(wrong)), logic::Truth::no);
    EXPECT_EQ(logic::satisfies(*failure.counter, formula("ls(lst, cur) * ls(cur, NULL)")), logic::Truth::yes);
    ASSERT_EQ(failure.path.size(), 1u);
    EXPECT_TRUE(failure.path[0].taken);
}

TEST(Proof, PurePartsThatAreNotKeptAreDropped) {
    Subject subject(traverse(), "lst != NULL * ls(lst, NULL)", "ls(lst, NULL)");
    const std::string strong = "lst != NULL * cur != NULL * lst = cur * ls(lst, cur) * ls(cur, NULL)";
    EXPECT_FALSE(subject.prove({strong}).proved);
    const ProofResult result = subject.search({{strong}});
    ASSERT_TRUE(result.proved);
    EXPECT_EQ(text(*result.loops[0].invariant), "lst != NULL * ls(lst, cur) * ls(cur, NULL)");
}

TEST(Proof, CandidatesAreTriedLoopByLoop) {
    Subject subject(nested(), "ls(x, NULL)", "ls(x, NULL)");
    const std::vector<std::string> wrong{"emp", "ls(p, NULL)", "ls(x, NULL)", "ls(x, q) * ls(q, NULL)",
                                         "ls(q, p) * ls(p, NULL)"};
    std::vector<std::string> outer = wrong, inner = wrong, last = wrong;
    outer.push_back("ls(x, p) * ls(p, NULL)");
    inner.push_back("p != NULL * ls(x, p) * ls(p, q) * ls(q, NULL)");
    last.push_back("ls(x, p) * ls(p, NULL)");
    const ProofResult result = subject.search({outer, inner, last});
    ASSERT_TRUE(result.proved);
    EXPECT_EQ(text(*result.loops[0].invariant), outer.back());
    EXPECT_EQ(text(*result.loops[1].invariant), inner.back());
    EXPECT_EQ(text(*result.loops[2].invariant), last.back());
    EXPECT_LT(subject.entailments().asked(), 400u) << "far from the product of the candidates";
}

TEST(Proof, OneLoopIsCheckedGivenTheOthers) {
    Subject subject(nested(), "ls(x, NULL)", "ls(x, NULL)");
    FunctionProof proof = subject.proof();
    const logic::Formula inner = formula("p != NULL * ls(x, p) * ls(p, q) * ls(q, NULL)");
    // Alone: kept by its own round; where it comes from and leads to is open.
    const LoopCheck alone = proof.check_loop(1, inner, {}, false);
    EXPECT_TRUE(alone.preserved);
    const LoopCheck bad = proof.check_loop(1, formula("ls(x, NULL)"), {}, false);
    EXPECT_FALSE(bad.preserved);
    ASSERT_FALSE(bad.failures.empty());
    EXPECT_EQ(bad.failures[0].kind, Failure::Kind::memory_error);
    // The outer one with it, and with an inner one that says too little for it.
    const logic::Formula outer = formula("ls(x, p) * ls(p, NULL)");
    EXPECT_TRUE(proof.check_loop(0, outer, {std::nullopt, inner, outer}, false).proved());
    const LoopCheck weak =
        proof.check_loop(0, outer, {std::nullopt, formula("ls(x, q) * ls(q, NULL)"), outer}, false);
    EXPECT_TRUE(weak.established);
    EXPECT_FALSE(weak.proved());
}

TEST(Proof, AWrongLoopDoesNotSpoilAnEarlierOne) {
    Subject subject(nested(), "ls(x, NULL)", "ls(x, NULL)");
    const ProofResult result = subject.prove(
        {"ls(x, p) * ls(p, NULL)", "p != NULL * ls(x, p) * ls(p, q) * ls(q, NULL)", "ls(p, NULL)"});
    EXPECT_FALSE(result.proved);
    EXPECT_TRUE(result.loops[0].proved);
    EXPECT_TRUE(result.loops[1].proved);
    EXPECT_FALSE(result.loops[2].proved);
}

TEST(Proof, MallocSucceedsUnlessSaidOtherwise) {
    Builder b;
    b.function("make", {}, "r");
    b.local("p");
    b.allocate("p", true);
    b.store("p", "next", null());
    b.give(b["p"]);
    const ProofResult trusting = Subject(b.program, "emp", "ls(\\result, NULL)").prove({});
    EXPECT_TRUE(trusting.proved);
    EXPECT_THAT(trusting.assumptions, testing::ElementsAre("malloc and calloc succeed"));
    ProofOptions options;
    options.allocation_may_fail = true;
    const ProofResult careful = Subject(b.program, "emp", "ls(\\result, NULL)", options).prove({});
    ASSERT_EQ(careful.failures.size(), 1u);
    EXPECT_THAT(careful.failures[0].reason, HasSubstr("null dereference"));
    EXPECT_TRUE(careful.assumptions.empty());
}

TEST(Proof, FlagsAreFollowed) {
    Builder b;
    b.function("flag", {"x"}, "");
    b.local("#f");
    b.assign("f", number(0));
    b.branch(apply("!=", b["x"], null()), [&] { b.assign("f", number(1)); });
    b.branch(apply("==", b["f"], number(1)), [&] { b.load("x", "x", "next"); });
    b.give();
    EXPECT_TRUE(Subject(b.program, "ls(x, NULL)", "ls(x, NULL)").prove({}).proved);
    Builder c;
    c.function("comparison", {"x"}, "");
    c.local("#f");
    c.assign("f", apply("==", c["x"], null()));
    c.branch(build::negate(c["f"]), [&] { c.load("x", "x", "next"); });
    c.give();
    EXPECT_TRUE(Subject(c.program, "ls(x, NULL)", "ls(x, NULL)").prove({}).proved);
}

// ---- calls

TEST(Proof, ACallLeavesTheRestOfTheHeapAlone) {
    Builder b;
    b.function("caller", {"x", "y"}, "");
    b.call("", 1, {b["x"]});
    b.give();
    b.function("callee", {"a"}, "");
    b.give();
    Subject subject(b.program, "ls(x, y) * ls(y, NULL)", "ls(y, NULL)");
    EXPECT_THAT(subject.prove({}).failures[0].reason, HasSubstr("callee has no contract"));
    subject.contract(1, "exists t . ls(a, t)", "emp"); // some first part of it: perhaps not up to y
    EXPECT_FALSE(subject.prove({}).proved);
    subject.contract(1, "ls(a, NULL)", "ls(a, NULL)");
    EXPECT_FALSE(subject.prove({}).proved) << "x and y are not separate then";
    Subject whole(b.program, "ls(x, NULL) * ls(y, NULL)", "ls(y, NULL)");
    whole.contract(1, "ls(a, NULL)", "emp");
    const ProofResult result = whole.prove({});
    EXPECT_TRUE(result.proved);
    EXPECT_EQ(result.callees, std::set<int>{1});
    EXPECT_EQ(result.conditions[0].kind, Condition::Kind::precondition);
}

TEST(Proof, NoneOfACalleeIsNotSaidOfTheWholeHeap) {
    // The callee says that no cell of its part is at a; the caller has one there.
    Builder b;
    b.function("caller", {"x", "y"}, "");
    b.call("", 1, {b["x"]});
    b.load("y", "x", "next");
    b.give();
    b.function("callee", {"a"}, "");
    b.give();
    Subject subject(b.program, "x |-> {next: y}", "emp");
    subject.contract(1, "a != NULL", "none(a)");
    EXPECT_FALSE(subject.prove({}).proved) << "the cell is still there";
}

// ---- what is not understood

TEST(Proof, WhatIsNotUnderstoodIsUnknown) {
    const auto first = [](const ProofResult& result) {
        EXPECT_FALSE(result.proved);
        return result.failures.at(0);
    };
    Subject subject(traverse(), "ls(lst, NULL)", "ls(lst, NULL)");
    EXPECT_THAT(first(subject.prove({"ls(lst, other)"})).reason, HasSubstr("'other' is not known there"));
    EXPECT_THAT(first(subject.search({})).reason, HasSubstr("no invariant"));
    EXPECT_THAT(first(subject.prove({"ls(lst, NULL, \\t -> none(t))"})).reason, HasSubstr("none(..)"));
    EXPECT_THAT(first(Subject(traverse(), "ls(lst, q)", "emp").prove({"emp"})).reason, HasSubstr("'q'"));
    Subject no_result(traverse(), "ls(lst, NULL)", "ls(\\result, NULL)");
    EXPECT_THAT(first(no_result.prove({"ls(lst, cur) * ls(cur, NULL)"})).reason, HasSubstr("\\result"));
    EXPECT_THAT(first(Subject(traverse(), "lst != lst", "emp").prove({"emp"})).reason,
                HasSubstr("no heap satisfies the precondition"));
    Program refused = traverse();
    refused.functions[0].refusals.push_back({{3, 4}, "goto"});
    EXPECT_EQ(first(Subject(refused, "emp", "emp").prove({"emp"})).reason, "goto");
    Program hidden = traverse();
    hidden.functions[0].loops.clear();
    const Failure failure = first(Subject(hidden, "ls(lst, NULL)", "ls(lst, NULL)").prove({}));
    EXPECT_EQ(failure.kind, Failure::Kind::unknown);
    EXPECT_THAT(failure.reason, HasSubstr("cycle"));
}

TEST(Proof, LimitsHoldAndGiveUnknown) {
    Builder b;
    b.function("many", {"x", "y", "z"}, "");
    for (int i = 0; i < 40; ++i)
        b.branch(build::unknown(), [&] { b.load("x", "x", "next"); }, [&] { b.assign("x", b["y"]); });
    b.give();
    ProofOptions options;
    options.seconds = 0.3;
    options.paths = 1'000'000'000;
    const std::clock_t begin = std::clock();
    const ProofResult slow = Subject(b.program, "ls+(x, x) * ls+(y, y)", "ls+(x, x)", options).prove({});
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 3);
    EXPECT_FALSE(slow.proved);
    options.seconds = 10;
    options.paths = 100;
    const ProofResult wide = Subject(b.program, "ls+(x, x) * ls+(y, y)", "ls+(x, x)", options).prove({});
    EXPECT_FALSE(wide.proved);
    bool said = false;
    for (const Failure& failure : wide.failures) said |= failure.reason == "more than 100 paths";
    EXPECT_TRUE(said);
}

} // namespace
} // namespace ggsnn::verify
