#include "ggsnn/nn/train/choose.hpp"

#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/nn/train/exchange.hpp"

namespace ggsnn {

namespace {

const std::string class_weights_name = "class_weights";

std::string flag_of(const std::string& name) {
    return Setting{.name = name}.flag();
}

// The setting of that name of any kind of network; null if there is none.
const Setting* network_setting(const std::string& name) {
    for (const Kind& kind : kinds())
        if (const Setting* s = find_setting(kind.settings, name)) return s;
    return nullptr;
}

// "ggnn or gnn": the kinds of network that have a setting.
std::string kinds_with(const std::string& setting) {
    std::vector<std::string> names;
    for (const Kind& kind : kinds())
        if (find_setting(kind.settings, setting) != nullptr) names.push_back(kind.name);
    return fmt::format("{}", fmt::join(names, " or "));
}

// What a kind must be able to do for a setting of training to have a meaning; empty: nothing.
std::string ability_for(const std::string& name) {
    if (name.ends_with("dropout")) return "dropout";
    if (name == "label_smoothing" || name == "loss" || name == class_weights_name) return "weighted loss";
    if (name == "exchanged") return "exchange";
    if (name == "low_memory") return "low-memory";
    return "";
}

void check_one(const Kind& kind, const std::string& name) {
    if (find_setting(kind.settings, name) != nullptr) return;
    if (const Setting* s = network_setting(name))
        throw UsageError(fmt::format("{} has no meaning with --model {}; it needs --model {}", s->flag(),
                                     kind.name, kinds_with(name)));
    if (name != class_weights_name && find_setting(training_settings(), name) == nullptr) {
        std::vector<std::string> names = {class_weights_name};
        for (const auto* settings : {&kind.settings, &training_settings()})
            for (const Setting& s : *settings) names.push_back(s.name);
        throw UsageError(
            fmt::format("there is no setting \"{}\"; expected one of {}", name, fmt::join(names, ", ")));
    }
    const std::string ability = ability_for(name);
    if (!ability.empty() && !kind.can(ability))
        throw UsageError(fmt::format("{} has no meaning with --model {}", flag_of(name), kind.name));
}

// Settings that this data gives no meaning.
void check_meaning(const Json& given, const Schema& schema) {
    const auto refuse = [&](const char* name, bool meant, const std::string& why) {
        if (given.contains(name) && !meant)
            throw UsageError(fmt::format("{} has no meaning here: {}", flag_of(name), why));
    };
    const bool numbers = is_regression(schema.answer);
    const std::string answers = fmt::format("answers are of kind {}", name_of(schema.answer));
    refuse("loss", numbers, answers);
    refuse("label_smoothing", !numbers && is_plain(schema.answer), answers);
    refuse("feature_dropout", schema.inputs() > 0 || schema.text, "nodes have no features and no types");
    if (given.value("exchanged", 0) > 0 && exchangeable_names(schema).size() < 2)
        throw UsageError("--exchanged has no meaning here: no two names are both edge types and answers");
    if (given.value("balance", false) && schema.answer != AnswerKind::klass)
        throw UsageError("--balance needs graphs that are classified: one class an answer");
}

} // namespace

void check_given(const Kind& kind, const Json& given) {
    for (const auto& [name, value] : given.items()) check_one(kind, name);
}

TrainOptions choose_options(const Dataset& train, TrainOptions recipe, const Json& given) {
    const Kind& kind = kind_named(recipe.kind);
    check_given(kind, given);
    for (const auto& [name, value] : given.items())
        if (const Setting* s = find_setting(training_settings(), name)) check_setting(*s, value, "training");
    check_meaning(given, train.schema);
    // Annotations of a recipe go with its state.
    if (given.contains("state")) recipe.network.erase("annotation");
    for (const auto& [name, value] : given.items())
        if (find_setting(kind.settings, name) != nullptr) recipe.network[name] = value;
    set_training(recipe, given);
    class_weights_of(recipe, train); // wrong ones are told before the work
    return recipe;
}

} // namespace ggsnn
