// What is known of the functions of the C library (and of __VERIFIER_nondet_* and the like): what each one
// requires of its arguments, reads, writes and returns. One table for the interpreter and the symbolic
// executor. A function that is not in it is `external`: nothing is known of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ggsnn::verify {

// How many bytes from a pointer on.
struct Extent {
    enum class Kind {
        bytes,        // number
        argument,     // as many as argument `first` says, times `number`
        product,      // argument first * argument second
        text,         // up to the first zero byte, that one included: it must be there
        text_at_most, // text, or the first `argument first` bytes if there is no zero byte among them
        handle,       // none: the pointer is an open FILE * or the like
        word,         // the width of a pointer
    };
    Kind kind = Kind::bytes;
    std::int64_t number = 1;
    int first = -1, second = -1;
};

// A part of memory that the function needs, in the order in which it looks at them.
struct Access {
    int argument = 0; // the pointer
    bool write = false;
    Extent extent;
    bool may_be_null = false; // then nothing is read or written
};

struct LibraryFunction {
    // What accesses and results alone do not say.
    enum class Special {
        none,
        allocate,    // malloc, and like it: a new block of `size`, or NULL
        zeroed,      // calloc
        reallocate,  // realloc(p, n)
        release,     // free
        open,        // fopen: a new handle, or NULL
        close,       // fclose: the handle is dead
        duplicate,   // strdup(s), strndup(s, n): a new block with a copy of the text, or NULL
        copy_text,   // strcpy(d, s), stpcpy: d must have room for s
        append_text, // strcat(d, s)
        print,       // printf(f, ..): `format` is the number of the format's argument; %n writes
        print_into,  // sprintf(d, f, ..), snprintf(d, n, f, ..)
        scan,        // scanf, sscanf, fscanf: writes what the format says
        stop,        // exit(n): runs what atexit registered and destructors, then the program ends
        abort,       // abort(), _Exit: the program ends at once; no error of memory
        failed,      // __assert_fail, reach_error: an error of its own kind
        assume,      // __VERIFIER_assume(c): runs with c = 0 do not count
        at_exit,     // atexit(f)
        sort,        // qsort(base, n, size, compare): calls back
        search,      // bsearch(key, base, n, size, compare): calls back
        refuse,      // known, and not followed: setjmp, pthread_create, signal: `reason` says what to do
    };
    enum class Result {
        none,
        number,   // any number of the width, from low to high
        argument, // argument `result_argument`
        within,   // a place in the block of argument `result_argument`, from there on, or NULL
        text,     // a text that belongs to the library: may be read, not written or freed; or NULL
        fresh,    // by `special`
        place,    // the address of an int of the library: static, may be read and written (errno)
        table,    // the address of a pointer into a constant table of the library: 128 entries before it,
                  // 256 behind it, of `high` bytes each (what isalpha looks at)
    };
    std::string name;
    Special special = Special::none;
    std::vector<Access> accesses;
    Result result = Result::number;
    std::int64_t low = INT64_MIN, high = INT64_MAX;
    int result_argument = 0;
    int format = -1;                               // print, print_into, scan: the argument
    Extent size{Extent::Kind::argument, 1, 0, -1}; // allocate, zeroed: of the block
    int arguments = 0;                             // that it must have at least; a call with fewer is refused
    std::string reason;                            // refuse
    bool deterministic =
        false;          // the same arguments and memory give the same result in every run (strlen, abs)
    bool apart = false; // what it reads must not overlap with what it writes
};

// nullptr: not in the table.
const LibraryFunction* library_function(std::string_view name);

// What a format of printf or scanf asks for, one entry an argument behind it, in order.
struct FormatPart {
    enum class Kind { number, floating, text, pointer, count, character }; // count: %n
    Kind kind = Kind::number;
    int bytes = 4;           // of what is given (printf) or written (scanf); text: of one character
    std::int64_t width = -1; // scanf: at most as many characters; printf: precision of a text
    bool suppressed = false; // scanf %*d: no argument
};
// False: something in it is not understood. word: bytes of a long and of a pointer.
bool parse_format(std::string_view format, bool scan, std::vector<FormatPart>& parts, int word = 8);

} // namespace ggsnn::verify
