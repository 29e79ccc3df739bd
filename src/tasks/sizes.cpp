// Beyond the paper: what networks trained on its sizes do on graphs 2, 5 and 10 times larger.
#include "base/files.hpp"
#include "nn/predict.hpp"
#include "tasks/experiment.hpp"
#include "tasks/generate.hpp"
#include "tasks/split.hpp"

#include <fmt/format.h>

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
    Evaluation evaluation;
    for (std::size_t i = 0; i < examples.size(); ++i)
        evaluation.add(model.schema, *examples[i], predictions[i]);
    return 100.0 * static_cast<double>(evaluation.right) /
           static_cast<double>(std::max(1L, evaluation.count));
}

// The network at path, if it was made in the same circumstances; otherwise what `make` gives, kept there.
template <class Make>
Model kept(const std::string& path, const std::string& made, Make make) {
    if (std::filesystem::exists(path)) {
        Model model = load_model(path);
        if (model.training.value("circumstances", "") == made) return model;
    }
    Model model = make();
    model.training["circumstances"] = made;
    save_model(model, path);
    return model;
}

Model trained(const ExperimentOptions& options, const Unit& unit) {
    const std::string data = data_folder(options);
    if (options.data.empty()) generate_fold(data, unit.task, unit.fold);
    return kept(fmt::format("{}/{}.ggsnn", options.cache, unit.key()), circumstances(unit, options),
                [&] { return train_unit(unit, fold_files(data, unit.task, unit.fold).train, options.seed); });
}

Model trained_observed(const ExperimentOptions& options, int fold) {
    const std::string data =
        stories(options.cache, "eulerian-circuit", true, 1, 100, static_cast<std::uint64_t>(fold));
    TrainOptions train_options = recipe_for_task("eulerian-circuit");
    train_options.annotation = 0;
    // A step of the circuit is a matter of neighbours; more propagation steps learn its size, too.
    train_options.steps = 1;
    train_options.seed = options.seed;
    const std::string path = fmt::format("{}/eulerian-circuit.observed.fold{}.ggsnn", options.cache, fold);
    return kept(path, train_options.to_json().dump(), [&] {
        const Split split = read_split({data, "", 50, 50, {}, Form::graphs});
        ThreadPool one(1);
        Model model = train(split.train, split.valid, train_options, one);
        model.feature_scale.assign(split.train.schema.features, 1.0);
        return model;
    });
}

int best_steps(const Model& model, const std::string& path) {
    int best = model.shape.steps;
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

struct Job {
    std::string task, how;
    int scale, fold;
    double accuracy = 0;
};

void run_job(const ExperimentOptions& options, Job& job) {
    const bool observed = job.how == "observed";
    const Unit unit{job.task, job.task.starts_with("babi") ? "ggnn" : "ggsnn", 50, job.fold};
    const Model model = observed ? trained_observed(options, job.fold) : trained(options, unit);
    const std::string test = stories(options.cache, job.task, observed, job.scale, 200, size_seed);
    int steps = 0;
    if (job.how == "steps chosen")
        steps = best_steps(model, stories(options.cache, job.task, false, job.scale, 50, size_seed + 1));
    job.accuracy = accuracy(model, test, steps);
}

} // namespace

std::vector<SizePoint> measure_sizes(const ExperimentOptions& options, ThreadPool& pool, Progress& progress) {
    std::filesystem::create_directories(options.cache);
    std::vector<Job> jobs;
    for (const char* task : {"babi15", "shortest-path", "eulerian-circuit"})
        for (const char* how : {"as trained", "steps chosen", "observed"})
            for (int scale : scales)
                for (int fold : options.folds)
                    if (std::string(how) != "observed" || std::string(task) == "eulerian-circuit")
                        jobs.push_back({task, how, scale, fold});
    // Files and networks that several jobs share are made first, one fold a thread.
    for (const Job& job : jobs)
        for (std::uint64_t seed : {size_seed, size_seed + 1})
            stories(options.cache, job.task, job.how == "observed", job.scale, seed == size_seed ? 200 : 50,
                    seed);
    pool.run(jobs.size(), [&](std::size_t i, int) {
        try {
            if (jobs[i].scale == 1 && jobs[i].how != "steps chosen" && !interrupted())
                run_job(options, jobs[i]);
        } catch (const Interrupted&) {
        }
    });
    pool.run(jobs.size(), [&](std::size_t i, int) {
        if ((jobs[i].scale == 1 && jobs[i].how != "steps chosen") || interrupted()) return;
        run_job(options, jobs[i]);
        progress.update(fmt::format("larger graphs: {} x {}, {}: {:.2f}%", jobs[i].task, jobs[i].scale,
                                    jobs[i].how, jobs[i].accuracy));
    });
    if (interrupted()) throw Interrupted("interrupted; the same command goes on from here");
    std::vector<SizePoint> points;
    for (const Job& job : jobs) {
        if (points.empty() || points.back().task != job.task || points.back().how != job.how ||
            points.back().scale != job.scale)
            points.push_back({job.task, job.how, job.scale, 0});
        points.back().accuracy += job.accuracy / static_cast<double>(options.folds.size());
    }
    return points;
}

} // namespace ggsnn
