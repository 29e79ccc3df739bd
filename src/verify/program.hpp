// The intermediate language: what a C file becomes after clang has compiled it, one meaning, run twice. The
// interpreter (run/) runs it on concrete memory and takes snapshots; the symbolic executor (prove/) runs it
// on formulas and proves. It is LLVM's language made small: three-address instructions over variables, memory
// as blocks of bytes, control as jumps between blocks. The reader (read/) gives each instruction of LLVM one
// of the meanings below, or writes `refuse` in its place: what is not understood is not guessed, and costs
// nothing unless it is reached.
//
// Values are bits of a known width. Integers are numbers modulo 2^bits, kept sign-extended in 64 bits. A
// pointer is NULL (the number 0), a place in a block (block, offset), or the address of a function; an
// integer of a pointer's width may hold one, and nothing but copying and comparing keeps it. Floating numbers
// and vectors are `data`: bits about which nothing is known.
//
// Memory is a set of blocks: static (globals, string literals), of a frame (locals that are not variables),
// or from the heap. A block has a size in bytes; it is dead after its release, its return, or its scope's
// end. It holds values at offsets. Reading outside of a live block, or through what is no pointer to one, is
// an error.
#pragma once

#include "ggsnn/logic/formula.hpp"
#include "ggsnn/verify/assertion.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ggsnn::verify {

// Where something stands in the text. Both from 1; 0: nowhere. file: Program::files, 0 is the main file.
struct Position {
    int line = 0, column = 0, file = 0;
};

struct Type {
    enum class Kind { none, integer, pointer, data };
    Kind kind = Kind::none;
    int bits = 0; // integer, data: width (data: a multiple of 8); pointer: 8 * Program::pointer_bytes
    int record =
        -1; // pointer: what the text says it leads to, index in Program::records; -1: not said (void *)

    std::int64_t bytes() const { return (bits + 7) / 8; }
    bool operator==(const Type&) const = default;
};

// What blocks are made of, as far as the text tells: a struct, or a scalar that some pointer leads to. `T **`
// leads to a record whose single field is called `*`, with the role `deref`; `int *` to one with one field
// `*` of integer type. Nested structs are flattened: a field `a.b` at its offset. Arrays inside structs, and
// members of unions are not fields.
struct RecordType {
    struct Field {
        std::string name;        // as in the text
        std::int64_t offset = 0; // bytes
        Type type;
        std::string role; // what formulas call it: next, prev, left, right, val; else a name like the field's
    };
    std::string name;
    std::int64_t size = 0; // bytes, padding included; 0: declared only
    std::vector<Field> fields;
    Position position;
    bool structure = false; // a struct of the text; false: a scalar

    const Field* field_at(std::int64_t offset) const {
        for (const Field& f : fields)
            if (f.offset == offset) return &f;
        return nullptr;
    }
    const Field* field_called(const std::string& role) const {
        for (const Field& f : fields)
            if (f.role == role) return &f;
        return nullptr;
    }
};

// A local whose address is only loaded from and stored to, a parameter, or an intermediate result.
struct Variable {
    enum class Kind { parameter, local, temporary };
    std::string name; // unique in its function; a shadowing local gets a suffix
    Type type;
    Kind kind = Kind::local;
    Position position;
    // Parameter: a pointer to a block of so many bytes that the caller made for this call, since the text
    // passes or returns a struct by value. Never NULL, and nobody else's. 0: none of this.
    std::int64_t by_value = 0;
    // Parameter: a pointer to a function of this type: the result (none: void), then the arguments. Empty:
    // not a pointer to a function, or of one whose type is not said (variable arguments, structs).
    std::vector<Type> signature;
};

// A named block: a local that lives in memory (made by Instruction::Kind::local), or a global.
struct Object {
    // Of a local: unique in its function, and no variable's, but that a parameter whose address is taken is
    // both: a variable (its first value) and an object of the same name. String literals: ".str", ..
    std::string name;
    std::int64_t size = 0; // bytes; of a local with a size computed at run time: -1
    int record = -1;       // what the text says it is; -1: an array, a union, or not said
    Type type;             // of a scalar (int, T *): its type; else Kind::none
    Position position;
};

// Initial contents of a global, at an offset; bytes without an entry are 0.
struct Piece {
    std::int64_t offset = 0, bytes = 0;
    enum class Kind { number, global, function, data };
    Kind kind = Kind::number;
    std::int64_t number = 0; // number: value; global: offset into it
    int index = -1;          // global: Program::globals; function: Program::functions, or -1 if outside
};

struct Global : Object {
    bool constant = false; // never changes: a string literal, a const object
    bool visible = false;  // other files can change it (external linkage, or only declared here)
    bool defined = true;   // false: another file has it, and nothing is known of its contents
    bool thread_local_ = false;
    std::vector<Piece> contents;
};

struct Operand {
    enum class Kind {
        none,
        variable, // index: Function::variables
        number,   // number (sign-extended); NULL is the number 0
        global,   // address of Program::globals[index], plus number bytes
        function, // address of Program::functions[index]; index -1: of a function without a body, see `name`
        unknown,  // any value of the width: undef, floating constants, addresses that are not followed
    };
    Kind kind = Kind::none;
    int index = -1;
    std::int64_t number = 0;
    std::string name;

    static Operand of_variable(int v) { return {Kind::variable, v, 0, {}}; }
    static Operand of_number(std::int64_t n) { return {Kind::number, -1, n, {}}; }
    bool is_number(std::int64_t n) const { return kind == Kind::number && number == n; }
};

enum class Operator {
    // binary; a, b and the target have `bits`
    add,
    sub,
    mul,
    udiv,
    sdiv,
    urem,
    srem,
    shl,
    lshr,
    ashr,
    and_,
    or_,
    xor_,
    // comparisons; a and b have `bits` (or are pointers), the target has 1 bit
    equal,
    not_equal,
    ult,
    ule,
    ugt,
    uge,
    slt,
    sle,
    sgt,
    sge,
    // conversions; a has `from_bits`, the target `bits`. same: bitcast, ptrtoint and inttoptr of equal width
    truncate,
    zero_extend,
    sign_extend,
    same,
};

struct Instruction {
    enum class Kind {
        copy,    // target = a
        compute, // target = a op b, or op a. Division by 0 is an error
        choose,  // target = a ? b : c
        offset,  // target = a + number + sum of index * scale: an address; never reads
        load,    // target = the value at a
        store,   // at a: b (of `type`)
        move,    // memcpy, memmove, struct copy: c bytes from b to a; overlap is fine if `may_overlap`
        fill,    // memset: c bytes at a become the byte b
        local,   // target = address of a new block for Function::objects[object], c bytes if its size is -1.
                 // Not written yet. An earlier block of this object in the same call dies, if there is one
        end_local, // the scope of Function::objects[object] ends: its block is dead. Nothing if it has none
        forget,    // the scope of variable target begins or ends: it has no value
        call,      // targets = functions[callee](arguments)
        library,   // targets = a function of the C library that is in the table (library.hpp), called `name`
        external,  // targets = a function without a body that nothing is known of, called `name`
        indirect,  // targets = (*a)(arguments)
        refuse,    // what is not understood is reached: `name` says what, and what to write instead
    };
    Kind kind = Kind::copy;
    Position position;
    int target = -1; // variable; -1: the result is not used
    Operator op = Operator::add;
    int bits = 0, from_bits = 0;
    Operand a, b, c;
    Type type;                // load, store: of the value
    bool is_volatile = false; // load: gives anything. store: what is stored may change
    bool may_overlap = false; // move
    bool inbounds = false;    // offset: must stay within the block or one past its end
    std::int64_t number = 0;  // offset: constant part in bytes
    std::vector<std::pair<Operand, std::int64_t>> terms; // offset: index and scale
    // offset: an index, and how many elements the array has that it is for: C defines 0 <= index < elements
    // only (one more where just the address is taken), even where the block goes on behind the array.
    std::vector<std::pair<Operand, std::int64_t>> bounds;
    int object = -1;                  // local, end_local
    int callee = -1;                  // call
    std::string name;                 // library, external, refuse
    std::vector<Operand> arguments;   // calls
    std::vector<Type> argument_types; // calls: of the arguments, variable ones included
    std::vector<int>
        targets; // calls: the result, in parts if it is a struct in registers; -1: a part not used
};

struct Block {
    enum class End { jump, branch, choice, returns, stop };
    std::vector<Instruction> instructions;
    End end = End::jump;
    Operand condition;             // branch: a bit. choice (switch): a number of `bits`
    int bits = 0;                  // choice
    int then = -1, otherwise = -1; // jump: then; branch: both; choice: otherwise is the default
    std::vector<std::pair<std::int64_t, int>> cases; // choice
    std::vector<Operand> results;                    // returns:, in parts if a struct in registers
    Position position;                               // of the jump
    // stop: control does not come here (after exit(), abort()). Reaching it is an error, if `unreachable`.
    bool unreachable = false;
};

// A cycle of the control graph. head: reached before the first round and before every further one; of a do
// loop the head is the body.
struct Loop {
    int head = -1;
    int parent = -1; // the loop around it
    Position position;
    std::vector<char> blocks;                // by block of the function: belongs to the loop
    std::vector<int> variables, objects;     // in scope at the head: parameters and locals (no temporaries)
    std::optional<logic::Formula> invariant; // given as //@ invariant
};

struct Function {
    std::string name;
    Type result;               // of the text: none for void and for structs
    std::vector<Type> results; // as returned: in parts if a struct in registers
    Position position;
    int parameters = 0; // the first variables
    bool variadic = false;
    bool internal = false;      // static: no other file can call it by name
    bool address_taken = false; // it can be called through a pointer
    std::vector<Variable> variables;
    std::vector<Object> objects;
    std::vector<Block> blocks;                        // blocks[0] is the entry
    std::vector<Loop> loops;                          // in source order
    std::optional<logic::Formula> requires_, ensures; // given; over parameters, globals, and `\result`
};

struct Program {
    std::string path;
    std::vector<std::string> files; // files[0] is the main file
    int pointer_bytes = 8;
    bool narrow_sizes = false; // malloc and the like are declared with sizes narrower than pointers
    std::vector<RecordType> records;
    std::vector<Global> globals;
    std::vector<Function> functions;            // those with a body, in source order
    std::vector<int> constructors, destructors; // functions run before and after main, in order
    std::vector<Definition> definitions;        // of other verifiers' notations
    std::vector<WrittenContract> contracts;     // of functions with and without a body
    std::vector<std::string> refusals; // what makes every verdict `unknown`: module-level assembler, ..
    std::vector<std::string> notes;    // for people: comments of other verifiers that were skipped, ..

    int function_called(const std::string& name) const {
        for (std::size_t f = 0; f < functions.size(); ++f)
            if (functions[f].name == name) return static_cast<int>(f);
        return -1;
    }
};

} // namespace ggsnn::verify
