// Which parts of a question mattered for its answer: integrated gradients (Sundararajan, Taly, Yan 2017).
// What is known (features, types, marks of the question, edges) grows from nothing to what it is, and each
// part is given the share of the score that it brought on the way. Shares add up to the change of the score.
#pragma once

#include "ggsnn/nn/model.hpp"
#include "ggsnn/nn/prediction.hpp"

namespace ggsnn {

struct ExplainOptions {
    int node = -1;   // answers of nodes: which of them
    int output = 0;  // regression: which number
    int points = 48; // of the integral
};

struct Explanation {
    struct Input { // something known of a node: a feature, then types, then marks of the question
        int node, column;
        double value, share;
        int step = 0; // observed annotations: of which output, the first being 0
    };
    struct Link {
        int source, type, target;
        double share;
    };

    double score =
        0; // logarithm of the answer's probability (of a sequence, of all its outputs), or the number
    double baseline = 0;                   // the same where nothing is known
    std::vector<Input> inputs;             // those that are not zero
    std::vector<Link> edges;               // in the order of the graph's incoming links
    std::vector<double> nodes, edge_types; // sums of these
    double reach = 0;              // share of what is heard from nodes that are further away than one edge
    std::vector<double> attention; // answers of the graph: how open the gates of each node are, 0 to 1

    double explained() const; // the sum of all shares: score - baseline, but for rounding and the integral
};

// Explains `answer`, which the model may or may not have given, to one question. With an ensemble scores and
// shares are averages over its members. Throws UsageError where this kind of network or answer cannot be
// explained or options do not suit.
Explanation explain(const Model& model, const Dataset& data, const Example& example, const Prediction& answer,
                    const ExplainOptions& options);

} // namespace ggsnn
