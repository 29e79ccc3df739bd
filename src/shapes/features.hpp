// Hand-made features of heaps for the baseline (the paper compares with Brockschmidt et al. 2015, whose
// program and features are not published; these are a reconstruction): degree histograms per field as 1-grams
// over nodes and 2-grams over links, of the whole heap and of what the active node reaches; what the active
// node's path meets first and how far; in-degrees of two; whether what is reached is a tree; how much is
// explained; earlier predictions.
#pragma once

#include "ggsnn/shapes/decision.hpp"

namespace ggsnn::shapes {

// One row for each candidate of a decision: the heap as a whole for classes, every node for nodes and
// annotations.
struct FeatureRows {
    int width = 0;
    std::vector<float> values; // rows x width

    int rows() const { return width > 0 ? static_cast<int>(values.size()) / width : 0; }
    const float* row(int i) const { return values.data() + static_cast<std::size_t>(i) * width; }
};

FeatureRows features_of(Decision decision, const logic::Heap& heap, const Marks& marks);

} // namespace ggsnn::shapes
