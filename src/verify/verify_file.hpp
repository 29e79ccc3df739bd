// A C file, all of it: read, verified and told, as the program, its page and other languages do it.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/verify/verify.hpp"
#include "ggsnn/verify/verify_page.hpp"

namespace ggsnn::verify {

struct FileOptions {
    std::vector<std::string> flags; // of the compiler
    std::string compile_commands;   // compile_commands.json, or empty
    std::string specification;      // a file of its own, or empty
    std::vector<std::string> functions;
    bool infer = false, allocation_may_fail = false, proof_only = false;
    bool assertions = true;                          // are part of what is proved
    bool page = false, replay = false, view = false; // to be made, too
    std::uint64_t memory = std::uint64_t{6} << 30;   // bytes it may use
    double timeout = 30;                             // seconds of wall time, reading included
    std::uint64_t seed = 1;
};

enum class FileOutcome { proved = 0, bad = 1, unknown = 3 }; // the numbers are exit codes

struct FileResult {
    FileOutcome outcome = FileOutcome::proved; // bad: something is unsafe, or the file could not be read
    std::string text;                          // for people
    std::string message;                       // for standard error
    std::string page;                          // of verify_section
    std::string replay;                        // a C program that shows the first error; empty: none
    OrderedJson report;                        // docs/verify.md
    OrderedJson view;                          // verify_view.hpp
};

// text: the program, where it is not in a file; then path is its name. It runs in a process of its own:
// whatever happens there, there is an answer in time. Throws UsageError.
FileResult verify_file(const std::string& path, const std::optional<std::string>& text,
                       const FileOptions& options, const Inference& inference);

// What a page has of it; REQUIRES FileOptions::page.
PageSection page_section(const std::string& path, const FileResult& result);

} // namespace ggsnn::verify
