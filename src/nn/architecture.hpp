// What the trainer and the predictor ask of a network, so that gated graph networks, the original graph
// neural networks and the recurrent baselines are trained, selected, saved and asked alike. Kinds of network
// are listed in kinds.hpp.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/nn/keep.hpp"
#include "ggsnn/nn/parameters.hpp"
#include "ggsnn/nn/prediction.hpp"
#include "ggsnn/nn/train/passes.hpp"

#include <memory>

namespace ggsnn {

struct Kind;
struct Explanation;
struct ExplainOptions;

// A network for people.
struct Description {
    std::string kind;    // what it is
    std::string sizes;   // and how large
    std::string summary; // both, short
    OrderedJson facts;   // for programs
};

// A network with its sizes; immutable, shared by threads. Results never depend on how many. What numbers mean
// and how they are scaled is told by the schema each time: that of the model.
class Architecture {
  public:
    virtual ~Architecture() = default;
    virtual const Kind& kind() const = 0;
    virtual const ParameterLayout& layout() const = 0;
    // As in a model file; Kind::read reverses it.
    virtual Json to_json() const = 0;
    virtual Description describe() const = 0;
    // For training: passes over minibatches for this many workers. Architecture and schema must outlive them.
    virtual std::unique_ptr<Passes<float>> passes(const Schema& schema, int workers, Keep keep) const = 0;
    // Whether a minibatch with this many rows (nodes, tokens) is worth several threads.
    virtual bool is_large(double rows) const = 0;
    // Answers of an ensemble: probabilities are averaged over members, numbers are as the network gives them.
    // longest: of the training sequences. pool may be null: one thread.
    virtual void answer(const Schema& schema, const Dataset& data,
                        const std::vector<const Example*>& examples,
                        const std::vector<std::vector<float>>& members, int longest,
                        const PredictOptions& options, ThreadPool* pool,
                        std::vector<Prediction*>& out) const = 0;
    // What mattered for an answer (explain.hpp), for kinds that can tell.
    virtual Explanation explain(const Schema& schema, const Dataset& data, const Example& example,
                                const Prediction& answer, const std::vector<std::vector<float>>& members,
                                const ExplainOptions& options) const;
};

} // namespace ggsnn
