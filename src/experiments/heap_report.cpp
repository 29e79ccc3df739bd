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
#include <map>
#include <optional>

namespace ggsnn::shapes {

namespace {

constexpr double paper_networks = 89.96, paper_features = 89.11;
constexpr std::size_t wide_formulas = 900;

constexpr const char* account =
    "<p>Formulas that were not in training, predicted from heaps that satisfy "
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
    "that are NULL or equal, and every second heap ten times as large. New formulas "
    "are new up to renaming of variables; where a row says by formula, "
    "most are renamings of formulas that training saw, and the models that come with "
    "the program answer. Wide: doubly-linked lists, "
    "rings, trees with parent pointers and with a hole, and nestings of these.</p>";

struct Measurement {
    std::string data;  // flat, nested, wide, ...; by-formula: split by formula, and the shipped model answers
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
        // The models that come with the program know formulas of the other split.
        for (const std::string kind : {"flat", "nested"}) {
            const std::string data = kind + (e_.quick ? by_formula : "");
            for (const std::size_t batch : {1, 5, 10}) wanted.push_back({data, "ggsnn", batch});
            for (const char* baseline : {"logistic", "mlp"}) wanted.push_back({data, baseline, 1});
            if (!e_.quick) wanted.push_back({kind + by_formula, "ggsnn", 1});
            wanted.push_back({kind + "-10x", "ggsnn", 1});
            wanted.push_back({kind + "-stress", "ggsnn", 1});
        }
        for (const std::size_t batch : {1, 5, 10}) wanted.push_back({"wide", "ggsnn", batch});
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
    // What a set of heaps is of: its grammar, and how its formulas are split.
    struct Kind {
        Grammar grammar;
        logic::SplitBy split = logic::SplitBy::renaming;
    };
    static inline const std::string by_formula = "-by-formula";

    Kind kind_of_data(const std::string& data) const {
        Kind kind{data.starts_with("wide") ? Grammar::of_all() : Grammar(data.starts_with("nested"))};
        // The shipped models for lists and trees were trained on a split by formula.
        if (data.ends_with(by_formula) || (e_.quick && !kind.grammar.wide))
            kind.split = logic::SplitBy::formula;
        return kind;
    }
    bool uses_shipped(const Kind& kind) const { return e_.quick || kind.split == logic::SplitBy::formula; }

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
        const Kind kind = kind_of_data(m.data);
        std::vector<logic::Formula> space;
        if (m.data.find("stress") == std::string::npos && !kind.grammar.wide)
            space = logic::enumerate_shapes(space_of(kind.grammar.nested, false));
        const ShapeScore result = score(data, answers, space, pool_);
        Json row = key(m);
        row.update(Json(result.to_json()));
        const double accuracy = 100 * row["accuracy"].get<double>();
        row["folds"] = {accuracy};
        row["mean"] = accuracy;
        row["std"] = 0;
        row["train"] =
            m.model == "ggsnn" && uses_shipped(kind) ? Json("shipped") : Json(training_heaps(kind));
        row["split"] = kind.split == logic::SplitBy::formula ? "formula" : "renaming";
        row["paper"] = (m.data != "flat" && m.data != "flat" + by_formula) || m.batch != 1
                           ? Json()
                           : Json(m.model == "ggsnn" ? paper_networks : paper_features);
        row["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        write_file(path, row.dump());
        progress_.line(fmt::format("{}: {:.2f}% alone, {:.2f}% with check", title_of(m), accuracy,
                                   100 * row["accuracy_checked"].get<double>()));
        return row;
    }

    // Folder with train, valid and test files.
    std::string data_folder(const Kind& kind) {
        const char* ending = kind.grammar.wide ? "-wide" : kind.grammar.nested ? "-nested" : "";
        const std::string folder =
            e_.folder + "/heap" + ending + (kind.split == logic::SplitBy::formula ? by_formula : "");
        if (std::filesystem::exists(folder + "/test.jsonl.gz")) return folder;
        HeapDataOptions options = options_of(kind);
        options.graphs = e_.quick ? 50 : kind.grammar.wide ? 30 : 498;
        options.sizes.val = kind.grammar.nested && !kind.grammar.wide;
        generate_heaps(options, folder, pool_, progress_);
        return folder;
    }

    HeapDataOptions options_of(const Kind& kind) const {
        HeapDataOptions options;
        options.nested = kind.grammar.nested && !kind.grammar.wide;
        options.wide = kind.grammar.wide;
        if (options.wide) options.formulas = wide_formulas;
        options.split = kind.split;
        options.seed = e_.seed;
        return options;
    }

    std::vector<LabelledHeap> heaps_of(const std::string& data) {
        const Kind kind = kind_of_data(data);
        const bool nested = kind.grammar.nested;
        std::string path;
        if (data.ends_with("-10x")) {
            const std::string folder = e_.folder + (nested ? "/heap-nested-10x" : "/heap-10x");
            path = folder + "/test.jsonl.gz";
            HeapDataOptions options = options_of(kind);
            options.graphs = nested ? 2 : 20;
            options.sizes = {10, 80, 10, 40, nested};
            if (!std::filesystem::exists(path)) generate_heaps(options, folder, pool_, progress_);
        } else if (data.ends_with("-stress")) {
            path = e_.folder + "/" + data + ".jsonl.gz";
            if (!std::filesystem::exists(path))
                generate_stress({nested, nested ? std::size_t{500} : std::size_t{2000}, 10, e_.seed}, path);
        } else {
            path = data_folder(kind) + "/test.jsonl.gz";
        }
        std::vector<LabelledHeap> heaps;
        read_labelled(path, true, [&](LabelledHeap&& item) { heaps.push_back(std::move(item)); });
        return heaps;
    }

    std::vector<LabelledHeap> training_sample(const Kind& kind) {
        std::vector<LabelledHeap> heaps;
        std::map<const logic::Formula*, int> seen;
        const int most = LearnOptions().graphs;
        read_labelled(data_folder(kind) + "/train.jsonl.gz", true, [&](LabelledHeap&& item) {
            if (seen[item.formula.get()]++ < most) heaps.push_back(std::move(item));
        });
        return heaps;
    }

    std::size_t training_heaps(const Kind& kind) {
        auto& count = training_counts_[data_folder(kind)];
        if (!count) count = training_sample(kind).size();
        return *count;
    }

    std::unique_ptr<Decider> decider_for(const Measurement& m) {
        const Kind kind = kind_of_data(m.data);
        if (m.model != "ggsnn") {
            BaselineOptions options;
            options.hidden = m.model == "mlp" ? 32 : 0;
            options.seed = e_.seed;
            return std::make_unique<Baseline>(training_sample(kind), kind.grammar.nested, options);
        }
        auto& model = models_[fmt::format("{} {}", name_of(kind.grammar), uses_shipped(kind))];
        if (!model) model = model_for(kind);
        return std::make_unique<NetworkDecider>(*model);
    }

    ShapeModel model_for(const Kind& kind) {
        if (uses_shipped(kind)) return shipped_model(kind.grammar);
        const std::string path = fmt::format("{}/{}.ggsnn", e_.folder, name_of(kind.grammar));
        if (std::filesystem::exists(path)) return load_shape_model(path);
        LearnOptions options;
        options.seed = e_.seed;
        LearnHooks hooks;
        hooks.progress = &progress_;
        hooks.checkpoint = path + ".checkpoint";
        hooks.resume = true;
        ShapeModel model = learn_shapes(data_folder(kind), options, pool_, hooks);
        save_shape_model(model, path);
        return model;
    }

    static std::string summary(const std::vector<Json>& rows) {
        for (const Json& row : rows)
            if (row["task"].get<std::string>().starts_with("flat") && row["model"] == "ggsnn" &&
                row["batch"] == 1)
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
    std::map<std::string, std::optional<ShapeModel>> models_;
    std::map<std::string, std::optional<std::size_t>> training_counts_; // by folder
};

} // namespace

void run_heap_experiment(const HeapExperiment& experiment, ThreadPool& pool, Progress& progress) {
    Experiment(experiment, pool, progress).run();
}

} // namespace ggsnn::shapes
