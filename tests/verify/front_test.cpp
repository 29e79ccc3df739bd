// The C front end: what becomes of programs, and what is refused where.
#include "programs.hpp"

#include "folder.hpp"
#include "verify/program_print.hpp"

#include <gmock/gmock.h>

namespace ggsnn::verify {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Front, ALoopBecomesBlocks) {
    GGSNN_NEEDS_CLANG();
    const Program p = program_of("#include <stddef.h>\n"
                                 "typedef struct node { int val; struct node *next; } node;\n"
                                 "//@ requires ls(a, NULL)\n"
                                 "//@   * ls(b, NULL)\n"
                                 "//@ ensures ls(\\result, NULL)\n"
                                 "node *concat(node *a, node *b) {\n"
                                 "    if (a == NULL) return b;\n"
                                 "    node *cur = a;\n"
                                 "    //@ invariant cur != NULL * ls(a, cur) * ls(cur, NULL) * ls(b, NULL)\n"
                                 "    while (cur->next != NULL)\n"
                                 "        cur = cur->next;\n"
                                 "    cur->next = b;\n"
                                 "    return a;\n"
                                 "}\n");
    EXPECT_EQ(print(p), R"(record node: data val, node * next
function node * concat(node * a, node * b)
  requires ls(a, NULL) * ls(b, NULL)
  ensures ls(\result, NULL)
  loop 10:5 at 3: a b cur
    invariant cur != NULL * ls(a, cur) * ls(cur, NULL) * ls(b, NULL)
 0:
    if a == NULL goto 1 else 2
 1:
    return b
 2:
    cur = a
    goto 3
 3:
    $3 = cur->next
    if $3 != NULL goto 4 else 5
 4:
    $4 = cur->next
    cur = $4
    goto 3
 5:
    cur->next = b
    return a
)");
}

// Roles of the fields of the first record, "name:role" each.
std::string roles(const std::string& text) {
    const Program p = program_of(text);
    std::string all;
    for (const auto& field : p.records.at(0).fields)
        if (field.type.kind == Type::Kind::pointer)
            all += (all.empty() ? "" : " ") + field.name + ":" + field.role;
    return all;
}

TEST(Front, RolesFollowFromTypesNamesAndUse) {
    GGSNN_NEEDS_CLANG();
    EXPECT_EQ(roles("struct s { struct s *whatever; int v; };"), "whatever:next");
    EXPECT_EQ(roles("struct s { struct s *previous, *following; };"), "previous:prev following:next");
    EXPECT_EQ(roles("struct s { struct s *f_next, *p_back; };"), "f_next:next p_back:prev");
    EXPECT_EQ(roles("struct s { struct s *rightChild, *leftChild; };"), "rightChild:right leftChild:left");
    EXPECT_EQ(roles("struct s { struct s *a, *b; };"), "a:left b:right");
    EXPECT_EQ(roles("struct s { struct s *a, *b; };\n"
                    "void f(struct s *x, struct s *y) { x->a = y; x->a->b = x; }"),
              "a:next b:prev");
    EXPECT_EQ(roles("struct s { struct s *next, *down; };"), "next:next down:down");
    EXPECT_EQ(roles("struct s { struct s *l, *r, *parent; };"), "l:left r:right parent:parent");
    EXPECT_EQ(roles("struct s { struct s *link; struct t { int x; } *item; };"), "link:next item:val");
    EXPECT_EQ(roles("struct s { struct t { struct t *n; } *head, *tail; };"), "head:head tail:tail");
    // A name that is another field's role, or a word of formulas, is changed.
    EXPECT_EQ(roles("struct s { struct s *link; struct t { int x; } *next, *ls; };"),
              "link:next next:next' ls:ls'");
}

// The value of f(), a function without arguments.
std::int64_t value_of(const std::string& text) {
    const Program p = program_of(text);
    const Function& f = find(p, "f");
    for (const auto& refusal : f.refusals) ADD_FAILURE() << text << ": refused: " << refusal.reason;
    if (!f.refusals.empty()) return -1;
    const auto run = run_plain(p, "f");
    EXPECT_TRUE(run.safe()) << text << ": " << run.fault.reason;
    EXPECT_EQ(run.result.kind, Value::Kind::number) << text;
    return run.result.number;
}

TEST(Front, ExpressionsMeanWhatCSays) {
    GGSNN_NEEDS_CLANG();
    EXPECT_EQ(value_of("int f(void) { return 2 + 3 * 4 - 20 / 3 % 4; }"), 12);
    EXPECT_EQ(value_of("int f(void) { return (7 & 3) | (8 ^ 12) << 1 | ~0 >> 62; }"), -1);
    EXPECT_EQ(value_of("int f(void) { int x = 5, y = x++ + ++x; return 100 * x + y; }"), 712);
    EXPECT_EQ(value_of("int f(void) { int x = 5; x += 2, x *= x, x -= 9, x /= 2; return x; }"), 20);
    EXPECT_EQ(value_of("int f(void) { int a = 0, b = 0; if (a++ && b++) a = 9; return 10 * a + b; }"), 10);
    EXPECT_EQ(value_of("int f(void) { int a = 1, b = 0; int c = a || b++; return 100 * c + 10 * a + b; }"),
              110);
    EXPECT_EQ(value_of("int f(void) { int a = 3; return !a == 0 ? a > 2 ? 7 : 8 : 9; }"), 7);
    EXPECT_EQ(value_of("int g; int h(void) { g = 5; return 1; } int f(void) { g = 2; return g + h(); }"), 3);
    EXPECT_EQ(value_of("enum e { A, B = 4, C }; int f(void) { return C * sizeof(int) + 'a'; }"), 117);
    EXPECT_EQ(value_of("#include <stdbool.h>\nint f(void) { bool b = 7; return b + true; }"), 2);
    EXPECT_EQ(value_of("static const int n = 4;\n#define M (n + 1)\nint f(void) { return M; }"), 5);
    EXPECT_EQ(value_of("int f(void) { int x; x = (1, 2, 3); return -x + +x - -x; }"), 3);
}

TEST(Front, IntegersHaveTheirWidths) {
    GGSNN_NEEDS_CLANG();
    EXPECT_EQ(value_of("int f(void) { char c = 200; return c < 0; }"), 1);
    EXPECT_EQ(value_of("int f(void) { int x = 300; unsigned char c = x; return c; }"), 44);
    EXPECT_EQ(value_of("int f(void) { int x = 65535; short s = x; return s; }"), -1);
    EXPECT_EQ(value_of("long f(void) { int x = -1; unsigned u = x; long l = u; return l; }"), 4294967295);
    EXPECT_EQ(value_of("int f(void) { unsigned n = 0; return n - 1 > 5; }"), 1);
    EXPECT_EQ(value_of("int f(void) { unsigned long n = 0; return n - 1 > 5; }"), 1);
    EXPECT_EQ(value_of("int f(void) { int i = -1; unsigned n = 3; return i < n; }"), 0);
    EXPECT_EQ(
        value_of("int f(void) { unsigned char c = 255; c++; unsigned u = 0; u--; return c + (u > 9); }"), 1);
    EXPECT_EQ(value_of("int f(void) { signed char c = 127; c += 1; return c; }"), -128);
    EXPECT_EQ(value_of("int f(void) { int n = 0; for (unsigned i = 3; i < 4; i--) n++; return n; }"), 4);
    EXPECT_EQ(value_of("int f(void) { struct { unsigned a : 2; int b : 3; } s; s.a = 5; s.b = 7; return 10 * "
                       "s.a + s.b; }"),
              9);
    EXPECT_EQ(value_of("enum e { A = -1, B = 3 }; int f(void) { enum e x = B; int y = x; return y + A; }"),
              2);
}

TEST(Front, StatementsMeanWhatCSays) {
    GGSNN_NEEDS_CLANG();
    EXPECT_EQ(value_of("int f(void) { int s = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; "
                       "if (i == 6) break; s += i; } return s; }"),
              12);
    EXPECT_EQ(value_of("int f(void) { int i = 0; for (;;) { if (++i > 4) break; } return i; }"), 5);
    EXPECT_EQ(value_of("int f(void) { int i = 0, n = 0; for (; i < 3;) i++; for (i = 1;; i *= 2) "
                       "if (i > 9) break; for (; ; n++) if (n == 2) break; return 10 * i + n; }"),
              162);
    EXPECT_EQ(value_of("int f(void) { int i = 9, n = 0; do { n++; if (n == 2) continue; } while (--i > 5); "
                       "return n; }"),
              4);
    EXPECT_EQ(value_of("int g(int k) { int r = 0; switch (k) { case 1: r += 1; case 2: r += 2; break; "
                       "case 5 ... 7: return 50; default: r = 9; } return r; }\n"
                       "int f(void) { return g(1) + 10 * g(2) + 100 * g(6) + 10000 * g(8); }"),
              95023);
    EXPECT_EQ(
        value_of("int g(int k) { while (1) { switch (k) { case 0: return 7; default: k--; continue; } } }\n"
                 "int f(void) { return g(3); }"),
        7);
    EXPECT_EQ(
        value_of("int fac(int n) { return n < 2 ? 1 : n * fac(n - 1); } int f(void) { return fac(10); }"),
        3628800);
    EXPECT_EQ(value_of("int x = 1; int f(void) { x = 1; int x = 2; { int x = 3; x++; } return x; }"), 2);
    EXPECT_EQ(value_of("#define EACH(i, n) for (i = 0; i < n; i++)\n#define MORE(i) for (; i < 9; i++)\n"
                       "int f(void) { int i, s = 0; EACH(i, 4) s += i; MORE(i) s++; return s; }"),
              11);
}

TEST(Front, MemoryThroughBoxesStructsAndGlobals) {
    GGSNN_NEEDS_CLANG();
    EXPECT_EQ(value_of("void g(int *p, int **q) { *p += 2; **q += 3; } int f(void) { int x = 1; int *y = &x; "
                       "g(&x, &y); return x; }"),
              6);
    const std::string types = list_types;
    EXPECT_EQ(value_of(types + "void push(node **h, int v) { node *n = malloc(sizeof *n); n->val = v; "
                               "n->next = *h; *h = n; }\n"
                               "int f(void) { node *h = NULL; push(&h, 4); push(&h, 5); "
                               "int r = 10 * h->val + (*(h->next)).val; free(h->next); free(h); return r; }"),
              54);
    EXPECT_EQ(value_of(types + "int f(void) { node a = {0}, b = {7, &a}; a.val = 3; node *p = &b; "
                               "return 10 * p->val + b.next->val; }"),
              73);
    EXPECT_EQ(
        value_of("struct p { struct { int x, y; } at; int z; };\n"
                 "int f(void) { struct p a; a.at.x = 1; a.at.y = 2; a.z = 3; struct p *q = &a; q->at.x += 4; "
                 "return 100 * a.at.x + 10 * q->at.y + a.z; }"),
        523);
    const Program p =
        program_of("int n = 5; static int *none; int g(void) { static int k = 3; return ++k; }\n"
                   "int main(void) { static int z; g(); return 100 * g() + 10 * n + z; }");
    EXPECT_EQ(run_plain(p, "main").result.number, 550);
}

TEST(Front, MemsetOfAStructSetsItsFields) {
    GGSNN_NEEDS_CLANG();
    const std::string head = std::string("#include <string.h>\n") + list_types;
    EXPECT_EQ(value_of(head +
                       "int f(void) { node *p = malloc(sizeof *p); p->val = 4; memset(p, 0, sizeof(*p)); "
                       "int r = p->val + (p->next == NULL); free(p); return r; }"),
              1);
    EXPECT_FALSE(find(program_of(head + "void f(node *p) { memset(p, 0, 4); }"), "f").refusals.empty());
}

TEST(Front, LibraryCalls) {
    GGSNN_NEEDS_CLANG();
    const std::string head =
        "#include <stdio.h>\n#include <assert.h>\n#include <string.h>\n" + std::string(list_types);
    const Program p =
        program_of(head + "int read_in(void) { int x = 1; scanf(\"%d\", &x); return x; }\n"
                          "void assertion(node *p) { assert(p != NULL && \"text\"); p->val = 1; }\n"
                          "void out(node *p) { printf(\"%d %p\", p->val, (void *)p); puts(\"x\"); }\n"
                          "int words(char *a) { char buf[9]; fgets(buf, 9, stdin); return strcmp(a, buf); }\n"
                          "int text(char *t) { char own[5]; return words(own) + words(t); }\n"
                          "node *zero(void) { return calloc(1, sizeof(node)); }\n"
                          "int main(int argc, char **argv) { return argc > 1 ? atoi(argv[1]) : 0; }\n");
    for (const Function& f : p.functions) EXPECT_TRUE(f.refusals.empty()) << f.name << f.refusals[0].reason;
    EXPECT_THAT(print(p, find(p, "read_in")), HasSubstr("x = 1\n    x = ?\n    return x"));
    EXPECT_THAT(print(p, find(p, "assertion")), HasSubstr("stop"));
    EXPECT_THAT(print(p, find(p, "out")), HasSubstr("$1 = p->val\n"));
    EXPECT_THAT(print(p, find(p, "zero")), HasSubstr("new node zeroed"));
}

struct Refused {
    const char* code;
    int line, column;
    const char* reason;
};

TEST(Front, WhatUnknownFunctionsMayChangeIsUnknown) {
    GGSNN_NEEDS_CLANG();
    const Program p = program_of("#include <stdio.h>\nint seen; static int own; void ext(int);\n"
                                 "void f(int *out) { ext(own); scanf(\"%d\", out); }\n");
    EXPECT_THAT(print(p, find(p, "f")), HasSubstr(" 0:\n    seen = ?\n    out->* = ?\n    return"));
}

TEST(Front, RefusesWithItsPlaceAndLeavesTheRest) {
    GGSNN_NEEDS_CLANG();
    const std::vector<Refused> all{
        {"void f(node *a, node *b) {\n *a = *b; }", 4, 2, "struct copied"},
        {"node f(node *a) {\n return *a; }", 3, 6, "returned by value"},
        {"int f(node a) { return a.val; }", 3, 12, "passed by value"},
        {"int f(void) { int a[3];\n return a[1]; }", 4, 9, "array"},
        {"node *f(node *p) { return\n p + 1; }", 4, 2, "arithmetic"},
        {"void f(node *p) {\n p++; }", 4, 2, "arithmetic"},
        {"int f(node *p, node *q) { return\n p < q; }", 4, 2, "order"},
        {"union u { int i; node *p; }; int f(union u *x) { return\n x->i; }", 4, 5, "struct"},
        {"int f(int (*g)(int)) { return\n g(1); }", 4, 2, "pointer to a function"},
        {"int f(int x) { a: x++; if (x < 3)\n goto a; return x; }", 4, 2, "goto"},
        {"int f(int n, ...) { return n; }", 3, 5, "variable number"},
        {"int f(char *s) { return\n *s; }", 4, 2, "text"},
        {"node **f(node *p) { return\n &p->next; }", 4, 2, "address of a field"},
        {"node *ext(node *); node *f(node *p) { return\n ext(p); }", 4, 2, "no body"},
        {"void ext(void (*)(int)); void g(int x) {} void f(void) {\n ext(g); }", 4, 2, "call back"},
        {"node *g; void ext(int); void f(void) {\n ext(1); }", 4, 2, "may change 'g'"},
        {"#include <stdio.h>\nvoid f(node *p) { fread(\np, 8, 1, stdin); }", 5, 1, "library function"},
        {"struct v { union { int i; } u; int k; }; int f(void) { struct v x = {\n {1}, 2}; return x.k; }", 4,
         2, "initialiser"},
        {"void *f(node *p) { return\n p; }", 4, 2, "kept as"},
        {"node *f(void *p) { return\n p; }", 4, 2, "made from"},
        {"node *f(int n) { return\n malloc(n * sizeof(node)); }", 4, 2, "not constant"},
        {"node *f(void) { node *p =\n malloc(sizeof p); return p; }", 4, 2, "8 bytes are allocated"},
        {"node *f(void) { return\n malloc(3 * sizeof(node)); }", 4, 2, "an array"},
        {"node g; int f(void) { return\n g.val; }", 4, 2, "global"},
        {"node *g; void h(node **p) { *p = 0; } void f(void) {\n h(&g); }", 4, 4, "address of a variable"},
        {"int f(int x) { return\n ({ x; }); }", 4, 2, "statements inside"},
        {"int f(int k) { switch (k) { while (k) {\n case 1: k--; } } return k; }", 4, 2, "inside a loop"},
    };
    for (const Refused& r : all) {
        const std::string text =
            std::string(list_types) + r.code + "\nint fine(node *p) { return p->val; }\n";
        const Program p = program_of(text);
        const Function& f = find(p, "f");
        ASSERT_FALSE(f.refusals.empty()) << r.code;
        EXPECT_EQ(f.refusals[0].position.line, r.line) << r.code;
        EXPECT_EQ(f.refusals[0].position.column, r.column) << r.code;
        EXPECT_THAT(f.refusals[0].reason, HasSubstr(r.reason)) << r.code;
        EXPECT_TRUE(find(p, "fine").refusals.empty()) << r.code;
    }
}

TEST(Front, MistakesAreNamedWithTheirPlace) {
    GGSNN_NEEDS_CLANG();
    EXPECT_EQ(error_of("int f(int x) {\n  return y;\n}"), "test.c:2:10: use of undeclared identifier 'y'");
    EXPECT_THAT(error_of("int f( {"), StartsWith("test.c:1:8: "));
    EXPECT_EQ(error_of("#include <nowhere.h>\nint f(void) { return 1; }"), "");
    EXPECT_THAT(error_of("int a;\n#include <nowhere.h>\nthing *f(void) { return 0; }"),
                StartsWith("test.c:2:1: include 'nowhere.h' is not found"));
    EXPECT_THAT(error_of("#include \"/dev/zero\"\n"), HasSubstr("no such file"));
    EXPECT_THAT(error_of("#embed \"/dev/zero\"\n"), HasSubstr("not supported"));
    // Functions that are not declared are looked up as the C library's.
    EXPECT_EQ(error_of("struct s { struct s *n; }; void f(struct s *p) { free(p); exit(1); }"), "");
}

TEST(Front, IncludesOfTheProgramAreRead) {
    GGSNN_NEEDS_CLANG();
    const testing::Folder folder;
    folder.put("list.h",
               "#ifndef LIST\n#define LIST\nstruct s { struct s *next; };\n"
               "static int length(struct s *p) { int n = 0; while (p) { n++; p = p->next; } return n; }\n"
               "#endif\n");
    folder.put("main.c",
               "#include \"list.h\"\n#include \"list.h\"\nint f(struct s *p) { return length(p); }\n");
    const Program p = read_program(folder / "main.c");
    EXPECT_EQ(p.functions.size(), 2U);
    EXPECT_TRUE(find(p, "f").refusals.empty());
    folder.put("loop.c", "#include \"loop.c\"\n");
    EXPECT_THROW(read_program(folder / "loop.c"), Error);
    EXPECT_THROW(read_program(folder / "absent.c"), Error);
    EXPECT_THROW(read_program(folder.path()), Error);
}

} // namespace
} // namespace ggsnn::verify
