#include "ggsnn/cli/property.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/base/files.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

namespace ggsnn::cli {

Property property_of(const std::string& text) {
    if (text.empty()) return {};
    const std::string memory_safety = "G valid-deref && G valid-free && G valid-memtrack";
    Property property;
    property.asked = true;
    if (text == "all") return property;
    property.assertions = false;
    property.specification = memory_safety;
    if (text == "memory") return property;
    if (!std::filesystem::is_regular_file(text))
        throw UsageError(
            fmt::format("--property {}: expected all, memory, or a file such as valid-memsafety.prp", text));
    const std::string content = read_file(text, 1 << 16);
    static const std::regex check(
        R"(CHECK\s*\(\s*init\s*\(\s*main\s*\(\s*\)\s*\)\s*,\s*LTL\s*\(\s*G\s*([^)]*[^)\s])\s*\)\s*\))");
    std::set<std::string> found;
    for (std::sregex_iterator at(content.begin(), content.end(), check), end; at != end; ++at)
        found.insert((*at)[1]);
    static const std::set<std::string> judged{"valid-deref", "valid-free", "valid-memtrack",
                                              "valid-memcleanup"};
    if (found.empty() || !std::includes(judged.begin(), judged.end(), found.begin(), found.end())) {
        std::string all;
        for (const std::string& one : found) all += (all.empty() ? "" : ", ") + one;
        throw UsageError(fmt::format("--property {}: says '{}'; judged here are valid-deref, valid-free, "
                                     "valid-memtrack and valid-memcleanup",
                                     text, all));
    }
    property.specification = content;
    property.cleanup = found.contains("valid-memcleanup");
    property.parts = std::move(found);
    return property;
}

std::string result_line(const Property& property, verify::FileOutcome outcome, const OrderedJson& report) {
    if (outcome == verify::FileOutcome::proved) return "true";
    if (report.contains("functions"))
        for (const auto& f : report["functions"]) {
            if (f.value("verdict", "") != "unsafe") continue;
            const std::string what = f.value("property", "");
            if (property.parts.empty() || property.parts.contains(what))
                return what.empty() ? "false" : "false(" + what + ")";
            // Where all must be freed, what is lost is not freed either.
            if (what == "valid-memtrack" && property.cleanup) return "false(valid-memcleanup)";
        }
    return "unknown";
}

} // namespace ggsnn::cli
