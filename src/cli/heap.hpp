// ggsnn heap: data, training and use of the networks that give heaps the formulas of their shapes. See
// main.cpp for what the options mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ggsnn {

struct HeapGenerateCommand {
    std::string kind; // flat, nested, wide: a folder; flat-stress, nested-stress: a file
    std::optional<int> formulas, graphs;
    std::string sizes, body_sizes;
    std::string split = "renaming";
    bool cycles = false;
    int scale = 10;
    std::uint64_t seed = 1;
    std::string output;
    int threads = 0;
    bool quiet = false;
};
int run_heap_generate(const HeapGenerateCommand& command);

struct HeapTrainCommand {
    std::string input, output;
    // What overrides the recipe of each decision.
    std::optional<long> updates;
    std::optional<int> restarts, state, batch;
    std::optional<double> learning_rate;
    std::uint64_t seed = 1;
    int threads = 0;
    bool resume = false, fresh = false, quiet = false;
    double checkpoint_seconds = 5;
};
int run_heap_train(const HeapTrainCommand& command);

struct HeapAnswerCommand { // evaluate and predict
    std::string model;     // empty: a built-in one, flat, nested or wide by the data
    std::string input;
    long skip = 0, count = 0; // heaps; count 0: all
    int steps = 0, beam = 0, threads = 0;
    int together = 1; // so many in a row, of those without a group, get one formula
    bool json = false, trace = false;
};
int run_heap_evaluate(const HeapAnswerCommand& command);
int run_heap_predict(const HeapAnswerCommand& command);

// What evaluate and predict were given belongs to `ggsnn heap`: a model for heaps, or without a model a file
// of them.
bool is_about_heaps(const std::string& model, const std::string& input);

} // namespace ggsnn
