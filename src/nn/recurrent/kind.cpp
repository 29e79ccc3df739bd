#include "ggsnn/nn/recurrent/kind.hpp"

#include "ggsnn/nn/recurrent/explain.hpp"

#include <algorithm>

namespace ggsnn {

template <class T>
RecurrentPasses<T>::RecurrentPasses(const Recurrent<T>& network, int workers)
    : network_(network),
      work_(workers),
      projected_(network.projected_size()),
      transposed_(network.transposed_size(), T(0)) {}

template <class T>
int RecurrentPasses<T>::load(const Dataset&, const std::vector<const Example*>& examples,
                             const Loading& how) {
    const bool targets = how.targets;
    const int count = static_cast<int>(examples.size());
    const RecurrentShape& shape = network_.shape();
    const int end_class = is_sequence(shape.answer) ? shape.outputs - 1 : -1;
    const int used = (count + batch_sequences - 1) / batch_sequences;
    if (used > static_cast<int>(batches_.size())) batches_.resize(used);
    long labels = 0;
    for (int b = 0; b < used; ++b) {
        const int first = count * b / used, last = count * (b + 1) / used;
        batches_[b].assign(examples.data() + first, last - first, targets, end_class);
        labels += static_cast<long>(batches_[b].label.size());
    }
    for (int b = 0; b < used; ++b) batches_[b].scale = 1 / static_cast<double>(std::max(1L, labels));
    return used;
}

template <class T>
void RecurrentPasses<T>::prepare(const T* parameters, bool gradient) {
    if (gradient) network_.transpose_weights(parameters, transposed_.data());
    network_.project(parameters, projected_.data());
}

template <class T>
Outcome RecurrentPasses<T>::pass(int number, const T* parameters, bool gradient, const Team<T>& team,
                                 int worker) {
    const TokenBatch& batch = batches_[number];
    RecurrentTape<T>& tape = work_[worker].tape;
    std::vector<char>& wrong = work_[worker].wrong;
    network_.forward(batch, parameters, projected_.data(), tape);
    const int outputs = network_.shape().outputs, m = padded(outputs);
    const T* scores = tape.scores.data();
    T* d_scores = gradient ? tape.d_scores.zeroed(static_cast<std::size_t>(batch.outputs()) * m) : nullptr;
    Outcome outcome;
    wrong.assign(batch.sequences(), 0);
    for (int o = 0; o < batch.outputs(); ++o) {
        const std::size_t at = static_cast<std::size_t>(o) * m;
        const bool right = cross_entropy(scores + at, outputs, 1, batch.label[o], static_cast<T>(batch.scale),
                                         gradient ? d_scores + at : nullptr, outcome.loss);
        ++outcome.targets;
        outcome.weight += 1;
        outcome.correct += right ? 1 : 0;
        if (!right) wrong[batch.out_sequence[o]] = 1;
    }
    outcome.answers = batch.sequences();
    outcome.solved = std::count(wrong.begin(), wrong.end(), 0);
    if (gradient) {
        T* sum = team.lane(0).gradient.data();
        network_.backward(batch, transposed_.data(), tape, sum, sum + network_.layout().size());
    }
    return outcome;
}

template <class T>
void RecurrentPasses<T>::finish(const T* parameters, T* gradient) {
    network_.unproject(parameters, transposed_.data(), gradient + network_.layout().size(), gradient);
}

template class RecurrentPasses<float>;
template class RecurrentPasses<double>;

namespace {

// One call of Architecture::answer. The members of an ensemble go in step: when a sequence ends is decided by
// their average.
class Answering {
  public:
    Answering(const Recurrent<float>& network, const std::vector<std::vector<float>>& members,
              const PredictOptions& options, int most)
        : network_(network), members_(members), options_(options), most_(most), projected_(members.size()) {
        for (std::size_t m = 0; m < members.size(); ++m) {
            projected_[m].resize(network.projected_size());
            network.project(members[m].data(), projected_[m].data());
        }
    }

    void run(const Example* const* examples, int count, Prediction* const* out) const {
        const int outputs = network_.shape().outputs;
        const auto scores = [&](const RecurrentTape<float>& tape, int o) {
            return tape.scores.data() + static_cast<std::size_t>(o) * padded(outputs);
        };
        TokenBatch batch;
        batch.assign(examples, count, false, -1);
        std::vector<RecurrentTape<float>> tapes(members_.size());
        std::vector<std::vector<float>> states(members_.size());
        for (std::size_t m = 0; m < members_.size(); ++m) begin(batch, m, tapes[m], states[m]);
        std::vector<Decoder> decoders(count, Decoder(network_.shape().answer, options_, most_));
        for (;;) {
            bool all_done = true;
            for (int o = 0; o < count; ++o) {
                const int sequence = batch.order[batch.out_sequence[o]];
                Decoder& decoder = decoders[sequence];
                if (decoder.done()) continue;
                for (const auto& tape : tapes) decoder.add(scores(tape, o), outputs, tapes.size());
                all_done = decoder.take(*out[sequence]) && all_done;
            }
            if (all_done) return;
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
                      next.data(), tape.gates.data(), tape.kept.data());
        states.swap(next);
        network_.output(count, {states.data(), width}, members_[m].data(), tape.scores.data());
    }

    const Recurrent<float>& network_;
    const std::vector<std::vector<float>>& members_;
    PredictOptions options_;
    int most_;
    std::vector<std::vector<float>> projected_;
};

class RecurrentArchitecture : public Architecture {
  public:
    explicit RecurrentArchitecture(const RecurrentShape& shape) : network_(shape) {}

    const Kind& kind() const override { return kind_named(network_.shape().cell->name); }
    const ParameterLayout& layout() const override { return network_.layout(); }
    Json to_json() const override {
        const RecurrentShape& s = network_.shape();
        return {{"model", s.cell->name},
                {"state", s.state},
                {"tokens", s.tokens},
                {"outputs", s.outputs},
                {"sequence", is_sequence(s.answer)}};
    }
    Description describe() const override {
        const RecurrentShape& s = network_.shape();
        return {.kind = fmt::format("{} that reads tokens", s.cell->title),
                .sizes = fmt::format("embeddings and state {}, {} tokens, {} outputs", s.state, s.tokens,
                                     s.outputs),
                .summary = fmt::format("{}, D = {}, {} tokens", s.cell->name, s.state, s.tokens),
                .facts = {{"state", s.state}, {"tokens", s.tokens}}};
    }

    std::unique_ptr<Passes<float>> passes(const Schema&, int workers, Keep) const override {
        return std::make_unique<RecurrentPasses<float>>(network_, workers);
    }
    // Several runs side by side use the threads better than several batches of one run.
    bool is_large(double) const override { return false; }

    void answer(const Schema&, const Dataset&, const std::vector<const Example*>& examples,
                const std::vector<std::vector<float>>& members, int longest, const PredictOptions& options,
                ThreadPool* pool, std::vector<Prediction*>& out) const override {
        const Answering answering(network_, members, options, std::max(1, 4 * longest));
        constexpr std::size_t piece = RecurrentPasses<float>::batch_sequences;
        run_jobs(pool, (examples.size() + piece - 1) / piece, [&](std::size_t i, int) {
            const std::size_t count = std::min(piece, examples.size() - i * piece);
            answering.run(examples.data() + i * piece, static_cast<int>(count), out.data() + i * piece);
        });
    }

    Explanation explain(const Schema& schema, const Dataset& data, const Example& example,
                        const Prediction& answer, const std::vector<std::vector<float>>& members,
                        const ExplainOptions& options) const override {
        return explain_recurrent(network_.shape(), schema, data, example, answer, members, options);
    }

  private:
    Recurrent<float> network_;
};

// What the schema says of a shape; whether it suits.
bool suits(const Schema& schema) {
    return schema.is_tokens() && has_classes(schema.answer) && is_plain(schema.answer) &&
           !is_each_node(schema.answer) && schema.features == 0;
}

RecurrentShape shape_of(const Schema& schema, const Kind& kind) {
    RecurrentShape shape;
    shape.cell = &cell_named(kind.name);
    shape.answer = schema.answer;
    shape.outputs = schema.outputs();
    shape.tokens = schema.tokens();
    return shape;
}

std::unique_ptr<Architecture> build_recurrent(const Dataset&, const Schema& schema, const Kind& kind,
                                              const Json& settings) {
    if (!suits(schema))
        fail("a recurrent network answers token sequences with classes; this data is of another form");
    RecurrentShape shape = shape_of(schema, kind);
    shape.state = settings["state"].get<int>();
    return make_recurrent(shape);
}

std::unique_ptr<Architecture> read_recurrent(const Metadata& net, const Schema& schema, const Kind& kind) {
    const int state = net.whole("state", 1, most_state), tokens = net.whole("tokens", 1, most_types),
              outputs = net.whole("outputs", 1, most_types);
    const bool sequence = net.flag("sequence");
    if (!suits(schema))
        fail("{}: a recurrent network that does not answer token sequences with classes", net.path());
    RecurrentShape shape = shape_of(schema, kind);
    shape.state = state;
    if (tokens != shape.tokens || outputs != shape.outputs || sequence != is_sequence(shape.answer))
        fail("{}: the network's shape does not fit its vocabularies ({} tokens for {}, {} outputs for {})",
             net.path(), tokens, shape.tokens, outputs, shape.outputs);
    const double d = state, parts = double(shape.cell->parts.size());
    net.needs(d * d * parts * (1 + shape.cell->carried) + d * (tokens + outputs));
    return make_recurrent(shape);
}

TrainOptions recurrent_recipe(long updates) {
    TrainOptions o;
    o.network = {{"state", 50}};
    o.learning_rate = 0.001;
    o.cosine = false;
    o.batch = 20;
    o.updates = updates;
    o.evaluate_every = 100;
    o.keep_best = true;
    o.patience = 50; // to save time: the authors ran to the end (docs/baselines.md)
    return o;
}

} // namespace

std::unique_ptr<Architecture> make_recurrent(const RecurrentShape& shape) {
    return std::make_unique<RecurrentArchitecture>(shape);
}

std::vector<Kind> recurrent_kinds() {
    std::vector<Kind> kinds;
    for (const Cell* cell : cells()) {
        // The cell without gates learns more slowly.
        const bool plain = cell->parts.size() == 1;
        kinds.push_back({.name = cell->name,
                         .help = cell->title,
                         .reads_tokens = true,
                         .settings = {{.name = "state",
                                       .help = "Size of state and embeddings",
                                       .initial = nullptr,
                                       .least = 1,
                                       .most = 4096}},
                         .abilities = {"explanations"},
                         .instead = "it reads tokens and answers greedily, as in the paper",
                         .recipe = plain ? [](const DataFacts&) { return recurrent_recipe(10000); }
                                         : [](const DataFacts&) { return recurrent_recipe(5000); },
                         .build = build_recurrent,
                         .read = read_recurrent});
    }
    return kinds;
}

} // namespace ggsnn
