#include "ggsnn/cli/exchange.hpp"

#include "ggsnn/base/sha256.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ggsnn::cli {

namespace {

OrderedJson place(const std::string& file, int line, int column) {
    OrderedJson region{{"startLine", std::max(line, 1)}};
    if (column > 0) region["startColumn"] = column;
    return {{"physicalLocation", {{"artifactLocation", {{"uri", file}}}, {"region", region}}}};
}

// A name for the kind of thing, as rules have.
std::string rule_of(const OrderedJson& f) {
    const std::string verdict = f.value("verdict", "");
    if (verdict == "unknown") return "not-proved";
    const std::string property = f.value("property", "");
    return property.empty() ? "error" : property;
}

std::string yaml_text(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out + "\"";
}

// A name that is the same for the same content, in the form of a UUID.
std::string uuid_of(const std::string& content) {
    const std::string hash = sha256(content);
    return fmt::format("{}-{}-4{}-a{}-{}", hash.substr(0, 8), hash.substr(8, 4), hash.substr(13, 3),
                       hash.substr(17, 3), hash.substr(20, 12));
}

std::string location(const std::string& path, int line, int column, const std::string& function,
                     const std::string& indent) {
    std::string text =
        fmt::format("{0}location:\n{0}  file_name: {1}\n{0}  line: {2}\n", indent, yaml_text(path), line);
    if (column > 0) text += fmt::format("{}  column: {}\n", indent, column);
    if (!function.empty()) text += fmt::format("{}  function: {}\n", indent, yaml_text(function));
    return text;
}

std::string invariants(const OrderedJson& report, const std::string& path) {
    std::string text;
    for (const auto& f : report["functions"])
        for (const auto& loop : f["loops"]) {
            std::string value;
            if (loop.contains("facts"))
                for (const auto& fact : loop["facts"])
                    value += (value.empty() ? "" : " && ") + fact.get<std::string>();
            if (value.empty()) continue; // what graphs say cannot be said in C
            text += "  - invariant:\n      type: loop_invariant\n";
            text += location(path, loop.value("line", 0), loop.value("column", 0), loop.value("function", ""),
                             "      ");
            text += fmt::format("      value: {}\n      format: c_expression\n", yaml_text(value));
        }
    return text;
}

std::string violation(const OrderedJson& report, const std::string& path) {
    for (const auto& f : report["functions"]) {
        if (f.value("verdict", "") != "unsafe" || !f.contains("run")) continue;
        const auto& run = f["run"];
        return "  - segment:\n    - waypoint:\n        type: target\n        action: follow\n" +
               location(path, run.value("line", 0), run.value("column", 0), run.value("function", ""),
                        "        ");
    }
    return "";
}

} // namespace

std::string sarif(const std::vector<OrderedJson>& reports) {
    OrderedJson results = OrderedJson::array(), rules = OrderedJson::array();
    std::vector<std::string> known;
    for (const OrderedJson& report : reports) {
        const std::string file = report.value("file", "");
        if (report.contains("error")) {
            if (std::find(known.begin(), known.end(), "not-read") == known.end())
                known.emplace_back("not-read");
            results.push_back({{"ruleId", "not-read"},
                               {"level", "error"},
                               {"message", {{"text", report["error"]}}},
                               {"locations", OrderedJson::array({place(file, 1, 0)})}});
        }
        if (!report.contains("functions")) continue;
        for (const auto& f : report["functions"]) {
            const std::string verdict = f.value("verdict", "");
            if (verdict == "proved") continue;
            const std::string rule = rule_of(f);
            if (std::find(known.begin(), known.end(), rule) == known.end()) known.push_back(rule);
            const bool run = verdict == "unsafe" && f.contains("run");
            results.push_back(
                {{"ruleId", rule},
                 {"level", verdict == "unsafe" ? "error" : "note"},
                 {"message", {{"text", fmt::format("{}: {}", f.value("name", ""), f.value("reason", ""))}}},
                 {"locations",
                  OrderedJson::array({place(file, run ? f["run"].value("line", 1) : f.value("line", 1),
                                            run ? f["run"].value("column", 0) : 0)})}});
        }
    }
    for (const std::string& rule : known) rules.push_back({{"id", rule}});
    const OrderedJson all{
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs",
         OrderedJson::array(
             {{{"tool", {{"driver", {{"name", "ggsnn"}, {"version", GGSNN_VERSION}, {"rules", rules}}}}},
               {"results", results}}})}};
    return all.dump(2) + "\n";
}

std::string witness(const OrderedJson& report, verify::FileOutcome outcome, const std::string& path,
                    const std::string& program, const std::string& specification, const std::string& time) {
    if (!report.contains("functions")) return "";
    const bool proved = outcome == verify::FileOutcome::proved;
    const std::string content = proved ? invariants(report, path) : violation(report, path);
    if (!proved && content.empty()) return "";
    bool narrow = false;
    if (report.contains("notes"))
        for (const auto& note : report["notes"])
            narrow = narrow || note.get<std::string>().find("-m32") != std::string::npos;
    return fmt::format("- entry_type: {}\n"
                       "  metadata:\n"
                       "    format_version: \"2.0\"\n"
                       "    uuid: \"{}\"\n"
                       "    creation_time: \"{}\"\n"
                       "    producer:\n"
                       "      name: \"ggsnn\"\n"
                       "      version: \"{}\"\n"
                       "    task:\n"
                       "      input_files:\n"
                       "      - {}\n"
                       "      input_file_hashes:\n"
                       "        {}: \"{}\"\n"
                       "      specification: {}\n"
                       "      data_model: {}\n"
                       "      language: C\n"
                       "  content:{}\n{}",
                       proved ? "invariant_set" : "violation_sequence", uuid_of(program + content), time,
                       GGSNN_VERSION, yaml_text(path), yaml_text(path), sha256(program),
                       yaml_text(specification), narrow ? "ILP32" : "LP64", content.empty() ? " []" : "",
                       content);
}

} // namespace ggsnn::cli
