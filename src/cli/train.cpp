#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/commands.hpp"
#include "ggsnn/tasks/recipe.hpp"
#include "ggsnn/tasks/split.hpp"

#include <unistd.h>

#include <filesystem>

namespace ggsnn {

namespace {

ModelKind kind_named(const std::string& name) {
    for (ModelKind kind : {ModelKind::ggnn, ModelKind::gnn, ModelKind::rnn, ModelKind::lstm})
        if (name == name_of(kind)) return kind;
    throw UsageError(fmt::format("--model {}; expected ggnn, gnn, rnn or lstm", name));
}

template <class T>
void override(T& value, const std::optional<T>& given) {
    if (given) value = *given;
}

// Options that a kind of network gives no meaning are wrong usage, not silently ignored.
void check_kind(const TrainCommand& c, ModelKind kind, const Schema& schema) {
    if (kind != ModelKind::gnn && (c.edge_function || c.contraction))
        throw UsageError("--edge-function and --contraction need --model gnn");
    if (!is_recurrent(kind) && !c.recipe.empty()) throw UsageError("--recipe needs --model rnn or lstm");
    if (kind == ModelKind::gnn && is_sequence(schema.answer))
        throw UsageError("--model gnn gives single answers; this data has sequences: expected --model ggnn");
    if (kind != ModelKind::ggnn &&
        (c.variant || c.directions || c.steps || c.annotation || c.separate || c.low_memory))
        throw UsageError(fmt::format(
            "--variant, --directions, --steps, --annotation, --separate and --low-memory have no meaning "
            "with --model {}",
            c.model));
}

TrainOptions recipe_of(const TrainCommand& c, ModelKind kind, const Dataset& train) {
    if (kind == ModelKind::ggnn) return recipe_for(train.schema, train.examples.size());
    if (kind == ModelKind::gnn) return gnn_recipe_for(train.schema, train.examples.size());
    return c.recipe.empty() ? recurrent_recipe(kind) : baseline_recipe(kind, c.recipe).value();
}

TrainOptions options_for(const TrainCommand& c, const Dataset& train) {
    const ModelKind kind = kind_named(c.model);
    check_kind(c, kind, train.schema);
    TrainOptions o = recipe_of(c, kind, train);
    if (c.edge_function)
        o.edge_function = *c.edge_function == "linear" ? EdgeFunction::linear : EdgeFunction::neural;
    override(o.contraction, c.contraction);
    if (c.variant) o.variant = *c.variant == "paper" ? Variant::paper : Variant::authors;
    if (c.directions) o.directions = *c.directions == "added" ? Directions::added : Directions::apart;
    if (c.schedule) o.cosine = *c.schedule == "cosine";
    override(o.state, c.state);
    if (c.state && !c.annotation) o.annotation = 0;
    override(o.annotation, c.annotation);
    override(o.steps, c.steps);
    override(o.batch, c.batch);
    override(o.restarts, c.restarts);
    override(o.ensemble, c.ensemble);
    override(o.patience, c.patience);
    override(o.updates, c.updates);
    override(o.evaluate_every, c.evaluate_every);
    override(o.learning_rate, c.learning_rate);
    override(o.l1, c.l1);
    override(o.l2, c.l2);
    override(o.clip, c.clip);
    override(o.stop_loss, c.stop_loss);
    o.balance = c.balance;
    o.keep_best = o.keep_best || c.keep_best;
    o.stop_at_zero = o.stop_at_zero || c.stop_at_zero;
    if (c.separate) o.shared_propagation = false;
    if (c.low_memory) o.keep = Keep::states;
    o.seed = c.seed;
    const int needed = train.schema.annotation();
    if (o.annotation > 0 && o.annotation < needed)
        throw UsageError(
            fmt::format("--annotation {} is too small: the data needs {}", o.annotation, needed));
    if (kind == ModelKind::ggnn && o.state < std::max(o.annotation, needed))
        throw UsageError(fmt::format("--state {} is too small: annotations take {}", o.state,
                                     std::max(o.annotation, needed)));
    if (o.balance && train.schema.answer != AnswerKind::klass)
        throw UsageError("--balance needs graphs that are classified: one class an answer");
    return o;
}

// An output that cannot be written is found before the work, not after it.
void check_output(const std::string& path) {
    std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (folder.empty()) folder = ".";
    if (::access(folder.c_str(), W_OK) != 0)
        fail("{}: cannot write: the folder does not exist or is not writable", path);
    if (std::filesystem::is_directory(path)) fail("{}: cannot write: it is a folder; expected a file", path);
}

// Ranks on several machines may find different files under one name.
void check_same(Ranks& ranks, const std::string& mine, const std::string& input) {
    std::string other = mine;
    ranks.broadcast(other);
    if (ranks.any(mine != other)) fail("{}: holds other data for some ranks than for others", input);
}

std::string summary(const Model& model) {
    const Json& options = model.training["options"];
    if (is_recurrent(model.shape.kind))
        return fmt::format("{}, D = {}, {} tokens, {} parameters", name_of(model.shape.kind),
                           model.shape.state, model.shape.tokens, model.parameter_count());
    if (model.shape.kind == ModelKind::gnn)
        return fmt::format("D = {}, {} node labels, {} label triples, {} parameters", model.shape.state,
                           model.shape.labels.count(), model.shape.labels.triples.size(),
                           model.parameter_count());
    return fmt::format("D = {}, {} steps, {} parameters", options["state"].get<int>(),
                       options["steps"].get<int>(), model.parameter_count());
}

} // namespace

int run_train(const TrainCommand& command) {
    catch_interrupts();
    Ranks& ranks = Ranks::world();
    Progress progress(command.quiet || !ranks.first());
    if (ranks.first()) check_output(command.output);
    if (!command.valid.empty() && command.valid_count >= 0)
        throw UsageError("--valid and --valid-count exclude each other: all of a file of its own validates");
    Split split =
        read_split({command.input, command.valid, command.train_count, command.valid_count, command.targets,
                    is_recurrent(kind_named(command.model)) ? Form::tokens : Form::graphs});
    const TrainOptions options = options_for(command, split.train);
    const Scales scales = find_scales(split.train);
    for (Dataset* data : {&split.train, &split.valid}) {
        if (!scales.feature_scale.empty()) scale_features(*data, scales.feature_scale);
        if (!scales.value_mean.empty()) standardise_values(*data, scales);
    }
    const Schema& schema = split.train.schema;
    progress.line(fmt::format(
        "{}: {} graphs and {} questions to train on, {} and {} to validate; {} edge types, answers: {}",
        command.input, split.train.graphs.size(), split.train.examples.size(), split.valid.graphs.size(),
        split.valid.examples.size(), schema.edge_types.size(), name_of(schema.answer)));
    TrainHooks hooks;
    hooks.progress = &progress;
    hooks.checkpoint = command.output + ".checkpoint";
    hooks.resume = command.resume;
    hooks.checkpoint_seconds = command.checkpoint_seconds;
    hooks.fingerprint = fmt::format("{:016x} ", fingerprint(split));
    hooks.ranks = &ranks;
    check_same(ranks, hooks.fingerprint, command.input);
    ThreadPool pool(command.threads > 0 ? command.threads : ranks.threads());
    Model model = train(split.train, split.valid, options, pool, hooks);
    model.feature_scale = scales.feature_scale;
    model.value_mean = scales.value_mean;
    model.value_scale = scales.value_scale;
    model.training["targets"] = command.targets;
    if (!ranks.first()) return 0;
    save_model(model, command.output);
    ::unlink(hooks.checkpoint.c_str());
    progress.line(fmt::format("{}: {}, {:.1f} s", command.output, summary(model), progress.seconds()));
    return 0;
}

} // namespace ggsnn
