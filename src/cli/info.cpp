#include "ggsnn/cli/commands.hpp"
#include "ggsnn/nn/kinds.hpp"

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
        const auto number = [](const Json& value) {
            return value.is_null() ? "-" : fmt::format("{:.4f}", value.get<double>());
        };
        for (const Json& run : training.at("runs"))
            fmt::print("  {} restart {}: validation error {}, loss {}, training error {}, {} updates{}\n",
                       run.at("question").get<std::string>(), run.at("restart").get<int>(),
                       number(run.at("valid_error")), number(run.at("valid_loss")),
                       number(run.at("train_error")), run.at("updates").get<long>(),
                       run.value("cut", false)        ? ", cut by --time"
                       : !run.value("finished", true) ? ", not finished"
                                                      : "");
    } catch (const Json::exception&) {
        line("training", "(not recorded)");
    }
}

} // namespace

int run_info(const InfoCommand& command) {
    const Model model = load_to_answer(command.model);
    const Schema& schema = model.schema;
    const Description network = model.network->describe();
    std::size_t members = 0;
    for (const auto& each_of : model.networks) members += each_of.size();
    GGSNN_ASSERT(members > 0); // load_model refuses a model without networks
    const std::size_t each = model.parameter_count() / members;
    if (command.json) {
        OrderedJson out = {{"model", model.network->kind().name}, {"answer", name_of(schema.answer)}};
        out.update(network.facts);
        out.update(OrderedJson{{"edge_types", schema.edge_types.names()},
                               {"question_types", schema.question_types.names()},
                               {"classes", schema.classes.names()},
                               {"features", schema.features},
                               {"arguments", schema.arguments},
                               {"values", schema.values},
                               {"networks", members},
                               {"parameters_per_network", each},
                               {"parameters", each * members},
                               {"training", model.training}});
        if (schema.is_tokens()) out["entities"] = schema.entities.names();
        std::puts(out.dump().c_str());
        return 0;
    }
    line("kind", network.kind);
    line("sizes", network.sizes);
    if (schema.is_tokens()) line("entities", schema.entities.list());
    if (const auto alike = network.facts.find("alike"); alike != network.facts.end())
        for (const auto& group : *alike) {
            std::vector<std::string> words;
            for (const auto& word : group) words.push_back(schema.entities.name(word.get<int>()));
            line("alike", fmt::format("{}", fmt::join(words, ", ")));
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
