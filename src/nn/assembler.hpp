// From examples to the chunks that networks read.
#pragma once

#include "ggsnn/nn/dataset.hpp"
#include "ggsnn/nn/head.hpp"

namespace ggsnn {

// How a network reads examples.
struct Reading {
    int annotation = 0; // at least schema.annotation(embedding)
    int embedding = 0;  // inputs go to a layer that makes this many numbers of them; 0: they are annotations
    bool mean = false;  // messages are averaged
    int reach = 0;      // nodes up to so many edges apart hear each other (with_reach); 0 or 1: neighbours

    int added_types() const { return reach > 1 ? reach - 1 : 0; }
};

// The largest graph for which nodes further away may be heard.
inline constexpr int most_reaching = 2000;

// Puts examples into a chunk, for a network that reads annotations of this width. With targets false only
// annotations are set (answers may be absent). Large graphs are not copied (Chunk::append): data must outlive
// the chunk's use.
template <class T>
class Assembler {
  public:
    // The schema must outlive the assembler.
    Assembler(const Schema& schema, const Reading& reading)
        : schema_(&schema), head_(&head_of(schema.answer)), reading_(reading) {}

    void begin(Chunk<T>& chunk, const Loading& how) const;
    // place: of the example, in its minibatch. near: rows in that order; the chunk is empty then, and nothing
    // else comes into it.
    void append(Chunk<T>& chunk, const Dataset& data, const Example& example, const Loading& how,
                std::uint64_t place, std::shared_ptr<const NearFirst> near = nullptr) const;
    // Sets labels of sequences, which need the chunk's longest; call once after the last append.
    void finish(Chunk<T>& chunk, const Dataset& data, const std::vector<const Example*>& examples) const;
    // Weights of the targets in an example, added up: what the loss of a minibatch is divided by.
    double target_weight(const Example& example, const Loading& how) const;
    // Rows the example takes in a chunk.
    int rows(const Dataset& data, const Example& example) const;

  private:
    void set_inputs(Chunk<T>& chunk, const GraphRecord& record, double dropout, std::uint64_t key) const;
    void set_annotations(Chunk<T>& chunk, const GraphRecord& record, int first, double dropout,
                         std::uint64_t key) const;
    void set_observed(Chunk<T>& chunk, const Dataset& data,
                      const std::vector<const Example*>& examples) const;

    const Schema* schema_;
    const Head* head_;
    Reading reading_;
};

} // namespace ggsnn
