// Heaps: JSON with errors that name the place, and pictures.
#include "ggsnn/logic/heap.hpp"

#include <gtest/gtest.h>

namespace ggsnn::logic {
namespace {

Heap read(const std::string& text) {
    const Place place{"heaps.jsonl", 3};
    return heap_from_json(parse_json(text, place), place);
}

std::string message(const std::string& text) {
    try {
        read(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

const char* const example =
    R"({"nodes":4,"null":0,"edges":[[1,"next",2],[2,"next",0],[2,"val",3]],"variables":{"x":1,"y":0}})";

TEST(Heap, JsonRoundTrip) {
    EXPECT_EQ(heap_to_json(read(example)).dump(), example);
    const char* bare = R"({"nodes":2,"null":0,"edges":[],"allocated":[1],"variables":{}})";
    EXPECT_EQ(heap_to_json(read(bare)).dump(), bare);
    EXPECT_EQ(read(bare).cell_count(), 1u);
}

TEST(Heap, NullMayHaveAnyNumber) {
    const Heap heap = read(R"({"nodes":3,"null":2,"edges":[[0,"next",2]],"variables":{"x":0,"y":2}})");
    EXPECT_EQ(heap.variable("y"), 0);
    EXPECT_EQ(heap.target(heap.variable("x"), heap.find_field("next")), 0);
}

TEST(Heap, BadHeapsAreRefusedWithAReason) {
    EXPECT_EQ(message(R"({"nodes":2,"edges":[[1,"next",5]],"variables":{}})"),
              "heaps.jsonl:3: the target of edge [1,\"next\",5] is node 5, but there are only nodes 0 to 1");
    EXPECT_EQ(message(R"({"nodes":2,"edges":[],"variables":{"x":7}})"),
              "heaps.jsonl:3: variable \"x\" is node 7, but there are only nodes 0 to 1");
    EXPECT_EQ(message(R"({"nodes":2,"edges":[[1,"nxt",0]],"variables":{}})"),
              "heaps.jsonl:3: unknown field \"nxt\" in edge [1,\"nxt\",0], expected next, left, right, prev, "
              "parent "
              "or val");
    EXPECT_EQ(message(R"({"nodes":3,"null":[0,1],"edges":[],"variables":{}})"),
              "heaps.jsonl:3: two NULLs: \"null\" lists 2 nodes, expected one");
    EXPECT_EQ(message(R"({"nodes":2,"edges":[[0,"next",1]],"variables":{}})"),
              "heaps.jsonl:3: edge [0,\"next\",1] leaves NULL");
    EXPECT_EQ(message(R"({"nodes":2,"edges":[[1,"next",1],[1,"next",0]],"variables":{}})"),
              "heaps.jsonl:3: edge [1,\"next\",0]: the node has field \"next\" already");
    EXPECT_EQ(message(R"({"nodes":0,"edges":[],"variables":{}})"),
              "heaps.jsonl:3: \"nodes\" is 0, expected a number of nodes from 1 (NULL alone) to 10000000");
    EXPECT_EQ(message(R"({"edges":[],"variables":{}})"), "heaps.jsonl:3: a heap without \"nodes\"");
    EXPECT_NE(message(R"([1])").find("expected a heap as a JSON object"), std::string::npos);
    for (const char* text :
         {R"({"nodes":1.5,"edges":[],"variables":{}})", R"({"nodes":2,"edges":[[1,2]],"variables":{}})",
          R"({"nodes":2,"edges":{},"variables":{}})", R"({"nodes":2,"edges":[],"variables":[]})",
          R"({"nodes":2,"edges":[],"variables":{"NULL":1}})",
          R"({"nodes":2,"edges":[],"allocated":[0],"variables":{}})",
          R"({"nodes":2,"edges":[["a","next",0]],"variables":{}})"})
        EXPECT_TRUE(message(text).starts_with("heaps.jsonl:3: ")) << text;
}

TEST(Heap, TextAndPictures) {
    const Heap heap = read(example);
    EXPECT_EQ(heap_text(heap), "x=1 y=NULL | cells: 1: next->2; 2: next->NULL, val->3 | no cell at: 3");
    const std::string svg = heap_svg(heap);
    EXPECT_TRUE(svg.starts_with("<svg "));
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
    EXPECT_NE(svg.find("class=\"dangling\""), std::string::npos) << "the dangling node";
    Heap odd;
    odd.link(odd.add_node(true), "a<b\"c", 0);
    odd.set_variable("q&\"<", 1);
    EXPECT_EQ(heap_svg(odd).find("a<b"), std::string::npos) << "names are escaped";
}

} // namespace
} // namespace ggsnn::logic
