#include "ggsnn/cli/answer.hpp"

#include "ggsnn/nn/kinds.hpp"

namespace ggsnn::cli {

namespace {

// Molecules: the targets that --target chose when the model was trained. Nothing in `training` is needed to
// use a model, and nothing in it is trusted.
std::vector<int> trained_targets(const Model& model) {
    try {
        return model.training.value("targets", std::vector<int>());
    } catch (const Json::exception&) {
        return {};
    }
}

// Formats with columns: the one that --label chose.
std::string trained_label(const Model& model) {
    const auto at = model.training.find("label");
    return at != model.training.end() && at->is_string() ? at->get<std::string>() : "";
}

} // namespace

void check_options(const AnswerCommand& command, const Model& model) {
    const Kind& kind = model.network->kind();
    if (command.beam > 0 && !is_sequence(model.schema.answer))
        throw UsageError(
            fmt::format("--beam is for sequences; this model answers with {}", name_of(model.schema.answer)));
    for (const auto& [option, given] : {std::pair("steps", command.steps > 0), {"beam", command.beam > 0}})
        if (given && !kind.can(option))
            throw UsageError(fmt::format("--{} has no meaning with a model of kind {}: {}", option, kind.name,
                                         kind.instead));
}

std::unique_ptr<RecordReader> open_data(const AnswerCommand& command, const Model& model,
                                        ReadOptions options) {
    options.targets = command.targets.empty() ? trained_targets(model) : command.targets;
    options.nodes = command.table.nodes;
    options.label = command.table.label;
    options.trained_label = trained_label(model);
    auto reader = open_records(command.input, options);
    check_targets(command.input, *reader, command.targets);
    return reader;
}

} // namespace ggsnn::cli
