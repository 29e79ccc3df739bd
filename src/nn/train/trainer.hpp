// Training: minibatches, Adam, learning-rate schedule, regularisation, validation, early stopping,
// restarts and their selection, ensembles, checkpoints. Everything random comes from streams named by the
// seed, the question type, the restart and the epoch: a run is the same bits at any number of threads, and
// after any interruption.
#pragma once

#include "ggsnn/base/progress.hpp"
#include "ggsnn/base/ranks.hpp"
#include "ggsnn/nn/model.hpp"

#include <functional>

namespace ggsnn {

struct TrainOptions {
    // The network.
    ModelKind kind = ModelKind::ggnn;
    Variant variant = Variant::authors;
    Directions directions = Directions::apart;
    int state = 0;      // D
    int annotation = 0; // X; at least what the schema needs
    int steps = 5;      // T
    bool shared_propagation = true;
    EdgeFunction edge_function = EdgeFunction::linear; // gnn
    double contraction = 0.9;                          // gnn: mu

    // One run.
    double learning_rate = 0.01;
    bool cosine = true; // to 0 over all updates; otherwise constant
    long updates = 1000;
    int batch = 10;          // examples a minibatch
    double l1 = 0, l2 = 0;   // decoupled; see AdamStep
    double clip = 5;         // elementwise bound of the gradient; 0: none
    bool balance = false;    // as many examples of each class in a minibatch
    long evaluate_every = 0; // updates between validations; 0: a twentieth of all updates
    int patience = 0;        // validations without improvement before a run stops, keeping its best; 0: the
                             // last parameters are kept
    bool keep_best = false;  // the best at any validation is kept, also without patience
    double stop_loss = 0;    // a run stops when the mean training loss since the last validation is below

    // Several runs.
    int restarts = 1;          // runs at the most
    bool stop_at_zero = false; // no further runs after one whose training and validation errors are 0
    int ensemble = 1;          // best runs whose answers are averaged

    std::uint64_t seed = 1;
    Keep keep = Keep::all; // large graphs: see Engine::set_keep

    Json to_json() const;
};

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
    std::vector<float> kept;                      // the best so far, with patience or keep_best
    double best_error = INFINITY, best_loss = INFINITY;
    int waited = 0;      // validations since the best
    double loss_sum = 0; // training loss since the last validation
    long loss_count = 0;
    double train_error = INFINITY;
    std::vector<HistoryPoint> history;
};

struct TrainHooks {
    Progress* progress = nullptr;
    std::string checkpoint;        // file; empty: none
    bool resume = false;           // go on from the checkpoint if there is one
    double checkpoint_seconds = 5; // at most this often
    std::string fingerprint;       // of the data: a checkpoint of other data is refused
    Ranks* ranks = nullptr;        // null: this process alone
};

// Trains on `train`, selects by `valid` alone. If valid has no examples, training data selects. Throws
// Interrupted, with the checkpoint written, when interrupted() becomes true; Error if every run diverges.
// With several ranks all call it with the same data and options, and all get the model. Where minibatches are
// small and there are several runs, each rank takes some of the runs, and the model is the same bits as of
// one process; otherwise the ranks share each minibatch, and it is the same up to rounding. Only rank 0
// writes checkpoints.
Model train(const Dataset& train, const Dataset& valid, const TrainOptions& options, ThreadPool& pool,
            const TrainHooks& hooks = {});

} // namespace ggsnn
