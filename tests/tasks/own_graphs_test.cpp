// What graphs of one's own may have, read and built: weights and numbers of edges, sparse features, types of
// nodes, parts of the data; and what is wrong with them, told with its place.
#include "folder.hpp"
#include "ggsnn/tasks/split.hpp"

#include <gtest/gtest.h>

namespace ggsnn {
namespace {

std::string write(const std::string& text) {
    static const ggsnn::testing::Folder folder; // of this process: tests run side by side
    static int count = 0;
    const std::string name = "own" + std::to_string(count++) + ".jsonl";
    folder.put(name, text);
    return folder / name;
}

Dataset read(const std::string& text) {
    DatasetBuilder builder;
    const auto reader = open_records(write(text), {});
    Record record;
    while (reader->next(record)) builder.add(record);
    builder.finish();
    return builder.data();
}

std::string error_of(const std::string& text) {
    try {
        read(text);
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

const std::string tail = R"("question": {"answer": {"node_classes": ["x", "y", null]}}})"
                         "\n";

TEST(OwnGraphs, EdgesCarryWeightsAndNumbers) {
    const Dataset data = read(R"({"nodes": 3, "edges": [[0, "r", 1], [2, "r", 1]], "edge_weights": [0.5, 2],)"
                              R"( "edge_features": [[1, 2], [3, 4]], )" +
                              tail);
    EXPECT_EQ(data.schema.edge_features, 2);
    const Graph& graph = data.graphs[0].graph;
    ASSERT_EQ(graph.weights().size(), 4u); // both directions
    // Node 1 hears 0 and 2 over incoming edges.
    const int entry = graph.slot_begin(incoming);
    ASSERT_EQ(graph.row(entry), 1);
    const int first = graph.starts(incoming)[0];
    EXPECT_EQ(graph.weights()[first], 0.5F);
    EXPECT_EQ(graph.weights()[first + 1], 2.0F);
    EXPECT_EQ(graph.edge_features(first)[1], 2.0F);
    EXPECT_EQ(graph.edge_features(first + 1)[0], 3.0F);
}

TEST(OwnGraphs, SparseFeaturesAndTypes) {
    const Dataset data =
        read(R"({"nodes": 3, "edges": [], "sparse_features": {"width": 9,)"
             R"( "rows": [[4, [7, 0.5]], [], [[2, -1]]]}, "node_types": ["a", null, ["b", "a"]], )" +
             tail);
    EXPECT_EQ(data.schema.features, 9);
    EXPECT_EQ(data.schema.inputs(), 11);
    const GraphRecord& record = data.graphs[0];
    EXPECT_TRUE(record.features.empty());
    EXPECT_EQ(record.sparse->starts, (std::vector<int>{0, 2, 2, 3}));
    EXPECT_EQ(record.sparse->columns, (std::vector<int>{4, 7, 2}));
    EXPECT_EQ(record.sparse->values, (std::vector<float>{1, 0.5F, -1}));
    EXPECT_EQ(record.tags, (std::vector<std::pair<int, int>>{{0, 0}, {2, 0}, {2, 1}}));
}

TEST(OwnGraphs, TypesThatAModelDoesNotKnowAreLeftOut) {
    Dataset data = read(R"({"nodes": 3, "edges": [], "node_types": ["a", "b", "a"], )" + tail);
    DatasetBuilder builder(data.schema);
    const auto reader =
        open_records(write(R"({"nodes": 3, "edges": [], "node_types": ["c", "b", null], )" + tail), {});
    Record record;
    ASSERT_TRUE(reader->next(record));
    builder.add(record);
    EXPECT_EQ(builder.data().graphs[0].tags, (std::vector<std::pair<int, int>>{{1, 1}}));
}

// Types are columns of observed annotations as features are: too few numbers were read past their end.
TEST(OwnGraphs, ObservedAnnotationsHaveColumnsForTypes) {
    const auto text = [](const std::string& rows) {
        return R"({"nodes": 2, "edges": [], "node_types": ["a", "b"], "question": {"arguments": [0],)"
               R"( "answer": {"classes": ["x"]}, "annotations": [)" +
               rows + "]}}\n";
    };
    EXPECT_EQ(read(text("[[1, 0, 1], [0, 1, 0]]")).examples[0].annotations.size(), 6u);
    EXPECT_NE(error_of(text("[[1], [0]]")).find("annotations hold 2 numbers; expected 6: a matrix of 2 x 3"),
              std::string::npos);
}

TEST(OwnGraphs, PartsTrainAndValidate) {
    for (const char* split :
         {R"({"train": [0], "valid": [1], "test": [2]})", R"(["train", "valid", "test"])"}) {
        const Split parts =
            read_split({write(R"({"nodes": 3, "edges": [], "split": )" + std::string(split) +
                              R"(, "question": {"answer": {"node_classes": ["x", "y", "x"]}}})"
                              "\n"),
                        "",
                        0,
                        -1,
                        {},
                        Form::graphs});
        ASSERT_EQ(parts.train.examples.size(), 1u);
        EXPECT_EQ(parts.train.examples[0].labels, (std::vector<int>{0, -1, -1}));
        EXPECT_EQ(parts.valid.examples[0].labels, (std::vector<int>{-1, 1, -1}));
    }
    const std::string graph =
        R"({"nodes": 1, "edges": [], "split": "PART", "question": {"answer": {"class": "a"}}})"
        "\n";
    std::string text;
    for (const char* part : {"train", "test", "valid", "train"}) {
        std::string line = graph;
        text += line.replace(line.find("PART"), 4, part);
    }
    const Split whole = read_split({write(text), "", 0, -1, {}, Form::graphs});
    EXPECT_EQ(whole.train.examples.size(), 2u);
    EXPECT_EQ(whole.valid.examples.size(), 1u);
    EXPECT_THROW(read_split({write(text), "", 1, -1, {}, Form::graphs}), UsageError)
        << "the data says itself";
    const std::string without = R"({"nodes": 1, "edges": [], "question": {"answer": {"class": "a"}}})"
                                "\n";
    EXPECT_THROW(read_split({write(text + without), "", 0, -1, {}, Form::graphs}), Error);
}

TEST(OwnGraphs, WhatIsWrongIsToldWithItsPlace) {
    const auto expect = [](const std::string& start, const std::string& what) {
        const std::string error = error_of(R"({"nodes": 3, "edges": [[0, "r", 1]], )" + start + ", " + tail);
        EXPECT_NE(error.find(what), std::string::npos) << start << ": " << error;
        EXPECT_NE(error.find(".jsonl:1: "), std::string::npos) << error;
    };
    expect(R"("edge_weights": [1, 2])", "edge_weights has 2 entries; expected one for each of the 1 edges");
    expect(R"("edge_weights": ["a"])", "edge_weights holds");
    expect(R"("edge_features": [[1], [2]])", "edge_features has 2 entries");
    expect(R"("edge_features": [1])", "row 0 is");
    expect(R"("sparse_features": [[1]])", "expected an object with the keys width and rows");
    expect(R"("sparse_features": {"width": 2, "rows": [[0], [2], []]})", "is not a column; expected 0 to 1");
    expect(R"("sparse_features": {"width": 2, "rows": [[0, 0], [], []]})", "stands twice");
    expect(R"("sparse_features": {"width": 0, "rows": [[], [], []]})", "width is the number 0");
    expect(R"("features": [[1], [1], [1]], "sparse_features": {"width": 2, "rows": [[], [], []]})",
           "expected either");
    expect(R"("node_types": ["a"])", "node_types has 1 entries");
    expect(R"("split": "training")", "is not a part; expected train, valid or test");
    expect(R"("split": {"train": [0], "valid": [0]})", "is in two parts");
    expect(R"("split": {"train": [7]})", "out of range");
    expect(R"("weights": [1])", "unknown key");
    EXPECT_NE(
        error_of(
            R"({"nodes": 2, "edges": [], "split": ["train", "valid"], "question": {"answer": {"node": 1}}})"
            "\n")
            .find("expected one part for the graph"),
        std::string::npos);
    const std::string two = R"({"nodes": 3, "edges": [[0, "r", 1]], "edge_features": [[1]], )" + tail +
                            R"({"nodes": 3, "edges": [[0, "r", 1]], )" + tail;
    EXPECT_NE(error_of(two).find(":2: edges have 0 features; expected 1"), std::string::npos)
        << error_of(two);
}

} // namespace
} // namespace ggsnn
