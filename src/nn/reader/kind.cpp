#include "ggsnn/nn/reader/kind.hpp"

#include "ggsnn/nn/explain.hpp"
#include "ggsnn/nn/reader/alike.hpp"

#include <algorithm>
#include <numeric>

namespace ggsnn {

template <class T>
ReaderPasses<T>::ReaderPasses(const Reader<T>& network, int workers)
    : network_(network),
      tapes_(workers),
      projected_(network.projected_size()),
      transposed_(network.transposed_size(), T(0)) {}

// Stories of about the same length go together.
template <class T>
int ReaderPasses<T>::load(const Dataset&, const std::vector<const Example*>& examples, const Loading& how) {
    const int count = static_cast<int>(examples.size());
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return examples[a]->tokens.size() > examples[b]->tokens.size(); });
    std::vector<const Example*> sorted(count);
    std::vector<std::uint64_t> places(count);
    for (int i = 0; i < count; ++i) {
        sorted[i] = examples[order[i]];
        places[i] = how.first + order[i];
    }
    const int used = (count + batch_stories - 1) / batch_stories;
    if (used > static_cast<int>(batches_.size())) batches_.resize(used);
    long labels = 0;
    for (int b = 0; b < used; ++b) {
        const int first = count * b / used, last = count * (b + 1) / used;
        batches_[b].assign(network_.shape(), sorted.data() + first, places.data() + first, last - first, how);
        labels +=
            std::count_if(batches_[b].label.begin(), batches_[b].label.end(), [](int l) { return l >= 0; });
    }
    for (int b = 0; b < used; ++b) batches_[b].scale = 1 / static_cast<double>(std::max(1L, labels));
    return used;
}

template <class T>
void ReaderPasses<T>::prepare(const T* parameters, bool gradient) {
    if (gradient) network_.transpose_weights(parameters, transposed_.data());
    network_.project(parameters, projected_.data());
}

template <class T>
Outcome ReaderPasses<T>::pass(int number, const T* parameters, bool gradient, const Team<T>& team,
                              int worker) {
    const StoryBatch& batch = batches_[number];
    ReaderTape<T>& tape = tapes_[worker];
    network_.forward(batch, parameters, projected_.data(), tape);
    const int outputs = network_.shape().outputs, places = network_.shape().places, m = padded(outputs);
    const T* scores = tape.scores.data();
    const std::size_t size = static_cast<std::size_t>(batch.stories()) * places * m;
    T* d_scores = gradient ? tape.d_scores.zeroed(size) : nullptr;
    Outcome outcome;
    for (int i = 0; i < batch.stories(); ++i) {
        bool solved = batch.cut[i] == 0;
        for (int k = 0; k < places; ++k) {
            const std::size_t o = static_cast<std::size_t>(i) * places + k, at = o * m;
            if (batch.label[o] < 0) continue;
            const bool right =
                cross_entropy(scores + at, outputs, 1, batch.label[o], static_cast<T>(batch.scale),
                              gradient ? d_scores + at : nullptr, outcome.loss);
            ++outcome.targets;
            outcome.weight += 1;
            outcome.correct += right ? 1 : 0;
            solved = solved && right;
        }
        ++outcome.answers;
        outcome.solved += solved ? 1 : 0;
    }
    if (gradient) {
        T* sum = team.lane(0).gradient.data();
        network_.backward(batch, parameters, transposed_.data(), tape, sum, sum + network_.layout().size());
    }
    return outcome;
}

template <class T>
void ReaderPasses<T>::finish(const T* parameters, T* gradient) {
    network_.unproject(parameters, transposed_.data(), gradient + network_.layout().size(), gradient);
}

template class ReaderPasses<float>;
template class ReaderPasses<double>;

namespace {

class ReaderArchitecture : public Architecture {
  public:
    explicit ReaderArchitecture(const ReaderShape& shape) : network_(shape) {}

    const Kind& kind() const override { return kind_named("reader"); }
    const ParameterLayout& layout() const override { return network_.layout(); }
    Json to_json() const override {
        const ReaderShape& s = network_.shape();
        return {{"model", "reader"},        {"alike", s.alike},     {"state", s.state},   {"words", s.words},
                {"positions", s.positions}, {"outputs", s.outputs}, {"places", s.places}, {"order", s.order}};
    }
    Description describe() const override {
        const ReaderShape& s = network_.shape();
        return {.kind = "network that reads stories",
                .sizes = fmt::format("states {}, {} words, {} positions, read {}, {} outputs", s.state,
                                     s.words, s.positions, s.order, s.outputs),
                .summary = fmt::format("reader, D = {}, {} words, read {}", s.state, s.words, s.order),
                .facts = {{"state", s.state}, {"words", s.words}, {"order", s.order}, {"alike", s.alike}}};
    }

    std::unique_ptr<Passes<float>> passes(const Schema&, int workers, Keep) const override {
        return std::make_unique<ReaderPasses<float>>(network_, workers);
    }
    // Several runs side by side use the threads better than several batches of one run.
    bool is_large(double) const override { return false; }

    void answer(const Schema&, const Dataset&, const std::vector<const Example*>& examples,
                const std::vector<std::vector<float>>& members, int, const PredictOptions& options,
                ThreadPool* pool, std::vector<Prediction*>& out) const override {
        std::vector<std::vector<float>> projected(members.size(),
                                                  std::vector<float>(network_.projected_size()));
        for (std::size_t m = 0; m < members.size(); ++m)
            network_.project(members[m].data(), projected[m].data());
        constexpr std::size_t piece = ReaderPasses<float>::batch_stories;
        run_jobs(pool, (examples.size() + piece - 1) / piece, [&](std::size_t i, int) {
            const std::size_t count = std::min(piece, examples.size() - i * piece);
            answer_some(examples.data() + i * piece, static_cast<int>(count), members, projected, options,
                        out.data() + i * piece);
        });
    }

    // What the answer owes to each sentence: how much less likely it is without it. The baseline is a
    // question about nothing.
    Explanation explain(const Schema&, const Dataset& data, const Example& example, const Prediction& answer,
                        const std::vector<std::vector<float>>& members,
                        const ExplainOptions&) const override {
        std::vector<std::vector<int>> sentences(1);
        for (int token : example.tokens) {
            sentences.back().push_back(token);
            if (token == 0) sentences.emplace_back();
        }
        const int told = static_cast<int>(sentences.size()) - 1,
                  nodes = data.graphs[example.graph].graph.nodes(), first = nodes - told - 1;
        const auto score = [&](auto&& kept) {
            Example some = example;
            some.tokens.clear();
            for (int s = 0; s <= told; ++s)
                if (s == told || kept(s))
                    some.tokens.insert(some.tokens.end(), sentences[s].begin(), sentences[s].end());
            return log_probability(some, answer.labels, members);
        };
        Explanation why;
        why.score = score([](int) { return true; });
        why.baseline = score([](int) { return false; });
        why.nodes.assign(nodes, 0);
        for (int s = 0; s < told; ++s) {
            why.nodes[first + s] = why.score - score([&](int other) { return other != s; });
            why.inputs.push_back({first + s, 0, 1, why.nodes[first + s]});
        }
        return why;
    }

  private:
    // Of an answer, all its words and its end; an average over the members.
    double log_probability(const Example& example, const std::vector<int>& labels,
                           const std::vector<std::vector<float>>& members) const {
        const ReaderShape& shape = network_.shape();
        Example asked = example;
        asked.labels = labels;
        const Example* one = &asked;
        const std::uint64_t place = 0;
        StoryBatch batch;
        batch.assign(shape, &one, &place, 1, {});
        std::vector<float> projected(network_.projected_size());
        ReaderTape<float> tape;
        double loss = 0;
        for (const auto& parameters : members) {
            network_.project(parameters.data(), projected.data());
            network_.forward(batch, parameters.data(), projected.data(), tape);
            for (int k = 0; k < shape.places; ++k)
                if (batch.label[k] >= 0)
                    cross_entropy(tape.scores.data() + static_cast<std::ptrdiff_t>(k) * padded(shape.outputs),
                                  shape.outputs, 1, batch.label[k], 1.0F, static_cast<float*>(nullptr), loss);
        }
        return -loss / double(members.size());
    }

    void answer_some(const Example* const* examples, int count,
                     const std::vector<std::vector<float>>& members,
                     const std::vector<std::vector<float>>& projected, const PredictOptions& options,
                     Prediction* const* out) const {
        const ReaderShape& shape = network_.shape();
        const std::vector<std::uint64_t> places(count, 0);
        Loading how;
        how.targets = false;
        StoryBatch batch;
        batch.assign(shape, examples, places.data(), count, how);
        std::vector<ReaderTape<float>> tapes(members.size());
        for (std::size_t m = 0; m < members.size(); ++m)
            network_.forward(batch, members[m].data(), projected[m].data(), tapes[m]);
        for (int i = 0; i < count; ++i) {
            Decoder decoder(shape.answer, options, shape.places);
            for (int k = 0; k < shape.places && !decoder.done(); ++k) {
                const std::size_t at =
                    (static_cast<std::size_t>(i) * shape.places + k) * padded(shape.outputs);
                for (const auto& tape : tapes)
                    decoder.add(tape.scores.data() + at, shape.outputs, tapes.size());
                decoder.take(*out[i]);
            }
        }
    }

    Reader<float> network_;
};

bool reads(const Schema& schema) {
    return schema.text && has_classes(schema.answer) && is_plain(schema.answer) &&
           !is_each_node(schema.answer);
}

ReaderShape shape_of_stories(const Schema& schema) {
    ReaderShape shape;
    shape.answer = schema.answer;
    shape.words = schema.entities.size();
    shape.outputs = schema.outputs();
    for (const std::string& word : schema.entities.names())
        shape.class_of.push_back(schema.classes.find(word));
    shape.class_of[0] = -1; // words that are not known
    return shape;
}

std::unique_ptr<Architecture> build_reader(const Dataset& train, const Schema& schema, const Kind&,
                                           const Json& settings) {
    if (!reads(schema))
        fail("a network of kind reader reads stories in English; this data is of another form");
    ReaderShape shape = shape_of_stories(schema);
    shape.state = settings["state"].get<int>();
    shape.order = settings["order"].get<std::string>();
    if (settings["rename"].get<bool>()) shape.alike = words_alike(train);
    for (const Example& e : train.examples) {
        int length = 0;
        for (int token : e.tokens) {
            length = token < 2 ? 0 : length + 1;
            shape.positions = std::max(shape.positions, length);
        }
        if (is_sequence(shape.answer))
            shape.places = std::max(shape.places, static_cast<int>(e.labels.size()) + 1);
    }
    return std::make_unique<ReaderArchitecture>(shape);
}

std::unique_ptr<Architecture> read_reader(const Metadata& net, const Schema& schema, const Kind& kind) {
    if (!reads(schema)) fail("{}: a network of kind reader without words or classes", net.path());
    ReaderShape shape = shape_of_stories(schema);
    shape.state = net.whole("state", 1, most_state);
    shape.positions = net.whole("positions", 1, most_types);
    shape.places = net.whole("places", 1, most_types);
    shape.order = net.text("order");
    check_setting(*find_setting(kind.settings, "order"), shape.order, net.path());
    shape.alike = net.list<std::vector<int>>("alike");
    for (const auto& group : shape.alike)
        for (int word : group)
            if (word < 1 || word >= shape.words)
                fail("{}: metadata \"alike\" has the word {}; expected 1 to {}", net.path(), word,
                     shape.words - 1);
    const int words = net.whole("words", 1, most_types), outputs = net.whole("outputs", 1, most_types);
    if (words != shape.words || outputs != shape.outputs)
        fail("{}: the network's shape does not fit its vocabularies ({} words for {}, {} outputs for {})",
             net.path(), words, shape.words, outputs, shape.outputs);
    const double d = shape.state;
    net.needs(d * (26 * d + words + 4.0 * shape.positions + double(outputs) * shape.places));
    return std::make_unique<ReaderArchitecture>(shape);
}

TrainOptions reader_recipe(const DataFacts&) {
    TrainOptions o;
    o.network = {{"state", 32}, {"order", "bf"}};
    o.learning_rate = 0.003;
    o.batch = 32;
    o.updates = 6000;
    o.warmup = 100;
    o.evaluate_every = 300;
    o.feature_dropout = 0.4; // names that are forgotten
    o.keep_best = true;
    o.restarts = 6;
    o.ensemble = 3;
    o.stop_at_zero = true;
    o.because = "answers are words and some runs stay on a plateau";
    return o;
}

} // namespace

Kind reader_kind() {
    std::vector<std::string> orders;
    for (const char* each : {"b", "f", "bf", "fb", "bfb", "fbf", "bfbf", "fbfb"}) orders.push_back(each);
    return {.name = "reader",
            .help = "reads stories in English",
            .reads_tokens = true,
            .settings =
                {{.name = "state", .help = "Size of states", .initial = nullptr, .least = 1, .most = 4096},
                 {.name = "order",
                  .help = "How a story is read after its question: b from its end, f from its begin",
                  .type = Setting::Type::word,
                  .initial = "bf",
                  .words = orders},
                 {.name = "rename",
                  .help = "Words that the data shows to be alike keep their names in training",
                  .type = Setting::Type::flag,
                  .initial = true,
                  .option = "keep-names"}},
            .abilities = {"dropout", "explanations"},
            .instead = "it reads sentence by sentence",
            .recipe = reader_recipe,
            .build = build_reader,
            .read = read_reader};
}

} // namespace ggsnn
