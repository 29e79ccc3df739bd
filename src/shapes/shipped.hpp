// The trained models that come with the program (models/), held in the binary.
#pragma once

#include "ggsnn/shapes/shape_model.hpp"

namespace ggsnn::shapes {

// Throws Error if the program was built without them.
ShapeModel shipped_model(Grammar grammar);

} // namespace ggsnn::shapes
