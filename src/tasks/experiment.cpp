#include "tasks/experiment.hpp"

#include "base/files.hpp"
#include "nn/predict.hpp"
#include "tasks/generate.hpp"
#include "tasks/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <map>

namespace ggsnn {

namespace {

constexpr int valid_stories = 50;
constexpr double solved_percent = 95; // a success by the standard of the bAbI tasks

struct PaperFigure {
    const char *table, *task, *model;
    int train;
    double mean, deviation;
};

// Tables 1, 2 and 3 of the paper.
constexpr PaperFigure paper[] = {
    {"table1", "babi4", "rnn", 250, 97.3, 1.9},
    {"table1", "babi4", "lstm", 250, 97.4, 2.0},
    {"table1", "babi4", "ggnn", 50, 100.0, 0.0},
    {"table1", "babi15", "rnn", 950, 48.6, 1.9},
    {"table1", "babi15", "lstm", 950, 50.3, 1.3},
    {"table1", "babi15", "ggnn", 50, 100.0, 0.0},
    {"table1", "babi16", "rnn", 950, 33.0, 1.9},
    {"table1", "babi16", "lstm", 950, 37.5, 0.9},
    {"table1", "babi16", "ggnn", 50, 100.0, 0.0},
    {"table1", "babi18", "rnn", 950, 88.9, 0.9},
    {"table1", "babi18", "lstm", 950, 88.9, 0.8},
    {"table1", "babi18", "ggnn", 50, 100.0, 0.0},
    {"table2", "babi4", "rnn", 50, 76.7, 3.8},
    {"table2", "babi4", "rnn", 100, 90.2, 4.0},
    {"table2", "babi4", "rnn", 250, 97.3, 1.9},
    {"table2", "babi4", "rnn", 500, 98.4, 1.3},
    {"table2", "babi4", "rnn", 950, 99.7, 0.4},
    {"table2", "babi4", "lstm", 50, 73.5, 5.2},
    {"table2", "babi4", "lstm", 100, 86.4, 3.8},
    {"table2", "babi4", "lstm", 250, 97.4, 2.0},
    {"table2", "babi4", "lstm", 500, 99.2, 0.8},
    {"table2", "babi4", "lstm", 950, 99.6, 0.8},
    {"table3", "babi19", "rnn", 950, 24.7, 2.7},
    {"table3", "babi19", "lstm", 950, 28.2, 1.3},
    {"table3", "babi19", "ggsnn", 50, 71.1, 14.7},
    {"table3", "babi19", "ggsnn", 100, 92.5, 5.9},
    {"table3", "babi19", "ggsnn", 250, 99.0, 1.1},
    {"table3", "shortest-path", "rnn", 950, 9.7, 1.7},
    {"table3", "shortest-path", "lstm", 950, 10.5, 1.2},
    {"table3", "shortest-path", "ggsnn", 50, 100.0, 0.0},
    {"table3", "eulerian-circuit", "rnn", 950, 0.3, 0.2},
    {"table3", "eulerian-circuit", "lstm", 950, 0.1, 0.2},
    {"table3", "eulerian-circuit", "ggsnn", 50, 100.0, 0.0},
};

constexpr int sizes[] = {50, 100, 250, 500, 950};

std::string file_stem(const std::string& task) {
    return task.starts_with("babi") ? task.substr(4) : task;
}

Json to_json(const UnitResult& r) {
    return {{"accuracy", r.accuracy}, {"step_accuracy", r.step_accuracy},
            {"seconds", r.seconds},   {"parameters", r.parameters},
            {"curve", r.curve},       {"failures", r.failures}};
}

UnitResult unit_from_json(const Json& j) {
    UnitResult r;
    r.accuracy = j.at("accuracy").get<double>();
    r.step_accuracy = j.at("step_accuracy").get<double>();
    r.seconds = j.at("seconds").get<double>();
    r.parameters = j.at("parameters").get<long>();
    r.curve = j.at("curve").get<std::vector<std::pair<double, double>>>();
    r.failures = j.at("failures").get<std::vector<std::string>>();
    return r;
}

ModelKind kind_of(const Unit& unit) {
    return unit.model == "rnn" ? ModelKind::rnn : unit.model == "lstm" ? ModelKind::lstm : ModelKind::ggnn;
}

TrainOptions options_for(const Unit& unit, std::uint64_t seed) {
    const ModelKind kind = kind_of(unit);
    TrainOptions options =
        is_recurrent(kind) ? baseline_recipe(kind, unit.task).value() : recipe_for_task(unit.task);
    options.seed = seed;
    return options;
}

std::string answer_text(const Schema& schema, const GraphRecord& graph, const std::vector<int>& labels) {
    std::string text;
    for (int label : labels) {
        if (!text.empty()) text += ",";
        text += has_classes(schema.answer) ? schema.classes.name(label) : graph.names[label];
    }
    return text;
}

std::string failure_text(const Schema& schema, const GraphRecord& graph, const Example& e,
                         const Prediction& p) {
    std::string text = fmt::format("line {}: {}", e.place.line, schema.question_types.name(e.question));
    for (int a : e.arguments) text += " " + graph.names[a];
    return fmt::format("{}: {} (expected {})", text, answer_text(schema, graph, p.labels),
                       answer_text(schema, graph, e.labels));
}

} // namespace

namespace {

std::string file_hash(const std::string& path) {
    std::uint64_t hash = 1469598103934665603ULL;
    for (char c : read_file(path)) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return fmt::format("{:016x}", hash);
}

} // namespace

std::string circumstances(const Unit& unit, const ExperimentOptions& options) {
    const FoldFiles files = fold_files(data_folder(options), unit.task, unit.fold);
    return options_for(unit, options.seed).to_json().dump() + " " + file_hash(files.train);
}

std::string data_folder(const ExperimentOptions& options) {
    return options.data.empty() ? options.cache + "/data" : options.data;
}

std::string Unit::key() const {
    return fmt::format("{}.{}.{}.fold{}", task, model, train, fold);
}

FoldFiles fold_files(const std::string& folder, const std::string& task, int fold) {
    const auto path = [&](const char* part) {
        return fmt::format("{}/fold_{}/{}/{}.txt", folder, fold, part, file_stem(task));
    };
    return {path("train"), path("test")};
}

void generate_fold(const std::string& folder, const std::string& task, int fold) {
    const FoldFiles files = fold_files(folder, task, fold);
    const std::pair<const std::string*, std::uint64_t> parts[] = {{&files.train, 0}, {&files.test, 1}};
    for (const auto& [path, part] : parts) {
        if (std::filesystem::exists(*path)) continue;
        std::filesystem::create_directories(std::filesystem::path(*path).parent_path());
        TextWriter out(*path);
        generate({task, 1000, 2 * static_cast<std::uint64_t>(fold) + part, 1},
                 [&](std::string_view text) { out.write(text); });
        out.close();
    }
}

Model train_unit(const Unit& unit, const std::string& train_file, std::uint64_t seed) {
    const Split split = read_split({train_file,
                                    "",
                                    unit.train,
                                    valid_stories,
                                    {},
                                    is_recurrent(kind_of(unit)) ? Form::tokens : Form::graphs});
    ThreadPool one(1);
    return train(split.train, split.valid, options_for(unit, seed), one);
}

UnitResult test_unit(const Model& model, const std::string& test_file) {
    UnitResult result;
    const auto reader = open_records(test_file, {});
    DatasetBuilder builder(model.schema);
    Record record;
    while (reader->next(record)) builder.add(record);
    std::vector<const Example*> examples;
    for (const Example& e : builder.data().examples) examples.push_back(&e);
    std::vector<Prediction> predictions;
    Predictor(model, nullptr).predict(builder.data(), examples, predictions);
    Evaluation evaluation;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        const long before = evaluation.right;
        evaluation.add(model.schema, *examples[i], predictions[i]);
        if (evaluation.right == before && result.failures.size() < 3)
            result.failures.push_back(failure_text(model.schema, builder.data().graphs[examples[i]->graph],
                                                   *examples[i], predictions[i]));
    }
    result.accuracy =
        100.0 * static_cast<double>(evaluation.right) / static_cast<double>(std::max(1L, evaluation.count));
    result.step_accuracy = 100.0 * static_cast<double>(evaluation.steps_right) /
                           static_cast<double>(std::max(1L, evaluation.steps));
    result.parameters = static_cast<long>(model.parameter_count());
    for (const Json& point : model.training["runs"][0]["history"])
        result.curve.emplace_back(point[0].get<double>(), point[2].get<double>());
    return result;
}

double Row::mean() const {
    double sum = 0;
    for (const UnitResult& r : folds) sum += r.accuracy;
    return folds.empty() ? 0 : sum / static_cast<double>(folds.size());
}

double Row::deviation() const {
    if (folds.size() < 2) return 0;
    const double m = mean();
    double sum = 0;
    for (const UnitResult& r : folds) sum += (r.accuracy - m) * (r.accuracy - m);
    return std::sqrt(sum / static_cast<double>(folds.size() - 1));
}

double Row::seconds() const {
    double sum = 0;
    for (const UnitResult& r : folds) sum += r.seconds;
    return sum;
}

namespace {

// Runs units with the cache, and knows how far the whole is.
class UnitRunner {
  public:
    UnitRunner(const ExperimentOptions& options, ThreadPool& pool, Progress& progress)
        : options_(options), pool_(pool), progress_(progress) {
        std::filesystem::create_directories(options.cache);
        data_ = data_folder(options);
    }

    // Results in the order of the units.
    std::vector<UnitResult> run(const std::vector<Unit>& units) {
        if (options_.data.empty())
            for (const Unit& u : units) generate_fold(data_, u.task, u.fold);
        std::vector<UnitResult> results(units.size());
        pool_.run(units.size(), [&](std::size_t i, int) {
            if (interrupted()) return;
            try {
                results[i] = run_one(units[i]);
            } catch (const Interrupted&) {
            }
        });
        if (interrupted()) throw Interrupted("interrupted; the same command goes on from here");
        return results;
    }

    void set_total(std::size_t total) { total_ = total; }
    // Runs that turned out not to be needed.
    void drop(std::size_t count) { total_ -= count; }

  private:
    UnitResult run_one(const Unit& unit) {
        const std::string path = fmt::format("{}/{}.json", options_.cache, unit.key());
        const std::string made = circumstances(unit, options_);
        const std::string test = file_hash(fold_files(data_, unit.task, unit.fold).test);
        if (std::filesystem::exists(path)) {
            const Json saved = parse_json(read_file(path), {path, 0});
            if (saved.value("circumstances", "") == made && saved.value("test", "") == test) {
                ++done_;
                return unit_from_json(saved);
            }
        }
        const FoldFiles files = fold_files(data_, unit.task, unit.fold);
        const double before = progress_.seconds();
        Model model = train_unit(unit, files.train, options_.seed);
        model.training["circumstances"] = made;
        if (unit.model.starts_with("gg"))
            save_model(model, fmt::format("{}/{}.ggsnn", options_.cache, unit.key()));
        UnitResult result = test_unit(model, files.test);
        result.seconds = progress_.seconds() - before;
        Json saved = to_json(result);
        saved["circumstances"] = made;
        saved["test"] = test;
        write_file(path, saved.dump(1));
        const double spent = progress_.seconds();
        const std::size_t done = ++done_, fresh = ++fresh_;
        const double left =
            spent / static_cast<double>(fresh) * static_cast<double>(total_ > done ? total_ - done : 0);
        progress_.update(fmt::format("{} of {} runs, about {:.0f} s left; {}: {:.2f}%", done, total_, left,
                                     unit.key(), result.accuracy));
        return result;
    }

    const ExperimentOptions& options_;
    ThreadPool& pool_;
    Progress& progress_;
    std::string data_;
    std::size_t total_ = 0;
    std::atomic<std::size_t> done_{0}, fresh_{0};
};

bool contains(const std::vector<std::string>& list, const std::string& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

} // namespace

std::vector<Row> run_experiment(const ExperimentOptions& options, ThreadPool& pool, Progress& progress) {
    // Rows as the paper prints them. Where it reports the smallest sufficient number of stories, sizes are
    // raised until 95% is reached; the quick form runs the paper's own sizes alone.
    std::map<std::string, std::vector<int>> ladder; // table/task/model -> sizes to try in turn
    for (const PaperFigure& f : paper) {
        if (!contains(options.tables, f.table) || !contains(options.models, f.model)) continue;
        const std::string series = fmt::format("{}/{}/{}", f.table, f.task, f.model);
        const bool fixed = options.quick || std::string(f.table) == "table2";
        if (!fixed && !ladder.contains(series))
            for (int size : sizes) ladder[series].push_back(size);
        if (fixed) ladder[series].push_back(f.train);
    }
    const auto figure = [](const std::string& table, const std::string& task, const std::string& model,
                           int train) -> const PaperFigure* {
        for (const PaperFigure& f : paper)
            if (table == f.table && task == f.task && model == f.model && train == f.train) return &f;
        return nullptr;
    };
    std::vector<Row> rows;
    UnitRunner runner(options, pool, progress);
    std::size_t total = 0;
    for (const auto& [series, list] : ladder) total += list.size() * options.folds.size();
    runner.set_total(total);
    for (const PaperFigure& f : paper) {
        const std::string series = fmt::format("{}/{}/{}", f.table, f.task, f.model);
        const auto at = ladder.find(series);
        if (at == ladder.end()) continue;
        for (std::size_t step = 0; step < at->second.size(); ++step) {
            const int size = at->second[step];
            Row row{f.table, f.task, f.model, size, {}, -1, -1, 0};
            std::vector<Unit> units;
            for (int fold : options.folds) units.push_back({f.task, f.model, size, fold});
            row.folds = runner.run(units);
            if (const PaperFigure* p = figure(f.table, f.task, f.model, size)) {
                row.paper_mean = p->mean;
                row.paper_deviation = p->deviation;
                row.paper_train = p->train;
            }
            progress.line(fmt::format(
                "{} {:<17} {:<6} {:>4} stories: {:6.2f} +- {:5.2f}  (paper {})", row.table, row.task,
                row.model, size, row.mean(), row.deviation(),
                row.paper_mean >= 0 ? fmt::format("{:.1f} +- {:.1f}", row.paper_mean, row.paper_deviation)
                                    : "-"));
            rows.push_back(std::move(row));
            const bool raising = std::string(f.table) != "table2" && !options.quick;
            if (!raising || rows.back().mean() < solved_percent) continue;
            runner.drop((at->second.size() - step - 1) * options.folds.size());
            break;
        }
        ladder.erase(at);
    }
    return rows;
}

Json to_json(const std::vector<Row>& rows) {
    Json out = Json::array();
    for (const Row& r : rows) {
        Json folds = Json::array();
        for (const UnitResult& f : r.folds) folds.push_back(f.accuracy);
        Json entry = {{"table", r.table},     {"task", r.task},        {"model", r.model},
                      {"train", r.train},     {"folds", folds},        {"mean", r.mean()},
                      {"std", r.deviation()}, {"seconds", r.seconds()}};
        double steps = 0;
        for (const UnitResult& f : r.folds) steps += f.step_accuracy / static_cast<double>(r.folds.size());
        entry["step_mean"] = steps;
        entry["paper"] = r.paper_mean >= 0 ? Json(r.paper_mean) : Json(nullptr);
        entry["paper_std"] = r.paper_mean >= 0 ? Json(r.paper_deviation) : Json(nullptr);
        out.push_back(entry);
    }
    return out;
}

} // namespace ggsnn
