// A first look at the text of a C file, before clang sees it: words, annotations in comments, includes and
// macros. It keeps hostile files from clang: what would nest too deeply for a parser that recurses, or grow
// without bounds by macros that expand to macros, is refused here with its line.
#pragma once

#include "verify/program.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ggsnn::verify {

struct FrontLimits {
    std::size_t bytes = std::size_t{4} << 20; // of all files read together
    int nesting = 200;                        // brackets
    long statement = 4000;                    // words between one of ; { } and the next, macros expanded
    int alternatives = 400;                   // else if .. else if .. in a row
    int includes = 200;                       // files read, each time they are
    int refusals = 50;                        // kept for one function
    int instructions = 1'000'000;             // of the whole program
};

// A word of the text, without comments and white space.
struct Word {
    enum class Kind { name, number, text, sign };
    Kind kind = Kind::sign;
    std::string_view text; // into Scan::text
    std::size_t offset = 0;
    int line = 0;
    bool starts_line = false; // the first of a logical line (backslash and newline join lines)
};

// A comment that begins with @, up to where it ends.
struct Annotation {
    struct Piece {
        std::string text; // one line of it, without the comment's signs
        Position position;
    };
    std::vector<Piece> pieces;
    std::size_t offset = 0;    // of the comment
    std::size_t following = 0; // of the next word; the size of the text if there is none
    bool whole_lines = true;   // written as //@: neighbours may continue it
};

struct Include {
    std::string name;
    bool quoted = false; // "name", not <name>
    Position position;
};

// Views point into the text given: it must outlive the scan.
struct Scan {
    std::string name; // of the file, for messages
    std::vector<Word> words;
    std::vector<Annotation> annotations;
    std::vector<Include> includes;
    bool guarded = false; // wrapped in #ifndef X, #define X, or has #pragma once
    std::string guard;    // that X
};

// Takes the text apart. Throws Error with file:line for what cannot be (an unfinished comment).
Scan scan_text(std::string_view text, const std::string& name);

// Throws Error with file:line where the files together, the first being the one to verify, go beyond limits.
void check_limits(const std::vector<Scan>& files, const FrontLimits& limits);

} // namespace ggsnn::verify
