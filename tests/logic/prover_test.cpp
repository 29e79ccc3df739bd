// The prover on problems with known answers: laws of lists and trees, the loop invariants of the paper's
// seven programs (appendix, table of invariants), and limits.
#include "ggsnn/logic/prover.hpp"

#include "ggsnn/logic/satisfy.hpp"

#include <gtest/gtest.h>

namespace ggsnn::logic {
namespace {

// The verdict; an invalid one must come with a heap that the satisfaction check confirms.
Validity verdict(const std::string& text, const ProverLimits& limits = {}) {
    const Entailment entailment = parse_entailment(text, Reading::program);
    const Answer answer = prove(entailment.left, entailment.right, limits);
    EXPECT_EQ(answer.counter.has_value(), answer.verdict == Validity::invalid) << text;
    if (answer.counter) {
        EXPECT_EQ(satisfies(*answer.counter, entailment.left), Truth::yes) << text;
        EXPECT_EQ(satisfies(*answer.counter, entailment.right), Truth::no) << text;
    }
    EXPECT_EQ(answer.reason.empty(), answer.verdict != Validity::unknown) << text;
    return answer.verdict;
}

#define EXPECT_VALID(text) EXPECT_EQ(verdict(text), Validity::valid) << text
#define EXPECT_INVALID(text) EXPECT_EQ(verdict(text), Validity::invalid) << text

TEST(Prover, LawsOfLists) {
    EXPECT_VALID("ls(x,y) * ls(y,NULL) |- ls(x,NULL)");
    EXPECT_INVALID("ls(x,y) * ls(y,z) |- ls(x,z)");
    EXPECT_VALID("ls(x,y) * ls(y,z) * z |-> {next: w} |- ls(x,z) * z |-> {next: w}");
    EXPECT_VALID("ls(x,x) |- emp");
    EXPECT_INVALID("ls+(x,x) |- emp");
    EXPECT_VALID("x |-> {next: y} * ls(y,x) |- ls+(x,x)");
    EXPECT_VALID("ls+(x,x) |- exists y . x |-> {next: y} * ls(y,x)");
    EXPECT_INVALID("ls+(x,y) |- ls(x,y)"); // x = y: a cycle is not the empty list
    EXPECT_VALID("x != y * ls+(x,y) |- ls(x,y)");
    EXPECT_VALID("x != y * ls(x,y) |- ls+(x,y)");
    EXPECT_INVALID("ls(x,NULL) |- ls+(x,NULL)");
    EXPECT_VALID("ls(x,y) * ls(x,z) * x != y |- x = z * ls(x,y)");
    EXPECT_VALID("x |-> {next: y} * x |-> {next: z} |- emp * x != x");
    EXPECT_INVALID("ls(x,NULL) * ls(y,NULL) |- x != y * ls(x,NULL) * ls(y,NULL)");
}

TEST(Prover, TreesAndDoublyLinkedLists) {
    EXPECT_VALID("x |-> {left: l, right: r} * tree(l) * tree(r) |- tree(x)");
    EXPECT_INVALID("x |-> {left: l, right: l} * tree(l) |- tree(x)");
    EXPECT_VALID("x != NULL * tree(x) |- exists l, r . x |-> {left: l, right: r} * tree(l) * tree(r)");
    EXPECT_VALID("tree+(x) |- tree(x)");
    EXPECT_INVALID("tree(x) |- tree+(x)");
    EXPECT_VALID("dll(x,a,NULL,z) * dll(z,b,a,NULL) |- dll(x,b,NULL,NULL)");
    EXPECT_VALID("dll(x,a,NULL,z) * z |-> {next: NULL, prev: a} |- dll(x,z,NULL,NULL)");
    EXPECT_INVALID("dll(x,a,NULL,z) * z |-> {next: NULL, prev: x} |- dll(x,z,NULL,NULL)");
}

TEST(Prover, NestedStructures) {
    EXPECT_VALID("ls(x,y,\\t -> ls(t,NULL)) * ls(y,NULL,\\t -> ls(t,NULL)) |- ls(x,NULL,\\s -> ls(s,NULL))");
    EXPECT_VALID("x |-> {next: y, val: v} * ls(v,NULL) * ls(y,NULL,\\t -> ls(t,NULL)) |- ls(x,NULL,\\t -> "
                 "ls(t,NULL))");
    EXPECT_INVALID(
        "x |-> {next: y, val: v} * ls(v,w) * ls(y,NULL,\\t -> ls(t,NULL)) |- ls(x,NULL,\\t -> ls(t,NULL))");
    EXPECT_VALID("x |-> {left: NULL, right: NULL, val: v} * ls+(v,e) * ls+(e,e) |- "
                 "tree(x,\\t -> exists e . ls+(t,e) * ls+(e,e))");
    EXPECT_INVALID("ls(x,NULL,\\t -> ls(t,NULL)) |- ls(x,NULL)");
    EXPECT_VALID("ls(x,NULL,\\t -> exists a, b . a = b * ls+(t,a) * ls+(b,NULL)) |- "
                 "ls(x,NULL,\\t -> exists a . ls+(t,a) * ls+(a,NULL))");
}

// Cells of different records: the same shape over other fields.
TEST(Prover, Tags) {
    const auto tagged = [](const std::string& left, const std::string& right) {
        const Formula a = parse_tagged(left, Reading::program), b = parse_tagged(right, Reading::program);
        const Answer answer = prove(a, b);
        if (answer.counter) {
            EXPECT_EQ(satisfies(*answer.counter, a), Truth::yes) << left;
            EXPECT_EQ(satisfies(*answer.counter, b), Truth::no) << right;
        }
        return answer.verdict;
    };
    EXPECT_EQ(tagged("ls[#2](x,y) * ls[#2](y,NULL)", "ls[#2](x,NULL)"), Validity::valid);
    EXPECT_EQ(tagged("ls[#2](x,y) * ls[#3](y,NULL)", "ls[#2](x,NULL)"), Validity::invalid);
    EXPECT_EQ(tagged("ls[#2](x,NULL)", "ls(x,NULL)"), Validity::invalid);
    EXPECT_EQ(tagged("ls(x,NULL)", "ls[#2](x,NULL)"), Validity::invalid);
    EXPECT_EQ(tagged("x |-> {next#2: NULL}", "ls[#2](x,NULL)"), Validity::valid);
    EXPECT_EQ(tagged("x |-> {next#3: NULL}", "ls[#2](x,NULL)"), Validity::invalid);
    EXPECT_EQ(tagged("x |-> {next#2: NULL, next#3: x}", "ls[#2](x,NULL)"), Validity::valid)
        << "a cell with links of two records";
    EXPECT_EQ(tagged("x |-> {next#2: NULL, next#3: x}", "ls+[#3](x,x)"), Validity::valid);
    EXPECT_EQ(tagged("ls+[#2](x,y)", "exists u . x |-> {next#2: u} * ls[#2](u,y)"), Validity::valid);
    EXPECT_EQ(tagged("ls+[#2](x,y)", "exists u . x |-> {next: u} * ls[#2](u,y)"), Validity::invalid);
    EXPECT_EQ(tagged("x |-> {left#1: l, right#1: r} * tree[#1](l) * tree[#1](r)", "tree[#1](x)"),
              Validity::valid);
    EXPECT_EQ(tagged("x |-> {left#1: l, right#1: r} * tree[#1](l) * tree[#2](r)", "tree[#1](x)"),
              Validity::invalid);
    EXPECT_EQ(tagged("dll[#4](x,a,NULL,z) * z |-> {next#4: NULL, prev#4: a}", "dll[#4](x,z,NULL,NULL)"),
              Validity::valid);
    // The hook of a body belongs to the outer record, its cells to the inner one.
    EXPECT_EQ(
        tagged("x |-> {next#1: NULL, val#1: v} * ls[#2](v,NULL)", "ls[#1](x,NULL,\\t -> ls[#2](t,NULL))"),
        Validity::valid);
    EXPECT_EQ(
        tagged("x |-> {next#1: NULL, val#2: v} * ls[#2](v,NULL)", "ls[#1](x,NULL,\\t -> ls[#2](t,NULL))"),
        Validity::invalid);
    EXPECT_EQ(tagged("ls[#1](x,NULL,\\t -> ls[#2](t,NULL))", "ls[#1](x,NULL,\\t -> ls[#1](t,NULL))"),
              Validity::invalid);
}

TEST(Prover, FramesKeepTags) {
    const Formula left = parse_tagged("ls[#1](x,NULL,\\t -> ls[#2](t,a)) * tree[#3](y) * z |-> {next#4: y} * "
                                      "dll[#5](p,q,NULL,NULL) * w |-> {next: NULL}",
                                      Reading::program);
    const FrameAnswer frame =
        infer_frame(left.heaps[0], parse_tagged("w |-> {next: NULL}", Reading::program));
    ASSERT_EQ(frame.verdict, Validity::valid);
    ASSERT_EQ(frame.cases.size(), 1U);
    SymbolicHeap rest = frame.cases[0];
    rest.pure.clear();
    EXPECT_EQ(print_tagged(rest), "z |-> {next#4: y} * ls[#1](x, NULL, \\t -> ls[#2](t, a)) * tree[#3](y) * "
                                  "dll[#5](p, q, NULL, NULL)");
    EXPECT_EQ(infer_frame(left.heaps[0], parse_tagged("w |-> {next#1: NULL}", Reading::program)).verdict,
              Validity::invalid);
    EXPECT_EQ(infer_frame(left.heaps[0], parse_tagged("tree(y)", Reading::program)).verdict,
              Validity::invalid);
}

TEST(Prover, DisjunctionsOnBothSides) {
    EXPECT_VALID("ls(x,NULL) |- x = NULL * emp \\/ exists n . x |-> {next: n} * ls(n,NULL)");
    EXPECT_VALID("x = NULL * emp \\/ x |-> {next: NULL} |- ls(x,NULL)");
    EXPECT_INVALID("ls(x,NULL) |- x = NULL * emp \\/ x |-> {next: NULL}");
    EXPECT_VALID(
        "prev = NULL * cur = lst * ls(lst,NULL) \\/ ls(lst,prev) * prev |-> {next: cur} * ls(cur,NULL) |- "
        "ls(lst,NULL)");
}

// ---- the paper's seven programs. For each loop: the invariant holds on entry, is kept by the body, and
// gives what the code after the loop needs. Conditions are over the states before and after; primes are new
// values.

struct Condition {
    const char* program;
    const char* what;
    const char* text;
};

const std::vector<Condition>& loop_conditions() {
    static const std::vector<Condition> conditions{
        {"traverse1", "entry", "curr = lst * ls(lst,NULL) |- ls(lst,curr) * ls(curr,NULL)"},
        {"traverse1", "kept",
         "ls(lst,old) * old != NULL * old |-> {next: curr} * ls(curr,NULL) |- ls(lst,curr) * ls(curr,NULL)"},
        {"traverse1", "exit", "curr = NULL * ls(lst,curr) * ls(curr,NULL) |- ls(lst,NULL)"},
        {"traverse2", "entry",
         "curr = lst * lst != NULL * ls(lst,NULL) |- curr != NULL * lst != NULL * ls(lst,curr) * "
         "ls(curr,NULL)"},
        {"traverse2", "kept",
         "old != NULL * lst != NULL * curr != NULL * ls(lst,old) * old |-> {next: curr} * ls(curr,NULL) |- "
         "curr != NULL * lst != NULL * ls(lst,curr) * ls(curr,NULL)"},
        {"concat", "entry",
         "a != NULL * cur = a * a != b * ls(a,NULL) * ls(b,NULL) |- "
         "a != NULL * a != b * b != cur * cur != NULL * ls(cur,NULL) * ls(a,cur) * ls(b,NULL)"},
        {"concat", "kept",
         "a != NULL * old != NULL * cur != NULL * ls(a,old) * old |-> {next: cur} * ls(cur,NULL) * "
         "ls(b,NULL) |- "
         "a != NULL * a != b * b != cur * cur != NULL * ls(cur,NULL) * ls(a,cur) * ls(b,NULL)"},
        {"concat", "result", "a != NULL * ls(a,cur) * cur |-> {next: b} * ls(b,NULL) |- ls(a,NULL)"},
        {"copy", "entry",
         "curr = lst * cp = NULL * ls(lst,NULL) |- ls(curr,NULL) * ls(lst,curr) * ls(cp,NULL)"},
        {"copy", "kept",
         "ls(lst,old) * old |-> {next: curr} * ls(curr,NULL) * cp |-> {next: oldcp} * ls(oldcp,NULL) |- "
         "ls(curr,NULL) * ls(lst,curr) * ls(cp,NULL)"},
        {"dispose", "entry", "ls(lst,NULL) |- ls(lst,NULL)"},
        {"dispose", "body", "lst != NULL * ls(lst,NULL) |- exists n . lst |-> {next: n} * ls(n,NULL)"},
        {"dispose", "exit", "lst = NULL * ls(lst,NULL) |- emp"},
        {"insert", "entry",
         "curr = lst * lst != NULL * elt |-> {next: NULL} * ls(lst,NULL) |- curr != NULL * curr != elt * elt "
         "!= NULL * "
         "elt != lst * lst != NULL * ls(elt,NULL) * ls(lst,curr) * ls(curr,NULL)"},
        {"insert", "kept",
         "lst != NULL * curr != NULL * elt |-> {next: NULL} * ls(lst,old) * old |-> {next: curr} * "
         "ls(curr,NULL) |- "
         "curr != NULL * curr != elt * elt != NULL * elt != lst * lst != NULL * ls(elt,NULL) * ls(lst,curr) "
         "* ls(curr,NULL)"},
        {"insert", "result",
         "lst != NULL * ls(lst,curr) * curr |-> {next: elt} * elt |-> {next: n} * ls(n,NULL) |- "
         "ls(lst,NULL)"},
        {"remove", "entry",
         "curr = lst * lst != NULL * ls(lst,NULL) |- curr != NULL * lst != NULL * ls(lst,curr) * "
         "ls(curr,NULL)"},
        {"remove", "kept",
         "lst != NULL * curr != NULL * ls(lst,old) * old |-> {next: curr} * ls(curr,NULL) |- "
         "curr != NULL * lst != NULL * ls(lst,curr) * ls(curr,NULL)"},
        {"remove", "result", "lst != NULL * ls(lst,curr) * curr |-> {next: n} * ls(n,NULL) |- ls(lst,NULL)"}};
    return conditions;
}

TEST(Prover, LoopConditionsOfThePapersPrograms) {
    for (const Condition& c : loop_conditions()) EXPECT_VALID(c.text) << c.program << " " << c.what;
}

TEST(Prover, BrokenLoopConditionsAreRefutedByAHeap) {
    const std::vector<Condition> broken{
        {"traverse1", "no separate rest",
         "ls(lst,old) * old |-> {next: curr} * ls(curr,NULL) |- ls(lst,curr)"},
        {"traverse1", "cell lost",
         "ls(lst,old) * old |-> {next: curr} * ls(curr,NULL) |- ls(lst,old) * ls(curr,NULL)"},
        {"traverse2", "curr may be NULL",
         "lst != NULL * ls(lst,old) * old |-> {next: curr} * ls(curr,NULL) |- curr != NULL * ls(lst,curr) * "
         "ls(curr,NULL)"},
        {"concat", "appended in the wrong place",
         "a != NULL * ls(a,cur) * cur |-> {next: a} * ls(b,NULL) |- ls(a,NULL)"},
        {"concat", "b lost", "a != NULL * ls(a,cur) * cur |-> {next: NULL} * ls(b,NULL) |- ls(a,NULL)"},
        {"copy", "copy shared with the list",
         "ls(curr,NULL) * ls(lst,curr) * cp = curr |- ls(lst,NULL) * ls(cp,NULL)"},
        {"dispose", "rest not freed", "ls(lst,NULL) |- emp"},
        {"insert", "cycle by mistake",
         "ls(lst,curr) * curr |-> {next: elt} * elt |-> {next: curr} |- ls(lst,NULL)"},
        {"insert", "elt is one cell, not a list", "ls(elt,NULL) * elt != NULL |- elt |-> {next: NULL}"},
        {"remove", "cell leaked",
         "ls(lst,curr) * curr |-> {next: n} * dead |-> {next: n} * ls(n,NULL) |- ls(lst,NULL)"},
        {"remove", "segment to an end that is not allocated", "ls(lst,curr) * ls(curr,n) |- ls(lst,n)"}};
    for (const Condition& c : broken) EXPECT_INVALID(c.text) << c.program << " " << c.what;
}

TEST(Prover, SatisfiabilityComesWithAModel) {
    const auto formula = [](const char* text) { return parse_formula(text, Reading::program); };
    EXPECT_EQ(refute(formula("x |-> {next: y} * ls(x, NULL)")).verdict, Validity::valid)
        << "x cannot be NULL, nor twice";
    EXPECT_EQ(refute(formula("x |-> {next: y} * x = NULL")).verdict, Validity::valid);
    const Answer model = refute(formula("exists t . ls+(x, t) * ls+(t, t) * tree+(y) * none(z)"));
    ASSERT_EQ(model.verdict, Validity::invalid);
    EXPECT_EQ(satisfies(*model.counter, formula("exists t . ls+(x, t) * ls+(t, t) * tree+(y) * none(z)")),
              Truth::yes);
}

TEST(Prover, ShapeLabelsAreProvedUnderTheirOwnReading) {
    const auto label = [](const char* text) { return parse_formula(text, Reading::shape); };
    EXPECT_EQ(prove(label("ls(x, y) * ls(y, NULL)"), label("ls(x, y) * ls(y, NULL)")).verdict,
              Validity::valid);
    EXPECT_EQ(prove(label("ls(x, y) * ls(y, NULL)"), label("exists t . ls(x, t) * ls(t, NULL)")).verdict,
              Validity::valid);
    EXPECT_EQ(prove(label("ls(x, NULL)"), label("exists t . ls(x, t) * ls(t, NULL)")).verdict,
              Validity::invalid)
        << "a single cell cannot be cut in two";
    EXPECT_EQ(prove(label("ls(x, y) * none(y)"), label("ls(x, y) * none(y)")).verdict, Validity::valid);
    EXPECT_EQ(prove(label("ls(x, NULL)"), parse_formula("ls(x, NULL)", Reading::program)).verdict,
              Validity::valid);
    EXPECT_EQ(prove(parse_formula("ls(x, NULL)", Reading::program), label("ls(x, NULL)")).verdict,
              Validity::invalid);
}

// ---- frames

// The cases of what is left over, as one text.
std::string frame(const std::string& text) {
    const Entailment entailment = parse_entailment(text, Reading::program);
    const FrameAnswer answer = infer_frame(entailment.left.heaps[0], entailment.right);
    if (answer.verdict != Validity::valid) {
        EXPECT_EQ(answer.counter.has_value(), answer.verdict == Validity::invalid) << text;
        return answer.verdict == Validity::invalid ? "invalid" : "unknown";
    }
    // Left entails the right side next to one of the cases, by the prover itself.
    Formula together;
    for (const SymbolicHeap& one : answer.cases)
        for (SymbolicHeap right : entailment.right.heaps) {
            right.exists.insert(right.exists.end(), one.exists.begin(), one.exists.end());
            right.pure.insert(right.pure.end(), one.pure.begin(), one.pure.end());
            right.atoms.insert(right.atoms.end(), one.atoms.begin(), one.atoms.end());
            together.heaps.push_back(std::move(right));
        }
    EXPECT_EQ(prove(entailment.left, together).verdict, Validity::valid) << text;
    std::string cases;
    for (SymbolicHeap one : answer.cases) {
        one.pure.clear();
        cases += (cases.empty() ? "" : " | ") + print(one, Reading::program);
    }
    return cases;
}

TEST(Frame, WhatIsLeftOver) {
    EXPECT_EQ(frame("ls(x,y) * ls(y,NULL) |- ls(y,NULL)"), "ls(x, y)");
    EXPECT_EQ(frame("ls(x,NULL) |- emp"), "ls(x, NULL)");
    EXPECT_EQ(frame("x |-> {next: y, val: v} * ls(y,NULL) * tree(v) |- tree(v)"),
              "x |-> {next: y, val: v} * ls(y, NULL)");
    EXPECT_EQ(frame("x != NULL * ls(x,NULL) |- exists n . x |-> {next: n}"), "exists ?2 . ls(?2, NULL)");
    EXPECT_EQ(frame("ls(x,y,\\t -> ls(t,z)) * ls(y,NULL) |- ls(y,NULL)"), "ls(x, y, \\t -> ls(t, z))");
    EXPECT_EQ(frame("ls(x,NULL) |- ls(y,NULL)"), "invalid");
    EXPECT_EQ(frame("ls(x,NULL) |- x |-> {}"), "invalid");
}

TEST(Frame, CasesAreToldApart) {
    // x = NULL, or the first cell of x is given away.
    EXPECT_EQ(frame("ls(x,NULL) |- x = NULL \\/ exists n . x |-> {next: n}"),
              "exists ?2 . ls(?2, NULL) | emp");
}

// ---- limits

TEST(ProverLimits, TimeLimitHoldsAndGivesUnknown) {
    // True, but it needs induction; unfolding the tree goes on for ever.
    const Entailment hard = parse_entailment("tree+(x, \\t -> t = NULL) |- tree(x)", Reading::program);
    ProverLimits limits;
    limits.seconds = 0.2;
    limits.unfoldings = 50;
    const Answer answer = prove(hard.left, hard.right, limits);
    EXPECT_EQ(answer.verdict, Validity::unknown);
    EXPECT_EQ(answer.reason, "the time limit of 0.2 s was reached");
}

TEST(ProverLimits, AnExhaustedLimitIsNeverAnAnswer) {
    ProverLimits none;
    none.seconds = 0;
    EXPECT_EQ(verdict("ls(x,y) * ls(y,NULL) |- ls(x,NULL)", none), Validity::unknown);
    EXPECT_EQ(verdict("ls(x,y) |- ls(x,NULL)", none), Validity::unknown);
    ProverLimits small;
    small.bytes = 100;
    EXPECT_EQ(verdict("ls(x,y) * ls(y,NULL) |- ls(x,NULL)", small), Validity::unknown);
}

TEST(ProverLimits, LongChainsAreNoTrouble) {
    std::string left;
    for (int i = 0; i < 200; ++i) left += fmt::format("ls(x{}, x{}) * ", i, i + 1);
    EXPECT_VALID(left + "ls(x200, NULL) |- ls(x0, NULL)");
    EXPECT_INVALID(left + "ls(x200, y) |- ls(x0, NULL)");
}

} // namespace
} // namespace ggsnn::logic
