// The part of an exported C file that is the same for every model: it begins with `net_` what the file's
// prefix replaces, and is told by constants (c.cpp) what the network is.
#pragma once

namespace ggsnn {

extern const char* const c_declarations; // what the caller sees
extern const char* const c_definitions;

} // namespace ggsnn
