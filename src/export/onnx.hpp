// A trained network as an ONNX file (opset 17), for runtimes of others. One file answers one type of question
// about any number of graphs of any size at once; for sequences it is one output, and the annotations that
// the next one starts from. docs/export.md has its inputs and outputs.
#pragma once

#include "ggsnn/nn/model.hpp"

#include <string>

namespace ggsnn {

// The bytes of the file. question: which of the model's types of questions. REQUIRES a model that
// check_exportable lets pass. Throws Error where the file would be larger than ONNX allows.
std::string export_onnx(const Model& model, int question);

} // namespace ggsnn
