#include "ggsnn/nn/ggnn/kind.hpp"

#include "ggsnn/nn/train/exchange.hpp"

#include <algorithm>

namespace ggsnn {

namespace {

const char* name_of(Variant variant) {
    return variant == Variant::paper ? "paper" : "authors";
}

const char* name_of(Directions directions) {
    return directions == Directions::added ? "added" : "apart";
}

std::vector<Setting> gated_settings() {
    using Type = Setting::Type;
    return {
        {.name = "variant",
         .help = "Equations as in the paper or as in its authors' program",
         .type = Type::word,
         .initial = "authors",
         .words = {"paper", "authors"}},
        {.name = "directions",
         .help = "What comes over incoming and outgoing edges: apart, 2 D numbers (the default), or added, D "
                 "numbers: less work and fewer parameters",
         .type = Type::word,
         .initial = "apart",
         .words = {"apart", "added"},
         .only_if_set = true},
        {.name = "state", .help = "Size D of a node's state", .initial = nullptr, .least = 1, .most = 4096},
        {.name = "annotation",
         .help = "Size of a node's annotation, at least what the data needs",
         .initial = 0,
         .least = 0,
         .most = 4096},
        {.name = "steps", .help = "Propagation steps T", .initial = 5, .least = 1, .most = 10000},
        {.name = "shared_propagation",
         .help = "Sequences: separate propagation for output and annotation",
         .type = Type::flag,
         .initial = true,
         .option = "separate"},
        {.name = "embedding",
         .help =
             "What is known of a node (features, types) goes through a learned layer that makes this many "
             "numbers of it; 0: it is the annotation itself",
         .initial = 0,
         .least = 0,
         .most = 4096,
         .only_if_set = true},
        {.name = "residual",
         .help = "Nodes hear their own annotation in every step",
         .type = Type::flag,
         .initial = false,
         .only_if_set = true},
        {.name = "messages",
         .help = "What a node hears over edges of one type and direction: the sum of messages, or their mean",
         .type = Type::word,
         .initial = "sum",
         .words = {"sum", "mean"},
         .only_if_set = true},
        {.name = "reset",
         .help =
             "Where the reset gate acts: before its matrix, as in the paper, or after it, as in torch's cell",
         .type = Type::word,
         .initial = "before",
         .words = {"before", "after"},
         .only_if_set = true},
        {.name = "matrices",
         .help = "Matrices of messages: shared by all steps, or by-step, each with its own",
         .type = Type::word,
         .initial = "shared",
         .words = {"shared", "by-step"},
         .only_if_set = true},
        {.name = "readout",
         .help = "Answers of every node: through a hidden layer, or linear in its state",
         .type = Type::word,
         .initial = "hidden",
         .words = {"hidden", "linear"},
         .only_if_set = true},
        {.name = "reach",
         .help = "Nodes hear all others up to this many edges away, with a matrix for each distance; 0: "
                 "those beside "
                 "them",
         .initial = 0,
         .least = 0,
         .most = 32,
         .only_if_set = true},
        {.name = "pairs",
         .help =
             "Answers of graphs: products of this many numbers of every two nodes, summed by type of edge "
             "or distance, beside the sum over nodes",
         .initial = 0,
         .least = 0,
         .most = 256,
         .only_if_set = true},
    };
}

// Inputs of more numbers than this go through a layer.
constexpr int wide_inputs = 64;

// How networks with this kind of answer are trained, whatever their sizes.
TrainOptions training_for(AnswerKind answer, std::size_t examples) {
    TrainOptions o;
    const char* const rules = "L1 drives small networks to rules that hold for unseen graphs";
    if (is_regression(answer)) {
        o.learning_rate = 0.001;
        o.batch = 50;
        o.updates = static_cast<long>(std::max<std::size_t>(2000, examples * 60 / 50));
        o.patience = 8;
        o.because = "numbers need larger states and small steps; stops where validation gets no better";
    } else if (is_each_node(answer)) {
        o.updates = 2000;
        o.restarts = 3;
        o.because = "nodes are classified, and selected by, one by one";
    } else if (is_sequence(answer) && has_classes(answer)) {
        o.learning_rate = 0.02;
        o.updates = 3000;
        o.l1 = 0.2;
        o.exchanged = examples <= 1000 ? 12 : 0;
        o.restarts = 10;
        o.ensemble = 5;
        o.because = fmt::format("{}; sequences need more of it", rules);
    } else if (is_sequence(answer)) {
        o.learning_rate = 0.005;
        o.updates = 700;
        o.l1 = 0.1;
        o.restarts = 8;
        o.ensemble = 3;
        o.because = rules;
    } else if (has_classes(answer)) {
        o.learning_rate = 0.02;
        o.updates = 1500;
        o.l1 = 0.05;
        o.restarts = 12;
        o.ensemble = 5;
        o.because = rules;
    } else {
        o.updates = 600;
        o.restarts = 20;
        o.stop_at_zero = true;
        o.because =
            "single runs that select a node find poor optima often: restarts until one solves training "
            "and validation data";
    }
    return o;
}

Json sizes_for(const Schema& schema) {
    const int annotation = schema.annotation();
    const bool classes = has_classes(schema.answer);
    if (is_regression(schema.answer)) return {{"state", std::max(64, annotation + 16)}};
    if (is_each_node(schema.answer)) return {{"state", std::max(16, annotation + 8)}};
    if (is_sequence(schema.answer))
        return classes ? Json{{"state", std::max(12, annotation + 8)}, {"annotation", annotation + 2}}
                       : Json{{"state", std::max(20, annotation + 10)}, {"annotation", annotation + 7}};
    return {{"state", classes ? std::max(3, annotation + 1) : std::max(6, annotation + 2)}};
}

// Few labelled nodes of few large graphs, with much known of each: what is learned by heart must be kept
// down.
void suit_large_graphs(const DataFacts& facts, TrainOptions& o) {
    o.batch = 1;
    o.updates = 800;
    o.evaluate_every = 10;
    o.keep_best = true;
    o.restarts = 1;
    o.learning_rate = 0.005;
    o.l2 = 0.3;
    o.state_dropout = 0.5;
    // Of many features each says little: most can be left out.
    o.feature_dropout = facts.schema.inputs() > wide_inputs ? 0.8 : 0.2;
    o.network["steps"] = 3;
    o.because =
        fmt::format("{} answers in {} graph{} of {:.0f} nodes: dropout and L2 against learning by heart, "
                    "the best of many validations is kept",
                    facts.targets, facts.examples, facts.examples == 1 ? "" : "s", facts.nodes);
}

// Many small graphs, each with numbers of the whole, such as molecules: what is far apart by edges is near in
// space. Averaged networks that are stopped by the number of updates take the place of
// validation's choice of one.
void suit_small_graphs(const DataFacts& facts, TrainOptions& o) {
    o.network = {{"state", std::max(48, facts.schema.annotation() + 16)},
                 {"steps", 3},
                 {"reach", 6},
                 {"directions", "added"}};
    o.absolute = true;
    o.l2 = 0.1;
    o.average = 0.3;
    o.updates = std::clamp(static_cast<long>(facts.examples * 32 / 50), 2000L, 20000L);
    o.patience = 0;
    o.restarts = o.ensemble = 5;
    o.because = fmt::format(
        "numbers of {} graphs of {:.0f} nodes: nodes hear others up to six edges away, and five averaged "
        "networks answer together",
        facts.examples, facts.nodes);
}

TrainOptions gated_recipe(const DataFacts& facts) {
    const Schema& schema = facts.schema;
    TrainOptions o = training_for(schema.answer, facts.examples);
    o.network = sizes_for(schema);
    const bool names = exchangeable_names(schema).size() >= 2;
    if (schema.classes.size() > 0 && !names) o.exchanged = 0;
    if (names && o.exchanged > 0)
        o.because += fmt::format("; names of edges that are answers, too, mean nothing else: exchanged in {} "
                                 "copies of each graph",
                                 o.exchanged);
    if (is_each_node(schema.answer) && facts.examples <= 10 && facts.nodes >= 200)
        suit_large_graphs(facts, o);
    const bool known_in_whole =
        schema.arguments == 0 && schema.inputs() > 0 && schema.inputs() <= wide_inputs;
    if (schema.answer == AnswerKind::values && known_in_whole && facts.examples >= 1000 && facts.nodes > 0 &&
        facts.nodes <= 60 && facts.largest <= most_reaching)
        suit_small_graphs(facts, o);
    if (schema.inputs() > wide_inputs && !schema.observed) {
        const int embedding = 24, state = schema.annotation(embedding) + 8;
        o.network["state"] = std::max(32, state);
        o.network["embedding"] = embedding;
        o.network.erase("annotation");
        if (is_sequence(schema.answer)) o.network["annotation"] = schema.annotation(embedding) + 2;
        o.because += fmt::format("; {} features go through a layer of {}", schema.inputs(), embedding);
    }
    return o;
}

// What the schema says of a shape, trained or read.
GatedShape shape_of(const Schema& schema, int reach) {
    GatedShape shape;
    shape.answer = schema.answer;
    shape.observed = schema.observed;
    shape.reach = reach;
    shape.edge_types = schema.edge_types.size() + shape.reading().added_types();
    shape.outputs = schema.outputs();
    shape.edge_features = schema.edge_features;
    return shape;
}

std::unique_ptr<Architecture> build_gated(const Dataset&, const Schema& schema, const Kind&,
                                          const Json& settings) {
    GatedShape shape = shape_of(schema, settings["reach"].get<int>());
    shape.variant = settings["variant"] == "paper" ? Variant::paper : Variant::authors;
    shape.directions = settings["directions"] == "added" ? Directions::added : Directions::apart;
    shape.shared_propagation = settings["shared_propagation"].get<bool>();
    shape.steps = settings["steps"].get<int>();
    shape.state = settings["state"].get<int>();
    shape.residual = settings["residual"].get<bool>();
    shape.mean = settings["messages"] == "mean";
    shape.reset_after = settings["reset"] == "after";
    if (settings["matrices"] == "by-step") shape.sets = shape.steps;
    shape.linear = settings["readout"] == "linear";
    if (shape.linear && !is_each_node(schema.answer))
        throw UsageError(fmt::format("--readout linear is for answers of every node; this data has {}",
                                     name_of(schema.answer)));
    shape.pairs = settings["pairs"].get<int>();
    if (shape.pairs > 0 && head_of(schema.answer).traits.node_rows)
        throw UsageError(fmt::format("--pairs is for answers of the whole graph; this data has {}",
                                     name_of(schema.answer)));
    shape.embedding = settings["embedding"].get<int>();
    if (shape.embedding > 0 && schema.inputs() == 0)
        throw UsageError("--embedding needs data with node features or types");
    if (shape.embedding > 0 && schema.observed)
        throw UsageError("--embedding has no meaning with observed annotations, which are given as they are");
    if (shape.embedding > 0) shape.inputs = schema.inputs();
    const int wanted = settings["annotation"].get<int>(), needed = schema.annotation(shape.embedding);
    if (wanted > 0 && wanted < needed)
        throw UsageError(fmt::format("--annotation {} is too small: the data needs {}", wanted, needed));
    shape.annotation = std::max(wanted, needed);
    if (shape.state < shape.annotation)
        throw UsageError(fmt::format("--state {} is too small: annotations take {}{}", shape.state,
                                     shape.annotation,
                                     shape.embedding == 0 && schema.inputs() > 0
                                         ? "; --embedding puts a layer between the data and the annotations"
                                         : ""));
    return make_gated(shape);
}

std::unique_ptr<Architecture> read_gated(const Metadata& net, const Schema& given, const Kind&) {
    Schema schema = given;
    schema.observed = net.flag("observed");
    GatedShape shape = shape_of(schema, net.has("reach") ? net.whole("reach", 2, 32) : 0);
    shape.variant = net.word("variant", {"authors", "paper"}) == "paper" ? Variant::paper : Variant::authors;
    shape.directions =
        net.word("directions", {"apart", "added"}, true) == "added" ? Directions::added : Directions::apart;
    shape.state = net.whole("state", 1, most_state);
    if (net.has("embedding")) {
        shape.embedding = net.whole("embedding", 1, most_state);
        shape.inputs = schema.inputs();
    }
    shape.residual = net.has("residual") && net.flag("residual");
    shape.mean = net.word("messages", {"sum", "mean"}, true) == "mean";
    shape.reset_after = net.word("reset", {"before", "after"}, true) == "after";
    shape.linear = net.word("readout", {"hidden", "linear"}, true) == "linear";
    if (shape.linear && !is_each_node(schema.answer))
        fail("{}: metadata \"readout\" is \"linear\", and answers are {}; expected answers of every node",
             net.path(), name_of(schema.answer));
    if (net.has("pairs")) shape.pairs = net.whole("pairs", 1, 256);
    if (shape.pairs > 0 && head_of(schema.answer).traits.node_rows)
        fail("{}: metadata \"pairs\" is {}, and answers are {}; expected answers of graphs", net.path(),
             shape.pairs, name_of(schema.answer));
    shape.annotation = net.whole("annotation", schema.annotation(shape.embedding), shape.state);
    shape.steps = net.whole("steps", 1, most_steps);
    if (net.word("matrices", {"shared", "by-step"}, true) == "by-step") shape.sets = shape.steps;
    shape.shared_propagation = net.flag("shared_propagation");
    const int types = net.whole("edge_types", 0, most_types), outputs = net.whole("outputs", 1, most_types);
    if (types != shape.edge_types || outputs != shape.outputs || net.flag("sequence") != shape.sequence())
        fail(
            "{}: the network's shape does not fit its vocabularies ({} edge types for {}, {} outputs for {})",
            net.path(), types, shape.edge_types, outputs, shape.outputs);
    const double d = shape.state;
    net.needs(d * d * (2.0 * types * shape.sets + (shape.directions == Directions::apart ? 9 : 6)) +
              d * outputs + double(shape.inputs) * shape.embedding + 2.0 * types * shape.edge_features * d);
    return make_gated(shape);
}

} // namespace

Json shape_to_json(const GatedShape& s) {
    Json json = {{"variant", name_of(s.variant)},
                 {"state", s.state},
                 {"annotation", s.annotation},
                 {"edge_types", s.edge_types},
                 {"steps", s.steps},
                 {"outputs", s.outputs},
                 {"sequence", s.sequence()},
                 {"shared_propagation", s.shared_propagation},
                 {"observed", s.observed}};
    if (s.directions == Directions::added) json["directions"] = name_of(s.directions);
    if (s.embedding > 0) json["embedding"] = s.embedding;
    if (s.residual) json["residual"] = true;
    if (s.mean) json["messages"] = "mean";
    if (s.reset_after) json["reset"] = "after";
    if (s.sets > 1) json["matrices"] = "by-step";
    if (s.linear) json["readout"] = "linear";
    if (s.reach > 1) json["reach"] = s.reach;
    if (s.pairs > 0) json["pairs"] = s.pairs;
    return json;
}

Description describe_shape(const GatedShape& s) {
    Description d;
    d.kind = fmt::format("{} with the equations of {}{}",
                         s.sequence() ? "gated graph sequence neural network" : "gated graph neural network",
                         s.variant == Variant::paper ? "the paper" : "the authors' program",
                         s.directions == Directions::added ? ", both directions added" : "");
    d.sizes = fmt::format("state {}, annotation {}, {} propagation steps, {} outputs", s.state, s.annotation,
                          s.steps, s.outputs);
    if (s.embedding > 0) d.sizes += fmt::format(", {} inputs through a layer of {}", s.inputs, s.embedding);
    if (s.edge_features > 0) d.sizes += fmt::format(", {} numbers an edge", s.edge_features);
    if (s.residual) d.sizes += ", annotations heard in every step";
    if (s.mean) d.sizes += ", messages averaged";
    if (s.reset_after) d.sizes += ", reset after its matrix";
    if (s.sets > 1) d.sizes += ", matrices by step";
    if (s.linear) d.sizes += ", linear readout";
    if (s.reach > 1) d.sizes += fmt::format(", nodes up to {} edges apart", s.reach);
    if (s.pairs > 0) d.sizes += fmt::format(", {} numbers a node in pairs", s.pairs);
    d.summary = fmt::format("D = {}, {} steps", s.state, s.steps);
    if (s.reach > 1) d.summary += fmt::format(", reach {}", s.reach);
    if (s.pairs > 0) d.summary += fmt::format(", {} numbers in pairs", s.pairs);
    d.facts = {{"variant", name_of(s.variant)},
               {"directions", name_of(s.directions)},
               {"state", s.state},
               {"annotation", s.annotation},
               {"steps", s.steps}};
    if (s.embedding > 0) d.facts["embedding"] = s.embedding;
    if (s.edge_features > 0) d.facts["edge_features"] = s.edge_features;
    if (s.residual) d.facts["residual"] = true;
    if (s.mean) d.facts["messages"] = "mean";
    if (s.reset_after) d.facts["reset"] = "after";
    if (s.sets > 1) d.facts["matrices"] = "by-step";
    if (s.linear) d.facts["readout"] = "linear";
    if (s.reach > 1) d.facts["reach"] = s.reach;
    if (s.pairs > 0) d.facts["pairs"] = s.pairs;
    return d;
}

Kind gated_kind() {
    return {.name = "ggnn",
            .help = "gated graph networks",
            .settings = gated_settings(),
            .abilities = {"low-memory", "steps", "beam", "edge data", "dropout", "weighted loss", "exchange",
                          "explanations"},
            .instead = "",
            .recipe = gated_recipe,
            .build = build_gated,
            .read = read_gated};
}

} // namespace ggsnn
