// A trained model: what its numbers mean (schema), what its networks are, and their parameters; one
// network for each question type, as in the paper (network_count in kinds.hpp), each possibly an
// ensemble of restarts whose probabilities are averaged. A model is one safetensors file whose metadata holds
// everything else.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/nn/architecture.hpp"
#include "ggsnn/nn/dataset.hpp"
#include "ggsnn/nn/safetensors.hpp"

namespace ggsnn {

struct Model {
    Schema schema;
    std::shared_ptr<const Architecture> network; // what each of the networks is; shared by copies
    int longest = 0;                             // sequences: the longest answer in training
    std::vector<std::vector<std::vector<float>>>
        networks;  // question type (recurrent: one for all), member, flat parameters
    Json training; // how it was trained, for people

    std::size_t parameter_count() const; // learned numbers in all networks
};

// All of a model but the parameters: what its file's metadata hold, and back (with no networks). `path` is
// for messages; file_bytes bounds what the metadata may ask for. Throws Error as load_model.
Json model_metadata(const Model& model);
Model model_from_metadata(const Json& meta, const std::string& path, std::size_t file_bytes);

// As tensors and metadata, which several models may share a file by (src/shapes).
TensorFile model_to_tensors(const Model& model);

// Reverses it. `path` is for messages; file_bytes bounds what the metadata may ask for. Throws Error as
// load_model.
Model model_from_tensors(const TensorFile& file, const std::string& path, std::size_t file_bytes);

// The bytes of a model file.
std::string encode_model(const Model& model);

// Writes the file as a whole or not at all. Throws Error.
void save_model(const Model& model, const std::string& path);

// Throws Error with the reason if the file is no model of this program, is cut short, or lies about itself:
// every size and offset is checked before it is used.
Model load_model(const std::string& path);

// The same of bytes in memory, as encode_model gives them and files hold them; `name` is for messages.
// Nothing of the model points into bytes.
Model decode_model(std::string_view bytes, const std::string& name);

} // namespace ggsnn
