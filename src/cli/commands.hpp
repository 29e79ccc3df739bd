// The commands of the program: what each takes, and the function that runs it. main.cpp fills the options
// from the command line; each command is a file of its own. A command returns its exit code, or throws.
#pragma once

#include "ggsnn/nn/predict.hpp"
#include "ggsnn/nn/train/trainer.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ggsnn {

// Where data in columns says what is asked, for every command that reads data.
struct TableOptions {
    std::string nodes; // the table of nodes of an edge list
    std::string label; // the column of answers
};

struct GenerateCommand {
    std::string task, output = "-";
    long count = 1000;
    std::uint64_t seed = 1;
    int scale = 1;
    bool observed = false; // eulerian-circuit: JSON lines with observed annotations
    bool hints = false;    // graph algorithms, shortest-path and eulerian-circuit: JSON lines with hints
    std::string family;    // graph algorithms; empty: all in turn
    int nodes = 0;         // graph algorithms; 0: 16
};
int run_generate(const GenerateCommand& command);

struct TrainCommand {
    std::string input, output, valid;
    long train_count = 0, valid_count = -1; // 0: all the rest; -1: a tenth of the data
    std::vector<int> targets;
    TableOptions table;
    std::string model, recipe;   // model: empty: as suits the data
    Json given = Json::object(); // settings of network and training that override the recipe, by their names
    std::string class_weights;
    std::uint64_t seed = 1;
    int threads = 0;
    bool resume = false, fresh = false, quiet = false;
    double checkpoint_seconds = 5;
    double time = 0; // seconds for the whole call; 0: as long as it takes
    std::string log; // file; empty: none
};
int run_train(const TrainCommand& command);

struct TuneCommand {
    TrainCommand train;                    // data, and settings that are not searched
    int trials = 9, rounds = 0, folds = 0; // rounds 0: one, or as many as the time allows
};
int run_tune(const TuneCommand& command);

struct AnswerCommand {              // evaluate and predict
    std::string model, input, html; // html: evaluate writes a report there
    long skip = 0, count = 0;       // records; count 0: all
    int steps = 0, beam = 0, top = 3, threads = 0;
    std::vector<int> targets;
    TableOptions table;
    bool json = false, strict = false; // strict: predict stops at the first bad line
    std::string split;                 // evaluate: the part of the data; empty: test, where it has parts
};
int run_evaluate(const AnswerCommand& command);
int run_predict(const AnswerCommand& command);

// A model, or the best so far of a checkpoint, which it says on standard error.
Model load_to_answer(const std::string& path);

struct PlotCommand {
    std::vector<std::string> inputs; // logs of training, models
    std::string output, x = "updates", question;
};
int run_plot(const PlotCommand& command);

struct ExportCommand {
    std::string model, question;
    std::string c, onnx; // files to write; empty: none
};
int run_export(const ExportCommand& command);

struct ImportCommand {
    std::string pyg, dgl, output; // the file of weights is one of the first two
    std::string layer, linear;
    int features = 0, steps = 0;
    std::string messages = "sum";
    std::vector<std::string> edge_types, classes;
};
int run_import(const ImportCommand& command);

struct EmbedCommand {
    std::string model, input, output, index; // index: a table of what each row is of; empty: none
    long skip = 0, count = 0;                // records; count 0: all
    int steps = 0;
    TableOptions table;
    bool graphs = false; // rows are of graphs, not of nodes
};
int run_embed(const EmbedCommand& command);

struct ExplainCommand {
    std::string model, input, node, output; // output: a picture
    long question = 1;
    int output_number = 0, top = 8, points = 48;
    TableOptions table;
    bool json = false;
};
int run_explain(const ExplainCommand& command);

struct ReproduceCommand {
    std::string what = "all", data, folds, output, text;
    std::vector<std::string> models = {"ggnn", "ggsnn", "rnn", "lstm"};
    bool quick = false, quiet = false;
    std::uint64_t seed = 1;
    int threads = 0;
    double timeout = 60; // strangers: seconds a program
};
int run_reproduce(const ReproduceCommand& command);

struct ServeCommand {
    std::vector<std::string> folders;
    std::string listen = "127.0.0.1", token;
    int port = 8181, workers = 0; // workers 0: by the machine
    double timeout = 20;
    bool open = true; // a browser
};
int run_serve(const ServeCommand& command);

struct ShowCommand {
    std::vector<std::string> inputs;
    std::string output, svg; // files to write; empty: none
    long question = 1;
};
int run_show(const ShowCommand& command);

struct TokensCommand {
    std::string input, output = "-", like;
};
int run_tokens(const TokensCommand& command);

// Version, compiler, instruction set and libraries, for --version.
std::string version_text();

struct InfoCommand {
    std::string model;
    bool json = false;
};
int run_info(const InfoCommand& command);

} // namespace ggsnn
