// A trained network as one C99 file without dependencies: weights in static arrays, one function, no memory
// but the caller's. For places where nothing can be linked.
#pragma once

#include "ggsnn/nn/model.hpp"

#include <string>

namespace ggsnn {

// The text of the file. prefix: what all its names begin with, an identifier of C in lower case. REQUIRES a
// model that check_exportable lets pass.
std::string export_c(const Model& model, const std::string& prefix);

// An identifier for a file's name: net for some/net.c. Throws UsageError where there is none in it.
std::string c_prefix(const std::string& path);

} // namespace ggsnn
