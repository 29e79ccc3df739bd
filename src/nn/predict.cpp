#include "nn/predict.hpp"

#include "nn/engine.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

struct Predictor::Worker {
    Chunk<float> chunk;
    std::vector<Lane<float>> lanes = std::vector<Lane<float>>(Engine<float>::large_lanes);
    std::vector<Workspace<float>> members; // one a member: sequences carry annotations from step to step
    std::vector<double> probabilities;
};

namespace {

NetworkShape with_steps(NetworkShape shape, int steps) {
    if (steps > 0) shape.steps = steps;
    return shape;
}

int best_of(const std::vector<double>& list) {
    return static_cast<int>(std::max_element(list.begin(), list.end()) - list.begin());
}

void add_to(std::vector<double>& sum, const std::vector<double>& part, double weight) {
    sum.resize(part.size(), 0);
    for (std::size_t i = 0; i < part.size(); ++i) sum[i] += weight * part[i];
}

} // namespace

Predictor::Predictor(const Model& model, ThreadPool* pool, const PredictOptions& options)
    : model_(model), pool_(pool), options_(options), network_(with_steps(model.shape, options.steps)),
      assembler_(model.schema, network_.shape()) {}

Predictor::~Predictor() = default;

void Predictor::predict(const Dataset& data, const std::vector<const Example*>& examples, std::vector<Prediction>& out) {
    out.assign(examples.size(), {});
    // Chunks of examples with the same question type, in order.
    struct Job {
        int question;
        std::vector<const Example*> members;
        std::vector<Prediction*> out;
        int rows = 0;
    };
    std::vector<Job> jobs;
    std::map<int, std::size_t> open;
    const int limit = Engine<float>::chunk_rows(network_.shape().state);
    for (std::size_t i = 0; i < examples.size(); ++i) {
        const int rows = assembler_.rows(data, *examples[i]), question = examples[i]->question;
        const auto at = open.find(question);
        if (at == open.end() || jobs[at->second].rows + rows > limit) {
            open[question] = jobs.size();
            jobs.push_back({question, {}, {}, 0});
        }
        Job& job = jobs[open[question]];
        job.members.push_back(examples[i]);
        job.out.push_back(&out[i]);
        job.rows += rows;
    }
    const int count = pool_ != nullptr ? pool_->workers() : 1;
    while (static_cast<int>(workers_.size()) < count) workers_.push_back(std::make_unique<Worker>());
    const auto run = [&](std::size_t i, int worker) {
        run_chunk(data, jobs[i].members, jobs[i].question, *workers_[worker], jobs[i].out.data());
    };
    if (pool_ != nullptr && jobs.size() > 1) {
        pool_->run(jobs.size(), run);
    } else {
        for (std::size_t i = 0; i < jobs.size(); ++i) run(i, 0);
    }
}

void Predictor::run_chunk(const Dataset& data, const std::vector<const Example*>& members, int question, Worker& worker,
                          Prediction* const* out) {
    const NetworkShape& shape = network_.shape();
    const Schema& schema = model_.schema;
    Chunk<float>& chunk = worker.chunk;
    assembler_.begin(chunk);
    for (const Example* e : members) assembler_.append(chunk, data, *e, false);
    const bool large = chunk.nodes > Engine<float>::large_rows && pool_ != nullptr && members.size() == 1;
    const Team<float> team{&worker.lanes, 0, large ? Engine<float>::large_lanes : 1, pool_};
    const auto& networks = model_.networks[question];
    worker.members.resize(std::max(worker.members.size(), networks.size()));
    const double weight = 1.0 / static_cast<double>(networks.size());
    const int m = padded(shape.outputs);
    std::vector<char> ended(members.size(), 0);
    for (int k = 0;; ++k) {
        std::vector<std::vector<std::vector<double>>> lists(members.size());
        for (std::size_t n = 0; n < networks.size(); ++n) {
            const float* outputs = network_.outputs(chunk, networks[n].data(), k, worker.members[n], team);
            for (std::size_t g = 0; g < members.size(); ++g) {
                const int first = chunk.graph_start[g], nodes = chunk.graph_start[g + 1] - first;
                const auto row = [&](int i) { return outputs + static_cast<std::size_t>(i) * m; };
                const int count = shape.answer == Answer::node_class || shape.answer == Answer::node_value ? nodes : 1;
                lists[g].resize(count);
                for (int i = 0; i < count; ++i) {
                    const int at = is_per_node(shape.answer) ? first + i : static_cast<int>(g);
                    if (is_regression(shape.answer)) {
                        worker.probabilities.resize(shape.outputs);
                        for (int j = 0; j < shape.outputs; ++j)
                            worker.probabilities[j] = row(at)[j] * model_.value_scale[j] + model_.value_mean[j];
                    } else if (shape.answer == Answer::node) {
                        softmax(row(first), nodes, m, worker.probabilities);
                    } else {
                        softmax(row(at), shape.outputs, 1, worker.probabilities);
                    }
                    add_to(lists[g][i], worker.probabilities, weight);
                }
            }
        }
        bool all_ended = true;
        for (std::size_t g = 0; g < members.size(); ++g) {
            if (ended[g] != 0) continue;
            Prediction& prediction = *out[g];
            for (auto& list : lists[g]) {
                const int label = best_of(list);
                const bool end = shape.sequence && label + 1 == static_cast<int>(list.size());
                if (end) ended[g] = 1;
                if (!end && !is_regression(shape.answer)) prediction.labels.push_back(label);
                prediction.lists.push_back(std::move(list));
            }
            const int nodes = chunk.graph_start[g + 1] - chunk.graph_start[g];
            const int most = options_.most > 0 ? options_.most : std::max(4 * model_.longest, schema.answer == AnswerKind::node_sequence ? nodes : 0);
            if (ended[g] == 0 && shape.sequence && k + 1 >= most) {
                ended[g] = 1;
                prediction.capped = true;
            }
            all_ended = all_ended && ended[g] != 0;
        }
        if (!shape.sequence || all_ended) return;
    }
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
            out["mae"].push_back(present[i] > 0 ? OrderedJson(absolute[i] / static_cast<double>(present[i])) : OrderedJson(nullptr));
    } else {
        out["accuracy"] = count > 0 ? static_cast<double>(right) / static_cast<double>(count) : 0;
        if (is_sequence(schema.answer) || schema.answer == AnswerKind::node_classes)
            out["step_accuracy"] = steps > 0 ? static_cast<double>(steps_right) / static_cast<double>(steps) : 0;
    }
    out["by_question_type"] = OrderedJson::object();
    for (const auto& [name, counts] : by_question) {
        OrderedJson entry = {{"count", counts.first}};
        if (!is_regression(schema.answer)) entry["accuracy"] = static_cast<double>(counts.second) / static_cast<double>(counts.first);
        out["by_question_type"][name] = entry;
    }
    return out;
}

} // namespace ggsnn
