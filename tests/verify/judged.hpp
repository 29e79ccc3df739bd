// A C text in, verdicts out: what the tests of whole programs and of preconditions share.
#pragma once

#include "ggsnn/verify/read/read.hpp"
#include "ggsnn/verify/verify.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace ggsnn::verify {

inline const Inference& shipped_networks() {
    static const Inference one;
    return one;
}

class Judging : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!reading_available()) GTEST_SKIP() << "built without LLVM";
    }
    static ProgramReport judged(const std::string& text, const VerifyOptions& options = {}) {
        const std::string list =
            "#include <stdlib.h>\n"
            "typedef struct n { int v; struct n *next; } n;\n"; // so that texts begin in line 3
        return verify_program(read_program_text(list + text, "t.c"), shipped_networks(), options);
    }
    // The only function of a text, or main.
    static FunctionReport verdict_on(const std::string& text, const VerifyOptions& options = {}) {
        ProgramReport report = judged(text, options);
        if (report.functions.size() != 1) throw std::runtime_error("not one function");
        return std::move(report.functions[0]);
    }
    static bool has(const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    }
};

#define EXPECT_VERDICT(report, wanted)                                                                       \
    EXPECT_STREQ(name_of((report).verdict), name_of(Verdict::wanted))                                        \
        << (report).reason << " under " << logic::print((report).requires_, logic::Reading::program)

} // namespace ggsnn::verify
