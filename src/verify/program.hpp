// The intermediate language: what a C file becomes, one meaning, run twice. The interpreter runs it on
// concrete heaps and collects snapshots; the symbolic executor runs it on formulas and proves. C's
// expressions are taken apart so that each instruction does one thing: only `load` reads the heap, only
// `store`, `allocate` and `free` change it, and short-circuit operators, loops, break, continue, switch and
// early return are jumps between blocks.
//
// Integers have 64 bits and wrap; where C cuts a value to a narrower type, the front end writes that with & ^
// -. What is not kept is everything that is not an integer or a pointer to a record: text, floating numbers,
// void pointers are `data`, values that can be copied, compared with 0 and with each other, and about which
// nothing is known otherwise.
#pragma once

#include "logic/formula.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ggsnn::verify {

struct Position {
    int line = 0, column = 0; // from 1
};

struct Type {
    enum class Kind { none, data, pointer };
    Kind kind = Kind::none;
    int record = -1; // pointer: index in Program::records

    bool operator==(const Type&) const = default;
};

// A struct of the file, or an invented one: a variable whose address is taken lives in a cell of a record
// `boxed`, which has the single field `*`, so that `T **p` is a pointer to such a cell and `*p` a load of
// that field. Formulas and heaps call it `deref`, since `*` means something else there.
struct Record {
    struct Field {
        std::string name; // as in the file
        Type type;
        std::string
            role; // what formulas and heaps call it: next, left, right, val, prev; else the name itself
    };
    std::string name;
    std::vector<Field> fields;
    Position position;
    bool boxed = false;
};

struct Variable {
    enum class Kind { parameter, local, temporary, global };
    std::string name; // unique in its function; a shadowing local gets a suffix
    Type type;
    Kind kind = Kind::local;
    Position position;
};

// A value computed without touching the heap. Variables are numbered within the function: its own first
// (parameters, locals, temporaries), then the globals of the program (Function::global).
struct Expression {
    enum class Kind { null, number, variable, unknown, unary, binary };
    Kind kind = Kind::null;
    std::int64_t number = 0;          // number
    int variable = -1;                // variable
    std::string symbol;               // unary: - ~ !   binary: + - * / % << >> & | ^ == != < <= > >=
    std::vector<Expression> operands; // one or two
    Position position;
};

struct Instruction {
    enum class Kind {
        assign,   // target = value
        load,     // target = base->field
        store,    // base->field = value
        allocate, // target = new cell of record; fields 0 and NULL if zeroed, else undetermined
        release,  // free(value); nothing for NULL
        call,     // target = functions[callee](arguments); target -1 if the result is not used
        forget,   // target leaves its scope: its value is gone (a snapshot does not show it)
    };
    Kind kind = Kind::assign;
    Position position;
    int target = -1;     // variable
    Expression value;    // assign, store, release
    int base = -1;       // load, store: variable of pointer type
    int record = -1;     // load, store, allocate
    int field = -1;      // load, store: index in the record
    bool zeroed = false; // allocate
    bool boxed = false;  // allocate, release: the cell of a variable whose address is taken; never fails, and
                         // is released where the variable leaves its scope
    int callee = -1;     // call
    std::vector<Expression> arguments;
};

struct Block {
    enum class End { jump, branch, give, stop };
    std::vector<Instruction> instructions;
    End end = End::jump;
    Expression condition;             // branch: not zero, not NULL
    int then = -1, otherwise = -1;    // jump: then; branch: both
    std::optional<Expression> result; // give: return
    Position position;                // of the jump. stop: exit(), abort(), a failed assert
};

struct Loop {
    // Block: reached before the first round, before every further one, and when the loop's test ends it; of a
    // do loop the head is the body, which is not reached any more when the loop ends.
    int head = -1;
    Position position;
    std::vector<int>
        variables; // in scope at the head: parameters, locals, then globals that the program uses
    std::optional<logic::Formula> invariant; // given as //@ invariant
};

struct Function {
    std::string name;
    Type result;
    Position position;
    int parameters = 0;                               // the first variables
    std::vector<Variable> variables;                  // own ones
    std::vector<Block> blocks;                        // blocks[0] is the entry
    std::vector<Loop> loops;                          // in source order
    std::optional<logic::Formula> requires_, ensures; // given; over parameters, globals, and `\result`
    // What this function needs that the language does not have, with its place; empty: the body is complete.
    struct Refusal {
        Position position;
        std::string reason;
    };
    std::vector<Refusal> refusals;
};

struct Program {
    std::string path;
    std::vector<Record> records;
    std::vector<Variable> globals;
    std::vector<Function> functions; // those with a body, in source order

    // The number of globals[i] as a variable of function f.
    int global(const Function& f, int i) const { return static_cast<int>(f.variables.size()) + i; }
    const Variable& variable(const Function& f, int v) const {
        const auto own = static_cast<int>(f.variables.size());
        return v < own ? f.variables[v] : globals[v - own];
    }
};

} // namespace ggsnn::verify
