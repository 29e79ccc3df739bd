// What mattered for an answer (nn/explain.hpp), for programs, for people and as a picture.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/nn/explain.hpp"

namespace ggsnn::show {

// One question and what is said of it.
struct Explained {
    const Model& model;
    const GraphRecord& graph;
    const Example& example;
    const Prediction& answer;
    const Explanation& why;
    ExplainOptions options;

    const Schema& schema() const { return model.schema; }
    std::string input_name(const Explanation::Input& input) const; // "feature 3", a type, "argument 0"
    std::string answer_text() const;
};

// Documented in docs/evaluation.md.
OrderedJson explanation_json(const Explained& e);
// The `top` largest shares of each sort.
std::string explanation_text(const Explained& e, int top);
// The graph, red where it speaks for the answer and blue where it speaks against it, as SVG.
std::string explanation_picture(const Explained& e);

} // namespace ggsnn::show
