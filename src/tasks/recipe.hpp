// Recipes for the paper's tasks; what suits a kind of data in general is recipe_for in nn/kinds.hpp. Figures
// behind them are in docs/results.md.
#pragma once

#include "ggsnn/nn/kinds.hpp"

#include <optional>

namespace ggsnn {

// For one of the paper's tasks (generate.hpp names them), at the paper's sizes of state and annotation where
// they reach its figures. Throws Error on another name.
TrainOptions recipe_for_task(const std::string& task);

// The authors' settings for the recurrent baselines on one of the paper's tasks (babi4 babi15 babi16 babi18
// babi19 shortest-path eulerian-circuit); nothing for another task or a network that does not read tokens.
std::optional<TrainOptions> baseline_recipe(const std::string& kind, const std::string& task);

} // namespace ggsnn
