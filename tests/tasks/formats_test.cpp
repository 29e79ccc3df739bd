// Formats of other programs: each gives the same data set as the same graph in JSON lines.
#include "format_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>

namespace ggsnn {
namespace {

using ggsnn::testing::build_from;
using ggsnn::testing::Folder;
using ggsnn::testing::format_examples;
using ggsnn::testing::FormatExample;
using ggsnn::testing::input_of;
using ggsnn::testing::npy_bytes;
using ggsnn::testing::put_all;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

void expect_same(const Dataset& found, const Dataset& expected) {
    EXPECT_EQ(fingerprint(Split{found, {}, {}}), fingerprint(Split{expected, {}, {}}));
    EXPECT_EQ(found.schema.answer, expected.schema.answer);
    EXPECT_EQ(found.schema.edge_types.names(), expected.schema.edge_types.names());
    EXPECT_EQ(found.schema.question_types.names(), expected.schema.question_types.names());
    EXPECT_EQ(found.schema.classes.names(), expected.schema.classes.names());
    EXPECT_EQ(found.schema.tags.names(), expected.schema.tags.names());
    EXPECT_EQ(found.schema.features, expected.schema.features);
    EXPECT_EQ(found.schema.edge_features, expected.schema.edge_features);
    EXPECT_EQ(found.schema.values, expected.schema.values);
    ASSERT_EQ(found.graphs.size(), expected.graphs.size());
    for (std::size_t g = 0; g < found.graphs.size(); ++g) {
        EXPECT_EQ(found.graphs[g].names, expected.graphs[g].names);
        EXPECT_EQ(found.graphs[g].features, expected.graphs[g].features);
    }
    ASSERT_EQ(found.examples.size(), expected.examples.size());
    for (std::size_t i = 0; i < found.examples.size(); ++i) {
        EXPECT_EQ(found.examples[i].split, expected.examples[i].split);
        EXPECT_EQ(found.examples[i].labels, expected.examples[i].labels);
    }
}

TEST(Formats, EachGivesTheSameAsJsonLines) {
    for (const FormatExample& example : format_examples()) {
        SCOPED_TRACE(example.name);
        const Folder folder, other;
        put_all(folder, example);
        other.put("same.jsonl", example.same_as);
        expect_same(build_from(input_of(folder, example)), build_from(other / "same.jsonl"));
    }
}

TEST(Formats, GzippedFilesAreTheSame) {
    for (const FormatExample& example : format_examples()) {
        if (example.input.empty() || example.input == "graph.json") continue;
        SCOPED_TRACE(example.name);
        const Folder folder, other;
        for (const auto& [name, content] : example.files) {
            gzFile out = gzopen((folder / (name + ".gz")).c_str(), "wb");
            gzwrite(out, content.data(), static_cast<unsigned>(content.size()));
            gzclose(out);
        }
        ReadOptions options;
        for (const auto& [name, content] : example.files)
            if (name.find("nodes") != std::string::npos) options.nodes = folder / (name + ".gz");
        other.put("same.jsonl", example.same_as);
        expect_same(build_from(folder / (example.input + ".gz"), options), build_from(other / "same.jsonl"));
    }
}

TEST(Formats, AFolderOfCsvIsItsEdges) {
    const FormatExample example = format_examples()[0];
    const Folder folder;
    put_all(folder, example);
    expect_same(build_from(folder.path()), build_from(folder / "edges.csv"));
    EXPECT_TRUE(is_graph_folder(folder.path()));
    const Folder empty;
    EXPECT_FALSE(is_graph_folder(empty.path()));
}

// The files that docs/formats.md shows: the same people three times, and once as arrays.
TEST(Formats, ExamplesOfTheDocsAreTheSameGraph) {
    const std::string data = std::string(GGSNN_SOURCE) + "/examples/data/";
    const Dataset people = build_from(data + "people/edges.csv");
    EXPECT_EQ(people.graphs[0].graph.nodes(), 24);
    EXPECT_EQ(people.schema.inputs(), 4) << "an age and three cities";
    for (const char* other : {"people", "people.graphml", "people.json"}) {
        SCOPED_TRACE(other);
        expect_same(build_from(data + other), people);
    }
    const Dataset large = build_from(data + "large/graph.json"), matrix = build_from(data + "people.mtx");
    EXPECT_EQ(large.graphs[0].features, people.graphs[0].features);
    EXPECT_EQ(large.examples[0].labels, people.examples[0].labels);
    EXPECT_EQ(large.examples[0].split, people.examples[0].split);
    EXPECT_EQ(large.schema.edge_types.names(), people.schema.edge_types.names());
    EXPECT_TRUE(std::ranges::equal(large.graphs[0].graph.weights(), people.graphs[0].graph.weights()));
    EXPECT_EQ(matrix.graphs[0].features, people.graphs[0].features);
    EXPECT_EQ(matrix.graphs[0].graph.edges(), people.graphs[0].graph.edges());
    EXPECT_EQ(build_from(data + "RINGS").graphs.size(), 40u);
}

TEST(EdgeLists, NeedNoTableOfNodesToBeAsked) {
    const Folder folder;
    folder.put("links.csv", "src\tdst\nb\ta\na\tc\n");
    ReadOptions options;
    options.need_answers = false;
    const auto reader = open_records(folder / "links.csv", options);
    Record record;
    ASSERT_TRUE(reader->next(record));
    EXPECT_THAT(record.names, ElementsAre("b", "a", "c"));
    EXPECT_EQ(record.edges.size(), 2u);
    EXPECT_FALSE(record.questions[0].answer.present);
    EXPECT_FALSE(reader->next(record));
}

TEST(EdgeLists, GephisColumnsAreUnderstood) {
    const Folder folder;
    folder.put("edges.csv",
               "Source,Target,Type,Id,Label,Weight\na,b,Directed,0,likes,1\nb,a,Directed,1,hates,2\n");
    folder.put("nodes.csv", "Id,Y\na,1\nb,0\n");
    const Dataset data = build_from(folder / "edges.csv");
    EXPECT_THAT(data.schema.edge_types.names(), ElementsAre("likes", "hates"));
    EXPECT_EQ(data.schema.edge_features, 0);
    EXPECT_EQ(data.schema.answer, AnswerKind::node_classes);
}

TEST(EdgeLists, QuotesAreThoseOfTheRfc) {
    const Folder folder;
    folder.put("edges.csv", "source,target\n\"a \"\"big\"\"\nname\" , \"b\"\n");
    folder.put("nodes.csv", "id,y\nb,1\n\"a \"\"big\"\"\nname\",2\n");
    EXPECT_THAT(build_from(folder / "edges.csv").graphs[0].names, ElementsAre("b", "a \"big\"\nname"));
}

// A number that is not there is 0 and told by a tag, so that a network can tell it from one that is 0.
TEST(Columns, MissingNumbersAreTold) {
    const Folder folder;
    folder.put("edges.csv", "source,target,weight,length\na,b,,\nb,a,2,7\n");
    folder.put("nodes.csv", "id,age,y\na,NA,1\nb,3,\n");
    const Dataset data = build_from(folder / "edges.csv");
    EXPECT_THAT(data.graphs[0].features, ElementsAre(0, 3));
    EXPECT_THAT(data.schema.tags.names(), ElementsAre("age missing"));
    EXPECT_THAT(data.graphs[0].tags, ElementsAre(std::pair(0, 0)));
    EXPECT_THAT(data.examples[0].labels, ElementsAre(0, -1));
    const auto reader = open_records(folder / "edges.csv", {});
    Record record;
    reader->next(record);
    EXPECT_THAT(record.edge_weights, ElementsAre(1, 2));
    EXPECT_THAT(record.edge_features, ElementsAre(0, 7));
}

TEST(Columns, TheLabelCanBeNamed) {
    const Folder folder;
    folder.put("edges.csv", "source,target\na,b\n");
    folder.put("nodes.csv", "id,price,label\na,1.5,x\nb,2,y\n");
    EXPECT_EQ(build_from(folder / "edges.csv").schema.answer, AnswerKind::node_classes);
    ReadOptions price;
    price.label = "price";
    const Dataset data = build_from(folder / "edges.csv", price);
    EXPECT_EQ(data.schema.answer, AnswerKind::node_values);
    EXPECT_THAT(data.examples[0].values, ElementsAre(1.5, 2));
    EXPECT_THAT(data.schema.tags.names(), ElementsAre("label=x", "label=y"));
    // What a model was trained on is no feature, also where it is not asked for.
    ReadOptions trained;
    trained.trained_label = "price";
    EXPECT_EQ(build_from(folder / "edges.csv", trained).schema.features, 0);
}

TEST(Columns, LabelsWithAPointAreNumbers) {
    const Folder folder;
    folder.put("edges.csv", "source,target\na,b\n");
    for (const auto& [labels, kind] : std::vector<std::pair<std::vector<std::string>, AnswerKind>>{
             {{"1", "2"}, AnswerKind::node_classes},
             {{"1.0", "2"}, AnswerKind::node_values},
             {{"1", "1e1"}, AnswerKind::node_values},
             {{"1", "two"}, AnswerKind::node_classes},
             {{"true", "false"}, AnswerKind::node_classes}}) {
        folder.put("nodes.csv", "id,y\na," + labels[0] + "\nb," + labels[1] + "\n");
        EXPECT_EQ(build_from(folder / "edges.csv").schema.answer, kind) << labels[0] << " " << labels[1];
    }
}

TEST(GraphML, HasDefaultsAndSeveralGraphs) {
    const Folder folder;
    folder.put("g.xml", R"(<graphml xmlns:y="http://www.yworks.com/xml/graphml">
<key id="l" for="graph" attr.name="label" attr.type="string"/>
<key id="c" for="node" attr.name="colour" attr.type="string"><desc>of it</desc><default>red</default></key>
<key id="d" for="node" yfiles.type="nodegraphics"/>
<graph id="one" edgedefault="undirected"><data key="l">yes</data>
<node id="a"><data key="c">blue</data><data key="d"><y:ShapeNode><y:Fill color="x"/></y:ShapeNode></data></node>
<node id="b"/><edge source="a" target="b"/><edge directed="true" source="b" target="a"/></graph>
<graph edgedefault="directed"><data key="l">no</data><node id="a"/></graph></graphml>)");
    const Dataset data = build_from(folder / "g.xml");
    ASSERT_EQ(data.graphs.size(), 2u);
    EXPECT_EQ(data.graphs[0].id, "\"one\"");
    EXPECT_EQ(data.graphs[0].graph.edges(), 3);
    EXPECT_EQ(data.schema.answer, AnswerKind::klass);
    EXPECT_THAT(data.schema.tags.names(), ElementsAre("colour=blue", "colour=red"));
    EXPECT_THAT(data.schema.classes.names(), ElementsAre("yes", "no"));
}

TEST(NodeLink, NodesWithoutIdsAreNumbered) {
    const Folder folder;
    folder.put("d3.json", R"({"nodes": [{"name": "x", "group": 1}, {"name": "y", "group": 2}],
 "links": [{"source": 1, "target": 0, "value": 3}]})");
    ReadOptions group;
    group.label = "group";
    const Dataset data = build_from(folder / "d3.json", group);
    EXPECT_THAT(data.graphs[0].names, IsEmpty());
    EXPECT_EQ(data.graphs[0].graph.edges(), 2) << "undirected unless it is said";
    EXPECT_THAT(data.schema.tags.names(), IsEmpty()) << "names are no categories";
    EXPECT_THAT(data.schema.classes.names(), ElementsAre("1", "2"));
}

TEST(TuFolders, AttributesOfGraphsAreNumbers) {
    FormatExample example;
    for (const FormatExample& each : format_examples())
        if (each.name == "TU") example = each;
    const Folder folder;
    put_all(folder, example);
    folder.put("TINY_graph_attributes.txt", "1.5, 2\n3, 4\n");
    EXPECT_EQ(build_from(folder.path()).schema.answer, AnswerKind::klass);
    ReadOptions numbers;
    numbers.label = "graph_attributes";
    const Dataset data = build_from(folder.path(), numbers);
    EXPECT_EQ(data.schema.answer, AnswerKind::values);
    EXPECT_THAT(data.examples[1].values, ElementsAre(3, 4));
    EXPECT_EQ(data.graphs[1].id, "2");
}

TEST(Arrays, AllTypesOfNumbersAreRead) {
    const Folder folder;
    folder.put("e.npy", npy_bytes<std::int64_t>("<i8", "(0, 2)", {}));
    const auto labels = [&](const std::string& bytes) {
        folder.put("y.npy", bytes);
        folder.put("g.json", R"({"format": "ggsnn-graph", "nodes": 2, "edges": "e.npy", "labels": "y.npy"})");
        return build_from(folder / "g.json");
    };
    EXPECT_THAT(labels(npy_bytes<std::uint64_t>("<u8", "(2,)", {3, 1ULL << 62})).schema.classes.names(),
                ElementsAre("3", "4611686018427387904"));
    EXPECT_THAT(labels(npy_bytes<std::uint32_t>("<u4", "(2,)", {7, 4000000000})).schema.classes.names(),
                ElementsAre("7", "4000000000"));
    EXPECT_THAT(labels(npy_bytes<std::uint16_t>("<u2", "(2,1)", {7, 60000})).schema.classes.names(),
                ElementsAre("7", "60000"));
    EXPECT_THAT(labels(npy_bytes<std::uint8_t>("|b1", "(2,)", {1, 0}, false, 3)).schema.classes.names(),
                ElementsAre("1", "0"));
    // Half precision: 1, the largest, the least above 0, minus 2.
    EXPECT_THAT(
        labels(npy_bytes<std::uint16_t>("<f2", "(2, 2)", {0x3c00, 0x7bff, 1, 0xc000})).examples[0].values,
        ElementsAre(1, 65504, 1.0F / 16777216, -2));
}

} // namespace
} // namespace ggsnn
