// tune: a search for settings, its table, its picture and the best model.
#include "ggsnn/experiments/tune.hpp"

#include "ggsnn/base/duration.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/train_files.hpp"
#include "ggsnn/cli/train_setup.hpp"

#include <cstdio>

namespace ggsnn {

namespace {

std::string choice_text(const TuneTrial& trial) {
    if (trial.number == 0) return "the recipe";
    std::vector<std::string> parts;
    for (const auto& [name, value] : trial.choice.items())
        parts.push_back(
            fmt::format("{} {}", name, value.is_string() ? value.get<std::string>() : value.dump()));
    return fmt::format("{}", fmt::join(parts, ", "));
}

void print_table(const TuneResult& result, bool regression) {
    constexpr std::size_t most = 10;
    fmt::print("{:>5}  {:>8}  {:>10}  {}\n", "trial", "updates", regression ? "error" : "error rate",
               "settings");
    for (std::size_t i = 0; i < result.trials.size() && i < most; ++i) {
        const TuneTrial& t = result.trials[i];
        fmt::print("{:>5}  {:>8}  {:>10.4f}  {}\n", t.number, t.updates, t.error, choice_text(t));
    }
    if (result.trials.size() > most) fmt::print("  ... {} trials in all\n", result.trials.size());
}

} // namespace

int run_tune(const TuneCommand& command) {
    catch_interrupts();
    Ranks& ranks = Ranks::world();
    Progress progress(command.train.quiet || !ranks.first());
    if (ranks.first()) check_files(command.train);
    const TrainSetup setup = set_up(command.train, progress, ranks);
    TuneOptions options;
    options.recipe = setup.options;
    for (const auto& [name, value] : command.train.given.items()) options.fixed.insert(name);
    options.trials = command.trials;
    options.rounds = command.train.time > 0 && command.rounds == 0 ? 1000 : std::max(1, command.rounds);
    options.seconds = command.train.time;
    options.folds = command.folds;
    options.folder = command.train.output + ".trials";
    options.fingerprint = setup.fingerprint;
    ThreadPool pool(command.train.threads > 0 ? command.train.threads : ranks.threads());
    TuneResult result = tune(setup.split.train, setup.split.valid, options, pool, progress, &ranks);
    if (!ranks.first()) return 0;
    const bool regression = is_regression(result.model.schema.answer);
    result.model.training["targets"] = command.train.targets;
    if (!command.train.table.label.empty()) result.model.training["label"] = command.train.table.label;
    save_model(result.model, command.train.output);
    write_file(command.train.output + ".tune.json", to_json(result).dump(1) + "\n");
    write_file(command.train.output + ".tune.svg", draw(result, regression));
    progress.line(fmt::format("{} trials, {} whole rounds, {}", result.trials.size(), result.rounds,
                              duration_text(progress.seconds())));
    print_table(result, regression);
    fmt::print(
        "{0}: the model of the first; {0}.tune.json, {0}.tune.svg: all trials; {0}.trials can be removed, "
        "or gone on from with more --rounds or --time\n",
        command.train.output);
    return 0;
}

} // namespace ggsnn
