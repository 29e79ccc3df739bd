// Proofs of functions as their callers use them: candidates, one loop after another, counter-models, calls,
// limits. Proofs of whole files are in proof_test.cpp.
#include "proving.hpp"

#include "ggsnn/logic/satisfy.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace ggsnn::verify {
namespace {

using testing::HasSubstr;

// A function of a text under a contract; others may have one, too.
class Subject {
  public:
    Subject(const std::string& text, const std::string& before, const std::string& after,
            ProofOptions options = {})
        : program_(program_of(list_text + text)),
          number_(program_.function_called("f")),
          contracts_(program_.functions.size()),
          options_(options) {
        contract("f", before, after);
    }
    void contract(const std::string& name, const std::string& before, const std::string& after) {
        const int f = program_.function_called(name);
        contracts_[static_cast<std::size_t>(f)] =
            typed_contract(program_, f, formula(before), formula(after), trouble);
    }
    ProofResult search(const std::vector<std::vector<std::string>>& candidates) {
        std::vector<std::vector<logic::Formula>> all;
        for (const auto& list : candidates) {
            all.emplace_back();
            for (const std::string& text : list) all.back().push_back(formula(text));
        }
        FunctionProof proof(program_, number_, contracts_, options_, entailments_);
        return proof.search(all);
    }
    ProofResult prove(const std::vector<std::string>& invariants) {
        std::vector<std::vector<std::string>> candidates;
        for (const std::string& one : invariants) candidates.push_back({one});
        return search(candidates);
    }
    std::size_t asked() const { return entailments_.asked(); }
    std::string trouble;

  private:
    Program program_;
    int number_;
    Contracts contracts_;
    ProofOptions options_;
    Entailments entailments_;
};

class Search : public testing::Test {
  protected:
    void SetUp() override { GGSNN_NEEDS_READING(); }
    static Failure first(const ProofResult& result) {
        EXPECT_FALSE(result.proved);
        return result.failures.at(0);
    }
};

constexpr const char* traverse = "void f(node *lst) { node *cur = lst; while (cur) cur = cur->next; }";
// Two loops after one another, the first with one inside.
constexpr const char* nested =
    "void f(node *x) { node *p, *q; for (p = x; p; p = p->next) for (q = p; q; q = q->next) ;\n"
    "for (p = x; p; p = p->next) ; }";

TEST_F(Search, ConditionsAreKeptAsData) {
    Subject subject(traverse, "ls(lst, NULL)", "ls(lst, NULL)");
    const ProofResult result = subject.prove({"ls(lst, cur) * ls(cur, NULL)"});
    ASSERT_TRUE(result.proved) << failures_text(result);
    std::map<Condition::Kind, int> kinds;
    for (const Condition& c : result.conditions) {
        ++kinds[c.kind];
        EXPECT_EQ(c.verdict, logic::Validity::valid);
        // Over program variables, and so that the text can be read and proved again.
        const logic::Formula left{{c.left}};
        EXPECT_EQ(text_of(formula(text_of(left))), text_of(left));
        EXPECT_EQ(logic::prove(left, c.right).verdict, logic::Validity::valid) << text_of(left);
    }
    EXPECT_EQ(kinds[Condition::Kind::established], 1);
    EXPECT_EQ(kinds[Condition::Kind::preserved], 1);
    EXPECT_EQ(kinds[Condition::Kind::postcondition], 1);
    EXPECT_TRUE(result.assumptions.empty());
}

TEST_F(Search, ACounterModelIsAHeapOverProgramVariablesThatBreaksTheInvariant) {
    Subject subject(traverse, "ls(lst, NULL)", "ls(lst, NULL)");
    const std::string wrong = "ls(lst, NULL) * cur = NULL \\/ lst = cur * ls(cur, NULL)";
    const Failure failure = first(subject.prove({wrong}));
    EXPECT_EQ(failure.kind, Failure::Kind::not_preserved);
    EXPECT_EQ(failure.loop, 0);
    ASSERT_TRUE(failure.counter);
    EXPECT_GE(failure.counter->variable("lst"), 0);
    EXPECT_GE(failure.counter->variable("cur"), 0);
    EXPECT_EQ(logic::satisfies(*failure.counter, formula(wrong)), logic::Truth::no);
    EXPECT_EQ(logic::satisfies(*failure.counter, formula("ls(lst, cur) * ls(cur, NULL)")), logic::Truth::yes);
}

TEST_F(Search, PurePartsThatAreNotKeptAreDropped) {
    Subject subject(traverse, "lst != NULL * ls(lst, NULL)", "ls(lst, NULL)");
    const ProofResult result =
        subject.search({{"lst != NULL * cur != NULL * lst = cur * ls(lst, cur) * ls(cur, NULL)"}});
    ASSERT_TRUE(result.proved) << failures_text(result);
    EXPECT_EQ(text_of(*result.loops[0].invariant), "lst != NULL * ls(lst, cur) * ls(cur, NULL)");
}

TEST_F(Search, CandidatesAreTriedLoopByLoop) {
    Subject subject(nested, "ls(x, NULL)", "ls(x, NULL)");
    const std::vector<std::string> wrong{"emp", "ls(p, NULL)", "ls(x, NULL)", "ls(x, q) * ls(q, NULL)",
                                         "ls(q, p) * ls(p, NULL)"};
    std::vector<std::string> outer = wrong, inner = wrong, last = wrong;
    outer.push_back("ls(x, p) * ls(p, NULL)");
    inner.push_back("p != NULL * ls(x, p) * ls(p, q) * ls(q, NULL)");
    last.push_back("ls(x, p) * ls(p, NULL)");
    const ProofResult result = subject.search({outer, inner, last});
    ASSERT_TRUE(result.proved) << failures_text(result);
    EXPECT_EQ(text_of(*result.loops[0].invariant), outer.back());
    EXPECT_EQ(text_of(*result.loops[1].invariant), inner.back());
    EXPECT_EQ(text_of(*result.loops[2].invariant), last.back());
    EXPECT_LT(subject.asked(), 600U) << "far from the product of the candidates";
}

TEST_F(Search, AWrongLoopDoesNotSpoilAnEarlierOne) {
    Subject subject(nested, "ls(x, NULL)", "ls(x, NULL)");
    const ProofResult result = subject.prove(
        {"ls(x, p) * ls(p, NULL)", "p != NULL * ls(x, p) * ls(p, q) * ls(q, NULL)", "ls(p, NULL)"});
    EXPECT_FALSE(result.proved);
    EXPECT_TRUE(result.loops[0].proved);
    EXPECT_TRUE(result.loops[1].proved);
    EXPECT_FALSE(result.loops[2].proved);
}

TEST_F(Search, MallocSucceedsUnlessSaidOtherwise) {
    const std::string make = "node *f(void) { node *p = malloc(sizeof *p); p->next = NULL; return p; }";
    const ProofResult trusting = Subject(make, "emp", "ls(\\result, NULL)").prove({});
    EXPECT_TRUE(trusting.proved) << failures_text(trusting);
    EXPECT_THAT(trusting.assumptions, testing::ElementsAre("malloc and calloc succeed"));
    ProofOptions options;
    options.allocation_may_fail = true;
    const ProofResult careful = Subject(make, "emp", "ls(\\result, NULL)", options).prove({});
    EXPECT_EQ(first(careful).kind, Failure::Kind::memory_error);
    EXPECT_TRUE(careful.assumptions.empty());
    const std::string checked =
        "node *f(void) { node *p = malloc(sizeof *p); if (p) p->next = NULL; return p; }";
    EXPECT_TRUE(Subject(checked, "emp", "ls(\\result, NULL)", options).prove({}).proved);
}

TEST_F(Search, TruthValuesAndSmallNumbersAreFollowed) {
    for (const char* body : {
             "int k = 0; if (x) k = 1; if (k == 1) x = x->next;",
             "int k = x == NULL; if (!k) x = x->next;",
             "int k = !!x; if (k) x = x->next;",
             "unsigned char k = 255; k++; if (k) x = x->next;",
             "int k = 3; switch (k) { case 1 ... 2: x = x->next; break; default: break; }",
             "int a[3] = {1, 2, 3}, s = 0; for (int i = 0; i < 3; i++) s += a[i]; if (s != 6) x = x->next;",
         }) {
        const ProofResult result =
            Subject("void f(node *x) { " + std::string(body) + " }", "ls(x, NULL)", "ls(x, NULL)").prove({});
        EXPECT_TRUE(result.proved) << body << "\n" << failures_text(result);
    }
    for (const char* body : {"int k = 0; if (x) k = 1; if (k != 1) x = x->next;",
                             "unsigned char k = 255; k++; if (!k) x = x->next;"})
        EXPECT_FALSE(Subject("void f(node *x) { " + std::string(body) + " }", "ls(x, NULL)", "ls(x, NULL)")
                         .prove({})
                         .proved)
            << body;
}

TEST_F(Search, ALoopWhoseCourseIsKnownNeedsNoInvariant) {
    const ProofResult result =
        Subject("int f(void) { int a[8]; for (int i = 0; i < 8; i++) a[i] = i; return a[7]; }", "emp", "emp")
            .search({{}});
    ASSERT_TRUE(result.proved) << failures_text(result);
    EXPECT_TRUE(result.loops[0].run_through);
    EXPECT_FALSE(
        Subject("int f(void) { int a[8]; for (int i = 0; i <= 8; i++) a[i] = i; return a[7]; }", "emp", "emp")
            .search({{}})
            .proved);
}

// ---- calls

TEST_F(Search, ACallLeavesTheRestOfTheHeapAlone) {
    const std::string text =
        "void callee(node *a) { while (a) a = a->next; } void f(node *x, node *y) { callee(x); }";
    Subject subject(text, "ls(x, y) * ls(y, NULL)", "ls(y, NULL)");
    EXPECT_THAT(first(subject.prove({})).reason, HasSubstr("callee"));
    subject.contract("callee", "exists t . ls(a, t)", "emp"); // some first part of it: perhaps not up to y
    EXPECT_FALSE(subject.prove({}).proved);
    subject.contract("callee", "ls(a, NULL)", "ls(a, NULL)");
    EXPECT_FALSE(subject.prove({}).proved) << "x and y are not separate then";
    Subject whole(text, "ls(x, NULL) * ls(y, NULL)", "ls(y, NULL)");
    whole.contract("callee", "ls(a, NULL)", "emp");
    const ProofResult result = whole.prove({});
    EXPECT_TRUE(result.proved) << failures_text(result);
    EXPECT_EQ(result.callees, std::set<int>{0});
}

TEST_F(Search, NoneOfACalleeIsNotSaidOfTheWholeHeap) {
    // The callee says that no cell of its part is at a; the caller has one there.
    Subject subject(
        "void callee(node *a) { while (a) a = a->next; } void f(node *x) { callee(x); x->val = 1; }",
        "exists n . x |-> {next: n}", "emp");
    subject.contract("callee", "a != NULL", "none(a)");
    EXPECT_FALSE(subject.prove({}).proved) << "the cell is still there";
}

// ---- what is not understood

TEST_F(Search, WhatIsNotUnderstoodIsUnknown) {
    Subject subject(traverse, "ls(lst, NULL)", "ls(lst, NULL)");
    EXPECT_FALSE(subject.prove({"ls(lst, other)"}).proved);
    EXPECT_EQ(first(subject.search({})).kind, Failure::Kind::unknown);
    EXPECT_THAT(first(subject.search({})).reason, HasSubstr("no invariant"));
    EXPECT_FALSE(subject.prove({"ls(lst, NULL, \\t -> none(t))"}).proved);
    EXPECT_THAT(first(Subject(traverse, "ls(lst, q)", "emp").prove({"emp"})).reason, HasSubstr("'q'"));
    EXPECT_THAT(first(Subject(traverse, "lst != lst", "emp").prove({"emp"})).reason,
                HasSubstr("no heap satisfies the precondition"));
    const Failure refused = first(Subject("void f(node *x) { __asm__(\"nop\"); }", "emp", "emp").prove({}));
    EXPECT_EQ(refused.kind, Failure::Kind::unknown);
    EXPECT_THAT(refused.reason, HasSubstr("assembler"));
    EXPECT_TRUE(Subject("void f(node *x) { if (0) __asm__(\"nop\"); }", "emp", "emp").prove({}).proved)
        << "never reached";
    Subject no_result(traverse, "ls(lst, NULL)", "ls(\\result, NULL)");
    EXPECT_TRUE(!no_result.trouble.empty() || !no_result.prove({"ls(lst, cur) * ls(cur, NULL)"}).proved);
}

TEST_F(Search, LimitsHoldAndGiveUnknown) {
    std::string text = "void f(node *x, node *y, int *k) { ";
    for (int i = 0; i < 40; ++i) text += "if (*(volatile int *)k) x = x->next; else x = y;\n";
    const std::string heap = "ls+(x, x) * ls+(y, y) * k |-> {}";
    ProofOptions options;
    options.seconds = 0.3;
    options.paths = 1'000'000'000;
    const auto says = [](const ProofResult& result, const std::string& reason) {
        return std::any_of(result.failures.begin(), result.failures.end(),
                           [&](const Failure& failure) { return failure.reason == reason; });
    };
    // 2^40 paths: without the limit there is no end.
    const ProofResult late = Subject(text + "}", heap, "ls+(x, x)", options).prove({});
    EXPECT_FALSE(late.proved);
    EXPECT_TRUE(says(late, "the time limit of 0.3 s was reached")) << failures_text(late);
    options.seconds = 1e6;
    options.paths = 100;
    const ProofResult wide = Subject(text + "}", heap, "ls+(x, x)", options).prove({});
    EXPECT_FALSE(wide.proved);
    EXPECT_TRUE(says(wide, "more than 100 paths")) << failures_text(wide);
}

} // namespace
} // namespace ggsnn::verify
