#include "ggsnn/shapes/decision.hpp"

#include "ggsnn/logic/definitions.hpp"

#include <algorithm>

namespace ggsnn::shapes {

const char* name_of(Decision decision) {
    switch (decision) {
    case Decision::quantify:
        return "quantify";
    case Decision::pick:
        return "pick";
    case Decision::predicate:
        return "predicate";
    case Decision::end:
        return "end";
    case Decision::explain:
        return "explain";
    }
    GGSNN_ASSERT(false);
}

namespace {

constexpr std::array<logic::Atom::Kind, predicate_count> kinds{
    logic::Atom::Kind::none,  logic::Atom::Kind::list,    logic::Atom::Kind::tree,    logic::Atom::Kind::dll,
    logic::Atom::Kind::ptree, logic::Atom::Kind::treeseg, logic::Atom::Kind::ptreeseg};

} // namespace

logic::Atom::Kind kind_of(int predicate) {
    return kinds[static_cast<std::size_t>(predicate)];
}

int class_of(logic::Atom::Kind kind) {
    for (int c = 0; c < predicate_count; ++c)
        if (kind_of(c) == kind) return c;
    return -1;
}

bool is_wide(const logic::SymbolicHeap& shape) {
    return std::any_of(shape.atoms.begin(), shape.atoms.end(), [](const logic::Atom& atom) {
        return class_of(atom.kind) > is_tree || (atom.body && is_wide(atom.body->heap));
    });
}

const char* name_of(Grammar grammar) {
    return grammar.wide ? "wide" : grammar.nested ? "nested" : "flat";
}

Schema schema_of(Decision decision, Grammar grammar) {
    Schema schema;
    schema.edge_types = Vocabulary({"next", "left", "right"});
    if (grammar.nested) schema.edge_types.add("val");
    if (grammar.wide)
        for (const char* field : {"prev", "parent"}) schema.edge_types.add(field);
    schema.question_types = Vocabulary({name_of(decision)});
    schema.arguments = mark_count;
    switch (decision) {
    case Decision::quantify:
        schema.answer = AnswerKind::klass;
        schema.classes = Vocabulary({"no", "yes"});
        break;
    case Decision::predicate:
        schema.answer = AnswerKind::klass;
        schema.classes = Vocabulary({"none"});
        for (int c = is_list; c < (grammar.wide ? predicate_count : is_tree + 1); ++c)
            schema.classes.add(std::string(logic::predicate(kind_of(c)).word));
        break;
    case Decision::explain:
        schema.answer = AnswerKind::node_classes;
        schema.classes = Vocabulary({"nothing", "explained"});
        if (grammar.nested) schema.classes.add("active");
        break;
    case Decision::pick:
    case Decision::end:
        schema.answer = AnswerKind::node;
        break;
    }
    return schema;
}

Graph graph_of(const logic::Heap& heap, const Vocabulary& edge_types) {
    std::vector<int> types;
    for (const std::string& field : heap.fields) types.push_back(edge_types.find(field));
    const int val = heap.find_field("val"),
              filled = edge_types.find("parent") >= 0 ? edge_types.find("val") : -1;
    std::vector<Edge> edges;
    for (std::size_t v = 0; v < heap.nodes.size(); ++v) {
        for (const auto& [field, target] : heap.nodes[v].links)
            if (const int type = types[static_cast<std::size_t>(field)]; type >= 0)
                edges.push_back({static_cast<int>(v), type, target});
        if (filled >= 0 && heap.nodes[v].allocated && (val < 0 || heap.target(static_cast<int>(v), val) < 0))
            edges.push_back({static_cast<int>(v), filled, 0});
    }
    return {static_cast<int>(heap.nodes.size()), edges};
}

Example Marks::example(int graph) const {
    Example example;
    example.graph = graph;
    example.marks.emplace_back(0, null);
    for (std::size_t v = 0; v < named.size(); ++v) {
        if (named[v] != 0) example.marks.emplace_back(static_cast<int>(v), Mark::named);
        if (explained[v] != 0) example.marks.emplace_back(static_cast<int>(v), Mark::explained);
    }
    for (const int v : active) example.marks.emplace_back(v, Mark::active);
    return example;
}

} // namespace ggsnn::shapes
