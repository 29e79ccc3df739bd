// The words and the annotated comments of a C text as the preprocessor leaves it, with the files and lines
// that its line markers give, and where declarations and loops stand in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ggsnn::verify {

struct TextPlace {
    int file = 0; // Scan::files
    int line = 0, column = 0;
};

struct Word {
    enum class Kind { name, number, text, sign };
    Kind kind = Kind::sign;
    std::string_view text; // into the text scanned
    TextPlace place;
};

// A comment that begins with @.
struct Annotation {
    struct Piece {
        std::string text; // one line of it, without the comment's signs
        TextPlace place;
    };
    std::vector<Piece> pieces;
    std::size_t following = 0; // the next word; the number of words if there is none
};

// A declaration outside of functions, or the definition of a function.
struct Declaration {
    std::size_t begin = 0, end = 0; // words: the first, one behind the last
    std::size_t body = 0;           // of a function that is defined here: its {; else `end`
};

struct LoopHead {
    std::size_t begin = 0; // while, for, do
    std::size_t body = 0;  // the word behind the head
};

// Views point into the text given: it must outlive the scan.
struct Scan {
    std::vector<std::string> files;
    std::vector<Word> words; // of system headers: none
    std::vector<Annotation> annotations;

    std::vector<Declaration> declarations() const;
    std::vector<LoopHead> loops() const;
};

Scan scan_text(std::string_view text);

} // namespace ggsnn::verify
