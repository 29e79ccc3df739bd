// The reader: a C file in, Program out. clang 19 compiles it to LLVM's bitcode (compile.hpp), and each
// instruction there is given one of the meanings of program.hpp or becomes `refuse`, which costs nothing
// unless it is reached. Names of variables, fields and types come from the debug information. Built where
// LLVM's library is found when the project is configured; elsewhere reading says what to install.
//
// Specifications stand in comments: //@ requires F and //@ ensures F before a function, //@ invariant F
// before a loop (or between its head and its body), continued by further //@ lines, or /*@ ... */. Several of
// one kind are joined by *. Fields may be called by their role or by their name in the file. Comments of
// other verifiers are left out, with a line in Program::notes.
#pragma once

#include "ggsnn/verify/program.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ggsnn::verify {

struct ReadOptions {
    std::vector<std::string> flags;            // of the compiler: -I.. -D.. -m32 -std=..
    std::string compile_commands;              // compile_commands.json, or a folder that has one; or empty
    double seconds = 20;                       // that clang may take
    std::size_t instructions = 2'000'000;      // of the whole program; more is an Error
    std::size_t bytes = std::size_t{16} << 20; // of the file
};

// False: built without LLVM.
bool reading_available();

// C (.c, .i, any other name) or bitcode (.bc, .ll). Throws Error: the file cannot be read, clang finds a
// mistake, or a specification is wrong; with path:line:column where there is one.
Program read_program(const std::string& path, const ReadOptions& options = {});

// The same for a text of C; path is a name for messages, and local includes are looked for in the current
// folder.
Program read_program_text(std::string_view text, const std::string& path, const ReadOptions& options = {});

// The C files that a compile_commands.json (or a folder that has one) knows, in its order, each once. Throws
// Error if there is none.
std::vector<std::string> project_files(const std::string& compile_commands);

// Adds what a file specifies, in lines `function NAME`, `requires F`, `ensures F`, `invariant LINE F` for the
// loop at that line; other lines continue the one before, and # begins a comment. Replaces what comments gave
// for the same function or loop. Throws Error with path:line:column.
void read_specification(const std::string& path, Program& program);
void read_specification_text(std::string_view text, const std::string& path, Program& program);

} // namespace ggsnn::verify
