// Random C programs, the same for the same seed and build. About half of them get one planted error;
// whether a program fails is for the sanitizers to say, not for the plan.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ggsnn::attack {

struct Generated {
    std::string text;    // first line: a comment with style, seed and plan
    std::string harness; // includes program.c and has a main; empty: the text has one
    std::string other;   // another translation unit; empty: none
    std::string style;
    std::string plan; // what was planted; empty: nothing
};

// style: one of "blocks", "numbers", "lists", "calls", "contracts", "aliases"; or "torture", which is
// never drawn; empty: drawn.
Generated generate(std::uint64_t seed, std::string_view style = {});

} // namespace ggsnn::attack
