#include "ggsnn/experiments/report.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace ggsnn {

namespace {

constexpr const char* style = R"(
body { font: 15px/1.5 system-ui, sans-serif; max-width: 66rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #ccc; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #e4e4e4; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
thead th { border-bottom: 2px solid #888; white-space: normal; vertical-align: bottom; }
.good { color: #00694b; font-weight: 600; } .low { color: #a03b00; font-weight: 600; }
.note { color: #555; font-size: .9rem; }
.charts { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; } figcaption { font-size: .85rem; color: #555; max-width: 28rem; }
details { margin: .6rem 0; } code { background: #f3f3f3; padding: 0 .25rem; } pre { background: #f6f6f6; padding: .6rem; overflow-x: auto; }
)";

constexpr const char* introduction =
    "Networks are selected on 50 validation stories; test stories choose nothing. Whole answers count: a "
    "sequence is right if all of it is. Green: at or above the paper's mean less two of its standard "
    "deviations.";

void append(std::vector<ReportSection>& all, std::vector<ReportSection> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
}

} // namespace

std::string task_title(const std::string& task) {
    static const std::map<std::string, std::string> titles = {
        {"babi4", "bAbI 4, two-argument relations"}, {"babi15", "bAbI 15, basic deduction"},
        {"babi16", "bAbI 16, basic induction"},      {"babi18", "bAbI 18, size reasoning"},
        {"babi19", "bAbI 19, path finding"},         {"shortest-path", "Shortest path"},
        {"eulerian-circuit", "Eulerian circuit"}};
    const auto at = titles.find(task);
    return at == titles.end() ? task : at->second;
}

std::string model_title(const std::string& model) {
    if (model == "ggnn") return "GG-NN";
    if (model == "ggsnn") return "GGS-NN";
    return model == "rnn" ? "RNN" : model == "lstm" ? "LSTM" : model;
}

void keep_section(const std::string& folder, const ReportSection& section) {
    GGSNN_ASSERT(!section.id.empty() && section.id.find('/') == std::string::npos);
    std::filesystem::create_directories(folder + "/sections");
    const Json json = {{"title", section.title}, {"html", section.html}, {"results", section.results}};
    write_file(fmt::format("{}/sections/{}.json", folder, section.id), json.dump(1));
}

std::vector<ReportSection> kept_sections(const std::string& folder) {
    std::vector<ReportSection> sections;
    if (!std::filesystem::is_directory(folder + "/sections")) return sections;
    for (const auto& entry : std::filesystem::directory_iterator(folder + "/sections")) {
        if (entry.path().extension() != ".json") continue;
        const Json json = parse_json(read_file(entry.path().string()), {entry.path().string(), 0});
        sections.push_back(
            {entry.path().stem().string(), json.at("title"), json.at("html"), json.at("results")});
    }
    std::sort(sections.begin(), sections.end(),
              [](const ReportSection& a, const ReportSection& b) { return a.id < b.id; });
    return sections;
}

std::string make_page(const std::vector<ReportSection>& sections, const std::string& command) {
    std::string html = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\">"
        "<title>ggsnn: the paper's experiments</title><style>{}</style></head><body>\n<h1>Gated graph "
        "sequence neural networks: the paper's experiments, run again</h1>\n"
        "<p>Made by <code>{}</code> from all finished runs in the folder. {}</p>\n",
        style, escape_html(command), introduction);
    for (const ReportSection& s : sections)
        html += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", escape_html(s.id),
                            escape_html(s.title), s.html);
    return html + "</body></html>\n";
}

void write_report(const std::string& folder, const ExperimentOptions& options, const std::string& command) {
    const std::vector<Row> rows = finished_rows(options);
    ContractionOptions contraction;
    contraction.seed = options.seed;
    std::vector<ReportSection> sections = table_sections(rows);
    append(sections, size_sections(finished_sizes(options)));
    append(sections, contraction_sections(finished_contraction(contraction, options.cache)));
    append(sections, kept_sections(folder));
    append(sections, failure_sections(rows));
    append(sections, curve_sections(rows));
    Json results = Json::array();
    for (const ReportSection& s : sections)
        for (const Json& entry : s.results) results.push_back(entry);
    write_file(folder + "/results.json", results.dump(1) + "\n");
    write_file(folder + "/index.html", make_page(sections, command));
}

} // namespace ggsnn
