// The paper's protocol: selection never sees test data, finished runs are kept, the report says what was run.
#include "ggsnn/experiments/experiment.hpp"

#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/experiments/report.hpp"
#include "ggsnn/tasks/generate.hpp"
#include "ggsnn/tasks/story.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace ggsnn {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ExperimentOptions options_in(const std::string& folder, const std::string& data) {
    ExperimentOptions options;
    options.tables = {"table1"};
    options.models = {"ggnn"};
    options.folds = {1};
    options.data = data;
    options.cache = folder + "/runs";
    options.quick = true;
    return options;
}

// Every answer of the file's stories moved on by one question.
void rotate_answers(const std::string& path) {
    std::vector<Story> stories;
    StoryReader reader(path);
    Story story;
    std::vector<std::vector<std::string>> answers;
    while (reader.next(story)) {
        for (const Question& q : story.questions) answers.push_back(q.answer);
        stories.push_back(story);
    }
    std::string text;
    std::size_t next = 1;
    for (Story& s : stories) {
        for (Question& q : s.questions) q.answer = answers[next++ % answers.size()];
        write_story(text, s);
        text += '\n';
    }
    write_file(path, text);
}

TEST(Experiment, TestAnswersDoNotChangeTheChosenNetwork) {
    const ggsnn::testing::Folder folder;
    const std::string honest = folder / "honest", shuffled = folder / "shuffled";
    for (const char* task : {"babi4", "babi15", "babi16", "babi18"}) {
        for (const std::string& data : {honest, shuffled}) generate_fold(data, task, 1);
        // The fear, colour or place must exist in the story it is moved to: only the true-or-false task
        // allows it.
        if (std::string(task) == "babi18") rotate_answers(fold_files(shuffled, task, 1).test);
    }
    ThreadPool pool(2);
    Progress progress(true);
    const auto a = run_experiment(options_in(folder / "a", honest), pool, progress);
    const auto b = run_experiment(options_in(folder / "b", shuffled), pool, progress);
    ASSERT_EQ(a.size(), 4u);
    ASSERT_EQ(b.size(), 4u);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const std::string key = Unit{a[i].task, "ggnn", 50, 1}.key();
        const bool same = read_file(folder / ("a/runs/" + key + ".ggsnn")) ==
                          read_file(folder / ("b/runs/" + key + ".ggsnn"));
        EXPECT_TRUE(same) << key;
        EXPECT_GE(a[i].mean(), 99.5) << key;
        if (a[i].task == "babi18") {
            EXPECT_LT(b[i].mean(), 80) << "shuffled answers were not looked at in the test";
        }
    }
}

TEST(Experiment, FinishedRunsAreKeptAndOthersRunAgain) {
    const ggsnn::testing::Folder folder;
    ExperimentOptions options = options_in(folder / "run", "");
    ThreadPool pool(2);
    Progress progress(true);
    const auto first = run_experiment(options, pool, progress);
    const std::string path = options.cache + "/babi15.ggnn.50.fold1.json";
    Json saved = Json::parse(read_file(path));
    saved["accuracy"] = 12.5; // a mark that only a kept result has
    write_file(path, saved.dump());
    const auto again = run_experiment(options, pool, progress);
    ASSERT_EQ(again[1].task, "babi15");
    EXPECT_EQ(again[1].mean(), 12.5);
    EXPECT_EQ(Json::parse(read_file(path))["tables"], Json({"table1"}));
    EXPECT_EQ(finished_rows(options)[1].mean(), 12.5);
    options.seed = 2; // other circumstances: not the same run
    EXPECT_GE(run_experiment(options, pool, progress)[1].mean(), 99.5);
}

TEST(Experiment, ResultsHaveTheDocumentedShape) {
    Row row{"table3", "babi19", "ggsnn", 50, {}, 71.1, 14.7};
    for (double accuracy : {99.0, 100.0}) {
        UnitResult result;
        result.accuracy = accuracy;
        result.seconds = 2;
        result.single = accuracy - 9;
        result.effort = {"D = 12, 5 steps", 1, 10, 10, 5, false, 0.2, 50};
        result.parameters = 5 * 300;
        result.overlap = {accuracy < 100, 1000, 20, 480, {7, accuracy < 100 ? 8u : 9u}, true};
        result.fold = accuracy < 100 ? 3 : 4;
        result.curve = {{100, 0.5}, {200, 0.1}};
        if (accuracy < 100) result.failures = {"line 5: path A B: n,<n> (expected n,e)"};
        row.folds.push_back(result);
    }
    const Json json = to_json(std::vector<Row>{row});
    ASSERT_EQ(json.size(), 1u);
    EXPECT_EQ(json[0]["table"], "table3");
    EXPECT_EQ(json[0]["train"], 50);
    EXPECT_EQ(json[0]["folds"], Json({99.0, 100.0}));
    EXPECT_DOUBLE_EQ(json[0]["mean"].get<double>(), 99.5);
    EXPECT_NEAR(json[0]["std"].get<double>(), 0.70710678, 1e-7);
    EXPECT_EQ(json[0]["seconds"], 4.0);
    EXPECT_EQ(json[0]["single"], 90.5);
    EXPECT_EQ(json[0]["runs"], 10);
    EXPECT_EQ(json[0]["problems"], 3) << "of all folds together";
    EXPECT_EQ(json[0]["seen"], 48.0);
    EXPECT_EQ(json[0]["copied"], 2.0);
    EXPECT_EQ(json[0]["same_files"], Json({3}));
    EXPECT_EQ(json[0]["paper"], 71.1);

    const std::vector<SizePoint> sizes = {{"babi15", "as trained", 2, {98.0, 98.5}, 1}};
    const Json larger = to_json(sizes);
    ASSERT_EQ(larger.size(), 1u);
    EXPECT_EQ(larger[0]["table"], "sizes");
    EXPECT_EQ(larger[0]["task"], "babi15 x 2") << "not taken for the table's row";
    EXPECT_EQ(larger[0]["mean"], 98.25);
    EXPECT_EQ(larger[0]["folds"], Json({98.0, 98.5}));

    std::string html;
    for (const auto& list :
         {table_sections({row}), size_sections(sizes), failure_sections({row}), curve_sections({row})}) {
        ASSERT_EQ(list.size(), 1u);
        html += make_page(list, "ggsnn reproduce <table3>");
    }
    EXPECT_THAT(html, HasSubstr("99.50 ± 0.71 †"));
    EXPECT_THAT(html, HasSubstr("† bAbI 19, path finding: in fold 3 the test file is the training file."));
    EXPECT_THAT(html, HasSubstr("<td>90.50</td>")) << "the single run";
    EXPECT_THAT(html, HasSubstr("<td>3</td><td>48.0</td><td>2.0</td>"));
    EXPECT_THAT(html,
                HasSubstr("D = 12, 5 steps, 300 parameters; 10 runs, of which 5 answer together; L1 0.2; "
                          "selected on 50 further stories"));
    EXPECT_THAT(html, HasSubstr("71.1 ± 14.7"));
    EXPECT_THAT(html, HasSubstr("98.25"));
    EXPECT_THAT(html, HasSubstr("&lt;table3&gt;"));
    EXPECT_THAT(html, HasSubstr("<code>n,&lt;n&gt;</code></td><td><code>n,e</code>"));
    EXPECT_THAT(html, HasSubstr("<polyline"));
    for (const char* outside : {"<script", "<link", "src=", "http:", "https:", "@import"})
        EXPECT_EQ(html.find(outside) == std::string::npos ||
                      html.find(outside) == html.find("http://www.w3.org/2000/svg"),
                  true)
            << outside;
}

} // namespace
} // namespace ggsnn
