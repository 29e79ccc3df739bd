#include "ggsnn/experiments/larger.hpp"

#include "ggsnn/experiments/report.hpp"
#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/nn/predict.hpp"
#include "ggsnn/tasks/algorithms.hpp"
#include "ggsnn/tasks/build.hpp"
#include "ggsnn/tasks/generate.hpp"
#include "ggsnn/tasks/random_graphs.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

namespace ggsnn {

namespace {

constexpr int trained_nodes = 16, trained_scales = 3;
constexpr long train_graphs = 300, valid_graphs = 60;
// Other graphs than any that were trained on.
constexpr std::uint64_t valid_seed = std::uint64_t{1} << 41, test_seed = std::uint64_t{1} << 42;

constexpr const char* larger_account =
    "<p>A network of kind <code>stepper</code> for each task, all by one recipe: 300 graphs to train on, 60 "
    "to "
    "validate. The six algorithms are learned on graphs of 16 nodes, of three families in turn; paths and "
    "circuits on stories of 1, 2 and 3 times the usual size. <b>With hints</b>: the state of a solver after "
    "each step is told in training, never in testing. <b>Without</b>: answers alone, through 16 steps, first "
    "fold. Percent "
    "of single nodes that are right (parents, in or out; eccentricity: of graphs with the right number); of "
    "paths and circuits the percent that are right as a whole. Means over folds, each with graphs and a "
    "training of its own, and below 100 the worst fold in brackets. Runs stop when a step changes nothing. "
    "Seconds are those of the processor, training and testing of all folds.</p>";

struct Point {
    std::string family; // of the six; otherwise empty
    int size;           // nodes, or times the usual size
    long count;
};

bool is_walk(const std::string& task) {
    return task == "shortest-path" || task == "eulerian-circuit";
}

// Without hints, sizes up to ten times: what was not learned may never settle, and a step of a large graph
// takes long.
std::vector<Point> points_of(const std::string& task, bool hints, bool quick) {
    std::vector<Point> points;
    if (is_walk(task)) {
        for (int scale : {1, 2, 5, 10, 100})
            if (!quick || scale <= 10) points.push_back({"", scale, quick ? 20 : scale > 10 ? 40 : 200});
        return points;
    }
    for (const std::string& family : graph_families())
        for (int nodes : {16, 80, 160, 800, 1600})
            if ((hints && !quick) || nodes <= 160)
                points.push_back({family, nodes, quick || nodes > 160 ? 4 : hints ? 30 : 10});
    return points;
}

void add_graphs(const std::string& task, const Point& point, std::uint64_t seed, bool hints,
                DatasetBuilder& builder) {
    if (is_walk(task)) {
        generate_stories({task, point.count, seed, point.size},
                         [&](const Story& story) { builder.add(walk_record(story, hints)); });
    } else {
        generate_algorithm({task, point.family, point.size, point.count, seed, hints},
                           [&](const Record& record) { builder.add(record); });
    }
}

void add_usual(const std::string& task, long count, std::uint64_t seed, DatasetBuilder& builder) {
    if (!is_walk(task)) {
        add_graphs(task, {"all", trained_nodes, count}, seed, true, builder);
        return;
    }
    for (int scale = 1; scale <= trained_scales; ++scale)
        add_graphs(task, {"", scale, count / trained_scales}, seed, true, builder);
}

TrainOptions options_of(const Schema& schema, bool hints, const LargerOptions& given) {
    TrainOptions options = recipe_for(schema, train_graphs, "stepper");
    options.seed = given.seed;
    if (given.updates > 0) options.updates = given.updates;
    if (!hints) {
        options.network.update({{"hints", false}, {"steps", trained_nodes}, {"bits", 4}, {"choice", true}});
        options.updates = std::min(options.updates, 1000L);
        options.restarts = 2;
    }
    return options;
}

// Percent of nodes, and of whole answers, of a point.
std::pair<double, double> right_at(const Model& model, const std::string& task, const Point& point,
                                   int fold) {
    long nodes = 0, right = 0, whole = 0;
    // Graph by graph: what is said of a large one takes memory.
    const auto add = [&](const Record& record) {
        DatasetBuilder builder(model.schema);
        builder.add(record);
        const Example& example = builder.data().examples[0];
        std::vector<Prediction> said;
        Predictor(model, nullptr).predict(builder.data(), {&example}, said);
        bool all = true;
        if (!example.values.empty()) {
            all = std::abs(said[0].lists[0][0] - double(example.values[0])) < 0.5;
            ++nodes;
            right += all ? 1 : 0;
        }
        all = all && !said[0].capped && said[0].labels.size() == example.labels.size();
        for (std::size_t i = 0; i < example.labels.size(); ++i) {
            const bool one = i < said[0].labels.size() && said[0].labels[i] == example.labels[i];
            ++nodes;
            right += one ? 1 : 0;
            all = all && one;
        }
        whole += all ? 1 : 0;
    };
    const std::uint64_t seed = test_seed + static_cast<std::uint64_t>(fold);
    if (is_walk(task)) {
        generate_stories({task, point.count, seed, point.size},
                         [&](const Story& story) { add(walk_record(story, false)); });
    } else {
        generate_algorithm({task, point.family, point.size, point.count, seed, false}, add);
    }
    return {100.0 * double(right) / double(std::max(1L, nodes)), 100.0 * double(whole) / double(point.count)};
}

Json larger_result(const std::string& task, bool hints, int fold, const LargerOptions& options) {
    const double begin = processor_seconds();
    DatasetBuilder train_builder;
    add_usual(task, train_graphs, static_cast<std::uint64_t>(fold), train_builder);
    train_builder.finish();
    DatasetBuilder valid_builder(train_builder.data().schema);
    add_usual(task, valid_graphs, valid_seed + static_cast<std::uint64_t>(fold), valid_builder);
    const TrainOptions how = options_of(train_builder.data().schema, hints, options);
    ThreadPool one(1);
    const Model model = train(train_builder.data(), valid_builder.data(), how, one);
    Json points = Json::array();
    for (const Point& point : points_of(task, hints, options.quick)) {
        const auto [nodes, whole] = right_at(model, task, point, fold);
        points.push_back({{"family", point.family},
                          {"size", point.size},
                          {"nodes", nodes},
                          {"whole", whole},
                          {"graphs", point.count}});
    }
    const double last = points.back().at(is_walk(task) ? "whole" : "nodes").get<double>();
    return {{"points", points},
            {"accuracy", last},
            {"seconds", processor_seconds() - begin},
            {"runs", model.training.at("runs").size()},
            {"valid_error", model.training["runs"][0]["valid_error"]},
            {"parameters", model.parameter_count()}};
}

Job larger_job(const std::string& task, bool hints, int fold, const LargerOptions& options) {
    Job job;
    job.title = fmt::format("larger.{}.{}.fold{}", task, hints ? "hints" : "answers", fold);
    job.path = fmt::format("{}/runs/{}.json", options.folder, job.title);
    job.key = {{"table", "larger"},      {"task", task},
               {"hints", hints},         {"fold", fold},
               {"quick", options.quick}, {"recipe", options_of(Schema(), hints, options).to_json()},
               {"seed", options.seed}};
    job.notes = Json::object();
    job.weight = (task == "dfs" ? 6.0 : task == "mst" || task == "dijkstra" ? 4.0 : 1.0) * (hints ? 1 : 2);
    job.work = [=](Ranks*) { return JobOutput{larger_result(task, hints, fold, options), {}}; };
    return job;
}

// One figure over folds: its mean, and the worst.
struct Figure {
    double sum = 0, worst = 100;
    int count = 0;
    void add(double value) {
        sum += value;
        worst = std::min(worst, value);
        ++count;
    }
    double mean() const { return count > 0 ? sum / count : 0; }
    std::string cell(double enough) const {
        const std::string text = fmt::format("{:.1f}", mean());
        const std::string cell = mean() >= enough ? "<b>" + text + "</b>" : text;
        return mean() < 100 && count > 1 ? fmt::format("{} ({:.1f})", cell, worst) : cell;
    }
};

using Figures = std::map<std::pair<std::string, int>, Figure>; // by family and size

Figures figures_of(const std::vector<Json>& results, const std::string& task, bool hints) {
    Figures figures;
    for (const Json& r : results) {
        if (r.at("task") != task || r.at("hints") != hints) continue;
        for (const Json& p : r.at("points"))
            figures[{p.at("family"), p.at("size")}].add(
                p.at(is_walk(task) ? "whole" : "nodes").get<double>());
    }
    return figures;
}

double seconds_of(const std::vector<Json>& results, const std::string& task, bool hints) {
    double sum = 0;
    for (const Json& r : results)
        if (r.at("task") == task && r.at("hints") == hints) sum += r.at("seconds").get<double>();
    return sum;
}

// What is asked of a size: 95% of nodes at ten times, 90 at a hundred; of walks 99 and 95.
double enough_at(bool walk, int size) {
    if (walk) return size <= 10 ? 99 : 95;
    return size <= 160 ? 95 : 90;
}

// Rows are tasks and families.
std::string larger_table(const std::vector<Json>& results, const std::vector<std::string>& tasks, bool hints,
                         bool walks) {
    std::string head, body;
    for (const std::string& task : tasks) {
        if (is_walk(task) != walks) continue;
        const Figures figures = figures_of(results, task, hints);
        std::string family = "-";
        head = fmt::format("<table><tr><th>task</th><th class='text'>{}</th>", walks ? "" : "graphs");
        for (const auto& [at, figure] : figures) {
            if (at.first == figures.begin()->first.first)
                head +=
                    walks ? fmt::format("<th>x {}</th>", at.second) : fmt::format("<th>{}</th>", at.second);
            if (at.first != family)
                body += fmt::format("{}<tr><td>{}</td><td class='text'>{}</td>", body.empty() ? "" : "</tr>",
                                    task, at.first);
            family = at.first;
            body += fmt::format("<td>{}</td>", figure.cell(enough_at(walks, at.second)));
        }
        body += fmt::format("<td>{:.0f} s</td>", seconds_of(results, task, hints));
        head += "<th>in all</th></tr>";
    }
    return body.empty() ? "" : head + body + "</tr></table>";
}

std::string larger_html(const std::vector<Json>& results, const std::vector<std::string>& tasks) {
    std::string html = larger_account;
    const auto add = [&](const char* title, const std::string& table) {
        if (!table.empty()) html += fmt::format("<h3>{}</h3>{}", title, table);
    };
    add("Six algorithms, with hints: nodes right by number of nodes",
        larger_table(results, tasks, true, false));
    add("The same without hints", larger_table(results, tasks, false, false));
    add("Paths and circuits, with hints: whole answers right by size",
        larger_table(results, tasks, true, true));
    return html;
}

} // namespace

void run_larger(const LargerOptions& options, ThreadPool& pool, Progress& progress, Ranks* ranks) {
    std::vector<std::string> tasks = options.tasks;
    if (tasks.empty()) {
        tasks = algorithm_names();
        tasks.insert(tasks.end(), {"shortest-path", "eulerian-circuit"});
    }
    std::filesystem::create_directories(options.folder + "/runs");
    std::vector<Job> jobs;
    double weight = 0;
    for (bool hints : {true, false})
        for (const std::string& task : tasks)
            for (int fold : options.folds) {
                if (!hints && (is_walk(task) || fold != options.folds.front())) continue;
                jobs.push_back(larger_job(task, hints, fold, options));
                weight += jobs.back().weight;
            }
    JobRunner runner("trainings", pool, progress, ranks);
    runner.expect(jobs.size(), weight);
    const std::vector<Json> results = runner.run(jobs);
    if (ranks == nullptr || ranks->first())
        keep_section(options.folder, {"larger", "Larger graphs than trained on: algorithms",
                                      larger_html(results, tasks), Json(results)});
}

} // namespace ggsnn
