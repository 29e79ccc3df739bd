// ggsnn verify and ggsnn infer: verdicts, invariants and contracts of the functions of a C file.
#pragma once

#include "ggsnn/verify/verify_file.hpp"

namespace ggsnn::cli {

struct VerifyCommand {
    std::vector<std::string> inputs; // C files; `-` is standard input
    verify::FileOptions file;
    std::string replay;         // a C program to write that shows the first error, or empty
    std::string html;           // a page to write, or empty
    std::string sarif, witness; // files to write, or empty
    std::string property;       // what is judged; empty: everything, without a result line
    bool json = false;
};

// 0: everything that was asked is proved (infer: every file could be read). 1: something is unsafe, or a file
// could not be read. 3: something is unknown, and nothing unsafe.
int run_verify(const VerifyCommand& command);

} // namespace ggsnn::cli
