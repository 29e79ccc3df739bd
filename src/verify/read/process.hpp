// A program run in a process of its own, with limits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ggsnn::verify {

struct Process {
    std::vector<std::string> arguments; // the first is the program's path
    std::string folder;                 // where it runs; empty: the current one
    std::string input;                  // its standard input
    double seconds = 20;                // of wall time; of its own time a little more
    std::uint64_t memory = std::uint64_t{2} << 30;
    std::uint64_t output = std::uint64_t{256} << 20; // bytes it may write
};

struct ProcessResult {
    enum class End { done, failed, killed, time };
    End end = End::failed;
    std::string output;   // standard output
    std::string messages; // the first of standard error
};

// No shell, no named files: input and output are unnamed temporary ones. Throws Error when it cannot be
// started.
ProcessResult run_process(const Process& process);

} // namespace ggsnn::verify
