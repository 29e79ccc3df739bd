// ggsnn embed: states of nodes and graphs in numpy's format, a row each, and the table that says what of.
#include "ggsnn/base/json.hpp"
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;

struct Matrix {
    long rows = 0, columns = 0;
    std::vector<float> numbers;
    bool operator==(const Matrix&) const = default;
};

// As the format is documented: magic, version 1.0, length of the header, header, numbers.
Matrix read_npy(const std::string& path) {
    const std::string bytes = read_file(path);
    if (!bytes.starts_with(std::string("\x93NUMPY\x01\x00", 8)))
        throw std::runtime_error("no .npy of version 1.0");
    const std::size_t length =
        static_cast<unsigned char>(bytes[8]) + 256 * static_cast<unsigned char>(bytes[9]);
    EXPECT_EQ((10 + length) % 64, 0u);
    const std::string header = bytes.substr(10, length);
    EXPECT_EQ(header.back(), '\n');
    EXPECT_THAT(header, HasSubstr("'descr': '<f4', 'fortran_order': False"));
    Matrix m;
    if (std::sscanf(header.c_str() + header.find("'shape'"), "'shape': (%ld, %ld)", &m.rows, &m.columns) != 2)
        throw std::runtime_error(header);
    EXPECT_EQ(bytes.size(), 10 + length + 4 * static_cast<std::size_t>(m.rows * m.columns));
    m.numbers.resize(static_cast<std::size_t>(m.rows * m.columns));
    std::memcpy(m.numbers.data(), bytes.data() + 10 + length, bytes.size() - 10 - length);
    return m;
}

std::string loops(const std::string& answer) {
    std::string text;
    for (int i = 0; i < 12; ++i) {
        const std::string type = i % 2 == 0 ? "r" : "s";
        text += R"({"nodes": ["a, b", "c"], "edges": [["a, b", ")" + type +
                R"(", "c"]], "question": {"arguments": ["c"], "answer": )" + answer + "}}\n";
    }
    return text;
}

TEST(Embed, WritesARowANodeInTheOrderOfTheData) {
    const Folder folder;
    folder.put("data", loops(R"({"node": "c"})"));
    must({"train", folder / "data", "-o", folder / "m", "--state", "5", "--updates", "20", "--restarts", "1",
          "--quiet"});
    EXPECT_EQ(must({"embed", folder / "m", folder / "data", "-o", folder / "all.npy", "--index",
                    folder / "index.csv"}),
              "");
    const Matrix all = read_npy(folder / "all.npy");
    EXPECT_EQ(all.rows, 24);
    EXPECT_EQ(all.columns, 5);
    for (float v : all.numbers) ASSERT_TRUE(std::abs(v) <= 1) << "states are between -1 and 1";
    // Graphs 0 and 2 are the same, 0 and 1 are not.
    const auto graph = [&](int g) {
        return std::vector<float>(all.numbers.begin() + g * 10, all.numbers.begin() + g * 10 + 10);
    };
    EXPECT_EQ(graph(0), graph(2));
    EXPECT_NE(graph(0), graph(1));
    must({"embed", folder / "m", folder / "data", "-o", folder / "part.npy", "--skip", "1", "--count", "1"});
    EXPECT_EQ(read_npy(folder / "part.npy").numbers, graph(1));
    must({"embed", folder / "m", folder / "data", "-o", folder / "one.npy", "--steps", "1"});
    EXPECT_NE(read_npy(folder / "one.npy").numbers, all.numbers);
    const std::string index = read_file(folder / "index.csv");
    EXPECT_EQ(lines_of(index), 25);
    EXPECT_THAT(index, ::testing::StartsWith("row,file,line,graph,question,node\n"));
    EXPECT_THAT(index, HasSubstr("\n3," + (folder / "data") + ",2,1,question,c\n"));
    EXPECT_THAT(index, HasSubstr("\n4," + (folder / "data") + ",3,2,question,\"a, b\"\n"));
}

TEST(Embed, WritesTheVectorsOfGraphs) {
    const Folder folder;
    folder.put("data", loops(R"({"class": "round"})"));
    must({"train", folder / "data", "-o", folder / "m", "--state", "7", "--updates", "20", "--restarts", "1",
          "--quiet"});
    must({"embed", folder / "m", folder / "data", "-o", folder / "g.npy", "--graphs", "--index",
          folder / "i.csv"});
    const Matrix graphs = read_npy(folder / "g.npy");
    EXPECT_EQ(graphs.rows, 12);
    EXPECT_EQ(graphs.columns, 7);
    EXPECT_THAT(read_file(folder / "i.csv"), HasSubstr("\n11," + (folder / "data") + ",12,11,question\n"));
}

TEST(Embed, RefusesWhatItCannotDo) {
    const Folder folder;
    folder.put("data", loops(R"({"node": "c"})"));
    must({"train", folder / "data", "-o", folder / "m", "--updates", "5", "--restarts", "1", "--quiet"});
    must({"train", folder / "data", "-o", folder / "rnn", "--model", "rnn", "--updates", "5", "--restarts",
          "1", "--quiet"});
    const std::vector<std::pair<Arguments, std::string>> cases = {
        {{"embed", folder / "m", folder / "data", "-o", folder / "x", "--graphs"},
         "this one answers with node"},
        {{"embed", folder / "rnn", folder / "data", "-o", folder / "x"}, "is of kind rnn"},
        {{"embed", folder / "m", folder / "data", "-o", "-"}, "expected the name of a file"},
        {{"embed", folder / "m", folder / "data"}, "--output is required"}};
    for (const auto& [arguments, message] : cases) {
        const Result result = run(arguments);
        EXPECT_EQ(result.code, 2) << message;
        EXPECT_THAT(result.err, HasSubstr(message));
    }
    const Result none = run({"embed", folder / "m", folder / "data", "-o", folder / "none/x"});
    EXPECT_EQ(none.code, 1);
    EXPECT_THAT(none.err, HasSubstr("none/x: cannot write: No such file"));
    const int before = folder.files();
    EXPECT_EQ(run({"embed", folder / "m", folder / "data", "-o", folder / "x", "--skip", "99"}).code, 1);
    EXPECT_EQ(folder.files(), before) << "nothing is left behind";
}

} // namespace
} // namespace ggsnn
