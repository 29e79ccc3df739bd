// Weights of other libraries' gated graph layers as models of ours: GatedGraphConv of PyTorch Geometric and
// of DGL, with a linear layer behind it or without. Their equations differ from the paper's, and are settings
// here (nn/ggnn/propagation.hpp): messages over incoming edges alone, torch's GRU cell, and in PyTorch
// Geometric matrices of messages for each step.
#pragma once

#include "ggsnn/nn/model.hpp"

namespace ggsnn {

enum class Library { pyg, dgl };

struct ImportOptions {
    Library library = Library::pyg;
    std::string layer = {};  // which of the file's layers, "conv." for conv.weight; empty: the only one
    std::string linear = {}; // a linear layer that makes answers of the states; empty: states are the answers
    int features = 0;        // of a node, at most the size of a state; 0: as many
    int steps = 0;           // DGL: n_steps, which its weights do not tell; PyTorch Geometric: 0
    bool mean = false;       // aggr='mean'
    std::vector<std::string> edge_types = {}; // their names; empty: "edge", or with several "0", "1", ...
    std::vector<std::string> classes = {};    // with linear: of the nodes; empty: answers are numbers
};

// A model that answers for every node: classes, or numbers. bytes: of a .safetensors or .npz file; `name` is
// for messages. Throws Error with the tensor, what was found and what was expected; every tensor of the file
// has to be understood unless options name a layer.
Model import_layer(std::string_view bytes, const std::string& name, const ImportOptions& options);

} // namespace ggsnn
