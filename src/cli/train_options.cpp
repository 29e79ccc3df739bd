// What train takes: options of the kinds' tables of settings, and its own.
#include "ggsnn/base/duration.hpp"
#include "ggsnn/cli/commands.hpp"
#include "ggsnn/cli/registration.hpp"
#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/tasks/generate.hpp"
#include "ggsnn/tasks/record.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

namespace ggsnn {

namespace {

// One option for each setting of each kind of network, whose tables say what it is.
void add_setting(CLI::App& sub, Json& to, const Setting& s, const std::string& help, const char* group) {
    CLI::Option* option = nullptr;
    switch (s.type) {
    case Setting::Type::whole:
        option = sub.add_option_function<int>(
                        s.flag(), [&to, s](const int& v) { to[s.name] = v; }, help)
                     ->check(CLI::Range(static_cast<int>(s.least), static_cast<int>(s.most)));
        break;
    case Setting::Type::number:
        option = sub.add_option_function<double>(
                        s.flag(), [&to, s](const double& v) { to[s.name] = v; }, help)
                     ->check(is_number);
        if (s.most < Setting::any)
            option->check(CLI::Range(s.least, s.most));
        else if (s.least > 0)
            option->check(CLI::PositiveNumber);
        else
            option->check(CLI::NonNegativeNumber);
        break;
    case Setting::Type::word:
        option = sub.add_option_function<std::string>(
                        s.flag(), [&to, s](const std::string& v) { to[s.name] = v; }, help)
                     ->check(CLI::IsMember(s.words));
        break;
    case Setting::Type::flag:
        option = sub.add_flag_callback(s.flag(), [&to, s] { to[s.name] = !s.initial.get<bool>(); }, help);
        break;
    }
    option->group(group);
}

void add_network(CLI::App& sub, TrainCommand& o, const char* group) {
    std::vector<std::string> names, lines;
    for (const Kind& kind : kinds()) {
        names.push_back(kind.name);
        lines.push_back(fmt::format("{}: {}", kind.name, kind.help));
    }
    sub.add_option("--model", o.model, fmt::format("Kind of network. {}", fmt::join(lines, "; ")))
        ->check(CLI::IsMember(names))
        ->default_str("ggnn; reader for stories in English, stepper for data with hints")
        ->group(group);
    std::set<std::string> seen;
    for (const Kind& kind : kinds()) {
        for (const Setting& s : kind.settings) {
            if (!seen.insert(s.name).second) continue;
            const bool usual = &kind == &kinds().front();
            add_setting(sub, o.given, s, usual ? s.help : fmt::format("{}: {}", kind.name, s.help), group);
        }
    }
}

std::string wrong_duration(const std::string& text) {
    try {
        parse_duration(text);
        return "";
    } catch (const UsageError& error) {
        return error.what();
    }
}

const CLI::Range positive(1L, 1000000000L);

void add_data(CLI::App* sub, TrainCommand* o) {
    sub->add_option("data", o->input, data_help)->required();
    sub->add_option("-o,--output", o->output, "Model file to write")->required();
    auto* data = "Data";
    sub->add_option("--train-count", o->train_count, "Train on the first N stories (graphs)")
        ->check(positive)
        ->group(data);
    sub->add_option("--valid-count", o->valid_count, "Validate on the next N; default: a tenth of the data")
        ->check(CLI::Range(0L, 1000000000L))
        ->group(data);
    sub->add_option("--valid", o->valid, "Validate on this file instead")->group(data);
    sub->add_option("--target", o->targets,
                    "Molecules: which targets to learn (from 0), such as 0,3; default: all")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->group(data);
    for (CLI::Option* option : add_table_options(sub, o->table)) option->group(data);
}

void add_training(CLI::App* sub, TrainCommand* o, const std::string& which, const char* group) {
    for (const Setting& s : training_settings())
        if (s.group == which) add_setting(*sub, o->given, s, s.help, group);
}

void add_run(CLI::App* sub, TrainCommand* o) {
    auto* run = "Training (default: a recipe for the kind of data)";
    sub->add_option("--recipe", o->recipe, "rnn, lstm: the settings of the paper's authors for this task")
        ->check(CLI::IsMember(task_names()))
        ->group(run);
    add_training(sub, o, "", run);
    sub->add_option("--class-weights", o->class_weights,
                    "Weights of classes in the loss: balanced, or such as yes=3,no=1")
        ->group(run);
    auto* runs = "Runs and their selection (default: a recipe for the kind of data)";
    add_training(sub, o, "runs", runs);
    sub->add_option("--seed", o->seed,
                    "The same seed gives the same model, bit by bit, at any number of threads")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str()
        ->group(runs);
}

void add_time(CLI::App* sub, TrainCommand* o, const char* help, const char* group) {
    sub->add_option_function<std::string>(
           "--time", [o](const std::string& text) { o->time = parse_duration(text); }, help)
        ->check(CLI::Validator(wrong_duration, "", "duration"))
        ->group(group);
}

void add_threads(CLI::App* sub, TrainCommand* o, const char* group) {
    sub->add_option("--threads", o->threads, "Threads; default: all cores")
        ->check(CLI::Range(1, 1024))
        ->group(group);
    sub->add_flag("--quiet", o->quiet, "No progress")->group(group);
}

void add_machine(CLI::App* sub, TrainCommand* o) {
    auto* machine = "Machine";
    add_threads(sub, o, machine);
    add_training(sub, o, "machine", machine);
    add_time(
        sub, o,
        "End within this time, such as 90s, 10m or 1h30m, with the best so far (not the same bits each time)",
        machine);
    auto* resume = sub->add_flag("--resume", o->resume, "Go on from the checkpoint of an interrupted call")
                       ->group(machine);
    sub->add_flag("--fresh", o->fresh, "Start anew where an interrupted call left a checkpoint")
        ->excludes(resume)
        ->group(machine);
    sub->add_option("--checkpoint-seconds", o->checkpoint_seconds, "Write a checkpoint at most this often")
        ->check(CLI::NonNegativeNumber)
        ->check(is_number)
        ->capture_default_str()
        ->group(machine);
    sub->add_option("--log", o->log, "Write a line of JSON for each evaluation; ggsnn plot draws it")
        ->group(machine);
}

// A folder of heaps is for others.
void check_input(const TrainCommand& o, const char* command) {
    if (std::filesystem::is_directory(o.input) && !is_graph_folder(o.input))
        throw UsageError(
            fmt::format("{} is a folder; a folder of heaps is for ggsnn heap train, and ggsnn {} "
                        "takes files and folders of graphs",
                        o.input, command));
}

} // namespace

const char* const data_help =
    "Stories, graphs or molecules as JSON lines, CSV of edges, GraphML, node-link JSON, "
    "Matrix Market, a header of arrays, or a TU folder; plain or gzipped; - is standard input";

std::vector<CLI::Option*> add_table_options(CLI::App* sub, TableOptions& o) {
    return {sub->add_option("--nodes", o.nodes,
                            "CSV and Matrix Market: the table of nodes; default: beside the edges"),
            sub->add_option("--label", o.label,
                            "The column of answers; default: label, class, y or target, or as trained")};
}

void add_train(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("train", "Train a network on stories or graphs");
    auto o = std::make_shared<TrainCommand>();
    add_data(sub, o.get());
    add_network(*sub, *o, "Network (default: a recipe for the kind of data)");
    add_run(sub, o.get());
    add_machine(sub, o.get());
    sub->callback([o, &run] {
        run = [o] {
            check_input(*o, "train");
            return run_train(*o);
        };
    });
}

void add_tune(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("tune", "Search for settings that suit the data, and train with the best");
    auto o = std::make_shared<TuneCommand>();
    auto* search = "Search";
    add_data(sub, &o->train);
    add_time(sub, &o->train, "Search for this time, such as 30m: as many rounds as end within it", search);
    sub->add_option("--rounds", o->rounds, "Rounds of trials; default: one, with --time as many as it allows")
        ->check(CLI::Range(1, 1000))
        ->group(search);
    sub->add_option("--trials", o->trials,
                    "Settings tried a round, a third of which go on, and of these a third")
        ->check(CLI::Range(3, 1000))
        ->capture_default_str()
        ->group(search);
    sub->add_option("--folds", o->folds, "Judge by so many folds of all data instead of by validation data")
        ->check(CLI::Range(2, 100))
        ->group(search);
    add_network(*sub, o->train, "Network: what is given is not searched");
    add_run(sub, &o->train);
    add_threads(sub, &o->train, "Machine");
    sub->callback([o, &run] {
        run = [o] {
            check_input(o->train, "tune");
            return run_tune(*o);
        };
    });
}

} // namespace ggsnn
