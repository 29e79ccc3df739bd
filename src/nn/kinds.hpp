// The kinds of network. Each is one folder that owns its shape, its settings and their limits, its form in
// model files, forward, backward and decoding, and tells the rest of the program what is here.
#pragma once

#include "ggsnn/nn/architecture.hpp"
#include "ggsnn/nn/metadata.hpp"
#include "ggsnn/nn/settings.hpp"
#include "ggsnn/nn/train/options.hpp"

namespace ggsnn {

// What a recipe looks at.
struct DataFacts {
    const Schema& schema;
    std::size_t examples = 0; // questions to train on
    long targets = 0;         // labels or numbers in their answers; 0: not known
    double nodes = 0;         // of a question's graph, on average; 0: not known
    int largest = 0;          // of them
};
DataFacts facts_of(const Dataset& train);

struct Kind {
    std::string name; // as on the command line and in model files
    std::string help; // "gated graph networks"
    // Facts and questions are read as tokens (tasks/tokens.hpp), and one network answers all question types;
    // otherwise each question type has a network of its own, as in the paper.
    bool reads_tokens = false;
    std::vector<Setting> settings = {};
    // Which of these it gives a meaning: "low-memory", "edge data", "dropout", "weighted loss" (training),
    // "exchange" (training), "steps", "beam" (prediction), "explanations".
    std::vector<std::string> abilities = {};
    std::string instead = {}; // what it does instead, for messages

    // Settings of training and network that suit this kind of data, and why.
    TrainOptions (*recipe)(const DataFacts& facts);
    // For training. schema: that of the data, with scales. settings: checked. Throws Error if the data does
    // not suit this kind of network.
    std::unique_ptr<Architecture> (*build)(const Dataset& train, const Schema& schema, const Kind& kind,
                                           const Json& settings);
    // Reverses Architecture::to_json.
    std::unique_ptr<Architecture> (*read)(const Metadata& network, const Schema& schema, const Kind& kind);

    bool can(const std::string& ability) const;
};

const std::vector<Kind>& kinds();
const Kind& kind_named(const std::string& name); // throws Error

// Networks a model has: one for each question type, or one in all.
int network_count(const Kind& kind, const Schema& schema);

// Throws Error if the examples' graphs have edges with other numbers than the schema says, or with weights or
// numbers that this kind does not read.
void check_edges(const Kind& kind, const Schema& schema, const Dataset& data,
                 const std::vector<const Example*>& examples);

// What suits this kind of data, for a kind of network.
TrainOptions recipe_for(const Dataset& train, const std::string& kind = "ggnn");
TrainOptions recipe_for(const Schema& schema, std::size_t examples, const std::string& kind = "ggnn");

} // namespace ggsnn
