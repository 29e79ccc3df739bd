#include "format_files.hpp"

namespace ggsnn::testing {

namespace {

// Four people: typed edges with weights and a number, two features, a category, classes of which one is
// missing, a split.
const char* const people_json =
    R"({"nodes": ["ann", "bob, jr", "eve", "joe"], "edges": [["ann", "knows", "bob, jr"], ["bob, jr", "knows", "eve"], ["eve", "pays", "ann"]], "edge_weights": [1, 0.5, -2], "edge_features": [[1], [2.5], [3]], "features": [[1, 20], [0, 31.5], [1, 7], [0, 1000]], "node_types": ["city=Rome", "city=Oslo", null, "city=Rome"], "split": ["train", "valid", "test", null], "question": {"answer": {"node_classes": ["good", "bad", "good", null]}}})";

FormatExample edge_list() {
    return {"csv",
            "edges.csv",
            {{"edges.csv", "source,target,type,weight,since\n"
                           "ann,\"bob, jr\",knows,1,1\n"
                           "\"bob, jr\",eve,knows,0.5,2.5\n"
                           "eve,ann,pays,-2,3\n"},
             {"nodes.csv", "id,member,age,city,label,split\n"
                           "ann,1,20,Rome,good,train\n"
                           "\"bob, jr\",0,31.5,Oslo,bad,valid\n"
                           "eve,1,7,,good,test\n"
                           "joe,0,1e3,Rome,,\n"}},
            people_json};
}

// The same as a spreadsheet with other settings writes it: a mark of UTF-8, semicolons, other names, CRLF.
FormatExample semicolons() {
    return {"semicolons",
            "graph_edges.csv",
            {{"graph_edges.csv", "\xef\xbb\xbf"
                                 "From;To;Relation;Weight;since\r\n"
                                 "ann;bob, jr;knows;1;1\r\n"
                                 "bob, jr;eve;knows;0.5;2.5\r\n\r\n"
                                 "eve;ann;pays;-2;3\r\n"},
             {"graph_nodes.csv", "node;member;age;city;Class;split\r\n"
                                 "ann;True;20;Rome;good;train\r\n"
                                 "\"bob, jr\";False;31.5;Oslo;bad;val\r\n"
                                 "eve;True;7;;good;test\r\n"
                                 "joe;False;1000;Rome;;\r\n"}},
            people_json};
}

// As networkx.write_graphml writes a DiGraph.
FormatExample graphml() {
    return {"graphml",
            "people.graphml",
            {{"people.graphml", R"(<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
  <key id="d7" for="edge" attr.name="since" attr.type="double" />
  <key id="d6" for="edge" attr.name="weight" attr.type="double" />
  <key id="d5" for="edge" attr.name="type" attr.type="string" />
  <key id="d0" for="node" attr.name="member" attr.type="boolean" />
  <key id="d1" for="node" attr.name="age" attr.type="double" />
  <key id="d2" for="node" attr.name="city" attr.type="string" />
  <key id="d3" for="node" attr.name="label" attr.type="string" />
  <key id="d4" for="node" attr.name="split" attr.type="string" />
  <graph edgedefault="directed">
    <node id="ann">
      <data key="d0">True</data>
      <data key="d1">20</data>
      <data key="d2">Rome</data>
      <data key="d3">good</data>
      <data key="d4">train</data>
    </node>
    <node id="bob, jr">
      <data key="d0">False</data>
      <data key="d1">31.5</data>
      <data key="d2">Os&#108;o</data>
      <data key="d3">bad</data>
      <data key="d4">valid</data>
    </node>
    <!-- one without a city -->
    <node id="eve">
      <data key="d0">True</data>
      <data key="d1">7</data>
      <data key="d3"><![CDATA[good]]></data>
      <data key="d4">test</data>
    </node>
    <node id="joe">
      <data key="d0">False</data>
      <data key="d1">1000.0</data>
      <data key="d2">Rome</data>
    </node>
    <edge source="ann" target="bob, jr">
      <data key="d5">knows</data>
      <data key="d6">1</data>
      <data key="d7">1</data>
    </edge>
    <edge source="bob, jr" target="eve">
      <data key="d5">knows</data>
      <data key="d6">0.5</data>
      <data key="d7">2.5</data>
    </edge>
    <edge source="eve" target="ann">
      <data key="d5">pays</data>
      <data key="d6">-2</data>
      <data key="d7">3</data>
    </edge>
  </graph>
</graphml>
)"}},
            people_json};
}

// As json.dumps(networkx.node_link_data(g), indent=1) writes it.
FormatExample node_link() {
    return {"node-link",
            "people.json",
            {{"people.json", R"({
 "directed": true,
 "multigraph": false,
 "graph": {"author": "me", "made": [1, 2]},
 "nodes": [
  {"x": [true, 20], "city": "Rome", "y": "good", "train_mask": true, "val_mask": false, "test_mask": false, "id": "ann"},
  {"x": [false, 31.5], "city": "Oslo", "y": "bad", "train_mask": false, "val_mask": true, "test_mask": false, "id": "bob, jr"},
  {"x": [true, 7], "y": "good", "train_mask": false, "val_mask": false, "test_mask": true, "id": "eve"},
  {"x": [false, 1000], "city": "Rome", "y": null, "train_mask": false, "val_mask": false, "test_mask": false, "id": "joe"}
 ],
 "links": [
  {"type": "knows", "weight": 1, "since": 1, "source": "ann", "target": "bob, jr"},
  {"type": "knows", "weight": 0.5, "since": 2.5, "source": "bob, jr", "target": "eve"},
  {"type": "pays", "weight": -2, "since": 3, "source": "eve", "target": "ann"}
 ]
}
)"}},
            people_json};
}

// Two undirected graphs with a class each, a document a line.
FormatExample node_link_lines() {
    return {
        "node-link lines",
        "graphs.jsonl",
        {{"graphs.jsonl",
          R"({"directed": false, "graph": {"label": 1, "split": "train"}, "nodes": [{"id": 7, "label": "C"}, {"id": 8, "label": "O"}], "edges": [{"source": 7, "target": 8}, {"source": 8, "target": 8}]})"
          "\n"
          R"({"graph": {"label": 0, "split": "test"}, "nodes": [{"id": 1, "label": "O"}], "edges": []})"
          "\n"}},
        R"({"nodes": ["7", "8"], "edges": [["7", "edge", "8"], ["8", "edge", "8"], ["8", "edge", "7"]], "node_types": ["label=C", "label=O"], "split": "train", "question": {"answer": {"class": "1"}}})"
        "\n"
        R"({"nodes": ["1"], "edges": [], "node_types": ["label=O"], "split": "test", "question": {"answer": {"class": "0"}}})"};
}

FormatExample tu() {
    return {
        "TU",
        "",
        {{"TINY_A.txt", "1, 2\n2, 1\n3, 4\n4, 3\n5, 5\n"},
         {"TINY_graph_indicator.txt", "1\n1\n2\n2\n2\n"},
         {"TINY_graph_labels.txt", "1\n-1\n"},
         {"TINY_node_labels.txt", "6\n8\n6\n6\n1\n"},
         {"TINY_node_attributes.txt", "0.5, 1\n1.5, 2\n2.5, 3\n3.5, 4\n4.5, 5\n"},
         {"TINY_edge_labels.txt", "0\n0\n1\n1\n0\n"},
         {"TINY_edge_attributes.txt", "0.1\n0.2\n0.3\n0.4\n0.5\n"}},
        R"({"nodes": 2, "edges": [[0, "0", 1], [1, "0", 0]], "edge_features": [[0.1], [0.2]], "features": [[0.5, 1], [1.5, 2]], "node_types": ["label=6", "label=8"], "question": {"answer": {"class": "1"}}})"
        "\n"
        R"({"nodes": 3, "edges": [[0, "1", 1], [1, "1", 0], [2, "0", 2]], "edge_features": [[0.3], [0.4], [0.5]], "features": [[2.5, 3], [3.5, 4], [4.5, 5]], "node_types": ["label=6", "label=6", "label=1"], "question": {"answer": {"class": "-1"}}})"};
}

// As scipy.io.mmwrite writes a symmetric matrix, with numbers to learn.
FormatExample matrix_market() {
    return {
        "Matrix Market",
        "ring.mtx",
        {{"ring.mtx", "%%MatrixMarket matrix coordinate real symmetric\n%\n3 3 3\n2 1 0.5\n3 2 2\n3 3 1e0\n"},
         {"ring.nodes.csv", "id\tsize\ty\n1\t10\t0.5\n2\t20\t\n3\t30\t1.5\n"}},
        R"({"nodes": ["1", "2", "3"], "edges": [[ "2", "edge", "1"], ["3", "edge", "2"], ["3", "edge", "3"], ["1", "edge", "2"], ["2", "edge", "3"]], "edge_weights": [0.5, 2, 1, 0.5, 2], "features": [[10], [20], [30]], "question": {"answer": {"node_numbers": [[0.5], [null], [1.5]]}}})"};
}

const char* const numbered_json =
    R"({"nodes": 4, "edges": [[0, "knows", 1], [1, "knows", 2], [2, "pays", 0]], "edge_weights": [1, 0.5, -2], "edge_features": [[1], [2.5], [3]], "features": [[1, 20], [0, 31.5], [1, 7], [0, 1000]], "split": ["train", "valid", "test", null], "question": {"answer": {"node_classes": ["good", "bad", "good", null]}}})";

// edge_index of PyG, of shape (2, edges), and features whose columns lie together.
FormatExample arrays() {
    return {"arrays",
            "graph.json",
            {{"graph.json", R"({
  "format": "ggsnn-graph", "nodes": 4, "edges": "edge_index.npy", "edge_types": "type.npy",
  "types": ["knows", "pays"], "weights": "w.npy", "edge_features": "e.npy", "features": "x.npy",
  "labels": "y.npy", "classes": ["good", "bad"],
  "split": {"train": "train.npy", "valid": [1], "test": "test.npy"}
})"},
             {"edge_index.npy", npy_bytes<std::int64_t>("<i8", "(2, 3)", {0, 1, 2, 1, 2, 0})},
             {"type.npy", npy_bytes<std::uint8_t>("|u1", "(3,)", {0, 0, 1})},
             {"w.npy", npy_bytes<double>("<f8", "(3,)", {1, 0.5, -2})},
             {"e.npy", npy_bytes<std::uint16_t>("<f2", "(3, 1)", {0x3c00, 0x4100, 0x4200})},
             {"x.npy", npy_bytes<float>("<f4", "(4, 2)", {1, 0, 1, 0, 20, 31.5F, 7, 1000}, true, 2)},
             {"y.npy", npy_bytes<std::int32_t>("<i4", "(4,)", {0, 1, 0, -1})},
             {"train.npy", npy_bytes<std::uint8_t>("|b1", "(4,)", {1, 0, 0, 0})},
             {"test.npy", npy_bytes<std::int64_t>("<i8", "(1,)", {2})}},
            numbered_json};
}

// Types without names, sparse features, the split as numbers.
FormatExample sparse_arrays() {
    return {
        "sparse arrays",
        "graph.json",
        {{"graph.json",
          R"({"format": "ggsnn-graph", "nodes": 3, "edges": "edges.npy", "edge_types": "t.npy", "features": {"rows": "r.npy", "columns": "c.npy", "values": "v.npy", "width": 9}, "labels": "y.npy", "split": "s.npy"})"},
         {"edges.npy", npy_bytes<std::int32_t>("<i4", "(2, 2)", {0, 1, 2, 0})},
         {"t.npy", npy_bytes<std::int64_t>("<i8", "(2,)", {4, 3})},
         {"r.npy", npy_bytes<std::int64_t>("<i8", "(3,)", {2, 0, 2})},
         {"c.npy", npy_bytes<std::int16_t>("<i2", "(3,)", {8, 3, 1})},
         {"v.npy", npy_bytes<float>("<f4", "(3,)", {0.5F, 1, 2})},
         {"y.npy", npy_bytes<double>("<f8", "(3, 2)", {1, 2, 3, 4, 5, 6})},
         {"s.npy", npy_bytes<std::int8_t>("|i1", "(3,)", {0, 2, -1})}},
        R"({"nodes": 3, "edges": [[0, "4", 1], [2, "3", 0]], "sparse_features": {"width": 9, "rows": [[3], [], [[1, 2], [8, 0.5]]]}, "split": ["train", "test", null], "question": {"answer": {"node_numbers": [[1, 2], [3, 4], [5, 6]]}}})"};
}

// Edges and nodes in CSV files that a header names.
FormatExample header_of_csv() {
    FormatExample example = edge_list();
    example.name = "header of CSV";
    example.input = "graph.json";
    example.files["people.csv"] = example.files["nodes.csv"];
    example.files.erase("nodes.csv");
    example.files["graph.json"] = R"({"format": "ggsnn-graph", "nodes": "people.csv", "edges": "edges.csv"})";
    return example;
}

} // namespace

std::vector<FormatExample> format_examples() {
    return {edge_list(), semicolons(),    graphml(), node_link(),     node_link_lines(),
            tu(),        matrix_market(), arrays(),  sparse_arrays(), header_of_csv()};
}

} // namespace ggsnn::testing
