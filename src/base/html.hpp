// Text inside HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace ggsnn {

// Fit to stand between tags and inside attributes in double quotes.
inline std::string escape_html(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

} // namespace ggsnn
