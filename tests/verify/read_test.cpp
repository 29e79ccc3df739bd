// The reader: what becomes of C programs, family by family. What is expected is the program as text, or a
// line of it; a construct that is not understood must be refused where it stands.
#include "reading.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

namespace ggsnn::verify {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using Kind = Instruction::Kind;

TEST_F(Read, ALoopBecomesBlocks) {
    const Program p = read("#include <stddef.h>\n"
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
    EXPECT_EQ(print(p), R"(record node (16 bytes): int32 val at 0, node * next at 8
function node * concat(node * a, node * b)
  requires ls(a, NULL) * ls(b, NULL)
  ensures ls(\result, NULL)
  loop 10:5 at 3: a b cur
    invariant cur != NULL * ls(a, cur) * ls(cur, NULL) * ls(b, NULL)
 0:
    $4 = == 64 a 0
    if $4 goto 1 else 2
 1:
    $2 = b
    goto 6
 2:
    forget cur
    cur = a
    goto 3
 3:
    $5 = cur + 8
    $6 = load node * at $5
    $7 = != 64 $6 0
    if $7 goto 4 else 5
 4:
    $8 = cur + 8
    cur = load node * at $8
    goto 3
 5:
    $9 = cur + 8
    store node * b at $9
    $2 = a
    forget cur
    goto 6
 6:
    return $2
)");
    EXPECT_EQ(p.files.at(0), "test.c");
    EXPECT_EQ(p.functions.at(0).position.line, 6);
    const Instruction& load = p.functions.at(0).blocks.at(3).instructions.at(1);
    EXPECT_EQ(load.position.line, 10);
    EXPECT_EQ(load.position.column, 17);
}

TEST_F(Read, AllExamplesAreUnderstood) {
    int programs = 0;
    for (const char* folder : {"/examples/programs", "/examples/programs/broken"})
        for (const auto& entry : std::filesystem::directory_iterator(std::string(GGSNN_SOURCE) + folder)) {
            if (entry.path().extension() != ".c") continue;
            const Program p = read_program(entry.path().string());
            EXPECT_FALSE(p.functions.empty());
            EXPECT_THAT(p.refusals, IsEmpty());
            for (const Function& f : p.functions)
                EXPECT_THAT(refusals(f), IsEmpty()) << entry.path() << f.name;
            ++programs;
        }
    EXPECT_GE(programs, 38);
}

// --- What the table of attacks names ---

TEST_F(Read, CleanupIsACallHoweverItIsWritten) {
    const std::string head = list_types + "static void drop(node **p) { free(*p); }\n";
    for (const char* attribute : {"__attribute__((unused, cleanup(drop)))", "[[gnu::cleanup(drop)]]",
                                  "__attribute__((__cleanup__(drop)))"}) {
        const std::string f =
            lines(head + "void f(void) { " + attribute + " node *p = malloc(16); free(p); }");
        EXPECT_THAT(f, HasSubstr("library free($2)\n    drop(&p)\n    end p\n    return")) << attribute;
    }
    EXPECT_THAT(lines(head +
                      "#define AUTO __attribute__((cleanup(drop)))\nint f(int k) { AUTO node *p = 0; "
                      "if (k) return 1; while (k--) { AUTO node *q = 0; if (k == 3) break; } return 2; }"),
                HasSubstr("drop(&q)\n    end q"));
}

TEST_F(Read, VolatileIsKept) {
    for (const char* text :
         {"typedef volatile int word; int f(word *p) { *p = 1; return *p; }",
          "#define V vola##tile\n#define X(a, b) a##b\nint f(X(vola, tile) int *p) { *p = 1; "
          "return *p; }",
          "int f(__volatile int *p) { *p = 1; return *p; }",
          "struct s { volatile int x; }; int f(struct s *p) { p->x = 1; return p->x; }"}) {
        const std::string f = lines(text);
        EXPECT_THAT(f, HasSubstr("volatile store int32 1 at")) << text;
        EXPECT_THAT(f, HasSubstr("volatile load int32 at")) << text;
    }
    // A local too: it is no variable then.
    EXPECT_THAT(
        lines("int f(void) { volatile int x = 1; return x; }"),
        HasSubstr("&x = local x\n    volatile store int32 1 at &x\n    $1 = volatile load int32 at &x"));
    EXPECT_THAT(refused("struct s { int a[9]; }; void f(volatile struct s *p, struct s *q) { *p = *q; }"),
                ElementsAre(HasSubstr("volatile")));
}

TEST_F(Read, WhatRunsBeforeAndAfterMain) {
    const Program p = read("int flag; __attribute__((constructor)) static void last(void) { flag = 1; }\n"
                           "__attribute__((constructor(200))) static void first(void) { flag = 2; }\n"
                           "__attribute__((destructor(200))) static void d4(void) {}\n"
                           "__attribute__((destructor)) static void d2(void) {}\n"
                           "__attribute__((destructor)) static void d1(void) {}\n"
                           "__attribute__((destructor(300))) static void d3(void) {}\n"
                           "int main(void) { return flag; }\n");
    EXPECT_THAT(print(p), HasSubstr("constructors: first last\ndestructors: d1 d2 d3 d4\n"));
    EXPECT_FALSE(find(p, "last").address_taken);
}

TEST_F(Read, SectionsByHandAreRefused) {
    const Program p = read("static void sly(void) {}\n"
                           "__attribute__((used, section(\".init_array\"))) static void (*p)(void) = sly;\n"
                           "int main(void) { return 0; }");
    EXPECT_THAT(p.refusals, ElementsAre(HasSubstr(".init_array")));
}

TEST_F(Read, AliasesLeadToTheFunction) {
    const Program p =
        read("static int real(int x) { return x; }\nint other(int) __attribute__((alias(\"real\")));\n"
             "int maybe(int) __attribute__((weak, alias(\"real\")));\n"
             "int v = 3; extern int w __attribute__((alias(\"v\")));\n"
             "int f(int x) { return other(x) + w; }\nint g(int x) { return maybe(x); }");
    EXPECT_THAT(print(p, find(p, "f")), HasSubstr("= real(x)"));
    EXPECT_THAT(print(p, find(p, "f")), HasSubstr("load int32 at &v"));
    EXPECT_THAT(refusals(find(p, "g")), ElementsAre(HasSubstr("may be replaced")));
    EXPECT_FALSE(find(p, "real").internal);
    EXPECT_TRUE(find(p, "real").address_taken);
}

TEST_F(Read, AssemblerLabelsAreTheName) {
    EXPECT_THAT(lines("void drop(void *) __asm__(\"free\"); void f(void *p) { drop(p); }"),
                HasSubstr("library free(p)"));
    EXPECT_THAT(lines("#include <stdlib.h>\nvoid *mine(unsigned long n) __asm__(\"malloc\");\n"
                      "static char pool[100]; void *mine(unsigned long n) { return pool; }\n"
                      "void *f(void) { return malloc(3); }"),
                HasSubstr("= mine(3)"));
    // The result of free is none, whatever the declaration says.
    EXPECT_THAT(lines("int drop(void *) __asm__(\"free\"); int f(void *p) { return drop(p); }"),
                HasSubstr("library free(p)\n    $1 = ?\n    return $1"));
    const Program p = read("int other(void) __asm__(\"main\"); int other(void) { return 3; }");
    EXPECT_EQ(p.functions.at(0).name, "main");
}

TEST_F(Read, WeakFunctionsAreNotTheirBodies) {
    EXPECT_THAT(lines("__attribute__((weak)) int g(int x) { return 3; } int f(int x) { return g(x); }"),
                HasSubstr("= external g(x)"));
    EXPECT_THAT(lines("inline int g(int x) { return 3; } int f(int x) { return g(x); }"),
                HasSubstr("= external g(x)"));
    EXPECT_THAT(refused("extern int g(int) __attribute__((weak)); int f(int x) { return g ? g(x) : 0; }"),
                ElementsAre(HasSubstr("may be absent"), HasSubstr("may be absent")));
    const Program p = read("__attribute__((weak)) int g = 4; int f(void) { return g; }");
    EXPECT_FALSE(p.globals.at(0).defined);
    EXPECT_THAT(p.globals.at(0).contents, IsEmpty());
}

TEST_F(Read, OwnFunctionsWithNamesOfTheLibrary) {
    EXPECT_THAT(lines("static char pool[10]; void *malloc(unsigned long n) { return pool; }\n"
                      "void *f(void) { return malloc(3); }"),
                HasSubstr("= malloc(3)"));
    EXPECT_THAT(refused("void *memcpy(void *a, const void *b, unsigned long n) { return a; }\n"
                        "struct s { int a[9]; }; void f(struct s *p, struct s *q) { *p = *q; }"),
                ElementsAre(HasSubstr("its own memcpy")));
}

TEST_F(Read, LibraryFunctionsHaveTheirTypes) {
    EXPECT_THAT(lines("#include <stdio.h>\nint f(void) { int a; return scanf(\"%d\", &a); }"),
                HasSubstr("scanf(&.str, &a)"));
    EXPECT_THAT(refused("int malloc(int); int *f(void) { return (int *)(long)malloc(3); }"),
                ElementsAre(HasSubstr("'malloc' called otherwise")));
    EXPECT_THAT(refused("void *malloc(int); void *f(void) { return malloc(3); }", {"-m64"}),
                ElementsAre(HasSubstr("'malloc' called otherwise")));
    EXPECT_THAT(refused("void free(long p); void f(long p) { free(p); }"),
                ElementsAre(HasSubstr("'free' called otherwise")));
    EXPECT_THAT(lines("void frobnicate(int *p); void f(int x) { frobnicate(&x); }"),
                HasSubstr("external frobnicate(&x)"));
}

TEST_F(Read, WhatDoesNotComeBack) {
    const std::string f = lines("#include <stdlib.h>\n#include <assert.h>\n"
                                "void f(int x) { if (x == 1) exit(1); if (x == 2) abort(); assert(x); "
                                "if (x == 3) __builtin_unreachable(); }");
    EXPECT_THAT(f, HasSubstr("library exit(1)\n    stop"));
    EXPECT_THAT(f, HasSubstr("library abort()\n    stop"));
    EXPECT_THAT(f, HasSubstr("library __assert_fail"));
    EXPECT_THAT(f, HasSubstr(":\n    unreachable"));
    // A promise that is wrong does not hide what follows.
    EXPECT_THAT(lines("__attribute__((noreturn)) void free(void *); void f(int *p) { free(p); *p = 1; }"),
                HasSubstr("library free(p)\n    unreachable"));
    EXPECT_THAT(lines("__attribute__((noreturn)) static void g(void) {} void f(int *p) { g(); *p = 1; }"),
                HasSubstr("g()\n    unreachable"));
}

TEST_F(Read, CaseRangesHaveTheirSigns) {
    const std::string f =
        lines("int f(unsigned long x) { switch (x) { case 0xfffffffffffffffeUL ... "
              "0xffffffffffffffffUL: return 1; case 3: return 2; case 100 ... 9999: return 4; } "
              "return 3; }");
    EXPECT_THAT(f, HasSubstr("switch $2: -2 goto 1, -1 goto 1, 3 goto 2, else 4"));
    EXPECT_THAT(f, HasSubstr("ule 64 $3 9899"));
    EXPECT_THAT(lines("int f(unsigned char c) { switch (c) { case 200: return 1; } return 0; }"),
                HasSubstr("200 goto"));
    EXPECT_THAT(lines("int f(signed char c) { switch (c) { case -1: return 1; } return 0; }"),
                HasSubstr("-1 goto"));
}

TEST_F(Read, TwoLoopsInOneMacroLine) {
    const Program p =
        read("#define TWO(x) while (x > 3) x--; while (x > 1) x--;\nint f(int x) { TWO(x) return x; }");
    const Function& f = find(p, "f");
    ASSERT_EQ(f.loops.size(), 2U);
    EXPECT_NE(f.loops[0].head, f.loops[1].head);
    EXPECT_EQ(f.loops[0].position.line, 2);
    EXPECT_EQ(f.loops[1].position.line, 2);
    EXPECT_EQ(f.loops[1].parent, -1);
}

TEST_F(Read, AMissingHeaderIsAnError) {
    EXPECT_THAT(error_of("int x;\n#include \"config.h\"\n#ifdef UNSAFE\n#endif\n"),
                StartsWith("test.c:2:10: 'config.h' file not found"));
    EXPECT_THAT(error_of("int f( { return 0; }"), StartsWith("test.c:1:8: "));
    EXPECT_EQ(error_of("#if __has_include(\"config.h\")\n#error no\n#endif\nint f(void) { return 0; }"), "");
}

TEST_F(Read, WhatIsNotUnderstoodIsRefusedWhereItStands) {
    EXPECT_THAT(refused("int f(int x) { if (x) __asm__(\"nop\"); return x; }"),
                ElementsAre(HasSubstr("assembler")));
    EXPECT_THAT(refused("__int128 g; int f(void) { g = g * 3; return 1; }"), Not(IsEmpty()));
    EXPECT_THAT(refused("int f(int x) { void *t[] = {&&a, &&b}; goto *t[x]; a: return 1; b: return 2; }"),
                ElementsAre(HasSubstr("indirectbr")));
    EXPECT_THAT(
        refused("#include <stdarg.h>\nint f(int k, ...) { va_list a; va_start(a, k); va_end(a); return 1; }"),
        ElementsAre(HasSubstr("variable arguments"), HasSubstr("variable arguments")));
    EXPECT_THAT(refused("int f(int x) { if (x) goto in; while (x < 9) { x++; in: x += 2; } return x; }"),
                ElementsAre(HasSubstr("middle of a loop")));
    EXPECT_THAT(refused("int f(void) { return 1 / 0; }"), ElementsAre(HasSubstr("division by zero")));
    EXPECT_THAT(
        refused(
            "int f(int n) { int s = 0; while (n--) { char *p = __builtin_alloca(n); s += *p; } return s; }"),
        ElementsAre(HasSubstr("alloca() in a loop")));
    EXPECT_THAT(refused("int f(void) { return __builtin_return_address(0) != 0; }"),
                ElementsAre(HasSubstr("llvm.returnaddress")));
    EXPECT_THAT(refused("int g(); int f(void) { return g(3L); } int g(int x) { return x; }"),
                ElementsAre(HasSubstr("'g' called with other arguments")));
    EXPECT_THAT(refused("int g(int x) { return x; } int f(void) { return ((int (*)(char *))g)(\"x\"); }"),
                ElementsAre(HasSubstr("'g' called with other arguments")));
    EXPECT_THAT(refused("__attribute__((naked)) int f(void) { __asm__(\"ret\"); }"), Not(IsEmpty()));
    EXPECT_THAT(read("__asm__(\".globl x\"); int f(void) { return 1; }").refusals,
                ElementsAre(HasSubstr("assembler")));
    EXPECT_THAT(read("static int g(void) { return 1; } static void *pick(void) { return g; }\n"
                     "int h(void) __attribute__((ifunc(\"pick\"))); int f(void) { return h(); }")
                    .refusals,
                ElementsAre(HasSubstr("ifunc")));
    // A declaration alone rejects nothing.
    EXPECT_THAT(
        refused("__int128 g(__int128); extern int h(void) __attribute__((weak)); int f(int x) { return x; }"),
        IsEmpty());
}

// --- Locals ---

TEST_F(Read, LocalsAreVariablesUnlessTheirAddressIsUsed) {
    EXPECT_EQ(lines("int f(int x) { int y = x; { int x = 3; y += x; } return y + x; }"),
              "function int32 f(int32 x)\n 0:\n"
              "    forget y\n    y = x\n    forget x'2\n    x'2 = 3\n    y = add 32 y x'2\n    forget x'2\n"
              "    $3 = add 32 y x\n    forget y\n    return $3\n");
    EXPECT_EQ(lines("int f(int x) { int *p = &x; return *p; }"),
              "function int32 f(int32 x)\n 0:\n"
              "    &x = local x\n    store int32 x at &x\n    forget p\n    p = &x\n"
              "    $3 = load int32 at p\n    forget p\n    return $3\n");
    const Program p =
        read("struct s { int a; }; int f(void) { struct s v = {1}; int w[3]; w[0] = 2; return v.a + w[0]; }");
    const Function& f = find(p, "f");
    ASSERT_EQ(f.objects.size(), 2U);
    EXPECT_EQ(f.objects[0].name, "v");
    EXPECT_EQ(p.records.at(static_cast<std::size_t>(f.objects[0].record)).name, "s");
    EXPECT_EQ(f.objects[1].size, 12);
    EXPECT_EQ(f.objects[1].record, -1);
    EXPECT_EQ(count(f, Kind::local), 2);
    EXPECT_EQ(count(f, Kind::end_local), 2);
}

TEST_F(Read, ScopesEndWithinLoopsAndJumps) {
    const std::string f =
        lines("void g(int *); int f(int n) { while (n--) { int x = n; g(&x); if (n == 3) continue; "
              "if (n == 4) return 1; } return 0; }");
    EXPECT_THAT(f, HasSubstr("&x = local x\n"));
    EXPECT_THAT(f, HasSubstr("end x\n    switch"));
}

TEST_F(Read, ALoadIsItsVariableOnlyWhileThatLasts) {
    // x is read before it changes.
    EXPECT_THAT(lines("int f(int x) { int y = x++; return y + x; }"),
                HasSubstr("$2 = x\n    x = add 32 $2 1\n    y = $2\n    $3 = add 32 y x\n"));
    EXPECT_THAT(
        lines("int g(int); int f(int x) { return x + g(x = 3) + x; }"),
        HasSubstr("$1 = x\n    x = 3\n    $2 = external g(3)\n    $3 = add 32 $1 $2\n    $4 = add 32 $3 x"));
    EXPECT_THAT(lines("int f(int a, int b) { int t = a; a = b; b = t; return a - b; }"),
                HasSubstr("t = a\n    a = b\n    b = t\n    $3 = sub 32 a b\n"));
}

TEST_F(Read, PhisChangeAtOnce) {
    const std::string f = lines("struct n { struct n *next; int v; };\n"
                                "int f(struct n *p) { return p && p->next ? p->next->v : -1; }");
    EXPECT_THAT(f, HasSubstr("= -1\n    goto"));
    EXPECT_THAT(refused("int f(int a, int b, int c) { return (a && b) || (c ? a : b) ? a : c; }"), IsEmpty());
}

TEST_F(Read, ArraysOfAVariableLength) {
    const std::string f =
        lines("int f(int n) { int s = 0; for (int i = 1; i < n; i++) { int v[i]; v[0] = i; s += v[0]; "
              "if (s > 9) break; } return s; }");
    EXPECT_THAT(f, HasSubstr("= mul 64 $"));
    EXPECT_THAT(f, HasSubstr("&v = local v, $"));
    EXPECT_THAT(f, HasSubstr("end v\n"));
    EXPECT_THAT(refused("int f(int n) { int v[n]; v[0] = 1; { char w[n]; w[0] = 2; } return v[0]; }"),
                IsEmpty());
    EXPECT_THAT(lines("char f(int n) { char *p = __builtin_alloca(n); *p = 1; return *p; }"),
                HasSubstr("= local $local0, $"));
}

// --- Values ---

TEST_F(Read, BitFieldsAreArithmetic) {
    const std::string f =
        lines("struct s { unsigned a : 3; int b : 5; }; int f(struct s *p) { p->b = 3; return p->b; }");
    EXPECT_THAT(f, HasSubstr("$2 = and 8 $1 7\n    $3 = or 8 $2 24\n    store int8 $3 at p"));
    EXPECT_THAT(f, HasSubstr("= ashr 8 "));
    EXPECT_THAT(f, HasSubstr("= sign_extend 8 to 32 "));
}

TEST_F(Read, StructsAreCopiedWhole) {
    const std::string head = "struct s { struct s *n; long v; };\nstruct big { long a[5]; };\n";
    EXPECT_THAT(lines(head + "void f(struct s *p, struct s *q) { *p = *q; }"),
                HasSubstr("move 16 bytes from q to p\n"));
    EXPECT_THAT(
        lines(
            head +
            "struct s g(struct s *p) { return *p; } long f(struct s *p) { struct s x = g(p); return x.v; }"),
        HasSubstr("$2, $3 = g(p)\n"));
    const Program p = read(head + "long g(struct big b) { b.a[0] = 1; return b.a[1]; }\n"
                                  "struct big h(void) { struct big b = {{1}}; return b; }\n"
                                  "long f(struct big *p) { struct big r = h(); return g(*p) + r.a[0]; }");
    const std::string f = print(p, find(p, "f"));
    EXPECT_THAT(f, HasSubstr("move 40 bytes from p to $"));
    EXPECT_THAT(f, HasSubstr("end $copy1\n"));
    EXPECT_THAT(f, HasSubstr("h(&r)"));
    EXPECT_EQ(find(p, "g").variables.at(0).by_value, 40);
    EXPECT_EQ(find(p, "g").variables.at(0).name, "b");
    EXPECT_EQ(find(p, "h").variables.at(0).by_value, 40);
    EXPECT_EQ(find(p, "f").variables.at(0).by_value, 0);
}

TEST_F(Read, UnionsAreBytes) {
    EXPECT_THAT(
        lines(
            "union u { int i; char c[4]; float f; }; int f(void) { union u x; x.f = 1.0f; return x.c[1]; }"),
        HasSubstr("store data32 ? at &x\n    $1 = &x + 1\n    $2 = load int8 at $1"));
}

TEST_F(Read, AddressesHaveSignedIndices) {
    const std::string f =
        lines("int f(int *a, int i, unsigned u, char c) { return a[i] + a[u] + a[c] + a[-1] + *(a - i); }");
    EXPECT_THAT(f, HasSubstr("$4 = sign_extend 32 to 64 i\n    $5 = a + $4 * 4\n"));
    EXPECT_THAT(f, HasSubstr("= zero_extend 32 to 64 u\n"));
    EXPECT_THAT(f, HasSubstr("= sign_extend 8 to 64 c\n"));
    EXPECT_THAT(f, HasSubstr("= a + -4\n"));
    EXPECT_THAT(f, HasSubstr("= sub 64 0 "));
    EXPECT_THAT(lines("struct s { int a; int b[4]; }; int f(struct s *p, long i) { return p[2].b[i]; }"),
                HasSubstr("p + 40\n    $3 = $2 + 4\n    $4 = $3 + i * 4\n"));
}

TEST_F(Read, FloatingNumbersAreUnknown) {
    EXPECT_EQ(lines("double f(double x, int k) { double y = x * 2 + k; return y > 3 ? y : 0; }"),
              "function data64 f(data64 x, int32 k)\n 0:\n"
              "    forget y\n    $3 = ?\n    $4 = ?\n    y = $4\n    $5 = ?\n    if $5 goto 1 else 2\n"
              " 1:\n    $7 = y\n    goto 3\n 2:\n    $7 = ?\n    goto 3\n 3:\n    $6 = $7\n    forget y\n    "
              "return $6\n");
    EXPECT_THAT(lines("#include <math.h>\nint f(double x) { return (int)sqrt(x) + (int)fabs(x); }"),
                Not(HasSubstr("refuse")));
    EXPECT_THAT(lines("long double f(long double *p) { return *p; }"), HasSubstr("load data80 at p"));
}

TEST_F(Read, FunctionsOfTheCompiler) {
    const std::string f =
        lines("#include <string.h>\n#include <stdlib.h>\n"
              "int f(char *a, char *b, long n, int k) { memcpy(a, b, n); memmove(a, b, 4); memset(a, k, n); "
              "return abs(k) + __builtin_popcount(k) + __builtin_constant_p(k) + __builtin_expect(k, 1); }");
    EXPECT_THAT(f, HasSubstr("move n bytes from b to a\n    move 4 bytes from b to a, may overlap\n"));
    EXPECT_THAT(f, HasSubstr("fill n bytes at a with $"));
    EXPECT_THAT(f, HasSubstr("= slt 32 k 0\n"));
    EXPECT_THAT(f, Not(HasSubstr("refuse")));
    EXPECT_THAT(lines("int f(int a, int b) { int r; return __builtin_mul_overflow(a, b, &r) ? 0 : r; }"),
                HasSubstr("= mul 32 a b\n"));
    EXPECT_THAT(lines("int f(_Atomic int *p, int e) { __c11_atomic_compare_exchange_weak(p, &e, 4, 5, 5); "
                      "return (*p)++; }"),
                HasSubstr("= add 32 "));
}

TEST_F(Read, PointersToFunctions) {
    const Program p =
        read("static int g(int x) { return x; } static int h(int x) { return -x; }\n"
             "int (*table[])(int) = {g}; int f(int (*q)(int), int k) { return q(k) + h(k) + (q == g); }");
    EXPECT_THAT(print(p, find(p, "f")), HasSubstr("= (*q)(k)\n"));
    EXPECT_THAT(print(p, find(p, "f")), HasSubstr("== 64 q &g\n"));
    EXPECT_TRUE(find(p, "g").address_taken);
    EXPECT_FALSE(find(p, "h").address_taken);
    EXPECT_TRUE(find(p, "h").internal);
    EXPECT_FALSE(find(p, "f").internal);
}

TEST_F(Read, WidthsOfAnotherMachine) {
    ReadOptions options;
    options.flags = {"-m32"};
    const Program p =
        read_program_text("struct s { struct s *n; long v; }; long f(struct s *p, int i) { return p[i].v; }",
                          "test.c", options);
    EXPECT_EQ(p.pointer_bytes, 4);
    EXPECT_EQ(p.records.at(0).size, 8);
    EXPECT_THAT(print(p, find(p, "f")), HasSubstr("= p + i * 8\n"));
}

} // namespace
} // namespace ggsnn::verify
