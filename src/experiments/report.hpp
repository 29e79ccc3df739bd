// The report of `ggsnn reproduce`: one HTML file that needs nothing else, and one JSON file, made of
// sections. The sections about the paper's tables, larger graphs and appendix A are made of the finished
// jobs in the folder, whichever commands ran them. Other parts of the program give their sections as they
// are, and they are kept in the folder:
//
//   keep_section(folder, {"heap", "Heap shapes", "<p>..</p><table>..</table>" + draw_svg(chart), results});
//   write_report(folder, options, command);
#pragma once

#include "ggsnn/experiments/contraction.hpp"
#include "ggsnn/experiments/sizes.hpp"
#include "ggsnn/show/plot.hpp"

namespace ggsnn {

struct ReportSection {
    std::string id;               // a word; sections that are kept are told apart and ordered by it
    std::string title;            // plain text
    std::string html;             // what stands below the title: HTML and SVG that refer to nothing outside
    Json results = Json::array(); // elements of results.json; each has its "table"
    std::string summary = {};     // what came of it, in one sentence of plain text; empty: none
};

// Stores a section in the folder, in place of one with the same id.
void keep_section(const std::string& folder, const ReportSection& section);
std::vector<ReportSection> kept_sections(const std::string& folder);

// Empty where there is nothing to show.
std::vector<ReportSection> table_sections(const std::vector<Row>& rows);
std::vector<ReportSection> size_sections(const std::vector<SizePoint>& points);
std::vector<ReportSection> contraction_sections(const std::vector<InfluenceCurve>& curves);
// What was answered wrong, and learning curves.
std::vector<ReportSection> failure_sections(const std::vector<Row>& rows);
std::vector<ReportSection> curve_sections(const std::vector<Row>& rows);

// Names for people.
std::string task_title(const std::string& task);
std::string model_title(const std::string& model);

// The page: what came of each section first, then contents, then the sections. command: the last that added
// to the folder, for the reader.
std::string make_page(const std::vector<ReportSection>& sections, const std::string& command);

// folder/index.html and folder/results.json of all that is finished in the folder. The same folder and
// command give the same bytes.
void write_report(const std::string& folder, const ExperimentOptions& options, const std::string& command);

} // namespace ggsnn
