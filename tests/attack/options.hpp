// The command line of the attack.
#pragma once

#include "examine.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ggsnn::attack {

struct Options {
    Examination how;
    std::string corpus, confirm, keep = "attack-found", style, only;
    std::uint64_t seed = 1;
    long count = 100;
    double seconds = 0; // 0: no limit
    int jobs = 1;
    long floor = 0; // so many must be proved
    double shrink_seconds = 60;
    bool verbose = false;
    bool allocation_may_fail = false;
    bool help = false;
};

extern const char* const usage;

// Throws UsageError.
Options parse(const std::vector<std::string>& words);

} // namespace ggsnn::attack
