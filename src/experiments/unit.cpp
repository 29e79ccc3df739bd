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

namespace {

Json to_json(const Effort& e) {
    return {{"sizes", e.sizes},       {"networks", e.networks}, {"runs", e.runs}, {"most_runs", e.most_runs},
            {"together", e.together}, {"until", e.until},       {"l1", e.l1},     {"validated", e.validated}};
}

Effort effort_of(const Json& j) {
    Effort e;
    e.sizes = j.at("sizes").get<std::string>();
    e.networks = j.at("networks").get<int>();
    e.runs = j.at("runs").get<int>();
    e.most_runs = j.at("most_runs").get<int>();
    e.together = j.at("together").get<int>();
    e.until = j.at("until").get<bool>();
    e.l1 = j.at("l1").get<double>();
    e.validated = j.at("validated").get<int>();
    return e;
}

Json to_json(const Overlap& o) {
    return {{"same_file", o.same_file}, {"questions", o.questions}, {"copied", o.copied},
            {"seen", o.seen},           {"counted", o.counted},     {"problems", hashes_text(o.problems)}};
}

Overlap overlap_of(const Json& j) {
    Overlap o;
    o.same_file = j.at("same_file").get<bool>();
    o.questions = j.at("questions").get<long>();
    o.copied = j.at("copied").get<long>();
    o.seen = j.at("seen").get<long>();
    o.counted = j.at("counted").get<bool>();
    o.problems = hashes_of_text(j.at("problems").get<std::string>());
    return o;
}

// Of the model itself; stories that validated are not in it.
Effort effort_in(const Model& model) {
    const Json& options = model.training.at("options");
    Effort e;
    e.sizes = model.network->describe().sizes;
    e.networks = static_cast<int>(model.networks.size());
    e.runs = static_cast<int>(model.training.at("runs").size());
    e.most_runs = options.at("restarts").get<int>();
    e.together = 0;
    for (const auto& members : model.networks) e.together = std::max(e.together, int(members.size()));
    e.until = options.at("stop_at_zero").get<bool>();
    e.l1 = options.at("l1").get<double>();
    return e;
}

} // namespace

Json to_json(const UnitResult& r) {
    return {{"accuracy", r.accuracy},
            {"step_accuracy", r.step_accuracy},
            {"single", r.single},
            {"effort", to_json(r.effort)},
            {"overlap", to_json(r.overlap)},
            {"unknown", r.unknown},
            {"seconds", r.seconds},
            {"parameters", r.parameters},
            {"curve", r.curve},
            {"loss", r.loss},
            {"failures", r.failures}};
}

UnitResult unit_result(const Json& j, int fold) {
    UnitResult r;
    r.accuracy = j.at("accuracy").get<double>();
    r.step_accuracy = j.at("step_accuracy").get<double>();
    r.seconds = j.at("seconds").get<double>();
    r.parameters = j.at("parameters").get<long>();
    r.single = j.value("single", -1.0);
    if (j.contains("effort")) r.effort = effort_of(j["effort"]);
    if (j.contains("overlap")) r.overlap = overlap_of(j["overlap"]);
    r.unknown = j.value("unknown", std::map<std::string, long>());
    r.curve = j.at("curve").get<std::vector<std::pair<double, double>>>();
    r.loss = j.value("loss", std::vector<std::pair<double, double>>());
    r.failures = j.at("failures").get<std::vector<std::string>>();
    r.fold = fold;
    return r;
}

int validation_stories(const Unit&) {
    return 50;
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

Model train_unit(const Unit& unit, const std::string& train_file, std::uint64_t seed, Ranks* ranks,
                 Model* first_runs) {
    const Split split = read_split({train_file,
                                    "",
                                    unit.train,
                                    validation_stories(unit),
                                    {},
                                    kind_of(unit).reads_tokens ? Form::tokens : Form::graphs});
    ThreadPool one(1);
    TrainHooks hooks;
    hooks.ranks = ranks;
    hooks.first_runs = first_runs;
    return train(split.train, split.valid, unit_options(unit, seed), one, hooks);
}

namespace {

// Takes out the questions that the model has no way to answer right, and counts them by type.
void take_out_unknown(const Schema& schema, Record& record, std::map<std::string, long>& unknown) {
    const bool strange_edges = std::any_of(record.edges.begin(), record.edges.end(), [&](const RawEdge& e) {
        return schema.edge_types.find(e.type) < 0;
    });
    std::erase_if(record.questions, [&](const RawQuestion& q) {
        const bool strange_answer =
            has_classes(schema.answer) && !schema.is_tokens() &&
            std::any_of(q.answer.words.begin(), q.answer.words.end(),
                        [&](const std::string& word) { return schema.classes.find(word) < 0; });
        if (!strange_edges && !strange_answer && schema.question_types.find(q.type) >= 0) return false;
        ++unknown[q.type];
        return true;
    });
}

} // namespace

UnitResult test_unit(const Model& model, const std::string& test_file) {
    UnitResult result;
    const auto reader = open_records(test_file, {});
    DatasetBuilder builder(model.schema);
    Evaluation evaluation(model.schema);
    Record record;
    while (reader->next(record)) {
        take_out_unknown(model.schema, record, result.unknown);
        if (!record.questions.empty()) builder.add(record);
    }
    for (const auto& [type, count] : result.unknown)
        for (long i = 0; i < count; ++i) evaluation.add_impossible(type);
    std::vector<const Example*> examples;
    for (const Example& e : builder.data().examples) examples.push_back(&e);
    std::vector<Prediction> predictions;
    Predictor(model, nullptr).predict(builder.data(), examples, predictions);
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
    result.effort = effort_in(model);
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
