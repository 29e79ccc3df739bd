// What the heads share: each function is written once for both number types.
#pragma once

#include "ggsnn/nn/dataset.hpp"
#include "ggsnn/nn/head.hpp"

#include <cstring>

namespace ggsnn {

// Writes each function of a head once, as a template of the number type: targets_of, loss_of.
template <class Own>
class HeadOf : public Head {
  public:
    using Head::Head;
    void add_targets(const Schema& schema, const Example& example, int first,
                     Targets<float>& targets) const override {
        own().targets_of(schema, example, first, targets);
    }
    void add_targets(const Schema& schema, const Example& example, int first,
                     Targets<double>& targets) const override {
        own().targets_of(schema, example, first, targets);
    }
    void loss(const Chunk<float>& chunk, const Outputs<float>& out, float* d_out, Outcome& outcome,
              std::vector<char>& wrong) const override {
        clear(chunk, out, d_out);
        own().loss_of(chunk, out, d_out, outcome, wrong);
    }
    void loss(const Chunk<double>& chunk, const Outputs<double>& out, double* d_out, Outcome& outcome,
              std::vector<char>& wrong) const override {
        clear(chunk, out, d_out);
        own().loss_of(chunk, out, d_out, outcome, wrong);
    }

  private:
    const Own& own() const { return static_cast<const Own&>(*this); }
    template <class T>
    void clear(const Chunk<T>& chunk, const Outputs<T>& out, T* d_out) const {
        if (d_out != nullptr)
            std::memset(d_out, 0, rows(chunk.nodes, chunk.graphs()) * padded(out.count) * sizeof(T));
    }
};

// A label of a graph, right or wrong, and its weight in the loss.
inline void count_label(Outcome& outcome, bool right, char& wrong, double weight = 1) {
    ++outcome.targets;
    outcome.weight += weight;
    outcome.correct += right ? 1 : 0;
    if (!right) wrong = 1;
}

} // namespace ggsnn
