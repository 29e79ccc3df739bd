#include "ggsnn/shapes/decision.hpp"

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

Schema schema_of(Decision decision, bool nested) {
    Schema schema;
    schema.edge_types = Vocabulary({"next", "left", "right"});
    if (nested) schema.edge_types.add("val");
    schema.question_types = Vocabulary({name_of(decision)});
    schema.arguments = mark_count;
    switch (decision) {
    case Decision::quantify:
        schema.answer = AnswerKind::klass;
        schema.classes = Vocabulary({"no", "yes"});
        break;
    case Decision::predicate:
        schema.answer = AnswerKind::klass;
        schema.classes = Vocabulary({"none", "ls", "tree"});
        break;
    case Decision::explain:
        schema.answer = AnswerKind::node_classes;
        schema.classes = Vocabulary({"nothing", "explained"});
        if (nested) schema.classes.add("active");
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
    std::vector<Edge> edges;
    for (std::size_t v = 0; v < heap.nodes.size(); ++v)
        for (const auto& [field, target] : heap.nodes[v].links)
            if (const int type = types[static_cast<std::size_t>(field)]; type >= 0)
                edges.push_back({static_cast<int>(v), type, target});
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
