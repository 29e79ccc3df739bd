// What a training must not write over, and what it can go on with.
#pragma once

#include "ggsnn/cli/commands.hpp"

#include <string>

namespace ggsnn {

// What a file is, for messages: "a model", "a checkpoint of training", "a gzipped file", "text", ... Devices
// and pipes are "" (they may be written), and so are empty files and those that do not exist.
std::string what_is(const std::string& path);

// Throws UsageError or Error, before the work, where the model, the log or the checkpoint cannot be written,
// or would replace what is none: data, another kind of file, a checkpoint that is still good.
void check_files(const TrainCommand& command);

} // namespace ggsnn
