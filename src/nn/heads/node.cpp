// One node of the graph: softmax over its nodes' scores, cross entropy (the paper's node selection).
#include "ggsnn/nn/heads/heads.hpp"

namespace ggsnn {

namespace {

class NodeHead : public HeadOf<NodeHead> {
  public:
    NodeHead() : HeadOf({.node_rows = true, .plain = true}) {}

    int outputs(const Schema&) const override { return 1; }

    template <class T>
    void targets_of(const Schema&, const Example& example, int first, Targets<T>& targets) const {
        targets.labels.push_back(first + example.labels[0]);
    }

    template <class T>
    void loss_of(const Chunk<T>& chunk, const Outputs<T>& out, T* d_out, Outcome& outcome,
                 std::vector<char>& wrong) const {
        const std::size_t m = padded(out.count), steps = chunk.targets.steps;
        for (int g = 0; g < chunk.graphs(); ++g) {
            const int label = chunk.targets.labels[g * steps + out.step];
            if (label < 0) continue;
            const int first = chunk.graph_start[g], nodes = chunk.graph_start[g + 1] - first;
            const bool right = cross_entropy(
                out.rows + first * m, nodes, static_cast<std::ptrdiff_t>(m), label - first, chunk.scale,
                d_out != nullptr ? d_out + first * m : nullptr, outcome.loss, chunk.targets.smoothing);
            count_label(outcome, right, wrong[g]);
        }
    }

    void read(const Chunk<float>& chunk, int g, int, const Outputs<float>& out,
              std::vector<double>& list) const override {
        const int m = padded(out.count), first = chunk.graph_start[g];
        softmax(out.rows + static_cast<std::size_t>(first) * m, chunk.graph_start[g + 1] - first, m, list);
    }
};

} // namespace

const Head& node_head() {
    static const NodeHead head;
    return head;
}

} // namespace ggsnn
