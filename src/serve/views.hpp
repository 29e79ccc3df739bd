// What the page shows, as JSON in and JSON out: one function for each thing that can be asked. They know
// nothing of HTTP; the server runs them in its workers, and `ggsnn show` writes what they give into a page of
// its own. docs/api.md has the keys. All throw Error for what the asker did wrong.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/nn/model.hpp"
#include "ggsnn/verify/infer/infer.hpp"

namespace ggsnn::serve {

// A C program: verdicts, invariants, predictions, proofs, failing runs (verify/verify_view.hpp).
struct ProgramQuestion {
    std::string name = "program.c", source;
    std::vector<std::string> functions; // none: all
    bool allocation_may_fail = false;
    double seconds = 20;
    std::uint64_t memory = std::uint64_t{2} << 30;
};
OrderedJson program_answer(const ProgramQuestion& question, const verify::Inference& inference);

// An entailment 'A |- B', a formula (is there such a heap?), or a problem of SL-COMP.
OrderedJson formula_answer(const std::string& text, double seconds);

// A question about a graph, put to a model.
struct GraphQuestion {
    std::string text;       // a story, JSON, CSV, ...: formats that are one file
    std::size_t number = 0; // which of its questions
    int node = -1;          // answers of every node: the one to explain
    bool explain = true;    // which parts mattered
};
OrderedJson graph_answer(const Model& model, const GraphQuestion& question);
// What a model is, for people.
OrderedJson model_facts(const Model& model);

// The log of a training (nn/train/log.hpp). most: points of one curve, beyond which they are thinned.
OrderedJson training_view(const std::string& path, std::size_t most = 2000);

} // namespace ggsnn::serve
