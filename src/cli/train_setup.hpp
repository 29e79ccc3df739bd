// What train and tune begin with: the data, and what is done with it.
#pragma once

#include "ggsnn/base/progress.hpp"
#include "ggsnn/base/ranks.hpp"
#include "ggsnn/cli/commands.hpp"
#include "ggsnn/tasks/split.hpp"

namespace ggsnn {

struct TrainSetup {
    Split split;
    TrainOptions options;
    std::string fingerprint; // of the data
};

// Reads the data and chooses options for it: a recipe, and what the user gave. Says both. Throws UsageError
// where they do not suit each other.
TrainSetup set_up(const TrainCommand& command, Progress& progress, Ranks& ranks);

} // namespace ggsnn
