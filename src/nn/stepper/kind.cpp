#include "ggsnn/nn/stepper/kind.hpp"

#include "ggsnn/nn/stepper/run.hpp"

#include <algorithm>

namespace ggsnn {

namespace {

using Reads = StepperShape::Reads;

constexpr const char* reads_names[] = {"pointers", "walk", "classes", "length"};

// Steps that a run may take, at the most. A search visits each edge of its tree twice; without hints there is
// no solver to learn from, and what does not settle in as many steps as there are nodes will not.
long most_steps_of(const Links& links, const StepperShape& shape) {
    return shape.steps > 0 ? links.nodes + shape.steps : 8L * links.nodes + 64;
}

class StepperArchitecture : public Architecture {
  public:
    explicit StepperArchitecture(const StepperShape& shape) : network_(shape) {}

    const Kind& kind() const override { return kind_named("stepper"); }
    const ParameterLayout& layout() const override { return network_.layout(); }
    Json to_json() const override {
        const StepperShape& s = network_.shape();
        return {{"model", "stepper"},  {"reads", reads_names[static_cast<int>(s.reads)]},
                {"inputs", s.inputs},  {"bits", s.bits},
                {"slots", s.slots},    {"state", s.state},
                {"points", s.points},  {"chooses", s.chooses},
                {"steps", s.steps},    {"rounded", s.rounded},
                {"classes", s.classes}};
    }
    Description describe() const override {
        const StepperShape& s = network_.shape();
        const std::string how = s.steps == 0 ? "with hints" : fmt::format("{} steps without hints", s.steps);
        return {.kind = "network that learns steps",
                .sizes = fmt::format("{} bits a node, {} hidden units, learned {}", s.bits, s.state, how),
                .summary = fmt::format("stepper, {} bits, H = {}, {}", s.bits, s.state, how),
                .facts = {{"state", s.state}, {"bits", s.bits}, {"steps", s.steps}}};
    }

    std::unique_ptr<Passes<float>> passes(const Schema& schema, int workers, Keep) const override {
        return std::make_unique<StepperPasses<float>>(network_, schema, workers);
    }
    bool is_large(double) const override { return false; }

    void answer(const Schema& schema, const Dataset& data, const std::vector<const Example*>& examples,
                const std::vector<std::vector<float>>& members, int, const PredictOptions& options,
                ThreadPool* pool, std::vector<Prediction*>& out) const override {
        run_jobs(pool, examples.size(), [&](std::size_t i, int) {
            const Links links(schema, data, *examples[i], network_.shape().slots);
            const long most = options.steps > 0 ? options.steps : most_steps_of(links, network_.shape());
            const StepperResult result = run_stepper(network_, links, members, most);
            tell(schema, links, result, members, options, *out[i]);
        });
    }

  private:
    void tell(const Schema& schema, const Links& links, const StepperResult& result,
              const std::vector<std::vector<float>>& members, const PredictOptions& options,
              Prediction& out) const {
        switch (network_.shape().reads) {
        case Reads::pointers:
            tell_nodes(links, result.pointers, out);
            break;
        case Reads::walk:
            tell_nodes(links, result.walk, out);
            // Without an end, or longer than asked for.
            out.capped =
                !result.settled || (options.most > 0 && static_cast<int>(result.walk.size()) > options.most);
            break;
        case Reads::length:
            out.lists = {{schema.scales.standardised(static_cast<float>(result.way), 0)}};
            break;
        case Reads::classes:
            tell_classes(links, result, members, out);
        }
    }

    // One list a node, and that of the end: all or nothing.
    static void tell_nodes(const Links& links, const std::vector<int>& nodes, Prediction& out) {
        out.labels = nodes;
        for (std::size_t i = 0; i <= nodes.size(); ++i) {
            out.lists.emplace_back(links.nodes + 1, 0.0);
            out.lists.back()[i < nodes.size() ? nodes[i] : links.nodes] = 1;
        }
    }

    void tell_classes(const Links& links, const StepperResult& result,
                      const std::vector<std::vector<float>>& members, Prediction& out) const {
        const StepperShape& shape = network_.shape();
        std::vector<float> scores(padded(shape.classes));
        std::vector<double> part;
        for (int v = 0; v < links.nodes; ++v) {
            std::vector<double> list(shape.classes, 0);
            for (const auto& parameters : members) {
                network_.read_classes(links.inputs.data() + static_cast<std::size_t>(v) * shape.inputs,
                                      result.bits.data() + static_cast<std::size_t>(v) * shape.bits,
                                      parameters.data(), scores.data());
                softmax(scores.data(), shape.classes, 1, part);
                for (int c = 0; c < shape.classes; ++c)
                    list[c] += part[c] / static_cast<double>(members.size());
            }
            out.labels.push_back(static_cast<int>(std::max_element(list.begin(), list.end()) - list.begin()));
            out.lists.push_back(std::move(list));
        }
    }

    Stepper<float> network_;
};

// Every answer has a node for each node, itself or a neighbour, and where there are hints the last pointers.
bool answers_pointers(const Dataset& train) {
    return std::all_of(train.examples.begin(), train.examples.end(), [&](const Example& e) {
        const std::size_t nodes = train.graphs[e.graph].graph.nodes();
        if (e.labels.size() != nodes) return false;
        if (e.hints == nullptr) return true;
        const auto& all = e.hints->pointers;
        return all.size() >= nodes &&
               std::equal(e.labels.begin(), e.labels.end(), all.end() - static_cast<std::ptrdiff_t>(nodes));
    });
}

Reads reads_of(const Dataset& train, bool hints) {
    const AnswerKind answer = train.schema.answer;
    if (answer == AnswerKind::node_classes) return Reads::classes;
    if (answer == AnswerKind::values && train.schema.values == 1) return Reads::length;
    if (answer != AnswerKind::node_sequence)
        fail(
            "a network of kind stepper answers with nodes, with node_classes or with one number; the answers "
            "are of kind {}",
            name_of(answer));
    if (answers_pointers(train)) return Reads::pointers;
    if (!hints)
        fail("a network of kind stepper learns sequences of nodes with hints, or one node for each node; "
             "expected "
             "either");
    return Reads::walk;
}

std::unique_ptr<Architecture> build_stepper(const Dataset& train, const Schema& schema, const Kind&,
                                            const Json& settings) {
    if (schema.edge_features > 0)
        fail("edges have features; a network of kind stepper reads their types and weights alone");
    const bool hints =
        settings["hints"].get<bool>() && std::any_of(train.examples.begin(), train.examples.end(),
                                                     [](const Example& e) { return e.hints != nullptr; });
    StepperShape shape;
    shape.answer = schema.answer;
    shape.reads = reads_of(train, hints);
    shape.inputs = schema.inputs() + schema.arguments;
    shape.slots = 2 * schema.edge_types.size();
    shape.state = settings["state"].get<int>();
    if (shape.reads == Reads::classes) shape.classes = schema.classes.size();
    if (hints) {
        const auto first = std::find_if(train.examples.begin(), train.examples.end(),
                                        [](const Example& e) { return e.hints != nullptr; });
        shape.bits = first->hints->width;
        shape.points = !first->hints->pointers.empty();
        shape.chooses = !first->hints->chosen.empty();
        for (const Example& e : train.examples) ready_for_steps(schema, train, e, shape, true);
    } else {
        shape.bits = settings["bits"].get<int>();
        shape.points = true;
        shape.chooses = settings["choice"].get<bool>() || shape.reads == Reads::length;
        shape.steps = settings["steps"].get<int>();
        shape.rounded = settings["rounded"].get<bool>();
    }
    return std::make_unique<StepperArchitecture>(shape);
}

std::unique_ptr<Architecture> read_stepper(const Metadata& net, const Schema& schema, const Kind&) {
    StepperShape shape;
    shape.answer = schema.answer;
    const std::string reads = net.word("reads", {"pointers", "walk", "classes", "length"});
    while (reads != reads_names[static_cast<int>(shape.reads)])
        shape.reads = static_cast<Reads>(static_cast<int>(shape.reads) + 1);
    const AnswerKind expected = shape.reads == Reads::classes  ? AnswerKind::node_classes
                                : shape.reads == Reads::length ? AnswerKind::values
                                                               : AnswerKind::node_sequence;
    if (schema.answer != expected)
        fail("{}: a network of kind stepper that reads {} has answers of kind {}; expected {}", net.path(),
             reads, name_of(schema.answer), name_of(expected));
    shape.inputs = net.whole("inputs", 0, most_types);
    shape.bits = net.whole("bits", 1, most_types);
    shape.slots = net.whole("slots", 0, most_types);
    shape.state = net.whole("state", 1, most_state);
    shape.points = net.flag("points");
    shape.chooses = net.flag("chooses");
    shape.steps = net.whole("steps", 0, most_steps);
    shape.rounded = net.flag("rounded");
    shape.classes = net.whole("classes", 0, most_types);
    const int inputs = schema.inputs() + schema.arguments, slots = 2 * schema.edge_types.size(),
              classes = shape.reads == Reads::classes ? schema.classes.size() : 0;
    if (shape.inputs != inputs || shape.slots != slots || shape.classes != classes)
        fail("{}: the network's shape does not fit its vocabularies ({} inputs for {}, {} slots for {}, {} "
             "classes for {})",
             net.path(), shape.inputs, inputs, shape.slots, slots, shape.classes, classes);
    if (shape.reads == Reads::length && (!shape.chooses || schema.values != 1))
        fail("{}: a network of kind stepper answers one number, by the node it chooses", net.path());
    const double H = shape.state;
    net.needs(H * (2 * H + 2.0 * shape.seen() + shape.link_flags() + shape.bits));
    return std::make_unique<StepperArchitecture>(shape);
}

TrainOptions stepper_recipe(const DataFacts&) {
    TrainOptions o;
    o.network = {{"state", 24}};
    o.learning_rate = 0.01;
    o.batch = 4;
    o.updates = 1500;
    o.evaluate_every = 100;
    o.stop_loss = 0.001;
    o.restarts = 3;
    o.stop_at_zero = true;
    o.because = "steps are learned one by one";
    return o;
}

} // namespace

Kind stepper_kind() {
    return {
        .name = "stepper",
        .help = "learns the steps of an algorithm",
        .settings =
            {{.name = "state", .help = "Hidden units", .initial = nullptr, .least = 1, .most = 4096},
             {.name = "hints",
              .help = "Learn from answers alone, not from the hints of the data",
              .type = Setting::Type::flag,
              .initial = true,
              .option = "no-hints"},
             {.name = "bits", .help = "Without hints: bits of a node", .initial = 4, .least = 1, .most = 64},
             {.name = "steps",
              .help = "Without hints: steps in training",
              .initial = 8,
              .least = 1,
              .most = most_steps},
             {.name = "rounded",
              .help = "Without hints: steps are not rounded in training",
              .type = Setting::Type::flag,
              .initial = true,
              .option = "soft-steps"},
             {.name = "choice",
              .help = "Without hints: each step chooses a node of the graph",
              .type = Setting::Type::flag,
              .initial = false}},
        .abilities = {"edge data", "steps"},
        .instead = "it learns steps",
        .recipe = stepper_recipe,
        .build = build_stepper,
        .read = read_stepper};
}

} // namespace ggsnn
