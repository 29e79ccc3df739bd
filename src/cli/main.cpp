// The program: one command line, one place where errors become messages and exit codes.
//   0 done   1 the input or the result is bad   2 wrong usage   130 interrupted
#include "ggsnn/base/error.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/base/progress.hpp"
#include "ggsnn/base/ranks.hpp"
#include "ggsnn/cli/commands.hpp"
#include "ggsnn/cli/heap.hpp"
#include "ggsnn/cli/manual.hpp"
#include "ggsnn/cli/prove.hpp"
#include "ggsnn/cli/registration.hpp"
#include "ggsnn/cli/snapshots.hpp"
#include "ggsnn/cli/verify.hpp"
#include "ggsnn/cli/words.hpp"
#include "ggsnn/tasks/algorithms.hpp"
#include "ggsnn/tasks/generate.hpp"
#include "ggsnn/tasks/random_graphs.hpp"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace ggsnn {
namespace {

void add_generate(CLI::App& app, Run& run) {
    auto* sub =
        app.add_subcommand("generate", "Write stories of one of the paper's tasks, or graphs to solve");
    auto options = std::make_shared<GenerateCommand>();
    // Heaps were tasks among these once.
    const auto is_no_heap = [](const std::string& text) {
        return text.starts_with("heap") ? std::string("heaps are made by ggsnn heap generate")
                                        : std::string();
    };
    std::vector<std::string> names = task_names();
    for (const std::string& algorithm : algorithm_names()) names.push_back(algorithm);
    for (const char* graph : {"cora-size", "pubmed-size"}) names.emplace_back(graph);
    sub->add_option("task", options->task,
                    "One of the paper's tasks; a graph algorithm; or a citation graph of the size of Cora or "
                    "PubMed")
        ->required()
        ->check(CLI::Validator(is_no_heap, "", "no heap"))
        ->check(CLI::IsMember(names));
    auto* count = sub->add_option("--count", options->count,
                                  "Number of stories, by default 1000; of citation graphs, by default 1")
                      ->check(CLI::Range(1L, 1000000000L));
    sub->add_option("--seed", options->seed, "Seed: the same seed gives the same stories")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    sub->add_option("--scale", options->scale, "Make graphs this many times larger (where the task allows)")
        ->capture_default_str();
    sub->add_flag("--observed", options->observed,
                  "eulerian-circuit: JSON lines with the annotations between outputs");
    sub->add_flag(
        "--hints", options->hints,
        "Graph algorithms, shortest-path and eulerian-circuit: JSON lines with what a solver does step "
        "by step");
    sub->add_option("--family", options->family, "Graph algorithms: which graphs; default: all in turn")
        ->check(CLI::IsMember(graph_families()));
    sub->add_option("--nodes", options->nodes, "Graph algorithms: nodes of a graph; default: 16")
        ->check(CLI::Range(4, max_algorithm_nodes));
    sub->add_option("-o,--output", options->output,
                    "File to write, gzipped if it ends in .gz; - is standard output")
        ->capture_default_str();
    sub->callback([options, count, &run] {
        if (count->empty() && options->task.ends_with("-size")) options->count = 1;
        run = [options] { return run_generate(*options); };
    });
}

// Options of every command that measures or asks a model.
template <class Command>
void add_answer_options(CLI::App* sub, Command& o) {
    sub->add_flag("--json", o.json, "Print JSON");
    sub->add_option("--skip", o.skip, "Leave out the first N stories (graphs, heaps)")
        ->check(CLI::Range(0L, 1000000000L));
    sub->add_option("--count", o.count, "Use only the next N")->check(CLI::Range(1L, 1000000000L));
    sub->add_option("--steps", o.steps, "Propagation steps; default: as trained")
        ->check(CLI::Range(1, 100000));
    sub->add_option("--threads", o.threads, "Threads; default: all cores")->check(CLI::Range(1, 1024));
}

void add_answer(CLI::App& app, Run& run, const std::string& name, const char* about,
                int (*command)(const AnswerCommand&)) {
    auto* sub = app.add_subcommand(name, about);
    auto o = std::make_shared<AnswerCommand>();
    sub->add_option("model", o->model, "Model file")->required();
    auto* data = sub->add_option("data", o->input, data_help);
    add_answer_options(sub, *o);
    sub->add_option("--beam", o->beam, "Sequences: beam search of this width; default: greedy")
        ->check(CLI::Range(1, 1000));
    if (name == "predict") {
        sub->add_option("--top", o->top, "How many answers to show")
            ->check(CLI::Range(1, 1000))
            ->capture_default_str();
        sub->add_flag(
            "--strict", o->strict,
            "Stop at the first bad line; default: an error in its place, and exit code 1 in the end");
    } else {
        sub->add_option("--html", o->html, "Write a page with figures, curves and the worst answers");
        sub->add_option("--split", o->split, "The part of the data, where it says which; default: test")
            ->check(CLI::IsMember({"train", "valid", "test", "all"}));
    }
    sub->add_option("--target", o->targets,
                    "Molecules: which targets the model predicts; default: as trained")
        ->delimiter(',')
        ->allow_extra_args(false);
    add_table_options(sub, o->table);
    sub->callback([o, data, &run, command, name] {
        run = [o, data, command, name] {
            const bool alone = data->empty();
            if (is_about_heaps(alone ? "" : o->model, alone ? o->model : o->input))
                throw UsageError(
                    fmt::format("{} is about heaps, which are for ggsnn heap {}", o->model, name));
            if (alone) throw UsageError(fmt::format("data is required: ggsnn {} MODEL DATA", name));
            return command(*o);
        };
    });
}

void add_embed(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("embed", "Write the states that a model gives to nodes, or to graphs");
    auto o = std::make_shared<EmbedCommand>();
    sub->add_option("model", o->model, "Model file")->required();
    add_table_options(sub, o->table);
    sub->add_option("data", o->input, data_help)->required();
    sub->add_option("-o,--output", o->output, "File to write, in numpy's format .npy: a row a node")
        ->required();
    sub->add_flag("--graphs", o->graphs, "A row a graph: the vectors h_G of Eq. 7");
    sub->add_option("--index", o->index, "Write a table (CSV) that says what each row is of");
    sub->add_option("--skip", o->skip, "Leave out the first N stories (graphs)")
        ->check(CLI::Range(0L, 1000000000L));
    sub->add_option("--count", o->count, "Use only the next N")->check(CLI::Range(1L, 1000000000L));
    sub->add_option("--steps", o->steps, "Propagation steps; default: as trained")
        ->check(CLI::Range(1, 100000));
    sub->callback([o, &run] { run = [o] { return run_embed(*o); }; });
}

void add_heap_generate(CLI::App& heap, Run& run) {
    auto* sub = heap.add_subcommand("generate", "Write heaps and the formulas of their shapes");
    auto o = std::make_shared<HeapGenerateCommand>();
    const auto positive = CLI::Range(1, 1000000000);
    sub->add_option("kind", o->kind,
                    "flat, nested: of lists and trees, wide: of every predicate: train, valid and test; "
                    "flat-stress, nested-stress: equal and NULL variables, every second heap larger")
        ->required()
        ->check(CLI::IsMember({"flat", "nested", "wide", "flat-stress", "nested-stress"}));
    sub->add_option("-o,--output", o->output, "Folder to write; stress sets: a file")->required();
    sub->add_option("--formulas", o->formulas, "How many formulas, default 327; wide: 900")->check(positive);
    sub->add_option("--graphs", o->graphs,
                    "Heaps a formula, default 498, wide: 30; stress sets: in all, default 2000")
        ->check(positive);
    sub->add_option("--sizes", o->sizes, "Cells of a list or tree, default 1-8");
    sub->add_option("--body-sizes", o->body_sizes, "Cells of nested structures, default 1-4");
    sub->add_option(
           "--split", o->split,
           "What training never sees: formulas that are new up to renaming of variables, or formulas")
        ->check(CLI::IsMember({"renaming", "formula"}))
        ->capture_default_str();
    sub->add_flag("--cycles", o->cycles, "flat: also formulas with cycles through several names");
    sub->add_option("--scale", o->scale, "Stress sets: make heaps this many times larger")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    sub->add_option("--seed", o->seed, "Seed: the same seed gives the same heaps")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    sub->add_option("--threads", o->threads, "Threads; default: all cores")->check(CLI::Range(1, 1024));
    sub->add_flag("--quiet", o->quiet, "No progress");
    sub->callback([o, &run] { run = [o] { return run_heap_generate(*o); }; });
}

void add_heap_train(CLI::App& heap, Run& run) {
    auto* sub = heap.add_subcommand("train", "Train the networks of Algorithms 1 and 2 on a folder of heaps");
    auto o = std::make_shared<HeapTrainCommand>();
    sub->add_option("data", o->input, "Folder that ggsnn heap generate has written")->required();
    sub->add_option("-o,--output", o->output, "Model file to write")->required();
    sub->add_option("--state", o->state, "Size D of a node's state, in every network")
        ->check(CLI::Range(1, 4096));
    sub->add_option("--learning-rate", o->learning_rate, "Of Adam")
        ->check(CLI::PositiveNumber)
        ->check(is_number);
    sub->add_option("--updates", o->updates, "Minibatches a run")->check(CLI::Range(1L, 1000000000L));
    sub->add_option("--batch", o->batch, "Questions a minibatch")->check(CLI::Range(1, 1000000));
    sub->add_option("--restarts", o->restarts,
                    "Runs from other initial values at the most; validation data selects")
        ->check(CLI::Range(1, 10000));
    sub->add_option("--seed", o->seed,
                    "The same seed gives the same model, bit by bit, at any number of threads")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    sub->add_option("--threads", o->threads, "Threads; default: all cores")->check(CLI::Range(1, 1024));
    sub->add_flag("--resume", o->resume, "Go on from the checkpoints of an interrupted call");
    sub->add_flag("--fresh", o->fresh, "Start anew where an interrupted call left checkpoints");
    sub->add_option("--checkpoint-seconds", o->checkpoint_seconds, "Write a checkpoint at most this often")
        ->check(CLI::NonNegativeNumber)
        ->check(is_number)
        ->capture_default_str();
    sub->add_flag("--quiet", o->quiet, "No progress");
    sub->callback([o, &run] { run = [o] { return run_heap_train(*o); }; });
}

void add_heap_answer(CLI::App& heap, Run& run, const std::string& name, const char* about,
                     int (*command)(const HeapAnswerCommand&)) {
    auto* sub = heap.add_subcommand(name, about);
    auto o = std::make_shared<HeapAnswerCommand>();
    auto files = std::make_shared<std::vector<std::string>>();
    sub->add_option("data", *files,
                    "Heaps, plain or gzipped; a model file before them where it is not a built-in one")
        ->required()
        ->expected(1, 2)
        ->option_text("[MODEL] DATA");
    sub->add_option("--together", o->together, "This many heaps in a row get one formula")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    add_answer_options(sub, *o);
    sub->add_option("--beam", o->beam,
                    "Beam search of this width where the first formula does not hold; default: 8")
        ->check(CLI::Range(1, 1000));
    if (name == "predict")
        sub->add_flag("--trace", o->trace, "Show every step of the algorithm; with --json as data");
    sub->callback([o, files, &run, command] {
        o->input = files->back();
        if (files->size() == 2) o->model = files->front();
        run = [o, command] { return command(*o); };
    });
}

void add_heap(CLI::App& app, Run& run) {
    auto* heap = app.add_subcommand("heap", "Formulas of heaps: generate, train, evaluate, predict");
    heap->require_subcommand(1);
    add_heap_generate(*heap, run);
    add_heap_train(*heap, run);
    add_heap_answer(*heap, run, "evaluate", "Measure a model on heaps with formulas", run_heap_evaluate);
    add_heap_answer(*heap, run, "predict", "Give heaps the formulas of their shapes", run_heap_predict);
}

void add_tokens(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("tokens", "Write stories as the token sequences that rnn and lstm read");
    auto o = std::make_shared<TokensCommand>();
    sub->add_option("data", o->input, "Stories or JSON-lines graphs, plain or gzipped")->required();
    sub->add_option("--like", o->like, "Number names as in this file (training data)");
    sub->add_option("-o,--output", o->output,
                    "File to write, gzipped if it ends in .gz; - is standard output")
        ->capture_default_str();
    sub->callback([o, &run] { run = [o] { return run_tokens(*o); }; });
}

void add_info(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("info", "Show what a model is and how it was trained");
    auto o = std::make_shared<InfoCommand>();
    sub->add_option("model", o->model, "Model file")->required();
    sub->add_flag("--json", o->json, "Print JSON");
    sub->callback([o, &run] { run = [o] { return run_info(*o); }; });
}

void add_prove(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("prove", "Decide entailments and SL-COMP problems of separation logic");
    auto o = std::make_shared<cli::ProveOptions>();
    sub->add_option("problems", o->inputs,
                    "Files in SL-COMP's SMT-LIB or with definitions and entailments, or texts such as "
                    "'ls(x,y) |- ls(x,y)'")
        ->required();
    sub->add_flag("--show-heap", o->show_heap, "Show a heap with `sat`; `invalid` always shows one");
    sub->add_flag("--json", o->json, "Print a JSON object for each problem");
    sub->add_option("--svg", o->svg, "Draw the heap of the answer to this file, integers included");
    sub->add_option("--timeout", o->timeout, "Seconds for a problem (of processor time)")
        ->capture_default_str();
    sub->add_option("--memory", o->memory, "Megabytes of prover states for a problem")->capture_default_str();
    sub->add_option("--proof", o->proof, "Write the proof of an unsat entailment there, for check_proof");
    sub->callback([o, &run] { run = [o] { return cli::run_prove(*o); }; });
}

void add_snapshots(CLI::App& app, Run& run) {
    auto* sub =
        app.add_subcommand("snapshots", "Run the functions of a C file, and write the heaps on the way");
    auto o = std::make_shared<cli::SnapshotsOptions>();
    sub->add_option("program", o->input, "C file")->required();
    sub->add_option("--function", o->function, "Only this function");
    sub->add_option("--spec", o->specification,
                    "File with specifications; default: comments //@ requires ...");
    sub->add_option("-o,--output", o->output,
                    "File to write, gzipped if it ends in .gz; - is standard output")
        ->capture_default_str();
    sub->add_option("--inputs", o->inputs, "Runs of each function at the most")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    sub->add_option("--seed", o->seed, "Of inputs")->check(CLI::NonNegativeNumber)->capture_default_str();
    sub->callback([o, &run] { run = [o] { return cli::run_snapshots(*o); }; });
}

void add_reproduce(CLI::App& app, Run& run, const std::string& text) {
    auto* sub = app.add_subcommand("reproduce", "Run the paper's experiments and write a report");
    auto o = std::make_shared<ReproduceCommand>();
    o->text = text;
    sub->add_option("what", o->what, "Which of them")
        ->check(CLI::IsMember({"table1", "table2", "table3", "contraction", "sizes", "heap", "programs",
                               "strangers", "babi20", "larger", "all"}))
        ->capture_default_str();
    sub->add_option("-o,--output", o->output, "Folder for index.html, results.json and finished runs")
        ->required();
    sub->add_option("--data", o->data,
                    "Folder with fold_N/{train,test}/T.txt; default: generated stories; programs: with C "
                    "files; strangers: with svcomp/ and ligmm/; babi20: with T_train.txt and T_test.txt")
        ->check(CLI::ExistingDirectory);
    sub->add_option("--folds", o->folds, "Such as 1-10 or 1,3; default: 1-10, with --quick 1-3");
    sub->add_option("--models", o->models, "Any of ggnn, ggsnn, rnn, lstm")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"ggnn", "ggsnn", "rnn", "lstm"}));
    sub->add_flag("--quick", o->quick, "The paper's training sizes alone, and three folds");
    sub->add_option("--timeout", o->timeout, "strangers: seconds a program")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    sub->add_option("--seed", o->seed, "Of training")->capture_default_str();
    sub->add_option("--threads", o->threads, "Threads; default: all cores")->check(CLI::Range(1, 1024));
    sub->add_flag("--quiet", o->quiet, "No progress");
    sub->callback([o, &run] { run = [o] { return run_reproduce(*o); }; });
}

void add_verify(CLI::App& app, Run& run, bool infer, const std::vector<std::string>& compiler_flags) {
    auto* sub = infer
                    ? app.add_subcommand("infer", "Find loop invariants of a C file from runs, without proof")
                    : app.add_subcommand("verify", "Prove memory safety of the functions of a C file");
    auto o = std::make_shared<cli::VerifyCommand>();
    o->file.infer = infer;
    o->file.flags = compiler_flags;
    sub->add_option("programs", o->inputs,
                    "C files, bitcode, or - for standard input; flags of the compiler after --");
    sub->add_option("--compile-commands", o->file.compile_commands,
                    "A compile_commands.json to take flags from; without programs: all its C files");
    sub->add_option("--spec", o->file.specification, "A file with requires, ensures and invariants");
    sub->add_option("--function", o->file.functions, "Only these")->delimiter(',')->allow_extra_args(false);
    sub->add_flag("--json", o->json, "Print JSON");
    sub->add_option("--html", o->html, "Write a page with heaps, predictions and proofs");
    if (!infer) {
        sub->add_option("--property", o->property,
                        "What is judged: memory (valid-memsafety, assertions left out), all, or a file of "
                        "SV-COMP that says it");
        sub->add_option("--sarif", o->sarif, "Write what was found for editors and code hosts (SARIF 2.1)");
        sub->add_option("--witness", o->witness,
                        "Write a witness of the verdict (SV-COMP's YAML, format 2.0)");
        sub->add_option("--cache", o->file.cache,
                        "A folder to keep verdicts in: a second run looks at what has changed alone");
        sub->add_flag("--malloc-may-fail", o->file.allocation_may_fail, "malloc and calloc may give NULL");
        sub->add_flag("--proof-only", o->file.proof_only,
                      "Do not tell errors that runs show: the proof alone (for tests)");
        sub->add_option("--replay", o->replay, "Write a C program that shows the first error when it is run");
        sub->add_option("--timeout", o->file.timeout, "Seconds for a file, all in all")
            ->check(CLI::PositiveNumber)
            ->check(is_number)
            ->capture_default_str();
    }
    sub->add_option("--seed", o->file.seed, "Of the inputs")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    o->file.jobs = 0;
    sub->add_option("--jobs", o->file.jobs,
                    "Files, and functions of a file, at the same time; default: all cores. The answers are "
                    "the same")
        ->check(CLI::Range(1, 1024));
    sub->callback([o, &run] { run = [o] { return cli::run_verify(*o); }; });
    sub->footer("Exit code: 0 all proved, 1 something is unsafe or cannot be read, 2 wrong usage, 3 "
                "something is unknown.");
}

void add_help(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("help", "Show what a command takes");
    auto words = std::make_shared<std::vector<std::string>>();
    sub->add_option("command", *words, "Such as train, or heap train");
    sub->callback([&app, words, &run] {
        run = [&app, words] {
            std::size_t known = 0;
            CLI::App* command = cli::named_command(app, *words, known);
            if (known < words->size()) cli::refuse_command(command, (*words)[known]);
            const CLI::App* parent = command->get_parent();
            // The selected command, help itself, would speak for the whole program.
            const std::string text =
                parent == nullptr
                    ? app.get_formatter()->make_help(&app, "ggsnn", CLI::AppFormatMode::Normal)
                    : command->help(parent == &app ? "ggsnn" : "ggsnn " + cli::full_name(parent));
            std::fputs(text.c_str(), stdout);
            return 0;
        };
    });
}

void add_manual(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand(
        "manual", "Write man pages, completions for a shell, or a reference of all commands");
    auto format = std::make_shared<std::string>(), folder = std::make_shared<std::string>();
    sub->add_option("format", *format, "What to write")
        ->required()
        ->check(CLI::IsMember({"man", "bash", "zsh", "fish", "markdown"}));
    auto* output = sub->add_option("-o,--output", *folder, "man: the folder for its pages");
    sub->callback([&app, format, folder, output, &run] {
        if ((*format == "man") == output->empty())
            throw UsageError(output->empty() ? "manual man needs -o: there is a page for each command"
                                             : "-o is for man; the others are written to standard output");
        run = [&app, format, folder] {
            const cli::CommandText program = cli::describe(app);
            if (*format == "man") {
                for (const cli::CommandText* command : cli::all_commands(program))
                    write_file(*folder + "/" + cli::man_name(*command),
                               cli::man_page(*command, GGSNN_VERSION));
                return 0;
            }
            const std::string text = *format == "bash"   ? cli::bash_completion(program)
                                     : *format == "zsh"  ? cli::zsh_completion(program)
                                     : *format == "fish" ? cli::fish_completion(program)
                                                         : cli::markdown(program);
            std::fputs(text.c_str(), stdout);
            return 0;
        };
    });
}

void add_commands(CLI::App& app, Run& run, const std::string& text,
                  const std::vector<std::string>& compiler_flags) {
    add_generate(app, run);
    add_train(app, run);
    add_tune(app, run);
    add_answer(app, run, "evaluate", "Measure a model on data with answers", run_evaluate);
    add_answer(app, run, "predict", "Answer the questions in a file", run_predict);
    add_embed(app, run);
    add_info(app, run);
    add_plot(app, run);
    add_explain(app, run);
    add_export(app, run);
    add_import(app, run);
    add_reproduce(app, run, text);
    add_heap(app, run);
    add_prove(app, run);
    add_snapshots(app, run);
    add_verify(app, run, false, compiler_flags);
    add_verify(app, run, true, compiler_flags);
    add_serve(app, run);
    add_show(app, run);
    add_tokens(app, run);
    add_help(app, run);
    add_manual(app, run);
}

// Finds what is to be run; nothing where all is said already, as after --help. The code to end with then.
int read_command_line(CLI::App& app, Run& run, int argc, char** argv) {
    app.set_version_flag("-V,--version", version_text);
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    std::vector<std::string> arguments(argv + 1, argv + std::max(argc, 1)), compiler_flags;
    std::string text = "ggsnn";
    for (const std::string& argument : arguments) text += " " + argument;
    // What stands behind -- is for the compiler.
    if (!arguments.empty() && (arguments[0] == "verify" || arguments[0] == "infer")) {
        const auto end = std::find(arguments.begin(), arguments.end(), "--");
        if (end != arguments.end()) compiler_flags.assign(end + 1, arguments.end());
        arguments.erase(end, arguments.end());
    }
    add_commands(app, run, text, compiler_flags);
    const CLI::App* command = &app;
    try {
        std::size_t words = 0;
        command = cli::named_command(app, arguments, words);
        cli::check_words(app, arguments);
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& error) {
        run = nullptr;
        if (error.get_exit_code() == 0)
            return Ranks::world().first() ? app.exit(error) : 0; // --help, --version
        if (arguments.empty()) throw UsageError("a command is required; see ggsnn help");
        throw UsageError(fmt::format("{}; see ggsnn help{}", error.what(),
                                     command == &app ? "" : " " + cli::full_name(command)));
    }
    // Training, experiments and verification are work for all ranks; anything else is for the first.
    const std::string name = cli::full_name(command);
    const bool for_all =
        name == "train" || name == "tune" || name == "reproduce" || name == "verify" || name == "infer";
    if (!Ranks::world().first() && !for_all) run = nullptr;
    return 0;
}

// Prints what went wrong; the code to end with. Other ranks would wait for this one forever: they are
// stopped.
int end_badly(const char* message, int code) {
    Ranks& ranks = Ranks::world();
    if (ranks.alone()) {
        std::fprintf(stderr, "ggsnn: %s\n", message);
        return code;
    }
    // What is wrong for all is said by the first, which stops the others before they speak.
    if (!ranks.first()) std::this_thread::sleep_for(std::chrono::seconds(2));
    std::fprintf(stderr, "ggsnn: rank %d: %s\n", ranks.rank(), message);
    ranks.abort(code);
}

// An interruption reaches all ranks, and each comes to its end.
int end_interrupted(const char* message) {
    if (Ranks::world().first()) std::fprintf(stderr, "ggsnn: %s\n", message);
    Ranks::world().finish();
    return 130;
}

} // namespace
} // namespace ggsnn

int main(int argc, char** argv) {
    // Where a standard stream is closed, its number would go to the next file that is opened, and what is
    // printed would end up there. Something in its place that cannot be used keeps printing an error.
    for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    try {
        ggsnn::Ranks& ranks = ggsnn::Ranks::start(&argc, &argv);
        CLI::App app("Gated graph neural networks and gated graph sequence neural networks", "ggsnn");
        ggsnn::Run run;
        const int said = ggsnn::read_command_line(app, run, argc, argv);
        const int code = run ? run() : said;
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            std::fprintf(stderr, "ggsnn: cannot write to standard output\n");
            return 1;
        }
        ranks.finish();
        return code;
    } catch (const ggsnn::UsageError& error) {
        return ggsnn::end_badly(error.what(), 2);
    } catch (const ggsnn::Interrupted& error) {
        return ggsnn::end_interrupted(error.what());
    } catch (const std::bad_alloc&) {
        return ggsnn::end_badly("out of memory", 1);
    } catch (const std::exception& error) {
        return ggsnn::end_badly(error.what(), 1);
    }
}
