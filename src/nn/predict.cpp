#include "ggsnn/nn/predict.hpp"

#include "ggsnn/nn/kinds.hpp"

namespace ggsnn {

Predictor::Predictor(const Model& model, ThreadPool* pool, const PredictOptions& options)
    : model_(model), pool_(pool), options_(options) {}

void Predictor::predict(const Dataset& data, const std::vector<const Example*>& examples,
                        std::vector<Prediction>& out) const {
    out.assign(examples.size(), {});
    check_edges(model_.network->kind(), model_.schema, data, examples);
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

} // namespace ggsnn
