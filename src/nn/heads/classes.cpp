// Classes: softmax and cross entropy, over one row for the graph, or over a row for each of its labelled
// nodes.
#include "ggsnn/nn/heads/heads.hpp"

namespace ggsnn {

namespace {

// The label of a row against its outputs.
template <class T>
void row_loss(const Chunk<T>& chunk, const Outputs<T>& out, std::size_t row, int label, T* d_out,
              Outcome& outcome, char& wrong) {
    const std::size_t at = row * padded(out.count);
    const std::vector<T>& weights = chunk.targets.class_weights;
    const T weight = weights.empty() ? T(1) : weights[label];
    const bool right = cross_entropy(
        out.rows + at, out.count, 1, label, weights.empty() ? chunk.scale : chunk.scale * weight,
        d_out != nullptr ? d_out + at : nullptr, outcome.loss, chunk.targets.smoothing);
    count_label(outcome, right, wrong, double(weight));
}

template <class Own>
class Classes : public HeadOf<Own> {
  public:
    using HeadOf<Own>::HeadOf;

    int outputs(const Schema& schema) const override {
        return schema.classes.size() + (is_sequence(schema.answer) ? 1 : 0); // and 'end'
    }
    template <class T>
    void targets_of(const Schema&, const Example& example, int, Targets<T>& targets) const {
        targets.labels.insert(targets.labels.end(), example.labels.begin(), example.labels.end());
    }
    void read(const Chunk<float>& chunk, int g, int i, const Outputs<float>& out,
              std::vector<double>& list) const override {
        const std::size_t row = this->traits.node_rows ? chunk.graph_start[g] + i : g;
        softmax(out.rows + row * padded(out.count), out.count, 1, list);
    }
};

class ClassHead : public Classes<ClassHead> {
  public:
    ClassHead() : Classes({.classes = true, .plain = true}) {}

    template <class T>
    void loss_of(const Chunk<T>& chunk, const Outputs<T>& out, T* d_out, Outcome& outcome,
                 std::vector<char>& wrong) const {
        const std::size_t steps = chunk.targets.steps;
        for (int g = 0; g < chunk.graphs(); ++g) {
            const int label = chunk.targets.labels[g * steps + out.step];
            if (label >= 0) row_loss(chunk, out, g, label, d_out, outcome, wrong[g]);
        }
    }
};

class NodeClassHead : public Classes<NodeClassHead> {
  public:
    NodeClassHead() : Classes({.node_rows = true, .each_node = true, .classes = true, .plain = true}) {}

    template <class T>
    void loss_of(const Chunk<T>& chunk, const Outputs<T>& out, T* d_out, Outcome& outcome,
                 std::vector<char>& wrong) const {
        for (int g = 0; g < chunk.graphs(); ++g)
            for (int v = chunk.graph_start[g]; v < chunk.graph_start[g + 1]; ++v)
                if (const int label = chunk.targets.labels[v]; label >= 0)
                    row_loss(chunk, out, v, label, d_out, outcome, wrong[g]);
    }
};

} // namespace

const Head& class_head() {
    static const ClassHead head;
    return head;
}

const Head& node_class_head() {
    static const NodeClassHead head;
    return head;
}

} // namespace ggsnn
