// What is wrong with a file, told with its place; and what a file is that no reader knows.
#include "format_files.hpp"
#include "ggsnn/tasks/formats/formats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

namespace ggsnn {
namespace {

using ggsnn::testing::build_from;
using ggsnn::testing::Folder;
using ggsnn::testing::format_examples;
using ggsnn::testing::FormatExample;
using ggsnn::testing::input_of;
using ggsnn::testing::npy_bytes;
using ggsnn::testing::put_all;
using ::testing::HasSubstr;
using ::testing::Not;

std::string failure_in(const Folder& folder, const std::string& path, const ReadOptions& options = {}) {
    try {
        build_from(path, options);
    } catch (const Error& error) {
        std::string text = error.what();
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        for (std::size_t at = 0; (at = text.find(folder.path() + "/")) != std::string::npos;)
            text.erase(at, folder.path().size() + 1);
        return text;
    }
    return "no error";
}

// An example with one of its files replaced: the file, a text in it, what stands there instead, the message.
struct Spoilt {
    std::string example, file, from, to, message;
};

TEST(Formats, ErrorsNameFileAndLine) {
    const std::vector<Spoilt> cases = {
        {"csv", "edges.csv", "ann,\"bob", "zoe,\"bob", "edges.csv:2: node \"zoe\" is not in nodes.csv"},
        {"csv", "edges.csv", "pays,-2,3", "pays,-2",
         "edges.csv:4: the row has 4 fields; expected 5 as in the header"},
        {"csv", "edges.csv", "0.5", "half", "edges.csv:3: weight: \"half\" is not a number"},
        {"csv", "edges.csv", "2.5", "x",
         "edges.csv:3: since holds the text \"x\"; edges have one column of text"},
        {"csv", "edges.csv", "2.5", "1e60", "edges.csv:3: since holds 1e60, which is not a finite single"},
        {"csv", "edges.csv", "jr\",eve", "jr,eve",
         "edges.csv:3: field 1 begins with a quote that is never closed"},
        {"csv", "edges.csv", "jr\",eve", "jr\"x,eve", "edges.csv:3: field 1 goes on after its closing quote"},
        {"csv", "edges.csv", "eve,ann", "e\"ve,ann", "edges.csv:4: field 1 has a quote within"},
        {"csv", "edges.csv", "since", "type", "edges.csv:1: the column \"type\" stands twice in the header"},
        {"csv", "nodes.csv", "joe,", "ann,", "nodes.csv:5: node \"ann\" stands twice"},
        {"csv", "nodes.csv", "id,", "who,",
         "nodes.csv:1: no column names the nodes: expected one called id among who, "},
        {"csv", "nodes.csv", "valid", "later",
         "nodes.csv:3: split: \"later\" is not a part; expected train, valid or test"},
        {"csv", "nodes.csv", "label", "mark",
         "edges.csv:1: nothing says the answer: expected a column label, class, y or target, or --label with "
         "one of "
         "id, member, age, city, mark, split"},
        {"csv", "nodes.csv", "city", "target",
         "nodes.csv: the columns label and target could both be the answer; say which with --label"},
        {"semicolons", "graph_nodes.csv", "True;7", "True;inf",
         "graph_nodes.csv:4: age holds inf, which is not a finite"},
        {"graphml", "people.graphml", "</data>\n    </node>", "</date>\n    </node>",
         "people.graphml:17: </date> closes nothing; expected </data>"},
        {"graphml", "people.graphml", "target=\"eve\"", "target=\"zoe\"",
         "people.graphml:43: \"zoe\" is not one of the 4 nodes"},
        {"graphml", "people.graphml", "id=\"joe\"", "id=\"ann\"",
         "people.graphml:33: node \"ann\" stands twice"},
        {"graphml", "people.graphml", "key=\"d7\">3", "key=\"d9\">3",
         "people.graphml:51: data of the key \"d9\", which no <key> declares"},
        {"graphml", "people.graphml", "key=\"d7\">3", "key=\"d6\">3",
         "people.graphml:51: data of the key \"d6\" stands twice"},
        {"graphml", "people.graphml", "31.5", "old", "people.graphml:19: age: \"old\" is not a number"},
        {"graphml", "people.graphml", "&#108;", "&nbsp;", "people.graphml:22: \"&nbsp;o\" is not an entity"},
        {"graphml", "people.graphml", "-->", "--",
         "people.graphml:26: the comment is never closed; expected \"-->\""},
        {"graphml", "people.graphml", "]]>", "", "people.graphml:30: CDATA is never closed"},
        {"graphml", "people.graphml", "</graphml>", "",
         "people.graphml:55: the file ends within <graphml>; expected </graphml>"},
        {"graphml", "people.graphml", "directed\">", "both\">",
         "people.graphml:11: edgedefault is \"both\"; expected directed or undirected"},
        {"graphml", "people.graphml", "<node id=\"joe\">", "<node id=\"joe\"><graph/>",
         "people.graphml:33: a graph within a node"},
        {"graphml", "people.graphml", "<node id=\"joe\">", "<node id=joe>",
         "people.graphml:33: attribute id of <node>: expected its value in quotes"},
        {"node-link", "people.json", "\"target\": \"eve\"", "\"target\": \"zoe\"",
         "people.json:1: links[1]: the target is the string \"zoe\", which is not one of the 4 nodes"},
        {"node-link", "people.json", "[true, 7]", "[true]",
         "people.json:1: nodes[2]: x is a list of 1; expected a list of 2 as before"},
        {"node-link", "people.json", "[true, 7]", "[true, \"7\"]",
         "people.json:1: nodes[2]: x holds the string \"7\"; expected a number"},
        {"node-link", "people.json", "\"city\": \"Oslo\"", "\"city\": {}",
         "people.json:1: nodes[1]: city is an object; expected a number, a text"},
        {"node-link", "people.json", "\"id\": \"eve\"", "\"id\": \"ann\"",
         "people.json:1: nodes[2]: the id the string \"ann\" stands twice"},
        {"node-link", "people.json", "\"directed\": true", "\"directed\": 1",
         "people.json:1: directed is the number 1; expected true or false"},
        {"node-link", "people.json", "2.5,", "2.5 ", "people.json:13: not valid JSON"},
        {"node-link lines", "graphs.jsonl", "{\"id\": 1,", "{\"id\": [1,", "graphs.jsonl:2: not valid JSON"},
        {"TU", "TINY_A.txt", "4, 3", "4, 6",
         "TINY_A.txt:4: \"6\" is not a node; expected a whole number from 1 to 5"},
        {"TU", "TINY_A.txt", "4, 3", "4, 1",
         "TINY_A.txt:4: an edge from graph 2 to graph 1; expected both ends in one"},
        {"TU", "TINY_A.txt", "4, 3", "4, 3, 3", "TINY_A.txt:4: 3 fields; expected 2 as in the first line"},
        {"TU", "TINY_graph_indicator.txt", "2\n2\n2", "2\n4\n2",
         "TINY_graph_indicator.txt: no node is in graph 3"},
        {"TU", "TINY_graph_indicator.txt", "2\n2\n2", "2\n900\n2",
         "TINY_graph_indicator.txt: 5 nodes in 900 graphs"},
        {"TU", "TINY_node_labels.txt", "8\n", "",
         "TINY_node_labels.txt: 4 lines; expected one for each of the 5 nodes"},
        {"TU", "TINY_node_attributes.txt", "2.5", "x",
         "TINY_node_attributes.txt:3: \"x\"; expected a finite"},
        {"TU", "TINY_graph_labels.txt", "-1\n", "",
         "TINY_graph_labels.txt: 1 lines; expected one for each of the 2 graphs"},
        {"Matrix Market", "ring.mtx", "real", "complex",
         "ring.mtx:1: the header says \"complex\"; expected real, integer or pattern"},
        {"Matrix Market", "ring.mtx", "coordinate", "array",
         "ring.mtx:1: the header says \"matrix array\"; expected matrix coordinate"},
        {"Matrix Market", "ring.mtx", "3 3 3", "3 4 3", "ring.mtx:3: 3 rows and 4 columns; expected as many"},
        {"Matrix Market", "ring.mtx", "3 3 3", "3 3 4",
         "ring.mtx:6: the file ends after 3 entries; expected 4"},
        {"Matrix Market", "ring.mtx", "3 3 3", "3 3 2",
         "ring.mtx:6: more than the 2 entries that were announced"},
        {"Matrix Market", "ring.mtx", "3 3 3", "9999999999 9999999999 3",
         "ring.mtx:3: the number of rows is \"9999999999\"; expected a whole number from 1 to"},
        {"Matrix Market", "ring.mtx", "3 2 2", "3 4 2",
         "ring.mtx:5: the column is \"4\"; expected a whole number from 1 to 3"},
        {"Matrix Market", "ring.mtx", "3 2 2", "3 2 x", "ring.mtx:5: the entry is \"x\"; expected a finite"},
        {"Matrix Market", "ring.nodes.csv", "3\t30\t1.5\n", "",
         "ring.nodes.csv: 2 rows; expected one for each of the 3 rows of ring.mtx"},
        {"Matrix Market", "ring.nodes.csv", "3\t30", "0\t30",
         "ring.nodes.csv:4: node 0 stands after 2; expected nodes in the order of the matrix"},
        {"arrays", "graph.json", "\"nodes\": 4", "\"nodes\": 5",
         "y.npy: labels of shape (4,); expected numbers for each of the 5 nodes"},
        {"arrays", "graph.json", "\"nodes\": 4", "\"nodes\": 2",
         "edge_index.npy: edge 1 has the node 2; expected 0 to 1"},
        {"arrays", "graph.json", "\"weights\"", "\"weight\"",
         "graph.json:1: unknown key \"weight\"; expected one of format,"},
        {"arrays", "graph.json", "w.npy", "none.npy", "none.npy: cannot open"},
        {"arrays", "graph.json", "[1]", "[4]",
         "graph.json:1: split holds the number 4; expected nodes, 0 to 3"},
        {"arrays", "graph.json", "[1]", "[0]", "node 0 is in two parts"},
        {"arrays", "graph.json", ", \"pays\"", "", "graph.json:1: edge 2 is of type 1; expected 0 to 0"},
        {"arrays", "graph.json", ", \"bad\"", "", "y.npy: the class 1; expected -1 to 0"},
        {"arrays", "x.npy", "(4, 2)", "(4, 3)",
         "x.npy: 32 bytes after the header; expected 48 for the shape (4, 3)"},
        {"arrays", "x.npy", "(4, 2)", "(9999999999999, 9999999999999)",
         "x.npy: the shape (9999999999999, 9999999999999) is beyond all memory"},
        {"arrays", "x.npy", "<f4", ">f4", "x.npy: entries of type \">f4\"; expected one of <f2, <f4"},
        {"arrays", "x.npy", "True", "Maybe", "x.npy: the .npy header says fortran_order Maybe"},
        {"arrays", "x.npy", "NUMPY", "NUMPI", "x.npy: not a .npy file"},
        {"arrays", "edge_index.npy", "<i8", "<f8",
         "edge_index.npy: edges with fractions; expected whole numbers"},
        {"sparse arrays", "graph.json", "\"width\": 9", "\"width\": 8",
         "c.npy: columns: entry 0 is 8; expected 0 to 7"},
        {"sparse arrays", "graph.json", "r.npy", "edges.npy",
         "edges.npy: rows of shape (2, 2); expected one dimension"},
        {"header of CSV", "graph.json", "edges.csv", "people.csv",
         "people.csv:1: the columns are id, member, age, city, label, split; expected source and target"},
    };
    for (const Spoilt& spoilt : cases) {
        SCOPED_TRACE(spoilt.example + ": " + spoilt.file + ": " + spoilt.to);
        for (FormatExample example : format_examples()) {
            if (example.name != spoilt.example) continue;
            std::string& text = example.files.at(spoilt.file);
            const std::size_t at = text.find(spoilt.from);
            ASSERT_NE(at, std::string::npos);
            text.replace(at, spoilt.from.size(), spoilt.to);
            const Folder folder;
            put_all(folder, example);
            EXPECT_THAT(failure_in(folder, input_of(folder, example)), HasSubstr(spoilt.message));
        }
    }
}

TEST(Formats, StrangersAreCalledWhatTheyAre) {
    const Folder folder;
    const auto told = [&](const std::string& content) {
        folder.put("data", content);
        return failure_in(folder, folder / "data");
    };
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"%PDF-1.7\n%\xe2\xe3", "a PDF"},
        {std::string("PK\x03\x04\x14\0", 6), "a zip archive"},
        {npy_bytes<float>("<f4", "(1,)", {1}), "an array of numpy"},
        {"\x80\x04\x95", "a Python pickle"},
        {"\x89HDF\r\n", "HDF5"},
        {"<!DOCTYPE html>\n<html></html>", "HTML"},
        {"<?xml version=\"1.0\"?>\n<gexf version=\"1.2\">", "XML with the element <gexf>"},
        {"digraph {\n a -> b\n}", "DOT"},
        {"graph [\n node [ id 0 ]\n]", "GML"},
        {"*Vertices 3\n1 a\n", "Pajek"},
        {"[1, 2]", "a JSON list"},
        {"{\n \"nodes\": 3,\n \"edges\": []\n}", "one JSON object over several lines"},
        {"0 1\n1 2\n", "a list of edges without a header ('0 1')"},
        {"0,1,0.5\n", "a list of edges without a header ('0,1,0.5')"},
        {"id,age,label\n1,2,3\n", "a table of nodes, with the columns id, age, label"},
        {"a,b,c d\n", "CSV with the columns a, b, c d"},
        {"Mary moved to the bathroom.\n", "plain text that begins with 'Mary moved to the bathroom.'"},
        {"A likes\n", "plain text that begins with 'A likes'"},
        {std::string("\xff\xfe") + "s\1o\1", "text in UTF-16"},
        {std::string("\1\2\3"), "no text"},
    };
    for (const auto& [content, what] : cases) {
        EXPECT_THAT(told(content), HasSubstr("data: this looks like " + what)) << content;
        EXPECT_THAT(told(content), HasSubstr("expected one of: TU folder (")) << content;
        EXPECT_THAT(told(content), Not(HasSubstr("a fact of")));
    }
    gzFile out = gzopen((folder / "data").c_str(), "wb");
    gzputs(out, "%PDF-1.7\n");
    gzclose(out);
    EXPECT_THAT(failure_in(folder, folder / "data"), HasSubstr("data: this looks like a PDF"));
    const Folder empty;
    EXPECT_THAT(failure_in(empty, empty.path()), HasSubstr("this looks like a folder of something else"));
    // Stories and graphs with errors are told as such.
    EXPECT_THAT(told("eval A x\tB\n"), HasSubstr("data:1: a question before any fact"));
    EXPECT_THAT(told("{\"nodes\": 3}\n"), HasSubstr("data:1: \"edges\" is missing"));
    EXPECT_THAT(told("\n{\"nodes\": 3,,}\n"), HasSubstr("data:2: not valid JSON"));
}

// A line that is cut is one bad line among others, unless the document goes on behind it.
TEST(Formats, ABadFirstLineIsToldInItsPlace) {
    const Folder folder;
    const std::string good = R"({"nodes": 1, "edges": [], "question": {"answer": {"class": "a"}}})";
    for (const char* bad : {"{\"nodes\": 1, \"edges\": [", "{\"nodes\": 1,,", "{"}) {
        folder.put("data", std::string(bad) + "\n\n" + good + "\n");
        const auto reader = open_records(folder / "data", {});
        Record record;
        EXPECT_THROW(reader->next(record), Error) << bad;
        ASSERT_TRUE(reader->next(record)) << bad;
        EXPECT_EQ(record.place.line, 3);
        EXPECT_FALSE(reader->next(record));
    }
    folder.put("data", "{\"nodes\": 1,");
    EXPECT_THAT(failure_in(folder, folder / "data"), HasSubstr("data:1: not valid JSON"));
}

// Who goes on after an error comes to an end.
TEST(Formats, ErrorsComeToAnEnd) {
    for (FormatExample example : format_examples()) {
        if (example.input.empty()) continue;
        SCOPED_TRACE(example.name);
        std::string& text = example.files.at(example.input);
        text.resize(text.size() / 2);
        const Folder folder;
        put_all(folder, example);
        int errors = 0;
        try {
            const auto reader = open_records(input_of(folder, example), {});
            for (bool more = true; more && errors < 10;) {
                try {
                    Record record;
                    more = reader->next(record);
                } catch (const Error&) {
                    ++errors;
                }
            }
        } catch (const Error&) {
            ++errors;
        }
        EXPECT_EQ(errors, 1);
    }
}

TEST(Formats, OptionsWithoutAMeaningAreWrongUsage) {
    const Folder folder;
    folder.put("story.txt", "A r B\neval A q\tB\n");
    ReadOptions nodes, label;
    nodes.nodes = "x.csv";
    label.label = "y";
    EXPECT_THROW(open_records(folder / "story.txt", nodes), UsageError);
    EXPECT_THROW(open_records(folder / "story.txt", label), UsageError);
    for (const FormatExample& example : format_examples()) {
        const Folder own;
        put_all(own, example);
        ReadOptions wrong;
        wrong.label = "none_such";
        const bool arrays = example.name.ends_with("arrays"); // which have no columns
        EXPECT_THAT(failure_in(own, input_of(own, example), wrong),
                    HasSubstr(arrays ? "--label has no meaning" : "none_such"))
            << example.name;
    }
}

TEST(Formats, EachIsRecognisedByOneRowOfTheTable) {
    for (const FormatExample& example : format_examples()) {
        const Folder folder;
        put_all(folder, example);
        const std::string found = open_records(input_of(folder, example), {})->format();
        int rows = 0;
        for (const Format& format : formats()) rows += format.name == found ? 1 : 0;
        EXPECT_EQ(rows, 1) << found;
    }
}

} // namespace
} // namespace ggsnn
