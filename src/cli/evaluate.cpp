// evaluate: data with answers is read against the model's schema and answered in pieces; what came out is
// told by every measure that suits the kind of answer, as text, as JSON and as a page.
#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/answer.hpp"
#include "ggsnn/experiments/evaluation_report.hpp"
#include "ggsnn/nn/evaluation.hpp"
#include "ggsnn/tasks/build.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace ggsnn {

namespace {

// Questions of types that the model has no network for: warned of once a type, and left out.
class UnknownQuestions {
  public:
    explicit UnknownQuestions(const Schema& schema) : schema_(schema) {}

    void take_out(Record& record) {
        std::erase_if(record.questions, [this](const RawQuestion& q) {
            if (schema_.question_types.find(q.type) >= 0) return false;
            ++count_;
            if (warned_.insert(q.type).second)
                fmt::print(stderr,
                           "ggsnn: warning: {}: unknown question type \"{}\", whose questions are left out; "
                           "the model knows {}\n",
                           q.place.text(), q.type, schema_.question_types.list());
            return true;
        });
    }
    long count() const { return count_; }

  private:
    const Schema& schema_;
    std::set<std::string> warned_;
    long count_ = 0;
};

// Questions of stories in English whose answer has a word that was none in training: warned of, and wrong.
void take_out_impossible(Record& record, Evaluation& evaluation) {
    const Schema& schema = evaluation.schema();
    if (!schema.text || record.text.empty()) return;
    std::erase_if(record.questions, [&](const RawQuestion& q) {
        const auto& words = q.answer.words;
        const auto strange = std::find_if(words.begin(), words.end(),
                                          [&](const std::string& w) { return schema.classes.find(w) < 0; });
        if (strange == words.end()) return false;
        fmt::print(
            stderr,
            "ggsnn: warning: {}: the answer \"{}\" was none in training: wrong, whatever is answered\n",
            q.place.text(), *strange);
        evaluation.add_impossible(q.type);
        return true;
    });
}

// Of data that says which part its answers are for ("split"), those of one part: of the test data, if none is
// asked for.
class ChosenPart {
  public:
    explicit ChosenPart(const std::string& asked) : asked_(asked) {}

    void choose(std::vector<Example>& examples) {
        std::vector<Example> chosen;
        for (Example& e : examples) {
            any_ = any_ || !e.split.empty();
            if (e.split.empty() && !asked_.empty() && asked_ != "all")
                fail_at(e.place, "the data does not say which part it is for; --split {} expects it to",
                        asked_);
            if (auto some = asked_ == "all" ? std::optional(e) : part_of(e, part())) chosen.push_back(*some);
        }
        examples = std::move(chosen);
    }
    // Whether the data has parts, and a part was chosen.
    bool chosen() const { return any_ && asked_ != "all"; }
    std::string name() const { return asked_.empty() ? "test" : asked_; }

  private:
    Part part() const {
        return name() == "train" ? Part::train : name() == "valid" ? Part::valid : Part::test;
    }
    std::string asked_;
    bool any_ = false;
};

// Reads the wanted records and answers them piece by piece; body(data, examples, predictions) for each.
template <class Body>
void for_pieces(const AnswerCommand& command, const Model& model, UnknownQuestions& unknown,
                ChosenPart& parts, Evaluation& evaluation, Body body) {
    const auto reader = cli::open_data(command, model, {});
    ThreadPool pool(command.threads);
    Predictor predictor(model, &pool, {command.steps, command.beam, 0});
    DatasetBuilder builder(model.schema);
    Record record;
    std::vector<const Example*> examples;
    std::vector<Prediction> predictions;
    const auto flush = [&] {
        Dataset& data = builder.data();
        parts.choose(data.examples);
        if (data.examples.empty()) return builder.clear();
        examples.clear();
        for (const Example& e : data.examples) examples.push_back(&e);
        predictor.predict(data, examples, predictions);
        body(data, examples, predictions);
        builder.clear();
    };
    for (long i = 0; (command.count == 0 || i < command.skip + command.count) && reader->next(record); ++i) {
        if (i < command.skip) continue;
        unknown.take_out(record);
        take_out_impossible(record, evaluation);
        if (record.questions.empty()) continue;
        builder.add(record);
        if (builder.data().examples.size() >= cli::piece_examples) flush();
    }
    flush();
}

// A figure of a table, `-` where there is none.
std::string figure(const OrderedJson& value, int width = 10) {
    return value.is_number() ? fmt::format("{:>{}.4f}", value.get<double>(), width)
                             : fmt::format("{:>{}}", "-", width);
}

std::string percent(const OrderedJson& value) {
    return value.is_number() ? fmt::format("{:.2f}%", 100 * value.get<double>()) : "-";
}

void print_numbers(const OrderedJson& result) {
    std::string errors;
    for (const auto& mae : result["mae"])
        errors += mae.is_null() ? "- " : fmt::format("{:.6f} ", mae.get<double>());
    fmt::print("mean absolute error {}on {} questions\n", errors, result["count"].get<long>());
    fmt::print("{:>8}{:>13}{:>13}{:>10}{:>24}\n", "output", "MAE", "RMSE", "R2", "MAE of the mean alone");
    for (std::size_t i = 0; i < result["mae"].size(); ++i)
        fmt::print("{:>8}{}{}{}{}\n", i, figure(result["mae"][i], 13), figure(result["rmse"][i], 13),
                   figure(result["r2"][i], 10), figure(result["mean_predictor_mae"][i], 24));
}

void print_classes(const OrderedJson& result) {
    constexpr std::size_t most = 50;
    const auto line = [](const std::string& name, const std::string& count, const OrderedJson& row) {
        const auto cell = [&](const char* key) {
            return figure(row.contains(key) ? row[key] : OrderedJson(nullptr));
        };
        fmt::print("{:<16}{:>8}{}{}{}{}{}\n", name, count, cell("precision"), cell("recall"), cell("f1"),
                   cell("roc_auc"), cell("pr_auc"));
    };
    fmt::print("{:<16}{:>8}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "class", "count", "precision", "recall", "F1",
               "ROC AUC", "PR AUC");
    const OrderedJson& classes = result["classes"];
    for (std::size_t i = 0; i < std::min(most, classes.size()); ++i)
        line(classes[i]["class"].get<std::string>(), classes[i]["count"].dump(), classes[i]);
    if (classes.size() > most) fmt::print("({} more: --json)\n", classes.size() - most);
    line("macro", "", result["macro"]);
    line("micro", "", result["micro"]);
}

void print_labels(const Evaluation& evaluation, const OrderedJson& result) {
    const bool by_node = is_each_node(evaluation.schema().answer);
    fmt::print("accuracy {} on {}{} questions\n", percent(result["accuracy"]),
               by_node ? fmt::format("{} nodes of ", result["nodes"].get<long>()) : "",
               result["count"].get<long>());
    if (by_node) fmt::print("accuracy of whole graphs {}\n", percent(result["graph_accuracy"]));
    if (is_sequence(evaluation.schema().answer))
        fmt::print("accuracy of single outputs {}\n", percent(result["step_accuracy"]));
    fmt::print("log loss {}, calibration error {}", figure(result["log_loss"], 0),
               figure(result["calibration_error"], 0));
    if (result.contains("mean_reciprocal_rank"))
        fmt::print(", mean reciprocal rank {}", figure(result["mean_reciprocal_rank"], 0));
    fmt::print("\n");
    if (evaluation.by_question().size() > 1)
        for (const auto& [name, part] : evaluation.by_question())
            fmt::print("  {:<16} {} on {}\n", name, percent(number_or_null(evaluation.accuracy(part))),
                       part.count);
    if (evaluation.has_confusion()) print_classes(result);
}

} // namespace

int run_evaluate(const AnswerCommand& command) {
    const Model model = load_to_answer(command.model);
    cli::check_options(command, model);
    Evaluation evaluation(model.schema);
    EvaluationReport report(model.schema);
    UnknownQuestions unknown(model.schema);
    ChosenPart parts(command.split);
    for_pieces(command, model, unknown, parts, evaluation,
               [&](const Dataset& data, const std::vector<const Example*>& examples,
                   const std::vector<Prediction>& predictions) {
                   for (std::size_t i = 0; i < examples.size(); ++i) {
                       evaluation.add(*examples[i], predictions[i]);
                       if (!command.html.empty())
                           report.add(data.graphs[examples[i]->graph], *examples[i], predictions[i]);
                   }
               });
    if (evaluation.all().count == 0 && unknown.count() > 0)
        fail("{}: none of {} questions is of a type that the model knows: {}", command.input, unknown.count(),
             model.schema.question_types.list());
    if (evaluation.all().count == 0 && parts.chosen())
        fail("{}: no answers in the part \"{}\" of the data; --split chooses another, or all", command.input,
             parts.name());
    if (evaluation.all().count == 0) fail("{}: no questions in the part asked for", command.input);
    OrderedJson result = evaluation.to_json();
    result["skipped"] = unknown.count();
    if (parts.chosen()) result["split"] = parts.name();
    if (!command.html.empty())
        write_file(command.html, report.page(evaluation, result, command.model, command.input));
    if (command.json) {
        std::puts(result.dump(-1, ' ', false, OrderedJson::error_handler_t::replace).c_str());
        return 0;
    }
    if (parts.chosen()) fmt::print("the part \"{}\" of the data:\n", parts.name());
    is_regression(model.schema.answer) ? print_numbers(result) : print_labels(evaluation, result);
    if (unknown.count() > 0) fmt::print("left out: {} questions of unknown types\n", unknown.count());
    return 0;
}

} // namespace ggsnn
