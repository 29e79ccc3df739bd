// Search for settings: successive halving (Jamieson, Talwalkar 2016). Rounds of trials, each trial a draw of
// sizes, steps, rates and regularisation around the recipe; all of a round are trained for a ninth of the
// updates, the best third for a third of them, the best ninth to the end. Validation data judges, alone or in
// k folds. What is drawn depends on the seed alone, and finished trials are files: the same command goes on
// where an interrupted one stopped, or where its time was over.
#pragma once

#include "ggsnn/experiments/jobs.hpp"
#include "ggsnn/nn/train/trainer.hpp"

#include <set>
#include <string>

namespace ggsnn {

struct TuneOptions {
    TrainOptions recipe;         // what trials vary; the first trial is the recipe itself
    std::set<std::string> fixed; // settings that the user chose: they stay
    int trials = 9;              // a round
    int rounds = 3;
    double seconds = 0; // no new work after so many; 0: all rounds
    int folds = 0;      // 0: the validation data judges
    std::string folder; // of finished trials
    std::string fingerprint;
};

struct TuneTrial {
    int number = 0;                           // 0: the recipe
    Json choice;                              // what differs from the recipe
    long updates = 0;                         // that it got to
    double error = INFINITY, loss = INFINITY; // validation, at the end
    std::vector<std::pair<long, double>> way; // (updates, error) of each of its trainings
    bool complete = false;                    // got all updates
};

struct TuneResult {
    std::vector<TuneTrial> trials; // best first: complete ones before the others
    TrainOptions best;
    Model model;    // of the best
    int rounds = 0; // finished
};

// Throws Interrupted; Error where no trial gives a model.
TuneResult tune(const Dataset& train, const Dataset& valid, const TuneOptions& options, ThreadPool& pool,
                Progress& progress, Ranks* ranks = nullptr);

OrderedJson to_json(const TuneResult& result);
// The ways of all trials, as a picture.
std::string draw(const TuneResult& result, bool regression);

} // namespace ggsnn
