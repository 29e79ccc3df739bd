// From examples to what the original graph neural network takes in: node labels from a training set, and
// batches with labels, super nodes and messages.
#pragma once

#include "ggsnn/nn/assembler.hpp"
#include "ggsnn/nn/gnn/messages.hpp"
#include "ggsnn/nn/gnn/shape.hpp"

#include <memory>

namespace ggsnn {

// Labels and triples of the training data; throws Error where there are too many labels to be labels.
// The schema is that of the training data, with scales.
LabelTable find_labels(const Dataset& train, const Schema& schema);

// Whole graphs side by side. With a super node, it is the last of its graph, and its annotation is zero.
template <class T>
struct GnnBatch {
    Chunk<T> chunk;
    std::vector<int> labels; // per row
    Messages<T> messages;
};

// Cuts examples into batches. The cut depends on the examples alone.
template <class T>
class GnnBatches {
  public:
    // The shape and the schema must outlive it.
    GnnBatches(const GnnShape& shape, const Schema& schema)
        : shape_(shape), assembler_(schema, Reading{.annotation = shape.annotation}) {}

    // With targets, chunk.scale is 1 / (targets of all the examples). Throws Error for a node whose label is
    // not in the table.
    void load(const Dataset& data, const std::vector<const Example*>& examples, const Loading& how);

    int size() const { return used_; }
    const GnnBatch<T>& operator[](int i) const { return *batches_[i]; }

  private:
    bool super_node() const { return !head_of(shape_.answer).traits.node_rows; }
    void begin(const Loading& how);
    void append(GnnBatch<T>& batch, const Dataset& data, const Example& example, const Loading& how);

    const GnnShape& shape_;
    Assembler<T> assembler_;
    std::vector<std::unique_ptr<GnnBatch<T>>> batches_;
    int used_ = 0;
};

} // namespace ggsnn
