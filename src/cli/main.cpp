// The program: one command line, one place where errors become messages and exit codes.
//   0 done   1 the input or the result is bad   2 wrong usage   130 interrupted
#include "base/error.hpp"
#include "base/progress.hpp"
#include "cli/commands.hpp"
#include "tasks/generate.hpp"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace ggsnn {
namespace {

using Run = std::function<int()>;

// Ranges let NaN pass.
const CLI::Validator is_number(
    [](std::string& text) {
        return std::isnan(std::strtod(text.c_str(), nullptr)) ? "expected a number, not " + text : std::string();
    },
    "", "number");

void add_generate(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("generate", "Write stories of one of the paper's tasks");
    auto options = std::make_shared<GenerateCommand>();
    sub->add_option("task", options->task, "The task")->required()->check(CLI::IsMember(task_names()));
    sub->add_option("--count", options->count, "Number of stories")->check(CLI::Range(1L, 1000000000L))->capture_default_str();
    sub->add_option("--seed", options->seed, "Seed: the same seed gives the same stories")->check(CLI::NonNegativeNumber)->capture_default_str();
    sub->add_option("--scale", options->scale, "Make graphs this many times larger (where the task allows)")->capture_default_str();
    sub->add_option("-o,--output", options->output, "File to write, gzipped if it ends in .gz; - is standard output")->capture_default_str();
    sub->callback([options, &run] { run = [options] { return run_generate(*options); }; });
}

void add_train(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("train", "Train a network on stories or graphs");
    auto o = std::make_shared<TrainCommand>();
    const auto positive = CLI::Range(1L, 1000000000L);
    sub->add_option("data", o->input, "Stories, JSON-lines graphs or molecules, plain or gzipped")->required();
    sub->add_option("-o,--output", o->output, "Model file to write")->required();
    auto* data = "Data";
    sub->add_option("--train-count", o->train_count, "Train on the first N stories (graphs)")->check(positive)->group(data);
    sub->add_option("--valid-count", o->valid_count, "Validate on the next N; default: a tenth of the data")->check(CLI::Range(0L, 1000000000L))->group(data);
    sub->add_option("--valid", o->valid, "Validate on this file instead")->group(data);
    sub->add_option("--target", o->targets, "Molecules: which targets to learn (from 0); default: all")->group(data);
    auto* network = "Network (default: a recipe for the kind of data)";
    sub->add_option("--variant", o->variant, "Equations as in the paper or as in its authors' program")->check(CLI::IsMember({"paper", "authors"}))->group(network);
    sub->add_option("--state", o->state, "Size D of a node's state")->check(CLI::Range(1, 4096))->group(network);
    sub->add_option("--annotation", o->annotation, "Size of a node's annotation, at least what the data needs")->check(CLI::Range(1, 4096))->group(network);
    sub->add_option("--steps", o->steps, "Propagation steps T")->check(CLI::Range(1, 10000))->group(network);
    sub->add_flag("--separate", o->separate, "Sequences: separate propagation for output and annotation")->group(network);
    auto* runs = "Training (default: a recipe for the kind of data)";
    sub->add_option("--learning-rate", o->learning_rate, "Of Adam")->check(CLI::PositiveNumber)->check(is_number)->group(runs);
    sub->add_option("--schedule", o->schedule, "Learning rate over time")->check(CLI::IsMember({"cosine", "constant"}))->group(runs);
    sub->add_option("--updates", o->updates, "Minibatches a run")->check(positive)->group(runs);
    sub->add_option("--batch", o->batch, "Questions a minibatch")->check(CLI::Range(1, 1000000))->group(runs);
    sub->add_option("--l1", o->l1, "Decoupled L1 regularisation")->check(CLI::NonNegativeNumber)->check(is_number)->group(runs);
    sub->add_option("--l2", o->l2, "Decoupled L2 regularisation")->check(CLI::NonNegativeNumber)->check(is_number)->group(runs);
    sub->add_option("--clip", o->clip, "Elementwise bound of gradients; 0 for none")->check(CLI::NonNegativeNumber)->check(is_number)->group(runs);
    sub->add_flag("--balance", o->balance, "As many examples of each class in a minibatch")->group(runs);
    sub->add_option("--evaluate-every", o->evaluate_every, "Updates between validations")->check(positive)->group(runs);
    sub->add_option("--patience", o->patience, "Validations without improvement before a run stops, keeping its best")->check(CLI::Range(0, 1000000))->group(runs);
    sub->add_option("--stop-loss", o->stop_loss, "Stop a run when the training loss is below")->check(CLI::NonNegativeNumber)->check(is_number)->group(runs);
    sub->add_option("--restarts", o->restarts, "Runs from other initial values at the most; validation data selects")->check(CLI::Range(1, 10000))->group(runs);
    sub->add_flag("--stop-at-zero", o->stop_at_zero, "No more restarts after one without training and validation errors")->group(runs);
    sub->add_option("--ensemble", o->ensemble, "Average the answers of the best N restarts")->check(CLI::Range(1, 1000))->group(runs);
    sub->add_option("--seed", o->seed, "The same seed gives the same model, bit by bit, at any number of threads")->check(CLI::NonNegativeNumber)->capture_default_str()->group(runs);
    auto* machine = "Machine";
    sub->add_option("--threads", o->threads, "Threads; default: all cores")->check(CLI::Range(1, 1024))->group(machine);
    sub->add_flag("--low-memory", o->low_memory, "Large graphs: keep only states for backward, compute the rest again")->group(machine);
    sub->add_flag("--resume", o->resume, "Go on from the checkpoint of an interrupted call")->group(machine);
    sub->add_option("--checkpoint-seconds", o->checkpoint_seconds, "Write a checkpoint at most this often")->check(CLI::NonNegativeNumber)->check(is_number)->capture_default_str()->group(machine);
    sub->add_flag("--quiet", o->quiet, "No progress")->group(machine);
    sub->callback([o, &run] { run = [o] { return run_train(*o); }; });
}

void add_use(CLI::App& app, Run& run, const char* name, const char* about, int (*command)(const UseCommand&)) {
    auto* sub = app.add_subcommand(name, about);
    auto o = std::make_shared<UseCommand>();
    sub->add_option("model", o->model, "Model file")->required();
    sub->add_option("data", o->input, "Stories, JSON-lines graphs or molecules, plain or gzipped")->required();
    sub->add_flag("--json", o->json, "Print JSON");
    sub->add_option("--skip", o->skip, "Leave out the first N stories (graphs)")->check(CLI::Range(0L, 1000000000L));
    sub->add_option("--count", o->count, "Use only the next N")->check(CLI::Range(1L, 1000000000L));
    sub->add_option("--steps", o->steps, "Propagation steps; default: as trained")->check(CLI::Range(1, 100000));
    if (std::string(name) == "predict")
        sub->add_option("--top", o->top, "How many answers to show")->check(CLI::Range(1, 1000))->capture_default_str();
    sub->add_option("--target", o->targets, "Molecules: which targets the model predicts; default: as trained");
    sub->add_option("--threads", o->threads, "Threads; default: all cores")->check(CLI::Range(1, 1024));
    sub->callback([o, &run, command] { run = [o, command] { return command(*o); }; });
}

void add_info(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("info", "Show what a model is and how it was trained");
    auto o = std::make_shared<InfoCommand>();
    sub->add_option("model", o->model, "Model file")->required();
    sub->add_flag("--json", o->json, "Print JSON");
    sub->callback([o, &run] { run = [o] { return run_info(*o); }; });
}

int run_main(int argc, char** argv) {
    CLI::App app("Gated graph neural networks and gated graph sequence neural networks", "ggsnn");
    app.set_version_flag("--version", GGSNN_VERSION);
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    Run run;
    add_generate(app, run);
    add_train(app, run);
    add_use(app, run, "evaluate", "Measure a model on data with answers", run_evaluate);
    add_use(app, run, "predict", "Answer the questions in a file", run_predict);
    add_info(app, run);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error); // --help, --version
        const CLI::App* sub = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
        std::string message = error.what();
        if (sub == &app && argc > 1) message = fmt::format("unknown command or option '{}'", argv[1]);
        std::fprintf(stderr, "ggsnn: %s\n\n%s", message.c_str(), sub->help(sub == &app ? "" : "ggsnn").c_str());
        return 2;
    }
    return run();
}

} // namespace
} // namespace ggsnn

int main(int argc, char** argv) {
    // Where a standard stream is closed, its number would go to the next file that is opened, and what is
    // printed would end up there. Something in its place that cannot be used keeps printing an error.
    for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    try {
        const int code = ggsnn::run_main(argc, argv);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            std::fprintf(stderr, "ggsnn: cannot write to standard output\n");
            return 1;
        }
        return code;
    } catch (const ggsnn::UsageError& error) {
        std::fprintf(stderr, "ggsnn: %s\n", error.what());
        return 2;
    } catch (const ggsnn::Interrupted& error) {
        std::fprintf(stderr, "ggsnn: %s\n", error.what());
        return 130;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "ggsnn: out of memory\n");
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ggsnn: %s\n", error.what());
        return 1;
    }
}
