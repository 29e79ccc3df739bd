#include "ggsnn/experiments/tune.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/random.hpp"
#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/show/plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <tuple>

namespace ggsnn {

namespace {

constexpr int thirds = 3; // of a rung's trials one in three goes on, with three times the updates
constexpr int rungs = 3;

enum Stream : std::uint64_t { draws = 11, folds_of = 12 };

// One setting of training or network, however it is kept.
Json setting_of(const TrainOptions& o, const std::string& name) {
    const Json training = training_values(o);
    if (training.contains(name)) return training[name];
    const Kind& kind = kind_named(o.kind);
    return checked_settings(kind.settings, o.network, o.kind).value(name, Json());
}

void set_setting(TrainOptions& o, const std::string& name, const Json& value) {
    if (training_values(o).contains(name)) {
        set_training(o, {{name, value}});
    } else {
        o.network[name] = value;
    }
}

// Numbers that people can read: two digits.
double rounded(double x) {
    return std::strtod(fmt::format("{:.2g}", x).c_str(), nullptr);
}

// Draws settings around the recipe. Every setting is drawn, wanted or not, so that fixing one changes no
// other.
class Space {
  public:
    Space(const TuneOptions& options, const Schema& schema) : options_(options), schema_(schema) {}

    Json draw(int number) const {
        Random random(options_.recipe.seed, {draws, static_cast<std::uint64_t>(number)});
        const TrainOptions& recipe = options_.recipe;
        const Kind& kind = kind_named(recipe.kind);
        Json choice = Json::object();
        const auto offer = [&](const char* name, const Json& value, bool meant = true) {
            const bool anew = random.chance(0.5);
            if (anew && meant && !options_.fixed.contains(name) && setting_of(recipe, name) != value)
                choice[name] = value;
        };
        const auto one_of = [&](std::vector<double> values) { return random.pick(values); };
        const double state = setting_of(recipe, "state").get<double>() * one_of({0.5, 0.75, 1, 1.5, 2, 3});
        const int embedding =
            setting_of(recipe, "embedding").is_null() ? 0 : setting_of(recipe, "embedding").get<int>();
        offer("state", std::clamp(static_cast<int>(state), schema_.annotation(embedding) + 1, 512));
        const auto steps = static_cast<int>(one_of({2, 3, 4, 5, 6, 8, 10}));
        offer("steps", steps, has(kind, "steps"));
        offer("learning_rate", rounded(recipe.learning_rate * std::exp(random.uniform(-1.5, 1.2))));
        offer("batch", std::max(1, static_cast<int>(recipe.batch * one_of({0.5, 1, 1, 2}))));
        offer("l1", one_of({0, 0.003, 0.01, 0.03, 0.1}));
        offer("l2", one_of({0, 0, 0.003, 0.01, 0.03, 0.1}));
        const bool dropout = kind.can("dropout");
        offer("state_dropout", one_of({0, 0, 0.1, 0.2, 0.35, 0.5}), dropout);
        offer("feature_dropout", one_of({0, 0.1, 0.25, 0.5, 0.7, 0.85}), dropout && schema_.inputs() > 0);
        offer("edge_dropout", one_of({0, 0, 0, 0.1, 0.25}), dropout);
        offer("residual", random.chance(0.3), has(kind, "residual"));
        offer("messages", random.chance(0.3) ? "mean" : "sum", has(kind, "messages"));
        offer("average", one_of({0, 0, 0.2, 0.4}));
        offer("loss", random.chance(0.5) ? "absolute" : "squared",
              is_regression(schema_.answer) && kind.can("weighted loss"));
        return choice;
    }

  private:
    static bool has(const Kind& kind, const std::string& name) {
        return std::any_of(kind.settings.begin(), kind.settings.end(),
                           [&](const Setting& s) { return s.name == name; });
    }

    const TuneOptions& options_;
    const Schema& schema_;
};

struct Fold {
    Dataset train, valid;
};

// Answers of all examples in k parts, each of which validates once: by example, or by node where there are
// few examples with many answers.
std::vector<Fold> make_folds(const Dataset& train, const Dataset& valid, int count, std::uint64_t seed) {
    std::vector<Fold> folds(count, Fold{{train.schema, {}, {}}, {train.schema, {}, {}}});
    Dataset all{train.schema, train.graphs, train.examples};
    const int shift = static_cast<int>(all.graphs.size());
    all.graphs.insert(all.graphs.end(), valid.graphs.begin(), valid.graphs.end());
    for (Example e : valid.examples) {
        e.graph += shift;
        all.examples.push_back(std::move(e));
    }
    const bool by_node = static_cast<int>(all.examples.size()) < 2 * count;
    if (by_node && !is_each_node(train.schema.answer))
        throw UsageError(fmt::format("{} folds of {} questions; expected at least two questions a fold",
                                     count, all.examples.size()));
    Random random(seed, {folds_of});
    std::vector<int> part;
    for (std::size_t i = 0; i < all.examples.size(); ++i) part.push_back(static_cast<int>(i) % count);
    random.shuffle(part);
    for (Fold& fold : folds) fold.train.graphs = fold.valid.graphs = all.graphs;
    for (std::size_t i = 0; i < all.examples.size(); ++i) {
        const Example& e = all.examples[i];
        if (!by_node) {
            for (int f = 0; f < count; ++f)
                (f == part[i] ? folds[f].valid : folds[f].train).examples.push_back(e);
            continue;
        }
        std::vector<int> of_node;
        const int nodes = all.graphs[e.graph].graph.nodes();
        for (int v = 0; v < nodes; ++v) of_node.push_back(v % count);
        random.shuffle(of_node);
        for (int f = 0; f < count; ++f) {
            Example masked = e;
            masked.split.clear();
            for (int v = 0; v < nodes; ++v)
                masked.split.push_back(of_node[v] == f ? Part::valid : Part::train);
            if (nodes == 1) masked.split.resize(1);
            if (const auto some = part_of(masked, Part::train)) folds[f].train.examples.push_back(*some);
            if (const auto some = part_of(masked, Part::valid)) folds[f].valid.examples.push_back(*some);
        }
    }
    for (Fold& fold : folds)
        for (Dataset* data : {&fold.train, &fold.valid})
            for (Example& e : data->examples) e.split.clear();
    return folds;
}

class Tuning {
  public:
    Tuning(const Dataset& train, const Dataset& valid, const TuneOptions& options, ThreadPool& pool,
           Progress& progress, Ranks* ranks)
        : train_(train),
          valid_(valid),
          options_(options),
          pool_(pool),
          progress_(progress),
          ranks_(ranks),
          runner_("trainings", pool, progress, ranks),
          space_(options, train.schema) {
        std::filesystem::create_directories(options.folder);
        if (options.folds > 1) folds_ = make_folds(train, valid, options.folds, options.recipe.seed);
    }

    TuneResult run() {
        const auto weight = static_cast<double>(parts());
        runner_.expect(parts(), weight);
        TuneTrial recipe;
        recipe.choice = Json::object();
        std::vector<TuneTrial> first = {recipe};
        train_rung(first, rungs - 1);
        result_.trials = first;
        std::size_t per_round = 0;
        for (int rung = 0, count = options_.trials; rung < rungs;
             ++rung, count = (count + thirds - 1) / thirds)
            per_round += static_cast<std::size_t>(count) * parts();
        runner_.expect(per_round * options_.rounds, static_cast<double>(per_round * options_.rounds) / 3);
        for (int round = 0; round < options_.rounds && run_round(round); ++round) ++result_.rounds;
        finish();
        return std::move(result_);
    }

  private:
    std::size_t parts() const { return folds_.empty() ? 1 : folds_.size(); }

    bool late() const {
        bool over = options_.seconds > 0 && progress_.seconds() > options_.seconds;
        return ranks_ != nullptr && !ranks_->alone() ? ranks_->any(over) : over;
    }

    // False if time was over before its end; what was trained is kept for a longer call.
    bool run_round(int round) {
        std::vector<TuneTrial> trials;
        for (int i = 0; i < options_.trials; ++i) {
            TuneTrial trial;
            trial.number = 1 + round * options_.trials + i;
            trial.choice = space_.draw(trial.number);
            trials.push_back(trial);
        }
        for (int rung = 0; rung < rungs; ++rung) {
            if (!train_rung(trials, rung)) return false;
            sort(trials);
            const std::size_t keep = (trials.size() + thirds - 1) / thirds;
            if (rung + 1 == rungs) break;
            for (std::size_t i = keep; i < trials.size(); ++i) result_.trials.push_back(trials[i]);
            trials.resize(keep);
        }
        result_.trials.insert(result_.trials.end(), trials.begin(), trials.end());
        return true;
    }

    static void sort(std::vector<TuneTrial>& trials) {
        std::sort(trials.begin(), trials.end(), [](const TuneTrial& a, const TuneTrial& b) {
            const bool late_a = !a.complete, late_b = !b.complete;
            return std::tie(late_a, a.error, a.loss, a.number) < std::tie(late_b, b.error, b.loss, b.number);
        });
    }

    TrainOptions options_of(const TuneTrial& trial, int rung) const {
        TrainOptions o = options_.recipe;
        for (const auto& [name, value] : trial.choice.items()) set_setting(o, name, value);
        // Annotations of a recipe go with its state.
        if (trial.choice.contains("state")) o.network.erase("annotation");
        if (rung + 1 == rungs) return o;
        o.updates = std::max(1L, o.updates / (rung == 0 ? thirds * thirds : thirds));
        if (o.evaluate_every > 0) o.evaluate_every = std::max(1L, std::min(o.evaluate_every, o.updates / 5));
        o.restarts = std::min(o.restarts, rung + 1);
        o.ensemble = 1;
        return o;
    }

    Job job_of(const TuneTrial& trial, int rung, std::size_t part) const {
        const TrainOptions o = options_of(trial, rung);
        const std::string name = fmt::format("{}/trial{}.{}{}", options_.folder, trial.number, rung,
                                             folds_.empty() ? "" : fmt::format(".fold{}", part));
        Job job;
        job.path = name + ".json";
        job.key = {{"options", o.to_json().dump()}, {"data", options_.fingerprint}, {"folds", folds_.size()}};
        job.notes = Json::object();
        job.title = fmt::format("trial {}", trial.number);
        const bool last = rung + 1 == rungs && folds_.empty();
        if (last) job.files.push_back(name + ".ggsnn");
        job.weight = rung == 0 ? 1.0 / 9 : rung == 1 ? 1.0 / 3 : 1;
        job.work = [this, o, part, name, last](Ranks*) {
            const Dataset& train = folds_.empty() ? train_ : folds_[part].train;
            const Dataset& valid = folds_.empty() ? valid_ : folds_[part].valid;
            JobOutput output;
            ThreadPool one(1);
            try {
                const Model model = ggsnn::train(train, valid, o, one);
                output.result = score_of(model);
                if (last) output.files.emplace_back(name + ".ggsnn", encode_model(model));
            } catch (const UsageError& error) { // a draw that does not suit the data
                output.result = {{"failed", error.what()}};
            } catch (const Interrupted&) {
                throw;
            } catch (const Error& error) { // diverged
                output.result = {{"failed", error.what()}};
            }
            if (last && output.files.empty()) output.files.emplace_back(name + ".ggsnn", "");
            return output;
        };
        return job;
    }

    // Of the best run of each question type, on average.
    static Json score_of(const Model& model) {
        double error = 0, loss = 0;
        int count = 0;
        std::set<std::string> seen;
        for (const Json& run : model.training.at("runs")) {
            if (!seen.insert(run.at("question").get<std::string>()).second) continue;
            error += run.at("valid_error").get<double>();
            loss += run.at("valid_loss").get<double>();
            ++count;
        }
        return {{"error", error / count}, {"loss", loss / count}};
    }

    // As many at a time as there are threads, so that a budget of time is kept to.
    bool train_rung(std::vector<TuneTrial>& trials, int rung) {
        std::vector<Job> jobs;
        for (const TuneTrial& trial : trials)
            for (std::size_t part = 0; part < parts(); ++part) jobs.push_back(job_of(trial, rung, part));
        const std::size_t ranks = ranks_ != nullptr ? static_cast<std::size_t>(ranks_->size()) : 1;
        const std::size_t piece = static_cast<std::size_t>(pool_.workers()) * ranks;
        std::vector<Json> results;
        for (std::size_t at = 0; at < jobs.size(); at += piece) {
            if (late() && !result_.trials.empty()) return false;
            const auto begin = jobs.begin() + static_cast<std::ptrdiff_t>(at);
            const std::vector<Job> some(
                begin, begin + static_cast<std::ptrdiff_t>(std::min(piece, jobs.size() - at)));
            for (Json& result : runner_.run(some)) results.push_back(std::move(result));
        }
        for (std::size_t i = 0; i < trials.size(); ++i) note(trials[i], rung, results, i * parts());
        return true;
    }

    void note(TuneTrial& trial, int rung, const std::vector<Json>& results, std::size_t at) const {
        trial.updates = options_of(trial, rung).updates;
        trial.error = trial.loss = 0;
        for (std::size_t part = 0; part < parts(); ++part) {
            const Json& r = results[at + part];
            const double weight = 1 / static_cast<double>(parts());
            trial.error += r.contains("failed") ? INFINITY : weight * r.at("error").get<double>();
            trial.loss += r.contains("failed") ? INFINITY : weight * r.at("loss").get<double>();
        }
        trial.way.emplace_back(trial.updates, trial.error);
        trial.complete = rung + 1 == rungs;
    }

    // The best model: of its trial, or, after folds, trained as train would.
    void finish() {
        sort(result_.trials);
        const TuneTrial& best = result_.trials.front();
        if (!std::isfinite(best.error))
            fail("no trial gave a network: training diverged or settings do not suit the data");
        result_.best = options_of(best, rungs - 1);
        if (folds_.empty()) {
            result_.model =
                load_model(fmt::format("{}/trial{}.{}.ggsnn", options_.folder, best.number, rungs - 1));
        } else {
            TrainHooks hooks;
            hooks.ranks = ranks_;
            result_.model = ggsnn::train(train_, valid_, result_.best, pool_, hooks);
        }
    }

    const Dataset& train_;
    const Dataset& valid_;
    const TuneOptions& options_;
    ThreadPool& pool_;
    Progress& progress_;
    Ranks* ranks_;
    JobRunner runner_;
    Space space_;
    std::vector<Fold> folds_;
    TuneResult result_;
};

Json finite_or_null(double x) {
    return std::isfinite(x) ? Json(x) : Json(nullptr);
}

} // namespace

TuneResult tune(const Dataset& train_set, const Dataset& valid_set, const TuneOptions& options,
                ThreadPool& pool, Progress& progress, Ranks* ranks) {
    return Tuning(train_set, valid_set, options, pool, progress, ranks).run();
}

OrderedJson to_json(const TuneResult& result) {
    OrderedJson trials = OrderedJson::array();
    for (const TuneTrial& t : result.trials) {
        OrderedJson way = OrderedJson::array();
        for (const auto& [updates, error] : t.way) way.push_back({updates, finite_or_null(error)});
        trials.push_back({{"trial", t.number},
                          {"choice", t.choice},
                          {"updates", t.updates},
                          {"complete", t.complete},
                          {"error", finite_or_null(t.error)},
                          {"loss", finite_or_null(t.loss)},
                          {"way", way}});
    }
    return {{"rounds", result.rounds}, {"best", result.best.to_json()}, {"trials", trials}};
}

std::string draw(const TuneResult& result, bool regression) {
    Chart chart;
    const TuneTrial& best = result.trials.front();
    double recipe = best.error;
    for (const TuneTrial& t : result.trials)
        if (t.number == 0) recipe = t.error;
    chart.title = fmt::format("{} trials; the recipe {:.4f}, the best {:.4f}", result.trials.size(), recipe,
                              best.error);
    chart.x_label = "updates";
    chart.y_label = regression ? "validation: mean absolute error" : "validation: error rate";
    chart.log_x = true;
    chart.width = 640;
    chart.height = 400;
    for (std::size_t i = result.trials.size(); i-- > 0;) {
        const TuneTrial& t = result.trials[i];
        Curve curve;
        curve.name = t.number == 0 ? "the recipe" : i == 0 ? fmt::format("the best: trial {}", t.number) : "";
        curve.faint = curve.name.empty();
        curve.colour = i == 0 ? 0 : t.number == 0 ? 1 : black;
        for (const auto& [updates, error] : t.way)
            curve.points.emplace_back(static_cast<double>(updates), error);
        chart.curves.push_back(curve);
    }
    return draw_svg(chart);
}

} // namespace ggsnn
