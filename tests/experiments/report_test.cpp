// The report: sections made of what is finished in a folder, whichever commands finished it.
#include "ggsnn/experiments/report.hpp"

#include "folder.hpp"
#include "ggsnn/base/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace ggsnn {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The result of a unit as versions before tables and data were noted left it.
Json unit_json(double accuracy, const std::string& circumstances) {
    return {{"accuracy", accuracy},
            {"step_accuracy", accuracy + 1.25},
            {"seconds", 2.0},
            {"parameters", 10},
            {"curve", {{100.0, 0.5}}},
            {"failures", {"line 3: s C: A (expected <B>)"}},
            {"test", "0"},
            {"circumstances", circumstances}};
}

class ReportFolder : public ::testing::Test {
  protected:
    ReportFolder() { options_.cache = folder_ / "runs"; }

    std::string circumstances(const Unit& unit, std::uint64_t seed = 1) {
        return unit_options(unit, seed).to_json().dump() + " 0123";
    }
    void put(const Unit& unit, Json json) {
        std::filesystem::create_directories(options_.cache);
        write_file(options_.cache + "/" + unit.key() + ".json", json.dump());
    }
    Json results() { return Json::parse(read_file(folder_ / "results.json")); }
    std::string page() { return read_file(folder_ / "index.html"); }

    testing::Folder folder_;
    ExperimentOptions options_;
};

TEST_F(ReportFolder, IsMadeOfEveryFinishedUnit) {
    for (int fold : {1, 2, 10}) {
        const Unit unit{"babi19", "ggsnn", 50, fold};
        put(unit, unit_json(90 + fold, circumstances(unit)));
    }
    const Unit baseline{"babi15", "lstm", 950, 1};
    put(baseline, unit_json(48, circumstances(baseline)));
    write_report(folder_.path(), options_, "ggsnn reproduce contraction");
    const Json found = results();
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0]["table"], "table1");
    EXPECT_EQ(found[0]["task"], "babi15");
    EXPECT_EQ(found[1]["table"], "table3");
    EXPECT_EQ(found[1]["folds"], Json({91.0, 92.0, 100.0})) << "by number, not by name";
    EXPECT_EQ(found[1]["paper"], 71.1);
    EXPECT_THAT(page(), HasSubstr("Single outputs, %"));
    EXPECT_THAT(page(), HasSubstr("<td>95.58</td>")) << "single outputs beside whole sequences";
    // Baselines show what they got wrong, with the right answer beside.
    EXPECT_THAT(page(), HasSubstr("bAbI 15, basic deduction, LSTM, 950 stories: 48.00% right"));
    EXPECT_THAT(page(), HasSubstr("<td><code>line 3: s C</code></td><td><code>A</code></td>"
                                  "<td><code>&lt;B&gt;</code></td>"));
    for (const char* outside : {"<script", "<link", "src=", "href=\"h", "href=\"/", "@import"})
        EXPECT_THAT(page(), Not(HasSubstr(outside)));
    // What came of it stands first; of a table without graph networks nothing is said of them.
    EXPECT_THAT(page(), HasSubstr("<a href=\"#table1\">Table 1: single outputs</a>: 1 of 1 rows at or above "
                                  "the paper's figures</li>"));
    EXPECT_LT(page().find("In short"), page().find("<section id=\"table1\">"));
}

TEST_F(ReportFolder, IsTheSameForTheSameCommand) {
    for (int fold : {3, 1, 2}) {
        const Unit unit{"babi4", "rnn", 50, fold};
        put(unit, unit_json(70 + fold, circumstances(unit)));
    }
    write_report(folder_.path(), options_, "c");
    const std::string first = page(), json = read_file(folder_ / "results.json");
    write_report(folder_.path(), options_, "c");
    EXPECT_EQ(page(), first);
    EXPECT_EQ(read_file(folder_ / "results.json"), json);
}

// Units of one line were made alike: other seeds or stories do not mix into it.
TEST_F(ReportFolder, DoesNotMixSeeds) {
    for (int fold : {1, 2, 3}) {
        const Unit unit{"babi4", "rnn", 50, fold};
        put(unit, unit_json(70 + fold, circumstances(unit, fold == 3 ? 2 : 1)));
    }
    write_report(folder_.path(), options_, "c");
    EXPECT_EQ(results()[0]["folds"], Json({71.0, 72.0}));
    options_.seed = 2;
    write_report(folder_.path(), options_, "c");
    EXPECT_EQ(results()[0]["folds"], Json({73.0})) << "what was asked for comes first";
    options_.seed = 3;
    write_report(folder_.path(), options_, "c");
    EXPECT_EQ(results()[0]["folds"], Json({71.0, 72.0})) << "otherwise the most";
}

TEST_F(ReportFolder, SizesOfATableEndWhereItIsSolvedUnlessTheUnitsSayTheirTables) {
    for (int size : {50, 100, 250, 500}) {
        const Unit unit{"babi4", "rnn", size, 1};
        put(unit, unit_json(size >= 100 ? 96 : 70, circumstances(unit)));
    }
    write_report(folder_.path(), options_, "c");
    std::map<std::string, std::vector<int>> sizes;
    for (const Json& r : results()) sizes[r["table"]].push_back(r["train"]);
    EXPECT_EQ(sizes["table1"], (std::vector<int>{50, 100}));
    EXPECT_EQ(sizes["table2"], (std::vector<int>{50, 100, 250, 500}));
    for (int size : {50, 100, 250, 500}) {
        const Unit unit{"babi4", "rnn", size, 1};
        Json json = unit_json(70, circumstances(unit));
        json["tables"] = {size == 250 ? "table1" : "sizes"};
        json["data"] = "generated";
        put(unit, json);
    }
    write_report(folder_.path(), options_, "c");
    ASSERT_EQ(results().size(), 1u);
    EXPECT_EQ(results()[0]["table"], "table1");
    EXPECT_EQ(results()[0]["train"], 250);
}

TEST_F(ReportFolder, KeepsSectionsOfOthers) {
    keep_section(folder_.path(), {"programs", "Programs <x>", "<p>three proved</p>", Json::array()});
    keep_section(folder_.path(), {"heap", "Heap shapes", "<p>old</p>", Json::array()});
    keep_section(folder_.path(),
                 {"heap", "Heap shapes", "<p>new</p>", {{{"table", "heap"}, {"mean", 89.5}}}});
    write_report(folder_.path(), options_, "c");
    EXPECT_THAT(page(), HasSubstr("<h2>Programs &lt;x&gt;</h2>\n<p>three proved</p>"));
    EXPECT_THAT(page(), HasSubstr("<p>new</p>"));
    EXPECT_THAT(page(), Not(HasSubstr("<p>old</p>")));
    EXPECT_LT(page().find("<p>new</p>"), page().find("three proved")) << "by id";
    ASSERT_EQ(results().size(), 1u);
    EXPECT_EQ(results()[0]["mean"], 89.5);
}

TEST_F(ReportFolder, ContractionIsCachedAndFollowsTheSeed) {
    ContractionOptions options;
    options.distance = 3;
    options.updates = 40;
    options.rhos = {0.5};
    ThreadPool pool(2);
    Progress progress(true);
    run_contraction(options, options_.cache, pool, progress);
    const auto first = finished_contraction(options, options_.cache);
    ASSERT_EQ(first.size(), 6u);
    EXPECT_EQ(first[0].network, "gnn-linear-random");
    ASSERT_EQ(first[0].influence.size(), 3u);
    // A mark that only a kept result has.
    const std::string path = options_.cache + "/contraction/ggnn-trained.json";
    Json saved = Json::parse(read_file(path));
    saved["influence"][2] = 77;
    write_file(path, saved.dump());
    run_contraction(options, options_.cache, pool, progress);
    EXPECT_EQ(finished_contraction(options, options_.cache).back().influence[2], 77);
    options.seed = 2;
    run_contraction(options, options_.cache, pool, progress);
    const auto other = finished_contraction(options, options_.cache);
    ASSERT_EQ(other.size(), 6u);
    EXPECT_NE(other.back().influence[2], 77);
    EXPECT_NE(other[0].influence, first[0].influence);

    const auto sections = contraction_sections(other);
    ASSERT_EQ(sections.size(), 1u);
    EXPECT_EQ(sections[0].results.size(), 6u);
    EXPECT_EQ(sections[0].results[0]["table"], "contraction");
    EXPECT_EQ(sections[0].results[0]["influence"].size(), 3u);
}

TEST(Plot, LegendEntriesDoNotOverlap) {
    Chart chart;
    for (const char* name :
         {"a rather long name of a curve", "another long name of a curve", "short", "x", "y"})
        chart.curves.push_back({name, {{1, 1}, {2, 2}}});
    const std::string svg = draw_svg(chart);
    // Of each entry the place of its box and the length of its text.
    std::map<double, double> free_from; // by line: where the last entry's text ends
    int entries = 0;
    for (std::size_t at = svg.find("height=\"4\""); at != std::string::npos;
         at = svg.find("height=\"4\"", at + 1)) {
        const std::size_t begin = svg.rfind("<rect x=\"", at);
        const double x = std::stod(svg.substr(begin + 9)),
                     y = std::stod(svg.substr(svg.find("y=\"", begin) + 3));
        const std::size_t text = svg.find('>', svg.find("<text", at)) + 1;
        const std::string name = svg.substr(text, svg.find('<', text) - text);
        EXPECT_GE(x, free_from[y]) << name;
        free_from[y] = x + 16 + 5.5 * static_cast<double>(name.size());
        EXPECT_LE(free_from[y], chart.width) << name;
        EXPECT_LT(y, chart.height) << name;
        ++entries;
    }
    EXPECT_EQ(entries, 5);
}

} // namespace
} // namespace ggsnn
