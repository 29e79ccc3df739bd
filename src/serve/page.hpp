// The page itself: what web/ is built into (web/dist), held in the binary.
#pragma once

#include "ggsnn/base/json.hpp"

#include <string>
#include <string_view>

namespace ggsnn::serve {

struct Asset {
    std::string_view content;
    const char* type; // of its content
};

// "index.html", "app.js", "app.css", "pictures.css", "openapi.json"; nothing (empty content) for other names.
Asset asset(std::string_view name);

// One file that needs nothing: the page with something to show in it. view: {"part": .., "title": ..,
// "answer": ..}.
std::string standalone_page(const OrderedJson& view);

} // namespace ggsnn::serve
