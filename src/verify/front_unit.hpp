// A C file as libclang gives it: the files that belong to it, the tree of cursors, and short names for what
// is asked of a cursor. Used by the front end only, where libclang is found.
#pragma once

#include "verify/front_scan.hpp"

#include <clang-c/Index.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ggsnn::verify {

using Cursor = CXCursor;
using Cursors = std::vector<CXCursor>;

struct CursorHash {
    std::size_t operator()(const Cursor& c) const { return clang_hashCursor(c); }
};
struct CursorEqual {
    bool operator()(const Cursor& a, const Cursor& b) const { return clang_equalCursors(a, b) != 0; }
};

// Where a cursor stands, after macros are expanded.
struct Where {
    int file = -1; // index in Unit::files; -1: a stand-in header, or nowhere
    std::size_t offset = 0;
    Position position;
};

struct SourceFile {
    std::string name; // as messages show it
    std::string path; // as clang knows it
    std::string text;
    Scan scan;
};

class Unit {
  public:
    // Reads and parses. Throws Error as read_program does. folder: where local includes are, empty for none.
    Unit(std::string text, const std::string& path, const std::string& folder, const FrontLimits& limits);
    ~Unit();
    Unit(const Unit&) = delete;
    Unit& operator=(const Unit&) = delete;

    const std::vector<std::unique_ptr<SourceFile>>& files() const { return files_; }
    Cursor root() const { return clang_getTranslationUnitCursor(unit_); }
    Where where(CXSourceLocation location) const;
    Where where(Cursor c) const { return where(clang_getCursorLocation(c)); }
    Where begin(Cursor c) const { return where(clang_getRangeStart(clang_getCursorExtent(c))); }
    Where end(Cursor c) const { return where(clang_getRangeEnd(clang_getCursorExtent(c))); }
    Position position(Cursor c) const { return where(c).position; }

  private:
    void add_file(std::string text, const std::string& name, const std::string& path);
    void find_includes(const SourceFile& file, const std::string& folder, const FrontLimits& limits);
    void parse();
    void report(unsigned errors) const;

    std::vector<std::unique_ptr<SourceFile>> files_;
    std::vector<std::pair<std::string, std::string>> stubs_; // path and text of stand-in headers
    struct Missing {
        std::string place, name;
    };
    std::vector<Missing> missing_; // includes that were found nowhere
    std::size_t bytes_ = 0;
    int included_ = 0;
    std::vector<std::string> open_; // paths of files being included, against circles without guards
    CXIndex index_ = nullptr;
    CXTranslationUnit unit_ = nullptr;
    std::vector<CXFile> handles_; // by index in files_
};

std::string text_of(CXString string);
inline std::string name_of(Cursor c) {
    return text_of(clang_getCursorSpelling(c));
}
Cursors children(Cursor c);
inline CXCursorKind kind_of(Cursor c) {
    return clang_getCursorKind(c);
}
inline CXType type_of(Cursor c) {
    return clang_getCanonicalType(clang_getCursorType(c));
}
// The value of a constant integer expression.
std::optional<long long> constant(Cursor c);
// Without parentheses.
Cursor strip_parens(Cursor c);
// Without parentheses and casts, also those that are not written.
Cursor strip_casts(Cursor c);

} // namespace ggsnn::verify
