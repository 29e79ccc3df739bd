#include "ggsnn/cli/property.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/base/files.hpp"

#include <filesystem>
#include <regex>
#include <set>

namespace ggsnn::cli {

Property property_of(const std::string& text) {
    if (text.empty()) return {};
    const std::string memory_safety = "G valid-deref && G valid-free && G valid-memtrack";
    if (text == "all") return {true, true, Property{}.specification};
    if (text == "memory") return {false, true, memory_safety};
    if (!std::filesystem::is_regular_file(text))
        throw UsageError(
            fmt::format("--property {}: expected all, memory, or a file such as valid-memsafety.prp", text));
    const std::string content = read_file(text, 1 << 16);
    static const std::regex check(
        R"(CHECK\s*\(\s*init\s*\(\s*main\s*\(\s*\)\s*\)\s*,\s*LTL\s*\(\s*G\s*([^)]*[^)\s])\s*\)\s*\))");
    std::set<std::string> found;
    for (std::sregex_iterator at(content.begin(), content.end(), check), end; at != end; ++at)
        found.insert((*at)[1]);
    const std::set<std::string> memory{"valid-deref", "valid-free", "valid-memtrack"};
    if (found == memory) return {false, true, content};
    std::string all;
    for (const std::string& one : found) all += (all.empty() ? "" : ", ") + one;
    throw UsageError(fmt::format("--property {}: says '{}'; judged here are valid-deref, valid-free and "
                                 "valid-memtrack together",
                                 text, all));
}

std::string result_line(verify::FileOutcome outcome, const OrderedJson& report) {
    if (outcome == verify::FileOutcome::proved) return "true";
    if (report.contains("functions"))
        for (const auto& f : report["functions"])
            if (f.value("verdict", "") == "unsafe") {
                const std::string what = f.value("property", "");
                return what.empty() ? "false" : "false(" + what + ")";
            }
    return "unknown";
}

} // namespace ggsnn::cli
