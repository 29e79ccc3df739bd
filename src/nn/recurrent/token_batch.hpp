// Token sequences of different lengths in lockstep: the longest first, so that the sequences still running at
// step t are the first ones, and a step is one matrix product over them. A row is one sequence at one step;
// rows of a step lie together, steps in order. Nothing is padded.
#pragma once

#include "ggsnn/nn/dataset.hpp"

namespace ggsnn {

struct TokenBatch {
    // Fills the batch with `count` examples. With targets the last token of each, `ans`, is read once for
    // each label and, if end_class >= 0, once more for that class; without targets it is read once.
    void assign(const Example* const* examples, int count, bool targets, int end_class);

    int sequences() const { return static_cast<int>(order.size()); }
    int steps() const { return static_cast<int>(first_row.size()) - 1; }
    int rows() const { return first_row.back(); }
    int outputs() const { return static_cast<int>(out_row.size()); }

    std::vector<int> order;        // place of each sequence among the examples
    std::vector<int> first_row;    // of each step, and the number of rows
    std::vector<int> token;        // of each row
    std::vector<int> previous;     // row of the same sequence one step before; -1 in the first step
    std::vector<int> out_row;      // rows after which something is predicted
    std::vector<int> out_sequence; // which sequence of the batch that is
    std::vector<int> label;        // what should be predicted there; empty without targets
    double scale = 1;              // of the loss

  private:
    std::vector<int> length_; // of each example, repetitions of the last token included
};

} // namespace ggsnn
