// The gated graph network of our workloads on libtorch, as its users write it, in the three forms of message
// passing that PyG and DGL give them. The equations are those of src/nn/propagation.hpp and src/nn/output.hpp
// (`authors`), with parameters in the same order; a_v has incoming and outgoing edges apart or added. Sparse
// features of nodes go through an input layer, as a sparse product.
#pragma once

#include "ggsnn/base/error.hpp"
#include "ggsnn/nn/dataset.hpp"
#include "ggsnn/nn/ggnn/shape.hpp"
#include "ggsnn/nn/loading.hpp"

#include <torch/torch.h>

#include <map>

namespace ggsnn::bench {

enum class Form {
    everywhere, // all types transformed at every node, then gathered per edge (GatedGraphConv)
    linears,    // one linear layer per edge type over its edges
    sparse      // one sparse product per edge type
};
Form form_named(const std::string& name);

class TorchNetwork {
  public:
    // Graph, annotations and answers of the data; all graphs must be of one size, with one question each, to
    // which a node is the answer, or a class of every node (label -1: not known).
    TorchNetwork(const GatedShape& shape, const Dataset& data, Form form);

    // Parameters from our flat array; gradients under our names, in our shapes.
    void set(const ParameterLayout& layout, const float* parameters);
    std::map<std::string, torch::Tensor> gradients() const;
    std::vector<torch::Tensor> parameters() const;

    // A row for each graph with a number a node; or a row for each node with a number a class. In training
    // shares are left out.
    torch::Tensor scores(const Noise& noise = {}) const;
    torch::Tensor loss(const Noise& noise = {}) const; // cross entropy, averaged over known labels

  private:
    struct Slot {
        torch::Tensor source, target; // edges
        torch::Tensor adjacency;      // sparse form: targets x sources
    };
    // Where a tensor of ours lies: in which tensor here, and which rows and columns.
    struct Place {
        torch::Tensor tensor;
        int row, col, rows, cols;
    };

    void add_parameters();
    torch::Tensor annotations(const Noise& noise) const;
    torch::Tensor messages(const torch::Tensor& h) const;
    void add_place(const std::string& name, const torch::Tensor& tensor, int row, int col, int rows,
                   int cols);

    GatedShape shape_;
    Form form_;
    int sides_, graphs_ = 0, nodes_ = 0; // a_v has sides_ * D numbers
    torch::Tensor x_, labels_;
    torch::Tensor input_places_, input_values_; // what is not zero of sparse features
    std::vector<Slot> slots_;
    torch::Tensor gather_,
        scatter_; // form everywhere: edges as rows of (node, slot) and of (node, side of a)
    torch::Tensor A_all_, b_all_;
    std::vector<torch::Tensor> A_, b_;
    torch::Tensor W_zr_, b_zr_, W_h_, b_h_, W_1_, b_1_, W_2_, b_2_, W_g_, b_g_, W_in_, b_in_;
    std::map<std::string, Place> places_;
};

} // namespace ggsnn::bench
