// Training: minibatches, Adam, learning-rate schedule, regularisation, validation, early stopping,
// restarts and their selection, ensembles, checkpoints. Everything random comes from streams named by the
// seed, the question type, the restart and the epoch: a run is the same bits at any number of threads, and
// after any interruption.
#pragma once

#include "ggsnn/base/progress.hpp"
#include "ggsnn/base/ranks.hpp"
#include "ggsnn/nn/model.hpp"
#include "ggsnn/nn/train/options.hpp"

#include <chrono>
#include <functional>
#include <optional>

namespace ggsnn {

class TrainingLog;
struct LogPoint;

// Progress and result of one run: restart r of the network for question type q.
struct HistoryPoint {
    long update = 0;
    double train_loss = 0, valid_error = 0, valid_loss = 0;
};

struct RunState {
    int question = 0, restart = 0;
    long update = 0;
    bool finished = false, diverged = false;
    std::vector<float> parameters, first, second; // Adam's moments
    // What the run would give if it ended now: the best at any validation. At its end, and without patience
    // or keep_best, the last parameters.
    std::vector<float> kept;
    std::vector<float> averaged; // over the last updates, where that is asked for
    long averaged_count = 0;
    double kept_error = INFINITY, kept_loss = INFINITY; // of kept, by validation data
    double best_error = INFINITY, best_loss = INFINITY; // that the run is judged by; at its end those of kept
    int waited = 0;                                     // validations since the best
    double loss_sum = 0;                                // training loss since the last validation
    long loss_count = 0;
    double train_error = INFINITY;
    std::vector<HistoryPoint> history;

    bool cut = false;         // finished because the time was over; not in files
    double learning_rate = 0; // of the last update of this call
};

struct TrainHooks {
    Progress* progress = nullptr;
    std::string checkpoint;        // file; empty: none
    bool resume = false;           // go on from the checkpoint if there is one
    double checkpoint_seconds = 5; // at most this often
    std::string fingerprint;       // of the data: a checkpoint of other data is refused
    Ranks* ranks = nullptr;        // null: this process alone
    TrainingLog* log = nullptr;    // of rank 0; null: none
    // When it is over, runs that were begun end with their best so far, and further restarts do not begin.
    // Every question type gets its share of the time, and one update at least.
    std::optional<std::chrono::steady_clock::time_point> deadline;
    Json notes = Json::object(); // more about the data, for Model::training
    std::string interrupted;     // file for the best model so far when interrupted; empty: none
    Model* so_far = nullptr;     // gets the same model, where there is one
    // Gets the model that the first run of each question type alone would have been, without restarts and
    // averaging; no networks in it where one of these runs diverged.
    Model* first_runs = nullptr;
    // Told of each evaluation, one at a time, from any thread; false: as if the time were over. null: nobody.
    // For one process.
    std::function<bool(const LogPoint&)> watch = {};
};

// The network that train would train. Throws Error where settings, data and kind of network do not suit each
// other: found before the work begins.
std::shared_ptr<const Architecture> build_network(const Dataset& train, const TrainOptions& options);

// Trains on `train`, selects by `valid` alone. Features and numbers are given as they are: training finds the
// scales that networks need and puts them into the model. If valid has no examples, training data selects.
// Throws Interrupted, with the checkpoint and the best model so far written, when interrupted() becomes true;
// Error if every run diverges. Where the deadline ended it, training["cut"] says how many runs it met. With
// several ranks all call it with the same data and options, and all get the model. Where minibatches are
// small and there are several runs, each rank takes some of the runs, and the model is the same bits as of
// one process; otherwise the ranks share each minibatch, and it is the same up to rounding. Only rank 0
// writes checkpoints.
Model train(const Dataset& train, const Dataset& valid, const TrainOptions& options, ThreadPool& pool,
            const TrainHooks& hooks = {});

} // namespace ggsnn
