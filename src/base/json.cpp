#include "ggsnn/base/json.hpp"

#include <algorithm>

namespace ggsnn {

namespace {

constexpr int max_nesting = 200;

// Messages stay one line of readable length whatever was in the file; cut at a whole UTF-8 character.
std::string shorten(const std::string& text, std::size_t longest) {
    if (text.size() <= longest) return text;
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end) + "...";
}

// Brackets and braces open at once at the most. The library's parser takes any depth, but copying and
// printing a value recurse, so that a file could exhaust the stack.
int nesting(std::string_view text) {
    int depth = 0, deepest = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            if (c == '"') quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return deepest;
}

// The library's message ends in what it expected; its prefix is an internal code.
std::string message(const Json::exception& error) {
    std::string what = error.what();
    if (const auto at = what.find("] "); what.starts_with("[json.exception") && at != std::string::npos)
        what = what.substr(at + 2);
    return shorten(what, 200);
}

} // namespace

Json parse_json(std::string_view text, const Place& place) {
    if (nesting(text) > max_nesting) fail_at(place, "JSON nested deeper than {} levels", max_nesting);
    try {
        return Json::parse(text.begin(), text.end());
    } catch (const Json::parse_error& error) {
        const auto before = text.substr(0, error.byte > 0 ? error.byte - 1 : 0);
        const long lines = static_cast<long>(std::count(before.begin(), before.end(), '\n'));
        fail_at({place.file, place.line > 0 ? place.line + lines : 0}, "not valid JSON: {}", message(error));
    } catch (const Json::exception& error) { // a number out of range is not a parse_error
        fail_at(place, "not valid JSON: {}", message(error));
    }
}

std::string describe(const Json& value) {
    switch (value.type()) {
    case Json::value_t::null:
        return "null";
    case Json::value_t::object:
        return "an object";
    case Json::value_t::array:
        return fmt::format("a list of {}", value.size());
    case Json::value_t::string:
        return "the string " + shorten(value.dump(-1, ' ', false, Json::error_handler_t::replace), 60);
    case Json::value_t::boolean:
        return value.get<bool>() ? "true" : "false";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
        return "the number " + value.dump();
    default:
        return "binary data";
    }
}

} // namespace ggsnn
