#include "verify/front_unit.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "verify/front_headers.hpp"

#include <algorithm>
#include <filesystem>

namespace ggsnn::verify {

namespace {

constexpr const char* header_folder = "/ggsnn-headers";
constexpr const char* source_folder = "/ggsnn-source";

} // namespace

std::string text_of(CXString string) {
    const char* text = clang_getCString(string);
    std::string copy = text == nullptr ? "" : text;
    clang_disposeString(string);
    return copy;
}

Cursors children(Cursor c) {
    Cursors all;
    clang_visitChildren(
        c,
        [](CXCursor child, CXCursor, CXClientData data) {
            static_cast<Cursors*>(data)->push_back(child);
            return CXChildVisit_Continue;
        },
        &all);
    return all;
}

std::optional<long long> constant(Cursor c) {
    CXEvalResult result = clang_Cursor_Evaluate(c);
    if (result == nullptr) return std::nullopt;
    std::optional<long long> value;
    if (clang_EvalResult_getKind(result) == CXEval_Int) {
        value = clang_EvalResult_isUnsignedInt(result) != 0
                    ? static_cast<long long>(clang_EvalResult_getAsUnsigned(result))
                    : clang_EvalResult_getAsLongLong(result);
    }
    clang_EvalResult_dispose(result);
    return value;
}

Cursor strip_parens(Cursor c) {
    while (kind_of(c) == CXCursor_ParenExpr) {
        const Cursors inner = children(c);
        if (inner.size() != 1) break;
        c = inner[0];
    }
    return c;
}

Cursor strip_casts(Cursor c) {
    for (;;) {
        const CXCursorKind kind = kind_of(c);
        if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr && kind != CXCursor_CStyleCastExpr)
            return c;
        const Cursors inner = children(c);
        if (inner.empty() || (kind != CXCursor_CStyleCastExpr && inner.size() != 1)) return c;
        c = inner.back(); // a written cast may have its type first
    }
}

Unit::Unit(std::string text, const std::string& path, const std::string& folder, const FrontLimits& limits) {
    const std::string name = std::filesystem::path(path).filename().string();
    const std::string main = folder.empty()
                                 ? std::string(source_folder) + "/" + (name.empty() ? "main.c" : name)
                                 : (std::filesystem::path(folder) / name).string();
    if (text.size() > limits.bytes) fail("{}: larger than {} bytes", path, limits.bytes);
    bytes_ = text.size();
    add_file(std::move(text), path, main);
    find_includes(*files_[0], folder, limits);
    std::vector<Scan> scans;
    scans.reserve(files_.size());
    for (const auto& file : files_) scans.push_back(file->scan);
    check_limits(scans, limits);
    parse();
}

Unit::~Unit() {
    if (unit_ != nullptr) clang_disposeTranslationUnit(unit_);
    if (index_ != nullptr) clang_disposeIndex(index_);
}

void Unit::add_file(std::string text, const std::string& name, const std::string& path) {
    auto file = std::make_unique<SourceFile>();
    file->name = name;
    file->path = path;
    file->text = std::move(text);
    file->scan = scan_text(file->text, name);
    files_.push_back(std::move(file));
}

// Local includes are read here, within limits, and never by clang. A file without a guard counts each time it
// is included, and must not include itself: its growth is bounded.
void Unit::find_includes(const SourceFile& file, const std::string& folder, const FrontLimits& limits) {
    namespace fs = std::filesystem;
    open_.push_back(file.path);
    for (const Include& include : file.scan.includes) {
        const Place place{file.name, include.position.line};
        if (++included_ > limits.includes) fail_at(place, "more than {} includes", limits.includes);
        std::error_code error;
        const fs::path here = fs::path(file.path).parent_path() / include.name;
        if (!folder.empty() && include.quoted && fs::is_regular_file(here, error)) {
            const std::string path = here.lexically_normal().string();
            const auto known =
                std::find_if(files_.begin(), files_.end(), [&](auto& f) { return f->path == path; });
            const bool again = known != files_.end();
            if (again && (*known)->scan.guarded) continue;
            if (std::find(open_.begin(), open_.end(), path) != open_.end())
                fail_at(place, "\"{}\" includes itself without a guard", include.name);
            if (!again) {
                std::string text = read_file(path, limits.bytes - bytes_);
                bytes_ += text.size();
                add_file(std::move(text), (fs::path(file.name).parent_path() / include.name).string(), path);
            }
            const SourceFile& inner = again ? **known : *files_.back();
            find_includes(inner, folder, limits);
        } else if (standard_header(include.name).empty()) {
            const fs::path name(include.name);
            const bool odd = name.is_absolute() || fs::exists(here, error) ||
                             std::find(name.begin(), name.end(), "..") != name.end();
            if (odd) fail_at(place, "cannot include '{}': no such file", include.name);
            // Perhaps nothing of it is needed: an empty file stands in, and is named if clang finds mistakes.
            missing_.push_back({fmt::format("{}:{}", place.text(), include.position.column), include.name});
            stubs_.emplace_back(fmt::format("{}/{}", header_folder, include.name), "\n");
        }
    }
    open_.pop_back();
}

void Unit::parse() {
    for (const char* header :
         {"stdlib.h", "stdio.h", "stddef.h", "stdarg.h", "stdbool.h", "string.h", "assert.h", "limits.h",
          "stdint.h", "malloc.h", "ctype.h", "time.h", "unistd.h", "inttypes.h", "errno.h", "math.h"})
        stubs_.emplace_back(fmt::format("{}/{}", header_folder, header), standard_header(header));
    std::vector<CXUnsavedFile> unsaved;
    for (const auto& file : files_)
        unsaved.push_back({file->path.c_str(), file->text.c_str(), file->text.size()});
    for (const auto& [path, text] : stubs_) unsaved.push_back({path.c_str(), text.c_str(), text.size()});
    // Older programs call functions that they did not declare: that is a warning, as it was then.
    const char* arguments[] = {"-xc",
                               "-std=gnu17",
                               "--target=x86_64-unknown-linux-gnu",
                               "-nostdinc",
                               "-nobuiltininc",
                               "-isystem",
                               header_folder,
                               "-w",
                               "-Wno-error=implicit-function-declaration",
                               "-Wno-error=implicit-int",
                               "-ferror-limit=20"};
    index_ = clang_createIndex(0, 0);
    const CXErrorCode code = clang_parseTranslationUnit2(
        index_, files_[0]->path.c_str(), arguments, static_cast<int>(std::size(arguments)), unsaved.data(),
        static_cast<unsigned>(unsaved.size()), CXTranslationUnit_None, &unit_);
    if (code != CXError_Success || unit_ == nullptr)
        fail("{}: clang cannot read this file (its error code is {})", files_[0]->name,
             static_cast<int>(code));
    for (const auto& file : files_) handles_.push_back(clang_getFile(unit_, file->path.c_str()));
    report(clang_getNumDiagnostics(unit_));
}

// The first mistake, as an Error.
void Unit::report(unsigned errors) const {
    for (unsigned i = 0; i < errors; ++i) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit_, i);
        const bool bad = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
        const Where place = where(clang_getDiagnosticLocation(diagnostic));
        const std::string message = text_of(clang_getDiagnosticSpelling(diagnostic));
        clang_disposeDiagnostic(diagnostic);
        if (!bad) continue;
        const SourceFile& file = *files_[place.file < 0 ? 0 : static_cast<std::size_t>(place.file)];
        const std::string text =
            fmt::format("{}:{}:{}: {}", file.name, place.position.line, place.position.column, message);
        if (missing_.empty()) fail("{}", text);
        fail("{}: include '{}' is not found, and something of it seems to be needed: {}", missing_[0].place,
             missing_[0].name, text);
    }
}

Where Unit::where(CXSourceLocation location) const {
    CXFile file = nullptr;
    unsigned line = 0, column = 0, offset = 0;
    clang_getExpansionLocation(location, &file, &line, &column, &offset);
    Where result;
    result.offset = offset;
    result.position = {static_cast<int>(line), static_cast<int>(column)};
    // By handle, not by clang_File_isEqual: files that are only in memory all count as equal there.
    const auto found = std::find(handles_.begin(), handles_.end(), file);
    if (file != nullptr && found != handles_.end()) result.file = static_cast<int>(found - handles_.begin());
    return result;
}

} // namespace ggsnn::verify
