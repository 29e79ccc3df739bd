// Contracts as other verifiers write them (`/*@ With .. Require .. Ensure .. */`, `/*@ Let p(x) = .. */`):
// the text as a tree, with nothing decided yet about what it means for memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ggsnn::verify {

struct Term {
    enum class Kind {
        name,          // a parameter, a logical variable, __return
        number,        // NULL is 0
        field,         // base -> name: the value there
        field_address, // field_addr(base, name), &(base -> name)
        deref,         // * base
    };
    Kind kind = Kind::number;
    std::string name;
    std::int64_t number = 0;
    std::shared_ptr<const Term> base;
};

struct AssertionAtom {
    enum class Kind { equal, not_equal, less, less_equal, cell, predicate };
    Kind kind = Kind::equal;
    Term a, b;              // comparisons; cell: at address a stands b
    std::string name;       // predicate
    std::vector<Term> args; // predicate
};

// exists names, atoms joined by && and *. No atom: emp.
struct AssertionCase {
    std::vector<std::string> exists;
    std::vector<AssertionAtom> atoms;
};

struct Assertion {
    std::vector<AssertionCase> cases; // joined by ||
};

struct Definition {
    std::string name;
    std::vector<std::string> parameters;
    Assertion body;
};

struct WrittenContract {
    std::string function;
    std::vector<std::string> parameters;
    std::vector<int> stars; // by parameter: how many * its type has
    int result_stars = 0;
    std::vector<std::string> with;
    Assertion requires_, ensures;
    std::string text; // as written, on one line
    int line = 0;
};

} // namespace ggsnn::verify
