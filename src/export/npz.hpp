// Arrays of numpy's .npz files: a zip archive of .npy files, stored or deflated, as numpy.savez and
// numpy.savez_compressed write them. Here: numbers of single or double precision, as tensors by name.
#pragma once

#include "ggsnn/nn/safetensors.hpp"

namespace ggsnn {

// Every offset, length and checksum is checked before it is used. `name` is for messages. Throws Error.
std::map<std::string, NamedTensor> decode_npz(std::string_view bytes, const std::string& name);

} // namespace ggsnn
