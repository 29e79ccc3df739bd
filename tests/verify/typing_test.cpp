// From formulas as people write them to formulas about memory: tags, and what cannot have one.
#include "proving.hpp"

#include "ggsnn/logic/heap.hpp"

#include <gmock/gmock.h>

namespace ggsnn::verify {
namespace {

using testing::HasSubstr;

class Typing : public testing::Test {
  protected:
    void SetUp() override {
        GGSNN_NEEDS_READING();
        program_ = program_of(
            "struct item { struct item *next; };\n"
            "struct outer { struct item *val; struct outer *next; };\n"
            "struct tree { struct tree *left, *right; };\n"
            "struct two { struct two *next, *prev; int k; };\n"
            "struct a { struct b *next; int k[4]; }; struct b { struct a *next; };\n"
            "struct item *f(struct item *i, struct outer *o, struct tree *t, struct two *d, struct a *x,\n"
            "               void *v, int *n, struct item **h) { return i; }\n");
    }
    Typed typed(const std::string& text) const {
        return with_tags(formula(text), name_types(program_, program_.functions[0], nullptr), program_);
    }
    std::string trouble(const std::string& text) const { return typed(text).trouble; }
    Program program_;
};

TEST_F(Typing, EveryAtomGetsTheRecordOfItsCells) {
    for (const char* text : {
             "ls(i, NULL)",
             "ls(i, NULL) * ls(o, NULL, \\u -> ls(u, NULL)) * tree(t) * dll(d, d, NULL, NULL)",
             "exists v1, n1 . o |-> {val: v1, next: n1} * ls(v1, NULL) * ls(n1, NULL)",
             "exists l . h |-> {deref: l} * ls(l, NULL)",
             "n |-> {}",
             "exists m . i |-> {next: m} * m |-> {next: NULL}",
             "exists m . m = i * ls(m, NULL)",
             "ls(\\result, NULL)",
         }) {
        const Typed one = typed(text);
        EXPECT_EQ(one.trouble, "") << text;
        for (const logic::Atom& atom : one.formula.heaps[0].atoms)
            EXPECT_TRUE(!atom.tag.empty() || atom.kind == logic::Atom::Kind::cell) << text;
        EXPECT_EQ(text_of(without_tags(one.formula)), text_of(formula(text))) << "and back";
        EXPECT_EQ(logic::print_tagged(with_tags(one.formula, {}, program_).formula),
                  logic::print_tagged(one.formula))
            << "tags are kept";
    }
}

// The same shape of different records is not the same.
TEST_F(Typing, TagsTellRecordsApart) {
    const Typed items = typed("ls(i, NULL)"), outers = typed("ls(o, NULL)");
    EXPECT_NE(items.formula.heaps[0].atoms[0].tag, outers.formula.heaps[0].atoms[0].tag);
}

TEST_F(Typing, WhatCannotBeMeantIsSaid) {
    EXPECT_THAT(trouble("ls(v, NULL)"), HasSubstr("no cells can be meant at 'v': its type is not known"));
    EXPECT_THAT(trouble("exists u . ls(u, NULL)"), HasSubstr("'u'"));
    EXPECT_THAT(trouble("tree(i)"), HasSubstr("'item' has no pointer called left"));
    EXPECT_THAT(trouble("dll(i, i, NULL, NULL)"), HasSubstr("prev"));
    EXPECT_THAT(trouble("i |-> {other: NULL}"), HasSubstr("it has no pointer other"));
    EXPECT_THAT(trouble("d |-> {k: NULL}"), HasSubstr("k")) << "a number is no link";
    EXPECT_THAT(trouble("ls(x, NULL)"), HasSubstr("'a' has no pointer called next")) << "to its own kind";
    EXPECT_THAT(trouble("ls(i, NULL, \\u -> ls(u, NULL))"), HasSubstr("val"));
    EXPECT_THAT(trouble("ls(i, NULL) \\/ ls(v, NULL)"), HasSubstr("'v'")) << "in every case";
    EXPECT_EQ(trouble("v = NULL * none(v)"), "") << "no cell is spoken of";
}

TEST_F(Typing, AContractSaysWhichPartIsWrong) {
    std::string trouble;
    EXPECT_FALSE(typed_contract(program_, 0, formula("ls(v, NULL)"), formula("emp"), trouble));
    EXPECT_THAT(trouble, HasSubstr("precondition: "));
    EXPECT_FALSE(typed_contract(program_, 0, formula("emp"), formula("tree(\\result)"), trouble));
    EXPECT_THAT(trouble, HasSubstr("postcondition: "));
    EXPECT_TRUE(typed_contract(program_, 0, formula("emp"), formula("emp"), trouble));
    EXPECT_EQ(trouble, "");
}

} // namespace
} // namespace ggsnn::verify
