// The commands for heaps: see main.cpp for what the options mean.
#pragma once

#include "ggsnn/cli/commands.hpp"

#include <optional>

namespace ggsnn {

struct HeapCommand {
    std::string task; // heap, heap-nested, heap-stress, heap-nested-stress
    int formulas = 327;
    std::optional<int> graphs;
    std::string sizes, body_sizes;
    bool cycles = false;
    int scale = 10;
    std::uint64_t seed = 1;
    std::string output;
    int threads = 0;
    bool quiet = false;
};

int run_generate_heap(const HeapCommand& command);
int run_train_shapes(const TrainCommand& command);
int run_evaluate_shapes(const UseCommand& command);
int run_predict_shapes(const UseCommand& command);
// Whether evaluate or predict is about heaps: by the model, or without one by the data.
bool wants_shapes(const UseCommand& command);

} // namespace ggsnn
