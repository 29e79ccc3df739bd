// The front end: C text in, Program out. Built on libclang where that is found when the project is
// configured; elsewhere front_available() is false and reading says what to install.
//
// Outside the language, and refused with line and column in Function::refusals of the functions that use it:
// struct values that are copied, passed or returned, arrays, pointer arithmetic, unions, pointers to
// functions, goto, variable arguments, text that is looked into, the address of a field, casts between
// records or between records and void *, and functions without a body that take or give records, except
// those of the C library that are known. A structure's record is found by its type, whatever its name.
//
// Specifications stand in comments: //@ requires F and //@ ensures F before a function, //@ invariant F
// before a loop (or between its head and its body), continued by further //@ lines, or /*@ ... */. Several of
// one kind are joined by *. Fields may be called by their role or by their name in the file.
#pragma once

#include "verify/front_scan.hpp"
#include "verify/program.hpp"

#include <string>
#include <string_view>

namespace ggsnn::verify {

bool front_available();

// Throws Error: the file cannot be read, is too large or nested too deeply, an include is missing and needed
// (local ones are looked for beside the file), clang finds a mistake, or a specification is wrong; with
// path:line:column where there is one.
Program read_program(const std::string& path, const FrontLimits& limits = {});

// The same for a text; path is only a name for messages, and local includes are not found.
Program read_program_text(std::string_view text, const std::string& path, const FrontLimits& limits = {});

// Adds what a file specifies, in lines `function NAME`, `requires F`, `ensures F`, `invariant LINE F` for the
// loop at that line; other lines continue the one before, and # begins a comment. Replaces what comments gave
// for the same function or loop. Throws Error with path:line:column.
void read_specification(const std::string& path, Program& program);
void read_specification_text(std::string_view text, const std::string& path, Program& program);

} // namespace ggsnn::verify
