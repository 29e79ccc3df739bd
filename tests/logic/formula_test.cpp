// Formulas: parsing with exact errors, printing in three scripts, canonical form.
#include "brute.hpp"
#include "ggsnn/logic/formula.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace ggsnn::logic {
namespace {

std::string round_trip(const std::string& text, Reading reading) {
    return print(parse_formula(text, reading), reading);
}

TEST(Formula, PrintsWhatItReads) {
    for (const char* text :
         {"emp", "x = y", "x != NULL * ls(x, NULL)", "exists t . ls(x, t) * ls(t, t) * tree(y) * none(z)",
          "ls(x, NULL, \\t -> ls(t, NULL))", "tree(x, \\t -> exists e . ls(t, e) * ls(e, e))",
          "x |-> {next: y, val: NULL}", "x |-> {}", "ls(x, NULL) \\/ x = NULL",
          "exists a, b . x |-> {left: a, right: b}", "dll(x, l, p, NULL)", "\\result = NULL"}) {
        EXPECT_EQ(round_trip(text, Reading::program), text);
        EXPECT_EQ(round_trip(text, Reading::shape), text);
    }
    EXPECT_EQ(round_trip("ls+(x, x) * tree+(y)", Reading::program), "ls+(x, x) * tree+(y)");
}

TEST(Formula, ReadingsTellTheTwoMeaningsApart) {
    const auto strict = [](const char* text, Reading reading) {
        return parse_formula(text, reading).heaps[0].atoms[0].strict;
    };
    EXPECT_FALSE(strict("ls(x, y)", Reading::program));
    EXPECT_TRUE(strict("ls+(x, y)", Reading::program));
    EXPECT_TRUE(strict("ls(x, y)", Reading::shape));
    EXPECT_TRUE(strict("ls+(x, y)", Reading::shape));
    EXPECT_EQ(print(parse_formula("ls(t, t)", Reading::shape), Reading::program), "ls+(t, t)");
    EXPECT_FALSE(canonically_equal(parse_formula("ls(x, y)", Reading::shape),
                                   parse_formula("ls(x, y)", Reading::program)));
    EXPECT_DEATH(print(parse_formula("ls(x, y)", Reading::program), Reading::shape), "");
}

TEST(Formula, OtherScripts) {
    const Formula formula =
        parse_formula("exists t . x_1 != t * ls(x_1, t) * t |-> {next: NULL} \\/ emp", Reading::program);
    EXPECT_EQ(print(formula, Reading::program, Script::unicode),
              "∃t . x_1 ≠ t ∗ ls(x_1, t) ∗ t ↦ {next: NULL} ∨ emp");
    EXPECT_EQ(print(formula, Reading::program, Script::latex),
              "\\exists \\mathtt{t} .\\ \\mathtt{x\\_1} \\neq \\mathtt{t} \\ast "
              "\\mathsf{ls}(\\mathtt{x\\_1}, \\mathtt{t}) "
              "\\ast \\mathtt{t} \\mapsto \\{\\mathtt{next}: \\mathtt{NULL}\\} \\lor \\mathsf{emp}");
    EXPECT_EQ(round_trip("∃t . x ≠ t ∗ ls(x, t, λu → emp) ∗ t ↦ {next: nil} ∨ emp", Reading::program),
              "exists t . x != t * ls(x, t, \\u -> emp) * t |-> {next: NULL} \\/ emp");
}

TEST(Formula, ParenthesesDistribute) {
    EXPECT_EQ(round_trip("(x = y \\/ x = z) * ls(x, NULL)", Reading::program),
              "x = y * ls(x, NULL) \\/ x = z * ls(x, NULL)");
    EXPECT_EQ(round_trip("(exists t . ls(x, t)) * (exists t . ls(y, t))", Reading::program),
              "exists t1, t . ls(x, t1) * ls(y, t)");
    EXPECT_EQ(round_trip("(exists t . ls(x, t)) * ls(t, NULL)", Reading::program),
              "exists t1 . ls(x, t1) * ls(t, NULL)");
}

TEST(Formula, ErrorsSayWhereAndWhatWasExpected) {
    const auto message = [](const char* text) {
        try {
            parse_formula(text, Reading::program);
        } catch (const SyntaxError& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(message(""), "line 1, column 1: found the end, expected ls, tree, dll, ptree, treeseg, "
                           "ptreeseg, none, emp, a name, NULL or '('");
    EXPECT_EQ(message("ls(x"), "line 1, column 5: found the end, expected ','");
    EXPECT_EQ(message("ls(x, y"), "line 1, column 8: found the end, expected ',' or ')'");
    EXPECT_EQ(message("ls(x, y, t)"), "line 1, column 10: found 't', expected '\\'");
    EXPECT_EQ(message("ls(x, y) ls(y, z)"), "line 1, column 10: found 'ls', expected '*', '\\/' or the end");
    EXPECT_EQ(message("x\n = *"), "line 2, column 4: found '*', expected a name or NULL");
    EXPECT_EQ(message("ls x, y)"), "line 1, column 4: found 'x', expected '(', '=', '!=' or '|->'");
    EXPECT_EQ(message("ls[#2](x, y)"), "line 1, column 4: found '#', expected a formula");
    EXPECT_EQ(message("ls(x. y, z)"), "line 1, column 5: found '.', expected ','");
    EXPECT_EQ(message("exists a.b . emp"), "line 1, column 12: found '.', expected '=', '!=' or '|->'")
        << "bound names have no dots";
    EXPECT_EQ(message("x @ y"), "line 1, column 3: found '@', expected a formula");
    EXPECT_EQ(message("x"), "line 1, column 2: found the end, expected '=', '!=' or '|->'");
    EXPECT_EQ(message("exists NULL . emp"),
              "line 1, column 8: found 'NULL', expected a name other than NULL");
    EXPECT_EQ(message("NULL |-> {next: x}"),
              "line 1, column 1: found NULL, expected a name to the left of '|->'");
    EXPECT_EQ(message("x |-> {next: y, next: z}"), "line 1, column 17: field 'next' is given twice");
    EXPECT_EQ(message("tree(x, \\t -> emp \\/ emp)"),
              "line 1, column 15: found a disjunction, expected one heap as the body of a nested structure");
    EXPECT_EQ(message("ls(x, y) * \xff"), "line 1, column 12: found byte 0xff, expected a formula");
    EXPECT_NE(message(std::string(200, '(').c_str()), "no error");
    EXPECT_THROW(parse_entailment("ls(x, y)", Reading::program), SyntaxError);
}

std::string canon(const std::string& text) {
    return print(canonical(parse_formula(text, Reading::shape)), Reading::shape);
}

TEST(Formula, CanonicalForm) {
    EXPECT_EQ(canon("exists q . ls(q, q) * ls(x, q)"), "exists t . ls(t, t) * ls(x, t)");
    EXPECT_EQ(canon("exists a, b . ls(x, b) * ls(b, a) * ls(a, a)"),
              canon("exists u, v . ls(u, u) * ls(x, v) * ls(v, u)"));
    EXPECT_EQ(canon("exists q . ls(x, NULL)"), "ls(x, NULL)") << "an existential that is not used";
    EXPECT_EQ(canon("exists q . q = y * ls(x, q)"), "ls(x, y)") << "an existential that has a name";
    EXPECT_EQ(canon("exists a, b . a = b * ls(x, a) * ls(b, y)"), "exists t . ls(t, y) * ls(x, t)")
        << "two existentials that are one";
    EXPECT_EQ(canon("exists a, b . a = b * b = y * a = x * ls(a, b)"), "x = y * ls(x, x)");
    EXPECT_EQ(canon("exists a, b . b = y * x = a * b = a * ls(a, b)"), "x = y * ls(x, x)");
    EXPECT_EQ(canon("exists a . a = y * a = NULL * ls(x, a)"),
              canon("exists a . NULL = a * y = a * ls(x, a)"));
    EXPECT_EQ(canon("exists q . q != y * ls(x, y)"), "ls(x, y)") << "a disequality that can always be met";
    EXPECT_EQ(canon("y != x * x != y * x = x * ls(x, y)"), "x != y * ls(x, y)");
    EXPECT_EQ(canon("ls(x, NULL, \\b -> ls(b, NULL))"), canon("ls(x, NULL, \\c -> ls(c, NULL))"));
    EXPECT_EQ(canon("ls(x, NULL, \\b -> emp)"), "ls(x, NULL)");
    EXPECT_EQ(canon("exists e . ls(t, e) * ls(e, e)"), "exists t1 . ls(t, t1) * ls(t1, t1)")
        << "program names are kept";
    EXPECT_EQ(canon("tree(x) \\/ ls(x, NULL) \\/ tree(x)"), "ls(x, NULL) \\/ tree(x)");
    EXPECT_NE(canon("ls(x, y)"), canon("ls(y, x)"));
}

// Any renaming of existentials and any order of parts gives the same text, and the form keeps its meaning.
TEST(Formula, CanonicalFormIsInvariantAndKeepsTheMeaning) {
    brute::FormulaStyle style;
    style.trees = style.strict = style.none = style.nested = true;
    style.exists = 0.7;
    style.tags = {"", "#1", "#2"};
    Random random(21);
    for (int i = 0; i < 3000; ++i) {
        const Formula formula = brute::random_formula(style, random);
        Formula other = formula;
        SymbolicHeap& heap = other.heaps[0];
        if (!heap.exists.empty()) {
            heap.exists.clear();
            heap = substitute(heap, "e", "q7");
            heap.exists = {"q7"};
        }
        random.shuffle(heap.atoms);
        random.shuffle(heap.pure);
        const Formula form = canonical(formula);
        ASSERT_EQ(print_tagged(form), print_tagged(canonical(other)));
        ASSERT_EQ(print_tagged(canonical(form)), print_tagged(form)) << "idempotent";
        const std::optional<Heap> model = brute::random_model(formula, style.names, random);
        if (!model || model->nodes.size() > 9) continue;
        ASSERT_EQ(brute::holds(*model, formula), brute::holds(*model, form))
            << print(formula, Reading::program) << " and " << print(form, Reading::program) << " on "
            << heap_text(*model);
    }
}

TEST(Formula, RandomFormulasPrintAndParseBack) {
    brute::FormulaStyle style;
    style.trees = style.dlls = style.strict = style.none = style.nested = true;
    style.exists = 0.5;
    style.disjunct = 0.3;
    Random random(22);
    for (int i = 0; i < 5000; ++i) {
        const std::string text = print(brute::random_formula(style, random), Reading::program);
        ASSERT_EQ(round_trip(text, Reading::program), text);
        const std::string unicode =
            print(parse_formula(text, Reading::program), Reading::program, Script::unicode);
        ASSERT_EQ(round_trip(unicode, Reading::program), text) << "Unicode is read too";
        style.tags = i % 2 == 0 ? std::vector<std::string>{"", "#1"} : std::vector<std::string>{""};
        const std::string tagged = print_tagged(brute::random_formula(style, random));
        ASSERT_EQ(print_tagged(parse_tagged(tagged, Reading::program)), tagged);
    }
}

TEST(Formula, SubstitutionAvoidsCapture) {
    const SymbolicHeap heap =
        parse_formula("exists t . ls(x, t) * ls(t, y, \\b -> ls(b, x))", Reading::program).heaps[0];
    EXPECT_EQ(print(substitute(heap, "x", "t"), Reading::program),
              "exists t1 . ls(t, t1) * ls(t1, y, \\b -> ls(b, t))");
    EXPECT_EQ(print(substitute(heap, "x", "b"), Reading::program),
              "exists t . ls(b, t) * ls(t, y, \\b1 -> ls(b1, b))");
    EXPECT_EQ(
        print(substitute(heap, std::map<std::string, std::string>{{"x", "y"}, {"y", "x"}}), Reading::program),
        "exists t . ls(y, t) * ls(t, x, \\b -> ls(b, y))")
        << "all at once";
}

// Every word of the language but NULL may be a variable of the program.
TEST(Formula, WordsAreNamesWhereTheyCanBe) {
    for (const char* text :
         {"ls = tree * ls != none * dll |-> {next: ls} * ls(ls, tree) * tree(tree) * none(none)",
          "emp = exists * exists != emp * ls(emp, exists)", "emp |-> {next: emp} * exists |-> {next: exists}",
          "exists exists . exists = x * ls(exists, ls)", "exists ls, emp . ls(ls, emp)",
          "ls(x, NULL, \\ls -> ls(ls, emp))", "dll(dll, ls, tree, none)", "ls |-> {ls: ls, exists: emp}"})
        EXPECT_EQ(round_trip(text, Reading::program), text);
    EXPECT_EQ(free_names(parse_formula("emp = exists * ls(ls, tree)", Reading::program)),
              (std::set<std::string>{"emp", "exists", "ls", "tree"}));
    EXPECT_EQ(round_trip("ls(x, y, emp)", Reading::program), "ls(x, y)") << "the empty body";
    EXPECT_EQ(round_trip("exists t.ls(x, t)", Reading::program), "exists t . ls(x, t)");
    EXPECT_EQ(round_trip("∃exists . exists = x", Reading::program), "exists exists . exists = x");
}

TEST(Formula, NamesJoinedByDots) {
    for (const char* text : {"list.head = a.b.c * ls(list.head, NULL) * list.head |-> {next.of: ls.ls}",
                             "emp.x = exists.x * NULL.x != nil.y", "\\old(list.head) = list.head"})
        EXPECT_EQ(round_trip(text, Reading::program), text);
    EXPECT_EQ(free_names(parse_formula("ls(list.head, NULL)", Reading::program)),
              (std::set<std::string>{"list.head"}));
    EXPECT_THROW(parse_formula("ls(\\old(x.), y)", Reading::program), SyntaxError);
}

TEST(Formula, VariablesCalledNil) {
    const std::set<std::string> names{"nil"};
    const SymbolicHeap heap = parse_formula("ls(x, nil) * y = null", Reading::program, names).heaps[0];
    EXPECT_EQ(heap.atoms[0].arguments[1], "nil");
    EXPECT_EQ(heap.pure[0].right, null_name) << "null is not among the names";
    EXPECT_EQ(parse_formula("ls(x, nil)", Reading::program).heaps[0].atoms[0].arguments[1], null_name);
}

TEST(Formula, TagsAreKeptAndNotShown) {
    const auto tagged = [](const std::string& text) { return parse_tagged(text, Reading::program); };
    for (const char* text :
         {"ls[#2](x, y) * tree+[#node](z)", "dll[#1](x, l, p, NULL)", "x |-> {next#2: y, next#3: z}",
          "ls[#2](x, NULL, \\t -> ls[#3](t, NULL)) \\/ ls(x, NULL)"})
        EXPECT_EQ(print_tagged(tagged(text)), text);
    EXPECT_EQ(print(tagged("ls+[#2](x, y) * x |-> {next#2: y}"), Reading::program),
              "ls+(x, y) * x |-> {next: y}");
    Formula cell = tagged("x |-> {next: y, prev#3: z}");
    cell.heaps[0].atoms[0].tag = "#2";
    EXPECT_EQ(print_tagged(cell), "x |-> {next#2: y, prev#3: z}") << "a link may bring its own tag";
    EXPECT_TRUE(canonically_equal(cell, tagged("x |-> {prev#3: z, next#2: y}")));

    EXPECT_FALSE(canonically_equal(tagged("ls[#2](x, y)"), tagged("ls[#3](x, y)")));
    EXPECT_FALSE(canonically_equal(tagged("ls[#2](x, y)"), tagged("ls(x, y)")));
    EXPECT_FALSE(canonically_equal(tagged("ls(x, y, \\t -> ls[#1](t, NULL))"),
                                   tagged("ls(x, y, \\t -> ls[#2](t, NULL))")));
    EXPECT_TRUE(canonically_equal(tagged("exists a, b . ls[#2](x, a) * ls[#3](x, b)"),
                                  tagged("exists a, b . ls[#3](x, a) * ls[#2](x, b)")));
    EXPECT_EQ(print_tagged(canonical(tagged("ls[#2](x, y) \\/ ls(x, y) \\/ ls[#2](x, y)"))),
              "ls(x, y) \\/ ls[#2](x, y)");
    EXPECT_EQ(print_tagged(substitute(tagged("ls[#2](x, y, \\t -> ls[#3](t, x))").heaps[0], "x", "t")),
              "ls[#2](t, y, \\t1 -> ls[#3](t1, t))");
}

TEST(Formula, FirstValuesAreNames) {
    const std::string text = "\\old(x) != NULL * ls(\\old(x), x) * ls(x, \\result)";
    EXPECT_EQ(round_trip(text, Reading::program), text);
    EXPECT_EQ(free_names(parse_formula(text, Reading::program)),
              (std::set<std::string>{"\\old(x)", "\\result", "x"}));
    EXPECT_EQ(print(parse_formula("ls(x, NULL, \\old -> ls(old, NULL))", Reading::program), Reading::program),
              "ls(x, NULL, \\old -> ls(old, NULL))")
        << "a bound name may be called old";
    for (const char* wrong : {"ls(\\old(x, y)", "ls(\\old(), y)", "ls(\\old x, y)", "ls(\\old( x), y)"})
        EXPECT_THROW(parse_formula(wrong, Reading::program), SyntaxError) << wrong;
}

} // namespace
} // namespace ggsnn::logic
