// Specifications in comments and in files of their own.
#include "ggsnn/verify/read/print.hpp"
#include "ggsnn/verify/read/read.hpp"

#include "folder.hpp"
#include "ggsnn/base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ggsnn::verify {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string list_types = "#include <stdlib.h>\n"
                               "typedef struct node { int val; struct node *next; } node;\n";

class Specification : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!reading_available()) GTEST_SKIP() << "built without LLVM";
    }
    static Program read(const std::string& text) { return read_program_text(text, "test.c"); }
    static const Function& find(const Program& program, const std::string& name) {
        return program.functions.at(static_cast<std::size_t>(program.function_called(name)));
    }
    static std::string text_of(const std::optional<logic::Formula>& formula) {
        return formula ? logic::print(*formula, logic::Reading::program) : "none";
    }
    static std::string error_of(const std::string& text) {
        try {
            read(text);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(Specification, WhereverItMayStand) {
    const Program p =
        read(list_types + "/*@ requires ls(x, NULL);\n  @ ensures emp; @*/\n"
                          "void a(node *x);\n"
                          "//@ requires ls(x, NULL)\n"
                          "//@ requires x != NULL\n"
                          "int b(node *x) { return x->val; }\n"
                          "void a(node *x) {\n"
                          "  while (x) //@ invariant ls(x, NULL)\n"
                          "  { node *t = x; x = x->next; free(t); }\n"
                          "}\n"
                          "int c(node *x)\n//@ requires exists n . x |-> {next: n}\n{ return x->val; }\n"
                          "//@ requires emp\n__attribute__((noinline)) static int *(d)(void) { return 0; }\n"
                          "int *e(void) { return d(); }\n"
                          "//@ requires ls(k, NULL)\nint old(k, n) node *k; int n; { return n; }\n");
    EXPECT_EQ(text_of(find(p, "a").requires_), "ls(x, NULL)");
    EXPECT_EQ(text_of(find(p, "a").ensures), "emp");
    EXPECT_EQ(text_of(find(p, "a").loops.at(0).invariant), "ls(x, NULL)");
    EXPECT_EQ(text_of(find(p, "b").requires_), "x != NULL * ls(x, NULL)");
    EXPECT_EQ(text_of(find(p, "c").requires_), "exists n . x |-> {next: n}");
    EXPECT_EQ(text_of(find(p, "c").ensures), "none");
    EXPECT_EQ(text_of(find(p, "d").requires_), "emp");
    EXPECT_EQ(text_of(find(p, "e").requires_), "none");
    EXPECT_EQ(text_of(find(p, "old").requires_), "ls(k, NULL)");
}

TEST_F(Specification, AnInvariantFindsItsLoop) {
    const Program p = read(list_types + "#define EACH(p, x) for (node *p = x; p; p = p->next)\n"
                                        "int f(node *x, node *y) {\n"
                                        "  int n = 0;\n"
                                        "  do { n++; } while (0);\n"
                                        "  //@ invariant ls(x, NULL)\n"
                                        "  do { x = x->next; } while (x);\n"
                                        "  //@ invariant ls(p, NULL)\n"
                                        "  EACH(p, y) n++;\n"
                                        "  //@ invariant x = NULL\n"
                                        "  again: for (;;) { if (n++ > 3) break; }\n"
                                        "  /*@ invariant y = NULL */ while (n < 9) n++; while (n < 99) n++;\n"
                                        "  while (n > 1)\n"
                                        "    //@ invariant x != NULL\n"
                                        "    n--;\n"
                                        "  goto end; goto again; end: return n;\n"
                                        "}\n");
    const Function& f = find(p, "f");
    ASSERT_EQ(f.loops.size(), 6U) << print(p, f);
    std::string all;
    for (const Loop& loop : f.loops)
        all += fmt::format("{} {}; ", loop.position.line, text_of(loop.invariant));
    EXPECT_EQ(all, "8 ls(x, NULL); 10 ls(p, NULL); 12 x = NULL; 13 y = NULL; 13 none; 14 x != NULL; ");
}

TEST_F(Specification, WhatThePreprocessorLeavesOutIsNotRead) {
    const Program p = read(list_types + "#if 0\n//@ requires nonsense here\n#endif\n"
                                        "#ifdef NEVER\n//@ requires ls(x, NULL)\nint f(node *x, int k) {\n"
                                        "#else\n//@ requires x = NULL\nint f(node *x) {\n#endif\n"
                                        "  const char *s = \"//@ requires\"; return s[0]; }\n");
    EXPECT_EQ(text_of(find(p, "f").requires_), "x = NULL");
    EXPECT_TRUE(p.notes.empty());
}

TEST_F(Specification, InAHeaderBesideTheFile) {
    const testing::Folder folder;
    const auto file = [&](const std::string& name, const std::string& text) {
        folder.put(name, text);
        return folder / name;
    };
    file("list.h",
         "struct s { struct s *n; };\n//@ requires ls(x, NULL)\nint f(struct s *x);\n"
         "static int g(struct s *x) {\n//@ invariant ls(x, NULL)\nwhile (x) x = x->n; return 1; }\n");
    const Program p = read_program(file("a.c", "#include \"list.h\"\nint f(struct s *x) { return g(x); }\n"));
    EXPECT_EQ(text_of(find(p, "f").requires_), "ls(x, NULL)");
    EXPECT_EQ(text_of(find(p, "g").loops.at(0).invariant), "ls(x, NULL)");
    file("list.h", "struct s { struct s *n; };\n//@ requires ls(x NULL)\nint f(struct s *x);\n");
    try {
        read_program(file("b.c", "#include \"list.h\"\nint f(struct s *x) { return 0; }\n"));
        FAIL() << "a wrong formula in a header was accepted";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("list.h:2:19: found 'NULL'"));
    }
}

TEST_F(Specification, InAPreprocessedFile) {
    const testing::Folder folder;
    folder.put("a.i",
               "# 1 \"first.c\"\n# 1 \"/usr/include/x.h\" 1 3\n//@ requires what\nint z;\n# 7 \"first.c\" 2\n"
               "struct s { struct s *n; };\n//@ requires ls(x, NULL)\nint f(struct s *x) {\n"
               "//@ invariant ls(x, NULL)\nwhile (x) x = x->n; return 1; }\n");
    const Program p = read_program(folder / "a.i");
    const Function& f = find(p, "f");
    EXPECT_EQ(text_of(f.requires_), "ls(x, NULL)");
    EXPECT_EQ(text_of(f.loops.at(0).invariant), "ls(x, NULL)");
    EXPECT_EQ(f.loops.at(0).position.line, 11);
    EXPECT_THAT(p.files.at(static_cast<std::size_t>(f.position.file)), HasSubstr("first.c"));
}

TEST_F(Specification, FieldsByTheirNamesInTheFile) {
    const Program p = read("struct s { struct s *link; };\n//@ requires x |-> {link: NULL}\n"
                           "void f(struct s *x) { x->link = x; }");
    EXPECT_EQ(text_of(find(p, "f").requires_), "x |-> {next: NULL}");
}

TEST_F(Specification, MistakesAreNamedWithTheirPlace) {
    const std::string head = "struct s { struct s *n; };\n";
    const std::string body = "\nvoid f(struct s *x, int k) { while (x) x = x->n; }";
    EXPECT_THAT(error_of(head + "//@ requires ls(x NULL)" + body), StartsWith("test.c:2:19: found 'NULL'"));
    EXPECT_THAT(error_of(head + "//@ requires ls(x, NULL)\n//@   * ls(x y)" + body),
                StartsWith("test.c:3:14: "));
    EXPECT_THAT(error_of(head + "/*@ requires emp\n   ensures ls(x,,) */" + body),
                StartsWith("test.c:3:17: "));
    EXPECT_THAT(error_of(head + "//@ requires ls(y, NULL)" + body),
                HasSubstr("'y' is not a pointer known here"));
    EXPECT_THAT(error_of(head + "//@ requires ls(k, NULL)" + body), HasSubstr("known: x"));
    EXPECT_THAT(error_of(head + "//@ requires \\result = x" + body), HasSubstr("not a pointer known"));
    EXPECT_THAT(error_of(head + "//@ requires emp\nint v;" + body),
                StartsWith("test.c:2:5: 'requires' must stand"));
    EXPECT_THAT(error_of(head + "//@ invariant emp" + body),
                StartsWith("test.c:2:5: an invariant must stand"));
    EXPECT_THAT(error_of(head + "void f(struct s *x) {\n//@ requires emp\n}"), StartsWith("test.c:3:5: "));
    EXPECT_THAT(error_of(head + "int f(int k) {\ndo k--;\n//@ invariant emp\nwhile (k); return k; }"),
                StartsWith("test.c:4:5: an invariant must stand"));
}

TEST_F(Specification, CommentsOfOtherVerifiersAreLeftOut) {
    const Program p = read("struct s { struct s *n; };\n"
                           "/*@ requires \\valid(x);\n  @ assigns \\nothing; @*/\n"
                           "int f(struct s *x) {\n"
                           "  /*@ loop invariant 1; loop variant 3; */\n"
                           "  while (x) x = x->n;\n"
                           "  //@ close foo();\n"
                           "  return 0; }\n"
                           "/*@ With l Require safe */ int g(void) { return 1; }\n"
                           "//@ requires list(x, ?n) &*& true;\nint h(struct s *x) { return 1; }\n"
                           "//@ require emp\nint i(struct s *x) { return 1; }\n");
    ASSERT_EQ(p.notes.size(), 6U);
    EXPECT_THAT(p.notes[0], StartsWith("test.c:2:"));
    EXPECT_THAT(p.notes[5], StartsWith("test.c:12:5: this comment is left out: found 'require'"));
    for (const Function& f : p.functions) {
        EXPECT_FALSE(f.requires_.has_value()) << f.name;
        for (const Loop& loop : f.loops) EXPECT_FALSE(loop.invariant.has_value());
    }
}

TEST_F(Specification, ParametersMayBeCalledLikePredicates) {
    const Program p =
        read("struct s { struct s *n; };\n//@ requires ls(ls, NULL) * tree = none * ls(exists, dll)\n"
             "void f(struct s *ls, struct s *tree, struct s *none, struct s *exists, struct s *dll) {}\n");
    EXPECT_THAT(text_of(find(p, "f").requires_), HasSubstr("ls(ls, NULL)"));
}

TEST_F(Specification, AFileOfItsOwn) {
    Program p = read(list_types + "//@ requires emp\nint f(node *x) {\n  int n = 0;\n"
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

} // namespace
} // namespace ggsnn::verify
