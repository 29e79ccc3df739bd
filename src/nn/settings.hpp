// What can be set about a kind of network, described once: for the command line and its help, for model
// files, for messages, and for whoever sets it from a program.
#pragma once

#include "ggsnn/base/json.hpp"

#include <span>
#include <string>
#include <vector>

namespace ggsnn {

struct Setting {
    enum class Type { whole, number, word, flag };

    std::string name = {}; // in files and programs; on the command line with - for _
    std::string help = {};
    Type type = Type::whole;
    Json initial = {};                   // where nothing is given; null: it must be
    double least = 0, most = 0;          // whole, number
    static constexpr double any = 1e300; // most: there is no bound
    std::vector<std::string> words = {}; // word: one of these
    std::string option = {};             // on the command line, where that is not the name
    bool only_if_set = false;            // absent from files where it has its initial value
    std::string group = {};              // of a long list: where people look for it

    // "--edge-function"
    std::string flag() const;
};

// The settings with these values, and initial ones where none is given. Throws Error if one is unknown,
// missing or out of its limits; `what` is whose they are, for messages.
Json checked_settings(std::span<const Setting> settings, const Json& given, const std::string& what);

// The setting of that name, or null.
const Setting* find_setting(std::span<const Setting> settings, const std::string& name);

// Throws Error if a value is none that the setting can have.
void check_setting(const Setting& setting, const Json& value, const std::string& what);

} // namespace ggsnn
