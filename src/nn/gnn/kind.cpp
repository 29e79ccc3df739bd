// The original graph neural network as a kind of network: passes over batches, answers, settings, its form in
// model files.
#include "ggsnn/nn/gnn/kind.hpp"

#include "ggsnn/nn/ggnn/passes.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

const char* name_of(EdgeFunction f) {
    return f == EdgeFunction::linear ? "linear" : "neural";
}

namespace {

constexpr std::size_t most_triples = 1 << 20;

class GnnPasses : public Passes<float> {
  public:
    GnnPasses(const Gnn<float>& network, const Schema& schema, int workers)
        : network_(network),
          batches_(network.shape(), schema),
          work_(workers),
          prepared_(network.prepared_size(), 0.0f) {}

    int load(const Dataset& data, const std::vector<const Example*>& examples, const Loading& how) override {
        batches_.load(data, examples, how);
        return batches_.size();
    }
    int lanes(int) const override { return 8; }
    std::size_t parameters() const override { return network_.layout().size(); }
    std::size_t gradient_size() const override { return network_.layout().size(); }
    void prepare(const float* parameters, bool) override { network_.prepare(parameters, prepared_.data()); }
    Outcome pass(int batch, const float* parameters, bool gradient, const Team<float>& team,
                 int worker) override {
        return network_.run(batches_[batch], parameters, prepared_.data(), gradient, work_[worker], team);
    }
    void finish(const float*, float* gradient) override { network_.finish(prepared_.data(), gradient); }

  private:
    const Gnn<float>& network_;
    GnnBatches<float> batches_;
    std::vector<GnnWork<float>> work_;
    std::vector<float> prepared_;
};

class GnnArchitecture : public Architecture {
  public:
    explicit GnnArchitecture(const GnnShape& shape) : network_(shape) {}

    const GnnShape& shape() const { return network_.shape(); }
    const Kind& kind() const override { return kind_named("gnn"); }
    const ParameterLayout& layout() const override { return network_.layout(); }
    Json to_json() const override;
    Description describe() const override;

    std::unique_ptr<Passes<float>> passes(const Schema& schema, int workers, Keep) const override {
        return std::make_unique<GnnPasses>(network_, schema, workers);
    }
    bool is_large(double rows) const override { return rows > 1.5 * chunk_rows(network_.shape().state); }

    void answer(const Schema& schema, const Dataset& data, const std::vector<const Example*>& examples,
                const std::vector<std::vector<float>>& members, int, const PredictOptions& options,
                ThreadPool* pool, std::vector<Prediction*>& out) const override {
        if (options.steps > 0)
            throw UsageError("--steps: the original graph neural network propagates until its states settle");
        GnnBatches<float> batches(network_.shape(), schema);
        batches.load(data, examples, Loading{.targets = false});
        std::vector<int> begins = {0}; // first example of each batch
        for (int b = 0; b < batches.size(); ++b) begins.push_back(begins.back() + batches[b].chunk.graphs());
        std::vector<std::vector<float>> prepared;
        for (const auto& parameters : members)
            network_.prepare(parameters.data(), prepared.emplace_back(network_.prepared_size(), 0.0f).data());
        run_jobs(pool, batches.size(), [&](std::size_t b, int) {
            answer_batch(batches[static_cast<int>(b)], members, prepared, examples.data() + begins[b],
                         out.data() + begins[b]);
        });
    }

  private:
    void answer_batch(const GnnBatch<float>& batch, const std::vector<std::vector<float>>& members,
                      const std::vector<std::vector<float>>& prepared, const Example* const* examples,
                      Prediction* const* out) const {
        const GnnShape& shape = network_.shape();
        std::vector<Lane<float>> lanes(1);
        GnnWork<float> work;
        const Team<float> team{&lanes, 0, 1, nullptr};
        const Chunk<float>& chunk = batch.chunk;
        std::vector<Decoder> decoders(chunk.graphs(), Decoder(shape.answer, {}, 1));
        for (std::size_t n = 0; n < members.size(); ++n) {
            const float* outputs = network_.outputs(batch, members[n].data(), prepared[n].data(), work, team);
            if (outputs == nullptr)
                fail_at(examples[0]->place,
                        "the states of this graph, or of one of the {} after it, do not settle within {} "
                        "iterations: on these graphs the network is no contraction; training it with "
                        "--edge-function linear makes sure that it is",
                        chunk.graphs() - 1, network_.most_iterations());
            for (int g = 0; g < chunk.graphs(); ++g)
                decoders[g].add(chunk, g, {outputs, shape.outputs}, members.size());
        }
        for (int g = 0; g < chunk.graphs(); ++g) decoders[g].take(*out[g]);
    }

    Gnn<float> network_;
};

// Labels and triples, these as [receiver, slot, source, degree]; and what every graph network's file has.
Json GnnArchitecture::to_json() const {
    const GnnShape& s = shape();
    Json json = {{"model", "gnn"},
                 {"variant", "authors"},
                 {"state", s.state},
                 {"annotation", s.annotation},
                 {"edge_types", s.edge_types},
                 {"steps", 1},
                 {"outputs", s.outputs},
                 {"sequence", false},
                 {"shared_propagation", true},
                 {"observed", false},
                 {"edge_function", name_of(s.edge_function)},
                 {"contraction", s.contraction},
                 {"label_values", s.labels.values},
                 {"triples", Json::array()}};
    for (const Triple& t : s.labels.triples)
        json["triples"].push_back({t.receiver, t.slot, t.source, t.degree});
    return json;
}

Description GnnArchitecture::describe() const {
    const GnnShape& s = shape();
    const int labels = s.labels.count();
    const std::size_t triples = s.labels.triples.size();
    Description d;
    d.kind = fmt::format("original graph neural network, {} edge function, contraction {}",
                         name_of(s.edge_function), s.contraction);
    d.sizes = fmt::format("state {}, {} node labels, {} label triples, {} outputs", s.state, labels, triples,
                          s.outputs);
    d.summary = fmt::format("D = {}, {} node labels, {} label triples", s.state, labels, triples);
    d.facts = {{"state", s.state},
               {"annotation", s.annotation},
               {"edge_function", name_of(s.edge_function)},
               {"contraction", s.contraction},
               {"node_labels", labels},
               {"label_triples", triples}};
    return d;
}

std::vector<Setting> gnn_settings() {
    return {
        {.name = "state", .help = "Size D of a node's state", .initial = nullptr, .least = 1, .most = 4096},
        {.name = "edge_function",
         .help = "What a node makes of a neighbour's state",
         .type = Setting::Type::word,
         .initial = "linear",
         .words = {"linear", "neural"}},
        {.name = "contraction",
         .help = "Bound of the 1-norm of the propagation's Jacobian",
         .type = Setting::Type::number,
         .initial = 0.9,
         .least = 0.01,
         .most = 0.99}};
}

TrainOptions gnn_recipe(const DataFacts& facts) {
    const Schema& schema = facts.schema;
    const std::size_t examples = facts.examples;
    TrainOptions o;
    o.network = {{"state", 5}};
    o.learning_rate = 0.01;
    o.updates = 2000;
    o.restarts = 10;
    o.stop_at_zero = !is_regression(schema.answer);
    if (is_regression(schema.answer)) {
        o.network = {{"state", 16}};
        o.learning_rate = 0.005;
        o.batch = 50;
        o.updates = static_cast<long>(std::max<std::size_t>(2000, examples * 20 / 50));
        o.restarts = 1;
        o.patience = 8;
    }
    return o;
}

GnnShape shape_of(const Schema& schema) {
    GnnShape shape;
    shape.answer = schema.answer;
    shape.annotation = schema.annotation();
    shape.edge_types = schema.edge_types.size();
    shape.outputs = schema.outputs();
    return shape;
}

EdgeFunction edge_function_named(const std::string& name) {
    return name == "linear" ? EdgeFunction::linear : EdgeFunction::neural;
}

std::unique_ptr<Architecture> build_gnn(const Dataset& train, const Schema& schema, const Kind&,
                                        const Json& settings) {
    if (is_sequence(schema.answer))
        throw UsageError("--model gnn gives single answers; this data has sequences: expected --model ggnn");
    GnnShape shape = shape_of(schema);
    shape.state = settings["state"].get<int>();
    shape.edge_function = edge_function_named(settings["edge_function"].get<std::string>());
    shape.contraction = settings["contraction"].get<double>();
    shape.labels = find_labels(train, schema);
    return make_gnn(shape);
}

// Labels must be distinct and in order, triples too and within the vocabularies.
void read_labels(const Metadata& net, const GnnShape& shape, LabelTable& table) {
    const std::string& path = net.path();
    table.width = shape.annotation;
    table.values = net.list<float>("label_values");
    const auto width = static_cast<std::ptrdiff_t>(table.width);
    if (table.values.empty() || table.values.size() % static_cast<std::size_t>(width) != 0)
        fail("{}: metadata \"label_values\" has {} numbers; expected a multiple of {}", path,
             table.values.size(), width);
    for (float v : table.values)
        if (!std::isfinite(v)) fail("{}: metadata \"label_values\" holds a number that is not finite", path);
    for (auto at = table.values.begin() + width; at != table.values.end(); at += width)
        if (!std::lexicographical_compare(at - width, at, at, at + width))
            fail("{}: metadata \"label_values\" are not in order", path);
    const bool super = !head_of(shape.answer).traits.node_rows;
    const int labels = table.count() + (super ? 1 : 0), slots = 2 * (shape.edge_types + (super ? 1 : 0));
    const auto triples = net.list<std::vector<int>>("triples");
    if (triples.size() > most_triples)
        fail("{}: {} label triples; expected at most {}", path, triples.size(), most_triples);
    for (const auto& t : triples) {
        if (t.size() != 4 || t[0] < 0 || t[0] >= labels || t[1] < 0 || t[1] >= slots || t[2] < 0 ||
            t[2] >= labels || t[3] < 1)
            fail("{}: metadata \"triples\" holds one that does not fit {} labels and {} slots", path, labels,
                 slots);
        const Triple triple{t[0], t[1], t[2], t[3]};
        if (!table.triples.empty() && !(table.triples.back().key() < triple.key()))
            fail("{}: metadata \"triples\" are not in order", path);
        table.triples.push_back(triple);
    }
}

std::unique_ptr<Architecture> read_gnn(const Metadata& net, const Schema& schema, const Kind&) {
    if (is_sequence(schema.answer))
        fail("{}: metadata says that an original graph neural network answers with sequences", net.path());
    GnnShape shape = shape_of(schema);
    shape.state = net.whole("state", 1, most_state);
    net.whole("annotation", shape.annotation, shape.annotation);
    const int types = net.whole("edge_types", 0, most_types), outputs = net.whole("outputs", 1, most_types);
    if (types != shape.edge_types || outputs != shape.outputs || net.flag("sequence"))
        fail(
            "{}: the network's shape does not fit its vocabularies ({} edge types for {}, {} outputs for {})",
            net.path(), types, shape.edge_types, outputs, shape.outputs);
    shape.edge_function = edge_function_named(net.word("edge_function", {"linear", "neural"}));
    shape.contraction = net.number("contraction", 0, 1);
    read_labels(net, shape, shape.labels);
    const double d = shape.state;
    net.needs(d * d * (double(shape.labels.triples.size()) + 1) + d * outputs);
    return make_gnn(shape);
}

} // namespace

std::unique_ptr<Architecture> make_gnn(const GnnShape& shape) {
    return std::make_unique<GnnArchitecture>(shape);
}

const GnnShape& gnn_shape(const Architecture& network) {
    const auto* gnn = dynamic_cast<const GnnArchitecture*>(&network);
    GGSNN_ASSERT(gnn != nullptr);
    return gnn->shape();
}

Kind gnn_kind() {
    return {.name = "gnn",
            .help = "the original graph neural network",
            .settings = gnn_settings(),
            .abilities = {"weighted loss"},
            .instead = "it propagates until states settle",
            .recipe = gnn_recipe,
            .build = build_gnn,
            .read = read_gnn};
}

} // namespace ggsnn
