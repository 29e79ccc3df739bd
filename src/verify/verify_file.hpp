// A C file, all of it: read, verified and told, as the program, its page and other languages do it.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/verify/verify.hpp"
#include "ggsnn/verify/verify_page.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ggsnn::verify {

struct FileOptions {
    std::vector<std::string> flags; // of the compiler
    std::string compile_commands;   // compile_commands.json, or empty
    std::string specification;      // a file of its own, or empty
    std::vector<std::string> functions;
    bool infer = false, allocation_may_fail = false, proof_only = false;
    bool assertions = true;                          // are part of what is proved
    bool cleanup = false;                            // all memory must be freed before main ends
    bool page = false, replay = false, view = false; // to be made, too
    std::uint64_t memory = std::uint64_t{6} << 30;   // bytes it may use
    double timeout = 30;                             // seconds of wall time, reading included
    std::uint64_t seed = 1;
    // A folder where verdicts are kept from run to run, or empty. Not asked where a page, a replay or a view
    // is to be made, or nothing to be proved.
    std::string cache;
    int jobs = 1; // files, and functions of a file, at the same time; the result is the same
};

enum class FileOutcome { proved = 0, bad = 1, unknown = 3 }; // the numbers are exit codes

struct FileResult {
    FileOutcome outcome = FileOutcome::proved; // bad: something is unsafe, or the file could not be read
    std::string text;                          // for people
    std::string message;                       // for standard error
    std::string usage;                         // why it could not even be tried; empty: it was
    std::string page;                          // of verify_section
    std::string replay;                        // a C program that shows the first error; empty: none
    OrderedJson report;                        // docs/verify.md
    OrderedJson view;                          // verify_view.hpp
};

// To go from process to process.
std::string encoded(const FileResult& result);
FileResult decoded(const std::string& bytes);

struct FileTask {
    std::string path;
    std::optional<std::string> text; // as below
    std::string shown;               // its name for people; empty: the path without folders
};

// Several files, each in a process of its own with limits of its own, FileOptions::jobs at the same time.
// told is given the results in the order of the files, as soon as they are there.
void verify_files(const std::vector<FileTask>& tasks, const FileOptions& options, const Inference& inference,
                  const std::function<void(std::size_t, FileResult)>& told);

// text: the program, where it is not in a file; then path is its name. It runs in a process of its own:
// whatever happens there, there is an answer in time. Throws UsageError.
FileResult verify_file(const std::string& path, const std::optional<std::string>& text,
                       const FileOptions& options, const Inference& inference);

// What a page has of it; REQUIRES FileOptions::page. shown: its name for people.
PageSection page_section(const std::string& shown, const FileResult& result);

} // namespace ggsnn::verify
