// Graphs with answers of every kind, from JSON lines to a model to its answers; molecules with gaps; and
// files far larger than the memory that reading them takes.
#include "ggsnn/base/json.hpp"
#include "ggsnn/base/random.hpp"
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstdlib>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;

// Four named nodes: start -r-> a -s-> b, and a fourth node c with an edge to itself of either type. Features:
// one number a node.
struct Sample {
    std::vector<std::string> names;
    std::string loop;
    std::vector<int> x;
    Json graph() const {
        Json rows = Json::array();
        for (int v : x) rows.push_back({v});
        return {{"nodes", names},
                {"edges",
                 {{names[at[0]], "r", names[at[1]]},
                  {names[at[1]], "s", names[at[2]]},
                  {names[at[3]], loop, names[at[3]]}}},
                {"features", rows}};
    }
    std::vector<int> at = {0, 1, 2, 3}; // where start, a, b, c are
};

Sample draw(Random& random) {
    Sample s;
    for (int v = 0; v < 4; ++v) {
        s.names.push_back("n" + std::to_string(random.below(1000000)));
        s.x.push_back(static_cast<int>(random.below(2)));
    }
    s.loop = random.chance(0.5) ? "r" : "s";
    random.shuffle(s.at);
    return s;
}

Json answer(const std::string& kind, const Sample& s, Random& random) {
    const auto name = [&](int i) { return s.names[s.at[i]]; };
    const int ones = s.x[0] + s.x[1] + s.x[2] + s.x[3];
    Json list = Json::array();
    if (kind == "node") return name(1);
    if (kind == "class") return s.loop == "r" ? "round" : "square";
    if (kind == "numbers")
        return random.chance(0.2) ? Json::array({nullptr, 10 - ones})
                                  : Json::array({100 + 3 * ones, 10 - ones});
    if (kind == "nodes") return Json::array({name(0), name(1)});
    if (kind == "classes") return s.loop == "r" ? Json::array({"up", "down"}) : Json::array({"down"});
    for (int v = 0; v < 4; ++v) {
        const bool missing = random.chance(0.2);
        const int role = static_cast<int>(std::find(s.at.begin(), s.at.end(), v) - s.at.begin());
        if (kind == "node_classes") list.push_back(missing ? Json() : Json(role == 2 ? "last" : "other"));
        if (kind == "node_numbers") list.push_back({missing ? Json() : Json(5 * s.x[v] + 1), 2});
    }
    return list;
}

std::string graphs(const std::string& kind, std::uint64_t seed, int count, bool answers = true) {
    Random random(seed);
    std::string text;
    for (int i = 0; i < count; ++i) {
        const Sample s = draw(random);
        Json line = s.graph();
        line["question"]["arguments"] = {s.names[s.at[0]]};
        if (answers) line["question"]["answer"][kind] = answer(kind, s, random);
        text += line.dump() + "\n";
    }
    return text;
}

class Kinds : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, Kinds,
                         ::testing::Values("node", "class", "numbers", "node_classes", "node_numbers",
                                           "nodes", "classes"),
                         [](const auto& instance) { return std::string(instance.param); });

// What is measured suits the kind of answer; a perfect model has perfect figures.
void expect_figures(const std::string& kind, const Json& result, const std::string& text) {
    if (kind == "numbers" || kind == "node_numbers") {
        EXPECT_GT(result["r2"][0].get<double>(), 0.9);
        EXPECT_GT(result["mean_predictor_mae"][0].get<double>(), 2 * result["mae"][0].get<double>());
        EXPECT_GE(result["rmse"][0].get<double>(), result["mae"][0].get<double>());
        EXPECT_THAT(text, HasSubstr("MAE of the mean alone"));
        if (kind == "node_numbers") {
            EXPECT_TRUE(result["r2"][1].is_null()) << "always 2";
            EXPECT_THAT(text, HasSubstr(" - "));
        }
        return;
    }
    EXPECT_LT(result["log_loss"].get<double>(), 0.5);
    if (kind == "node_classes") {
        EXPECT_EQ(result["graph_accuracy"], 1.0);
        EXPECT_LT(result["nodes"], 400) << "some have no label";
        EXPECT_GT(result["nodes"], 250);
    }
    if (kind == "node" || kind == "nodes") {
        EXPECT_EQ(result["mean_reciprocal_rank"], 1.0);
        return;
    }
    EXPECT_EQ(result["macro"]["f1"], 1.0);
    EXPECT_EQ(result["macro"]["roc_auc"], 1.0);
    EXPECT_EQ(result["micro"]["precision"], 1.0);
    EXPECT_EQ(result["confusion"].size(), result["classes"].size());
    EXPECT_THAT(text, HasSubstr("macro "));
}

// One file, with what belongs to the kind of answer.
void expect_page(const std::string& kind, const std::string& page) {
    EXPECT_THAT(page, ::testing::StartsWith("<!doctype html>"));
    EXPECT_THAT(page, HasSubstr("The worst answers"));
    for (const char* never : {"src=", "href=", "nan", "NaN", "inf\""})
        EXPECT_EQ(page.find(never), std::string::npos);
    const bool numbers = kind == "numbers" || kind == "node_numbers";
    const bool classes = kind == "class" || kind == "classes" || kind == "node_classes";
    for (const auto& [part, wanted] : {std::pair("answered against true", numbers),
                                       {"Output 0: errors", numbers},
                                       {"Confusion", classes},
                                       {"ROC, one class against the rest", classes},
                                       {"Calibration", !numbers}})
        EXPECT_EQ(page.find(part) != std::string::npos, wanted) << part;
    std::size_t graphs = 0;
    for (std::size_t at = page.find("<figure><svg"); at != std::string::npos;
         at = page.find("<figure><svg", at + 1))
        ++graphs;
    EXPECT_EQ(graphs, 6u);
}

TEST_P(Kinds, AreLearnedFromJsonLines) {
    const std::string kind = GetParam();
    const bool numbers = kind == "numbers" || kind == "node_numbers";
    const Folder folder;
    folder.put("train", graphs(kind, 1, 250));
    folder.put("test", graphs(kind, 2, 100));
    folder.put("ask", graphs(kind, 3, 5, false));
    must({"train", folder / "train", "-o", folder / "model", "--updates", "500", "--restarts", "3",
          "--learning-rate", "0.01", "--batch", "10", "--quiet"});
    const Json result = Json::parse(must({"evaluate", folder / "model", folder / "test", "--json"}));
    EXPECT_EQ(result["count"], 100);
    if (numbers) {
        ASSERT_EQ(result["mae"].size(), 2u);
        EXPECT_FALSE(result.contains("accuracy"));
        EXPECT_LT(result["mae"][0].get<double>(), 0.4);
        EXPECT_LT(result["mae"][1].get<double>(), 0.2);
    } else {
        EXPECT_EQ(result["accuracy"], 1.0) << result;
    }
    const std::string text = must({"evaluate", folder / "model", folder / "test", "--html", folder / "page"});
    EXPECT_THAT(text, HasSubstr(numbers ? "mean absolute error" : "accuracy 100.00% on "));
    EXPECT_THAT(text, HasSubstr(" 100 questions\n"));
    EXPECT_EQ(text.find("nan"), std::string::npos);
    expect_figures(kind, result, text);
    expect_page(kind, read_file(folder / "page"));
    EXPECT_EQ(lines_of(must({"predict", folder / "model", folder / "ask"})), 5);
    // Answers as they are printed are answers as they are read: asked again, all of them are right.
    Random random(3);
    const std::string predicted = must({"predict", folder / "model", folder / "ask", "--json"});
    EXPECT_EQ(lines_of(predicted), 5);
    std::string again;
    std::size_t from = 0;
    const std::string asked = read_file(folder / "ask");
    for (std::size_t begin = 0; begin < asked.size();) {
        const std::size_t end = asked.find('\n', begin), to = predicted.find('\n', from);
        Json line = Json::parse(asked.substr(begin, end - begin));
        line["question"]["answer"][kind] = Json::parse(predicted.substr(from, to - from))["answer"];
        again += line.dump() + "\n";
        begin = end + 1;
        from = to + 1;
    }
    folder.put("again", again);
    const Json perfect = Json::parse(must({"evaluate", folder / "model", folder / "again", "--json"}));
    if (numbers) {
        EXPECT_LT(perfect["mae"][0].get<double>(), 1e-4);
    } else {
        EXPECT_EQ(perfect["accuracy"], 1.0);
    }
    must({"info", folder / "model"});
}

std::string molecules(std::uint64_t seed, int count, bool with_second) {
    Random random(seed);
    std::string text;
    for (int i = 0; i < count; ++i) {
        const int nodes = 2 + static_cast<int>(random.below(4));
        Json graph = Json::array(), features = Json::array();
        int heavy = 0;
        for (int v = 0; v < nodes; ++v) {
            const int kind = static_cast<int>(random.below(2));
            heavy += kind;
            features.push_back({1 - kind, kind, 6 * kind});
            if (v > 0) graph.push_back({v - 1, 1 + random.below(3), v});
        }
        const Json targets = Json::array(
            {{heavy}, with_second && random.chance(0.7) ? Json{0.5 * nodes} : Json(nullptr), {7}});
        text += Json{{"graph", graph}, {"node_features", features}, {"targets", targets}}.dump() + "\n";
    }
    return text;
}

TEST(Molecules, AreLearnedWithMissingTargets) {
    const Folder folder;
    const std::string text = molecules(1, 300, true);
    gzFile out = gzopen((folder / "train.gz").c_str(), "wb");
    gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
    gzclose(out);
    folder.put("test", molecules(2, 80, true));
    folder.put("gaps", molecules(3, 80, false));
    must({"train", folder / "train.gz", "-o", folder / "model", "--updates", "400", "--state", "16",
          "--learning-rate", "0.01", "--quiet"});
    const Json result = Json::parse(must({"evaluate", folder / "model", folder / "test", "--json"}));
    ASSERT_EQ(result["mae"].size(), 3u);
    EXPECT_LT(result["mae"][0].get<double>(), 0.3);
    EXPECT_LT(result["mae"][1].get<double>(), 0.2);
    EXPECT_LT(result["mae"][2].get<double>(), 0.1);
    EXPECT_EQ(result["by_question_type"]["targets"]["count"], 80);
    // A target that no molecule has.
    const Json gaps = Json::parse(must({"evaluate", folder / "model", folder / "gaps", "--json"}));
    EXPECT_TRUE(gaps["mae"][1].is_null());
    EXPECT_THAT(must({"evaluate", folder / "model", folder / "gaps"}), HasSubstr("mean absolute error "));
    // A model of some of the targets reads the same files.
    must({"train", folder / "train.gz", "-o", folder / "some", "--target", "0", "--updates", "100", "--state",
          "8", "--quiet"});
    EXPECT_EQ(Json::parse(must({"evaluate", folder / "some", folder / "test", "--json"}))["mae"].size(), 1u);
}

TEST(Memory, DoesNotGrowWithTheFile) {
    // The address sanitizer, where there is one, keeps what was freed: by default up to 256 MB.
    ::setenv("ASAN_OPTIONS", "quarantine_size_mb=1", 0);
    const Folder folder;
    must({"generate", "babi4", "--count", "100", "-o", folder / "train"});
    must(
        {"train", folder / "train", "-o", folder / "model", "--updates", "20", "--restarts", "1", "--quiet"});
    long peaks[2][2] = {};
    const char* const counts[] = {"4000", "200000"};
    for (int i = 0; i < 2; ++i) {
        must({"generate", "babi4", "--count", counts[i], "-o", folder / "data"});
        const Result evaluate = run({"evaluate", folder / "model", folder / "data"});
        const Result predict = run({"predict", folder / "model", folder / "data"});
        ASSERT_EQ(evaluate.code, 0) << evaluate.err;
        EXPECT_THAT(evaluate.out, HasSubstr(std::string("on ") + counts[i] + " questions"));
        ASSERT_EQ(predict.code, 0) << predict.err;
        peaks[i][0] = evaluate.peak;
        peaks[i][1] = predict.peak;
    }
    // The large file's graphs alone would take some 200 MB.
    EXPECT_LT(peaks[1][0], peaks[0][0] + 10000);
    EXPECT_LT(peaks[1][1], peaks[0][1] + 10000);
}

} // namespace
} // namespace ggsnn
