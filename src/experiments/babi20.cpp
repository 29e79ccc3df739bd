#include "ggsnn/experiments/babi20.hpp"

#include "ggsnn/base/html.hpp"
#include "ggsnn/experiments/report.hpp"
#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/nn/predict.hpp"
#include "ggsnn/tasks/split.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace ggsnn {

namespace {

// Of a public implementation of end-to-end memory networks (Sukhbaatar et al. 2015), a network a task,
// trained on 1,000 questions.
constexpr double memory_networks[] = {100, 83,  54, 98, 87,  92, 84, 86, 90, 78,
                                      84,  100, 90, 93, 100, 44, 52, 88, 13, 100};
constexpr const char* names[] = {"one supporting fact",
                                 "two supporting facts",
                                 "three supporting facts",
                                 "relations of two",
                                 "relations of three",
                                 "yes and no",
                                 "counting",
                                 "lists",
                                 "negation",
                                 "indefinite knowledge",
                                 "coreference",
                                 "conjunction",
                                 "compound coreference",
                                 "order in time",
                                 "deduction",
                                 "induction",
                                 "positions",
                                 "sizes",
                                 "finding paths",
                                 "motives"};
constexpr int most_tasks = 20;
constexpr double passing = 95;

constexpr const char* account =
    "<p>Stories as text; a network of kind <code>reader</code> for each task, all by the one recipe that "
    "<code>ggsnn train</code> has for stories, and nothing to learn from but questions and their answers. Of "
    "the "
    "1,000 questions the last 100 validate: they choose among restarts. <b>Single run</b>: the first, "
    "without "
    "restarts or averaging. <b>Runs</b>: how many it took, and how many answer together. An answer of "
    "several words "
    "is right if all of it is. A task passes with 95%. <b>Memory networks</b>: a public implementation of "
    "end-to-end "
    "memory networks, trained on 1,000 questions of one task. Seconds are those of the processor.</p>";

struct Task {
    std::string folder; // with its files
    int number = 0;
    std::string train() const { return fmt::format("{}/{}_train.txt", folder, number); }
    std::string test() const { return fmt::format("{}/{}_test.txt", folder, number); }
    // The part of the data that it belongs to: the folder's name.
    std::string part() const { return std::filesystem::path(folder).filename().string(); }
};

void add_tasks(const std::string& folder, std::vector<Task>& tasks) {
    for (int t = 1; t <= most_tasks; ++t) {
        const Task task{folder, t};
        if (std::filesystem::exists(task.train()) && std::filesystem::exists(task.test()))
            tasks.push_back(task);
    }
}

std::vector<Task> find_tasks(const std::string& folder) {
    std::vector<Task> tasks;
    add_tasks(folder, tasks);
    if (!tasks.empty()) return tasks;
    std::vector<std::string> below;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.is_directory()) below.push_back(entry.path().string());
    std::sort(below.begin(), below.end());
    for (const std::string& each : below) add_tasks(each, tasks);
    if (tasks.empty())
        fail("{}: no task of bAbI in English; expected files T_train.txt and T_test.txt, T being 1 to {}, "
             "there or in "
             "its folders",
             folder, most_tasks);
    return tasks;
}

// Percent of the questions of a file that are answered as the file says. An answer that training never saw is
// one that the network cannot give: wrong.
double accuracy_on(const Model& model, const std::string& path) {
    ReadOptions read;
    const auto reader = open_records(path, read);
    DatasetBuilder builder(model.schema, false);
    Record record;
    while (reader->next(record)) builder.add(record);
    const Dataset& data = builder.data();
    std::vector<const Example*> examples;
    for (const Example& e : data.examples) examples.push_back(&e);
    std::vector<Prediction> predictions;
    Predictor(model, nullptr).predict(data, examples, predictions);
    long right = 0;
    for (std::size_t i = 0; i < examples.size(); ++i)
        if (!examples[i]->labels.empty() && predictions[i].labels == examples[i]->labels) ++right;
    return 100.0 * double(right) / double(std::max<std::size_t>(1, examples.size()));
}

TrainOptions recipe_of(const Split& split, std::uint64_t seed) {
    TrainOptions options = recipe_for(split.train, "reader");
    options.seed = seed;
    return options;
}

// The first run alone, then, unless that answers all, all of them.
Json result_of(const Task& task, std::uint64_t seed) {
    SplitOptions read;
    read.input = task.train();
    read.form = Form::natural;
    const Split split = read_split(read);
    TrainOptions options = recipe_of(split, seed);
    const int restarts = options.restarts;
    ThreadPool one(1);
    const double begin = processor_seconds();
    options.restarts = 1;
    Model model = train(split.train, split.valid, options, one);
    const Json& first = model.training.at("runs").at(0);
    const bool solved = first.at("train_error") == 0.0 && first.at("valid_error") == 0.0;
    const double single = accuracy_on(model, task.test()), single_seconds = processor_seconds() - begin;
    if (!solved) {
        options.restarts = restarts;
        model = train(split.train, split.valid, options, one);
    }
    return {{"accuracy", accuracy_on(model, task.test())},
            {"single", single},
            {"single_seconds", single_seconds},
            {"seconds", processor_seconds() - begin},
            {"runs", model.training.at("runs").size()},
            {"members", model.networks.at(0).size()},
            {"valid_error", model.training["runs"][0]["valid_error"]},
            {"updates", options.updates},
            {"parameters", model.parameter_count()}};
}

Job job_of(const Task& task, const Babi20Options& options) {
    Job job;
    const std::string title = fmt::format("babi20.{}.{}", task.part(), task.number);
    job.path = fmt::format("{}/runs/{}.json", options.folder, title);
    job.key = {{"table", "babi20"},
               {"task", task.number},
               {"data", file_hash(task.train()) + file_hash(task.test())},
               {"recipe", recipe_for(Schema(), 0, "reader").to_json()},
               {"seed", options.seed}};
    job.notes = {{"part", task.part()}};
    job.title = title;
    job.work = [task, seed = options.seed](Ranks*) { return JobOutput{result_of(task, seed), {}}; };
    return job;
}

// A line for each task: means over the parts of the data.
std::string table_of(const std::vector<Json>& results) {
    std::map<int, std::vector<const Json*>> by_task;
    for (const Json& r : results) by_task[r.at("task").get<int>()].push_back(&r);
    const auto mean = [](const std::vector<const Json*>& list, const char* what) {
        double sum = 0;
        for (const Json* each : list) sum += each->at(what).get<double>() / double(list.size());
        return sum;
    };
    std::string html = "<table><tr><th>task</th><th></th><th>accuracy</th><th>single run</th><th>memory "
                       "networks</th><th>runs</th><th>together</th><th>seconds</th></tr>";
    double sum = 0, single = 0, others = 0, seconds = 0;
    int passed = 0, passed_single = 0, passed_others = 0;
    for (const auto& [task, list] : by_task) {
        const double own = mean(list, "accuracy"), first = mean(list, "single"),
                     other = memory_networks[task - 1];
        html += fmt::format("<tr><td>{}</td><td class='text'>{}</td><td>{}</td><td>{:.1f}</td><td>{:.0f}</td>"
                            "<td>{:.3g}</td><td>{:.3g}</td><td>{:.0f}</td></tr>",
                            task, names[task - 1],
                            own >= passing ? fmt::format("<b>{:.1f}</b>", own) : fmt::format("{:.1f}", own),
                            first, other, mean(list, "runs"), mean(list, "members"), mean(list, "seconds"));
        sum += own;
        single += first;
        others += other;
        seconds += mean(list, "seconds");
        passed += own >= passing ? 1 : 0;
        passed_single += first >= passing ? 1 : 0;
        passed_others += other >= passing ? 1 : 0;
    }
    const double n = double(by_task.size());
    return html +
           fmt::format(
               "<tr><td></td><td class='text'>mean</td><td>{:.1f}</td><td>{:.1f}</td><td>{:.1f}</td><td></td>"
               "<td></td><td>{:.0f} in all</td></tr>"
               "<tr><td></td><td class='text'>tasks with 95%</td><td>{}</td><td>{}</td><td>{}</td><td></td>"
               "<td></td><td></td></tr></table>",
               sum / n, single / n, others / n, seconds, passed, passed_single, passed_others);
}

} // namespace

void run_babi20(const Babi20Options& options, ThreadPool& pool, Progress& progress, Ranks* ranks) {
    const std::vector<Task> tasks = find_tasks(options.data);
    std::filesystem::create_directories(options.folder + "/runs");
    std::vector<Job> jobs;
    for (const Task& task : tasks) jobs.push_back(job_of(task, options));
    JobRunner runner("tasks", pool, progress, ranks);
    runner.expect(jobs.size(), double(jobs.size()));
    const std::vector<Json> results = runner.run(jobs);
    if (ranks == nullptr || ranks->first())
        keep_section(options.folder,
                     {"babi20", "Stories in English (bAbI)", account + table_of(results), Json(results)});
}

} // namespace ggsnn
