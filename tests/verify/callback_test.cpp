// Functions that the caller passes: called as functions without a body are, under assumptions that are told.
#include "judged.hpp"

#include <algorithm>

namespace ggsnn::verify {
namespace {

class Callbacks : public Judging {
  protected:
    static bool assumes(const FunctionReport& report, const std::string& part) {
        return std::any_of(report.assumptions.begin(), report.assumptions.end(),
                           [&](const std::string& one) { return has(one, part); });
    }
};

TEST_F(Callbacks, AreFunctionsOfTheCaller) {
    for (const char* text :
         {"n *find(n *l, int (*p)(int)) { while (l && !p(l->v)) l = l->next; return l; }",
          "int sum(n *l, int (*p)(int)) { int s = 0; while (l) { s += p(l->v); l = l->next; } return s; }",
          "n *put(n *l, int v, int (*p)(int, int)) { n **at = &l, *x = malloc(sizeof *x); x->v = v;"
          " while (*at && p((*at)->v, v) < 0) at = &(*at)->next; x->next = *at; *at = x; return l; }",
          "n *keep(n *l, int (*p)(int)) { n *r = 0; while (l) { n *x = l->next;"
          " if (p(l->v)) { l->next = r; r = l; } else free(l); l = x; } return r; }",
          "void tick(void (*p)(void)) { p(); }"}) {
        const FunctionReport report = verdict_on(text);
        EXPECT_VERDICT(report, proved) << text;
        EXPECT_TRUE(assumes(report, "p is not NULL")) << text;
        EXPECT_TRUE(assumes(report, "p, if not NULL, is a function of its type and none of this file"))
            << text;
    }
}

TEST_F(Callbacks, MayBeNullWhereTheyAreComparedWithIt) {
    for (const char* text :
         {"int sum(n *l, int (*p)(int)) { int s = 0; if (!p) return -1;"
          " while (l) { s += p(l->v); l = l->next; } return s; }",
          "int sum(n *l, int (*p)(int)) { int s = 0; while (l) { s += p ? p(l->v) : l->v; l = l->next; }"
          " return s; }",
          "void drop(n *l, void (*p)(int)) { while (l) { n *x = l->next; if (0 != p) p(l->v); free(l); l = "
          "x; } }"}) {
        const FunctionReport report = verdict_on(text);
        EXPECT_VERDICT(report, proved) << text;
        EXPECT_FALSE(assumes(report, "p is not NULL")) << text;
        EXPECT_TRUE(assumes(report, "p, if not NULL,")) << text;
    }
}

// As the arguments of functions without a body.
TEST_F(Callbacks, AreGivenNoMemory) {
    for (const char* text : {"void each(n *l, void (*p)(n *)) { while (l) { n *x = l->next; p(l); l = x; } }",
                             "void each(n **l, void (*p)(void *)) { p(l[0]); }",
                             "int local(int (*p)(int *)) { int a = 1; p(&a); return a; }",
                             "int pass(int (*p)(int (*)(int)), int (*q)(int)) { return p(q); }"}) {
        const FunctionReport report = verdict_on(text);
        EXPECT_VERDICT(report, unknown) << text;
    }
    EXPECT_TRUE(has(
        verdict_on("void each(n *l, void (*p)(n *)) { while (l) { n *x = l->next; p(l); l = x; } }").reason,
        "p is given by the caller, and may keep and change what its arguments lead to"));
}

TEST_F(Callbacks, MayDoWhatIsNotExcluded) {
    for (const char* text :
         {// variables of the file, static or not
          "static int k; int f(int (*p)(int)) { k = 1; p(0); return 10 / k; }",
          "static n *k; int f(int (*p)(int)) { n a; k = &a; a.v = 1; p(0); return 10 / a.v; }",
          // a function of another type
          "int f(int (*p)(int)) { return ((int (*)(int, int))p)(1, 2); }",
          "int f(int (*p)(int)) { return ((char (*)(int))p)(1); }",
          "int f(int (*p)()) { return p ? p(1) : 0; }",
          // who is who
          "int f(int (*p)(int), int (*q)(int)) { int *x = 0; if (p == q) return *x; return p(1) + q(1); }",
          "int f(void (*p)(void *)) { int *x = 0; if (p == free) return *x; p(0); return 1; }",
          // NULL
          "int f(int (*p)(int)) { int *x = 0; if (!p) return *x; return p(1); }",
          "int f(int (*p)(int)) { int *x = 0; if (p) return *x; return 1; }",
          // what stands around the call
          "int f(n *l, int (*p)(int)) { int s = 0; while (l) { n *x = l->next; free(l); s += p(l->v); l = x; "
          "}"
          " return s; }",
          "void f(int (*p)(int)) { n *x = malloc(sizeof *x); x->v = p(1); }",
          "int f(int (*p)(int)) { return 10 / p(1); }"}) {
        const FunctionReport report = verdict_on(text);
        EXPECT_STRNE(name_of(report.verdict), "proved") << text;
    }
}

TEST_F(Callbacks, AreKnownWhereTheFileHasTheCaller) {
    const ProgramReport report = judged("int apply(int (*p)(int), int x) { return p(x); }\n"
                                        "int user(void) { return apply(0, 1); }\n"
                                        "static int bad(int x) { int *y = 0; return *y + x; }\n"
                                        "int other(void) { return apply(bad, 1); }\n");
    for (const FunctionReport& f : report.functions)
        EXPECT_EQ(f.name == "apply", f.verdict == Verdict::proved) << f.name << f.reason;
}

} // namespace
} // namespace ggsnn::verify
