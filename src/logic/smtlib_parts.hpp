// What the reader of SMT-LIB files is made of: complaints, looks at S-expressions, and formulas under
// construction.
#pragma once

#include "ggsnn/logic/definitions.hpp"
#include "ggsnn/logic/sexpr.hpp"

#include <map>
#include <string>
#include <vector>

namespace ggsnn::logic {

inline constexpr std::size_t max_clauses = 256;

struct Unsupported {
    std::string reason;
};

[[noreturn]] inline void unsupported(const Sexpr& at, const std::string& what) {
    throw Unsupported{fmt::format("line {}: {}", at.line, what)};
}

[[noreturn]] inline void wrong(const Sexpr& found, const std::string& expected) {
    throw SyntaxError(found.line, found.column, fmt::format("found {}, expected {}", brief(found), expected));
}

inline const std::string& symbol(const Sexpr& expression, const char* expected) {
    if (expression.is_list || expression.text.empty() || expression.text[0] == '"' ||
        expression.text[0] == ':')
        wrong(expression, expected);
    return expression.text;
}

inline const std::vector<Sexpr>& list(const Sexpr& expression, const char* expected) {
    if (!expression.is_list) wrong(expression, expected);
    return expression.items;
}

inline void require_size(const Sexpr& expression, std::size_t size, const char* expected) {
    if (list(expression, expected).size() != size) wrong(expression, expected);
}

inline const std::string& own_name(const Sexpr& name, const char* expected) {
    const std::string& text = symbol(name, expected);
    if (text == "nil" || text == "sep.nil")
        unsupported(name, fmt::format("{} as the name of a variable", text));
    return text;
}

struct Named {
    TermId term = 0;
    bool number = false;
};
using Scope = std::map<std::string, Named>;

// A formula under construction is a disjunction of clauses over one numbering of terms.
struct Disjunct {
    Clause clause;
    bool spatial = false; // says something about the heap
};
using Disjuncts = std::vector<Disjunct>;

inline Disjunct nothing(int terms, bool spatial) {
    Disjunct disjunct;
    disjunct.clause.terms = terms;
    disjunct.spatial = spatial;
    return disjunct;
}

inline void add(Disjuncts& parts, Disjunct part, const Sexpr& e) {
    if (parts.size() == max_clauses) unsupported(e, "too many disjuncts");
    parts.push_back(std::move(part));
}

} // namespace ggsnn::logic
