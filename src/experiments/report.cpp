#include "ggsnn/experiments/report.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/html.hpp"
#include "ggsnn/base/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace ggsnn {

namespace {

// A table of programs has long formulas: on small screens each row is a block of its own.
constexpr const char* report_style = R"(
.programs { width: 100%; table-layout: fixed; } .programs td { text-align: left; } .programs th { text-align: left; }
.programs col.name { width: 13rem; } .programs col.small { width: 5.5rem; } .programs td.invariants { line-height: 1.8; }
@media (max-width: 760px) {
  .programs, .programs tbody, .programs tr, .programs td { display: block; width: auto; } .programs thead { display: none; }
  .programs tr { border-bottom: 1px solid var(--edge); padding: .5rem 0; } .programs td { border: 0; padding: .1rem 0; }
  .programs td:empty { display: none; } .programs td[data-label]::before { content: attr(data-label) ' '; color: var(--soft); }
}
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
    const Json json = {{"title", section.title},
                       {"html", section.html},
                       {"results", section.results},
                       {"summary", section.summary}};
    write_file(fmt::format("{}/sections/{}.json", folder, section.id), json.dump(1));
}

std::vector<ReportSection> kept_sections(const std::string& folder) {
    std::vector<ReportSection> sections;
    if (!std::filesystem::is_directory(folder + "/sections")) return sections;
    for (const auto& entry : std::filesystem::directory_iterator(folder + "/sections")) {
        if (entry.path().extension() != ".json") continue;
        const Json json = parse_json(read_file(entry.path().string()), {entry.path().string(), 0});
        sections.push_back({entry.path().stem().string(), json.at("title"), json.at("html"),
                            json.at("results"), json.value("summary", "")});
    }
    std::sort(sections.begin(), sections.end(),
              [](const ReportSection& a, const ReportSection& b) { return a.id < b.id; });
    return sections;
}

std::string make_page(const std::vector<ReportSection>& sections, const std::string& command) {
    std::string html = "<h1>Gated graph sequence neural networks: the paper's experiments, run again</h1>\n";
    std::string summary, contents;
    for (const ReportSection& s : sections) {
        if (!s.summary.empty())
            summary += fmt::format("<li><a href=\"#{}\">{}</a>: {}</li>\n", escape_html(s.id),
                                   escape_html(s.title), escape_html(s.summary));
        contents += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escape_html(s.id), escape_html(s.title));
    }
    if (!summary.empty())
        html += "<section class=\"contents\"><h2>In short</h2>\n<ul style=\"columns:auto\">\n" + summary +
                "</ul></section>\n";
    html += fmt::format("<p>{}</p>\n", introduction);
    if (sections.size() > 1)
        html += "<nav class=\"contents\" aria-label=\"Contents\"><h2>Contents</h2>\n<ol>\n" + contents +
                "</ol></nav>\n";
    for (const ReportSection& s : sections)
        html += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", escape_html(s.id),
                            escape_html(s.title), s.html);
    html += fmt::format(
        "<p class=\"note\">Of all finished runs in the folder, whichever commands made them; the last was "
        "<code>{}</code>.</p>\n",
        escape_html(command));
    return html_page("ggsnn: the paper's experiments", html, report_style);
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
