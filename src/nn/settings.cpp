#include "ggsnn/nn/settings.hpp"

#include <algorithm>

namespace ggsnn {

namespace {

std::string expected(const Setting& s) {
    switch (s.type) {
    case Setting::Type::whole:
        return fmt::format("a whole number from {} to {}", s.least, s.most);
    case Setting::Type::number:
        if (s.most >= Setting::any) return s.least > 0 ? "a number above 0" : "a number of 0 or more";
        return fmt::format("a number from {} to {}", s.least, s.most);
    case Setting::Type::word:
        return fmt::format("one of {}", fmt::join(s.words, ", "));
    case Setting::Type::flag:
        return "true or false";
    }
    GGSNN_ASSERT(false);
}

bool fits(const Setting& s, const Json& value) {
    switch (s.type) {
    case Setting::Type::whole:
        return value.is_number_integer() && value.get<double>() >= s.least && value.get<double>() <= s.most;
    case Setting::Type::number:
        return value.is_number() && value.get<double>() >= s.least && value.get<double>() <= s.most;
    case Setting::Type::word:
        return value.is_string() &&
               std::find(s.words.begin(), s.words.end(), value.get<std::string>()) != s.words.end();
    case Setting::Type::flag:
        return value.is_boolean();
    }
    GGSNN_ASSERT(false);
}

} // namespace

std::string Setting::flag() const {
    std::string text = "--" + (option.empty() ? name : option);
    std::replace(text.begin(), text.end(), '_', '-');
    return text;
}

const Setting* find_setting(std::span<const Setting> settings, const std::string& name) {
    const auto at =
        std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.name == name; });
    return at == settings.end() ? nullptr : &*at;
}

void check_setting(const Setting& setting, const Json& value, const std::string& what) {
    if (!fits(setting, value))
        fail("{}: the setting \"{}\" is {}; expected {}", what, setting.name, value.dump(),
             expected(setting));
}

Json checked_settings(std::span<const Setting> settings, const Json& given, const std::string& what) {
    for (const auto& [name, value] : given.items()) {
        if (find_setting(settings, name) != nullptr) continue;
        std::vector<std::string> names;
        for (const Setting& s : settings) names.push_back(s.name);
        fail("{} has no setting \"{}\"; expected one of {}", what, name, fmt::join(names, ", "));
    }
    Json all = Json::object();
    for (const Setting& s : settings) {
        const Json& value = given.contains(s.name) ? given[s.name] : s.initial;
        if (value.is_null()) fail("{} needs the setting \"{}\"; expected {}", what, s.name, expected(s));
        check_setting(s, value, what);
        all[s.name] = value;
    }
    return all;
}

} // namespace ggsnn
