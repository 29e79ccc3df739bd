// The interpreter: faults, leaks, limits, snapshots.
#include "programs.hpp"

#include <gmock/gmock.h>

namespace ggsnn::verify {
namespace {

using logic::heap_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Runs f(x) on a list of these values.
Run run_list(const std::string& code, const std::vector<int>& values, const InterpretLimits& limits = {}) {
    const Program p = program_of(list_types + code);
    Input input;
    input.globals.resize(p.globals.size());
    input.parameters = {add_list(input, 0, values)};
    return interpret(p, function_of(p, "f"), input, limits);
}

TEST(Interpret, FindsEachFault) {
    GGSNN_NEEDS_CLANG();
    struct Case {
        const char* code;
        Fault::Kind kind;
        const char* reason;
    };
    const std::vector<Case> cases{
        {"int f(node *x) { return x->next->next->val; }", Fault::Kind::null_dereference, "NULL"},
        {"int f(node *x) { node *p = NULL; return p->val; }", Fault::Kind::null_dereference, "'p' is NULL"},
        {"int f(node *x) { free(x->next); return x->next->val; }", Fault::Kind::use_after_free, "freed"},
        {"void f(node *x) { node *p; p->val = 1; }", Fault::Kind::undetermined_dereference,
         "'p' has no value"},
        {"void f(node *x) { node *p = malloc(sizeof *p); x = p->next; x->val = 1; }",
         Fault::Kind::undetermined_dereference, "'x'"},
        {"void f(node *x) { free(x->next); free(x->next); }", Fault::Kind::double_free, "before"},
        {"void f(node *x) { node y; free(&y); }", Fault::Kind::bad_free, "local variable"},
        {"void f(node *x) { x->next = NULL; }", Fault::Kind::leak, "a cell"},
        {"void f(node *x) { node *p = malloc(sizeof *p); p = malloc(sizeof *p); }", Fault::Kind::leak,
         "2 cells"},
        {"void f(node *x) { while (x) ; }", Fault::Kind::limit, "steps"},
        {"void f(node *x) { f(x); }", Fault::Kind::limit, "calls deep"},
        {"void f(node *x) { for (;;) { node *n = malloc(sizeof *n); n->next = x->next; x->next = n; } }",
         Fault::Kind::limit, "cells"},
        {"void g(node *x) { x++; } void f(node *x) { g(x); }", Fault::Kind::refused, "arithmetic"},
        {"node *h(void) { node y; return &y; } int f(node *x) { return h()->val; }",
         Fault::Kind::use_after_free, "freed"},
    };
    for (const Case& c : cases) {
        const auto run = run_list(c.code, {1, 2});
        EXPECT_EQ(fault_name(run.fault.kind), fault_name(c.kind)) << c.code << ": " << run.fault.reason;
        EXPECT_THAT(run.fault.reason, HasSubstr(c.reason)) << c.code;
    }
}

TEST(Interpret, NoFaultWhereThereIsNone) {
    GGSNN_NEEDS_CLANG();
    for (const char* code : {
             "void f(node *x) { free(NULL); node *p = x; while (p) { node *t = p->next; free(p); p = t; } }",
             "node *g; void f(node *x) { g = malloc(sizeof *g); g->next = x; }",
             "node *f(node *x) { node *n = malloc(sizeof *n); n->next = NULL; return n; }",
             "void f(node *x) { node *n = malloc(sizeof *n); x->next->next = n; n->next = NULL; }",
             "void f(node *x) { malloc(sizeof *x); exit(1); }",
             "void f(node *x) { node y; y.next = x; node *p = &y; p->val = 3; }",
         }) {
        const auto run = run_list(code, {1, 2});
        EXPECT_TRUE(run.safe()) << code << ": " << run.fault.reason;
    }
}

TEST(Interpret, SaysWhereAndInWhichHeap) {
    GGSNN_NEEDS_CLANG();
    const auto run = run_list(
        "int g(node *p) {\n  return p->val; }\nint f(node *x) { node *y = x->next;\n  return g(y); }", {1});
    EXPECT_EQ(run.fault.position.line, 4);
    EXPECT_EQ(run.fault.position.column, 13);
    EXPECT_EQ(run.fault.function, 0);
    ASSERT_EQ(run.fault.calls.size(), 1U);
    EXPECT_EQ(run.fault.calls[0].first, 1);
    EXPECT_EQ(run.fault.calls[0].second.line, 6);
    EXPECT_EQ(heap_text(run.fault.heap), "p=NULL | cells: 1: next->NULL");
}

std::vector<std::string> texts(const Run& run, const Function& f, const std::string& location) {
    std::vector<std::string> all;
    for (const Snapshot& s : run.snapshots)
        if (location_text(f, s) == location) all.push_back(heap_text(s.heap));
    return all;
}

TEST(Interpret, SnapshotsAtEntryLoopsAndReturn) {
    GGSNN_NEEDS_CLANG();
    const Program p = program_of(std::string(list_types) + "node *f(node *x) {\n"
                                                           "  node *done = NULL;\n"
                                                           "  while (x != NULL) {\n"
                                                           "    node *rest = x->next; x->next = done;\n"
                                                           "    done = x; x = rest;\n"
                                                           "  }\n"
                                                           "  return done;\n}\n");
    Input input;
    input.parameters = {add_list(input, 0, {1, 2})};
    const auto run = interpret(p, 0, input);
    const Function& f = p.functions[0];
    EXPECT_THAT(texts(run, f, "entry"), ElementsAre("x=1 | cells: 1: next->2; 2: next->NULL"));
    EXPECT_THAT(texts(run, f, "loop:5"),
                ElementsAre("\\old(x)=1 done=NULL x=1 | cells: 1: next->2; 2: next->NULL",
                            "\\old(x)=1 done=1 x=2 | cells: 1: next->NULL; 2: next->NULL",
                            "\\old(x)=2 done=1 x=NULL | cells: 1: next->2; 2: next->NULL"));
    // x stands for its value at the entry.
    EXPECT_THAT(texts(run, f, "return"), ElementsAre("\\result=2 x=1 | cells: 1: next->NULL; 2: next->1"));
    EXPECT_EQ(heap_text(input_heap(p, 0, input)), "x=1 | cells: 1: next->2; 2: next->NULL");
}

TEST(Interpret, DeadVariablesAreLeftOut) {
    GGSNN_NEEDS_CLANG();
    const Program p =
        program_of(std::string(list_types) + "void f(node *x) {\n"
                                             "  node *old = x, *never;\n"
                                             "  while (x) { node *t = x->next; free(x); x = t; }\n}\n");
    Input input;
    input.parameters = {add_list(input, 0, {1, 2})};
    const auto run = interpret(p, 0, input);
    const Function& f = p.functions[0];
    EXPECT_THAT(texts(run, f, "loop:5"),
                ElementsAre("\\old(x)=1 old=1 x=1 | cells: 1: next->2; 2: next->NULL",
                            "x=1 | cells: 1: next->NULL", "x=NULL | cells: none"));
    EXPECT_THAT(texts(run, f, "return"), ElementsAre("cells: none"));
    EXPECT_THAT(run.snapshots[2].dead, ElementsAre("never", "old", "\\old(x)"));
    EXPECT_THAT(run.snapshots.back().dead, ElementsAre("x"));
}

TEST(Interpret, RecursiveCallsSeeTheirPartOfTheHeap) {
    GGSNN_NEEDS_CLANG();
    const Program p = program_of(std::string(list_types) +
                                 "int f(node *x) { if (!x) return 0; return x->val + f(x->next); }\n");
    Input input;
    input.parameters = {add_list(input, 0, {5, 6})};
    const auto run = interpret(p, 0, input);
    EXPECT_EQ(run.result.number, 11);
    EXPECT_THAT(texts(run, p.functions[0], "entry"),
                ElementsAre("x=1 | cells: 1: next->2; 2: next->NULL", "x=1 | cells: 1: next->NULL",
                            "x=NULL | cells: none"));
    EXPECT_THAT(texts(run, p.functions[0], "return"),
                ElementsAre("x=NULL | cells: none", "x=1 | cells: 1: next->NULL",
                            "x=1 | cells: 1: next->2; 2: next->NULL"));
    EXPECT_EQ(run.snapshots[2].call, 2);
}

TEST(Interpret, SnapshotsAreBoundedAndKeepTheLast) {
    GGSNN_NEEDS_CLANG();
    InterpretLimits limits;
    limits.snapshots = 3;
    const auto run =
        run_list("void f(node *x) { node *p = x; while (p) p = p->next; }", {1, 2, 3, 4, 5, 6}, limits);
    int loops = 0;
    for (const Snapshot& s : run.snapshots) loops += s.where == Snapshot::Where::loop ? 1 : 0;
    EXPECT_EQ(loops, 3);
    EXPECT_EQ(run.snapshots[3].heap.variable("p"), 0);
}

TEST(Interpret, AllocationsMayFail) {
    GGSNN_NEEDS_CLANG();
    InterpretLimits limits;
    limits.fail_allocation = 1;
    const char* code =
        "node *f(node *x) { node *a = malloc(sizeof *a); a->next = x; node *b = malloc(sizeof *b); "
        "b->next = a; return b; }";
    EXPECT_EQ(run_list(code, {}, limits).fault.kind, Fault::Kind::null_dereference);
    EXPECT_TRUE(run_list(code, {}).safe());
}

TEST(Interpret, TheSameSeedTheSameRun) {
    GGSNN_NEEDS_CLANG();
    const Program p = program_of("int rand(void); int f(void) { int s = 0; for (int i = 0; i < 50; i++) "
                                 "if (rand()) s += i; return s; }");
    Input input;
    const auto a = interpret(p, 0, input), b = interpret(p, 0, input);
    EXPECT_EQ(a.result, b.result);
    input.seed = 2;
    EXPECT_NE(interpret(p, 0, input).result, a.result);
}

} // namespace
} // namespace ggsnn::verify
