// What a mistyped word was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ggsnn::cli {

// How many letters have to be put in, left out, exchanged, or swapped with their neighbour, to make b of a;
// no letter is touched twice (optimal string alignment).
int typing_distance(std::string_view a, std::string_view b);

// The one of `known` that is nearest to `word`, the first of several: with at most a third of its letters
// wrong, or the only one that begins with `word`. Empty where none is. Dashes at the front do not count.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

} // namespace ggsnn::cli
