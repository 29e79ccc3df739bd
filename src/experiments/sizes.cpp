#include "ggsnn/experiments/sizes.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/nn/evaluation.hpp"
#include "ggsnn/nn/ggnn/kind.hpp"
#include "ggsnn/nn/predict.hpp"
#include "ggsnn/tasks/generate.hpp"
#include "ggsnn/tasks/recipe.hpp"
#include "ggsnn/tasks/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace ggsnn {

namespace {

constexpr int scales[] = {1, 2, 5, 10};
constexpr int step_choices[] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32};
constexpr std::uint64_t size_seed = std::uint64_t{1} << 40; // other stories than any fold's

// Stories as text or, with observed annotations, as JSON lines; written once.
std::string stories(const std::string& folder, const std::string& task, bool observed, int scale, long count,
                    std::uint64_t seed) {
    const std::string path =
        fmt::format("{}/sizes/{}{}.{}.{}.txt", folder, task, observed ? ".observed" : "", scale, seed);
    if (std::filesystem::exists(path)) return path;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    TextWriter out(path);
    const GenerateOptions options{task, count, seed, scale};
    if (observed) {
        generate_stories(options, [&](const Story& story) { out.write(observed_circuit(story)); });
    } else {
        generate(options, [&](std::string_view text) { out.write(text); });
    }
    out.close();
    return path;
}

double accuracy(const Model& model, const std::string& path, int steps) {
    const auto reader = open_records(path, {});
    DatasetBuilder builder(model.schema);
    Record record;
    while (reader->next(record)) builder.add(record);
    std::vector<const Example*> examples;
    for (const Example& e : builder.data().examples) examples.push_back(&e);
    std::vector<Prediction> predictions;
    Predictor(model, nullptr, {steps, 0, 0}).predict(builder.data(), examples, predictions);
    Evaluation evaluation(model.schema);
    for (std::size_t i = 0; i < examples.size(); ++i) evaluation.add(*examples[i], predictions[i]);
    return 100.0 * static_cast<double>(evaluation.all().right) /
           static_cast<double>(std::max(1L, evaluation.all().count));
}

int best_steps(const Model& model, const std::string& path) {
    int best = gated_shape(*model.network).steps;
    double most = accuracy(model, path, best);
    for (int steps : step_choices) {
        const double found = accuracy(model, path, steps);
        if (found > most) {
            most = found;
            best = steps;
        }
    }
    return best;
}

TrainOptions observed_options(std::uint64_t seed) {
    TrainOptions options = recipe_for_task("eulerian-circuit");
    options.network["annotation"] = 0;
    // A step of the circuit is a matter of neighbours; more propagation steps learn its size, too.
    options.network["steps"] = 1;
    options.seed = seed;
    return options;
}

std::string observed_model(const ExperimentOptions& options, int fold) {
    return fmt::format("{}/eulerian-circuit.observed.fold{}.ggsnn", options.cache, fold);
}

std::string observed_stories(const ExperimentOptions& options, int fold) {
    return stories(options.cache, "eulerian-circuit", true, 1, 100, static_cast<std::uint64_t>(fold));
}

// The network that circuits of any size are learned with.
Job observed_job(const ExperimentOptions& options, int fold) {
    const std::string data = observed_stories(options, fold);
    const std::string path = observed_model(options, fold);
    const TrainOptions train_options = observed_options(options.seed);
    Job job;
    job.path = fmt::format("{}/sizes/observed.fold{}.json", options.cache, fold);
    job.key = {{"circumstances", train_options.to_json().dump()}};
    job.notes = Json::object();
    job.files = {path};
    job.title = fmt::format("eulerian-circuit.observed.fold{}", fold);
    job.weight = expected_seconds({"eulerian-circuit", "ggsnn", 50, fold});
    job.work = [=](Ranks* ranks) {
        const Split split = read_split({data, "", 50, 50, {}, Form::graphs});
        ThreadPool one(1);
        TrainHooks hooks;
        hooks.ranks = ranks;
        const Model model = train(split.train, split.valid, train_options, one, hooks);
        return JobOutput{Json::object(), {{path, encode_model(model)}}};
    };
    return job;
}

// What one network does on graphs of one size.
struct Trial {
    std::string task, how;
    int scale, fold;

    bool observed() const { return how == "observed"; }
    Unit unit() const { return {task, task.starts_with("babi") ? "ggnn" : "ggsnn", 50, fold}; }
    std::string key() const {
        std::string word = how;
        std::replace(word.begin(), word.end(), ' ', '-');
        return fmt::format("{}.{}.{}.fold{}", task, word, scale, fold);
    }
};

const std::vector<std::pair<std::string, std::vector<std::string>>>& methods() {
    static const std::vector<std::pair<std::string, std::vector<std::string>>> all = {
        {"babi15", {"as trained", "steps chosen"}},
        {"shortest-path", {"as trained", "steps chosen"}},
        {"eulerian-circuit", {"as trained", "steps chosen", "observed"}}};
    return all;
}

std::vector<Trial> trials(const std::vector<int>& folds) {
    std::vector<Trial> all;
    for (const auto& [task, hows] : methods())
        for (const std::string& how : hows)
            for (int scale : scales)
                for (int fold : folds) all.push_back({task, how, scale, fold});
    return all;
}

std::string recipe_of(const Trial& trial, std::uint64_t seed) {
    return (trial.observed() ? observed_options(seed) : unit_options(trial.unit(), seed)).to_json().dump();
}

// What a trial is tested on, and, where the number of steps is chosen, what it is chosen on.
std::pair<std::string, std::string> trial_stories(const Trial& t, const ExperimentOptions& options) {
    return {stories(options.cache, t.task, t.observed(), t.scale, 200, size_seed),
            t.how == "steps chosen" ? stories(options.cache, t.task, false, t.scale, 50, size_seed + 1) : ""};
}

Job trial_job(const Trial& trial, const ExperimentOptions& options) {
    const std::pair<std::string, std::string> files = trial_stories(trial, options);
    const std::string &test = files.first, &choice = files.second;
    const std::string model_path =
        trial.observed() ? observed_model(options, trial.fold) : unit_model(trial.unit(), options);
    Job job;
    job.path = fmt::format("{}/sizes/{}.json", options.cache, trial.key());
    job.key = {{"model", file_hash(model_path)},
               {"stories", file_hash(test) + (choice.empty() ? "" : " " + file_hash(choice))}};
    job.notes = {{"recipe", recipe_of(trial, options.seed)},
                 {"data", trial.observed() ? "generated" : options.data_name()}};
    job.title = fmt::format("{} x {}, {}", trial.task, trial.scale, trial.how);
    job.weight = trial.scale * (choice.empty() ? 0.1 : 0.6);
    job.work = [model_path, test, choice](Ranks*) {
        const double began = processor_seconds();
        const Model model = load_model(model_path);
        const int steps = choice.empty() ? 0 : best_steps(model, choice);
        const double percent = accuracy(model, test, steps);
        return JobOutput{{{"accuracy", percent}, {"steps", steps}, {"seconds", processor_seconds() - began}},
                         {}};
    };
    return job;
}

// Rank 0 writes all stories that jobs will read.
void prepare_stories(const ExperimentOptions& options, Ranks* ranks) {
    for (const auto& [task, hows] : methods()) prepare_folds(options, task, ranks);
    if (ranks == nullptr || ranks->first()) {
        for (const Trial& t : trials({1})) trial_stories(t, options);
        for (int fold : options.folds) observed_stories(options, fold);
    }
    if (ranks != nullptr) ranks->barrier();
}

} // namespace

void run_sizes(const ExperimentOptions& options, ThreadPool& pool, Progress& progress, Ranks* ranks) {
    std::filesystem::create_directories(options.cache + "/sizes");
    JobRunner runner("runs on larger graphs", pool, progress, ranks);
    prepare_stories(options, ranks);
    std::vector<Job> networks;
    for (int fold : options.folds) {
        for (const auto& [task, hows] : methods())
            networks.push_back(unit_job(Trial{task, "", 1, fold}.unit(), "sizes", options));
        networks.push_back(observed_job(options, fold));
    }
    const std::vector<Trial> all = trials(options.folds);
    for (const Job& job : networks) runner.expect(1, job.weight);
    for (const Trial& t : all) runner.expect(1, t.scale * (t.how == "steps chosen" ? 0.6 : 0.1));
    runner.run(networks);
    std::vector<Job> jobs;
    for (const Trial& trial : all) jobs.push_back(trial_job(trial, options));
    runner.run(jobs);
}

std::vector<SizePoint> finished_sizes(const ExperimentOptions& options) {
    // Folds from file names: of any command, not of this one alone.
    std::vector<int> folds;
    const std::string folder = options.cache + "/sizes";
    if (!std::filesystem::is_directory(folder)) return {};
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string stem = entry.path().stem().string();
        const std::size_t at = stem.rfind(".fold");
        if (entry.path().extension() != ".json" || at == std::string::npos) continue;
        const int fold = std::atoi(stem.c_str() + at + 5);
        if (std::find(folds.begin(), folds.end(), fold) == folds.end()) folds.push_back(fold);
    }
    std::sort(folds.begin(), folds.end());
    std::map<std::tuple<std::string, std::string, int>, std::map<Origin, std::vector<Json>>> cells;
    std::vector<SizePoint> points;
    for (const Trial& t : trials(folds)) {
        const Json saved = find_result(fmt::format("{}/{}.json", folder, t.key()), Json::object());
        if (saved.is_null()) continue;
        auto& cell = cells[{t.task, t.how, t.scale}];
        if (cell.empty()) points.push_back({t.task, t.how, t.scale, {}, 0});
        cell[{saved.at("recipe"), saved.at("data")}].push_back(saved);
    }
    for (SizePoint& p : points) {
        const Trial any{p.task, p.how, p.scale, 1};
        const Origin wanted{recipe_of(any, options.seed), any.observed() ? "generated" : options.data_name()};
        for (const Json& saved : choose(cells[{p.task, p.how, p.scale}], wanted)) {
            p.folds.push_back(saved.at("accuracy").get<double>());
            p.seconds += saved.at("seconds").get<double>();
        }
    }
    return points;
}

Json to_json(const std::vector<SizePoint>& points) {
    Json out = Json::array();
    for (const SizePoint& p : points)
        out.push_back({{"table", "sizes"},
                       {"task", fmt::format("{} x {}", p.task, p.scale)},
                       {"model", Trial{p.task, p.how, p.scale, 1}.unit().model},
                       {"how", p.how},
                       {"scale", p.scale},
                       {"train", 50},
                       {"folds", p.folds},
                       {"mean", p.mean()},
                       {"std", deviation_of(p.folds)},
                       {"seconds", p.seconds},
                       {"paper", nullptr}});
    return out;
}

} // namespace ggsnn
