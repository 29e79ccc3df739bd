// Stand-ins for the headers of the C library, so that what is read of a program does not depend on the
// machine: declarations only, and macros where their meaning matters (assert, NULL, bool).
#pragma once

#include <string_view>

namespace ggsnn::verify {

// The text of <name>, or an empty view if there is no stand-in.
std::string_view standard_header(std::string_view name);

// What a function without a body does that is known by its name.
enum class Library {
    unknown,  // nothing is known
    harmless, // reads its arguments, writes at most where data arguments point; gives a value unknown, or
              // none
    reads,    // scanf: what its arguments point to becomes unknown
    allocate, // malloc(size)
    zeroed,   // calloc(count, size)
    release,  // free(p)
    fill,     // memset(p, byte, size)
    stop,     // does not return
    assume,   // goes on only if its argument is not zero
    first,    // gives its first argument: __builtin_expect
};
Library library_function(std::string_view name);

} // namespace ggsnn::verify
