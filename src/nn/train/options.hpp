// Everything that can be set about training. The settings of the network itself are those of its kind
// (kinds.hpp); recipe_for fills in what is good for a kind of data.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/nn/keep.hpp"
#include "ggsnn/nn/settings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ggsnn {

struct TrainOptions {
    std::string kind = "ggnn";     // of network
    Json network = Json::object(); // settings of that kind: {{"state", 20}, {"steps", 5}}, ..

    // One run.
    double learning_rate = 0.01;
    bool cosine = true; // to 0 over all updates; otherwise constant
    long updates = 1000;
    int batch = 10;                                                  // examples a minibatch
    double l1 = 0, l2 = 0;                                           // decoupled; see AdamStep
    double state_dropout = 0, feature_dropout = 0, edge_dropout = 0; // shares left out in training
    double smoothing = 0;    // of labels: the share of a target that goes to all labels alike
    Json class_weights = {}; // null: all alike; "balanced": rare ones more; {"name": weight, ...}
    bool absolute = false;   // regression: absolute instead of squared errors
    long warmup = 0;         // updates over which the learning rate grows from 0
    double average = 0;      // the last share of updates whose parameters are averaged
    double clip = 5;         // elementwise bound of the gradient; 0: none
    int exchanged = 0;       // copies of each graph with names exchanged (exchange.hpp)
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
    Keep keep = Keep::all; // of graphs so large that they are split over lanes

    std::string because = {}; // of a recipe: why these, for people

    Json to_json() const;
};

// Settings of training that recipes may choose and everyone may override, described once; the value of each.
const std::vector<Setting>& training_settings();
void set_training(TrainOptions& options, const Json& given); // REQUIRES values that fit the settings
Json training_values(const TrainOptions& options);

struct Dataset;

// The weight of each label of these examples' schema by options.class_weights, on average 1 over the
// examples; empty: all alike. Throws UsageError where the options name a class that there is not, or answers
// are no classes.
std::vector<float> class_weights_of(const TrainOptions& options, const Dataset& train);

} // namespace ggsnn
