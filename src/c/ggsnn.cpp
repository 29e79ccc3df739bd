// The C interface: checks what comes in, keeps exceptions in, and is thin otherwise.
#include "ggsnn/c/ggsnn.h"

#include "ggsnn/nn/predict.hpp"

#include <cmath>
#include <cstdio>
#include <new>

using namespace ggsnn;

struct ggsnn_model {
    explicit ggsnn_model(Model&& loaded) : model(std::move(loaded)) {
        if (model.schema.is_tokens())
            fail("a recurrent network, which reads tokens; expected one that reads graphs");
    }
    const Model model;
    const Predictor predictor{model, nullptr};
};

struct ggsnn_answer {
    Prediction prediction;
};

namespace {

// Graphs beyond these sizes would not fit the numbers that graphs are kept in.
constexpr int most_nodes = 1 << 28, most_edges = 1 << 29;

// Not a std::string: what is said about memory that ran out must not need any.
thread_local char last_error[1024] = "";

void set_error(const char* text) noexcept {
    std::snprintf(last_error, sizeof last_error, "%s", text);
}

// body(), or `otherwise` with the last error set, whatever it throws.
template <class Result, class Body>
Result guarded(Result otherwise, Body&& body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        set_error("out of memory");
    } catch (const std::exception& error) {
        set_error(error.what());
    } catch (...) {
        set_error("unknown error");
    }
    return otherwise;
}

template <class T>
const T& given(const T* pointer, const char* what) {
    if (pointer == nullptr) fail("{} is NULL", what);
    return *pointer;
}

void check_number(const char* what, long number, long least, long most) {
    if (number < least || number > most) {
        if (most < least) fail("{} is {}; the model has none", what, number);
        fail("{} is {}; expected {} to {}", what, number, least, most);
    }
}

const Vocabulary& names_of(const Schema& schema, int part) {
    switch (part) {
    case GGSNN_EDGE_TYPES:
        return schema.edge_types;
    case GGSNN_QUESTION_TYPES:
        return schema.question_types;
    case GGSNN_CLASSES:
        return schema.classes;
    default:
        check_number("part", part, GGSNN_EDGE_TYPES, GGSNN_OUTPUTS);
        fail("part {} has no names; edge types, question types and classes have", part);
    }
}

int count_of(const Schema& schema, int part) {
    switch (part) {
    case GGSNN_FEATURES:
        return schema.features;
    case GGSNN_ARGUMENTS:
        return schema.arguments;
    case GGSNN_OUTPUTS:
        return schema.values;
    default:
        return names_of(schema, part).size();
    }
}

Graph graph_of(const Schema& schema, const ggsnn_input& input) {
    check_number("nodes", input.nodes, 1, most_nodes);
    check_number("edges", input.edges, 0, most_edges);
    if (input.edges > 0) given(input.edge_list, "edge_list");
    std::vector<Edge> edges;
    edges.reserve(static_cast<std::size_t>(input.edges));
    for (int e = 0; e < input.edges; ++e) {
        const int* triple = input.edge_list + std::size_t{3} * static_cast<std::size_t>(e);
        const auto check = [&](const char* what, int number, int count) {
            if (number < 0 || number >= count)
                fail("edge {}: {} is {}; there are {}, numbered from 0", e, what, number, count);
        };
        check("source", triple[0], input.nodes);
        check("type", triple[1], schema.edge_types.size());
        check("target", triple[2], input.nodes);
        edges.push_back({triple[0], triple[1], triple[2]});
    }
    return {input.nodes, edges};
}

std::vector<float> features_of(const Schema& schema, const ggsnn_input& input) {
    if (schema.features == 0) {
        if (input.features != nullptr) fail("features are given; the model has none, and expects NULL");
        return {};
    }
    given(input.features, "features");
    const std::size_t width = static_cast<std::size_t>(schema.features);
    std::vector<float> features(input.features,
                                input.features + static_cast<std::size_t>(input.nodes) * width);
    for (std::size_t i = 0; i < features.size(); ++i)
        if (!std::isfinite(features[i]))
            fail("feature {} of node {} is {}; expected a finite number", i % width, i / width, features[i]);
    return features;
}

Example question_of(const Schema& schema, const ggsnn_input& input) {
    check_number("question", input.question, 0, schema.question_types.size() - 1);
    check_number("arguments", input.arguments, 0, schema.arguments);
    if (input.arguments > 0) given(input.argument_list, "argument_list");
    Example example;
    example.question = input.question;
    example.place.file = "input";
    for (int i = 0; i < input.arguments; ++i) {
        const int node = input.argument_list[i];
        if (node < 0 || node >= input.nodes)
            fail("argument {} is {}; there are {} nodes, numbered from 0", i, node, input.nodes);
        example.arguments.push_back(node);
    }
    return example;
}

} // namespace

const char* ggsnn_last_error(void) {
    return last_error;
}

ggsnn_model* ggsnn_load(const char* path) {
    return guarded<ggsnn_model*>(nullptr, [&] {
        given(path, "path");
        return new ggsnn_model(load_model(path));
    });
}

ggsnn_model* ggsnn_load_bytes(const void* bytes, size_t size) {
    return guarded<ggsnn_model*>(nullptr, [&] {
        const char* begin = &given(static_cast<const char*>(bytes), "bytes");
        return new ggsnn_model(decode_model({begin, size}, "model in memory"));
    });
}

void ggsnn_free(ggsnn_model* model) {
    delete model;
}

int ggsnn_answer_kind(const ggsnn_model* model) {
    return guarded(-1, [&]() -> int {
        static constexpr std::pair<AnswerKind, ggsnn_kind> kinds[] = {
            {AnswerKind::node, GGSNN_NODE},
            {AnswerKind::klass, GGSNN_CLASS},
            {AnswerKind::values, GGSNN_NUMBERS},
            {AnswerKind::node_classes, GGSNN_NODE_CLASSES},
            {AnswerKind::node_values, GGSNN_NODE_NUMBERS},
            {AnswerKind::node_sequence, GGSNN_NODE_SEQUENCE},
            {AnswerKind::class_sequence, GGSNN_CLASS_SEQUENCE}};
        const AnswerKind answer = given(model, "model").model.schema.answer;
        for (const auto& [kind, number] : kinds)
            if (kind == answer) return number;
        fail("this interface has no number for answers of kind {}", name_of(answer));
    });
}

int ggsnn_count(const ggsnn_model* model, int part) {
    return guarded(-1, [&] { return count_of(given(model, "model").model.schema, part); });
}

const char* ggsnn_name(const ggsnn_model* model, int part, int number) {
    return guarded<const char*>(nullptr, [&] {
        const Vocabulary& names = names_of(given(model, "model").model.schema, part);
        check_number("number", number, 0, names.size() - 1);
        return names.name(number).c_str();
    });
}

int ggsnn_find(const ggsnn_model* model, int part, const char* name) {
    return guarded(-1, [&] {
        const Vocabulary& names = names_of(given(model, "model").model.schema, part);
        given(name, "name");
        const int number = names.find(name);
        if (number < 0) fail("\"{}\" is unknown to the model; expected one of: {}", name, names.list());
        return number;
    });
}

ggsnn_answer* ggsnn_predict(const ggsnn_model* model, const ggsnn_input* input) {
    return guarded<ggsnn_answer*>(nullptr, [&] {
        const Schema& schema = given(model, "model").model.schema;
        given(input, "input");
        Dataset data;
        data.schema = schema;
        data.graphs.push_back({graph_of(schema, *input), features_of(schema, *input), {}});
        const Example example = question_of(schema, *input);
        std::vector<Prediction> predictions;
        model->predictor.predict(data, {&example}, predictions);
        return new ggsnn_answer{std::move(predictions[0])};
    });
}

void ggsnn_answer_free(ggsnn_answer* answer) {
    delete answer;
}

int ggsnn_labels(const ggsnn_answer* answer, const int** labels) {
    return guarded(-1, [&] {
        const std::vector<int>& found = given(answer, "answer").prediction.labels;
        if (labels != nullptr) *labels = found.data();
        return static_cast<int>(found.size());
    });
}

int ggsnn_lists(const ggsnn_answer* answer) {
    return guarded(-1, [&] { return static_cast<int>(given(answer, "answer").prediction.lists.size()); });
}

int ggsnn_list(const ggsnn_answer* answer, int list, const double** values) {
    return guarded(-1, [&] {
        const auto& lists = given(answer, "answer").prediction.lists;
        check_number("list", list, 0, static_cast<long>(lists.size()) - 1);
        const std::vector<double>& found = lists[static_cast<std::size_t>(list)];
        if (values != nullptr) *values = found.data();
        return static_cast<int>(found.size());
    });
}

int ggsnn_ended(const ggsnn_answer* answer) {
    return guarded(-1, [&] { return given(answer, "answer").prediction.capped ? 0 : 1; });
}
