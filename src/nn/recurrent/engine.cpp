#include "ggsnn/nn/recurrent/engine.hpp"

#include <algorithm>

namespace ggsnn {

template <class T>
RecurrentEngine<T>::RecurrentEngine(const Recurrent<T>& network, ThreadPool* pool)
    : network_(&network),
      pool_(pool),
      lane_(most_lanes),
      projected_(network.projected_size()),
      transposed_(network.transposed_size(), T(0)) {
    if (pool_ == nullptr) {
        own_pool_ = std::make_unique<ThreadPool>(1);
        pool_ = own_pool_.get();
    }
}

template <class T>
void RecurrentEngine<T>::load(const std::vector<const Example*>& examples, bool targets) {
    const int count = static_cast<int>(examples.size());
    const int end_class = network_->shape().sequence ? network_->shape().outputs - 1 : -1;
    used_ = (count + batch_sequences - 1) / batch_sequences;
    if (used_ > static_cast<int>(batches_.size())) batches_.resize(used_);
    long labels = 0;
    for (int b = 0; b < used_; ++b) {
        const int first = count * b / used_, last = count * (b + 1) / used_;
        batches_[b].assign(examples.data() + first, last - first, targets, end_class);
        labels += static_cast<long>(batches_[b].label.size());
    }
    for (int b = 0; b < used_; ++b) batches_[b].scale = 1 / static_cast<double>(std::max(1L, labels));
}

template <class T>
Outcome RecurrentEngine<T>::run(const TokenBatch& batch, const T* parameters, bool gradient,
                                Lane& lane) const {
    network_->forward(batch, parameters, projected_.data(), lane.tape);
    const int outputs = network_->shape().outputs, m = padded(outputs);
    const T* scores = lane.tape.scores.data();
    T* d_scores =
        gradient ? lane.tape.d_scores.zeroed(static_cast<std::size_t>(batch.outputs()) * m) : nullptr;
    Outcome outcome;
    lane.wrong.assign(batch.sequences(), 0);
    for (int o = 0; o < batch.outputs(); ++o) {
        const std::size_t at = static_cast<std::size_t>(o) * m;
        const bool right = cross_entropy(scores + at, outputs, 1, batch.label[o], static_cast<T>(batch.scale),
                                         gradient ? d_scores + at : nullptr, outcome.loss);
        ++outcome.targets;
        outcome.correct += right ? 1 : 0;
        if (!right) lane.wrong[batch.out_sequence[o]] = 1;
    }
    outcome.answers = batch.sequences();
    outcome.solved = std::count(lane.wrong.begin(), lane.wrong.end(), 0);
    if (gradient) {
        T* sum = lane.gradient.data();
        network_->backward(batch, transposed_.data(), lane.tape, sum, sum + network_->layout().size());
    }
    return outcome;
}

template <class T>
Outcome RecurrentEngine<T>::run_all(const T* parameters, bool gradient) {
    network_->project(parameters, projected_.data());
    outcomes_.assign(used_, Outcome());
    lanes_ = std::min(used_, most_lanes);
    pool_->run(lanes_, [&](std::size_t l, int) {
        Lane& lane = lane_[l];
        if (gradient) lane.gradient.zeroed(network_->layout().size() + network_->projected_size());
        for (int b = static_cast<int>(l); b < used_; b += lanes_)
            outcomes_[b] = run(batches_[b], parameters, gradient, lane);
    });
    Outcome total;
    for (const Outcome& outcome : outcomes_) total.add(outcome);
    return total;
}

template <class T>
Outcome RecurrentEngine<T>::evaluate(const T* parameters) {
    return run_all(parameters, false);
}

template <class T>
Outcome RecurrentEngine<T>::evaluate(const T* parameters, T* gradient) {
    network_->transpose_weights(parameters, transposed_.data());
    const Outcome outcome = run_all(parameters, true);
    const std::size_t size = network_->layout().size(), all = size + network_->projected_size();
    std::fill(gradient, gradient + size, T(0));
    if (lanes_ == 0) return outcome;
    T* sum = lane_[0].gradient.data();
    for (int l = 1; l < lanes_; ++l) {
        const T* part = lane_[l].gradient.data();
        for (std::size_t i = 0; i < all; ++i) sum[i] += part[i];
    }
    std::copy(sum, sum + size, gradient);
    network_->unproject(parameters, transposed_.data(), sum + size, gradient);
    return outcome;
}

template class RecurrentEngine<float>;
template class RecurrentEngine<double>;

namespace {

// One call of Architecture::answer. The members of an ensemble go in step: when a sequence ends is decided by
// their average.
class Answering {
  public:
    Answering(const Recurrent<float>& network, const std::vector<std::vector<float>>& members, int most)
        : network_(network), members_(members), most_(most), projected_(members.size()) {
        for (std::size_t m = 0; m < members.size(); ++m) {
            projected_[m].resize(network.projected_size());
            network.project(members[m].data(), projected_[m].data());
        }
    }

    void run(const Example* const* examples, int count, Prediction* const* out) const {
        TokenBatch batch;
        batch.assign(examples, count, false, -1);
        std::vector<RecurrentTape<float>> tapes(members_.size());
        std::vector<std::vector<float>> states(members_.size());
        for (std::size_t m = 0; m < members_.size(); ++m) begin(batch, m, tapes[m], states[m]);
        std::vector<char> ended(count, 0);
        for (int k = 0;; ++k) {
            bool all_ended = true;
            for (int o = 0; o < count; ++o) {
                const int sequence = batch.order[batch.out_sequence[o]];
                if (ended[sequence] == 0) ended[sequence] = take(tapes, o, k, *out[sequence]) ? 1 : 0;
                all_ended = all_ended && ended[sequence] != 0;
            }
            if (all_ended) return;
            for (std::size_t m = 0; m < members_.size(); ++m) go_on(batch, m, tapes[m], states[m]);
        }
    }

  private:
    // Reads the tokens; states become those of the outputs, one a sequence.
    void begin(const TokenBatch& batch, std::size_t m, RecurrentTape<float>& tape,
               std::vector<float>& states) const {
        network_.forward(batch, members_[m].data(), projected_[m].data(), tape);
        const std::size_t width = network_.state_width();
        for (int row : batch.out_row) {
            const float* state = tape.state.data() + row * width;
            states.insert(states.end(), state, state + width);
        }
    }

    // Reads `ans` once more.
    void go_on(const TokenBatch& batch, std::size_t m, RecurrentTape<float>& tape,
               std::vector<float>& states) const {
        const int count = batch.outputs(), width = network_.state_width();
        const std::vector<int> tokens(count, batch.token[batch.out_row[0]]);
        std::vector<float> next(states.size());
        network_.step(count, tokens.data(), members_[m].data(), projected_[m].data(), states.data(),
                      next.data(), tape.gates.data(), tape.tanh_c.data());
        states.swap(next);
        network_.output(count, {states.data(), width}, members_[m].data(), tape.scores.data());
    }

    // Output o of step k into the prediction; whether that was the last.
    bool take(const std::vector<RecurrentTape<float>>& tapes, int o, int k, Prediction& prediction) const {
        const NetworkShape& shape = network_.shape();
        std::vector<double> list(shape.outputs, 0), part;
        for (const auto& tape : tapes) {
            softmax(tape.scores.data() + static_cast<std::size_t>(o) * padded(shape.outputs), shape.outputs,
                    1, part);
            for (int j = 0; j < shape.outputs; ++j) list[j] += part[j] / static_cast<double>(tapes.size());
        }
        const int label = static_cast<int>(std::max_element(list.begin(), list.end()) - list.begin());
        const bool end = shape.sequence && label + 1 == shape.outputs;
        if (!end) prediction.labels.push_back(label);
        prediction.lists.push_back(std::move(list));
        prediction.capped = shape.sequence && !end && k + 1 >= most_;
        return !shape.sequence || end || prediction.capped;
    }

    const Recurrent<float>& network_;
    const std::vector<std::vector<float>>& members_;
    int most_;
    std::vector<std::vector<float>> projected_;
};

class RecurrentArchitecture : public Architecture {
  public:
    explicit RecurrentArchitecture(const NetworkShape& shape) : network_(shape) {}

    const ParameterLayout& layout() const override { return network_.layout(); }

    std::unique_ptr<Learner> learner(ThreadPool* pool, Keep) const override {
        class Adapter : public Learner {
          public:
            Adapter(const Recurrent<float>& network, ThreadPool* threads) : engine_(network, threads) {}
            void load(const Dataset&, const std::vector<const Example*>& examples, bool targets) override {
                engine_.load(examples, targets);
            }
            Outcome evaluate(const float* parameters) override { return engine_.evaluate(parameters); }
            Outcome evaluate(const float* parameters, float* gradient) override {
                return engine_.evaluate(parameters, gradient);
            }

          private:
            RecurrentEngine<float> engine_;
        };
        return std::make_unique<Adapter>(network_, pool);
    }

    // Several runs side by side use the threads better than several batches of one run.
    bool is_large(double) const override { return false; }

    void answer(const Dataset&, const std::vector<const Example*>& examples,
                const std::vector<std::vector<float>>& members, int longest, const PredictOptions& options,
                ThreadPool* pool, std::vector<Prediction*>& out) const override {
        const Answering answering(network_, members,
                                  options.most > 0 ? options.most : std::max(1, 4 * longest));
        constexpr std::size_t piece = RecurrentEngine<float>::batch_sequences;
        const auto one = [&](std::size_t i, int) {
            const std::size_t count = std::min(piece, examples.size() - i * piece);
            answering.run(examples.data() + i * piece, static_cast<int>(count), out.data() + i * piece);
        };
        const std::size_t jobs = (examples.size() + piece - 1) / piece;
        if (pool != nullptr) {
            pool->run(jobs, one);
        } else {
            for (std::size_t i = 0; i < jobs; ++i) one(i, 0);
        }
    }

  private:
    Recurrent<float> network_;
};

} // namespace

std::unique_ptr<Architecture> make_recurrent_architecture(const NetworkShape& shape) {
    return std::make_unique<RecurrentArchitecture>(shape);
}

} // namespace ggsnn
