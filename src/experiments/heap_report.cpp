#include "ggsnn/experiments/heap_report.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/experiments/jobs.hpp"
#include "ggsnn/experiments/report.hpp"
#include "ggsnn/shapes/baseline.hpp"
#include "ggsnn/shapes/learn.hpp"
#include "ggsnn/shapes/shape_predict.hpp"
#include "ggsnn/shapes/shipped.hpp"

#include <chrono>
#include <filesystem>
#include <optional>

namespace ggsnn::shapes {

namespace {

constexpr double paper_networks = 89.96, paper_features = 89.11;

constexpr const char* account = "<p>Formulas that were not in training, predicted from heaps that satisfy "
                                "them; right is what equals the label in "
                                "canonical form. <b>Network alone</b>: the greedy run of the paper's "
                                "algorithm. <b>With check</b>: where that "
                                "formula does not hold in the heaps, the best candidate of a beam search "
                                "that does (on summaries, where heaps "
                                "are larger than in training). <b>Ceiling</b>: how often the heaps satisfy "
                                "just one formula of the space. "
                                "Batches of 5 and 10 heaps get one formula. The baselines are "
                                "reconstructions: the features of the paper's "
                                "earlier method are not published, and these know of lists more than it may "
                                "have. The stress sets have variables "
                                "that are NULL or equal, and every second heap ten times as large.</p>";

struct Measurement {
    std::string data;  // flat, nested, ...
    std::string model; // ggsnn, logistic, mlp
    std::size_t batch = 1;
};

std::string title_of(const Measurement& m) {
    return fmt::format("heap.{}.{}.{}", m.data, m.model, m.batch);
}

class Experiment {
  public:
    Experiment(const HeapExperiment& e, ThreadPool& pool, Progress& progress)
        : e_(e), pool_(pool), progress_(progress), runs_(e.folder + "/runs") {
        std::filesystem::create_directories(runs_);
    }

    void run() {
        std::vector<Measurement> wanted;
        for (const char* kind : {"flat", "nested"}) {
            for (const std::size_t batch : {1, 5, 10}) wanted.push_back({kind, "ggsnn", batch});
            for (const char* baseline : {"logistic", "mlp"}) wanted.push_back({kind, baseline, 1});
            wanted.push_back({std::string(kind) + "-10x", "ggsnn", 1});
            wanted.push_back({std::string(kind) + "-stress", "ggsnn", 1});
        }
        std::vector<Json> rows;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (interrupted()) throw Interrupted("interrupted; the same command goes on from here");
            progress_.update(
                fmt::format("heaps: {} of {} measurements, {}", i, wanted.size(), title_of(wanted[i])));
            rows.push_back(measured(wanted[i]));
        }
        keep_section(e_.folder, {"heap", "Heap shapes (section 5)", html(rows), Json(rows), summary(rows)});
    }

  private:
    static bool is_nested(const std::string& data) { return data.starts_with("nested"); }

    Json key(const Measurement& m) const {
        return {{"table", "heap"},  {"task", m.data},    {"model", m.model},
                {"batch", m.batch}, {"quick", e_.quick}, {"seed", e_.seed}};
    }

    Json measured(const Measurement& m) {
        const std::string path = runs_ + "/" + title_of(m) + ".json";
        if (Json found = find_result(path, key(m)); !found.is_null()) return found;
        const auto start = std::chrono::steady_clock::now();
        std::unique_ptr<Decider> decider = decider_for(m);
        const std::vector<LabelledHeap> heaps = heaps_of(m.data);
        const Batches data = batches(heaps, m.batch);
        const auto answers = ShapePredictor(*decider, {}).predict(data.groups, pool_);
        const bool in_space = m.data.find("stress") == std::string::npos;
        std::vector<logic::Formula> space;
        if (in_space) space = logic::enumerate_shapes(space_of(is_nested(m.data), false));
        const ShapeScore result = score(data, answers, space, pool_);
        Json row = key(m);
        row.update(Json(result.to_json()));
        const double accuracy = 100 * row["accuracy"].get<double>();
        row["folds"] = {accuracy};
        row["mean"] = accuracy;
        row["std"] = 0;
        row["train"] =
            m.model == "ggsnn" && e_.quick ? Json("shipped") : Json(training_heaps(is_nested(m.data)));
        row["paper"] = m.data != "flat" || m.batch != 1
                           ? Json()
                           : Json(m.model == "ggsnn" ? paper_networks : paper_features);
        row["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        write_file(path, row.dump());
        progress_.line(fmt::format("{}: {:.2f}% alone, {:.2f}% with check", title_of(m), accuracy,
                                   100 * row["accuracy_checked"].get<double>()));
        return row;
    }

    // Folder with train, valid and test files.
    std::string data_folder(bool nested) {
        const std::string folder = e_.folder + (nested ? "/heap-nested" : "/heap");
        if (std::filesystem::exists(folder + "/test.jsonl.gz")) return folder;
        HeapDataOptions options;
        options.nested = nested;
        options.graphs = e_.quick ? 50 : 498;
        options.seed = e_.seed;
        options.sizes.val = nested;
        generate_heaps(options, folder, pool_, progress_);
        return folder;
    }

    std::vector<LabelledHeap> heaps_of(const std::string& data) {
        const bool nested = is_nested(data);
        std::string path = data_folder(nested) + "/test.jsonl.gz";
        if (data.ends_with("-10x")) {
            const std::string folder = e_.folder + (nested ? "/heap-nested-10x" : "/heap-10x");
            path = folder + "/test.jsonl.gz";
            HeapDataOptions options;
            options.nested = nested;
            options.graphs = nested ? 2 : 20;
            options.seed = e_.seed;
            options.sizes = {10, 80, 10, 40, nested};
            if (!std::filesystem::exists(path)) generate_heaps(options, folder, pool_, progress_);
        } else if (data.ends_with("-stress")) {
            path = e_.folder + "/" + data + ".jsonl.gz";
            if (!std::filesystem::exists(path))
                generate_stress({nested, nested ? std::size_t{500} : std::size_t{2000}, 10, e_.seed}, path);
        }
        std::vector<LabelledHeap> heaps;
        read_labelled(path, true, [&](LabelledHeap&& item) { heaps.push_back(std::move(item)); });
        return heaps;
    }

    std::vector<LabelledHeap> training_sample(bool nested) {
        std::vector<LabelledHeap> heaps;
        std::map<const logic::Formula*, int> seen;
        const int most = LearnOptions().graphs;
        read_labelled(data_folder(nested) + "/train.jsonl.gz", true, [&](LabelledHeap&& item) {
            if (seen[item.formula.get()]++ < most) heaps.push_back(std::move(item));
        });
        return heaps;
    }

    std::size_t training_heaps(bool nested) {
        auto& count = training_counts_[nested ? 1 : 0];
        if (!count) count = training_sample(nested).size();
        return *count;
    }

    std::unique_ptr<Decider> decider_for(const Measurement& m) {
        const bool nested = is_nested(m.data);
        if (m.model != "ggsnn") {
            BaselineOptions options;
            options.hidden = m.model == "mlp" ? 32 : 0;
            options.seed = e_.seed;
            return std::make_unique<Baseline>(training_sample(nested), nested, options);
        }
        auto& model = models_[nested ? 1 : 0];
        if (!model) model = model_for(nested);
        return std::make_unique<NetworkDecider>(*model);
    }

    ShapeModel model_for(bool nested) {
        if (e_.quick) return shipped_model(nested);
        const std::string path = e_.folder + (nested ? "/nested.ggsnn" : "/flat.ggsnn");
        if (std::filesystem::exists(path)) return load_shape_model(path);
        LearnOptions options;
        options.seed = e_.seed;
        LearnHooks hooks;
        hooks.progress = &progress_;
        hooks.checkpoint = path + ".checkpoint";
        hooks.resume = true;
        ShapeModel model = learn_shapes(data_folder(nested), options, pool_, hooks);
        save_shape_model(model, path);
        return model;
    }

    static std::string summary(const std::vector<Json>& rows) {
        for (const Json& row : rows)
            if (row["task"] == "flat" && row["model"] == "ggsnn" && row["batch"] == 1)
                return fmt::format(
                    "{:.2f}% of new flat formulas by the networks alone (paper {:.2f}%), {:.2f}% with check",
                    100 * row["accuracy"].get<double>(), paper_networks,
                    100 * row["accuracy_checked"].get<double>());
        return "";
    }

    std::string html(const std::vector<Json>& rows) {
        std::string out = account;
        out += "<div class=\"scroll\" "
               "tabindex=\"0\"><table><thead><tr><th>heaps</th><th>by</th><th>batch</th><th>groups</"
               "th><th>network alone, "
               "%</th><th>equivalent, "
               "%</th><th>with check, %</th><th>ceiling, %</th><th>paper, %</th></tr></thead>\n";
        const auto percent = [](const Json& row, const char* name) {
            return row.contains(name) && row[name].is_number()
                       ? fmt::format("{:.2f}", 100 * row[name].get<double>())
                       : "";
        };
        for (const Json& row : rows)
            out += fmt::format(
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</"
                "td><td>{}</td></tr>\n",
                row["task"].get<std::string>(), row["model"].get<std::string>(), row["batch"].dump(),
                row["count"].dump(), percent(row, "accuracy"), percent(row, "accuracy_equivalent"),
                percent(row, "accuracy_checked"), percent(row, "ceiling"),
                row["paper"].is_number() ? fmt::format("{:.2f}", row["paper"].get<double>()) : "");
        return out + "</table></div>\n" + figure_three_html();
    }

    // A heap of the paper's figure 3, and what is found for it.
    std::string figure_three_html() {
        const Measurement nested{"nested", "ggsnn", 1};
        const auto decider = decider_for(nested);
        Random random(e_.seed);
        logic::SampleSizes sizes{3, 4, 1, 3, true};
        const logic::Heap heap =
            logic::sample_heap(logic::figure_three("arg1", "arg2").heaps[0], sizes, random);
        const auto answers = ShapePredictor(*decider, {}).predict({{&heap}}, pool_);
        return fmt::format("<h3>A heap as in the paper's figure 3, and the formula found for "
                           "it</h3>\n<p><code>{}</code></p>\n{}",
                           logic::print(logic::canonical({{answers[0].alone.shape}}), logic::Reading::shape,
                                        logic::Script::unicode),
                           logic::heap_svg(heap));
    }

    const HeapExperiment& e_;
    ThreadPool& pool_;
    Progress& progress_;
    std::string runs_;
    std::optional<ShapeModel> models_[2];
    std::optional<std::size_t> training_counts_[2];
};

} // namespace

void run_heap_experiment(const HeapExperiment& experiment, ThreadPool& pool, Progress& progress) {
    Experiment(experiment, pool, progress).run();
}

} // namespace ggsnn::shapes
