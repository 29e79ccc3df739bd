#include "ggsnn/experiments/experiment.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/experiments/paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

namespace ggsnn {

std::string ExperimentOptions::data_folder() const {
    return data.empty() ? cache + "/data" : data;
}

std::string ExperimentOptions::data_name() const {
    return data.empty() ? "generated" : std::filesystem::weakly_canonical(data).string();
}

double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (double v : values) sum += v;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values) {
    if (values.size() < 2) return 0;
    const double m = mean_of(values);
    double sum = 0;
    for (double v : values) sum += (v - m) * (v - m);
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

namespace {

std::vector<double> column(const std::vector<UnitResult>& folds, double UnitResult::* member) {
    std::vector<double> values;
    for (const UnitResult& r : folds) values.push_back(r.*member);
    return values;
}

bool contains(const std::vector<std::string>& list, const std::string& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

} // namespace

double Row::mean() const {
    return mean_of(column(folds, &UnitResult::accuracy));
}

double Row::deviation() const {
    return deviation_of(column(folds, &UnitResult::accuracy));
}

double Row::step_mean() const {
    return mean_of(column(folds, &UnitResult::step_accuracy));
}

double Row::single() const {
    for (const UnitResult& r : folds)
        if (r.single < 0) return -1;
    return mean_of(column(folds, &UnitResult::single));
}

double Row::runs() const {
    int runs = 0, networks = 0;
    for (const UnitResult& r : folds) {
        runs += r.effort.runs;
        networks += r.effort.networks;
    }
    return networks > 0 ? static_cast<double>(runs) / networks : 0;
}

std::size_t Row::problems() const {
    std::set<std::uint64_t> all;
    for (const UnitResult& r : folds) {
        if (!r.overlap.counted) return 0;
        all.insert(r.overlap.problems.begin(), r.overlap.problems.end());
    }
    return all.size();
}

namespace {

double share_of(const std::vector<UnitResult>& folds, long Overlap::* member) {
    long part = 0, all = 0;
    for (const UnitResult& r : folds) {
        part += r.overlap.*member;
        all += r.overlap.questions;
        if (!r.overlap.counted) return -1;
    }
    return all > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : -1;
}

} // namespace

double Row::seen() const {
    return share_of(folds, &Overlap::seen);
}

double Row::copied() const {
    return share_of(folds, &Overlap::copied);
}

std::vector<int> Row::same_files() const {
    std::vector<int> same;
    for (const UnitResult& r : folds)
        if (r.overlap.same_file) same.push_back(r.fold);
    return same;
}

double Row::seconds() const {
    double sum = 0;
    for (const UnitResult& r : folds) sum += r.seconds;
    return sum;
}

std::string unit_model(const Unit& unit, const ExperimentOptions& options) {
    return fmt::format("{}/{}.ggsnn", options.cache, unit.key());
}

void prepare_folds(const ExperimentOptions& options, const std::string& task, Ranks* ranks) {
    if (!options.data.empty()) return;
    for (int fold : options.folds)
        if (ranks == nullptr || ranks->first()) generate_fold(options.data_folder(), task, fold);
    if (ranks != nullptr) ranks->barrier();
}

Job unit_job(const Unit& unit, const std::string& table, const ExperimentOptions& options) {
    const FoldFiles files = fold_files(options.data_folder(), unit.task, unit.fold);
    const std::string made = made_with(unit, files.train, options.seed);
    const bool kept = unit.model.starts_with("gg");
    Job job;
    job.path = fmt::format("{}/{}.json", options.cache, unit.key());
    job.key = {{"circumstances", made}, {"test", file_hash(files.test)}};
    job.notes = {{"tables", {table}}, {"data", options.data_name()}};
    if (kept) job.files = {unit_model(unit, options)};
    job.title = unit.key();
    job.weight = expected_seconds(unit);
    job.work = [=, path = unit_model(unit, options), seed = options.seed](Ranks* ranks) {
        const double began = processor_seconds();
        JobOutput output;
        Model first;
        Model model = train_unit(unit, files.train, seed, ranks, &first);
        model.training["circumstances"] = made;
        if (kept) output.files.emplace_back(path, encode_model(model));
        UnitResult result = test_unit(model, files.test);
        result.seconds = processor_seconds() - began;
        result.single = first.networks.empty() ? 0 : test_unit(first, files.test).accuracy;
        result.effort.validated = validation_stories(unit);
        result.overlap = find_overlap(files.train, unit.train, files.test);
        output.result = to_json(result);
        return output;
    };
    return job;
}

namespace {

// Results in the cache learn which tables they serve and where their stories came from. (Those that older
// versions left do not say; they serve every table that has a place for them.)
void note(const std::string& path, const std::string& table, const std::string& data, Json result) {
    const Json before = result;
    if (!result.contains("data")) result["data"] = data;
    if (result.contains("tables") &&
        std::find(result["tables"].begin(), result["tables"].end(), table) == result["tables"].end()) {
        result["tables"].push_back(table);
        std::sort(result["tables"].begin(), result["tables"].end());
    }
    if (result != before) write_file(path, result.dump(1));
}

// The tables' rows as they come: sizes are raised until 95% is reached; table 2, and the quick form, run
// the paper's own sizes.
class Tables {
  public:
    Tables(const ExperimentOptions& options, ThreadPool& pool, Progress& progress, Ranks* ranks)
        : options_(options), progress_(progress), ranks_(ranks), runner_("runs", pool, progress, ranks) {
        std::filesystem::create_directories(options.cache);
    }

    std::vector<Row> run() {
        std::vector<Series> wanted;
        for (const Series& s : paper_series())
            if (contains(options_.tables, s.table) && contains(options_.models, s.model)) wanted.push_back(s);
        for (const Series& s : wanted)
            for (int size : sizes_of(s)) runner_.expect(options_.folds.size(), weight(s, size));
        // Rows that are known beforehand share the threads; where sizes are raised, one waits for the other.
        std::vector<Series> together;
        for (const Series& s : wanted) {
            if (!raises(s)) {
                together.push_back(s);
                continue;
            }
            run_together(together);
            together.clear();
            run_raising(s);
        }
        run_together(together);
        return std::move(rows_);
    }

  private:
    std::vector<int> sizes_of(const Series& s) const {
        std::vector<int> sizes;
        if (!options_.quick && !shows_every_size(s.table)) {
            if (shows_few(s)) sizes.assign(std::begin(few_sizes), std::end(few_sizes));
            sizes.insert(sizes.end(), std::begin(ladder_sizes), std::end(ladder_sizes));
            return sizes;
        }
        for (const PaperFigure& f : paper_figures())
            if (f.table == s.table && f.task == s.task && f.model == s.model) sizes.push_back(f.train);
        return sizes;
    }

    double weight(const Series& s, int size) const {
        return static_cast<double>(options_.folds.size()) * expected_seconds({s.task, s.model, size, 1});
    }

    bool raises(const Series& s) const { return !options_.quick && !shows_every_size(s.table); }

    void run_raising(const Series& s) {
        bool solved = false;
        for (int size : sizes_of(s)) {
            if (solved) {
                runner_.drop(options_.folds.size(), weight(s, size));
            } else {
                const std::vector<Job> jobs = jobs_of(s, size);
                const Row& row = add_row(s, size, jobs, runner_.run(jobs));
                solved = size >= ladder_sizes[0] && row.mean() >= solved_percent;
            }
        }
    }

    void run_together(const std::vector<Series>& all) {
        std::vector<Job> jobs;
        for (const Series& s : all)
            for (int size : sizes_of(s))
                for (Job& job : jobs_of(s, size)) jobs.push_back(std::move(job));
        const std::vector<Json> results = runner_.run(jobs);
        const auto folds = static_cast<std::ptrdiff_t>(options_.folds.size());
        std::ptrdiff_t at = 0;
        for (const Series& s : all)
            for (int size : sizes_of(s)) {
                add_row(s, size, {jobs.begin() + at, jobs.begin() + at + folds},
                        {results.begin() + at, results.begin() + at + folds});
                at += folds;
            }
    }

    std::vector<Job> jobs_of(const Series& s, int size) {
        std::vector<Job> jobs;
        prepare_folds(options_, s.task, ranks_);
        for (int fold : options_.folds)
            jobs.push_back(unit_job({s.task, s.model, size, fold}, s.table, options_));
        return jobs;
    }

    const Row& add_row(const Series& s, int size, const std::vector<Job>& jobs,
                       const std::vector<Json>& results) {
        Row row{s.table, s.task, s.model, size, {}, -1, -1};
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            if (ranks_ == nullptr || ranks_->first())
                note(jobs[i].path, s.table, options_.data_name(), results[i]);
            row.folds.push_back(unit_result(results[i], options_.folds[i]));
        }
        warn_of_unknown(row);
        std::string paper = "-";
        if (const PaperFigure* p = find_figure(s.table, s.task, s.model, size)) {
            row.paper_mean = p->mean;
            row.paper_deviation = p->deviation;
            paper = fmt::format("{:.1f} +- {:.1f}", p->mean, p->deviation);
        }
        progress_.line(fmt::format("{} {:<17} {:<6} {:>4} stories: {:6.2f} +- {:5.2f}  (paper {})", s.table,
                                   s.task, s.model, size, row.mean(), row.deviation(), paper));
        rows_.push_back(std::move(row));
        return rows_.back();
    }

    void warn_of_unknown(const Row& row) {
        for (const UnitResult& r : row.folds)
            for (const auto& [type, count] : r.unknown)
                progress_.line(fmt::format("warning: {}: {} test questions of type \"{}\" have no answer in "
                                           "what {} training stories "
                                           "show; they count as wrong",
                                           Unit{row.task, row.model, row.train, r.fold}.key(), count, type,
                                           row.train));
    }

    const ExperimentOptions& options_;
    Progress& progress_;
    Ranks* ranks_;
    JobRunner runner_;
    std::vector<Row> rows_;
};

} // namespace

std::vector<Row> run_experiment(const ExperimentOptions& options, ThreadPool& pool, Progress& progress,
                                Ranks* ranks) {
    return Tables(options, pool, progress, ranks).run();
}

namespace {

struct FinishedUnit {
    UnitResult result;
    std::vector<std::string> tables; // empty: not said
};

// "recipe hash-of-training-file" -> the two.
std::pair<std::string, std::string> split_made_with(const std::string& made) {
    const std::size_t at = made.rfind(' ');
    if (at == std::string::npos) return {made, ""};
    return {made.substr(0, at), made.substr(at + 1)};
}

Origin origin_of(const Json& saved, const Unit& unit, const ExperimentOptions& options) {
    const auto [recipe, hash] = split_made_with(saved.value("circumstances", ""));
    if (saved.contains("data")) return {recipe, saved["data"].get<std::string>()};
    const std::string generated = fold_files(options.cache + "/data", unit.task, unit.fold).train;
    const bool same = std::filesystem::exists(generated) && file_hash(generated) == hash;
    return {recipe, same ? "generated" : "given"};
}

using Cell = std::map<Origin, std::vector<FinishedUnit>>; // of one task, model and size

std::map<std::tuple<std::string, std::string, int>, Cell> finished_units(const ExperimentOptions& options) {
    std::map<std::tuple<std::string, std::string, int>, Cell> cells;
    if (!std::filesystem::is_directory(options.cache)) return cells;
    for (const auto& entry : std::filesystem::directory_iterator(options.cache)) {
        if (entry.path().extension() != ".json") continue;
        const auto unit = unit_of_key(entry.path().stem().string());
        if (!unit) continue;
        const Json saved = find_result(entry.path().string(), Json::object());
        if (!saved.contains("circumstances")) continue;
        cells[{unit->task, unit->model, unit->train}][origin_of(saved, *unit, options)].push_back(
            {unit_result(saved, unit->fold), saved.value("tables", std::vector<std::string>())});
    }
    return cells;
}

} // namespace

std::vector<Row> finished_rows(const ExperimentOptions& options) {
    const auto cells = finished_units(options);
    std::vector<Row> rows;
    for (const Series& s : paper_series()) {
        bool solved = false;
        std::vector<int> sizes(std::begin(few_sizes), std::end(few_sizes));
        sizes.insert(sizes.end(), std::begin(ladder_sizes), std::end(ladder_sizes));
        for (int size : sizes) {
            const auto at = cells.find({s.task, s.model, size});
            if (at == cells.end()) continue;
            const Origin wanted{unit_options({s.task, s.model, size, 1}, options.seed).to_json().dump(),
                                options.data_name()};
            Row row{s.table, s.task, s.model, size, {}, -1, -1};
            for (const FinishedUnit& unit : choose(at->second, wanted)) {
                const bool implied = unit.tables.empty() && (shows_every_size(s.table) || !solved);
                if (implied || contains(unit.tables, s.table)) row.folds.push_back(unit.result);
            }
            if (row.folds.empty()) continue;
            std::sort(row.folds.begin(), row.folds.end(),
                      [](const UnitResult& a, const UnitResult& b) { return a.fold < b.fold; });
            if (const PaperFigure* p = find_figure(s.table, s.task, s.model, size)) {
                row.paper_mean = p->mean;
                row.paper_deviation = p->deviation;
            }
            solved = solved || (size >= ladder_sizes[0] && row.mean() >= solved_percent);
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

Json to_json(const std::vector<Row>& rows) {
    const auto known = [](double value) { return value >= 0 ? Json(value) : Json(nullptr); };
    Json out = Json::array();
    for (const Row& r : rows) {
        const Effort effort = r.folds.empty() ? Effort() : r.folds.front().effort;
        out.push_back({{"table", r.table},
                       {"task", r.task},
                       {"model", r.model},
                       {"train", r.train},
                       {"folds", column(r.folds, &UnitResult::accuracy)},
                       {"mean", r.mean()},
                       {"std", r.deviation()},
                       {"single", known(r.single())},
                       {"seconds", r.seconds()},
                       {"step_mean", r.step_mean()},
                       {"sizes", effort.sizes},
                       {"runs", r.runs()},
                       {"most_runs", effort.most_runs},
                       {"together", effort.together},
                       {"l1", effort.l1},
                       {"valid", effort.validated},
                       {"problems", r.problems()},
                       {"seen", known(r.seen())},
                       {"copied", known(r.copied())},
                       {"same_files", r.same_files()},
                       {"paper", known(r.paper_mean)},
                       {"paper_std", known(r.paper_mean < 0 ? -1 : r.paper_deviation)}});
    }
    return out;
}

} // namespace ggsnn
