// In place of the reader where LLVM was not found.
#include "ggsnn/base/error.hpp"
#include "ggsnn/verify/read/read.hpp"

namespace ggsnn::verify {

namespace {

[[noreturn]] void missing(const std::string& path) {
    fail(
        "{}: this program was built without LLVM, which reads C: install llvm-19-dev and clang-19, and build "
        "again",
        path);
}

} // namespace

bool reading_available() {
    return false;
}
Program read_program(const std::string& path, const ReadOptions&) {
    missing(path);
}
Program read_program_text(std::string_view, const std::string& path, const ReadOptions&) {
    missing(path);
}

} // namespace ggsnn::verify
