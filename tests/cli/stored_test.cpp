// Model files of earlier versions (tests/stored) stay readable, and answer what they answered.
#include "ggsnn/base/json.hpp"
#include "process.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;

// The same JSON, with numbers that machines may round differently.
void expect_same(const Json& a, const Json& b, const std::string& where) {
    if (a.is_number_float() || b.is_number_float()) {
        EXPECT_NEAR(a.get<double>(), b.get<double>(), 1e-5 * (1 + std::abs(b.get<double>()))) << where;
        return;
    }
    ASSERT_EQ(a.type(), b.type()) << where;
    ASSERT_EQ(a.size(), b.size()) << where;
    if (!a.is_structured()) {
        EXPECT_EQ(a, b) << where;
        return;
    }
    auto other = b.begin();
    for (auto at = a.begin(); at != a.end(); ++at, ++other) expect_same(*at, *other, where);
}

TEST(StoredModels, OfEarlierVersionsAnswerAsTheyDid) {
    const std::filesystem::path folder = std::filesystem::path(GGSNN_SOURCE) / "tests/stored/0.1.0";
    int models = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".ggsnn") continue;
        ++models;
        const std::string name = entry.path().stem(), task = name.substr(0, name.find("-gnn")),
                          data = task.substr(0, task.find("-rnn")).substr(0, task.find("-lstm"));
        const bool text = std::filesystem::exists(folder / (data + ".txt"));
        const std::string input = folder / (data + (text ? ".txt" : ".jsonl"));
        std::istringstream now(must({"predict", entry.path(), input, "--json"}));
        std::istringstream then(read_file(folder / (name + ".answers.jsonl")));
        std::string line, expected;
        while (std::getline(then, expected)) {
            ASSERT_TRUE(std::getline(now, line)) << name;
            Json a = Json::parse(line), b = Json::parse(expected);
            a.erase("file");
            b.erase("file");
            expect_same(a, b, name + ": " + line);
        }
        EXPECT_FALSE(std::getline(now, line)) << name;
    }
    EXPECT_EQ(models, 11);
}

} // namespace
} // namespace ggsnn
