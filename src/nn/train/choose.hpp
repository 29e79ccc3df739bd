// What is trained with: a recipe for the data, and over it what the user gave. All settings, those of
// training (options.hpp) and those of the kind of network (kinds.hpp), are given alike, by their names.
#pragma once

#include "ggsnn/nn/dataset.hpp"
#include "ggsnn/nn/train/options.hpp"

namespace ggsnn {

struct Kind;

// Throws UsageError where a setting is unknown or has no meaning for this kind of network.
void check_given(const Kind& kind, const Json& given);

// The recipe with these settings instead of its own. Throws UsageError where they have no meaning for the
// kind of network or for the data, and Error where a value is none that they can have.
TrainOptions choose_options(const Dataset& train, TrainOptions recipe, const Json& given);

} // namespace ggsnn
