// Numbers, of the graph or of each node: squared or absolute error over those that are present (not NaN).
// Networks see them standardised (Schema::scales).
#include "ggsnn/nn/heads/heads.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

namespace {

class ValueHead : public HeadOf<ValueHead> {
  public:
    explicit ValueHead(bool each_node)
        : HeadOf({.node_rows = each_node, .each_node = each_node, .numbers = true, .plain = true}) {}

    int outputs(const Schema& schema) const override { return schema.values; }

    template <class T>
    void targets_of(const Schema& schema, const Example& example, int, Targets<T>& targets) const {
        for (std::size_t i = 0; i < example.values.size(); ++i)
            targets.values.push_back(static_cast<T>(schema.scales.standardised(example.values[i], i)));
    }

    template <class T>
    void loss_of(const Chunk<T>& chunk, const Outputs<T>& out, T* d_out, Outcome& outcome,
                 std::vector<char>&) const {
        outcome.absolute.resize(out.count);
        outcome.present.resize(out.count);
        const std::size_t count = rows(chunk.nodes, chunk.graphs()), m = padded(out.count);
        for (std::size_t row = 0; row < count; ++row)
            row_loss(out.rows + row * m, chunk.targets.values.data() + row * out.count, out.count,
                     chunk.scale, chunk.targets.absolute, d_out != nullptr ? d_out + row * m : nullptr,
                     outcome);
    }

    void read(const Chunk<float>& chunk, int g, int i, const Outputs<float>& out,
              std::vector<double>& list) const override {
        const std::size_t row = traits.node_rows ? chunk.graph_start[g] + i : g;
        const float* from = out.rows + row * padded(out.count);
        list.assign(from, from + out.count);
    }

  private:
    // Absolute errors are squares this near to 0, in deviations, so that training settles.
    static constexpr double near = 0.1;
    static double rounded(double difference) {
        const double size = std::abs(difference);
        return size < near ? size * size / (2 * near) : size - near / 2;
    }
    template <class T>
    static void row_loss(const T* out, const T* values, int count, T scale, bool absolute, T* d_out,
                         Outcome& outcome) {
        for (int i = 0; i < count; ++i) {
            if (std::isnan(values[i])) continue;
            const T difference = out[i] - values[i];
            outcome.loss += double(scale) * (absolute ? rounded(double(difference))
                                                      : double(difference) * double(difference));
            outcome.absolute[i] += std::abs(double(difference));
            ++outcome.present[i];
            ++outcome.targets;
            outcome.weight += 1;
            if (d_out != nullptr)
                d_out[i] =
                    absolute ? scale * std::clamp(difference / T(near), T(-1), T(1)) : 2 * scale * difference;
        }
    }
};

} // namespace

const Head& value_head() {
    static const ValueHead head(false);
    return head;
}

const Head& node_value_head() {
    static const ValueHead head(true);
    return head;
}

} // namespace ggsnn
