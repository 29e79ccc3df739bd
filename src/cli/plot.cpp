// plot: curves of trainings, from their logs or from the histories that models keep. Three charts above one
// another: training loss, validation loss, and what validation measures.
#include "ggsnn/show/plot.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/commands.hpp"
#include "ggsnn/cli/registration.hpp"
#include "ggsnn/nn/train/checkpoint.hpp"
#include "ggsnn/nn/train/log.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

namespace ggsnn {

namespace {

struct Training {
    std::string name, metric;
    std::map<std::pair<std::string, int>, std::vector<LogPoint>> runs; // by question and restart
};

Training from_log(const std::string& path) {
    LogFile log = read_log(path);
    Training t{path, log.metric, {}};
    for (LogPoint& p : log.points) t.runs[{p.question, p.restart}].push_back(std::move(p));
    return t;
}

// `training` is for people: a model from elsewhere may lack any of it.
Training from_model(const std::string& path, const std::string& bytes) {
    const Model model = is_checkpoint(bytes) ? checkpoint_model(bytes, path) : decode_model(bytes, path);
    Training t{path, metric_name(model.schema.answer), {}};
    const auto number = [](const Json& value) { return value.is_null() ? INFINITY : value.get<double>(); };
    try {
        for (const Json& run : model.training.at("runs")) {
            LogPoint point;
            point.question = run.at("question").get<std::string>();
            point.restart = run.at("restart").get<int>();
            auto& points = t.runs[{point.question, point.restart}];
            for (const Json& h : run.at("history")) {
                point.scores = {h.at(0).get<long>(), number(h.at(1)), number(h.at(2)), number(h.at(3))};
                points.push_back(point);
            }
        }
    } catch (const Json::exception&) {
        fail("{}: a model without the history of its training; expected \"runs\" as ggsnn train keeps them",
             path);
    }
    return t;
}

Training read_training(const std::string& path) {
    if (std::filesystem::is_directory(path))
        fail("{}: is a folder; expected a log of training (ggsnn train --log) or a model", path);
    if (is_log(path)) return from_log(path);
    const std::string bytes = read_file(path);
    if (bytes.size() > 9 && bytes.find("\"__metadata__\"") < 16) return from_model(path, bytes);
    fail("{}: neither a log of training (ggsnn train --log) nor a model: expected a first line with "
         "\"event\": "
         "\"start\"",
         path);
}

void keep_question(std::vector<Training>& all, const std::string& question) {
    std::size_t left = 0;
    for (Training& t : all) {
        std::erase_if(t.runs, [&](const auto& run) { return run.first.first != question; });
        left += t.runs.size();
    }
    if (left == 0) fail("no evaluation of question type \"{}\" in {}", question, all.front().name);
}

double best_of(const std::vector<LogPoint>& run) {
    double best = INFINITY;
    for (const LogPoint& p : run) best = std::min(best, p.scores.valid_error);
    return best;
}

// One colour a file; of a single file one a question type. The best run of each is drawn strong and named.
std::vector<Curve> curves_of(const std::vector<Training>& all, const std::string& x,
                             double HistoryPoint::* score) {
    std::vector<Curve> curves;
    int colour = 0;
    for (const Training& t : all) {
        std::map<std::string, int> best; // restart, by question
        for (const auto& [key, points] : t.runs) {
            const auto [at, first] = best.try_emplace(key.first, key.second);
            if (!first && best_of(points) < best_of(t.runs.at({key.first, at->second})))
                at->second = key.second;
        }
        std::map<std::string, int> colours;
        for (const auto& [question, restart] : best)
            colours[question] = all.size() > 1 ? colour : static_cast<int>(colours.size());
        bool named = false;
        for (const auto& [key, points] : t.runs) {
            const bool strong = best[key.first] == key.second;
            Curve curve;
            curve.colour = colours[key.first];
            curve.thin = !strong;
            curve.unnamed = !strong || (named && all.size() > 1);
            curve.name = all.size() == 1 && best.size() > 1 ? key.first : t.name;
            named = named || strong;
            for (const LogPoint& p : points) {
                if (x == "seconds" && !p.seconds) continue;
                curve.points.emplace_back(x == "seconds" ? *p.seconds : static_cast<double>(p.scores.update),
                                          p.scores.*score);
            }
            curves.push_back(std::move(curve));
        }
        ++colour;
    }
    return curves;
}

// Where the largest is many times the smallest and nothing is 0, equal factors look equal.
bool log_helps(const std::vector<Curve>& curves) {
    double low = INFINITY, high = 0;
    for (const Curve& c : curves) {
        for (const auto& [px, py] : c.points) {
            if (!std::isfinite(py)) continue;
            low = std::min(low, py);
            high = std::max(high, py);
        }
    }
    return low > 0 && high > 20 * low;
}

Chart chart_of(const std::vector<Training>& all, const std::string& x, const std::string& title,
               double HistoryPoint::* score) {
    Chart chart;
    chart.title = title;
    chart.x_label = x;
    chart.y_label = title;
    chart.curves = curves_of(all, x, score);
    chart.log_y = log_helps(chart.curves);
    chart.width = 760;
    return chart;
}

} // namespace

int run_plot(const PlotCommand& command) {
    std::vector<Training> all;
    for (const std::string& path : command.inputs) {
        all.push_back(read_training(path));
        if (all.back().metric != all.front().metric)
            fail("{}: measures {}, and {} {}; expected the same kind of answers", path, all.back().metric,
                 all.front().name, all.front().metric);
    }
    if (!command.question.empty()) keep_question(all, command.question);
    std::string metric = all.front().metric;
    std::replace(metric.begin(), metric.end(), '_', ' ');
    const std::vector<Chart> charts = {
        chart_of(all, command.x, "training loss", &HistoryPoint::train_loss),
        chart_of(all, command.x, "validation loss", &HistoryPoint::valid_loss),
        chart_of(all, command.x, "validation: " + metric, &HistoryPoint::valid_error)};
    const bool any = std::any_of(charts[0].curves.begin(), charts[0].curves.end(),
                                 [](const Curve& c) { return !c.points.empty(); });
    if (!any)
        fail("{}: no evaluation{} to draw", all.front().name,
             command.x == "seconds" ? " with its time (models keep none; logs do)" : "");
    write_file(command.output, draw_column(charts));
    return 0;
}

void add_plot(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("plot", "Draw the curves of trainings: losses and errors, as SVG");
    auto o = std::make_shared<PlotCommand>();
    sub->add_option("logs", o->inputs, "Logs that ggsnn train --log has written, or models")->required();
    sub->add_option("-o,--output", o->output, "SVG file to write")->required();
    sub->add_option("--x", o->x, "What goes to the right")
        ->check(CLI::IsMember({"updates", "seconds"}))
        ->capture_default_str();
    sub->add_option("--question", o->question, "Only this question type");
    sub->callback([o, &run] { run = [o] { return run_plot(*o); }; });
}

} // namespace ggsnn
