// Clauses of specifications: a keyword and a formula as they are written, and how they are given to functions
// and loops.
#pragma once

#include "ggsnn/verify/program.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ggsnn::verify {

// Where a line of a specification stands, for messages.
struct Spot {
    std::string file;
    int line = 0, column = 0;
};

// One formula as written: the keyword before it, and its lines with their places.
struct Clause {
    struct Line {
        std::string text;
        Spot spot;
    };
    std::string keyword;
    Spot spot; // of the keyword
    std::vector<Line> lines;
    std::size_t following = 0; // the word of the text behind it
};

bool is_space(char c);
// The first word of a text, and where it begins.
std::string first_word(const std::string& text, std::size_t& begin);
bool is_keyword(const std::string& word); // requires, ensures, invariant

[[noreturn]] void wrong(const Spot& at, const std::string& message);

// The formula of a clause. known: names that are surely variables. Throws Error where the mistake stands.
logic::Formula parse(const Clause& clause, const std::set<std::string>& known);

// Roles for field names of the file, where a formula uses those.
class FieldNames {
  public:
    explicit FieldNames(const Program& program);
    void rename(logic::SymbolicHeap& heap) const;

  private:
    std::set<std::string> roles_;
    std::map<std::string, std::string> by_name_;
};

// Gives formulas to functions and loops; several of one kind are joined. Throws Error for a formula that is
// wrong, or names what is not known there.
class Attach {
  public:
    explicit Attach(Program& program) : program_(program), names_(program) {}
    void contract(int function, const Clause& clause);
    void invariant(int function, int loop, const Clause& clause);

  private:
    void note_globals(std::set<std::string>& known) const;
    void note_first_values(const Function& f, std::set<std::string>& known) const;
    logic::Formula read(const Clause& clause, const std::set<std::string>& known) const;

    Program& program_;
    FieldNames names_;
};

} // namespace ggsnn::verify
