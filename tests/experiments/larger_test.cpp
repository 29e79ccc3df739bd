// The table of larger graphs: resumed, and with the figures that its jobs found.
#include "ggsnn/experiments/larger.hpp"

#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/experiments/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using ::testing::HasSubstr;

TEST(LargerGraphs, MakeATableThatIsResumed) {
    const testing::Folder folder;
    LargerOptions options;
    options.folder = folder.path();
    options.quick = true;
    options.folds = {1};
    options.tasks = {"mis", "eulerian-circuit"};
    options.updates = 250;
    ThreadPool pool(2);
    Progress progress(true);
    run_larger(options, pool, progress);
    const auto first = kept_sections(folder.path());
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0].id, "larger");
    ASSERT_EQ(first[0].results.size(), 3u) << "sets with hints and without, circuits with";
    for (const Json& r : first[0].results) {
        EXPECT_EQ(r["table"], "larger");
        for (const Json& p : r["points"])
            if (r["hints"].get<bool>()) EXPECT_EQ(p["whole"], 100.0) << r["task"] << p;
    }
    EXPECT_THAT(first[0].html, HasSubstr("<th>160</th>"));
    EXPECT_THAT(first[0].html, HasSubstr("<th>x 10</th>"));
    EXPECT_THAT(first[0].html, HasSubstr("<td>mis</td><td class='text'>delaunay</td><td><b>100.0</b></td>"));
    // What is finished is taken as it is.
    const std::string path = folder / "runs/larger.mis.hints.fold1.json";
    Json changed = Json::parse(read_file(path));
    changed["points"][0]["nodes"] = 12.0;
    write_file(path, changed.dump());
    run_larger(options, pool, progress);
    EXPECT_THAT(kept_sections(folder.path())[0].html, HasSubstr("<td>12.0</td>"));
}

} // namespace
} // namespace ggsnn
