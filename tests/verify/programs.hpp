// Small C programs for the tests of this room.
#pragma once

#include "verify/front.hpp"
#include "verify/interpret.hpp"
#include "verify/program.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ggsnn::verify {

inline constexpr const char* list_types = "#include <stdlib.h>\n"
                                          "typedef struct node { int val; struct node *next; } node;\n";

// Tests of a build without libclang say so and stop.
#define GGSNN_NEEDS_CLANG()                                                                                  \
    if (!front_available()) GTEST_SKIP() << "built without libclang"

inline Program program_of(const std::string& text) {
    return read_program_text(text, "test.c");
}

inline int function_of(const Program& program, const std::string& name) {
    for (std::size_t f = 0; f < program.functions.size(); ++f)
        if (program.functions[f].name == name) return static_cast<int>(f);
    throw std::runtime_error("no function " + name);
}

inline const Function& find(const Program& program, const std::string& name) {
    return program.functions[static_cast<std::size_t>(function_of(program, name))];
}

// What reading a text is answered with: the message of its Error, or "".
inline std::string error_of(const std::string& text, const FrontLimits& limits = {}) {
    try {
        read_program_text(text, "test.c", limits);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

// A list of these values at a parameter: cells first .. first + n - 1 of the input; the pointer to it.
inline Value add_list(Input& input, int record, const std::vector<int>& values, int next_field = 1) {
    Value next = Value::of_cell(0);
    for (auto v = values.rbegin(); v != values.rend(); ++v) {
        Cell cell{Cell::State::live, record, false, std::vector<Value>(2)};
        cell.fields[static_cast<std::size_t>(next_field)] = next;
        cell.fields[static_cast<std::size_t>(1 - next_field)] = Value::of_number(*v);
        input.cells.push_back(cell);
        next = Value::of_cell(static_cast<int>(input.cells.size()) - 1);
    }
    return next;
}

// Runs a function without arguments.
inline Run run_plain(const Program& program, const std::string& name, const InterpretLimits& limits = {}) {
    Input input;
    input.globals.resize(program.globals.size());
    return interpret(program, function_of(program, name), input, limits);
}

} // namespace ggsnn::verify
