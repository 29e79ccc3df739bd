#include "ggsnn/cli/commands.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace ggsnn {

namespace {

void line(const char* what, const std::string& text) {
    fmt::print("{:<16} {}\n", what, text);
}

// `training` is for people: a file from elsewhere may lack any of it.
void print_training(const Json& training) {
    try {
        const Json& o = training.at("options");
        const auto text = [&](const char* key) { return o.at(key).dump(); };
        line("trained on", fmt::format("{} questions, validated on {}", training.at("train_examples").dump(),
                                       training.at("valid_examples").dump()));
        line("recipe", fmt::format("Adam, rate {} ({}), {} updates of {}, L1 {}, L2 {}, up to {} restarts, "
                                   "ensemble of {}, seed {}",
                                   text("learning_rate"), o.at("schedule").get<std::string>(),
                                   text("updates"), text("batch"), text("l1"), text("l2"), text("restarts"),
                                   text("ensemble"), text("seed")));
        for (const Json& run : training.at("runs"))
            fmt::print(
                "  {} restart {}: validation error {:.4f}, loss {:.4f}, training error {:.4f}, {} updates\n",
                run.at("question").get<std::string>(), run.at("restart").get<int>(),
                run.at("valid_error").get<double>(), run.at("valid_loss").get<double>(),
                run.at("train_error").get<double>(), run.at("updates").get<long>());
    } catch (const Json::exception&) {
        line("training", "(not recorded)");
    }
}

} // namespace

int run_info(const InfoCommand& command) {
    const Model model = load_model(command.model);
    const Schema& schema = model.schema;
    const NetworkShape& shape = model.shape;
    std::size_t members = 0;
    for (const auto& network : model.networks) members += network.size();
    GGSNN_ASSERT(members > 0); // load_model refuses a model without networks
    const std::size_t each = model.parameter_count() / members;
    if (command.json) {
        OrderedJson out = {{"model", name_of(shape.kind)},
                           {"answer", name_of(schema.answer)},
                           {"variant", shape.variant == Variant::paper ? "paper" : "authors"},
                           {"directions", shape.directions == Directions::added ? "added" : "apart"},
                           {"state", shape.state},
                           {"annotation", shape.annotation},
                           {"steps", shape.steps},
                           {"edge_types", schema.edge_types.names()},
                           {"question_types", schema.question_types.names()},
                           {"classes", schema.classes.names()},
                           {"features", schema.features},
                           {"arguments", schema.arguments},
                           {"values", schema.values},
                           {"networks", members},
                           {"parameters_per_network", each},
                           {"parameters", each * members},
                           {"training", model.training}};
        if (is_recurrent(shape.kind)) {
            for (const char* key : {"variant", "directions", "annotation", "steps"}) out.erase(key);
            out["entities"] = schema.entities.names();
            out["tokens"] = shape.tokens;
        }
        if (shape.kind == ModelKind::gnn) {
            out.erase("directions");
            out["edge_function"] = name_of(shape.edge_function);
            out["contraction"] = shape.contraction;
            out["node_labels"] = shape.labels.count();
            out["label_triples"] = shape.labels.triples.size();
        }
        std::puts(out.dump().c_str());
        return 0;
    }
    if (is_recurrent(shape.kind)) {
        line("kind", fmt::format("{} that reads tokens", shape.kind == ModelKind::rnn
                                                             ? "recurrent network (RNN)"
                                                             : "recurrent network with gates (LSTM)"));
        line("sizes", fmt::format("embeddings and state {}, {} tokens, {} outputs", shape.state, shape.tokens,
                                  shape.outputs));
        line("entities", schema.entities.list());
    } else if (shape.kind == ModelKind::gnn) {
        line("kind", fmt::format("original graph neural network, {} edge function, contraction {}",
                                 name_of(shape.edge_function), shape.contraction));
        line("sizes", fmt::format("state {}, {} node labels, {} label triples, {} outputs", shape.state,
                                  shape.labels.count(), shape.labels.triples.size(), shape.outputs));
    } else {
        line("kind", fmt::format("{} with the equations of {}{}",
                                 shape.sequence ? "gated graph sequence neural network"
                                                : "gated graph neural network",
                                 shape.variant == Variant::paper ? "the paper" : "the authors' program",
                                 shape.directions == Directions::added ? ", both directions added" : ""));
        line("sizes", fmt::format("state {}, annotation {}, {} propagation steps, {} outputs", shape.state,
                                  shape.annotation, shape.steps, shape.outputs));
    }
    line("answers", name_of(schema.answer));
    line("parameters", fmt::format("{} in all: {} networks of {}", each * members, members, each));
    line("edge types", schema.edge_types.list());
    line("question types", schema.question_types.list());
    if (has_classes(schema.answer)) line("classes", schema.classes.list());
    if (schema.features > 0) line("node features", std::to_string(schema.features));
    print_training(model.training);
    return 0;
}

} // namespace ggsnn
