// Training and asking from Python, without its lock: what a model learns, and its answers as arrays.
#pragma once

#include "records.hpp"

#include "ggsnn/nn/model.hpp"

namespace ggsnn::python {

// What fit is told besides the data.
struct TrainRequest {
    std::string model;           // kind of network; empty: by the data, as the program chooses
    std::string settings = "{}"; // JSON: settings by their names; the rest is a recipe's
    std::uint64_t seed = 1;
    long train_count = 0, valid_count = -1; // SplitOptions
    double seconds = 0;                     // 0: as long as it takes
    int threads = 0;
    bool verbose = false;
    py::object watch = py::none(); // called with a dict at each evaluation; a true result ends the training
};

struct Trained {
    std::shared_ptr<Model> model; // null: interrupted before the first validation
    bool interrupted = false;
    std::string recipe; // what was trained with, and why
};

Trained train_model(const Questions& train, const Questions* valid, const TrainRequest& request);

// The same data and options as the program's `train` of a file.
Trained train_file(const std::string& path, const std::string& valid, const TrainRequest& request);

struct AskOptions {
    int steps = 0, beam = 0, threads = 0;
};

// Classes of graphs: questions x classes. Numbers of graphs: questions x numbers. Otherwise a list with an
// array for each question: probabilities of its nodes; rows of its nodes; rows of its outputs.
py::object predict_lists(const Model& model, const Questions& questions, const AskOptions& options);
// Labels of each question (sequences without 'end'), and whether sequences came to their end.
py::tuple predict_labels(const Model& model, const Questions& questions, const AskOptions& options);

// Figures as `evaluate --json` has them. REQUIRES answers.
std::string evaluate(const Model& model, const Questions& questions, const AskOptions& options);

// A list with an array for each question: a row for each node, or one row for the graph.
py::list embed(const Model& model, const Questions& questions, bool graphs, int steps);

// (JSON as of `explain --json`, picture).
std::pair<std::string, std::string> explain(const Model& model, const Questions& questions, int node,
                                            int output, int points);

} // namespace ggsnn::python
