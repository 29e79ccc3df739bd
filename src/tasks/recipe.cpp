#include "ggsnn/tasks/recipe.hpp"

#include <algorithm>

namespace ggsnn {

namespace {

// How networks with this kind of answer are trained, whatever their sizes.
TrainOptions training_for(AnswerKind answer, std::size_t examples) {
    TrainOptions o;
    switch (answer) {
    case AnswerKind::node:
        // Restarts until one solves training and validation data: single runs find poor optima often.
        o.updates = 600;
        o.restarts = 20;
        o.stop_at_zero = true;
        break;
    case AnswerKind::klass:
        // Decoupled L1 drives small networks to rules that hold for unseen graphs.
        o.learning_rate = 0.02;
        o.updates = 1500;
        o.l1 = 0.05;
        o.restarts = 12;
        o.ensemble = 5;
        break;
    case AnswerKind::class_sequence:
        o.learning_rate = 0.02;
        o.updates = 3000;
        o.l1 = 0.2;
        o.restarts = 10;
        o.ensemble = 5;
        break;
    case AnswerKind::node_sequence:
        o.learning_rate = 0.005;
        o.updates = 700;
        o.l1 = 0.1;
        o.restarts = 8;
        o.ensemble = 3;
        break;
    case AnswerKind::node_classes:
        o.updates = 2000;
        o.restarts = 3;
        break;
    case AnswerKind::values:
    case AnswerKind::node_values:
        o.learning_rate = 0.001;
        o.batch = 50;
        o.updates = static_cast<long>(std::max<std::size_t>(2000, examples * 60 / 50));
        o.patience = 8;
        break;
    }
    return o;
}

} // namespace

TrainOptions recipe_for(const Schema& schema, std::size_t examples) {
    TrainOptions o = training_for(schema.answer, examples);
    const int annotation = schema.annotation();
    switch (schema.answer) {
    case AnswerKind::node:
        o.state = std::max(6, annotation + 2);
        break;
    case AnswerKind::klass:
        o.state = std::max(3, annotation + 1);
        break;
    case AnswerKind::class_sequence:
        o.state = std::max(12, annotation + 8);
        o.annotation = annotation + 2;
        break;
    case AnswerKind::node_sequence:
        o.state = std::max(20, annotation + 10);
        o.annotation = annotation + 7;
        break;
    case AnswerKind::node_classes:
        o.state = std::max(16, annotation + 8);
        break;
    case AnswerKind::values:
    case AnswerKind::node_values:
        o.state = std::max(64, annotation + 16);
        break;
    }
    return o;
}

TrainOptions recipe_for_task(const std::string& task) {
    struct Sizes {
        const char* task;
        AnswerKind answer;
        int state, annotation;
    };
    constexpr Sizes all[] = {
        {"babi4", AnswerKind::node, 4, 1},
        {"babi15", AnswerKind::node, 5, 1},
        {"babi16", AnswerKind::node, 6, 1},
        {"babi18", AnswerKind::klass, 3, 2},
        {"babi19", AnswerKind::class_sequence, 12, 4},
        {"shortest-path", AnswerKind::node_sequence, 20, 10},
        {"eulerian-circuit", AnswerKind::node_sequence, 20, 10},
    };
    for (const Sizes& sizes : all) {
        if (task != sizes.task) continue;
        TrainOptions o = training_for(sizes.answer, 0);
        o.state = sizes.state;
        o.annotation = sizes.annotation;
        return o;
    }
    fail("no recipe for task \"{}\"", task);
}

TrainOptions gnn_recipe_for(const Schema& schema, std::size_t examples) {
    TrainOptions o;
    o.kind = ModelKind::gnn;
    o.state = 5;
    o.learning_rate = 0.01;
    o.updates = 2000;
    o.restarts = 10;
    o.stop_at_zero = !is_regression(schema.answer);
    if (is_regression(schema.answer)) {
        o.state = 16;
        o.learning_rate = 0.005;
        o.batch = 50;
        o.updates = static_cast<long>(std::max<std::size_t>(2000, examples * 20 / 50));
        o.restarts = 1;
        o.patience = 8;
    }
    return o;
}

TrainOptions recurrent_recipe(ModelKind kind) {
    TrainOptions o;
    o.kind = kind;
    o.state = 50;
    o.learning_rate = 0.001;
    o.cosine = false;
    o.batch = 20;
    o.updates = kind == ModelKind::rnn ? 10000 : 5000;
    o.evaluate_every = 100;
    o.keep_best = true;
    o.patience = 50; // to save time: the authors ran to the end (docs/baselines.md)
    return o;
}

std::optional<TrainOptions> baseline_recipe(ModelKind kind, const std::string& task) {
    struct Settings {
        const char* task;
        double learning_rate;
        int batch;
        long rnn_updates, lstm_updates;
    };
    constexpr Settings all[] = {
        {"babi4", .001, 20, 1000, 1000},
        {"babi15", .001, 100, 20000, 5000},
        {"babi16", .0005, 100, 20000, 5000},
        {"babi18", .0005, 100, 500, 500},
        {"babi19", .001, 20, 10000, 5000},
        {"shortest-path", .001, 10, 10000, 5000},
        {"eulerian-circuit", .001, 10, 10000, 5000},
    };
    if (!is_recurrent(kind)) return {};
    for (const Settings& s : all) {
        if (s.task != task) continue;
        TrainOptions o = recurrent_recipe(kind);
        o.learning_rate = s.learning_rate;
        o.batch = s.batch;
        o.updates = kind == ModelKind::rnn ? s.rnn_updates : s.lstm_updates;
        o.evaluate_every = std::min(100L, o.updates / 20);
        return o;
    }
    return {};
}

} // namespace ggsnn
