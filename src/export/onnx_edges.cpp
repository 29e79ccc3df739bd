#include "ggsnn/export/onnx_edges.hpp"

namespace ggsnn {

std::string onnx_zeros(OnnxGraph& graph, const std::string& nodes, int width) {
    const std::string shape = graph.add("Concat", {nodes, graph.wholes({width})}, {{"axis", 0}});
    return graph.add("ConstantOfShape", {shape});
}

std::string onnx_sums(OnnxGraph& graph, const std::string& zeros, const std::string& receivers,
                      const std::string& rows) {
    return graph.add("ScatterElements", {zeros, receivers, rows}, {{"axis", 0}, {"reduction", "add"}});
}

namespace {

struct EdgeInputs {
    std::string sources, types, targets, weights, numbers;
};

// Whole numbers [links] as [links, width], each in all columns.
std::string onnx_columns(OnnxGraph& graph, const std::string& list, int width) {
    const std::string shape =
        graph.add("Concat", {graph.add("Shape", {list}), graph.wholes({width})}, {{"axis", 0}});
    return graph.add("Expand", {graph.add("Unsqueeze", {list, graph.wholes({1})}), shape});
}

// Weights of messages [links, 1] by those of all that a node gets over the same type and direction, which may
// be none.
std::string averaged(OnnxGraph& graph, const std::string& zeros, const std::string& to,
                     const std::string& weights) {
    const std::string sums = onnx_sums(graph, zeros, to, graph.add("Abs", {weights}));
    const std::string some = graph.add("Greater", {sums, graph.floats({0})});
    const std::string inverse =
        graph.add("Where", {some, graph.add("Div", {graph.floats({1}), sums}), graph.floats({0})});
    const std::string list = graph.add("Squeeze", {to, graph.wholes({1})});
    return graph.add("Mul", {weights, graph.add("Gather", {inverse, list}, {{"axis", 0}})});
}

} // namespace

std::vector<OnnxSlot> onnx_edges(OnnxGraph& graph, const GatedShape& shape, const OnnxSizes& sizes) {
    const EdgeInputs in = {graph.input("sources", OnnxType::int64, {"edges"}),
                           graph.input("types", OnnxType::int64, {"edges"}),
                           graph.input("targets", OnnxType::int64, {"edges"}),
                           graph.input("edge_weights", OnnxType::float32, {"edges"}),
                           shape.edge_features > 0 ? graph.input("edge_numbers", OnnxType::float32,
                                                                 {"edges", shape.edge_features})
                                                   : ""};
    const std::string column = onnx_zeros(graph, sizes.nodes, 1),
                      wide =
                          shape.edge_features > 0 ? onnx_zeros(graph, sizes.nodes, shape.edge_features) : "";
    std::vector<OnnxSlot> slots;
    for (int type = 0; type < shape.edge_types; ++type) {
        const std::string is = graph.add("Equal", {in.types, graph.wholes({type})});
        const std::string which = graph.add("Squeeze", {graph.add("NonZero", {is}), graph.wholes({0})});
        const auto of_type = [&](const std::string& list) {
            return graph.add("Gather", {list, which}, {{"axis", 0}});
        };
        const std::string sources = of_type(in.sources), targets = of_type(in.targets);
        const std::string weights = graph.add("Unsqueeze", {of_type(in.weights), graph.wholes({1})});
        for (int direction : {incoming, outgoing}) {
            const std::string& to = direction == incoming ? targets : sources;
            OnnxSlot slot;
            slot.senders = direction == incoming ? sources : targets;
            slot.receivers = onnx_columns(graph, to, shape.state);
            const std::string one = graph.add("Unsqueeze", {to, graph.wholes({1})});
            slot.weights = shape.mean ? averaged(graph, column, one, weights) : weights;
            slot.degree = onnx_sums(graph, column, one, slot.weights);
            if (shape.edge_features > 0)
                slot.numbers = onnx_sums(graph, wide, onnx_columns(graph, to, shape.edge_features),
                                         graph.add("Mul", {of_type(in.numbers), slot.weights}));
            slots.push_back(slot);
        }
    }
    return slots;
}

} // namespace ggsnn
