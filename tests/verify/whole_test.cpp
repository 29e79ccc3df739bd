// Programs with a main: judged as they run from there.
#include "judged.hpp"

namespace ggsnn::verify {
namespace {

class Whole : public Judging {
  protected:
    static FunctionReport main_of(const std::string& text, const VerifyOptions& options = {}) {
        FunctionReport report = verdict_on(text, options);
        EXPECT_EQ(report.name, "main");
        EXPECT_TRUE(report.whole);
        return report;
    }
};

TEST_F(Whole, FunctionsAreJudgedAsMainCallsThem) {
    const ProgramReport report =
        judged("static void set(n *p) { p->v = 1; }\n"
               "static int never(n *p) { return p->next->v; }\n"
               "int main(int argc, char **argv) { n x = {argc, 0}; set(&x); return x.v; }");
    ASSERT_EQ(report.functions.size(), 1U);
    EXPECT_VERDICT(report.functions[0], proved);
    ASSERT_FALSE(report.notes.empty());
    EXPECT_TRUE(has(report.notes[0], "never")) << report.notes[0];
    EXPECT_FALSE(has(report.notes[0], "set"));
}

TEST_F(Whole, AnErrorHasARunFromMain) {
    const auto f =
        main_of("static void set(n *p) { p->v = 1; }\n"
                "int main(int argc, char **argv) { set(argc > 3 ? malloc(sizeof(n)) : NULL); return 0; }");
    EXPECT_VERDICT(f, unsafe);
    EXPECT_TRUE(has(f.reason, "t.c:3:30: in set: null dereference")) << f.reason;
    ASSERT_TRUE(f.bad_run);
    ASSERT_EQ(f.bad_run->fault.calls.size(), 1U);
    EXPECT_EQ(f.bad_run->fault.calls[0].second.line, 4);
}

TEST_F(Whole, ThatThereIsOneRunIsSaid) {
    const auto f = main_of(
        "int main(void) { int a[3] = {1, 2, 3}, s = 0; for (int i = 0; i < 3; i++) s += a[i]; return s; }");
    EXPECT_VERDICT(f, proved);
    EXPECT_TRUE(f.only_run);
    EXPECT_TRUE(has(claim_of(f), "one run"));
}

TEST_F(Whole, LoopsOfListsAreProved) {
    const auto f =
        main_of("int main(int argc, char **argv) { n *h = NULL;\n"
                "for (int i = 0; i < argc; i++) { n *x = malloc(sizeof *x); x->next = h; h = x; }\n"
                "while (h) { n *t = h->next; free(h); h = t; } return 0; }");
    EXPECT_VERDICT(f, proved);
    EXPECT_FALSE(f.only_run);
    ASSERT_EQ(f.loops.size(), 2U);
    ASSERT_EQ(f.assumptions.size(), 1U);
    EXPECT_TRUE(has(f.assumptions[0], "malloc")) << f.assumptions[0];
    VerifyOptions careful;
    careful.proof.allocation_may_fail = true;
    EXPECT_FALSE(
        main_of(
            "int main(int argc, char **argv) { n *x = malloc(sizeof *x); x->v = argc; free(x); return 0; }",
            careful)
            .verdict == Verdict::proved);
}

TEST_F(Whole, LeaksAreErrorsAtTheEnd) {
    const auto lost = main_of("int main(void) { n *p = malloc(sizeof *p); p->v = 0; p = NULL; return 0; }");
    EXPECT_VERDICT(lost, unsafe);
    EXPECT_TRUE(has(lost.reason, "leak")) << lost.reason;
    const auto kept =
        main_of("static n *g; int main(void) { g = malloc(sizeof *g); g->next = NULL; return 0; }");
    EXPECT_VERDICT(kept, proved);
}

TEST_F(Whole, AFailingAssertionIsAnErrorOfItsOwnKind) {
    const auto f =
        main_of("#include <assert.h>\nint main(int argc, char **argv) { assert(argc > 1); return 0; }");
    EXPECT_VERDICT(f, unsafe);
    EXPECT_TRUE(has(f.reason, "failed assertion")) << f.reason;
    EXPECT_EQ(f.bad_run->fault.kind, Fault::Kind::failed_assertion);
}

// What a function without a body does is an assumption that is printed, or there is no verdict.
TEST_F(Whole, FunctionsWithoutABodyAreNamedOrNotTrusted) {
    const auto plain = main_of("int get(void); int main(void) { int k = get(); return k; }");
    EXPECT_VERDICT(plain, proved);
    ASSERT_EQ(plain.assumptions.size(), 1U);
    EXPECT_TRUE(has(plain.assumptions[0], "get, which has no body here")) << plain.assumptions[0];
    const auto given = main_of(
        "void other(n *p); int main(void) { n x = {0, 0}; other(&x); return x.next ? x.next->v : 0; }");
    EXPECT_VERDICT(given, unknown);
    EXPECT_TRUE(has(given.reason, "other")) << given.reason;
    const auto keeper = main_of(
        "void keep(char *c); void poll(void);\n"
        "int main(void) { int *p = 0; char c = 0; keep(&c); c = 0; poll(); if (c) *p = 1; return 0; }");
    EXPECT_FALSE(keeper.verdict == Verdict::proved);
    const auto back = main_of("void give(void (*f)(void)); static int *p; static void set(void) { p = 0; }\n"
                              "int main(void) { int k = 0; p = &k; give(set); *p = 1; return 0; }");
    EXPECT_FALSE(back.verdict == Verdict::proved);
}

TEST_F(Whole, CleanupConstructorsAndVolatileMeanWhatTheySay) {
    for (const char* text : {
             "static void drop(n **p) { free(*p); }\n"
             "int main(void) { __attribute__((unused, cleanup(drop))) n *p = malloc(sizeof *p); free(p); "
             "return 0; }",
             "static int flag; __attribute__((constructor)) static void set(void) { flag = 1; }\n"
             "int main(void) { int *p = 0; if (flag) return *p; return 0; }",
             "typedef volatile int vi; int main(void) { vi k = 0; int *p = 0; if (k != k) return *p; return "
             "0; }",
             "int main(void) { char *s = malloc(3); free(s); free(s); return 0; }",
             "#include <stdio.h>\nint main(void) { int a[2] = {0, 0}, i = 0; scanf(\"%d\", &i); return a[i]; "
             "}",
             "#include <string.h>\nint main(void) { char *s = malloc(3); strcpy(s, \"abc\"); free(s); return "
             "0; }",
             "int main(int argc, char **argv) { switch ((unsigned)argc) { case 0 ... 4294967294u: { int *p = "
             "0; return *p; } } return 0; }",
         })
        EXPECT_FALSE(main_of(text).verdict == Verdict::proved) << text;
}

TEST_F(Whole, TheLimitOfTimeHolds) {
    std::string body = "int main(int argc, char **argv) { int s = 0; int a[64];\n";
    // 2^30 paths: without the limit there is no end.
    for (int i = 0; i < 30; ++i)
        body +=
            "if (argv[" + std::to_string(i) + "] == 0) s += " + std::to_string(1 << i) + "; else s *= 3;\n";
    body += "for (int i = 0; i < argc; i++) { s ^= i; if (s % 7) a[s & 63] = s; } return a[0]; }";
    VerifyOptions options;
    options.seconds = 1;
    EXPECT_FALSE(main_of(body, options).verdict == Verdict::proved);
}

} // namespace
} // namespace ggsnn::verify
