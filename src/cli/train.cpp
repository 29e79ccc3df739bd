#include "ggsnn/base/duration.hpp"
#include "ggsnn/base/hash.hpp"
#include "ggsnn/cli/commands.hpp"
#include "ggsnn/cli/train_files.hpp"
#include "ggsnn/cli/train_setup.hpp"
#include "ggsnn/nn/train/choose.hpp"
#include "ggsnn/nn/train/log.hpp"
#include "ggsnn/tasks/kind_for.hpp"
#include "ggsnn/tasks/recipe.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>

namespace ggsnn {

namespace {

// Recipes of tasks are for the paper's baselines.
void check_recipe(const TrainCommand& c, const Kind& kind) {
    if (c.recipe.empty() || baseline_recipe(kind.name, c.recipe)) return;
    std::vector<std::string> names;
    for (const Kind& other : kinds())
        if (baseline_recipe(other.name, c.recipe)) names.push_back(other.name);
    throw UsageError(fmt::format("--recipe needs --model {}", fmt::join(names, " or ")));
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
    check_given(kind, c.given); // before what a recipe has to say of the data
    check_recipe(c, kind);
    auto recipe =
        c.recipe.empty() ? std::optional(recipe_for(train, kind.name)) : baseline_recipe(kind.name, c.recipe);
    GGSNN_ASSERT(recipe); // --recipe takes no other names than there are
    recipe->seed = c.seed;
    Json given = c.given;
    if (!c.class_weights.empty()) given["class_weights"] = class_weights(c.class_weights);
    return choose_options(train, *recipe, given);
}

// Ranks on several machines may find different files under one name.
void check_same(Ranks& ranks, const std::string& mine, const std::string& input) {
    std::string other = mine;
    ranks.broadcast(other);
    if (ranks.any(mine != other)) fail("{}: holds other data for some ranks than for others", input);
}

// "recipe: D = 32, 5 steps; 2000 updates of 10, rate 0.01; ... because ..."
std::string recipe_text(const Architecture& network, const TrainOptions& o) {
    std::string text = fmt::format("recipe: {}; {} updates of {}, rate {}", network.describe().summary,
                                   o.updates, o.batch, o.learning_rate);
    if (o.restarts > 1) text += fmt::format(", up to {} restarts", o.restarts);
    if (o.restarts > 1 && o.ensemble > 1) text += fmt::format(" of which {} answer together", o.ensemble);
    for (const auto& [name, value] : {std::pair("L1", o.l1),
                                      {"L2", o.l2},
                                      {"state dropout", o.state_dropout},
                                      {"feature dropout", o.feature_dropout},
                                      {"edge dropout", o.edge_dropout},
                                      {"label smoothing", o.smoothing},
                                      {"averaged over the last", o.average}})
        if (value > 0) text += fmt::format(", {} {}", name, value);
    if (o.absolute) text += ", absolute errors";
    return o.because.empty() ? text : text + "; because " + o.because;
}

void warn_of_unknown(const Split& split, Progress& progress) {
    for (const UnknownQuestions& u : split.unknown)
        progress.line(
            fmt::format("{}: warning: question type \"{}\" is not in the training data; {} {} of it in "
                        "the validation data {} left out",
                        u.first.text(), u.type, u.count, u.count == 1 ? "question" : "questions",
                        u.count == 1 ? "is" : "are"));
}

long count_unknown(const Split& split) {
    long count = 0;
    for (const UnknownQuestions& u : split.unknown) count += u.count;
    return count;
}

// The first line of a log.
OrderedJson log_start(const TrainCommand& c, const Split& split, const TrainOptions& options,
                      const std::string& data_fingerprint) {
    const Schema& schema = split.train.schema;
    const std::string answer = name_of(schema.answer);
    Hash hash;
    hash.add(data_fingerprint + options.to_json().dump());
    return {{"data", c.input},
            {"valid", c.valid},
            {"model", c.output},
            {"answer", answer},
            {"question_types", schema.question_types.names()},
            {"train", {{"graphs", split.train.graphs.size()}, {"questions", split.train.examples.size()}}},
            {"validation",
             {{"graphs", split.valid.graphs.size()},
              {"questions", split.valid.examples.size()},
              {"left_out", count_unknown(split)}}},
            {"recipe",
             c.recipe.empty() ? fmt::format("{} for answers of kind {}", options.kind, answer) : c.recipe},
            {"options", options.to_json()},
            {"time", c.time > 0 ? OrderedJson(c.time) : OrderedJson(nullptr)},
            {"metric", metric_name(schema.answer)},
            {"fingerprint", fmt::format("{:016x}", hash.value())}};
}

// The best run of each question type, for the last line of a log.
OrderedJson best_runs(const Model& model) {
    OrderedJson best = OrderedJson::array();
    std::set<std::string> seen;
    for (const Json& run : model.training.at("runs")) {
        if (!seen.insert(run.at("question").get<std::string>()).second) continue;
        best.push_back({{"question", run["question"]},
                        {"restart", run["restart"]},
                        {"updates", run["updates"]},
                        {metric_name(model.schema.answer), run["valid_error"]},
                        {"valid_loss", run["valid_loss"]},
                        {"train_error", run["train_error"]}});
    }
    return best;
}

// The log's last line, where nothing was trained to its end.
void log_failure(const TrainHooks& hooks, const char* outcome, const std::exception& error) {
    if (hooks.log != nullptr) hooks.log->end({{"outcome", outcome}, {"message", error.what()}});
}

void save(const TrainCommand& c, const Model& model, const TrainHooks& hooks, Progress& progress) {
    save_model(model, c.output);
    for (const std::string& path : {hooks.checkpoint, hooks.interrupted}) ::unlink(path.c_str());
    const bool cut = model.training.contains("cut");
    if (hooks.log != nullptr)
        hooks.log->end(
            {{"outcome", cut ? "time" : "finished"}, {"model", c.output}, {"best", best_runs(model)}});
    if (cut) {
        const Json& counts = model.training["cut"];
        progress.line(
            fmt::format("the time of {} is over: {} of the runs ended early, {} did not begin; the model "
                        "is the best so far",
                        duration_text(c.time), counts["runs"].get<long>(), counts["not_begun"].get<long>()));
    }
    progress.line(fmt::format("{}: {}, {} parameters, {:.1f} s", c.output, model.network->describe().summary,
                              model.parameter_count(), progress.seconds()));
}

} // namespace

TrainSetup set_up(const TrainCommand& command, Progress& progress, Ranks& ranks) {
    if (!command.valid.empty() && command.valid_count >= 0)
        throw UsageError("--valid and --valid-count exclude each other: all of a file of its own validates");
    TrainSetup setup{
        read_split({command.input, command.valid, command.train_count, command.valid_count, command.targets,
                    form_for(command.model), command.table.nodes, command.table.label}),
        {},
        ""};
    const Split& split = setup.split;
    const Kind& kind = kind_for(command.model, split.train);
    setup.options = options_for(command, kind, split.train);
    const auto network = build_network(split.train, setup.options); // wrong usage is told before all else
    const Schema& schema = split.train.schema;
    progress.line(fmt::format(
        "{}: {} graphs and {} questions to train on, {} and {} to validate; {} edge types, answers: {}",
        command.input, split.train.graphs.size(), split.train.examples.size(), split.valid.graphs.size(),
        split.valid.examples.size(), schema.edge_types.size(), name_of(schema.answer)));
    progress.line(recipe_text(*network, setup.options));
    warn_of_unknown(split, progress);
    setup.fingerprint = fmt::format("{:016x} ", fingerprint(split));
    check_same(ranks, setup.fingerprint, command.input);
    return setup;
}

int run_train(const TrainCommand& command) {
    catch_interrupts();
    Ranks& ranks = Ranks::world();
    Progress progress(command.quiet || !ranks.first());
    const auto begin = std::chrono::steady_clock::now();
    if (ranks.first()) check_files(command);
    const TrainSetup setup = set_up(command, progress, ranks);
    const Split& split = setup.split;
    const TrainOptions& options = setup.options;
    TrainHooks hooks;
    hooks.progress = &progress;
    hooks.checkpoint = command.output + ".checkpoint";
    hooks.interrupted = command.output + ".interrupted";
    hooks.resume = command.resume;
    hooks.checkpoint_seconds = command.checkpoint_seconds;
    hooks.fingerprint = setup.fingerprint;
    hooks.ranks = &ranks;
    hooks.notes["targets"] = command.targets;
    if (!command.table.label.empty()) hooks.notes["label"] = command.table.label;
    if (command.time > 0)
        hooks.deadline = begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                     std::chrono::duration<double>(command.time));
    std::optional<TrainingLog> log;
    if (ranks.first()) {
        if (command.fresh) ::unlink(hooks.checkpoint.c_str());
        if (!command.log.empty())
            hooks.log = &log.emplace(command.log, command.resume,
                                     log_start(command, split, options, hooks.fingerprint));
    }
    ThreadPool pool(command.threads > 0 ? command.threads : ranks.threads());
    Model model;
    try {
        model = train(split.train, split.valid, options, pool, hooks);
    } catch (const Interrupted& error) {
        log_failure(hooks, "interrupted", error);
        throw;
    } catch (const Error& error) {
        log_failure(hooks, "failed", error);
        throw;
    }
    if (ranks.first()) save(command, model, hooks, progress);
    return 0;
}

} // namespace ggsnn
