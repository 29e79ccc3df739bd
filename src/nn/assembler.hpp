// From examples to the chunks that networks read.
#pragma once

#include "ggsnn/nn/dataset.hpp"
#include "ggsnn/nn/head.hpp"

namespace ggsnn {

// Puts examples into a chunk, for a network that reads annotations of this width. With targets false only
// annotations are set (answers may be absent). Large graphs are not copied (Chunk::append): data must outlive
// the chunk's use.
template <class T>
class Assembler {
  public:
    // annotation: at least schema.annotation(). The schema must outlive the assembler.
    Assembler(const Schema& schema, int annotation)
        : schema_(&schema), head_(&head_of(schema.answer)), annotation_(annotation) {}

    void begin(Chunk<T>& chunk) const { chunk.reset(schema_->edge_types.size(), annotation_); }
    void append(Chunk<T>& chunk, const Dataset& data, const Example& example, bool targets) const;
    // Sets labels of sequences, which need the chunk's longest; call once after the last append.
    void finish(Chunk<T>& chunk, const Dataset& data, const std::vector<const Example*>& examples) const;
    // Weighted targets in an example: what the loss of a minibatch is divided by.
    long target_count(const Example& example) const;
    // Rows the example takes in a chunk.
    int rows(const Dataset& data, const Example& example) const;

  private:
    void set_observed(Chunk<T>& chunk, const Dataset& data,
                      const std::vector<const Example*>& examples) const;

    const Schema* schema_;
    const Head* head_;
    int annotation_;
};

} // namespace ggsnn
