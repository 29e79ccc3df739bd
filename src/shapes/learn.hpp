// Training of all decisions of an algorithm.
#pragma once

#include "ggsnn/nn/train/trainer.hpp"
#include "ggsnn/shapes/shape_model.hpp"

#include <optional>

namespace ggsnn::shapes {

struct LearnOptions {
    int graphs = 60; // heaps a formula, at the most; validation takes a quarter of that
    std::uint64_t seed = 1;
    std::optional<long> updates; // of every decision; default: a recipe for each
    std::optional<int> restarts, batch;
    std::optional<double> learning_rate;
    std::optional<int> state; // D of all; default 16 for quantifiers and where all predicates are, else 8
};

struct LearnHooks {
    Progress* progress = nullptr;
    std::string checkpoint; // beginning of file names; empty: none
    bool resume = false;
    double checkpoint_seconds = 5;
};

// How the network of a decision is trained.
TrainOptions recipe_of(Decision decision, Grammar grammar, const LearnOptions& options);

// folder holds train.jsonl.gz and valid.jsonl.gz (or .jsonl); which grammar is found from the data: formulas
// with other predicates than ls and tree are wide, heaps with `val` links are nested. Throws Error,
// Interrupted.
ShapeModel learn_shapes(const std::string& folder, const LearnOptions& options, ThreadPool& pool,
                        const LearnHooks& hooks = {});

} // namespace ggsnn::shapes
