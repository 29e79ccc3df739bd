// JSON: nlohmann's library under one name, parsed with errors that name the place.
#pragma once

#include "ggsnn/base/error.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace ggsnn {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

// Throws Error with the place and the column of the first bad byte. A text of several lines begins at the
// place, and the error names the line within it.
Json parse_json(std::string_view text, const Place& place);

// "a string", "a number", ...: what a value is, for messages about what was found.
std::string describe(const Json& value);

} // namespace ggsnn
