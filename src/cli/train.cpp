#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/commands.hpp"
#include "ggsnn/tasks/recipe.hpp"
#include "ggsnn/tasks/split.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace ggsnn {

namespace {

template <class T>
void override(T& value, const std::optional<T>& given) {
    if (given) value = *given;
}

// "ggnn, gnn": the kinds of network that satisfy a condition.
template <class Condition>
std::string kinds_that(Condition condition) {
    std::vector<std::string> names;
    for (const Kind& kind : kinds())
        if (condition(kind)) names.push_back(kind.name);
    return fmt::format("{}", fmt::join(names, " or "));
}

const Setting* setting_named(const Kind& kind, const std::string& name) {
    for (const Setting& s : kind.settings)
        if (s.name == name) return &s;
    return nullptr;
}

// Options that a kind of network gives no meaning are wrong usage, not silently ignored.
void check_kind(const TrainCommand& c, const Kind& kind) {
    for (const auto& [name, value] : c.network.items()) {
        if (setting_named(kind, name) != nullptr) continue;
        std::string option;
        for (const Kind& other : kinds())
            if (const Setting* s = setting_named(other, name)) option = s->flag();
        const auto has = [&name = name](const Kind& other) { return setting_named(other, name) != nullptr; };
        throw UsageError(fmt::format("{} has no meaning with --model {}; it needs --model {}", option,
                                     kind.name, kinds_that(has)));
    }
    if (!kind.reads_tokens && !c.recipe.empty())
        throw UsageError(fmt::format("--recipe needs --model {}",
                                     kinds_that([](const Kind& k) { return k.reads_tokens; })));
    for (const auto& [name, value] : c.training.items()) {
        const bool dropout = name.ends_with("dropout"), loss = name == "label_smoothing" || name == "loss";
        if ((dropout && !kind.can("dropout")) || (loss && !kind.can("weighted loss")))
            throw UsageError(fmt::format("--{} has no meaning with --model {}", name, kind.name));
    }
    if (!c.class_weights.empty() && !kind.can("weighted loss"))
        throw UsageError(fmt::format("--class-weights has no meaning with --model {}", kind.name));
    if (c.low_memory && !kind.can("low-memory"))
        throw UsageError(fmt::format("--low-memory has no meaning with --model {}", kind.name));
}

// "balanced", or "yes=3,no=1".
Json class_weights(const std::string& text) {
    if (text == "balanced") return text;
    Json weights = Json::object();
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size()), equals = text.rfind('=', end);
        char* stop = nullptr;
        const double number = equals < end && equals > at ? std::strtod(text.c_str() + equals + 1, &stop) : 0;
        if (stop == nullptr || stop != text.c_str() + end || stop == text.c_str() + equals + 1)
            throw UsageError(
                fmt::format("--class-weights {}: \"{}\" is no weight; expected balanced, or such as "
                            "yes=3,no=1",
                            text, text.substr(at, end - at)));
        weights[text.substr(at, equals - at)] = number;
        at = end + 1;
    }
    return weights;
}

TrainOptions options_for(const TrainCommand& c, const Kind& kind, const Dataset& train) {
    check_kind(c, kind);
    TrainOptions o =
        c.recipe.empty() ? recipe_for(train, kind.name) : baseline_recipe(kind.name, c.recipe).value();
    // Annotations of a recipe go with its state.
    if (c.network.contains("state")) o.network.erase("annotation");
    o.network.update(c.network);
    if (c.schedule) o.cosine = *c.schedule == "cosine";
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
    set_training(o, c.training);
    if (!c.class_weights.empty()) o.class_weights = class_weights(c.class_weights);
    class_weights_of(o, train); // wrong ones are told before the work
    o.balance = c.balance;
    o.keep_best = o.keep_best || c.keep_best;
    o.stop_at_zero = o.stop_at_zero || c.stop_at_zero;
    if (c.low_memory) o.keep = Keep::states;
    o.seed = c.seed;
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

} // namespace

int run_train(const TrainCommand& command) {
    catch_interrupts();
    Ranks& ranks = Ranks::world();
    Progress progress(command.quiet || !ranks.first());
    if (ranks.first()) check_output(command.output);
    if (!command.valid.empty() && command.valid_count >= 0)
        throw UsageError("--valid and --valid-count exclude each other: all of a file of its own validates");
    const Kind& kind = kind_named(command.model);
    const Split split = read_split({command.input, command.valid, command.train_count, command.valid_count,
                                    command.targets, kind.reads_tokens ? Form::tokens : Form::graphs,
                                    command.table.nodes, command.table.label});
    const TrainOptions options = options_for(command, kind, split.train);
    build_network(split.train, options); // wrong usage is told before anything else
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
    model.training["targets"] = command.targets;
    if (!command.table.label.empty()) model.training["label"] = command.table.label;
    if (!ranks.first()) return 0;
    save_model(model, command.output);
    ::unlink(hooks.checkpoint.c_str());
    progress.line(fmt::format("{}: {}, {} parameters, {:.1f} s", command.output,
                              model.network->describe().summary, model.parameter_count(),
                              progress.seconds()));
    return 0;
}

} // namespace ggsnn
