// The paper's experiments on symbolic tasks (its tables 1 to 3) as a list of independent units: one task,
// one kind of network, one number of training stories, one fold. A unit trains on the fold's first stories,
// selects on the next 50, and only then looks at the test stories. Results of units are files, so that an
// interrupted call goes on where it was.
#pragma once

#include "base/progress.hpp"
#include "base/threads.hpp"
#include "nn/model.hpp"
#include "tasks/recipe.hpp"

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

struct UnitResult {
    double accuracy = 0;      // percent, whole answers
    double step_accuracy = 0; // percent, single outputs of sequences
    double seconds = 0;       // of training and testing, one thread
    long parameters = 0;
    std::vector<std::pair<double, double>> curve; // updates, validation error of the selected run
    std::vector<std::string> failures;            // a few wrong answers, as text
};

// Where a fold's stories are: folder/fold_N/{train,test}/T.txt, T being 4, 15, ..., shortest-path.
struct FoldFiles {
    std::string train, test;
};
FoldFiles fold_files(const std::string& folder, const std::string& task, int fold);

// Writes 1,000 training and 1,000 test stories of a task for a fold, unless they are there.
void generate_fold(const std::string& folder, const std::string& task, int fold);

struct ExperimentOptions;
// The folder of the folds: given, or generated below the cache.
std::string data_folder(const ExperimentOptions& options);
// What a unit's network depends on beside its key: recipe, seed, and the bytes of its training file. One in
// the cache that was made otherwise is not used.
std::string circumstances(const Unit& unit, const ExperimentOptions& options);

// Trains and selects: the test file plays no part.
Model train_unit(const Unit& unit, const std::string& train_file, std::uint64_t seed);
UnitResult test_unit(const Model& model, const std::string& test_file);

// One line of a table: a task and a kind of network with one number of training stories, over all folds.
struct Row {
    std::string table, task, model;
    int train = 50;
    std::vector<UnitResult> folds;
    // The paper's figures; negative where it gives none.
    double paper_mean = -1, paper_deviation = -1;
    int paper_train = 0;

    double mean() const;
    double deviation() const; // of a sample
    double seconds() const;
};

struct ExperimentOptions {
    std::vector<std::string> tables; // table1, table2, table3
    std::vector<std::string> models; // ggnn, ggsnn, rnn, lstm
    std::vector<int> folds;
    std::string data;   // folder with folds; empty: generated below cache
    std::string cache;  // folder for results of units
    bool quick = false; // the paper's sizes alone, instead of raising them until 95% is reached
    std::uint64_t seed = 1;
};

// Runs all units that are not in the cache, in parallel, and returns the rows. Throws Interrupted.
std::vector<Row> run_experiment(const ExperimentOptions& options, ThreadPool& pool, Progress& progress);

Json to_json(const std::vector<Row>& rows);

// Beyond the paper: networks trained at the usual size (50 stories), tested on larger graphs.
struct SizePoint {
    std::string task, how; // how: what was done for larger graphs
    int scale = 1;
    double accuracy = 0; // percent, mean over folds
};

// `as trained`; `steps chosen`: the number of propagation steps that does best on 50 other graphs of that
// size; for circuits also `observed`: trained with observed annotations. Uses the networks that
// run_experiment left in the cache, and trains those that are missing. Throws Interrupted.
std::vector<SizePoint> measure_sizes(const ExperimentOptions& options, ThreadPool& pool, Progress& progress);

} // namespace ggsnn
