#include "ggsnn/experiments/unit.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/nn/evaluation.hpp"
#include "ggsnn/nn/predict.hpp"
#include "ggsnn/tasks/generate.hpp"
#include "ggsnn/tasks/recipe.hpp"
#include "ggsnn/tasks/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace ggsnn {

namespace {

constexpr int valid_stories = 50;

std::string file_stem(const std::string& task) {
    return task.starts_with("babi") ? task.substr(4) : task;
}

// GGS-NNs are the gated networks that answer with sequences.
const Kind& kind_of(const Unit& unit) {
    return kind_named(unit.model == "ggsnn" ? "ggnn" : unit.model);
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

std::string Unit::key() const {
    return fmt::format("{}.{}.{}.fold{}", task, model, train, fold);
}

std::optional<Unit> unit_of_key(const std::string& key) {
    std::vector<std::string> parts(1);
    for (char c : key) {
        if (c == '.') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    if (parts.size() != 4 || !parts[3].starts_with("fold")) return std::nullopt;
    Unit unit{parts[0], parts[1], 0, 0};
    const auto number = [](const std::string& text, int& value) {
        std::from_chars(text.data(), text.data() + text.size(), value);
    };
    number(parts[2], unit.train);
    number(parts[3].substr(4), unit.fold);
    return unit.key() == key ? std::optional(unit) : std::nullopt;
}

Json to_json(const UnitResult& r) {
    return {{"accuracy", r.accuracy}, {"step_accuracy", r.step_accuracy},
            {"seconds", r.seconds},   {"parameters", r.parameters},
            {"curve", r.curve},       {"loss", r.loss},
            {"failures", r.failures}};
}

UnitResult unit_result(const Json& j, int fold) {
    UnitResult r;
    r.accuracy = j.at("accuracy").get<double>();
    r.step_accuracy = j.at("step_accuracy").get<double>();
    r.seconds = j.at("seconds").get<double>();
    r.parameters = j.at("parameters").get<long>();
    r.curve = j.at("curve").get<std::vector<std::pair<double, double>>>();
    r.loss = j.value("loss", std::vector<std::pair<double, double>>());
    r.failures = j.at("failures").get<std::vector<std::string>>();
    r.fold = fold;
    return r;
}

TrainOptions unit_options(const Unit& unit, std::uint64_t seed) {
    const Kind& kind = kind_of(unit);
    TrainOptions options =
        kind.reads_tokens ? baseline_recipe(kind.name, unit.task).value() : recipe_for_task(unit.task);
    options.seed = seed;
    return options;
}

std::string made_with(const Unit& unit, const std::string& train_file, std::uint64_t seed) {
    return unit_options(unit, seed).to_json().dump() + " " + file_hash(train_file);
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

Model train_unit(const Unit& unit, const std::string& train_file, std::uint64_t seed, Ranks* ranks) {
    const Split split = read_split({train_file,
                                    "",
                                    unit.train,
                                    valid_stories,
                                    {},
                                    kind_of(unit).reads_tokens ? Form::tokens : Form::graphs});
    ThreadPool one(1);
    TrainHooks hooks;
    hooks.ranks = ranks;
    return train(split.train, split.valid, unit_options(unit, seed), one, hooks);
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
    Evaluation evaluation(model.schema);
    const Evaluation::Part& all = evaluation.all();
    for (std::size_t i = 0; i < examples.size(); ++i) {
        const long before = all.right;
        evaluation.add(*examples[i], predictions[i]);
        if (all.right == before && result.failures.size() < 3)
            result.failures.push_back(failure_text(model.schema, builder.data().graphs[examples[i]->graph],
                                                   *examples[i], predictions[i]));
    }
    result.accuracy = 100.0 * static_cast<double>(all.right) / static_cast<double>(std::max(1L, all.count));
    result.step_accuracy =
        100.0 * static_cast<double>(all.steps_right) / static_cast<double>(std::max(1L, all.steps));
    result.parameters = static_cast<long>(model.parameter_count());
    for (const Json& point : model.training["runs"][0]["history"]) {
        result.curve.emplace_back(point[0].get<double>(), point[2].get<double>());
        if (point[1].is_number()) result.loss.emplace_back(point[0].get<double>(), point[1].get<double>());
    }
    return result;
}

double expected_seconds(const Unit& unit) {
    struct Cost {
        const char* task;
        double rnn, lstm, graph;
    };
    constexpr Cost costs[] = {{"babi4", 0.3, 1, 0.3},        {"babi15", 20, 52, 0.3},
                              {"babi16", 13, 60, 0.3},       {"babi18", 1, 6, 3},
                              {"babi19", 2, 8, 10},          {"shortest-path", 4, 14, 6},
                              {"eulerian-circuit", 4, 15, 6}};
    for (const Cost& c : costs)
        if (unit.task == c.task) return unit.model == "rnn" ? c.rnn : unit.model == "lstm" ? c.lstm : c.graph;
    return 1;
}

} // namespace ggsnn
