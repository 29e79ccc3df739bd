// Concrete heaps: a graph of nodes with labelled links, and named variables on nodes. Node 0 is NULL, the
// only one. A node is a cell (allocated, with zero or more fields) or dangling (an address without a cell).
//
// A heap is one JSON object, one a line in a file:
//   {"nodes": 3, "null": 0, "edges": [[1, "next", 2], [2, "next", 0]], "variables": {"x": 1}}
// "null" may be left out when it is 0; any number is allowed, and nodes are renumbered so that it is 0.
// A node with an edge is a cell; "allocated": [..] lists cells without fields. Other keys are left alone.
#pragma once

#include "ggsnn/base/json.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ggsnn::logic {

struct Heap {
    struct Node {
        bool allocated = false;
        std::vector<std::pair<int, int>> links; // (field, node), sorted by field, each field once

        bool operator==(const Node&) const = default;
    };
    std::vector<std::string> fields;                    // names of fields, by number
    std::vector<Node> nodes{1};                         // nodes[0] is NULL
    std::vector<std::pair<std::string, int>> variables; // (name, node), sorted by name

    int add_node(bool allocated);
    int field(const std::string& name);            // its number; added if new
    int find_field(const std::string& name) const; // -1 if none
    // Makes source a cell. REQUIRES source > 0; a field that is already there is overwritten.
    void link(int source, const std::string& field_name, int target);
    void set_variable(const std::string& name, int node); // replaces
    int variable(const std::string& name) const;          // -1 if none
    int target(int source, int field_number) const;       // -1 if none
    std::size_t cell_count() const;

    bool operator==(const Heap&) const = default; // with the same numbers
};

// Throws Error naming the place: an edge to a node that is not there, a variable on no node, an unknown
// field, two NULLs, a field twice at one node, a link out of NULL.
Heap heap_from_json(const Json& json, const Place& place);
OrderedJson heap_to_json(const Heap& heap);

// "x=1 y=2 | 1: next->2  2: next->NULL | dangling: 3": for messages and the terminal.
std::string heap_text(const Heap& heap);
// A picture in layers (heap_layout.hpp): lists are straight, trees grow to the right. Standalone: with its
// style; else the page around it has heap_style() once. labels: what stands in the nodes instead of their
// numbers, by node; an empty one is no change.
std::string heap_svg(const Heap& heap, bool standalone = true, const std::vector<std::string>& labels = {});
// Of all pictures of heaps; colours are CSS variables that a page may set.
const char* heap_style();

} // namespace ggsnn::logic
