// Gated graph networks as an architecture: learners are engines, answers are computed chunk by chunk with
// all members of the ensemble in step.
#include "ggsnn/nn/ggnn/engine.hpp"

#include <algorithm>
#include <map>

namespace ggsnn {

namespace {

struct Worker {
    Chunk<float> chunk;
    std::vector<Lane<float>> lanes = std::vector<Lane<float>>(Engine<float>::large_lanes);
    std::vector<Workspace<float>> members; // one a member: sequences carry annotations from step to step
    std::vector<double> probabilities;
};

NetworkShape with_steps(NetworkShape shape, int steps) {
    if (steps > 0) shape.steps = steps;
    return shape;
}

int best_of(const std::vector<double>& list) {
    return static_cast<int>(std::max_element(list.begin(), list.end()) - list.begin());
}

void add_to(std::vector<double>& sum, const std::vector<double>& part, double weight) {
    sum.resize(part.size(), 0);
    for (std::size_t i = 0; i < part.size(); ++i) sum[i] += weight * part[i];
}

// One call of Architecture::answer.
class Answering {
  public:
    Answering(const NetworkShape& shape, const Schema& schema, const Dataset& data,
              const std::vector<std::vector<float>>& networks, int longest, const PredictOptions& options,
              ThreadPool* pool)
        : network_(with_steps(shape, options.steps)),
          assembler_(schema, network_.shape()),
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
        const int limit = Engine<float>::chunk_rows(network_.shape().state);
        int filled = limit;
        for (std::size_t i = 0; i < examples.size(); ++i) {
            const int rows = assembler_.rows(data_, *examples[i]);
            if (rows > large_rows) {
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
        if (pool_ != nullptr) {
            pool_->run(jobs.size(), one);
        } else {
            for (std::size_t i = 0; i < jobs.size(); ++i) one(i, 0);
        }
        for (Job& job : large) run_chunk(job.members, workers[0], job.out.data());
    }

  private:
    using Lists = std::vector<std::vector<double>>;
    void run_chunk(const std::vector<const Example*>& members, Worker& worker, Prediction* const* out) const;
    void add_outputs(const Chunk<float>& chunk, std::size_t g, const float* outputs, Worker& worker,
                     Lists& lists) const;
    bool take(Prediction& prediction, Lists& lists, int steps_done, int most, BeamSearch* beam) const;

    Network<float> network_;
    Assembler<float> assembler_;
    const Dataset& data_;
    const std::vector<std::vector<float>>& networks_;
    std::vector<std::vector<float>> prepared_; // of each
    int longest_;
    PredictOptions options_;
    ThreadPool* pool_;
};

// What the ensemble says about one thing of graph g at output step k: probabilities, or numbers.
void Answering::add_outputs(const Chunk<float>& chunk, std::size_t g, const float* outputs, Worker& worker,
                            Lists& lists) const {
    const NetworkShape& shape = network_.shape();
    const int first = chunk.graph_start[g], nodes = chunk.graph_start[g + 1] - first,
              m = padded(shape.outputs);
    const auto row = [&](int i) { return outputs + static_cast<std::size_t>(i) * m; };
    const double weight = 1.0 / static_cast<double>(networks_.size());
    const int count = shape.answer == Answer::node_class || shape.answer == Answer::node_value ? nodes : 1;
    lists.resize(count);
    for (int i = 0; i < count; ++i) {
        const int at = is_per_node(shape.answer) ? first + i : static_cast<int>(g);
        if (is_regression(shape.answer)) {
            worker.probabilities.assign(row(at), row(at) + shape.outputs);
        } else if (shape.answer == Answer::node) {
            softmax(row(first), nodes, m, worker.probabilities);
        } else {
            softmax(row(at), shape.outputs, 1, worker.probabilities);
        }
        add_to(lists[i], worker.probabilities, weight);
    }
}

// Takes the lists of one output step into a prediction; true when it is complete.
bool Answering::take(Prediction& prediction, Lists& lists, int steps_done, int most, BeamSearch* beam) const {
    const NetworkShape& shape = network_.shape();
    if (!shape.sequence) {
        for (const auto& list : lists)
            if (!is_regression(shape.answer)) prediction.labels.push_back(best_of(list));
        prediction.lists = std::move(lists);
        return true;
    }
    const int label = best_of(lists[0]), end = static_cast<int>(lists[0].size()) - 1;
    bool ended = beam != nullptr ? beam->step(lists[0]) : label == end;
    if (beam == nullptr && !ended) prediction.labels.push_back(label);
    prediction.lists.push_back(std::move(lists[0]));
    if (!ended && steps_done >= most) ended = prediction.capped = true;
    if (!ended || beam == nullptr) return ended;
    prediction.sequences = beam->best();
    if (!prediction.sequences.empty()) prediction.labels = prediction.sequences.front().labels;
    prediction.capped = prediction.sequences.empty();
    return true;
}

void Answering::run_chunk(const std::vector<const Example*>& members, Worker& worker,
                          Prediction* const* out) const {
    const NetworkShape& shape = network_.shape();
    Chunk<float>& chunk = worker.chunk;
    assembler_.begin(chunk);
    for (const Example* e : members) assembler_.append(chunk, data_, *e, false);
    const bool large = chunk.nodes > large_rows && pool_ != nullptr;
    const Team<float> team{&worker.lanes, 0, large ? Engine<float>::large_lanes : 1, pool_};
    worker.members.resize(std::max(worker.members.size(), networks_.size()));
    std::vector<BeamSearch> beams(shape.sequence && options_.beam > 0 ? members.size() : 0,
                                  BeamSearch(options_.beam));
    std::vector<char> ended(members.size(), 0);
    std::vector<Lists> lists(members.size());
    for (int k = 0; std::find(ended.begin(), ended.end(), 0) != ended.end(); ++k) {
        for (auto& list : lists) list.clear();
        for (std::size_t n = 0; n < networks_.size(); ++n) {
            const float* outputs =
                network_.outputs(chunk, networks_[n].data(), prepared_[n].data(), k, worker.members[n], team);
            for (std::size_t g = 0; g < members.size(); ++g) add_outputs(chunk, g, outputs, worker, lists[g]);
        }
        for (std::size_t g = 0; g < members.size(); ++g) {
            if (ended[g] != 0) continue;
            const int nodes = chunk.graph_start[g + 1] - chunk.graph_start[g];
            const int usual = std::max(4 * longest_, shape.answer == Answer::node ? nodes : 0);
            const int most = options_.most > 0 ? options_.most : usual;
            ended[g] = take(*out[g], lists[g], k + 1, most, beams.empty() ? nullptr : &beams[g]) ? 1 : 0;
        }
    }
}

class Gated : public Architecture {
  public:
    Gated(const NetworkShape& shape, const Schema& schema) : network_(shape), schema_(schema) {}

    const ParameterLayout& layout() const override { return network_.layout(); }

    std::unique_ptr<Learner> learner(ThreadPool* pool, Keep keep) const override {
        class Adapter : public Learner {
          public:
            Adapter(const Network<float>& network, const Schema& schema, ThreadPool* threads, Keep keep_large)
                : engine_(network, schema, threads) {
                engine_.set_keep(keep_large);
            }
            void load(const Dataset& data, const std::vector<const Example*>& examples,
                      bool targets) override {
                engine_.load(data, examples, targets);
            }
            Outcome evaluate(const float* parameters) override { return engine_.evaluate(parameters); }
            Outcome evaluate(const float* parameters, float* gradient) override {
                return engine_.evaluate(parameters, gradient);
            }

          private:
            Engine<float> engine_;
        };
        return std::make_unique<Adapter>(network_, schema_, pool, keep);
    }

    bool is_large(double rows) const override {
        return rows > 1.5 * Engine<float>::chunk_rows(network_.shape().state);
    }

    void answer(const Dataset& data, const std::vector<const Example*>& examples,
                const std::vector<std::vector<float>>& members, int longest, const PredictOptions& options,
                ThreadPool* pool, std::vector<Prediction*>& out) const override {
        Answering(network_.shape(), schema_, data, members, longest, options, pool).run(examples, out);
    }

  private:
    Network<float> network_;
    const Schema& schema_;
};

} // namespace

std::unique_ptr<Architecture> make_gated_architecture(const NetworkShape& shape, const Schema& schema) {
    return std::make_unique<Gated>(shape, schema);
}

} // namespace ggsnn
