// Runs another program with limits, and keeps what it says. Safe to call from several threads.
#pragma once

#include <string>
#include <vector>

namespace ggsnn::attack {

struct Command {
    std::vector<std::string> words;       // words[0] is looked up in PATH
    std::vector<std::string> environment; // NAME=value, beside what we have ourselves
    std::string folder;                   // to run in; empty: ours
    std::string input_path = "/dev/null";
    double seconds = 10;              // then it is killed, with all that it started
    std::size_t max_output = 1 << 16; // bytes kept of each stream; the rest is read and dropped
};

struct Outcome {
    int status = 0; // exit code; 128 + number of the signal that ended it
    int signal = 0;
    bool timed_out = false;
    double seconds = 0;
    long kilobytes = 0; // at most, of the program and of what it waited for
    std::string output, errors;

    bool good() const { return status == 0 && !timed_out; }
};

// Throws Error if no process can be made. A program that is not there has the status 127.
Outcome run(const Command& command);

} // namespace ggsnn::attack
