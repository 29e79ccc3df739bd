// In place of the front end where libclang was not found.
#include "base/error.hpp"
#include "verify/front.hpp"

namespace ggsnn::verify {

namespace {

[[noreturn]] void missing(const std::string& path) {
    fail(
        "{}: this program was built without libclang, which reads C: install libclang-19-dev and build again",
        path);
}

} // namespace

bool front_available() {
    return false;
}
Program read_program(const std::string& path, const FrontLimits&) {
    missing(path);
}
Program read_program_text(std::string_view, const std::string& path, const FrontLimits&) {
    missing(path);
}

} // namespace ggsnn::verify
