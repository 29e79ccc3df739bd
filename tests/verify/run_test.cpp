// The interpreter: faults, leaks, limits, what is drawn, and snapshots.
#include "ggsnn/verify/read/read.hpp"
#include "ggsnn/verify/run/interpret.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace ggsnn::verify {
namespace {

using logic::heap_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

#define GGSNN_NEEDS_READER()                                                                                 \
    if (!reading_available()) GTEST_SKIP() << "built without LLVM"

constexpr const char* headers = "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n"
                                "#include <assert.h>\n#include <ctype.h>\n#include <errno.h>\n"
                                "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);\n"
                                "typedef struct node { int val; struct node *next; } node;\n";
constexpr int header_lines = 8;

Program program_of(const std::string& text) {
    return read_program_text(headers + text, "test.c");
}

int function_of(const Program& p, const std::string& name) {
    const int f = p.function_called(name);
    EXPECT_GE(f, 0) << name;
    return f;
}

int record_of(const Program& p, const std::string& name) {
    for (std::size_t r = 0; r < p.records.size(); ++r)
        if (p.records[r].structure && p.records[r].name.find(name) != std::string::npos)
            return static_cast<int>(r);
    return -1;
}

// A list of these values in the input; the pointer to it.
Value add_list(const Program& p, Input& input, const std::vector<int>& values) {
    const int record = record_of(p, "node");
    EXPECT_GE(record, 0);
    const std::int64_t word = p.pointer_bytes;
    Value next = Value::of_number(0);
    for (auto v = values.rbegin(); v != values.rend(); ++v) {
        InputBlock block;
        block.size = p.records[static_cast<std::size_t>(record)].size;
        block.record = record;
        block.contents = {{0, 4, Value::of_number(*v)}, {word, word, next}};
        input.blocks.push_back(std::move(block));
        next = Value::of_pointer(static_cast<int>(input.blocks.size()) - 1);
    }
    return next;
}

// Runs f(x) on a list of these values.
Run run_list(const std::string& code, const std::vector<int>& values, const InterpretLimits& limits = {}) {
    const Program p = program_of(code);
    Input input;
    input.parameters = {add_list(p, input, values)};
    return interpret(p, function_of(p, "f"), input, limits);
}

// Runs a program of these statements.
Run run_main(const std::string& statements, const std::string& before = "", std::uint64_t seed = 1) {
    const Program p = program_of(before + "int main(void) { " + statements + " return 0; }\n");
    Input input;
    input.seed = seed;
    return interpret(p, function_of(p, "main"), input);
}

struct Case {
    const char* code;
    Fault::Kind kind;
    const char* reason;
};

void expect_fault(const Run& run, const Case& c) {
    EXPECT_EQ(fault_name(run.fault.kind), fault_name(c.kind)) << c.code << ": " << run.fault.reason;
    EXPECT_THAT(run.fault.reason, HasSubstr(c.reason)) << c.code;
}

TEST(Interpret, FindsEachFaultOfPointers) {
    GGSNN_NEEDS_READER();
    for (const Case& c : std::vector<Case>{
             {"int f(node *x) { return x->next->next->val; }", Fault::Kind::null_dereference,
              "'x->next->next' is NULL"},
             {"int f(node *x) { node *p = NULL; return p->val; }", Fault::Kind::null_dereference,
              "'p' is NULL"},
             {"int f(node *x) { free(x->next); return x->next->val; }", Fault::Kind::use_after_free,
              "'x->next' leads to a block that was freed in line 9"},
             {"void f(node *x) { node *p; p->val = 1; }", Fault::Kind::undetermined_dereference,
              "'p' has no value"},
             {"void f(node *x) { node *p = malloc(sizeof *p); x = p->next; x->val = 1; }",
              Fault::Kind::undetermined_dereference, "'x'"},
             {"void f(node *x) { free(x->next); free(x->next); }", Fault::Kind::double_free,
              "before, in line 9"},
             {"void f(node *x) { node y; free(&y); }", Fault::Kind::bad_free, "local variable"},
             {"static node y; void f(node *x) { free(&y); }", Fault::Kind::bad_free, "static memory"},
             {"void f(node *x) { free((char *)x + 8); }", Fault::Kind::bad_free, "offset 8"},
             {"void f(node *x) { node *p = malloc(sizeof *p); p = malloc(sizeof *p); }", Fault::Kind::leak,
              "2 blocks"},
             {"void f(node *x) { x->next = NULL; }", Fault::Kind::lost, "a block of 16 bytes"},
             {"void f(node *x) { while (x) ; }", Fault::Kind::limit, "steps"},
             {"void f(node *x) { f(x); }", Fault::Kind::limit, "calls deep"},
             {"void f(node *x) { for (;;) { node *n = malloc(sizeof *n); n->next = x->next; x->next = n; } }",
              Fault::Kind::limit, "blocks"},
             {"node *h(void) { node y; return &y; } int f(node *x) { return h()->val; }",
              Fault::Kind::use_after_scope, "gone"},
             {"int f(node *x) { int *p; { int y = 1; p = &y; } return *p; }", Fault::Kind::use_after_scope,
              "gone"},
             {"int f(node *x) { int *p = malloc(1); *p = 5; free(p); return 0; }", Fault::Kind::out_of_bounds,
              "write of 4 bytes at offset 0 of a block of 1 bytes from line 9"},
             {"int f(node *x) { int a[3]; a[0] = 1; return a[x->val + 2]; }", Fault::Kind::out_of_bounds,
              "offset 12"},
             {"int f(node *x) { int a[3]; return a[-x->val]; }", Fault::Kind::out_of_bounds, "offset -4"},
             {"void f(node *x) { char *s = \"abc\"; s[0] = 'x'; }", Fault::Kind::write_to_constant,
              "constant"},
             {"void f(node *x) { *(int *)12345678 = 1; }", Fault::Kind::dangling_dereference, "number"},
             {"void f(node *x) { ((node *)0)->next = x; }", Fault::Kind::null_dereference, ""},
             {"void g(node *); void f(node *x) { g(x); }", Fault::Kind::external, "'g' has no body"},
             {"void f(node *x) { void (*g)(void) = (void (*)(void))x; g(); }",
              Fault::Kind::dangling_dereference, "no function"},
             {"void f(node *x) { void (*g)(void) = 0; g(); }", Fault::Kind::null_dereference, "'g' is NULL"},
         })
        expect_fault(run_list(c.code, {1, 2}), c);
}

TEST(Interpret, FindsEachFaultOfPrograms) {
    GGSNN_NEEDS_READER();
    for (const Case& c : std::vector<Case>{
             {"assert(1 + 1 == 3);", Fault::Kind::failed_assertion, "'1 + 1 == 3' does not hold"},
             {"volatile int z = 0; int y = 1 / z;", Fault::Kind::division, "0"},
             {"volatile int z = -1; int y = -2147483647 - 1; y = y / z;", Fault::Kind::division, "-1"},
             {"char a[3] = {'a', 'b', 'c'}; return strlen(a);", Fault::Kind::endless_text, "'&a'"},
             {"char a[8] = \"abcdef\"; char *p = a; memcpy(p + 1, p, 4);", Fault::Kind::overlap, "overlap"},
             {"char a[4]; strcpy(a, \"abcd\");", Fault::Kind::out_of_bounds, "5 bytes"},
             {"char a[6] = \"abc\"; strcat(a, \"def\");", Fault::Kind::out_of_bounds, "4 bytes at offset 3"},
             {"char a[4]; sprintf(a, \"%d\", 12345);", Fault::Kind::out_of_bounds, "6 bytes"},
             {"int x; printf(\"abc%n\", (int *)0);", Fault::Kind::null_dereference, ""},
             {"printf(\"%s\", (char *)0);", Fault::Kind::null_dereference, ""},
             {"FILE *h = stdout; fclose(h); fputs(\"x\", h);", Fault::Kind::bad_handle, "closed"},
             {"int *p = malloc(4); return 0;", Fault::Kind::leak, "4 bytes"},
             {"int *p = malloc(4); p = 0; exit(0);", Fault::Kind::leak, "4 bytes"},
             {"char *p = malloc(4); free(p); free(p);", Fault::Kind::double_free, "'p'"},
             {"void *p = malloc(4); free(p + 1);", Fault::Kind::bad_free, "offset 1"},
             {"__builtin_unreachable();", Fault::Kind::unreachable, ""},
             {"for (;;) ;", Fault::Kind::limit, "steps"},
             {"char *p = malloc(2); p = realloc(p, 4); p[4] = 0; free(p);", Fault::Kind::out_of_bounds,
              "offset 4"},
             {"int a[2]; return a < (int *)main;", Fault::Kind::refused, "order"},
             {"int a[2], *p = a + 7; return p == a;", Fault::Kind::refused, "outside"},
             {"int a[2] = {0, 0}, *p = a + 7; return *p;", Fault::Kind::out_of_bounds, "offset 28"},
             {"char w[3]; sscanf(\"word\", \"%s\", w);", Fault::Kind::out_of_bounds, "5 bytes"},
             {"char b[16]; int *p = (int *)(b + 2); *p = 1;", Fault::Kind::refused, "multiple"},
             {"int *p = malloc(8); static int *q; q = p + 2; return 0;", Fault::Kind::leak, "8 bytes"},
             {"return isdigit(1000);", Fault::Kind::out_of_bounds, ""},
         })
        expect_fault(run_main(c.code), c);
}

TEST(Interpret, NoFaultWhereThereIsNone) {
    GGSNN_NEEDS_READER();
    for (const char* code : {
             "void f(node *x) { free(NULL); node *p = x; while (p) { node *t = p->next; free(p); p = t; } }",
             "node *g; void f(node *x) { g = malloc(sizeof *g); g->next = x; }",
             "node *f(node *x) { node *n = malloc(sizeof *n); n->next = NULL; return n; }",
             "void f(node *x) { node *n = malloc(sizeof *n); x->next->next = n; n->next = NULL; }",
             "void f(node *x) { malloc(sizeof *x); exit(1); }",
             "void f(node *x) { node y; y.next = x; node *p = &y; p->val = 3; }",
             "node *f(node *x) { x->next->next = x; node *y = x->next; x->next = 0; return y; }",
         }) {
        const auto run = run_list(code, {1, 2});
        EXPECT_TRUE(run.safe()) << code << ": " << run.fault.reason;
    }
}

// What these programs compute is what C says; and every run of them is the same.
TEST(Interpret, ComputesAsCDoes) {
    GGSNN_NEEDS_READER();
    for (
        const char* code : {
            "unsigned char c = 300; assert(c == 44); signed char s = 200; assert(s == -56);",
            "unsigned x = -1; assert(x == 4294967295u && x / 2 == 2147483647 && (int)x == -1);",
            "assert(-7 / 2 == -3 && -7 % 2 == -1 && 7u / 2 == 3 && (1 << 4 | 3) == 19 && -8 >> 1 == -4);",
            "struct { unsigned a : 3, b : 5; int c; } s; s.a = 5; s.b = 17; assert(s.a == 5 && s.b == 17);",
            "union { int i; unsigned char b[4]; } u; u.i = 258; assert(u.b[0] == 2 && u.b[1] == 1);",
            "struct p { int a; char b; } x = {1, 'b'}, y; y = x; assert(y.a == 1 && y.b == 'b');",
            "int a[5] = {5, 3, 4, 1, 2}, *p = a; assert(p[2] == 4 && *(p + 4) - *p == -3 && &a[4] - a == 4);",
            "char s[20] = \"abc\"; strcat(s, \"def\"); assert(strlen(s) == 6 && strcmp(s, \"abcdef\") == 0);",
            "assert(strchr(\"hello\", 'l') != 0 && strstr(\"hello\", \"lo\") && !strstr(\"hello\", \"ol\"));",
            "char b[32]; assert(snprintf(b, 6, \"%05d|%-4s|%x\", -42, \"ab\", 255) == 13 && !strcmp(b, "
            "\"-0042\"));",
            "assert(atoi(\" -12x\") == -12 && strtol(\"0x1f\", 0, 0) == 31 && abs(-4) == 4);",
            "char *e; assert(strtol(\"12ab\", &e, 10) == 12 && *e == 'a');",
            "assert(isdigit('7') && !isdigit('a') && isspace(' ') && toupper('q') == 'Q' && isalpha('z'));",
            "char *d = strdup(\"xyz\"); assert(d && d[2] == 'z'); free(d);",
            "int *p = calloc(3, 4); assert(p[2] == 0); p = realloc(p, 20); assert(p[1] == 0); free(p);",
            "node a = {1, 0}, b = {2, &a}; node *v[2] = {&a, &b}; node *w[2]; memcpy(w, v, sizeof v);"
            "assert(w[1]->next->val == 1);",
            "node a = {7, 0}, *p = &a, *q; for (unsigned i = 0; i < sizeof p; i++) "
            "((char *)&q)[i] = ((char *)&p)[i]; assert(q->val == 7);",
            "int i = 3; switch (i) { case 1 ... 4: i = 10; break; default: i = 0; } assert(i == 10);",
            "int n = 4; int v[n]; for (int i = 0; i < n; i++) v[i] = i; assert(v[3] == 3);",
            "errno = 3; assert(errno == 3);",
            "node *n = malloc(sizeof *n); unsigned long t = (unsigned long)n | 1; assert(t & 1);"
            "n = (node *)(t & ~1ul); n->val = 1; free(n);",
            "printf(\"%d %s\\n\", 3, \"x\"); puts(\"y\"); assert(printf(\"%5.2d|%c\", 7, 'x') == 7);",
        }) {
        const auto run = run_main(code);
        EXPECT_TRUE(run.safe()) << code << ": " << fault_name(run.fault.kind) << ": " << run.fault.reason;
        EXPECT_TRUE(run.deterministic) << code;
        EXPECT_FALSE(run.guessed) << code;
    }
}

TEST(Interpret, KnowsWhatItDrew) {
    GGSNN_NEEDS_READER();
    struct Drawn {
        const char* code;
        bool deterministic, guessed;
    };
    for (const Drawn& c : std::vector<Drawn>{
             {"return rand() > 5;", false, false},
             {"rand();", true, false},
             {"return __VERIFIER_nondet_int();", false, false},
             {"int x; if (x) return 1;", false, true},
             {"int x; int y = x; (void)y;", true, false},
             {"double d = 1.5; if (d > 1) return 1;", false, true},
             {"volatile int v = 1; return v;", false, false},
             {"int x; scanf(\"%d\", &x); return x;", false, false},
             {"return \"a\" == \"b\";", false, false},
             {"int a, b; return &a == &b;", true, false},
             {"return getchar();", false, false},
         }) {
        const auto run = run_main(c.code);
        EXPECT_TRUE(run.safe()) << c.code << ": " << run.fault.reason;
        EXPECT_EQ(run.deterministic, c.deterministic) << c.code;
        EXPECT_EQ(run.guessed, c.guessed) << c.code;
    }
    const Program p = program_of("int main(int argc, char **argv) { return argc; }\n"
                                 "int f(int argc, char **argv) { return 0; }\n");
    EXPECT_FALSE(interpret(p, 0, {}).deterministic);
}

TEST(Interpret, MainMayHaveParametersThatItDoesNotRead) {
    GGSNN_NEEDS_READER();
    const Program p = program_of("int main(int argc, char **argv) { return 0; }\n");
    EXPECT_TRUE(interpret(p, 0, {}).deterministic);
    const Program q =
        program_of("int main(int argc, char **argv) { return argc > 1 ? strlen(argv[1]) : 0; }\n");
    const Program bad = program_of("int main(int argc, char **argv) { return strlen(argv[1]); }\n");
    int found = 0;
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
        Input input;
        input.seed = seed;
        EXPECT_TRUE(interpret(q, 0, input).safe());
        const auto run = interpret(bad, 0, input);
        found += run.fault.kind == Fault::Kind::null_dereference ? 1 : 0;
        EXPECT_TRUE(run.safe() || run.fault.kind == Fault::Kind::null_dereference);
    }
    EXPECT_GT(found, 0);
}

TEST(Interpret, TheWholeProgramRunsFromConstructorsToDestructors) {
    GGSNN_NEEDS_READER();
    const std::string before =
        "static int *p; static int flag;\n"
        "__attribute__((constructor)) static void up(void) { p = malloc(4); flag = 1; }\n"
        "__attribute__((destructor)) static void down(void) { free(p); p = 0; }\n"
        "static void last(void) { *p = 3; }\n";
    EXPECT_TRUE(run_main("assert(flag == 1); atexit(last);", before).safe());
    EXPECT_EQ(run_main("free(p); atexit(last);", before).fault.kind, Fault::Kind::use_after_free);
    EXPECT_EQ(run_main("free(p); exit(0);", before).fault.kind, Fault::Kind::double_free);
    EXPECT_TRUE(run_main("free(p); abort();", before).safe());
    // What a global reaches at the end is no leak; nor what a local reaches when exit is called.
    EXPECT_TRUE(run_main("q = malloc(8);", "int *q;").safe());
    EXPECT_TRUE(run_main("int *q = malloc(8); exit(0);").safe());
}

TEST(Interpret, CallsBack) {
    GGSNN_NEEDS_READER();
    const std::string before = "static int less(const void *a, const void *b) {\n"
                               "  return *(const int *)a - *(const int *)b; }\n"
                               "static int bad(const void *a, const void *b) { return ((int *)a)[9]; }\n";
    EXPECT_TRUE(
        run_main("int a[4] = {3, 1, 4, 2}; qsort(a, 4, sizeof *a, less); assert(a[0] == 1 && a[3] == 4);"
                 "int k = 3; assert(bsearch(&k, a, 4, sizeof *a, less) == a + 2);",
                 before)
            .safe());
    EXPECT_EQ(run_main("int a[2] = {3, 1}; qsort(a, 2, sizeof *a, bad);", before).fault.kind,
              Fault::Kind::out_of_bounds);
    EXPECT_EQ(run_main("int a[2] = {3, 1}; qsort(a, 3, sizeof *a, less);", before).fault.kind,
              Fault::Kind::out_of_bounds);
}

TEST(Interpret, SaysWhereAndInWhichHeap) {
    GGSNN_NEEDS_READER();
    const auto run = run_list(
        "int g(node *p) {\n  return p->val; }\nint f(node *x) { node *y = x->next;\n  return g(y); }", {1});
    EXPECT_EQ(run.fault.position.line, header_lines + 2);
    EXPECT_EQ(run.fault.position.column, 13);
    EXPECT_EQ(run.fault.function, 0);
    ASSERT_EQ(run.fault.calls.size(), 1U);
    EXPECT_EQ(run.fault.calls[0].first, 1);
    EXPECT_EQ(run.fault.calls[0].second.line, header_lines + 4);
    EXPECT_EQ(run.fault.heap.variable("p"), 0);
    EXPECT_EQ(run.fault.heap.cell_count(), 1U);
}

std::vector<std::string> texts(const Run& run, const Function& f, const std::string& location) {
    std::vector<std::string> all;
    for (const Snapshot& s : run.snapshots)
        if (location_text(f, s) == location) all.push_back(heap_text(s.heap));
    return all;
}

TEST(Interpret, SnapshotsAtEntryLoopsAndReturn) {
    GGSNN_NEEDS_READER();
    const Program p = program_of("node *f(node *x) {\n"
                                 "  node *done = NULL;\n"
                                 "  while (x != NULL) {\n"
                                 "    node *rest = x->next; x->next = done;\n"
                                 "    done = x; x = rest;\n"
                                 "  }\n"
                                 "  return done;\n}\n");
    Input input;
    input.parameters = {add_list(p, input, {1, 2})};
    const auto run = interpret(p, 0, input);
    const Function& f = p.functions[0];
    EXPECT_THAT(texts(run, f, "entry"), ElementsAre("x=1 | cells: 1: next->2; 2: next->NULL"));
    EXPECT_THAT(texts(run, f, "loop:11"),
                ElementsAre("\\old(x)=1 done=NULL x=1 | cells: 1: next->2; 2: next->NULL",
                            "\\old(x)=1 done=1 x=2 | cells: 1: next->NULL; 2: next->NULL",
                            "\\old(x)=2 done=1 x=NULL | cells: 1: next->2; 2: next->NULL"));
    // x stands for its value at the entry.
    EXPECT_THAT(texts(run, f, "return"), ElementsAre("\\result=2 x=1 | cells: 1: next->NULL; 2: next->1"));
    EXPECT_EQ(heap_text(input_heap(p, 0, input)), "x=1 | cells: 1: next->2; 2: next->NULL");
}

TEST(Interpret, DeadVariablesAreLeftOut) {
    GGSNN_NEEDS_READER();
    const Program p = program_of("void f(node *x) {\n"
                                 "  node *old = x, *never;\n"
                                 "  while (x) { node *t = x->next; free(x); x = t; }\n"
                                 "  (void)never; (void)old;\n}\n");
    Input input;
    input.parameters = {add_list(p, input, {1, 2})};
    const auto run = interpret(p, 0, input);
    const Function& f = p.functions[0];
    EXPECT_THAT(texts(run, f, "loop:11"),
                ElementsAre("\\old(x)=1 old=1 x=1 | cells: 1: next->2; 2: next->NULL",
                            "x=1 | cells: 1: next->NULL", "x=NULL | cells: none"));
    EXPECT_THAT(texts(run, f, "return"), ElementsAre("cells: none"));
    EXPECT_THAT(run.snapshots[2].dead, ElementsAre("never", "old", "\\old(x)"));
    EXPECT_THAT(run.snapshots.back().dead, ElementsAre("x"));
}

TEST(Interpret, ObjectsAreShownByWhatTheyHold) {
    GGSNN_NEEDS_READER();
    const Program p = program_of("struct list { node *head; node *tail; int n; };\n"
                                 "struct list all; node *keep; node first;\n"
                                 "void g(node **);\n"
                                 "void f(node *x) {\n"
                                 "  struct list own; own.head = x; own.tail = 0;\n"
                                 "  struct list *use = &own;\n"
                                 "  node *held = x; node **at = &held;\n"
                                 "  all.head = x; all.tail = x->next; first.next = x;\n"
                                 "  while (*at) at = &(*at)->next;\n"
                                 "}\n");
    Input input;
    input.parameters = {add_list(p, input, {1, 2})};
    const auto run = interpret(p, 0, input);
    const auto at_loop = texts(run, p.functions[0], "loop:17");
    ASSERT_EQ(at_loop.size(), 3U);
    const auto& heap = run.snapshots[1].heap;
    EXPECT_EQ(heap.variable("all.head"), heap.variable("x"));
    EXPECT_EQ(heap.variable("own.head"), heap.variable("x"));
    EXPECT_EQ(heap.variable("held"), heap.variable("x"));
    EXPECT_EQ(heap.variable("own.tail"), 0);
    EXPECT_EQ(heap.variable("keep"), 0);
    // The global node is a cell that leads to x.
    const int head = heap.variable("first");
    ASSERT_GT(head, 0);
    EXPECT_EQ(heap.target(head, heap.find_field("next")), heap.variable("x"));
    EXPECT_EQ(heap.cell_count(), 3U);
    // Addresses of objects and of fields are no cells, and differ.
    std::set<int> places;
    for (std::size_t s = 1; s <= 3; ++s) {
        const auto& h = run.snapshots[s].heap;
        EXPECT_FALSE(h.nodes[static_cast<std::size_t>(h.variable("at"))].allocated);
        EXPECT_NE(h.variable("at"), h.variable("use"));
    }
    EXPECT_EQ(run.fault.kind, Fault::Kind::none) << run.fault.reason;
}

TEST(Interpret, RecursiveCallsSeeTheirPartOfTheHeap) {
    GGSNN_NEEDS_READER();
    const Program p = program_of("int f(node *x) { if (!x) return 0; return x->val + f(x->next); }\n");
    Input input;
    input.parameters = {add_list(p, input, {5, 6})};
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
    GGSNN_NEEDS_READER();
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
    GGSNN_NEEDS_READER();
    InterpretLimits limits;
    limits.fail_allocation = 1;
    const char* code =
        "node *f(node *x) { node *a = malloc(sizeof *a); a->next = x; node *b = malloc(sizeof *b); "
        "b->next = a; return b; }";
    EXPECT_EQ(run_list(code, {}, limits).fault.kind, Fault::Kind::null_dereference);
    EXPECT_TRUE(run_list(code, {}).safe());
    EXPECT_EQ(run_list(code, {}).allocations, 2);
}

TEST(Interpret, TheSameSeedTheSameRun) {
    GGSNN_NEEDS_READER();
    const char* code = "int s = 0; for (int i = 0; i < 50; i++) if (rand()) s += i; return s;";
    EXPECT_EQ(run_main(code).result, run_main(code).result);
    EXPECT_NE(run_main(code, "", 2).result, run_main(code).result);
    EXPECT_EQ(run_main(code).choices.size(), 50U);
}

TEST(Interpret, AssumptionsExcludeRuns) {
    GGSNN_NEEDS_READER();
    const auto run = run_main("__VERIFIER_assume(0); assert(0);");
    EXPECT_TRUE(run.safe());
    EXPECT_TRUE(run.excluded);
    EXPECT_FALSE(run_main("__VERIFIER_assume(1);").excluded);
}

} // namespace
} // namespace ggsnn::verify
