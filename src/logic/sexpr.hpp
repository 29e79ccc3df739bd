// S-expressions with places, as SMT-LIB files are made of.
#pragma once

#include "ggsnn/logic/budget.hpp"
#include "ggsnn/logic/formula.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ggsnn::logic {

struct Sexpr {
    bool is_list = false;
    std::string text;         // an atom: symbol (bars removed), numeral, keyword or string (with its quote)
    std::vector<Sexpr> items; // a list
    int line = 1, column = 1;

    bool is(std::string_view symbol) const { return !is_list && text == symbol; }
    // A list that begins with this symbol.
    bool is_call(std::string_view symbol) const { return is_list && !items.empty() && items[0].is(symbol); }
};

// All expressions of a text. Throws SyntaxError: a bracket that is not closed or not open, a string or quoted
// symbol without an end, nesting too deep. The expressions count as memory of the budget; once it is
// exhausted, OutOfBudget is thrown.
std::vector<Sexpr> parse_sexprs(std::string_view text, Budget& budget);

// Short text of an expression for messages.
std::string brief(const Sexpr& expression);

} // namespace ggsnn::logic
