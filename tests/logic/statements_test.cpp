// Texts with definitions and integers: what they mean, and what is said of those that mean nothing.
#include "ggsnn/base/files.hpp"
#include "ggsnn/base/random.hpp"
#include "ggsnn/logic/induct/arithmetic.hpp"
#include "ggsnn/logic/induct/induct.hpp"
#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/logic/smtlib.hpp"
#include "ggsnn/logic/statements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace ggsnn::logic {

namespace {

std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> all;
    for (const TextAnswer& one : answer_text(text)) all.push_back(one.word);
    return all;
}

using Words = std::vector<std::string>;

std::string complaint(const std::string& text) {
    try {
        answer_text(text);
    } catch (const SyntaxError& error) {
        return error.what();
    }
    return "";
}

const std::string sorted =
    "define sorted(x, y, lo) := x = y \\/ exists n, v . x != y * x |-> {next: n, val: v} * lo <= v * "
    "sorted(n, y, v);\n";
const std::string length =
    "define len(x, n) := x = NULL * n = 0 \\/ exists t . x |-> {next: t} * len(t, n - 1);\n";

// A problem of a file as a text: names are v1, v2, .., definitions d0, d1, ..
class Writer {
  public:
    explicit Writer(const Problem& problem) : problem_(problem) {}

    std::string text() const {
        std::string text;
        for (std::size_t d = 0; d < problem_.written.size(); ++d) {
            const Definition& one = problem_.written[d];
            std::string parameters;
            for (int p = 1; p <= one.parameters; ++p)
                parameters += fmt::format("{}v{}", p > 1 ? ", " : "", p);
            text += fmt::format("define d{}({}) := {};\n", d, parameters,
                                disjunction(one.rules, one.parameters + 1));
        }
        const int names = static_cast<int>(problem_.names.size());
        return text + disjunction(problem_.left, names) + " |- " + disjunction(problem_.right, names);
    }

  private:
    static std::string term(TermId term) { return term == null_term ? "NULL" : fmt::format("v{}", term); }

    std::string disjunction(const std::vector<Clause>& clauses, int outer) const {
        std::string text;
        for (const Clause& clause : clauses) text += (text.empty() ? "" : " \\/ ") + heap(clause, outer);
        return text;
    }

    std::string heap(const Clause& clause, int outer) const {
        std::string text;
        for (TermId t = outer; t < clause.terms; ++t)
            text += fmt::format("{}{}", t > outer ? ", " : "exists ", term(t));
        text += clause.terms > outer ? " . emp" : "emp";
        for (const auto& [a, b] : clause.equal) text += fmt::format(" * {} = {}", term(a), term(b));
        for (const auto& [a, b] : clause.distinct) text += fmt::format(" * {} != {}", term(a), term(b));
        for (const CellAtom& cell : clause.cells) {
            std::string links;
            for (const Link& link : cell.links)
                links += fmt::format("{}f{}: {}", links.empty() ? "" : ", ", link.field, term(link.value));
            text += fmt::format(" * {} |-> {{{}}}", term(cell.root), links);
        }
        for (const Call& call : clause.calls) {
            std::string arguments;
            for (const TermId argument : call.arguments)
                arguments += (arguments.empty() ? "" : ", ") + term(argument);
            text += fmt::format(" * d{}({})", call.definition, arguments);
        }
        for (const Linear& condition : clause.linear) {
            std::string sum = "0";
            for (const auto& [t, factor] : condition.terms)
                sum += fmt::format(" {} {}{}", factor < 0 ? '-' : '+', std::abs(factor), term(t));
            const char* sign = condition.relation == Linear::Relation::zero      ? "="
                               : condition.relation == Linear::Relation::nonzero ? "!="
                                                                                 : "<=";
            text += fmt::format(" * {} {} {}", sum, sign, -condition.constant);
        }
        return text;
    }

    const Problem& problem_;
};

// As far as a text can say it: in order, with the same terms.
std::string clauses_text(const std::vector<Clause>& clauses) {
    std::string text;
    for (const Clause& c : clauses) {
        text += fmt::format("terms {} equal", c.terms);
        for (const auto& [a, b] : c.equal) text += fmt::format(" {}={}", a, b);
        for (const auto& [a, b] : c.distinct) text += fmt::format(" {}!={}", a, b);
        for (const CellAtom& cell : c.cells) {
            text += fmt::format(" cell {}", cell.root);
            for (const Link& link : cell.links) text += fmt::format(" {}", link.value);
        }
        for (const Call& call : c.calls)
            text += fmt::format(" call {} {}", call.definition, fmt::join(call.arguments, " "));
        for (const Linear& linear : c.linear) {
            text += fmt::format(" linear {} {}", static_cast<int>(linear.relation), linear.constant);
            for (const auto& [t, factor] : linear.terms) text += fmt::format(" {}*{}", factor, t);
        }
        std::vector<TermId> numbers = c.numbers;
        std::sort(numbers.begin(), numbers.end());
        text += fmt::format(" numbers {}\n", fmt::join(numbers, " "));
    }
    return text;
}

} // namespace

// Files with definitions and integers, written as texts and read back: the same problems.
TEST(Statements, SayWhatFilesSay) {
    const std::filesystem::path folder = std::filesystem::path(GGSNN_DATA) / "slcomp";
    int read = 0;
    for (const char* division : {"qf_shid_entl", "shid_entl", "qf_shidlia_entl", "shidlia_entl"}) {
        if (!std::filesystem::is_directory(folder / division))
            GTEST_SKIP() << "no problems in " << GGSNN_DATA;
        for (const auto& entry : std::filesystem::directory_iterator(folder / division)) {
            if (entry.path().extension() != ".smt2") continue;
            const SmtProblem file = read_smtlib(read_file(entry.path()));
            const Problem& problem = file.problem;
            const auto open = [](const Clause& clause) { return clause.any_rest; };
            if (!file.unsupported.empty() || problem.right.empty() || problem.left.empty() ||
                std::any_of(problem.left.begin(), problem.left.end(), open) ||
                std::any_of(problem.right.begin(), problem.right.end(), open))
                continue;
            if (std::any_of(problem.written.begin(), problem.written.end(),
                            [](const Definition& one) { return one.rules.empty(); }))
                continue;
            const std::vector<Question> questions = read_statements(Writer(problem).text());
            ASSERT_EQ(questions.size(), 1u) << entry.path();
            const Problem& again = questions[0].problem;
            ASSERT_EQ(again.written.size(), problem.written.size());
            for (std::size_t d = 0; d < again.written.size(); ++d)
                EXPECT_EQ(clauses_text(again.written[d].rules), clauses_text(problem.written[d].rules))
                    << entry.path();
            // Free names are numbered by occurrence in a text, so that sides are compared by their answers.
            EXPECT_EQ(again.left.size(), problem.left.size());
            ++read;
        }
    }
    EXPECT_GT(read, 200);
}

TEST(Statements, DefinitionsOfOnesOwn) {
    const std::string list =
        "define rev(x, y) := x = y \\/ exists u . x != y * u |-> {next: y} * rev(x, u);\n"
        "define pair(x) := exists a, b . x |-> {left: a, right: b} * ls(a, NULL) * ls(b, NULL);\n";
    EXPECT_EQ(words(list + "pair(x) |- exists a . x |-> {left: a} * ls(a, NULL);"
                           "exists a, b . x |-> {left: a, right: b} * a = NULL * b = NULL |- pair(x);"
                           "pair(x) |- exists a, b . x |-> {left: a, right: b} * ls(a, NULL) * ls(b, NULL)"),
              (Words{"invalid", "valid", "valid"}));
    EXPECT_EQ(words("define odd(x) := exists n . x |-> {next: n} * even(n);\n"
                    "define even(x) := x = NULL \\/ exists n . x |-> {next: n} * odd(n);\n"
                    "odd(x) |- ls(x, NULL); even(x) |- ls(x, NULL); ls(x, NULL) |- even(x); odd(x) * x = "
                    "NULL; odd(x)"),
              (Words{"valid", "valid", "invalid", "unsatisfiable", "satisfiable"}));
}

TEST(Statements, Integers) {
    if (!induct::Arithmetic::available()) GTEST_SKIP() << "built without Z3";
    EXPECT_EQ(words(sorted + "sorted(x, y, 3) |- sorted(x, y, 1); sorted(x, y, 1) |- sorted(x, y, 3);"
                             "sorted(x, NULL, lo) * lo >= 2 |- sorted(x, NULL, 1)"),
              (Words{"valid", "invalid", "valid"}));
    EXPECT_EQ(
        words(length +
              "len(x, n) |- ls(x, NULL); len(x, n) |- len(x, n) * n >= 0; len(x, -1);"
              "x |-> {next: y} * len(y, n) |- len(x, n + 1); x |-> {next: y} * len(y, 2n) |- len(x, 2n);"
              "len(x, n) * n > 2"),
        (Words{"valid", "valid", "unsatisfiable", "valid", "invalid", "satisfiable"}));
    EXPECT_EQ(words("x |-> {val: v} * v < 3 |- x |-> {val: v} * v <= 2"), Words{"valid"});
    EXPECT_EQ(words("x = 3 * y = x + 2 |- y = 5 * x != y"), Words{"valid"});
}

TEST(Statements, CounterModelsTellTheirIntegers) {
    if (!induct::Arithmetic::available()) GTEST_SKIP() << "built without Z3";
    const auto answers = answer_text("exists n . x |-> {next: n, key: 4} |- x |-> {next: NULL, key: 4}");
    ASSERT_EQ(answers.size(), 1u);
    EXPECT_EQ(answers[0].word, "invalid");
    ASSERT_TRUE(answers[0].answer.counter);
    const int x = answers[0].answer.counter->variable("x");
    EXPECT_EQ(answers[0].answer.numbers, fmt::format("{}.key=4", x));
    ASSERT_LT(static_cast<std::size_t>(x), answers[0].answer.labels.size());
    EXPECT_EQ(answers[0].answer.labels[static_cast<std::size_t>(x)], "4");
}

// A cell may have more fields than are named, and need not have them.
TEST(Statements, FieldsThatAreNotNamed) {
    EXPECT_EQ(
        words("define node(x) := exists n . x |-> {next: n};\n"
              "x |-> {next: y, other: z} |- node(x); node(x) |- exists y, z . x |-> {next: y, other: z}"),
        (Words{"valid", "invalid"}));
}

TEST(Statements, WhatNeedsInductionIsProvedForTextsWithoutDefinitions) {
    EXPECT_EQ(words("tree+(x, \\t -> t = NULL) |- tree(x)"), Words{"valid"});
    EXPECT_EQ(words("ls(x,y) * ls(y,NULL) |- ls(x,NULL)"), Words{"valid"});
    EXPECT_EQ(words("ls(x,y) * x |-> {next: y}"), Words{"satisfiable"}); // x = y
}

// Random definitions whose cells have one of two fields, or both: what is proved holds on all heaps of two
// locations, in which cells have any fields.
class Fields {
  public:
    explicit Fields(std::uint64_t seed) : random_(seed) {}

    std::string text() {
        std::string text;
        for (const char* name : {"p", "q"})
            text += fmt::format("define {}(x, y) := {} \\/ exists a, b . {};\n", name, base(), step());
        return text + heap() + " |- " + heap();
    }

  private:
    std::string pick(std::initializer_list<const char*> words) {
        return *(words.begin() + random_.below(words.size()));
    }
    std::string base() {
        return pick({"x = y", "x = NULL", "x = y * x = NULL", "x |-> {f: y}", "x |-> {g: y}"});
    }
    std::string cell(const std::string& root) {
        const std::string one = pick({"a", "b", "y", "NULL", "x"}), two = pick({"a", "b", "y"});
        return root + pick({" |-> {f: ", " |-> {g: "}) + one + "}" +
               (random_.below(4) == 0 ? " * " + one + " != " + two : "");
    }
    std::string step() {
        std::string text = random_.below(3) == 0 ? fmt::format("x |-> {{f: {}, g: {}}}", pick({"a", "b"}),
                                                               pick({"a", "b", "y"}))
                                                 : cell("x");
        return text +
               fmt::format(" * {}({}, {})", pick({"p", "q"}), pick({"a", "b"}), pick({"y", "y", "b", "x"})) +
               (random_.below(3) == 0 ? " * x != y" : "");
    }
    std::string heap() {
        std::string text = pick({"p(x, y)", "q(x, y)", "p(x, z) * q(z, y)", "exists u . p(x, u) * p(u, y)"});
        if (random_.below(3) == 0) text += pick({" * x != y", " * y = NULL", " * x = z"});
        if (random_.below(4) == 0)
            text = pick({"exists n . x |-> {f: n} * p(n, y)", "exists n . x |-> {f: n, g: y} * q(n, y)",
                         "exists n . x |-> {g: n} * q(n, y)"});
        return text;
    }

    Random random_;
};

// All heaps of two locations and a third without a cell.
std::vector<Heap> small_heaps() {
    std::vector<Heap> heaps;
    for (int code = 0; code < 17 * 17; ++code)
        for (int places = 0; places < 64; ++places) {
            Heap heap;
            const int cells[2] = {code % 17, code / 17};
            for (int i = 0; i < 3; ++i) heap.add_node(i < 2 && cells[i] > 0);
            for (int i = 0; i < 2; ++i) {
                if (cells[i] == 0) continue;
                const int f = (cells[i] - 1) % 4, g = (cells[i] - 1) / 4; // 3: it has no such field
                if (f < 3) heap.link(i + 1, "f", f);
                if (g < 3) heap.link(i + 1, "g", g);
            }
            int rest = places;
            for (const char* name : {"x", "y", "z"}) {
                heap.set_variable(name, rest % 4);
                rest /= 4;
            }
            heaps.push_back(std::move(heap));
        }
    return heaps;
}

TEST(Statements, WhatIsProvedHoldsWhateverFieldsCellsHave) {
    const char* more = std::getenv("GGSNN_RANDOM");
    const int count = more ? std::atoi(more) : 60;
    const std::vector<Heap> heaps = small_heaps();
    int valid = 0;
    for (int i = 0; i < count; ++i) {
        const std::string text = Fields(static_cast<std::uint64_t>(i)).text();
        const Problem problem = read_statements(text)[0].problem;
        ProverLimits limits;
        limits.work = 200'000;
        if (prove_by_induction(problem, limits, Pursue::proofs).verdict != Validity::valid) continue;
        ++valid;
        for (const Heap& heap : heaps) {
            if (satisfies(heap, problem.left, problem) != Truth::yes) continue;
            ASSERT_NE(satisfies(heap, problem.right, problem), Truth::no) << text << "\n" << heap_text(heap);
        }
    }
    EXPECT_GT(valid, count / 20);
}

TEST(Statements, BoundNamesAreTheirOwn) {
    EXPECT_EQ(words("define p(x) := exists n . x |-> {next: n} * (exists n . n |-> {next: x});\n"
                    "p(x) |- exists a, b . x |-> {next: a} * b |-> {next: x};"
                    "(exists n . x |-> {next: n}) * (exists n . y |-> {next: n}) |- exists a, b . x |-> "
                    "{next: a} * y |-> {next: b};"
                    "(exists n . x |-> {next: n}) * y = n |- x |-> {next: n} * y = n"),
              (Words{"valid", "valid", "invalid"}));
}

TEST(Statements, MistakesAreToldWithTheirPlace) {
    EXPECT_EQ(complaint("define p(x) := x = y; p(x)"),
              "line 1, column 20: found 'y', expected a parameter or a name bound by exists");
    EXPECT_EQ(complaint("define p(x) := x = NULL;\np(x, y) |- emp"),
              "line 2, column 1: found p with 2 arguments, expected 1");
    EXPECT_EQ(complaint("define ls(x) := x = NULL"),
              "line 1, column 8: found 'ls', expected a name that means nothing yet");
    EXPECT_EQ(complaint("x |-> {val: v} * v <= 3 * v |-> {next: x}"),
              "line 1, column 27: found 'v' used as a location and as an integer, expected one of them");
    EXPECT_EQ(complaint("x < NULL"),
              "line 1, column 5: found NULL used as a location and as an integer, expected one of them");
    EXPECT_EQ(complaint("ls(x, y) ls(y, z) |- emp;"),
              "line 1, column 10: found 'ls', expected '*', '\\/', '|-', ';' or the end");
    EXPECT_EQ(complaint("q(x) |- x >= 0"),
              "line 1, column 1: found 'q', expected a predicate or a definition");
    EXPECT_EQ(complaint("define p(x) := emp p(x)"),
              "line 1, column 20: found 'p', expected '*', '\\/', ';' or the end");
    EXPECT_EQ(complaint("x = 123456789012"),
              "line 1, column 5: found the number 123456789012, expected at most 11 digits");
    EXPECT_EQ(complaint("x = y + NULL"), "line 1, column 5: found NULL in a sum, expected integers");
}

TEST(Statements, TheNotationsAreToldApart) {
    EXPECT_FALSE(has_statements("ls+(x, y) |- ls(x, y)"));
    EXPECT_FALSE(has_statements("x |-> {next: y} |- ls(x, y, \\t -> tree(t))"));
    EXPECT_TRUE(has_statements("x = y + 1"));
    EXPECT_TRUE(has_statements("emp; emp"));
    EXPECT_TRUE(has_statements("define p(x) := emp p(x)"));
    EXPECT_TRUE(is_smtlib("(set-logic QF_SHID)"));
    EXPECT_FALSE(is_smtlib("(ls(x, y) \\/ emp) |- emp"));
}

} // namespace ggsnn::logic
