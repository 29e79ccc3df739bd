// Heads: what the outputs of a network mean, how they are trained, and what is answered. Each head is one
// file of nn/heads; answer_table in head.cpp says which kinds of answers have which.
//
// A loss turns the outputs of a chunk into a number and into the gradient of that number; it is weighted by
// chunk.scale, so that the losses of a minibatch's chunks add up to its average.
#pragma once

#include "ggsnn/nn/answer.hpp"
#include "ggsnn/nn/chunk.hpp"

namespace ggsnn {

struct Example;
struct Schema;

// Sums over a chunk or a data set; plain +.
struct Outcome {
    double loss = 0;              // weighted by scale
    long targets = 0;             // labels or values that were present
    double weight = 0;            // of these in the loss; as many where all weigh 1
    long correct = 0;             // labels predicted right
    long answers = 0;             // questions asked; a sequence or a graph of node labels is one
    long solved = 0;              // questions with everything right
    std::vector<double> absolute; // regression: sum of absolute errors by output
    std::vector<long> present;

    void add(const Outcome& other);
    double accuracy() const { return answers > 0 ? double(solved) / double(answers) : 0; }
    double error_rate() const { return 1 - accuracy(); }
};

// Outputs of one step of a chunk: a row of padded(count) numbers for each node or for each graph.
template <class T>
struct Outputs {
    const T* rows = nullptr;
    int count = 1; // numbers of a row that mean something
    int step = 0;  // of a sequence; otherwise 0
};

class Head {
  public:
    struct Traits {
        bool node_rows = false; // outputs are rows of nodes, not of graphs
        bool each_node = false; // an answer for every node; otherwise one for the graph
        bool numbers = false;   // answers are numbers; otherwise labels
        bool classes = false;   // labels are classes of the schema; otherwise nodes of the graph
        // Its loss and answers are what those do who have no heads (networks that read tokens, exported
        // programs): cross entropy and softmax of a score for each label, or the numbers themselves.
        bool plain = false;
    };

    explicit Head(const Traits& given) : traits(given) {}
    virtual ~Head() = default;

    const Traits traits;

    // How many outputs a network needs for one answer.
    virtual int outputs(const Schema& schema) const = 0;

    // Appends the targets of an example whose graph begins at row `first`; not for sequences.
    virtual void add_targets(const Schema& schema, const Example& example, int first,
                             Targets<float>& targets) const = 0;
    virtual void add_targets(const Schema& schema, const Example& example, int first,
                             Targets<double>& targets) const = 0;

    // The targets of this step against the outputs. Sets all rows of d_out if it is not null. Adds to outcome
    // all but answers and solved; wrong[graph] is set where the graph has a wrong label.
    virtual void loss(const Chunk<float>& chunk, const Outputs<float>& out, float* d_out, Outcome& outcome,
                      std::vector<char>& wrong) const = 0;
    virtual void loss(const Chunk<double>& chunk, const Outputs<double>& out, double* d_out, Outcome& outcome,
                      std::vector<char>& wrong) const = 0;

    // What the network says of thing `i` of graph g, one of its nodes or (0) the graph: numbers, or
    // probabilities of labels.
    virtual void read(const Chunk<float>& chunk, int g, int i, const Outputs<float>& out,
                      std::vector<double>& list) const = 0;

    // Rows of outputs; things that are answered of a graph.
    std::size_t rows(int nodes, int graphs) const { return traits.node_rows ? nodes : graphs; }
    int things(int nodes) const { return traits.each_node ? nodes : 1; }
};

const Head& head_of(AnswerKind kind);

// Softmax and cross entropy, times scale, over `count` scores, `stride` apart: adds to loss, and sets
// d_scores if it is not null. Returns whether the largest score, the first of equals, is the target.
// smoothing: the share of the target that is spread over all labels.
template <class T>
bool cross_entropy(const T* scores, int count, std::ptrdiff_t stride, int target, T scale, T* d_scores,
                   double& loss, T smoothing = 0);

// Cross entropy of predicted annotations x_next (nodes x padded(X), after the sigmoid) against observed
// ones; d_scores is the gradient before the sigmoid. Weighted by chunk.scale per graph, averaged over nodes
// and bits.
template <class T>
void annotation_loss(const Chunk<T>& chunk, const T* x_next, const T* observed,
                     const std::vector<char>& active, T* d_scores, Outcome& outcome);

// Probabilities by softmax of count scores that are stride apart.
template <class T>
void softmax(const T* scores, int count, std::ptrdiff_t stride, std::vector<double>& probabilities);

} // namespace ggsnn
