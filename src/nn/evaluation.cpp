#include "ggsnn/nn/evaluation.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

namespace {

constexpr int most_confused = 100; // classes of a matrix that is printed

double ratio(long part, long whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : NAN;
}

OrderedJson to_list(const std::vector<NumberErrors>& outputs, double (NumberErrors::*figure)() const) {
    OrderedJson list = OrderedJson::array();
    for (const NumberErrors& output : outputs) list.push_back(number_or_null((output.*figure)()));
    return list;
}

OrderedJson average_json(const Confusion::Average& average) {
    return {{"precision", number_or_null(average.precision)},
            {"recall", number_or_null(average.recall)},
            {"f1", number_or_null(average.f1)}};
}

} // namespace

OrderedJson number_or_null(double value) {
    return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

void for_labels(const Schema& schema, const Example& example, const Prediction& prediction,
                const std::function<void(int, int, const std::vector<double>&)>& body) {
    const bool sequence = is_sequence(schema.answer);
    const std::size_t count = std::min(example.labels.size() + (sequence ? 1 : 0), prediction.lists.size());
    for (std::size_t i = 0; i < count; ++i) {
        const auto& list = prediction.lists[i];
        const int end = static_cast<int>(list.size()) - 1;
        const int truth = i < example.labels.size() ? example.labels[i] : end;
        const int answer = i < prediction.labels.size() ? prediction.labels[i] : end;
        if (truth >= 0) body(truth, answer, list);
    }
}

void Evaluation::Part::add(const Part& other) {
    count += other.count;
    right += other.right;
    steps += other.steps;
    steps_right += other.steps_right;
    numbers.resize(std::max(numbers.size(), other.numbers.size()));
    for (std::size_t i = 0; i < other.numbers.size(); ++i) numbers[i].add(other.numbers[i]);
}

Evaluation::Evaluation(const Schema& schema) : schema_(schema), confusion_(schema.labels()) {}

void Evaluation::add_impossible(const std::string& question_type) {
    Part one;
    one.count = one.steps = 1;
    by_question_[question_type].add(one);
    all_.add(one);
}

void Evaluation::add(const Example& example, const Prediction& prediction) {
    const bool labelled =
        is_sequence(schema_.answer) || is_regression(schema_.answer) ||
        std::any_of(example.labels.begin(), example.labels.end(), [](int l) { return l >= 0; });
    if (!labelled) return;
    Part part;
    part.count = 1;
    is_regression(schema_.answer) ? add_numbers(example, prediction, part)
                                  : add_labels(example, prediction, part);
    all_.add(part);
    by_question_[schema_.question_types.name(example.question)].add(part);
}

void Evaluation::add_numbers(const Example& example, const Prediction& prediction, Part& part) const {
    const std::size_t outputs = schema_.values;
    const auto& means = schema_.scales.value_mean;
    part.numbers.resize(outputs);
    for (std::size_t i = 0; i < example.values.size(); ++i) {
        const std::size_t j = i % outputs;
        if (!std::isnan(example.values[i]))
            part.numbers[j].add(example.values[i], prediction.lists[i / outputs][j],
                                means.empty() ? NAN : means[j]);
    }
}

void Evaluation::add_labels(const Example& example, const Prediction& prediction, Part& part) {
    const bool length = prediction.labels.size() == example.labels.size() && !prediction.capped;
    bool all = length;
    for (std::size_t i = 0; i < example.labels.size(); ++i) {
        if (example.labels[i] < 0) continue;
        const bool one = i < prediction.labels.size() && prediction.labels[i] == example.labels[i];
        ++part.steps;
        part.steps_right += one ? 1 : 0;
        all = all && one;
    }
    if (is_sequence(schema_.answer)) { // 'end' is a step, too
        ++part.steps;
        part.steps_right += length ? 1 : 0;
    }
    part.right = all ? 1 : 0;
    for_labels(schema_, example, prediction, [this](int truth, int answer, const std::vector<double>& list) {
        add_label(truth, answer, list);
    });
}

void Evaluation::add_label(int truth, int answer, const std::vector<double>& list) {
    ++labels_;
    log_loss_ += log_loss(list[truth]);
    calibration_.add(list[answer], truth == answer);
    if (!has_confusion()) {
        reciprocal_ += reciprocal_rank(list, truth);
        return;
    }
    confusion_.add(truth, answer);
    if (confusion_.classes() > most_ranked) return;
    truths_.push_back(truth);
    scores_.insert(scores_.end(), list.begin(), list.end());
}

double Evaluation::accuracy(const Part& part) const {
    if (is_regression(schema_.answer)) return NAN;
    return is_each_node(schema_.answer) ? ratio(part.steps_right, part.steps) : ratio(part.right, part.count);
}

std::string Evaluation::class_name(int c) const {
    return c < schema_.classes.size() ? schema_.classes.name(c) : "(end)";
}

std::vector<Ranking> Evaluation::rankings() const {
    std::vector<Ranking> all;
    const std::size_t classes = confusion_.classes();
    if (classes > most_ranked) return all;
    std::vector<Scored> scored(truths_.size());
    for (std::size_t c = 0; c < classes; ++c) {
        for (std::size_t i = 0; i < truths_.size(); ++i)
            scored[i] = {scores_[i * classes + c], truths_[i] == static_cast<int>(c)};
        all.push_back(rank_scores(scored));
    }
    return all;
}

double Evaluation::mean_log_loss() const {
    return labels_ > 0 ? log_loss_ / static_cast<double>(labels_) : NAN;
}

double Evaluation::mean_reciprocal_rank() const {
    return labels_ > 0 && !has_confusion() ? reciprocal_ / static_cast<double>(labels_) : NAN;
}

// What is told of all questions and of those of one type alike.
OrderedJson Evaluation::part_json(const Part& part) const {
    OrderedJson out = {{"count", part.count}};
    if (is_regression(schema_.answer)) {
        out["mae"] = to_list(part.numbers, &NumberErrors::mean_absolute);
        out["rmse"] = to_list(part.numbers, &NumberErrors::root_mean_square);
        out["r2"] = to_list(part.numbers, &NumberErrors::r2);
        out["mean_predictor_mae"] = to_list(part.numbers, &NumberErrors::constant_mean_absolute);
        return out;
    }
    out["accuracy"] = number_or_null(accuracy(part));
    if (is_each_node(schema_.answer)) {
        out["nodes"] = part.steps;
        out["graph_accuracy"] = number_or_null(ratio(part.right, part.count));
    }
    if (is_sequence(schema_.answer) || is_each_node(schema_.answer))
        out["step_accuracy"] = number_or_null(ratio(part.steps_right, part.steps));
    return out;
}

void Evaluation::add_class_json(OrderedJson& out) const {
    const std::vector<Ranking> rankings = this->rankings();
    OrderedJson classes = OrderedJson::array();
    double roc = 0, precision = 0, roc_count = 0, precision_count = 0;
    for (int c = 0; c < confusion_.classes(); ++c) {
        OrderedJson entry = {{"class", class_name(c)},
                             {"count", confusion_.truths(c)},
                             {"precision", number_or_null(confusion_.precision(c))},
                             {"recall", number_or_null(confusion_.recall(c))},
                             {"f1", number_or_null(confusion_.f1(c))}};
        if (!rankings.empty()) {
            const Ranking& r = rankings[c];
            entry["roc_auc"] = number_or_null(r.roc_area);
            entry["pr_auc"] = number_or_null(r.average_precision);
            if (!std::isnan(r.roc_area)) roc += r.roc_area, ++roc_count;
            if (!std::isnan(r.average_precision)) precision += r.average_precision, ++precision_count;
        }
        classes.push_back(std::move(entry));
    }
    out["macro"] = average_json(confusion_.macro());
    out["macro"]["roc_auc"] = number_or_null(roc / roc_count);
    out["macro"]["pr_auc"] = number_or_null(precision / precision_count);
    out["micro"] = average_json(confusion_.micro());
    out["classes"] = std::move(classes);
    if (confusion_.classes() > most_confused) return;
    out["confusion"] = OrderedJson::array();
    for (int truth = 0; truth < confusion_.classes(); ++truth) {
        OrderedJson row = OrderedJson::array();
        for (int answer = 0; answer < confusion_.classes(); ++answer)
            row.push_back(confusion_.count(truth, answer));
        out["confusion"].push_back(std::move(row));
    }
}

OrderedJson Evaluation::to_json() const {
    OrderedJson out = part_json(all_);
    if (!is_regression(schema_.answer)) {
        out["log_loss"] = number_or_null(mean_log_loss());
        out["calibration_error"] = number_or_null(calibration_.error());
        if (has_confusion()) {
            add_class_json(out);
        } else {
            out["mean_reciprocal_rank"] = number_or_null(mean_reciprocal_rank());
        }
    }
    out["by_question_type"] = OrderedJson::object();
    for (const auto& [name, part] : by_question_) out["by_question_type"][name] = part_json(part);
    return out;
}

} // namespace ggsnn
