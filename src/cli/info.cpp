#include "cli/commands.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace ggsnn {

int run_info(const InfoCommand& command) {
    const Model model = load_model(command.model);
    const Schema& schema = model.schema;
    const NetworkShape& shape = model.shape;
    std::size_t members = 0;
    for (const auto& network : model.networks) members += network.size();
    const std::size_t each = model.parameter_count() / members;
    if (command.json) {
        OrderedJson out = {{"model", name_of(shape.kind)},
                           {"answer", name_of(schema.answer)},
                           {"variant", shape.variant == Variant::paper ? "paper" : "authors"},
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
        if (shape.kind == ModelKind::gnn) {
            out["edge_function"] = name_of(shape.edge_function);
            out["contraction"] = shape.contraction;
            out["node_labels"] = shape.labels.count();
            out["label_triples"] = shape.labels.triples.size();
        }
        std::puts(out.dump().c_str());
        return 0;
    }
    const auto line = [](const char* what, const std::string& text) { fmt::print("{:<16} {}\n", what, text); };
    const bool gnn = shape.kind == ModelKind::gnn;
    line("kind", gnn ? fmt::format("original graph neural network, {} edge function, contraction {}", name_of(shape.edge_function), shape.contraction)
                     : fmt::format("{} with the equations of {}", shape.sequence ? "gated graph sequence neural network" : "gated graph neural network",
                             shape.variant == Variant::paper ? "the paper" : "the authors' program"));
    line("answers", name_of(schema.answer));
    line("sizes", gnn ? fmt::format("state {}, {} node labels, {} label triples, {} outputs", shape.state, shape.labels.count(), shape.labels.triples.size(), shape.outputs)
                      : fmt::format("state {}, annotation {}, {} propagation steps, {} outputs", shape.state, shape.annotation, shape.steps, shape.outputs));
    line("parameters", fmt::format("{} in all: {} networks of {}", each * members, members, each));
    line("edge types", schema.edge_types.list());
    line("question types", schema.question_types.list());
    if (has_classes(schema.answer)) line("classes", schema.classes.list());
    if (schema.features > 0) line("node features", std::to_string(schema.features));
    if (model.training.contains("options")) {
        const Json& o = model.training["options"];
        line("trained on", fmt::format("{} questions, validated on {}", model.training["train_examples"].dump(), model.training["valid_examples"].dump()));
        line("recipe", fmt::format("Adam, rate {} ({}), {} updates of {}, L1 {}, L2 {}, up to {} restarts, ensemble of {}, seed {}", o["learning_rate"].dump(),
                                   o["schedule"].get<std::string>(), o["updates"].dump(), o["batch"].dump(), o["l1"].dump(), o["l2"].dump(), o["restarts"].dump(),
                                   o["ensemble"].dump(), o["seed"].dump()));
        for (const Json& run : model.training["runs"])
            fmt::print("  {} restart {}: validation error {:.4f}, loss {:.4f}, training error {:.4f}, {} updates\n", run["question"].get<std::string>(),
                       run["restart"].get<int>(), run["valid_error"].get<double>(), run["valid_loss"].get<double>(), run["train_error"].get<double>(),
                       run["updates"].get<long>());
    }
    return 0;
}

} // namespace ggsnn
