#include "tasks/recipe.hpp"

#include <algorithm>

namespace ggsnn {

TrainOptions recipe_for(const Schema& schema, std::size_t examples) {
    TrainOptions o;
    const int annotation = schema.annotation();
    switch (schema.answer) {
    case AnswerKind::node:
        // Restarts until one solves training and validation data: single runs find poor optima often.
        o.state = std::max(6, annotation + 2);
        o.updates = 600;
        o.restarts = 20;
        o.stop_at_zero = true;
        break;
    case AnswerKind::klass:
        // Decoupled L1 drives small networks to rules that hold for unseen graphs.
        o.state = std::max(3, annotation + 1);
        o.learning_rate = 0.02;
        o.updates = 1500;
        o.l1 = 0.05;
        o.restarts = 12;
        o.ensemble = 5;
        break;
    case AnswerKind::class_sequence:
        o.state = std::max(12, annotation + 8);
        o.annotation = annotation + 2;
        o.learning_rate = 0.02;
        o.updates = 2000;
        o.l1 = 0.2;
        o.restarts = 10;
        o.ensemble = 5;
        break;
    case AnswerKind::node_sequence:
        o.state = std::max(20, annotation + 10);
        o.annotation = annotation + 7;
        o.learning_rate = 0.005;
        o.updates = 700;
        o.l1 = 0.05;
        o.restarts = 6;
        break;
    case AnswerKind::node_classes:
        o.state = std::max(16, annotation + 8);
        o.updates = 2000;
        o.restarts = 3;
        break;
    case AnswerKind::values:
    case AnswerKind::node_values:
        o.state = std::max(64, annotation + 16);
        o.learning_rate = 0.001;
        o.batch = 50;
        o.updates = static_cast<long>(std::max<std::size_t>(2000, examples * 60 / 50));
        o.patience = 8;
        break;
    }
    return o;
}

TrainOptions recipe_for_task(const std::string& task) {
    TrainOptions o;
    if (task == "babi4" || task == "babi15" || task == "babi16") {
        o.state = task == "babi4" ? 4 : task == "babi15" ? 5 : 6;
        o.annotation = 1;
        o.updates = 600;
        o.restarts = 20;
        o.stop_at_zero = true;
    } else if (task == "babi18") {
        o.state = 3;
        o.annotation = 2;
        o.learning_rate = 0.02;
        o.updates = 1500;
        o.l1 = 0.05;
        o.restarts = 12;
        o.ensemble = 5;
    } else if (task == "babi19") {
        o.state = 12;
        o.annotation = 4;
        o.learning_rate = 0.02;
        o.updates = 2000;
        o.l1 = 0.2;
        o.restarts = 10;
        o.ensemble = 5;
    } else if (task == "shortest-path" || task == "eulerian-circuit") {
        o.state = 20;
        o.annotation = 10;
        o.learning_rate = 0.005;
        o.updates = 700;
        o.l1 = 0.1;
        o.restarts = 8;
        o.ensemble = 3;
    } else {
        fail("no recipe for task \"{}\"", task);
    }
    return o;
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
