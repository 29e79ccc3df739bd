// Errors. What the user did wrong is an exception that says what, where, what was found and what was
// expected; main catches it once. What we did wrong is an assertion: GGSNN_ASSERT stays on in release.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace ggsnn {

// The input or the result is bad: exit code 1.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What was asked for makes no sense, whatever the data: wrong usage, exit code 2.
struct UsageError : Error {
    using Error::Error;
};

// The user asked to stop (Ctrl-C): exit code 130.
struct Interrupted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A place in an input file. line 0 means the file as a whole.
struct Place {
    std::string file;
    long line = 0;

    std::string text() const { return line > 0 ? fmt::format("{}:{}", file, line) : file; }
};

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
    throw Error(fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void fail_at(const Place& place, fmt::format_string<Args...> format, Args&&... args) {
    throw Error(place.text() + ": " + fmt::format(format, std::forward<Args>(args)...));
}

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

#define GGSNN_ASSERT(expression)                                                                             \
    ((expression) ? void(0) : ::ggsnn::assertion_failed(#expression, __FILE__, __LINE__))

} // namespace ggsnn
