// Built-in recipes: how to train on data of a kind when nothing is said. Figures behind them are in
// docs/results.md.
#pragma once

#include "ggsnn/nn/train/trainer.hpp"

#include <optional>

namespace ggsnn {

// For data with this schema and this many training examples.
TrainOptions recipe_for(const Schema& schema, std::size_t examples);
// The same for the original graph neural network.
TrainOptions gnn_recipe_for(const Schema& schema, std::size_t examples);

// For one of the paper's tasks (generate.hpp names them), at the paper's sizes of state and annotation where
// they reach its figures. Throws Error on another name.
TrainOptions recipe_for_task(const std::string& task);

// The same for the recurrent baselines. REQUIRES is_recurrent(kind).
TrainOptions recurrent_recipe(ModelKind kind);
// The authors' settings for one of the paper's tasks (babi4 babi15 babi16 babi18 babi19 shortest-path
// eulerian-circuit); nothing for another task or a network that is not recurrent.
std::optional<TrainOptions> baseline_recipe(ModelKind kind, const std::string& task);

} // namespace ggsnn
