// ggsnn verify and ggsnn infer: verdicts, invariants and contracts of the functions of a C file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ggsnn::cli {

struct VerifyCommand {
    std::vector<std::string> inputs; // C files; `-` is standard input
    std::vector<std::string> flags;  // of the compiler
    std::string compile_commands;    // compile_commands.json, or empty
    std::string replay;              // a C program to write that shows the first error, or empty
    std::string specification;       // a file of its own, or empty
    std::vector<std::string> functions;
    std::string html; // a page to write, or empty
    bool json = false, infer = false, allocation_may_fail = false, proof_only = false;
    double timeout = 30; // seconds of wall time for one file, reading it included
    std::uint64_t seed = 1;
};

// 0: everything that was asked is proved (infer: every file could be read). 1: something is unsafe, or a file
// could not be read. 3: something is unknown, and nothing unsafe.
int run_verify(const VerifyCommand& command);

} // namespace ggsnn::cli
