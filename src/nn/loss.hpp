// Losses and what is counted beside them. A loss turns the outputs of a chunk into a number and into the
// gradient of that number; it is weighted by chunk.scale, so that the losses of a minibatch's chunks add up
// to its average.
#pragma once

#include "ggsnn/nn/graph.hpp"

namespace ggsnn {

// What the numbers of an output model mean, and how they are trained.
enum class Answer {
    node,        // one node of the graph: softmax over its nodes' scores, cross entropy
    graph_class, // softmax over classes, cross entropy
    graph_value, // numbers; squared error over those present
    node_class,  // a class per node; softmax, cross entropy over labelled nodes
    node_value,  // numbers per node; squared error over those present
};

constexpr bool is_per_node(Answer answer) {
    return answer != Answer::graph_class && answer != Answer::graph_value;
}
constexpr bool is_regression(Answer answer) {
    return answer == Answer::graph_value || answer == Answer::node_value;
}

// Sums over a chunk or a data set; plain +.
struct Outcome {
    double loss = 0;              // weighted by scale
    long targets = 0;             // labels or values that were present
    long correct = 0;             // labels predicted right
    long answers = 0;             // questions asked; a sequence or a graph of node labels is one
    long solved = 0;              // questions with everything right
    std::vector<double> absolute; // regression: sum of absolute errors by output
    std::vector<long> present;

    void add(const Outcome& other);
    double accuracy() const { return answers > 0 ? double(solved) / double(answers) : 0; }
    double error_rate() const { return 1 - accuracy(); }
};

// Softmax and cross entropy, times scale, over `count` scores, `stride` apart: adds to loss, and sets
// d_scores if it is not null. Returns whether the largest score, the first of equals, is the target.
template <class T>
bool cross_entropy(const T* scores, int count, std::ptrdiff_t stride, int target, T scale, T* d_scores,
                   double& loss);

// Step `step` (0 but for sequences) of the targets against out (graphs or nodes x padded(outputs)). Writes
// d_out if it is not null. Adds to outcome all but answers and solved; wrong[graph] is set where the graph
// has a wrong label.
template <class T>
void loss(Answer answer, const Chunk<T>& chunk, int outputs, int step, const T* out, T* d_out,
          Outcome& outcome, std::vector<char>& wrong);

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
