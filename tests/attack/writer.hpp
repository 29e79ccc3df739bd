// What all styles of random programs are written with: lines with indentation, drawn choices, and slips. A
// slip is a place where an error could be made; a first pass over the program counts them, the second makes
// the one that was drawn.
#pragma once

#include "generate.hpp"
#include "ggsnn/base/random.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace ggsnn::attack {

class Writer {
  public:
    // chosen: number of the slip to make, -1: none.
    Writer(std::uint64_t seed, int chosen) : random(seed, {0x61747461636bULL}), chosen_(chosen) {}

    // Whether the error called `what` is made here.
    bool slip(const char* what) {
        if (slips_++ != chosen_) return false;
        made_ = what;
        return true;
    }
    int slips() const { return slips_; }
    const std::string& made() const { return made_; }

    int below(int n) { return static_cast<int>(random.below(static_cast<std::uint64_t>(n))); }
    int between(int low, int high) { return low + below(high - low + 1); }
    bool chance(double p) { return random.chance(p); }
    std::string one_of(std::initializer_list<const char*> texts) {
        return *(texts.begin() + below(static_cast<int>(texts.size())));
    }
    std::string fresh(const std::string& stem) { return fmt::format("{}{}", stem, names_++); }

    // A line of the function being written. An empty one is never written.
    void line(const std::string& text) {
        body_ += std::string(static_cast<std::size_t>(4 * depth_), ' ') + text + "\n";
    }
    template <class... Args>
    void print(fmt::format_string<Args...> format, Args&&... args) {
        line(fmt::format(format, std::forward<Args>(args)...));
    }
    // `head` and an opening bracket.
    void open(const std::string& head) {
        line(head.empty() ? "{" : head + " {");
        ++depth_;
    }
    void close(const std::string& tail = "") {
        --depth_;
        line("}" + tail);
    }
    // Between two parts of an if, cases of a switch: one step out, for this line.
    void between_parts(const std::string& text) {
        --depth_;
        line(text);
        ++depth_;
    }

    // What was written since the last call.
    std::string take() { return std::exchange(body_, {}); }
    // For what stands before: types, helpers.
    void add_type(const std::string& text) { types_ += text; }
    void add_function(const std::string& text) { functions_ += text; }
    const std::string& types() const { return types_; }
    const std::string& functions() const { return functions_; }

    Random random;

  private:
    int chosen_, slips_ = 0, names_ = 0, depth_ = 0;
    std::string made_, body_, types_, functions_;
};

// The styles. Each writes a whole program, without the first comment.
Generated write_blocks(Writer& w);    // structs, arrays, text, casts, unions: scopes that own memory
Generated write_numbers(Writer& w);   // conversions and widths, and what indices and sizes become of them
Generated write_lists(Writer& w);     // lists and trees: built, walked, changed, freed
Generated write_calls(Writer& w);     // callbacks, tables of functions, struct results, globals, jumps
Generated write_contracts(Writer& w); // functions without a main, with contracts, and a harness
Generated write_aliases(Writer& w);   // numbers and cells under several names
// Not drawn: large files. The seed says which.
Generated write_torture(Writer& w, std::uint64_t seed);

} // namespace ggsnn::attack
