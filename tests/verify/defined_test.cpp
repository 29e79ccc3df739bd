// Contracts with predicates of one's own.
#include "ggsnn/base/error.hpp"
#include "ggsnn/verify/read/read.hpp"
#include "ggsnn/verify/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn::verify {
namespace {

using ::testing::HasSubstr;

const std::string types = "#include <stdlib.h>\nstruct item { int key; struct item *link; };\n"
                          "//@ define chain(p) := p = NULL \\/ exists n . p |-> {link: n} * chain(n)\n";

class DefinedContract : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!reading_available()) GTEST_SKIP() << "built without LLVM";
    }
    static Verdict verdict(const std::string& text) {
        const Program program = read_program_text(types + text, "test.c");
        VerifyOptions options;
        options.seconds = 10;
        const ProgramReport report = verify_program(program, Inference(), options);
        return report.functions.back().verdict;
    }
    static std::string complaint(const std::string& text) {
        try {
            read_program_text(text, "test.c");
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(DefinedContract, IsProvedOrNot) {
    const auto reverse = [](const std::string& body, const std::string& ensures) {
        return verdict("//@ requires chain(p)\n//@ ensures " + ensures +
                       "\nstruct item *f(struct item *p) { struct item *r = 0, *n; while (p) { " + body +
                       " } return r; }\n");
    };
    const std::string right = "n = p->link; p->link = r; r = p; p = n;";
    EXPECT_EQ(reverse(right, "chain(\\result)"), Verdict::proved);
    EXPECT_NE(reverse(right, "emp"), Verdict::proved);
    EXPECT_NE(reverse(right, "chain(\\result) * chain(p)"), Verdict::proved);
    EXPECT_NE(reverse("n = p->link; p->link = p; r = p; p = n;", "chain(\\result)"), Verdict::proved);
    EXPECT_NE(reverse("n = p->link; r = p; p = n;", "chain(\\result)"), Verdict::proved);
    EXPECT_NE(reverse("n = p->link; free(p); r = p; p = n;", "chain(\\result)"), Verdict::proved);
}

// A cell is all of its struct, whatever fields are named.
TEST_F(DefinedContract, CellsAreWhole) {
    EXPECT_EQ(
        verdict(
            "//@ requires exists n . p |-> {link: n} * chain(n) * p != NULL\n//@ ensures chain(\\result)\n"
            "struct item *f(struct item *p) { p->key = 3; struct item *n = p->link; free(p); return n; }\n"),
        Verdict::proved);
    EXPECT_EQ(verdict("//@ requires chain(p)\n//@ ensures emp\n"
                      "void f(struct item *p) { while (p) { struct item *n = p->link; free(p); p = n; } }\n"),
              Verdict::proved);
}

TEST_F(DefinedContract, DefinitionsThatAreNoListsAreNotProved) {
    EXPECT_NE(
        verdict("//@ define sorted(p, lo) := p = NULL \\/ exists n, v . p |-> {link: n, key: v} * lo <= v * "
                "sorted(n, v)\n//@ requires sorted(p, lo)\n//@ ensures sorted(p, lo)\n"
                "void f(struct item *p, int lo) { if (p) p->key = 0; }\n"),
        Verdict::proved);
}

TEST_F(DefinedContract, MistakesAreToldWhereTheyStand) {
    const std::string head = "struct item { int key; struct item *link; };\n";
    EXPECT_THAT(complaint(head + "//@ define chain(p) := p = NULL \\/ exists n . p |-> {lonk: n} * chain(n)\n"
                                 "//@ requires chain(p)\n//@ ensures emp\nvoid f(struct item *p) {}\n"),
                HasSubstr("test.c:2:47: found a cell with fields that no struct has"));
    EXPECT_THAT(complaint(head +
                          "//@ define chain(p) := p = NULL\n//@ requires chain(p, p)\n//@ ensures emp\n"
                          "void f(struct item *p) {}\n"),
                HasSubstr("test.c:3:14: found chain with 2 arguments, expected 1"));
    EXPECT_THAT(complaint(head + "//@ define chain(p) := p = \n//@ requires chain(p)\n//@ ensures emp\n"
                                 "void f(struct item *p) {}\n"),
                HasSubstr("test.c:2:"));
    EXPECT_THAT(
        complaint(head +
                  "//@ define chain(p) := p = NULL\n//@ requires chain(p)\nvoid f(struct item *p) {}\n"),
        HasSubstr("test.c:3:5: found no ensures beside it"));
}

// A name that is no parameter would stand for anything: a global of that name would not be meant.
TEST_F(DefinedContract, SpeaksOfParametersAlone) {
    const auto complaint_of = [](const std::string& text) { return complaint(types + text); };
    EXPECT_THAT(complaint_of("struct item *head;\n//@ requires chain(head)\n//@ ensures chain(head)\n"
                             "void f(void) { head = 0; }\n"),
                HasSubstr("test.c:5:20: 'head' is not a parameter"));
    EXPECT_THAT(complaint_of("//@ requires chain(q)\n//@ ensures chain(q)\nvoid f(struct item *p) {}\n"),
                HasSubstr("'q' is not a parameter; contracts with definitions speak of parameters (p)"));
    EXPECT_THAT(complaint_of("//@ requires chain(nil)\n//@ ensures emp\nvoid f(struct item *nil) {}\n"),
                HasSubstr("a parameter 'nil', which means NULL"));
    EXPECT_EQ(verdict("//@ requires chain(p)\n//@ ensures chain(\\old(p))\n"
                      "void f(struct item *p) { while (p) p = p->link; }\n"),
              Verdict::proved);
}

TEST_F(DefinedContract, GivesWayToAFileOfSpecifications) {
    Program program = read_program_text(types + "//@ requires chain(p)\n//@ ensures emp\n"
                                                "void f(struct item *p) {}\n",
                                        "test.c");
    ASSERT_EQ(program.contracts.size(), 1u);
    read_specification_text("function f\nrequires emp\nensures emp\n", "test.spec", program);
    EXPECT_TRUE(program.contracts.empty());
    EXPECT_THROW(read_specification_text("function f\ndefine emp\n", "test.spec", program), Error);
}

} // namespace
} // namespace ggsnn::verify
