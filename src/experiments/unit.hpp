// A unit of the paper's experiments: one task, one kind of network, one number of training stories, one
// fold. A unit trains on the fold's first stories, selects on the next 50, and only then looks at the test
// stories. Its result is a file.
#pragma once

#include "ggsnn/experiments/jobs.hpp"
#include "ggsnn/experiments/overlap.hpp"
#include "ggsnn/nn/model.hpp"
#include "ggsnn/nn/train/trainer.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ggsnn {

struct Unit {
    std::string task;  // as in generate.hpp
    std::string model; // ggnn, ggsnn, rnn, lstm
    int train = 50;    // stories
    int fold = 1;

    std::string key() const;
};
// The unit with this key.
std::optional<Unit> unit_of_key(const std::string& key);

// What a unit's network took. Units have a network for each question type.
struct Effort {
    std::string sizes;  // of one network, for people; empty: not known (results of old folders)
    int networks = 0;   // question types
    int runs = 0;       // trained to the end, of all question types
    int most_runs = 0;  // allowed for each
    int together = 0;   // runs whose answers are averaged, at the most
    bool until = false; // no further runs after one without errors in training and validation
    double l1 = 0;
    int validated = 0; // stories that chose among runs

    bool operator==(const Effort&) const = default;
};

struct UnitResult {
    double accuracy = 0;      // percent, whole answers
    double step_accuracy = 0; // percent, single outputs of sequences
    double single = -1;       // percent, of the first run without restarts or averaging; negative: not known
    double seconds = 0;       // of the processor, training and testing
    long parameters = 0;
    Effort effort;
    Overlap overlap;                     // of training and test stories
    std::map<std::string, long> unknown; // test questions that cannot be answered, by type: counted as wrong
    std::vector<std::pair<double, double>> curve; // updates, validation error of the selected run
    std::vector<std::pair<double, double>>
        loss;                          // updates, its training loss; empty in results of old folders
    std::vector<std::string> failures; // a few wrong answers, as text
    int fold = 0;
};
Json to_json(const UnitResult& result);
UnitResult unit_result(const Json& json, int fold);

// Where a fold's stories are: folder/fold_N/{train,test}/T.txt, T being 4, 15, ..., shortest-path.
struct FoldFiles {
    std::string train, test;
};
FoldFiles fold_files(const std::string& folder, const std::string& task, int fold);

// Writes 1,000 training and 1,000 test stories of a task for a fold, unless they are there.
void generate_fold(const std::string& folder, const std::string& task, int fold);

// Stories after those trained on that choose among runs.
int validation_stories(const Unit& unit);
TrainOptions unit_options(const Unit& unit, std::uint64_t seed);
// What a unit's network depends on beside its key: recipe, seed, and the bytes of its training file. One in
// the cache that was made otherwise is not used.
std::string made_with(const Unit& unit, const std::string& train_file, std::uint64_t seed);

// Trains and selects: the test file plays no part. first_runs: gets what the first runs alone give.
Model train_unit(const Unit& unit, const std::string& train_file, std::uint64_t seed, Ranks* ranks = nullptr,
                 Model* first_runs = nullptr);
// Accuracy, wrong answers, and what is in the model itself. Questions that no network of the model can answer
// (of a type, with an edge, or an answer that was not in training) are wrong.
UnitResult test_unit(const Model& model, const std::string& test_file);

// Seconds of one core that a unit takes, roughly: for the time left, not for anything else.
double expected_seconds(const Unit& unit);

} // namespace ggsnn
