// The paper's experiments on symbolic tasks (its tables 1 to 3): units (unit.hpp) and the tables made of
// them. A folder of finished units may come from several commands; tables are made of all that is there.
#pragma once

#include "ggsnn/experiments/unit.hpp"

#include <map>

namespace ggsnn {

// One line of a table: a task and a kind of network with one number of training stories, over all folds.
struct Row {
    std::string table, task, model;
    int train = 50;
    std::vector<UnitResult> folds;
    // The paper's figures; negative where it gives none.
    double paper_mean = -1, paper_deviation = -1;

    double mean() const;
    double deviation() const; // of a sample
    double step_mean() const;
    double single() const; // mean of the first runs alone; negative: not known of all folds
    double seconds() const;
    double runs() const; // for each network, on average
    std::size_t
    problems() const;    // that are different up to renaming, in the test stories of all folds; 0: not known
    double seen() const; // percent of test questions whose problem was trained on; negative: not known
    double copied() const;               // the same, word by word
    std::vector<int> same_files() const; // folds whose test file is their training file
};
// Mean, and deviation of a sample, of percentages.
double mean_of(const std::vector<double>& values);
double deviation_of(const std::vector<double>& values);

struct ExperimentOptions {
    std::vector<std::string> tables; // table1, table2, table3
    std::vector<std::string> models; // ggnn, ggsnn, rnn, lstm
    std::vector<int> folds;
    std::string data;   // folder with folds; empty: generated below cache
    std::string cache;  // folder for results of units
    bool quick = false; // the paper's sizes alone, instead of raising them until 95% is reached
    std::uint64_t seed = 1;

    // The folder of the folds: given, or generated below the cache.
    std::string data_folder() const;
    // What results say about where their stories come from.
    std::string data_name() const;
};

// Results that were made with one recipe and seed on one source of stories are comparable, others are not:
// only those of one origin share a line of a table.
struct Origin {
    std::string recipe, data;

    auto operator<=>(const Origin&) const = default;
};
// The wanted origin if there is something of it; otherwise that of the wanted recipe with the most, otherwise
// the one with the most, the first of equals.
template <class Found>
const Found& choose(const std::map<Origin, Found>& found, const Origin& wanted) {
    if (const auto at = found.find(wanted); at != found.end()) return at->second;
    const Found* best = nullptr;
    bool best_alike = false;
    for (const auto& [origin, list] : found) {
        const bool alike = origin.recipe == wanted.recipe;
        const bool better =
            best == nullptr || (alike && !best_alike) || (alike == best_alike && list.size() > best->size());
        if (!better) continue;
        best = &list;
        best_alike = alike;
    }
    return *best;
}

// Generates the folds of a task that are not there, unless stories are given: rank 0 for all.
void prepare_folds(const ExperimentOptions& options, const std::string& task, Ranks* ranks);

// A unit as a job for a table, or for another study that needs its network: `cache`/KEY.json and, for graph
// networks, KEY.ggsnn. REQUIRES that the fold's stories are there.
Job unit_job(const Unit& unit, const std::string& table, const ExperimentOptions& options);
std::string unit_model(const Unit& unit, const ExperimentOptions& options); // path of KEY.ggsnn

// Runs all units that are not in the cache, in parallel, and returns the rows. Throws Interrupted.
std::vector<Row> run_experiment(const ExperimentOptions& options, ThreadPool& pool, Progress& progress,
                                Ranks* ranks = nullptr);

// The rows of all finished units in the cache, whichever command made them; of options only cache, and data
// and seed for the choice of origin, are looked at.
std::vector<Row> finished_rows(const ExperimentOptions& options);

// Elements of results.json.
Json to_json(const std::vector<Row>& rows);

} // namespace ggsnn
