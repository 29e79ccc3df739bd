// A text with definitions as it was read, before its names have sorts.
#pragma once

#include "ggsnn/logic/formula.hpp"
#include "ggsnn/logic/linear.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ggsnn::logic::statements {

struct Place {
    int line = 1, column = 1;
};

// A name, NULL or a sum. Its terms are numbers of Text::variables.
struct Value {
    Linear sum;
    bool null = false;
    Place at;

    // The variable, if it is nothing else; -1.
    int bare() const {
        const bool one = !null && sum.constant == 0 && sum.terms.size() == 1 && sum.terms[0].second == 1;
        return one ? sum.terms[0].first : -1;
    }
};

struct Part {
    enum class Kind { equal, different, at_most, cell, call };
    Kind kind = Kind::equal;
    std::vector<Value> values;                        // two that are compared; arguments; root of the cell
    std::vector<std::pair<std::string, Value>> links; // cell
    std::string name;                                 // call: the definition
    Place at;
};

struct Heap {
    std::vector<int> exists; // variables
    std::vector<Part> parts;
};

struct Variable {
    std::string text;
    Place at; // where it is seen first
};

struct WrittenDefinition {
    std::string name;
    std::vector<int> parameters; // variables
    std::vector<Heap> body;
    Place at;
};

struct WrittenQuestion {
    std::vector<Heap> left, right;
    bool entailment = true;
    std::vector<int> names; // its free variables, in order of occurrence
    Place at;
    std::string text;
};

struct Text {
    std::vector<Variable> variables; // every binder and every question has its own
    std::vector<WrittenDefinition> definitions;
    std::vector<WrittenQuestion> questions;
};

Text parse(std::string_view text); // throws SyntaxError

} // namespace ggsnn::logic::statements
