#include "base/json.hpp"

namespace ggsnn {

Json parse_json(std::string_view text, const Place& place) {
    try {
        return Json::parse(text.begin(), text.end());
    } catch (const Json::parse_error& error) {
        // The library's message ends in what it expected; its prefix is an internal code.
        std::string what = error.what();
        if (const auto at = what.find("parse error"); at != std::string::npos) what = what.substr(at);
        fail_at(place, "not valid JSON: {}", what);
    }
}

std::string describe(const Json& value) {
    switch (value.type()) {
    case Json::value_t::null: return "null";
    case Json::value_t::object: return "an object";
    case Json::value_t::array: return fmt::format("a list of {}", value.size());
    case Json::value_t::string: return fmt::format("the string \"{}\"", value.get_ref<const std::string&>());
    case Json::value_t::boolean: return value.get<bool>() ? "true" : "false";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float: return "the number " + value.dump();
    default: return "binary data";
    }
}

} // namespace ggsnn
