// The compiler: C text to LLVM bitcode, by running clang 19 in a process of its own, with limits on its time
// and memory, so that no input can crash or hang this program. No pass of the optimiser runs: a pass may use
// undefined behaviour, and a proof would be about another program. `-O1` is said all the same, because clang
// then marks where the lives of locals begin and end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ggsnn::verify {

struct Source {
    enum class Kind { file, text, bitcode }; // file: C, preprocessed or not. bitcode: .bc, .ll
    Kind kind = Kind::file;
    std::string path; // of a text: a name for messages
    std::string text; // its content, but of bitcode
    std::vector<std::string> flags;
    std::string folder; // where clang runs: includes and flags are relative to it; empty: the current one
};

// What compile_commands.json (the file, or a folder with one) says of a file: where it is compiled, and its
// flags. Those without a meaning here (-O2, -Wall, -o x) are left out; others that are not known are left out
// and named in `notes`. Throws Error when it cannot be read or does not mention the file.
void add_compile_commands(const std::string& path, Source& source, std::vector<std::string>& notes);

// Whether a flag says for which machine.
bool says_machine(const std::vector<std::string>& flags);

// Whether a text says itself that it is for 32 bits, with its own size_t (as headers leave it in preprocessed
// files), and no flag says for which machine.
bool is_for_32_bits(const Source& source);

// Throws Error: a flag is not among those understood, clang is not installed, clang finds a mistake (its own
// words, with path:line:column), or it needs more than the limits.
std::string compile(const Source& source, double seconds);

// The text as the preprocessor leaves it: comments kept, what #if leaves out left out, with line markers.
// Of bitcode: empty.
std::string preprocess(const Source& source, double seconds);

} // namespace ggsnn::verify
