// The safetensors container: 8 bytes of header length, a JSON header that gives name, type, shape and place
// of every tensor, then the bytes. Nothing in it is executed, and every ML stack reads it. Here: float32
// tensors and one string of metadata.
#pragma once

#include "ggsnn/base/error.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ggsnn {

struct NamedTensor {
    std::vector<std::size_t> shape;
    std::vector<float> values;
};

struct TensorFile {
    std::map<std::string, std::string> metadata;
    std::map<std::string, NamedTensor> tensors;
};

std::string encode_tensors(const TensorFile& file);

// Every length, type and offset is checked: tensors must lie inside the file, have the bytes their shape
// says, and cover the data without gap or overlap. `name` is for messages. Throws Error.
TensorFile decode_tensors(std::string_view bytes, const std::string& name);

} // namespace ggsnn
