// Functions without a main and without a contract: which precondition they are given, and what counts as an
// error of their own.
#include "judged.hpp"

#include "ggsnn/logic/prover.hpp"

namespace ggsnn::verify {
namespace {

using logic::Reading;

class Preconditions : public Judging {
  protected:
    static bool equivalent(const logic::Formula& a, const std::string& text) {
        const logic::Formula b = logic::parse_formula(text, Reading::program);
        return logic::prove(a, b).verdict == logic::Validity::valid &&
               logic::prove(b, a).verdict == logic::Validity::valid;
    }
};

TEST_F(Preconditions, ASingleCellWhereOnlyACellIsNeeded) {
    const auto f = verdict_on("void init(n *p) { p->next = NULL; }");
    EXPECT_VERDICT(f, proved);
    EXPECT_TRUE(f.requires_assumed);
    EXPECT_TRUE(equivalent(f.requires_, "exists t . p |-> {next: t}"))
        << logic::print(f.requires_, Reading::program);
}

TEST_F(Preconditions, NullIsAllowedWhereTheCodeAsksForIt) {
    const auto f = verdict_on("int first(n *p) { if (!p) return 0; return p->v; }");
    EXPECT_VERDICT(f, proved);
    EXPECT_TRUE(equivalent(f.requires_, "ls(p, NULL)")) << logic::print(f.requires_, Reading::program);
}

TEST_F(Preconditions, ACaseThatTheCodeTestsForIsNotAssumedAway) {
    const auto f = verdict_on("int f(n *p) { if (p == 0) return p->v; return 1; }");
    EXPECT_VERDICT(f, unsafe);
    EXPECT_TRUE(has(f.reason, "t.c:3:37: in f: null dereference: 'p' is NULL")) << f.reason;
    ASSERT_TRUE(f.bad_run && f.bad_start);
}

TEST_F(Preconditions, WhatTheCallerHadIsNotCalledLeakedWhereItIsUnlinked) {
    const auto f = verdict_on("n *rest(n *p) { if (!p) return p; n *r = p->next; p->next = 0; return r; }");
    EXPECT_VERDICT(f, proved);
    const auto cut = verdict_on("void cut(n *p) { while (p && p->v) p = p->next; if (p) p->next = 0; }");
    EXPECT_FALSE(cut.verdict == Verdict::unsafe) << cut.reason;
    ASSERT_FALSE(cut.warnings.empty());
    EXPECT_TRUE(has(cut.warnings[0], "lost block of the caller")) << cut.warnings[0];
}

// What is the function's own is leaked.
TEST_F(Preconditions, WhatTheFunctionAllocatedIsLeaked) {
    const auto f = verdict_on("void f(int k) { n *p = malloc(sizeof *p); p->v = k; }");
    EXPECT_VERDICT(f, unsafe);
    EXPECT_TRUE(has(f.reason, "leak")) << f.reason;
}

// Each is right for some input that its types allow: nothing here is called unsafe.
TEST_F(Preconditions, AnInputThatTypesAllowIsEnoughNotToBeCalledUnsafe) {
    for (const char* text : {
             "int count(n *h) { if (!h) return 0; int k = 1; for (n *p = h->next; p != h; p = p->next) k++; "
             "return k; }",
             "int between(n *a, n *b) { int k = 0; if (b) while (a != b) { a = a->next; k++; } return k; }",
             "void unlink_(n *list, n *x) { n *p = list; while (p->next != x) p = p->next; p->next = "
             "x->next; free(x); }",
             "struct t { struct t *l, *r, *up; }; int is_left(struct t *x) { return x->up->l == x; }",
             "int sum(int *a, int k) { int s = 0; for (int i = 0; i < k; i++) s += a[i]; return s; }",
             "int second(int *a) { if (!a) return 0; return a[1]; }",
             "struct t { struct t *l, *r, *up; }; int is_left(struct t *x) { if (!x) return 0; return "
             "x->up->l == x; }",
             "int length(const char *s) { int k = 0; while (s[k]) k++; return k; }",
             "int number(void *p) { return *(int *)p; }",
             "int t[4]; int at(int i) { return t[i]; }",
             "int half(int *k) { return 100 / (*k - 4); }",
             "struct b; struct a { struct b *nb; }; struct b { struct a *na; };\n"
             "struct a *f(struct a *p) { return p->nb->na->nb->na; }",
         }) {
        const auto f = verdict_on(text);
        EXPECT_FALSE(f.verdict == Verdict::unsafe) << text << "\n" << f.reason;
        if (f.verdict == Verdict::unknown && f.bad_input) {
            EXPECT_TRUE(has(f.reason, "//@ requires")) << f.reason;
        }
    }
}

// Each fails on every input that comes to the place.
TEST_F(Preconditions, AnErrorThatNoInputAvoidsIsTheFunctionsOwn) {
    const auto check = [](const std::string& text, const std::string& reason) {
        const auto f = verdict_on(text);
        EXPECT_VERDICT(f, unsafe) << text;
        EXPECT_TRUE(has(f.reason, reason)) << text << "\n" << f.reason;
    };
    check("int t[4]; int f(int i) { if (i > 3) return t[i]; return 0; }", "out of bounds");
    check("int f(n *p) { if (!p) return 0; free(p); return p->v; }", "use after free");
    check("void f(n *p) { if (p) { free(p); free(p); } }", "double free");
    check("int f(void) { int *p = malloc(1); int k; *p = 5; k = *p; free(p); return k; }", "out of bounds");
    check("int f(int k) { if (k == 7) return k / (k - 7); return 0; }", "division");
}

TEST_F(Preconditions, GlobalsThatAFunctionDoesNotUseDoNotMatter) {
    const ProgramReport report = judged("static n *top; void push(n *x) { x->next = top; top = x; }\n"
                                        "int first(n *p) { return p ? p->v : 0; }");
    ASSERT_EQ(report.functions.size(), 2U);
    EXPECT_VERDICT(report.functions[0], proved);
    EXPECT_VERDICT(report.functions[1], proved);
}

TEST_F(Preconditions, AGivenOneIsTakenAsItIs) {
    const auto f = verdict_on("//@ requires ls(p, NULL)\nint f(n *p) { return p->v; }");
    EXPECT_VERDICT(f, unsafe);
    EXPECT_FALSE(f.requires_assumed);
    const auto g = verdict_on("//@ requires p != NULL * ls(p, NULL)\nint f(n *p) { return p->v; }");
    EXPECT_VERDICT(g, proved);
}

} // namespace
} // namespace ggsnn::verify
