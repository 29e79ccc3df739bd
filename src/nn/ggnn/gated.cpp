// Gated graph networks as an architecture: learners are engines, answers are computed chunk by chunk with
// all members of the ensemble in step.
#include "ggsnn/nn/ggnn/explain.hpp"
#include "ggsnn/nn/ggnn/kind.hpp"
#include "ggsnn/nn/ggnn/passes.hpp"
#include "ggsnn/nn/train/learner.hpp"

#include <algorithm>

namespace ggsnn {

namespace {

struct Worker {
    Chunk<float> chunk;
    std::vector<Lane<float>> lanes = std::vector<Lane<float>>(large_lanes);
    std::vector<Workspace<float>> members; // one a member: sequences carry annotations from step to step
};

// One call of Architecture::answer.
class Answering {
  public:
    Answering(const GatedShape& shape, const Schema& schema, const Dataset& data,
              const std::vector<std::vector<float>>& networks, int longest, const PredictOptions& options,
              ThreadPool* pool)
        : network_(with_steps(shape, options.steps)),
          assembler_(schema, network_.shape().reading()),
          data_(data),
          networks_(networks),
          longest_(longest),
          options_(options),
          pool_(pool) {
        for (const auto& network : networks) {
            prepared_.emplace_back(network_.prepared_size(), 0.0F);
            network_.prepare(network.data(), false, prepared_.back().data());
        }
    }

    void run(const std::vector<const Example*>& examples, std::vector<Prediction*>& out) const {
        struct Job {
            std::vector<const Example*> members;
            std::vector<Prediction*> out;
        };
        // Chunks go to the threads one each. A large graph is a chunk that takes all threads itself, so it
        // must not be run by one of them: the pool is not reentrant.
        std::vector<Job> jobs, large;
        const int limit = chunk_rows(network_.shape().state);
        int filled = limit;
        for (std::size_t i = 0; i < examples.size(); ++i) {
            const int rows = assembler_.rows(data_, *examples[i]);
            if (rows > network_.shape().large()) {
                large.push_back({{examples[i]}, {out[i]}});
                continue;
            }
            if (filled + rows > limit) {
                jobs.emplace_back();
                filled = 0;
            }
            jobs.back().members.push_back(examples[i]);
            jobs.back().out.push_back(out[i]);
            filled += rows;
        }
        std::vector<Worker> workers(pool_ != nullptr ? pool_->workers() : 1);
        const auto one = [&](std::size_t i, int worker) {
            run_chunk(jobs[i].members, workers[worker], jobs[i].out.data());
        };
        run_jobs(pool_, jobs.size(), one);
        for (Job& job : large) run_chunk(job.members, workers[0], job.out.data());
    }

  private:
    void run_chunk(const std::vector<const Example*>& members, Worker& worker, Prediction* const* out) const;

    Network<float> network_;
    Assembler<float> assembler_;
    const Dataset& data_;
    const std::vector<std::vector<float>>& networks_;
    std::vector<std::vector<float>> prepared_; // of each
    int longest_;
    PredictOptions options_;
    ThreadPool* pool_;
};

void Answering::run_chunk(const std::vector<const Example*>& members, Worker& worker,
                          Prediction* const* out) const {
    const GatedShape& shape = network_.shape();
    Chunk<float>& chunk = worker.chunk;
    const Loading no_targets{.targets = false};
    assembler_.begin(chunk, no_targets);
    for (const Example* e : members) assembler_.append(chunk, data_, *e, no_targets, 0);
    const bool large = chunk.nodes > shape.large() && pool_ != nullptr;
    const Team<float> team{&worker.lanes, 0, large ? large_lanes : 1, pool_};
    worker.members.resize(std::max(worker.members.size(), networks_.size()));
    std::vector<Decoder> decoders;
    for (int g = 0; g < chunk.graphs(); ++g) {
        const int nodes = chunk.graph_start[g + 1] - chunk.graph_start[g];
        const bool over_nodes = !head_of(shape.answer).traits.classes;
        decoders.emplace_back(shape.answer, options_, std::max(4 * longest_, over_nodes ? nodes : 0));
    }
    const auto unfinished = [](const Decoder& decoder) { return !decoder.done(); };
    for (int k = 0; std::any_of(decoders.begin(), decoders.end(), unfinished); ++k) {
        for (std::size_t n = 0; n < networks_.size(); ++n) {
            const float* outputs =
                network_.outputs(chunk, networks_[n].data(), prepared_[n].data(), k, worker.members[n], team);
            for (int g = 0; g < chunk.graphs(); ++g)
                if (!decoders[g].done())
                    decoders[g].add(chunk, g, {outputs, shape.outputs, k}, networks_.size());
        }
        for (int g = 0; g < chunk.graphs(); ++g)
            if (!decoders[g].done()) decoders[g].take(*out[g]);
    }
}

class Gated : public Architecture {
  public:
    explicit Gated(const GatedShape& shape) : network_(shape) {}

    const GatedShape& shape() const { return network_.shape(); }
    const Kind& kind() const override { return kind_named("ggnn"); }
    const ParameterLayout& layout() const override { return network_.layout(); }
    Json to_json() const override { return shape_to_json(network_.shape()); }
    Description describe() const override { return describe_shape(network_.shape()); }

    std::unique_ptr<Passes<float>> passes(const Schema& schema, int workers, Keep keep) const override {
        return std::make_unique<GatedPasses<float>>(network_, schema, workers, keep);
    }
    bool is_large(double rows) const override { return rows > 1.5 * chunk_rows(network_.shape().state); }

    void answer(const Schema& schema, const Dataset& data, const std::vector<const Example*>& examples,
                const std::vector<std::vector<float>>& members, int longest, const PredictOptions& options,
                ThreadPool* pool, std::vector<Prediction*>& out) const override {
        Answering(network_.shape(), schema, data, members, longest, options, pool).run(examples, out);
    }

    Explanation explain(const Schema& schema, const Dataset& data, const Example& example,
                        const Prediction& answer, const std::vector<std::vector<float>>& members,
                        const ExplainOptions& options) const override {
        return explain_gated(network_.shape(), schema, data, example, answer, members, options);
    }

  private:
    Network<float> network_;
};

} // namespace

GatedShape with_steps(GatedShape shape, int steps) {
    if (shape.sets > 1 && steps > shape.sets)
        throw UsageError(
            fmt::format("--steps {}: each step of this network has matrices of its own, and there are "
                        "{} steps at the most",
                        steps, shape.sets));
    if (steps > 0) shape.steps = steps;
    return shape;
}

std::unique_ptr<Architecture> make_gated(const GatedShape& shape) {
    return std::make_unique<Gated>(shape);
}

const GatedShape& gated_shape(const Architecture& network) {
    const auto* gated = dynamic_cast<const Gated*>(&network);
    GGSNN_ASSERT(gated != nullptr);
    return gated->shape();
}

} // namespace ggsnn
