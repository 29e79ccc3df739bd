#include "ggsnn/serve/request.hpp"

#include <algorithm>
#include <cctype>

namespace ggsnn::serve {

namespace {

[[noreturn]] void refuse(const std::string& reason) {
    throw BadRequest{400, reason};
}

constexpr int deepest_json = 8;

int depth_of(const Json& value) {
    int most = 0;
    if (value.is_structured())
        for (const Json& inner : value) most = std::max(most, depth_of(inner));
    return most + 1;
}

} // namespace

RequestBody::RequestBody(const std::string& text, const std::set<std::string>& known) {
    // The parser recurses for no depth, and this much nesting is never needed.
    int depth = 0;
    const auto too_deep = [&](int, Json::parse_event_t event, Json&) {
        if (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start) ++depth;
        if (event == Json::parse_event_t::object_end || event == Json::parse_event_t::array_end) --depth;
        if (depth > deepest_json) refuse("JSON nested too deeply");
        return true;
    };
    try {
        json_ = Json::parse(text, too_deep);
    } catch (const Json::exception& error) {
        refuse(std::string("the body is no JSON: ") + error.what());
    }
    if (!json_.is_object()) refuse("the body is " + describe(json_) + "; expected an object");
    for (const auto& [key, value] : json_.items())
        if (!known.contains(key))
            refuse(fmt::format("unknown key \"{}\"; expected {}", key.substr(0, 60), fmt::join(known, ", ")));
    GGSNN_ASSERT(depth_of(json_) <= deepest_json + 1);
}

const Json* RequestBody::find(const std::string& key) const {
    const auto at = json_.find(key);
    return at == json_.end() || at->is_null() ? nullptr : &*at;
}

std::string RequestBody::text(const std::string& key, const std::string& otherwise, std::size_t most) const {
    const Json* value = find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_string()) refuse(fmt::format("\"{}\" is {}; expected a string", key, describe(*value)));
    const auto& text = value->get_ref<const std::string&>();
    if (text.size() > most)
        refuse(fmt::format("\"{}\" has {} bytes; expected {} at the most", key, text.size(), most));
    return text;
}

std::string RequestBody::required_text(const std::string& key, std::size_t most) const {
    if (find(key) == nullptr) refuse(fmt::format("no \"{}\"; expected a string", key));
    return text(key, "", most);
}

double RequestBody::number(const std::string& key, double otherwise, double low, double high) const {
    const Json* value = find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_number()) refuse(fmt::format("\"{}\" is {}; expected a number", key, describe(*value)));
    const double number = value->get<double>();
    if (!(number >= low && number <= high))
        refuse(
            fmt::format("\"{}\" is {}; expected a number from {:g} to {:g}", key, value->dump(), low, high));
    return number;
}

bool RequestBody::flag(const std::string& key) const {
    const Json* value = find(key);
    if (value == nullptr) return false;
    if (!value->is_boolean())
        refuse(fmt::format("\"{}\" is {}; expected true or false", key, describe(*value)));
    return value->get<bool>();
}

std::vector<std::string> RequestBody::texts(const std::string& key, std::size_t most) const {
    const Json* value = find(key);
    if (value == nullptr) return {};
    if (!value->is_array() || value->size() > most)
        refuse(fmt::format("\"{}\" is {}; expected a list of {} strings at the most", key, describe(*value),
                           most));
    std::vector<std::string> out;
    for (const Json& one : *value) {
        if (!one.is_string() || one.get_ref<const std::string&>().size() > 200)
            refuse(fmt::format("\"{}\" holds {}; expected short strings", key, describe(one)));
        out.push_back(one.get<std::string>());
    }
    return out;
}

void check_program_name(const std::string& name) {
    const bool good = name.size() > 2 && name.size() <= 64 && name.ends_with(".c") &&
                      std::all_of(name.begin(), name.end() - 2, [](unsigned char c) {
                          return std::isalnum(c) != 0 || c == '_' || c == '-';
                      });
    if (!good) refuse("\"name\" is no name of a C file; expected letters, digits, - and _, then .c");
}

} // namespace ggsnn::serve
