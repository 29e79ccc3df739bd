// The tensors of one network as those who write it down elsewhere want them: by name, row by row, without
// padding. And what a model must be to be written down at all.
#pragma once

#include "ggsnn/nn/ggnn/shape.hpp"
#include "ggsnn/nn/model.hpp"

#include <map>
#include <string>
#include <vector>

namespace ggsnn {

struct DenseMatrix {
    int rows = 0, cols = 0;
    std::vector<float> values; // rows x cols
};

class NetworkWeights {
  public:
    NetworkWeights(const ParameterLayout& layout, const std::vector<float>& parameters);

    // REQUIRES that there is a tensor of this name.
    const DenseMatrix& at(const std::string& name) const;

  private:
    std::map<std::string, DenseMatrix> tensors_;
};

// Names of a propagation model's tensors (nn/ggnn/propagation.cpp): those of a slot, 2 * type + direction,
// in one of the sets; and those that a_v has one of for each of its sides.
std::string message_name(const std::string& prefix, const char* letter, int slot, int set = 0);
std::string side_name(const std::string& prefix, const char* letter, int side, int sides);

// The schema's scales, all of them: where a model has none, numbers are as they are.
Scales all_scales(const Schema& schema);

// Throws UsageError, naming the model (`path`) and what is wrong, unless it is of a kind that can be written
// down.
void check_exportable(const Model& model, const std::string& path);

} // namespace ggsnn
