#include "ggsnn/base/error.hpp"

#include <cstdio>

namespace ggsnn {

void assertion_failed(const char* expression, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: internal error: expected %s\n", file, line, expression);
    std::abort();
}

} // namespace ggsnn
