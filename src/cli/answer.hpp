// What evaluate, predict and embed share: what they make of their options.
#pragma once

#include "ggsnn/cli/commands.hpp"
#include "ggsnn/tasks/record.hpp"

#include <memory>

namespace ggsnn::cli {

// Questions that are answered together: memory does not grow with the file.
constexpr std::size_t piece_examples = 2000;

// Throws UsageError on options that the model gives no meaning: they are not silently ignored.
void check_options(const AnswerCommand& command, const Model& model);

// The data of a command, with the targets that it or the model's training chose.
std::unique_ptr<RecordReader> open_data(const AnswerCommand& command, const Model& model,
                                        ReadOptions options);

} // namespace ggsnn::cli
