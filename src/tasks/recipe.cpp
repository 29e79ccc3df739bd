#include "ggsnn/tasks/recipe.hpp"

#include <algorithm>

namespace ggsnn {

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
        Schema schema;
        schema.answer = sizes.answer;
        TrainOptions o = recipe_for(schema, 0);
        o.network = {{"state", sizes.state}, {"annotation", sizes.annotation}};
        return o;
    }
    fail("no recipe for task \"{}\"", task);
}

std::optional<TrainOptions> baseline_recipe(const std::string& kind, const std::string& task) {
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
    if (kind != "rnn" && kind != "lstm") return {};
    for (const Settings& s : all) {
        if (s.task != task) continue;
        TrainOptions o = recipe_for({}, 0, kind);
        o.learning_rate = s.learning_rate;
        o.batch = s.batch;
        o.updates = kind == "rnn" ? s.rnn_updates : s.lstm_updates;
        o.evaluate_every = std::min(100L, o.updates / 20);
        return o;
    }
    return {};
}

} // namespace ggsnn
