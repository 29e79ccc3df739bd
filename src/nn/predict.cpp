#include "ggsnn/nn/predict.hpp"

#include "ggsnn/nn/kinds.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

Predictor::Predictor(const Model& model, ThreadPool* pool, const PredictOptions& options)
    : model_(model), pool_(pool), options_(options) {}

void Predictor::predict(const Dataset& data, const std::vector<const Example*>& examples,
                        std::vector<Prediction>& out) const {
    out.assign(examples.size(), {});
    check_edges(model_.network->kind(), data, examples);
    // One network per question type, or one for all: examples of a network together, in order.
    const bool all = model_.network->kind().reads_tokens;
    std::map<int, std::pair<std::vector<const Example*>, std::vector<Prediction*>>> by_question;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        auto& [members, places] = by_question[all ? 0 : examples[i]->question];
        members.push_back(examples[i]);
        places.push_back(&out[i]);
    }
    for (auto& [question, group] : by_question)
        model_.network->answer(model_.schema, data, group.first, model_.networks[question], model_.longest,
                               options_, pool_, group.second);
    if (!is_regression(model_.schema.answer)) return;
    for (Prediction& p : out)
        for (auto& list : p.lists)
            for (std::size_t j = 0; j < list.size(); ++j) list[j] = model_.schema.scales.unscaled(list[j], j);
}

void Evaluation::add(const Schema& schema, const Example& example, const Prediction& prediction) {
    const bool labelled =
        is_sequence(schema.answer) || is_regression(schema.answer) ||
        std::any_of(example.labels.begin(), example.labels.end(), [](int l) { return l >= 0; });
    if (!labelled) return;
    ++count;
    Part& part = by_question[schema.question_types.name(example.question)];
    ++part.count;
    if (is_regression(schema.answer)) {
        const std::size_t outputs = schema.values;
        part.absolute.resize(outputs);
        part.present.resize(outputs);
        for (std::size_t i = 0; i < example.values.size(); ++i) {
            const double target = example.values[i];
            if (std::isnan(target)) continue;
            part.absolute[i % outputs] += std::abs(prediction.lists[i / outputs][i % outputs] - target);
            ++part.present[i % outputs];
        }
        return;
    }
    const bool length = prediction.labels.size() == example.labels.size() && !prediction.capped;
    bool all = length;
    for (std::size_t i = 0; i < example.labels.size(); ++i) {
        if (example.labels[i] < 0) continue;
        const bool one = i < prediction.labels.size() && prediction.labels[i] == example.labels[i];
        ++steps;
        steps_right += one ? 1 : 0;
        all = all && one;
    }
    if (is_sequence(schema.answer)) { // 'end' is a step, too
        ++steps;
        steps_right += length ? 1 : 0;
    }
    right += all ? 1 : 0;
    part.right += all ? 1 : 0;
}

namespace {

std::vector<double> means(const std::vector<double>& sums, const std::vector<long>& counts) {
    std::vector<double> out;
    for (std::size_t i = 0; i < sums.size(); ++i)
        out.push_back(counts[i] > 0 ? sums[i] / static_cast<double>(counts[i]) : NAN);
    return out;
}

OrderedJson to_list(const std::vector<double>& values) {
    OrderedJson list = OrderedJson::array();
    for (double v : values) list.push_back(std::isnan(v) ? OrderedJson(nullptr) : OrderedJson(v));
    return list;
}

} // namespace

std::vector<double> Evaluation::mean_absolute() const {
    std::vector<double> sums;
    std::vector<long> counts;
    for (const auto& [name, part] : by_question) {
        sums.resize(part.absolute.size());
        counts.resize(part.present.size());
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] += part.absolute[i];
            counts[i] += part.present[i];
        }
    }
    return means(sums, counts);
}

OrderedJson Evaluation::to_json(const Schema& schema) const {
    const auto ratio = [](long part, long whole) {
        return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
    };
    OrderedJson out;
    out["count"] = count;
    if (is_regression(schema.answer)) {
        out["mae"] = to_list(mean_absolute());
    } else {
        out["accuracy"] = ratio(right, count);
        if (is_sequence(schema.answer) || schema.answer == AnswerKind::node_classes)
            out["step_accuracy"] = ratio(steps_right, steps);
    }
    out["by_question_type"] = OrderedJson::object();
    for (const auto& [name, part] : by_question) {
        OrderedJson entry = {{"count", part.count}};
        if (is_regression(schema.answer)) {
            entry["mae"] = to_list(means(part.absolute, part.present));
        } else {
            entry["accuracy"] = ratio(part.right, part.count);
        }
        out["by_question_type"][name] = entry;
    }
    return out;
}

} // namespace ggsnn
