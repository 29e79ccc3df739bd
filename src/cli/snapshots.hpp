// ggsnn snapshots: heaps at entries, loop heads and returns of the functions of a C file.
#pragma once

#include <cstdint>
#include <string>

namespace ggsnn::cli {

struct SnapshotsOptions {
    std::string input;         // a C file
    std::string specification; // a file of its own, or empty
    std::string function;      // empty: all
    std::string output = "-";  // JSON lines; - is standard output
    std::uint64_t seed = 1;    // of inputs
    int inputs = 36;           // runs of each function at the most
};

// One heap a line, with the keys "function", "location" ("entry", "loop:LINE", "return"), "run" (from 0 in
// each function) and "call" for recursive calls. What was assumed, refused and found goes to standard error.
// Returns 0, or 1 if no function could be run.
int run_snapshots(const SnapshotsOptions& options);

} // namespace ggsnn::cli
