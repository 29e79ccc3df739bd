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
        o.restarts = 10;
        o.stop_at_zero = true;
        break;
    case AnswerKind::klass:
        // Decoupled L1 drives small networks to rules that hold for unseen graphs.
        o.state = std::max(3, annotation + 1);
        o.learning_rate = 0.02;
        o.updates = 1500;
        o.l1 = 0.05;
        o.restarts = 6;
        o.ensemble = 5;
        break;
    case AnswerKind::class_sequence:
        o.state = std::max(12, annotation + 8);
        o.annotation = annotation + 2;
        o.learning_rate = 0.02;
        o.updates = 2000;
        o.l1 = 0.2;
        o.restarts = 10;
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

} // namespace ggsnn
