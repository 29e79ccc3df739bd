// A network: one propagation model and one output model (GG-NN, the paper's section 3), or, for sequences,
// those and a node-annotation output that predicts the annotations of the next output step (GGS-NN,
// section 4):
//
//   for k = 1, 2, ...:  o_k from F_o(X^k),  X^(k+1) = sigma(j(h^(k,T), x^k)) from F_x(X^k)
//
// where F_o and F_x share one propagation model or have one each. Annotations of the first step are given, or
// made of what is known of the nodes by an input layer. The network knows shapes and parameters'
// places; parameters, gradients and scratch memory belong to whoever calls.
#pragma once

#include "ggsnn/nn/ggnn/shape.hpp"
#include "ggsnn/nn/head.hpp"
#include "ggsnn/nn/input.hpp"
#include "ggsnn/nn/output.hpp"

#include <memory>
#include <optional>

namespace ggsnn {

// What one chunk needs on its way through the network. Reused from chunk to chunk.
template <class T>
struct Workspace {
    struct OutputStep {
        Tape<T> tape, annotation_tape;
        OutputTape<T> output, annotation;
        Buffer<T> x; // annotations of this step; the first step's are the chunk's, or made of its inputs
        Buffer<T> dropped;      // final states with dropout
        Buffer<T> dx;           // for explanations: the gradient of x
        const T* h = nullptr;   // final states, nodes x padded(D); they live in the tape
        const T* h_G = nullptr; // Eq. 7, graphs x padded(D); null where answers are of nodes
    };
    std::vector<std::unique_ptr<OutputStep>> steps;
    Buffer<T> dh, dh_annotation, dx, dx_next, da;
    std::vector<char> wrong, active;
    std::vector<int> predicted;
    // For explanations (of networks with uniform steps): whether the gradients of annotations (left in
    // dx_next for the first step, and in each step's dx) and of what comes over edges are wanted, which are
    // added to. Observed annotations are given, and their loss is left out.
    bool explaining = false;
    EdgeGradients<T> edges;

    OutputStep& step(int k);
};

template <class T>
class Network {
  public:
    explicit Network(const GatedShape& shape);

    const GatedShape& shape() const { return shape_; }
    const ParameterLayout& layout() const { return layout_; }

    // What is computed once from the parameters, more of it for backward: prepared_size() numbers, zero
    // before the first call.
    std::size_t prepared_size() const { return prepared_size_; }
    void prepare(const T* parameters, bool for_backward, T* out) const;

    // Numbers of a lane's gradient: that of the parameters, then what finish() adds to it, once the lanes are
    // added up.
    std::size_t gradient_size() const { return gradient_size_; }
    void finish(const T* parameters, const T* prepared, T* gradient) const;

    // Loss and counts of a chunk whose targets are set; with `gradient` also adds to the lanes' gradients.
    Outcome run(const Chunk<T>& chunk, const T* parameters, const T* prepared, bool gradient,
                Workspace<T>& work, const Team<T>& team, Keep keep = Keep::all) const;

    // Outputs of step k (graphs or nodes x padded(outputs)), which live in the workspace. For k > 0 step
    // k - 1 must have been run before on the same chunk. Targets are not looked at.
    const T* outputs(const Chunk<T>& chunk, const T* parameters, const T* prepared, int k, Workspace<T>& work,
                     const Team<T>& team) const;

  private:
    const T* forward_step(const Chunk<T>& chunk, const T* p, const T* prepared, int k, bool last,
                          bool for_backward, Keep keep, Workspace<T>& work, const Team<T>& team) const;
    void backward_step(const Chunk<T>& chunk, const T* p, const T* prepared, int k, bool last,
                       Workspace<T>& work, const Team<T>& team) const;
    const T* annotations(const Chunk<T>& chunk, int k, const Workspace<T>& work) const;
    void embed(const Chunk<T>& chunk, const T* p, Workspace<T>& work, const Team<T>& team) const;

    GatedShape shape_;
    const Head* head_;
    ParameterLayout layout_;
    std::optional<Propagation<T>> propagation_, annotation_propagation_;
    std::optional<NodeOutput<T>> node_output_, annotation_output_;
    std::optional<GraphOutput<T>> graph_output_;
    std::optional<InputLayer<T>> input_;
    std::size_t prepared_size_ = 0, gradient_size_ = 0;
    std::size_t at_output_ = 0, at_annotation_propagation_ = 0, at_annotation_ = 0; // in what is prepared
};

} // namespace ggsnn
