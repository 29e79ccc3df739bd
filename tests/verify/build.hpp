// A small builder of programs in the intermediate language, for tests that need no C.
#pragma once

#include "verify/program.hpp"

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace ggsnn::verify::build {

Expression null();
Expression number(std::int64_t value);
Expression unknown();
Expression apply(const std::string& symbol, Expression a, Expression b);
Expression negate(Expression a);

// Statements are appended to the current function; a line number is given to each.
class Builder {
  public:
    Builder();

    using Body = std::function<void()>;
    // Names that begin with '#' are data, all others pointers to `node` (fields next, prev, left, right, val:
    // pointers; data: data). A result called "" is none.
    int function(const std::string& name, std::vector<std::string> parameters, const std::string& result);
    void local(const std::string& name);
    void also_local(const std::string& name) { extra_.push_back(name); } // in every function that follows
    void global(const std::string& name);

    Expression operator[](const std::string& name) const; // the variable
    void assign(const std::string& target, const Expression& value);
    void load(const std::string& target, const std::string& base, const std::string& field);
    void store(const std::string& base, const std::string& field, const Expression& value);
    void allocate(const std::string& target, bool zeroed = false);
    void release(const std::string& name);
    void call(const std::string& target, int callee, std::vector<Expression> arguments);
    void branch(const Expression& condition, const Body& then, const Body& otherwise = {});
    // The head evaluates what `before` appends, and then the condition.
    void loop(const Expression& condition, const Body& body, const Body& before = {});
    void give(); // return
    void give(const Expression& value);
    void leave(); // break
    // REQUIRES that every function ends in give().

    Program program;

  private:
    Function& current() { return program.functions.back(); }
    Block& block() { return current().blocks[static_cast<std::size_t>(at_)]; }
    int variable(const std::string& name) const;
    int field(const std::string& name) const;
    int new_block();
    Instruction& append(Instruction::Kind kind);
    void jump(int to);

    int at_ = 0, line_ = 0;
    std::vector<int> exits_;
    std::vector<std::string> extra_;
};

} // namespace ggsnn::verify::build
