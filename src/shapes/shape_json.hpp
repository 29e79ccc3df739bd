// Answers of the networks for heaps, for programs and people.
#pragma once

#include "ggsnn/shapes/shape_predict.hpp"

namespace ggsnn::shapes {

std::string text_of(const Candidate& candidate);
OrderedJson to_json(const TraceStep& step);
// As `ggsnn heap predict --json` prints it (docs/shapes.md).
OrderedJson answer_json(const Group& group, const ShapeAnswer& answer, bool trace);

} // namespace ggsnn::shapes
