// ggsnn verify and ggsnn infer: verdicts, invariants and contracts of the functions of a C file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ggsnn::cli {

struct VerifyCommand {
    std::vector<std::string> inputs; // C files
    std::string specification;       // a file of its own, or empty
    std::vector<std::string> functions;
    std::string html; // a page to write, or empty
    bool json = false, infer = false, allocation_may_fail = false;
    double timeout = 8; // processor seconds for one function
    std::uint64_t seed = 1;
};

// 0 only if everything that was asked is proved (infer: if every file could be read).
int run_verify(const VerifyCommand& command);

} // namespace ggsnn::cli
