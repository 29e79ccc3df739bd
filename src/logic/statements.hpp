// Texts with definitions and integers:
//
//   text       ::=  { definition ; | question ; }           the last ; may be left out
//   definition ::=  define name(name, ...) := formula
//   question   ::=  formula |- formula  |  formula           the second: is there such a heap?
//   part       ::=  as in formula.hpp, without bodies and none(x), and
//              |  sum = sum  |  sum != sum  |  sum <= sum  |  sum < sum  |  sum >= sum  |  sum > sum
//              |  name(sum, ...)                             a definition of the text
//              |  x |-> { field: sum, ... }
//   sum        ::=  [-] one { (+ | -) one }                  one ::= name | NULL | 3 | 3n (three times n)
//
//   define sorted(x, y, lo) := x = y \/ exists n, v . x != y * x |-> {next: n, val: v} * lo <= v * sorted(n,
//   y, v); sorted(x, y, lo) * lo >= 3 |- sorted(x, y, 3)
//
// Definitions may call each other in any order; they mean the least that satisfies them. Whether a name is a
// location or an integer is found from how it is used, in all of the text: a field or a parameter is the same
// everywhere. A name of which nothing is known is a location. Comments begin with `//`.
#pragma once

#include "ggsnn/logic/prover.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ggsnn::logic {

struct Question {
    int line = 1;           // where it begins
    std::string text;       // as written, on one line
    bool entailment = true; // false: the right side is empty, and a model of the left side is wanted
    Problem problem;
};

// Throws SyntaxError. A text that cannot be read within the limits: OutOfBudget.
std::vector<Question> read_statements(std::string_view text, Budget* budget = nullptr);

// Whether a text has what only this notation has: a definition, an integer, a comparison, several questions.
bool has_statements(std::string_view text);

struct TextAnswer {
    int line = 1;
    std::string text; // the question
    bool entailment = true;
    std::string word; // valid, invalid; satisfiable, unsatisfiable; unknown
    Answer answer;
    double seconds = 0; // of processor time, that of reading left out
};

// Answers every question of a text of either notation. The limits are for each question. Throws SyntaxError.
// tree: of a single question without definitions.
std::vector<TextAnswer> answer_text(std::string_view text, const ProverLimits& limits = {},
                                    ProofTree* tree = nullptr);

} // namespace ggsnn::logic
