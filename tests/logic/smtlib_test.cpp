// The SMT-LIB reader: definitions in the forms that SL-COMP's list divisions use, recognised by shape;
// malformed and unsupported files.
#include "ggsnn/logic/smtlib.hpp"

#include "ggsnn/logic/satisfy.hpp"

#include <gtest/gtest.h>

namespace ggsnn::logic {
namespace {

const std::string sll_sorts = "(set-logic QF_SHLID)(declare-sort RefSll_t 0)"
                              "(declare-datatypes ((Sll_t 0)) (((c_Sll_t (next RefSll_t)))))"
                              "(declare-heap (RefSll_t Sll_t))";
const std::string sll_ls =
    "(define-fun-rec seg ((in RefSll_t)(out RefSll_t)) Bool (or (and (= in out) (_ emp RefSll_t Sll_t))"
    " (exists ((u RefSll_t)) (and (distinct in out) (sep (pto in (c_Sll_t u)) (seg u out))))))";
const std::string sll_unguarded =
    "(define-fun-rec seg ((in RefSll_t)(out RefSll_t)) Bool (or (and (= in out) (_ emp RefSll_t Sll_t))"
    " (exists ((u RefSll_t)) (sep (pto in (c_Sll_t u)) (seg u out)))))";
const std::string sll_swapped =
    "(define-fun-rec seg ((out RefSll_t)(in RefSll_t)) Bool (or (exists ((u RefSll_t)) (and (distinct out in)"
    " (sep (seg out u) (pto in (c_Sll_t u))))) (and (_ emp RefSll_t Sll_t) (= out in))))";
const std::string sll_plus =
    "(define-fun-rec seg ((in RefSll_t)(out RefSll_t)) Bool (or (pto in (c_Sll_t out))"
    " (exists ((u RefSll_t)) (sep (pto in (c_Sll_t u)) (seg u out)))))";
const std::string sll_plus_guarded =
    "(define-fun-rec seg ((in RefSll_t)(out RefSll_t)) Bool (and (distinct in out) (or (pto in (c_Sll_t out))"
    " (exists ((u RefSll_t)) (sep (pto in (c_Sll_t u)) (seg u out))))))";

const std::string dll_sorts = "(set-logic QF_SHLID)(declare-sort RefDll_t 0)"
                              "(declare-datatypes ((Dll_t 0)) (((c_Dll_t (next RefDll_t) (prev RefDll_t)))))"
                              "(declare-heap (RefDll_t Dll_t))";
const std::string dll_params = "((fr RefDll_t)(bk RefDll_t)(pr RefDll_t)(nx RefDll_t)) Bool ";
const std::string dll_base = "(and (= fr nx) (= bk pr) (_ emp RefDll_t Dll_t))";
const std::string dll_both_guards = "(define-fun-rec dll " + dll_params + "(or " + dll_base +
                                    "(exists ((u RefDll_t)) (and (distinct fr nx) (distinct bk pr) (sep (pto "
                                    "fr (c_Dll_t u pr)) (dll u bk fr nx))))))";
const std::string dll_one_guard =
    "(define-fun-rec dll " + dll_params + "(or " + dll_base +
    "(exists ((u RefDll_t)) (and (distinct fr nx) (sep (pto fr (c_Dll_t u pr)) (dll u bk fr nx))))))";
const std::string dll_no_guard = "(define-fun-rec dll " + dll_params + "(or " + dll_base +
                                 "(exists ((u RefDll_t)) (sep (pto fr (c_Dll_t u pr)) (dll u bk fr nx)))))";
const std::string dll_plus = "(define-fun-rec dll " + dll_params +
                             "(or (and (= fr bk) (pto fr (c_Dll_t nx pr))) (exists ((x RefDll_t)) (sep (pto "
                             "fr (c_Dll_t x pr)) (dll x bk fr nx)))))";

const std::string nll_sorts =
    "(set-logic QF_SHLID)(declare-sort R1 0)(declare-sort R2 0)"
    "(declare-datatypes ((N1 0) (N2 0)) (((c1 (next1 R1))) ((c2 (next2 R2) (down R1)))))"
    "(declare-heap (R1 N1) (R2 N2))"
    "(define-fun-rec lso ((in R1)(out R1)) Bool (or (and (= in out) (_ emp R1 N1))"
    " (exists ((u R1)) (and (distinct in out) (sep (pto in (c1 u)) (lso u out))))))";
const std::string nll_nil = "(define-fun-rec lsso ((in R2)(out R2)) Bool (or (and (= in out) (_ emp R2 N2))"
                            " (exists ((a R2)(b R1)) (and (distinct in out)"
                            " (sep (pto in (c2 a b)) (lso b (as nil R1)) (lsso a out))))))";
const std::string nll_boundary =
    "(define-fun-rec nll ((in R2)(out R2)(bd R1)) Bool (or (and (= in out) (_ emp R2 N2))"
    " (exists ((a R2)(b R1)) (and (distinct in out)"
    " (sep (pto in (c2 a b)) (lso b bd) (nll a out bd))))))";
const std::string nll_cyclic =
    "(define-fun-rec ring ((z R1)) Bool (exists ((w R1)) (sep (pto z (c1 w)) (lso w z))))"
    "(define-fun-rec nlcl ((in R2)(out R2)) Bool (or (and (= in out) (_ emp R2 N2))"
    " (exists ((a R2)(b R1)) (and (distinct in out) (sep (pto in (c2 a b)) (ring b) (nlcl a out))))))";

struct Case {
    const char *left, *right, *expected;
};

std::string constants(const std::string& sort, const std::string& names) {
    std::string text;
    for (char c : names) text += fmt::format("(declare-const {} {})", c, sort);
    return text;
}

void check(const std::string& what, const std::string& header, const std::vector<Case>& cases) {
    for (const Case& c : cases) {
        const std::string file =
            header + "(check-sat)" + "(assert " + c.left + ")(assert (not " + c.right + "))(check-sat)";
        const SmtProblem problem = read_smtlib(file);
        EXPECT_EQ(problem.unsupported, "") << what;
        const Answer answer = solve(problem);
        EXPECT_STREQ(smt_word(answer.verdict), c.expected)
            << what << ": " << c.left << " |- " << c.right << " " << answer.reason
            << (answer.counter ? heap_text(*answer.counter) : "");
    }
}

TEST(SmtLib, PlainListsHoweverDefined) {
    const std::string names = constants("RefSll_t", "xyzw");
    const std::vector<Case> guarded{
        {"(sep (seg x y) (seg y (as nil RefSll_t)))", "(seg x (as nil RefSll_t))", "unsat"},
        {"(sep (seg x y) (seg y z))", "(seg x z)", "sat"},
        {"(sep (seg x y) (seg y z) (pto z (c_Sll_t w)))", "(sep (seg x z) (pto z (c_Sll_t w)))", "unsat"},
        {"(and (distinct x z) (sep (pto x (c_Sll_t y)) (pto y (c_Sll_t z))))", "(seg x z)", "sat"},
        {"(and (distinct x z) (distinct y z) (sep (pto x (c_Sll_t y)) (pto y (c_Sll_t z))))", "(seg x z)",
         "unsat"},
        {"(seg x x)", "(_ emp RefSll_t Sll_t)", "unsat"}};
    check("guarded", sll_sorts + sll_ls + names, guarded);
    const std::vector<Case> unguarded{{"(sep (seg x y) (seg y z))", "(seg x z)", "unsat"},
                                      {"(sep (pto x (c_Sll_t y)) (seg y x))", "(seg x x)", "unsat"},
                                      {"(seg x x)", "(_ emp RefSll_t Sll_t)", "sat"},
                                      {"(sep (pto x (c_Sll_t y)) (pto y (c_Sll_t z)))", "(seg x z)", "unsat"},
                                      {"(seg x z)", "(sep (seg x y) (seg y z))", "sat"}};
    check("unguarded", sll_sorts + sll_unguarded + names, unguarded);
    check("swapped", sll_sorts + sll_swapped + names,
          {{"(sep (seg y x) (seg (as nil RefSll_t) y))", "(seg (as nil RefSll_t) x)", "unsat"},
           {"(sep (seg y x) (seg z y))", "(seg z x)", "sat"}});
    check("at least one cell", sll_sorts + sll_plus + names,
          {{"(sep (seg x y) (seg y z))", "(seg x z)", "unsat"},
           {"(pto x (c_Sll_t x))", "(seg x x)", "unsat"},
           {"(seg x y)", "(pto x (c_Sll_t y))", "sat"},
           {"(sep (pto x (c_Sll_t y)) (seg y z))", "(seg x z)", "unsat"},
           {"(seg (as nil RefSll_t) x)", "(seg y y)", "unsat"}});
    check("at least one cell, acyclic", sll_sorts + sll_plus_guarded + names,
          {{"(sep (seg x y) (seg y (as nil RefSll_t)))", "(seg x (as nil RefSll_t))", "unsat"},
           {"(sep (seg x y) (seg y z))", "(seg x z)", "sat"},
           {"(seg x x)", "(seg x y)", "unsat"}});
}

TEST(SmtLib, DoublyLinkedListsHoweverDefined) {
    const std::string names = constants("RefDll_t", "xyzwpqab");
    const std::string nil = "(as nil RefDll_t)";
    const std::vector<Case> common{
        {"(dll x y (as nil RefDll_t) (as nil RefDll_t))", "(dll x y (as nil RefDll_t) (as nil RefDll_t))",
         "unsat"},
        {"(sep (dll x a (as nil RefDll_t) z) (dll z y a (as nil RefDll_t)))",
         "(dll x y (as nil RefDll_t) (as nil RefDll_t))", "unsat"},
        {"(sep (pto x (c_Dll_t y p)) (pto y (c_Dll_t (as nil RefDll_t) x)) (pto p (c_Dll_t x w)))",
         "(sep (dll x y p (as nil RefDll_t)) (pto p (c_Dll_t x w)))", "unsat"},
        {"(sep (pto x (c_Dll_t y (as nil RefDll_t))) (dll y z x (as nil RefDll_t)))",
         "(dll x z (as nil RefDll_t) (as nil RefDll_t))", "unsat"},
        {"(sep (dll x y (as nil RefDll_t) z) (pto z (c_Dll_t (as nil RefDll_t) y)))",
         "(dll x z (as nil RefDll_t) (as nil RefDll_t))", "unsat"},
        {"(sep (dll x y (as nil RefDll_t) z) (pto z (c_Dll_t w y)) (dll w b z (as nil RefDll_t)))",
         "(dll x b (as nil RefDll_t) (as nil RefDll_t))", "unsat"},
        {"(sep (pto x (c_Dll_t y (as nil RefDll_t))) (pto y (c_Dll_t (as nil RefDll_t) y)))",
         "(dll x y (as nil RefDll_t) (as nil RefDll_t))", "sat"},
        {"(sep (dll x y (as nil RefDll_t) z) (dll z w q (as nil RefDll_t)))",
         "(dll x w (as nil RefDll_t) (as nil RefDll_t))", "sat"}};
    check("two guards", dll_sorts + dll_both_guards + names, common);
    check("one guard", dll_sorts + dll_one_guard + names, common);
    check("no guard", dll_sorts + dll_no_guard + names, common);
    check("at least one cell", dll_sorts + dll_plus + names, common);
    check("no guard", dll_sorts + dll_no_guard + names,
          {{"(sep (dll x a p z) (dll z b a q))", "(dll x b p q)", "unsat"}});
    check("two guards", dll_sorts + dll_both_guards + names,
          {{"(sep (dll x a p z) (dll z b a q))", "(dll x b p q)", "sat"}});
    // last != before in each step: p may be the last cell of the second part, and then the whole is no dll.
    const Case circular{"(sep (dll x a p z) (dll z b a (as nil RefDll_t)))", "(dll x b p (as nil RefDll_t))",
                        "sat"};
    check("two guards", dll_sorts + dll_both_guards + names, {circular});
    check("one guard", dll_sorts + dll_one_guard + names, {{circular.left, circular.right, "unsat"}});
}

TEST(SmtLib, NestedListsHoweverDefined) {
    const std::string names = constants("R2", "xyzuv") + constants("R1", "abcdm");
    check("inner lists to nil", nll_sorts + nll_nil + names,
          {{"(sep (lsso x y) (lsso y (as nil R2)))", "(lsso x (as nil R2))", "unsat"},
           {"(sep (lsso x y) (lsso y z))", "(lsso x z)", "sat"},
           {"(and (distinct x y) (sep (pto x (c2 y a)) (lso a (as nil R1))))", "(lsso x y)", "unsat"},
           {"(sep (pto x (c2 y a)) (lso a b) (lso b (as nil R1)) (lsso y (as nil R2)))",
            "(lsso x (as nil R2))", "unsat"},
           {"(sep (pto x (c2 y a)) (pto a (c1 b)) (pto b (c1 (as nil R1))) (pto y (c2 (as nil R2) (as nil "
            "R1))))",
            "(lsso x (as nil R2))", "unsat"},
           {"(sep (lsso x y) (pto y (c2 z a)) (lso a (as nil R1)) (lsso z (as nil R2)))",
            "(lsso x (as nil R2))", "unsat"},
           {"(sep (pto x (c2 y a)) (lso a b) (lsso y (as nil R2)))", "(lsso x (as nil R2))", "sat"},
           {"(sep (pto x (c2 y a)) (pto y (c2 (as nil R2) a)) (lso a (as nil R1)))", "(lsso x (as nil R2))",
            "sat"}});
    check("inner lists to a boundary", nll_sorts + nll_boundary + names,
          {{"(sep (nll x y m) (nll y (as nil R2) m))", "(nll x (as nil R2) m)", "unsat"},
           {"(sep (nll x y m) (nll y (as nil R2) a))", "(nll x (as nil R2) m)", "sat"},
           {"(sep (pto x (c2 y a)) (lso a m) (nll y (as nil R2) m))", "(nll x (as nil R2) m)", "unsat"},
           {"(sep (pto x (c2 y a)) (lso a b) (pto b (c1 m)) (nll y (as nil R2) m))", "(nll x (as nil R2) m)",
            "sat"},
           {"(sep (pto x (c2 y a)) (lso a b) (pto b (c1 (as nil R1))) (nll y (as nil R2) (as nil R1)))",
            "(nll x (as nil R2) (as nil R1))", "unsat"}});
    check("inner rings", nll_sorts + nll_cyclic + names,
          {{"(sep (nlcl x y) (nlcl y (as nil R2)))", "(nlcl x (as nil R2))", "unsat"},
           {"(sep (pto x (c2 y a)) (pto a (c1 b)) (pto b (c1 a)) (nlcl y (as nil R2)))",
            "(nlcl x (as nil R2))", "unsat"},
           {"(sep (pto x (c2 y a)) (pto a (c1 b)) (lso b a) (nlcl y (as nil R2)))", "(nlcl x (as nil R2))",
            "unsat"},
           {"(sep (pto x (c2 y a)) (pto a (c1 b)) (lso b c) (nlcl y (as nil R2)))", "(nlcl x (as nil R2))",
            "sat"}});
}

TEST(SmtLib, TreesAndSkipLists) {
    const std::string trees =
        "(declare-sort R 0)(declare-datatypes ((T 0)) (((c (left R) (right R)))))(declare-heap (R T))"
        "(define-funs-rec ((t ((x R)) Bool)) ((or (and (= x (as nil R)) (_ emp R T))"
        " (exists ((l R)(r R)) (sep (pto x (c l r)) (t l) (t r))))))" +
        constants("R", "xyz");
    check("trees", trees,
          {{"(sep (pto x (c y z)) (t y) (t z))", "(t x)", "unsat"},
           {"(sep (pto x (c y y)) (t y))", "(t x)", "sat"},
           {"(and (distinct x (as nil R)) (t x))", "(exists ((a R)(b R)) (sep (pto x (c a b)) (t a) (t b)))",
            "unsat"}});
    const std::string skips =
        "(declare-sort R 0)(declare-datatypes ((T 0)) (((c (n2 R) (n1 R)))))(declare-heap (R T))"
        "(define-fun-rec skl1 ((hd R)(ex R)) Bool (or (and (= hd ex) (_ emp R T)) (exists ((tl R))"
        " (and (distinct hd ex) (sep (pto hd (c (as nil R) tl)) (skl1 tl ex))))))"
        "(define-fun-rec skl2 ((hd R)(ex R)) Bool (or (and (= hd ex) (_ emp R T)) (exists ((tl R)(z R))"
        " (and (distinct hd ex) (sep (pto hd (c tl z)) (skl1 z tl) (skl2 tl ex))))))" +
        constants("R", "xyzab");
    check("skip lists", skips,
          {{"(sep (skl2 x y) (skl2 y (as nil R)))", "(skl2 x (as nil R))", "unsat"},
           {"(sep (pto x (c z y)) (pto y (c (as nil R) z)) (skl2 z (as nil R)))", "(skl2 x (as nil R))",
            "unsat"},
           {"(sep (pto x (c z y)) (skl1 y z) (pto z (c (as nil R) a)) (skl1 a (as nil R)))",
            "(skl2 x (as nil R))", "unsat"},
           {"(sep (pto x (c z y)) (skl1 y a) (skl2 z (as nil R)))", "(skl2 x (as nil R))", "sat"}});
}

TEST(SmtLib, SatisfiabilityWithoutARightSide) {
    const std::string head = sll_sorts + sll_ls + constants("RefSll_t", "xyz");
    const auto answer = [&](const std::string& assertions) {
        return solve(read_smtlib(head + assertions + "(check-sat)"));
    };
    EXPECT_EQ(answer("(assert (sep (pto x (c_Sll_t y)) (pto x (c_Sll_t z))))").verdict, Validity::valid);
    const Answer sat = answer("(assert (sep (seg x y) (seg x z)))(assert (distinct x y))");
    ASSERT_EQ(sat.verdict, Validity::invalid);
    EXPECT_NE(sat.counter->variable("x"), sat.counter->variable("y"));
    EXPECT_EQ(answer("(assert (and (distinct x y) (distinct x z) (sep (seg x y) (seg x z))))").verdict,
              Validity::valid);
}

TEST(SmtLib, AnswersAreThoseOfTheLastCheckSat) {
    const std::string head = sll_sorts + sll_ls + constants("RefSll_t", "xy");
    EXPECT_EQ(
        solve(read_smtlib(head + "(check-sat)(assert (seg x y))(check-sat)(assert (not (seg x y)))")).verdict,
        Validity::invalid);
}

TEST(SmtLib, MalformedFilesSayWhereAndWhatWasExpected) {
    const auto message = [](const std::string& text) {
        try {
            read_smtlib(text);
        } catch (const SyntaxError& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(message("(check-sat"), "line 1, column 1: found the end, expected ')' for this bracket");
    EXPECT_EQ(message("\n  )"), "line 2, column 3: found ')', expected a command or the end");
    EXPECT_EQ(message("(set-info :source |x"), "line 1, column 19: found the end, expected a closing |");
    EXPECT_EQ(message("check-sat"), "line 1, column 1: found 'check-sat', expected a command");
    EXPECT_EQ(message("(set-logic QF_SHLS)"), "line 1, column 1: found no (check-sat), expected one");
    EXPECT_EQ(message("(foo)(check-sat)"), "line 1, column 2: found 'foo', expected a command of SMT-LIB");
    EXPECT_EQ(message("(declare-const x Ref)(check-sat)"),
              "line 1, column 18: found 'Ref', expected a declared sort");
    const std::string head = sll_sorts + sll_ls + "(declare-const x RefSll_t)\n";
    EXPECT_EQ(message(head + "(assert (seg x))(check-sat)"),
              "line 2, column 9: found '(seg ...)', expected seg with 2 arguments");
    EXPECT_EQ(message(head + "(assert (pto x (c_Sll_t x x)))(check-sat)"),
              "line 2, column 16: found '(c_Sll_t ...)', expected 1 arguments");
    EXPECT_EQ(message(head + "(assert (pto q (c_Sll_t x)))(check-sat)"),
              "line 2, column 14: found 'q', expected a declared name or nil");
    EXPECT_EQ(message(head + "(assert (sepp x))(check-sat)"),
              "line 2, column 10: found 'sepp', expected a connective, pto, sep or the name of a definition");
    EXPECT_EQ(message(head + "(assert)(check-sat)"),
              "line 2, column 1: found '(assert)', expected (assert formula)");
    EXPECT_NE(message(std::string(100000, '(')), "no error");
}

TEST(SmtLib, WhatIsNotUnderstoodIsUnknownWithAReason) {
    const std::string head = sll_sorts + sll_ls + constants("RefSll_t", "xy");
    const auto reason = [&](const std::string& rest) {
        const Answer answer = solve(read_smtlib(head + rest + "(check-sat)"));
        EXPECT_EQ(answer.verdict, Validity::unknown) << rest;
        return answer.reason;
    };
    EXPECT_EQ(reason("\n(assert (wand (seg x y) (seg x y)))"), "line 2: wand inside a formula");
    EXPECT_EQ(reason("(push 1)"), "line 1: command push is not supported");
    EXPECT_EQ(reason("(assert (seg x y))(assert (seg y x))"), "line 1: two spatial assertions");
}

// Definitions mean the least that satisfies their rules.
TEST(SmtLib, WhatNeverEndsHasNoHeap) {
    const std::string head = sll_sorts + sll_ls + constants("RefSll_t", "xy");
    const auto verdict = [&](const std::string& rest) {
        return solve(read_smtlib(head + rest + "(check-sat)")).verdict;
    };
    EXPECT_EQ(verdict("(define-fun-rec p ((x RefSll_t)) Bool (p x))(assert (p x))"), Validity::valid);
    EXPECT_EQ(verdict("(define-fun-rec p ((x RefSll_t)) Bool (sep (pto x (c_Sll_t x)) (p x)))(assert (p x))"),
              Validity::valid);
    EXPECT_EQ(verdict("(define-fun-rec p ((x RefSll_t)) Bool (or (p x) (pto x (c_Sll_t x))))(assert (p x))"),
              Validity::invalid);
}

// A cell is known by its fields alone, so that cells of two constructors could not be told apart.
TEST(SmtLib, CellsOfSeveralConstructorsAreNotUnderstood) {
    const auto reason = [&](const std::string& datatypes, const std::string& assertions) {
        const Answer answer = solve(read_smtlib("(declare-sort R 0)" + datatypes + constants("R", "xy") +
                                                "\n" + assertions + "(check-sat)"));
        EXPECT_EQ(answer.verdict, Validity::unknown) << datatypes;
        return answer.reason;
    };
    const std::string differ = "(assert (pto x (c1 y)))(assert (not (pto x c0)))";
    EXPECT_EQ(reason("(declare-datatypes ((T 0)) (((c1 (next R)) (c0))))", differ),
              "line 1: a datatype with more than one constructor");
    EXPECT_EQ(reason("(declare-datatype T ((c1 (next R)) (c0)))", differ),
              "line 1: a datatype with more than one constructor");
    EXPECT_EQ(reason("(declare-datatypes ((T 0) (U 0)) (((c1 (next R))) ((c2 (next R) (down R)))))",
                     "(assert (pto x (c2 y y)))(assert (not (pto x (c1 y))))"),
              "line 1: two fields of the name next");
    EXPECT_EQ(reason("(declare-datatype T ((c2 (next R) (next R))))", "(assert (pto x (c2 x y)))"),
              "line 1: two fields of the name next");
    EXPECT_THROW(read_smtlib("(declare-sort R 0)(declare-datatype T ((c (next R))))(declare-const x R)"
                             "(assert (pto x c))(check-sat)"),
                 SyntaxError);
}

TEST(SmtLib, NamesNeverCollide) {
    const std::string head = "(declare-sort R 0)(declare-datatype T ((c1 (next R))))(declare-const x R)";
    const auto answer = [&](const std::string& rest) {
        return solve(read_smtlib(head + rest + "(check-sat)"));
    };
    const std::string two = "(declare-const NULL R)(declare-const |NULL'| R)";
    const std::string turned = "(declare-const |NULL'| R)(declare-const NULL R)";
    for (const std::string& names : {two, turned}) {
        const Answer differ = answer(names + "(assert (distinct NULL |NULL'|))");
        ASSERT_EQ(differ.verdict, Validity::invalid) << differ.reason;
        EXPECT_EQ(differ.counter->variables.size(), 3U);
        EXPECT_NE(differ.counter->variable("NULL'"), differ.counter->variable("NULL''"));
        EXPECT_EQ(answer(names + "(assert (distinct NULL |NULL'| NULL))").verdict, Validity::valid);
    }
    EXPECT_EQ(answer("(declare-const NULL R)(assert (pto NULL (c1 x)))").verdict, Validity::invalid);
    EXPECT_EQ(answer("(declare-const null R)(assert (pto null (c1 x)))").verdict, Validity::invalid);
    EXPECT_EQ(answer("(assert (pto nil (c1 x)))").verdict, Validity::valid);

    const auto unknown = [&](const std::string& rest) {
        const Answer one = answer(rest);
        EXPECT_EQ(one.verdict, Validity::unknown) << rest;
        return one.reason;
    };
    EXPECT_EQ(unknown("(declare-const nil R)(assert (pto nil (c1 x)))"),
              "line 1: nil as the name of a variable");
    EXPECT_EQ(unknown("(declare-fun |sep.nil| () R)(assert (pto sep.nil (c1 x)))"),
              "line 1: sep.nil as the name of a variable");
    EXPECT_EQ(unknown("(assert (exists ((nil R)) (pto nil (c1 x))))"),
              "line 1: nil as the name of a variable");
    EXPECT_EQ(unknown("(define-fun p ((nil R)) Bool (pto nil (c1 nil)))(assert (p x))"),
              "line 1: nil as the name of a variable");
    EXPECT_EQ(unknown("(define-fun emp () Bool (exists ((u R)) (pto u (c1 u))))(assert emp)"),
              "line 1: emp as the name of a definition");
}

TEST(SmtLib, LimitsHoldForReading) {
    const auto answer = [](const std::string& text, const ProverLimits& limits) {
        return solve(read_smtlib(text, limits), limits);
    };
    const std::string head = "(declare-sort R 0)(declare-datatype T ((c (next R))))(declare-const x R)";
    std::string chain, back; // each definition calls the next one, or the one before
    for (int i = 0; i < 2500; ++i) {
        chain += fmt::format("(define-fun-rec p{} ((x R)) Bool (p{} x))", i, i + 1);
        back += fmt::format("(define-fun-rec p{} ((x R)) Bool (p{} x))", 2500 - i, 2499 - i);
    }
    ProverLimits limits;
    limits.seconds = 1000;
    limits.work = 5'000'000;
    const std::string end = "(assert (p2499 x))(check-sat)";
    const Answer one = answer(head + chain + "(define-fun p2500 ((x R)) Bool (pto x (c x)))" + end, limits);
    EXPECT_EQ(one.verdict, Validity::invalid) << one.reason;
    const Answer ring = answer(head + back + "(define-fun-rec p0 ((x R)) Bool (p2500 x))" + end, limits);
    EXPECT_EQ(ring.verdict, Validity::valid) << ring.reason; // they have no heaps

    std::string many = head + "(assert (and"; // each part is joined to all that came before
    for (int i = 0; i < 100000; ++i) many += " (= x x)";
    many += "))(check-sat)";
    EXPECT_EQ(answer(many, limits).reason, "the limit of 5000000 units of work was reached");
    ProverLimits soon;
    soon.seconds = 0.2;
    EXPECT_EQ(answer(many, soon).reason, "the time limit of 0.2 s was reached");

    std::string distinct = head + "(assert (distinct";
    for (int i = 0; i < 100000; ++i) distinct += " x";
    limits.bytes = std::uint64_t{1} << 24;
    EXPECT_EQ(answer(distinct + "))(check-sat)", limits).reason, "the memory limit of 16 MB was reached");
}

TEST(SmtLib, TheMemoryLimitHoldsForReading) {
    std::string text = "(check-sat)(set-info :notes (";
    for (int i = 0; i < 200000; ++i) text += "()";
    text += "))";
    ProverLimits limits;
    limits.bytes = std::uint64_t{1} << 24;
    const Answer answer = solve(read_smtlib(text, limits), limits);
    EXPECT_EQ(answer.verdict, Validity::unknown);
    EXPECT_EQ(answer.reason, "the memory limit of 16 MB was reached");
    EXPECT_EQ(solve(read_smtlib(text)).reason, "");
}

} // namespace
} // namespace ggsnn::logic
