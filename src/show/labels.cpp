#include "ggsnn/show/labels.hpp"

namespace ggsnn::show {

std::string node_name(const GraphRecord& graph, int node) {
    if (node == graph.graph.nodes()) return "(end)";
    return graph.names.empty() ? std::to_string(node) : graph.names[node];
}

std::string label_name(const Schema& schema, const GraphRecord& graph, int label) {
    if (!has_classes(schema.answer)) return node_name(graph, label);
    return label < schema.classes.size() ? schema.classes.name(label) : "(end)";
}

OrderedJson node_value(const GraphRecord& graph, int node) {
    return graph.names.empty() ? OrderedJson(node) : OrderedJson(node_name(graph, node));
}

OrderedJson label_value(const Schema& schema, const GraphRecord& graph, int label) {
    return has_classes(schema.answer) ? OrderedJson(label_name(schema, graph, label))
                                      : node_value(graph, label);
}

} // namespace ggsnn::show
