// What pasted C may ask of the compiler: headers of the system by name, and macros. Everything else that
// could make the compiler open a file (paths, computed includes, #embed, pragmas) is refused before it is
// started.
#pragma once

#include <string>

namespace ggsnn::serve {

// Empty: it may be compiled. Else why not, with the line.
std::string refused_source(const std::string& text);

} // namespace ggsnn::serve
