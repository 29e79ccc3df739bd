// What the tests of the reader share.
#pragma once

#include "ggsnn/verify/read/print.hpp"
#include "ggsnn/verify/read/read.hpp"

#include "ggsnn/base/error.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace ggsnn::verify {

inline const std::string list_types = "#include <stdlib.h>\n"
                                      "typedef struct node { int val; struct node *next; } node;\n";

inline const Function& find(const Program& program, const std::string& name) {
    const int f = program.function_called(name);
    if (f < 0) throw std::runtime_error("no function " + name);
    return program.functions[static_cast<std::size_t>(f)];
}

inline std::vector<std::string> refusals(const Function& function) {
    std::vector<std::string> all;
    for (const Block& block : function.blocks)
        for (const Instruction& i : block.instructions)
            if (i.kind == Instruction::Kind::refuse) all.push_back(i.name);
    return all;
}

class Read : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!reading_available()) GTEST_SKIP() << "built without LLVM";
    }
    static Program read(const std::string& text, const std::vector<std::string>& flags = {}) {
        ReadOptions options;
        options.flags = flags;
        return read_program_text(text, "test.c", options);
    }
    // The function f of a text, printed.
    static std::string lines(const std::string& text, const std::vector<std::string>& flags = {}) {
        const Program program = read(text, flags);
        return print(program, find(program, "f"));
    }
    static std::vector<std::string> refused(const std::string& text,
                                            const std::vector<std::string>& flags = {}) {
        const Program program = read(text, flags);
        return refusals(find(program, "f"));
    }
    static std::string error_of(const std::string& text, const ReadOptions& options = {}) {
        try {
            read_program_text(text, "test.c", options);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
    static int count(const Function& function, Instruction::Kind kind) {
        int n = 0;
        for (const Block& block : function.blocks)
            for (const Instruction& i : block.instructions) n += i.kind == kind ? 1 : 0;
        return n;
    }
};

} // namespace ggsnn::verify
