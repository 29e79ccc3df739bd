// Specifications in comments and files, and hostile texts.
#include "programs.hpp"

#include "verify/program_print.hpp"

#include <gmock/gmock.h>

namespace ggsnn::verify {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string text_of(const std::optional<logic::Formula>& formula) {
    return formula ? logic::print(*formula, logic::Reading::program) : "none";
}

TEST(Specification, WhereverItMayStand) {
    GGSNN_NEEDS_CLANG();
    const Program p =
        program_of(std::string(list_types) +
                   "/*@ requires ls(x, NULL);\n  @ ensures emp; @*/\n"
                   "void a(node *x);\n"
                   "//@ requires ls(x, NULL)\n"
                   "//@ requires x != NULL\n"
                   "int b(node *x) { return x->val; }\n"
                   "void a(node *x) {\n"
                   "  while (x) //@ invariant ls(x, NULL)\n"
                   "  { node *t = x; x = x->next; free(t); }\n"
                   "}\n"
                   "int c(node *x)\n//@ requires exists n . x |-> {next: n}\n{ return x->val; }\n");
    EXPECT_EQ(text_of(find(p, "a").requires_), "ls(x, NULL)");
    EXPECT_EQ(text_of(find(p, "a").ensures), "emp");
    EXPECT_EQ(text_of(find(p, "a").loops.at(0).invariant), "ls(x, NULL)");
    EXPECT_EQ(text_of(find(p, "b").requires_), "x != NULL * ls(x, NULL)");
    EXPECT_EQ(text_of(find(p, "c").requires_), "exists n . x |-> {next: n}");
    EXPECT_EQ(text_of(find(p, "c").ensures), "none");
}

TEST(Specification, FieldsByTheirNamesInTheFile) {
    GGSNN_NEEDS_CLANG();
    const Program p = program_of("struct s { struct s *link; };\n//@ requires x |-> {link: NULL}\n"
                                 "void f(struct s *x) { x->link = x; }");
    EXPECT_EQ(text_of(find(p, "f").requires_), "x |-> {next: NULL}");
}

TEST(Specification, MistakesAreNamedWithTheirPlace) {
    GGSNN_NEEDS_CLANG();
    const std::string head = "struct s { struct s *n; };\n";
    const std::string body = "\nvoid f(struct s *x, int k) { while (x) x = x->n; }";
    EXPECT_THAT(error_of(head + "//@ requires ls(x NULL)" + body), StartsWith("test.c:2:19: found 'NULL'"));
    EXPECT_THAT(error_of(head + "//@ requires ls(x, NULL)\n//@   * ls(x y)" + body),
                StartsWith("test.c:3:14: "));
    EXPECT_THAT(error_of(head + "/*@ requires emp\n   ensures ls(x,,) */" + body),
                StartsWith("test.c:3:17: "));
    EXPECT_THAT(error_of(head + "//@ require emp" + body), StartsWith("test.c:2:5: found 'require'"));
    EXPECT_THAT(error_of(head + "//@ requires ls(y, NULL)" + body),
                HasSubstr("'y' is not a pointer known here"));
    EXPECT_THAT(error_of(head + "//@ requires ls(k, NULL)" + body), HasSubstr("known: x"));
    EXPECT_THAT(error_of(head + "//@ requires \\result = x" + body), HasSubstr("not a pointer known"));
    EXPECT_THAT(error_of(head + "//@ requires emp\nint v;" + body),
                StartsWith("test.c:2:5: 'requires' must stand"));
    EXPECT_THAT(error_of(head + "//@ invariant emp" + body),
                StartsWith("test.c:2:5: an invariant must stand"));
    EXPECT_THAT(error_of(head + "void f(struct s *x) {\n//@ requires emp\n}"), StartsWith("test.c:3:5: "));
}

TEST(Specification, AFileOfItsOwn) {
    GGSNN_NEEDS_CLANG();
    Program p = program_of(std::string(list_types) + "//@ requires emp\nint f(node *x) {\n  int n = 0;\n"
                                                     "  while (x) { n++; x = x->next; }\n  return n;\n}\n");
    read_specification_text(
        "# lists\nfunction f\n  requires ls(x, NULL)\n    * emp   # all of it\nensures emp\n"
        "invariant 6 ls(x, NULL)\n",
        "f.spec", p);
    EXPECT_EQ(text_of(find(p, "f").requires_), "ls(x, NULL)");
    EXPECT_EQ(text_of(find(p, "f").ensures), "emp");
    EXPECT_EQ(text_of(find(p, "f").loops.at(0).invariant), "ls(x, NULL)");
    const auto error = [&](const std::string& text) -> std::string {
        try {
            read_specification_text(text, "f.spec", p);
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_THAT(error("function g"), StartsWith("f.spec:1:10: the program has no function 'g'"));
    EXPECT_THAT(error("requires emp"), StartsWith("f.spec:1:1: 'requires' before any"));
    EXPECT_THAT(error("function f\nrequires ls(x)"), StartsWith("f.spec:2:"));
    EXPECT_THAT(error("function f\ninvariant 3 emp"), HasSubstr("no loop at line 3"));
    EXPECT_THAT(error("hello"), StartsWith("f.spec:1:1: expected function"));
}

std::string repeated(const std::string& part, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += part;
    return all;
}

TEST(Hostile, NestingAndGrowthAreBounded) {
    GGSNN_NEEDS_CLANG();
    const int many = 100'000;
    const auto body = [](const std::string& text) { return "int f(int x) {" + text + "}"; };
    EXPECT_THAT(error_of(body("return " + repeated("(", many) + "x" + repeated(")", many) + ";")),
                HasSubstr("nested"));
    EXPECT_THAT(error_of(body(repeated("{", many) + repeated("}", many))), HasSubstr("nested"));
    EXPECT_THAT(error_of(body("return " + repeated("- ", many) + "x;")), HasSubstr("words"));
    EXPECT_THAT(error_of(body("return " + repeated("x+", many) + "x;")), HasSubstr("words"));
    EXPECT_THAT(error_of(body(repeated("if (x) ", many) + ";")), HasSubstr("words"));
    EXPECT_THAT(error_of(body(repeated("if (x) {} else ", many) + ";")), HasSubstr("alternatives"));
    EXPECT_THAT(error_of("#if " + repeated("(", many) + "1" + repeated(")", many) + "\n#endif\n"),
                HasSubstr("words"));
    EXPECT_THAT(error_of("int a[] = {[2000000000] = 1};"), HasSubstr("index"));
    EXPECT_THAT(error_of("/* no end"), HasSubstr("no end"));
    EXPECT_NE(error_of(std::string("\0\xff\xfe{{{", 6)), "");
    std::string doubling = "#define A0 x+x\n";
    for (int i = 1; i < 50; ++i) doubling += fmt::format("#define A{} A{}+A{}\n", i, i - 1, i - 1);
    EXPECT_THAT(error_of(doubling + body("return A49;")), HasSubstr("macros expanded"));
    EXPECT_THAT(
        error_of("#define D(x) x+x\n" + body("return " + repeated("D(", 60) + "x" + repeated(")", 60) + ";")),
        HasSubstr("macros expanded"));
    std::string chain;
    for (int i = 0; i < 50'000; ++i) chain += fmt::format("#define B{} B{}\n", i, i + 1);
    EXPECT_THAT(error_of(chain + body("return B0;")), HasSubstr("macros are nested"));
    FrontLimits small;
    small.bytes = 10;
    EXPECT_THAT(error_of(body("return x;"), small), HasSubstr("larger than 10 bytes"));
}

TEST(Hostile, WhatIsOnlyLongIsRead) {
    GGSNN_NEEDS_CLANG();
    std::string text = list_types;
    for (int i = 0; i < 3000; ++i)
        text += fmt::format(
            "int f{}(node *p) {{\n int n = 0;\n while (p) {{\n n++;\n p = p->next;\n }}\n return n;\n}}\n",
            i);
    EXPECT_EQ(program_of(text).functions.size(), 3000U);
    std::string table = "int t[] = {" + repeated("1,2,3,", 5000) + "}; enum e {";
    for (int i = 0; i < 5000; ++i) table += fmt::format("E{},", i);
    EXPECT_EQ(error_of(table + "}; int f(void) { return E7; }"), "");
}

TEST(Hostile, BrokenTextsNeverCrash) {
    GGSNN_NEEDS_CLANG();
    const std::string whole = std::string(list_types) +
                              "//@ requires ls(x, NULL)\nint f(node *x) { int n = 0;\n"
                              "for (node *p = x; p != NULL; p = p->next) n += p->val;\n"
                              "switch (n) { case 1: return 2; default: break; }\n"
                              "return n ? n : -1; }\n";
    // Every cut, and a byte taken out at every third place.
    for (std::size_t cut = 0; cut < whole.size(); cut += 2) {
        error_of(whole.substr(0, cut));
        std::string without = whole;
        without.erase(cut, 1);
        error_of(without);
    }
}

} // namespace
} // namespace ggsnn::verify
