// The original graph neural network as an architecture: learners that add up batches in a fixed order, and
// answers.
#include "ggsnn/nn/ggnn/engine.hpp"
#include "ggsnn/nn/gnn/gnn.hpp"

namespace ggsnn {

namespace {

class GnnLearner : public Learner {
  public:
    GnnLearner(const Gnn<float>& network, const Schema& schema, ThreadPool* pool)
        : network_(network),
          batches_(network.shape(), schema),
          pool_(pool),
          lanes_(lane_count),
          work_(lane_count),
          prepared_(network.prepared_size(), 0.0f) {}

    void load(const Dataset& data, const std::vector<const Example*>& examples, bool targets) override {
        batches_.load(data, examples, targets);
    }

    Outcome evaluate(const float* parameters) override {
        network_.prepare(parameters, prepared_.data());
        return run(parameters, false);
    }

    Outcome evaluate(const float* parameters, float* gradient) override {
        const std::size_t size = network_.layout().size();
        network_.prepare(parameters, prepared_.data());
        const int lanes = std::min(batches_.size(), lane_count);
        for (int l = 0; l < lanes; ++l) lanes_[l].gradient.zeroed(size);
        const Outcome outcome = run(parameters, true);
        std::fill(gradient, gradient + size, 0.0f);
        for (int l = 0; l < lanes; ++l) {
            const float* part = lanes_[l].gradient.data();
            for (std::size_t i = 0; i < size; ++i) gradient[i] += part[i];
        }
        network_.finish(prepared_.data(), gradient);
        return outcome;
    }

  private:
    static constexpr int lane_count = 8;

    // Batch b belongs to lane b % lanes: which batches add up first does not depend on threads.
    Outcome run(const float* parameters, bool gradient) {
        outcomes_.assign(batches_.size(), Outcome());
        const int lanes = std::min(batches_.size(), lane_count);
        const auto one = [&](std::size_t l, int) {
            const Team<float> team{&lanes_, static_cast<int>(l), 1, nullptr};
            for (int b = static_cast<int>(l); b < batches_.size(); b += lanes)
                outcomes_[b] =
                    network_.run(batches_[b], parameters, prepared_.data(), gradient, work_[l], team);
        };
        if (pool_ != nullptr) {
            pool_->run(lanes, one);
        } else {
            for (int l = 0; l < lanes; ++l) one(l, 0);
        }
        Outcome total;
        for (const Outcome& outcome : outcomes_) total.add(outcome);
        return total;
    }

    const Gnn<float>& network_;
    GnnBatches<float> batches_;
    ThreadPool* pool_;
    std::vector<Lane<float>> lanes_;
    std::vector<GnnWork<float>> work_;
    std::vector<float> prepared_;
    std::vector<Outcome> outcomes_;
};

// Adds a member's outputs for one graph (from row `first` of the outputs) to the lists of its prediction.
void add_outputs(const NetworkShape& shape, const float* outputs, int first, int nodes, double weight,
                 Prediction& out) {
    const int m = padded(shape.outputs);
    const bool per_node = shape.answer == Answer::node_class || shape.answer == Answer::node_value;
    out.lists.resize(per_node ? nodes : 1);
    std::vector<double> list;
    for (std::size_t i = 0; i < out.lists.size(); ++i) {
        const float* row = outputs + (static_cast<std::size_t>(first) + i) * m;
        if (is_regression(shape.answer)) {
            list.assign(row, row + shape.outputs);
        } else if (shape.answer == Answer::node) {
            softmax(row, nodes, m, list);
        } else {
            softmax(row, shape.outputs, 1, list);
        }
        out.lists[i].resize(list.size(), 0);
        for (std::size_t j = 0; j < list.size(); ++j) out.lists[i][j] += weight * list[j];
    }
}

class GnnArchitecture : public Architecture {
  public:
    GnnArchitecture(const NetworkShape& shape, const Schema& schema) : network_(shape), schema_(schema) {}

    const ParameterLayout& layout() const override { return network_.layout(); }

    std::unique_ptr<Learner> learner(ThreadPool* pool, Keep) const override {
        return std::make_unique<GnnLearner>(network_, schema_, pool);
    }

    bool is_large(double rows) const override {
        return rows > 1.5 * Engine<float>::chunk_rows(network_.shape().state);
    }

    void answer(const Dataset& data, const std::vector<const Example*>& examples,
                const std::vector<std::vector<float>>& members, int, const PredictOptions& options,
                ThreadPool* pool, std::vector<Prediction*>& out) const override {
        if (options.steps > 0)
            throw UsageError("--steps: the original graph neural network propagates until its states settle");
        GnnBatches<float> batches(network_.shape(), schema_);
        batches.load(data, examples, false);
        std::vector<int> begins = {0}; // first example of each batch
        for (int b = 0; b < batches.size(); ++b) begins.push_back(begins.back() + batches[b].chunk.graphs());
        std::vector<std::vector<float>> prepared;
        for (const auto& parameters : members)
            network_.prepare(parameters.data(), prepared.emplace_back(network_.prepared_size(), 0.0f).data());
        const auto one = [&](std::size_t b, int) {
            answer_batch(batches[static_cast<int>(b)], members, prepared, examples.data() + begins[b],
                         out.data() + begins[b]);
        };
        if (pool != nullptr) {
            pool->run(batches.size(), one);
        } else {
            for (int b = 0; b < batches.size(); ++b) one(b, 0);
        }
    }

  private:
    void answer_batch(const GnnBatch<float>& batch, const std::vector<std::vector<float>>& members,
                      const std::vector<std::vector<float>>& prepared, const Example* const* examples,
                      Prediction* const* out) const {
        const NetworkShape& shape = network_.shape();
        std::vector<Lane<float>> lanes(1);
        GnnWork<float> work;
        const Team<float> team{&lanes, 0, 1, nullptr};
        const Chunk<float>& chunk = batch.chunk;
        for (std::size_t n = 0; n < members.size(); ++n) {
            const float* outputs = network_.outputs(batch, members[n].data(), prepared[n].data(), work, team);
            if (outputs == nullptr)
                fail_at(examples[0]->place,
                        "the states of this graph, or of one of the {} after it, do not settle within {} "
                        "iterations: on these "
                        "graphs the network is no contraction; training it with --edge-function linear makes "
                        "sure that it is",
                        chunk.graphs() - 1, network_.most_iterations());
            for (int g = 0; g < chunk.graphs(); ++g) {
                const int first = network_.super_node() ? g : chunk.graph_start[g];
                add_outputs(shape, outputs, first, chunk.graph_start[g + 1] - chunk.graph_start[g],
                            1.0 / double(members.size()), *out[g]);
            }
        }
        for (int g = 0; g < chunk.graphs() && !is_regression(shape.answer); ++g)
            for (const auto& list : out[g]->lists)
                out[g]->labels.push_back(
                    static_cast<int>(std::max_element(list.begin(), list.end()) - list.begin()));
    }

    Gnn<float> network_;
    const Schema& schema_;
};

} // namespace

std::unique_ptr<Architecture> make_gnn_architecture(const NetworkShape& shape, const Schema& schema) {
    return std::make_unique<GnnArchitecture>(shape, schema);
}

} // namespace ggsnn
