// Building heaps, and their JSON form.
#include "ggsnn/logic/heap.hpp"

#include "ggsnn/logic/definitions.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <functional>

namespace ggsnn::logic {

namespace {

constexpr int max_nodes = 10'000'000;

// A node number of the file, before renumbering.
int node_number(const Json& value, int count, const Place& place, const std::string& what) {
    if (!value.is_number_integer())
        fail_at(place, "{} is {}, expected the number of a node", what, describe(value));
    const auto number = value.get<std::int64_t>();
    if (number < 0 || number >= count)
        fail_at(place, "{} is node {}, but there are only nodes 0 to {}", what, number, count - 1);
    return static_cast<int>(number);
}

const Json& member(const Json& json, const char* key, const Place& place) {
    const auto found = json.find(key);
    if (found == json.end()) fail_at(place, "a heap without \"{}\"", key);
    return *found;
}

int node_count(const Json& json, const Place& place) {
    const Json& nodes = member(json, "nodes", place);
    if (!nodes.is_number_integer() || nodes.get<std::int64_t>() < 1 || nodes.get<std::int64_t>() > max_nodes)
        fail_at(place, "\"nodes\" is {}, expected a number of nodes from 1 (NULL alone) to {}", nodes.dump(),
                max_nodes);
    return nodes.get<int>();
}

int null_node(const Json& json, int count, const Place& place) {
    const auto found = json.find("null");
    if (found == json.end()) return 0;
    if (!found->is_array()) return node_number(*found, count, place, "\"null\"");
    if (found->size() > 1) fail_at(place, "two NULLs: \"null\" lists {} nodes, expected one", found->size());
    if (found->empty()) fail_at(place, "\"null\" lists no node, expected one");
    return node_number((*found)[0], count, place, "\"null\"");
}

void read_edge(const Json& edge, int count, const std::function<int(int)>& moved, const Place& place,
               Heap& heap) {
    if (!edge.is_array() || edge.size() != 3 || !edge[1].is_string())
        fail_at(place, "an edge is {}, expected [node, \"field\", node]", edge.dump());
    const std::string field = edge[1].get<std::string>();
    const int source =
        moved(node_number(edge[0], count, place, fmt::format("the source of edge {}", edge.dump())));
    const int target =
        moved(node_number(edge[2], count, place, fmt::format("the target of edge {}", edge.dump())));
    const std::vector<std::string>& known = built_in_fields();
    if (std::find(known.begin(), known.end(), field) == known.end())
        fail_at(place, "unknown field \"{}\" in edge {}, expected {} or {}", field, edge.dump(),
                fmt::join(known.begin(), known.end() - 1, ", "), known.back());
    if (source == 0) fail_at(place, "edge {} leaves NULL", edge.dump());
    if (heap.target(source, heap.find_field(field)) >= 0)
        fail_at(place, "edge {}: the node has field \"{}\" already", edge.dump(), field);
    heap.link(source, field, target);
}

} // namespace

int Heap::add_node(bool allocated) {
    nodes.push_back({allocated, {}});
    return static_cast<int>(nodes.size()) - 1;
}

int Heap::find_field(const std::string& name) const {
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i] == name) return static_cast<int>(i);
    return -1;
}

int Heap::field(const std::string& name) {
    const int found = find_field(name);
    if (found >= 0) return found;
    fields.push_back(name);
    return static_cast<int>(fields.size()) - 1;
}

void Heap::link(int source, const std::string& field_name, int target) {
    GGSNN_ASSERT(source > 0 && static_cast<std::size_t>(source) < nodes.size());
    Node& node = nodes[static_cast<std::size_t>(source)];
    node.allocated = true;
    const int number = field(field_name);
    const auto place = std::lower_bound(node.links.begin(), node.links.end(), std::pair(number, -1));
    if (place != node.links.end() && place->first == number) {
        place->second = target;
    } else {
        node.links.insert(place, {number, target});
    }
}

void Heap::set_variable(const std::string& name, int node) {
    const auto place = std::lower_bound(variables.begin(), variables.end(), std::pair(name, -1));
    if (place != variables.end() && place->first == name) {
        place->second = node;
    } else {
        variables.insert(place, {name, node});
    }
}

int Heap::variable(const std::string& name) const {
    const auto place = std::lower_bound(variables.begin(), variables.end(), std::pair(name, -1));
    return place != variables.end() && place->first == name ? place->second : -1;
}

int Heap::target(int source, int field_number) const {
    for (const auto& [number, node] : nodes[static_cast<std::size_t>(source)].links)
        if (number == field_number) return node;
    return -1;
}

std::size_t Heap::cell_count() const {
    return static_cast<std::size_t>(
        std::count_if(nodes.begin(), nodes.end(), [](const Node& n) { return n.allocated; }));
}

Heap heap_from_json(const Json& json, const Place& place) {
    if (!json.is_object()) fail_at(place, "found {}, expected a heap as a JSON object", describe(json));
    const int count = node_count(json, place);
    const int null = null_node(json, count, place);
    const std::function<int(int)> moved = [null](int node) {
        return node == null ? 0 : node == 0 ? null : node;
    };
    Heap heap;
    heap.nodes.resize(static_cast<std::size_t>(count));
    const Json& edges = member(json, "edges", place);
    if (!edges.is_array()) fail_at(place, "\"edges\" is {}, expected a list", describe(edges));
    for (const Json& edge : edges) read_edge(edge, count, moved, place, heap);
    if (const auto cells = json.find("allocated"); cells != json.end()) {
        if (!cells->is_array())
            fail_at(place, "\"allocated\" is {}, expected a list of nodes", describe(*cells));
        for (const Json& cell : *cells) {
            const int node = moved(node_number(cell, count, place, "an allocated cell"));
            if (node == 0) fail_at(place, "NULL is listed as allocated");
            heap.nodes[static_cast<std::size_t>(node)].allocated = true;
        }
    }
    const Json& variables = member(json, "variables", place);
    if (!variables.is_object())
        fail_at(place, "\"variables\" is {}, expected names with nodes", describe(variables));
    for (const auto& [name, node] : variables.items()) {
        if (name.empty() || name == "NULL") fail_at(place, "a variable is called \"{}\"", name);
        heap.set_variable(name, moved(node_number(node, count, place, fmt::format("variable \"{}\"", name))));
    }
    return heap;
}

OrderedJson heap_to_json(const Heap& heap) {
    OrderedJson json;
    json["nodes"] = heap.nodes.size();
    json["null"] = 0;
    OrderedJson edges = OrderedJson::array(), bare = OrderedJson::array();
    for (std::size_t i = 0; i < heap.nodes.size(); ++i) {
        for (const auto& [field, target] : heap.nodes[i].links)
            edges.push_back({i, heap.fields[static_cast<std::size_t>(field)], target});
        if (heap.nodes[i].allocated && heap.nodes[i].links.empty()) bare.push_back(i);
    }
    json["edges"] = std::move(edges);
    if (!bare.empty()) json["allocated"] = std::move(bare);
    json["variables"] = OrderedJson::object();
    for (const auto& [name, node] : heap.variables) json["variables"][name] = node;
    return json;
}

std::string heap_text(const Heap& heap) {
    const auto shown = [](int node) { return node == 0 ? std::string("NULL") : std::to_string(node); };
    std::string text, cells, dangling;
    for (const auto& [name, node] : heap.variables)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, shown(node));
    for (std::size_t i = 1; i < heap.nodes.size(); ++i) {
        if (!heap.nodes[i].allocated) {
            dangling += fmt::format(" {}", i);
            continue;
        }
        std::string links;
        for (const auto& [field, target] : heap.nodes[i].links)
            links += fmt::format("{}{}->{}", links.empty() ? "" : ", ",
                                 heap.fields[static_cast<std::size_t>(field)], shown(target));
        cells += fmt::format("{}{}: {}", cells.empty() ? "" : "; ", i, links.empty() ? "no fields" : links);
    }
    text += fmt::format("{}cells: {}", text.empty() ? "" : " | ", cells.empty() ? "none" : cells);
    if (!dangling.empty()) text += " | no cell at:" + dangling;
    return text;
}

} // namespace ggsnn::logic
