// Built-in recipes: how to train on data of a kind when nothing is said. Figures behind them are in
// docs/results.md.
#pragma once

#include "nn/trainer.hpp"

namespace ggsnn {

// For data with this schema and this many training examples.
TrainOptions recipe_for(const Schema& schema, std::size_t examples);
// The same for the original graph neural network.
TrainOptions gnn_recipe_for(const Schema& schema, std::size_t examples);

} // namespace ggsnn
