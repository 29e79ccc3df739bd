// Memory that is not freed when a program ends: told apart from memory that is lost, and a proof only where
// all is freed on every way out.
#include "judged.hpp"

namespace ggsnn::verify {
namespace {

class Cleanup : public Judging {
  protected:
    static FunctionReport cleaned(const std::string& text, bool proof_only = false) {
        VerifyOptions options;
        options.cleanup = true;
        options.assertions = false;
        options.proof_only = proof_only;
        return verdict_on("int __VERIFIER_nondet_int(void);\n" + text, options);
    }
    static std::string property(const FunctionReport& report) {
        return report.verdict == Verdict::unsafe ? property_of(report.bad_run->fault.kind)
                                                 : name_of(report.verdict);
    }
};

const char* const some_list =
    "n *make(void) { n *x = 0; int k = __VERIFIER_nondet_int();\n"
    "  for (int i = 0; i < k; i++) { n *c = malloc(sizeof *c); c->v = 1; c->next = x; x = c; }\n"
    "  return x; }\n"
    "void drop(n *x) { while (x) { n *y = x->next; free(x); x = y; } }\n";

TEST_F(Cleanup, EndsAreToldApart) {
    const struct {
        const char* body;
        const char* expected;
    } cases[] = {
        {"int main(void) { int *p = malloc(4); free(p); return 0; }", "proved"},
        {"int *g; int main(void) { g = malloc(4); return 0; }", "valid-memcleanup"},
        {"int *g; int main(void) { g = malloc(4); exit(1); }", "valid-memcleanup"},
        {"int main(void) { int *p = malloc(4); exit(*&p == 0); }", "valid-memcleanup"},
        {"int *g; int main(void) { g = malloc(4); g = 0; return 0; }", "valid-memtrack"},
        {"n *g; int main(void) { g = malloc(sizeof *g); g->next = malloc(sizeof *g); free(g); return 0; }",
         "valid-memtrack"},
        {"int *g; void end(void) { free(g); } int main(void) { atexit(end); g = malloc(4); return 0; }",
         "proved"},
        {"int *g; int main(void) { int k = __VERIFIER_nondet_int(); g = malloc(4); if (k != 17) free(g);\n"
         "  return 0; }",
         "valid-memcleanup"},
        // Whether breaking off counts nobody says: neither an error nor a proof.
        {"int *g; int main(void) { g = malloc(4); abort(); }", "unknown"},
        {"int *g; int main(void) { g = malloc(4); if (__VERIFIER_nondet_int()) abort(); free(g); return 0; }",
         "unknown"},
        {"int main(void) { if (__VERIFIER_nondet_int()) abort(); free(malloc(4)); return 0; }", "proved"},
    };
    for (const auto& one : cases) EXPECT_EQ(property(cleaned(one.body)), one.expected) << one.body;
}

TEST_F(Cleanup, ProofsOfListsNeedAllOfThemFreed) {
    const std::string list = some_list;
    EXPECT_EQ(property(cleaned(list + "int main(void) { drop(make()); return 0; }")), "proved");
    EXPECT_EQ(property(cleaned("n *g;\n" + list + "int main(void) { g = make(); return 0; }")),
              "valid-memcleanup");
    // By the proof alone, which no run helps.
    for (const char* body :
         {"int main(void) { g = make(); return 0; }", "int main(void) { g = make(); exit(0); }",
          "int main(void) { g = make(); abort(); }",
          "int main(void) { n *x = make(); g = malloc(sizeof *g); g->next = x; drop(x); return 0; }",
          "int main(void) { n *x = make(); if (x) exit(0); return 0; }"})
        EXPECT_EQ(property(cleaned("n *g;\n" + list + body, true)), "unknown") << body;
    EXPECT_EQ(property(cleaned(list + "int main(void) { drop(make()); exit(0); }", true)), "proved");
}

// What a function that is called by contract leaves open where it ends the program is not seen there.
TEST_F(Cleanup, ExitInsideOfRecursionIsNoProof) {
    const std::string deep =
        "void down(n *x) { if (!x) return; if (x->v == 5) exit(0); n *y = x->next; free(x); down(y); }\n";
    EXPECT_NE(property(cleaned(deep + some_list +
                                   "int main(void) { n *k = malloc(sizeof *k); down(make()); "
                                   "free(k); return 0; }",
                               true)),
              "proved");
}

// Both engines on their own: on formulas, without graphs.
TEST_F(Cleanup, FormulasSeeItToo) {
    const auto on_formulas = [](const std::string& text) {
        VerifyOptions options;
        options.cleanup = options.proof_only = true;
        options.graphs = false;
        return verdict_on("int __VERIFIER_nondet_int(void);\nn *g;\n" + text, options).verdict;
    };
    const std::string list = some_list;
    EXPECT_EQ(on_formulas(list + "int main(void) { drop(make()); return 0; }"), Verdict::proved);
    EXPECT_EQ(on_formulas(list + "int main(void) { g = make(); return 0; }"), Verdict::unknown);
    EXPECT_EQ(on_formulas(list + "int main(void) { n *x = make(); exit(x != 0); }"), Verdict::unknown);
    EXPECT_EQ(on_formulas("int main(void) { g = malloc(sizeof *g); return 0; }"), Verdict::unknown);
    EXPECT_EQ(on_formulas("int main(void) { g = malloc(sizeof *g); abort(); }"), Verdict::unknown);
}

TEST_F(Cleanup, AFileWithoutMainHasNoEnd) {
    VerifyOptions options;
    options.cleanup = true;
    EXPECT_THROW(judged("void f(n *x) { free(x); }", options), Error);
}

} // namespace
} // namespace ggsnn::verify
