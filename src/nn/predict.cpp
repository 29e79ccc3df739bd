#include "nn/predict.hpp"

#include <cmath>

namespace ggsnn {

Predictor::Predictor(const Model& model, ThreadPool* pool, const PredictOptions& options)
    : model_(model),
      pool_(pool),
      options_(options),
      architecture_(make_architecture(model.shape, model.schema)) {}

void Predictor::predict(const Dataset& data, const std::vector<const Example*>& examples,
                        std::vector<Prediction>& out) const {
    out.assign(examples.size(), {});
    // One network per question type, or one for all: examples of a network together, in order.
    const bool all = is_recurrent(model_.shape.kind);
    std::map<int, std::pair<std::vector<const Example*>, std::vector<Prediction*>>> by_question;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        auto& [members, places] = by_question[all ? 0 : examples[i]->question];
        members.push_back(examples[i]);
        places.push_back(&out[i]);
    }
    for (auto& [question, group] : by_question)
        architecture_->answer(data, group.first, model_.networks[question], model_.longest, options_, pool_,
                              group.second);
    if (!is_regression(model_.schema.answer)) return;
    for (Prediction& p : out)
        for (auto& list : p.lists)
            for (std::size_t j = 0; j < list.size(); ++j)
                list[j] = list[j] * model_.value_scale[j] + model_.value_mean[j];
}

void Evaluation::add(const Schema& schema, const Example& example, const Prediction& prediction) {
    ++count;
    auto& [asked, solved] = by_question[schema.question_types.name(example.question)];
    ++asked;
    if (is_regression(schema.answer)) {
        const std::size_t outputs = schema.values;
        absolute.resize(outputs);
        present.resize(outputs);
        for (std::size_t i = 0; i < example.values.size(); ++i) {
            const double target = example.values[i];
            if (std::isnan(target)) continue;
            absolute[i % outputs] += std::abs(prediction.lists[i / outputs][i % outputs] - target);
            ++present[i % outputs];
        }
        return;
    }
    bool all = prediction.labels.size() == example.labels.size() && !prediction.capped;
    for (std::size_t i = 0; i < example.labels.size(); ++i) {
        if (example.labels[i] < 0) continue;
        const bool one = i < prediction.labels.size() && prediction.labels[i] == example.labels[i];
        ++steps;
        steps_right += one ? 1 : 0;
        all = all && one;
    }
    if (is_sequence(schema.answer)) { // 'end' is a step, too
        ++steps;
        steps_right += prediction.labels.size() == example.labels.size() && !prediction.capped ? 1 : 0;
    }
    right += all ? 1 : 0;
    solved += all ? 1 : 0;
}

OrderedJson Evaluation::to_json(const Schema& schema) const {
    OrderedJson out;
    out["count"] = count;
    if (is_regression(schema.answer)) {
        out["mae"] = OrderedJson::array();
        for (std::size_t i = 0; i < absolute.size(); ++i)
            out["mae"].push_back(present[i] > 0 ? OrderedJson(absolute[i] / static_cast<double>(present[i]))
                                                : OrderedJson(nullptr));
    } else {
        out["accuracy"] = count > 0 ? static_cast<double>(right) / static_cast<double>(count) : 0;
        if (is_sequence(schema.answer) || schema.answer == AnswerKind::node_classes)
            out["step_accuracy"] =
                steps > 0 ? static_cast<double>(steps_right) / static_cast<double>(steps) : 0;
    }
    out["by_question_type"] = OrderedJson::object();
    for (const auto& [name, counts] : by_question) {
        OrderedJson entry = {{"count", counts.first}};
        if (!is_regression(schema.answer))
            entry["accuracy"] = static_cast<double>(counts.second) / static_cast<double>(counts.first);
        out["by_question_type"][name] = entry;
    }
    return out;
}

} // namespace ggsnn
