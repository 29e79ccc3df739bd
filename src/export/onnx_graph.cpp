// Numbers of fields are those of onnx.proto, version 8 of the intermediate representation (ONNX 1.12).
#include "ggsnn/export/onnx_graph.hpp"

#include <bit>

namespace ggsnn {

static_assert(std::endian::native == std::endian::little); // raw_data is

ProtoMessage OnnxGraph::value_info(const std::string& name, OnnxType type, const Dimensions& dimensions) {
    ProtoMessage shape;
    for (const Dimension& each : dimensions) {
        ProtoMessage dimension;
        if (each.name.empty()) {
            dimension.whole(1, each.size);
        } else {
            dimension.text(2, each.name);
        }
        shape.message(1, dimension);
    }
    ProtoMessage tensor, of_type, info;
    tensor.whole(1, static_cast<int>(type)).message(2, shape);
    of_type.message(1, tensor);
    return info.text(1, name).message(2, of_type);
}

std::string OnnxGraph::input(const std::string& name, OnnxType type, const Dimensions& dimensions) {
    inputs_.push_back(value_info(name, type, dimensions));
    return name;
}

void OnnxGraph::output(const std::string& value, OnnxType type, const Dimensions& dimensions) {
    outputs_.push_back(value_info(value, type, dimensions));
}

ProtoMessage OnnxGraph::attribute(const OnnxAttribute& given) {
    using Form = OnnxAttribute::Form;
    ProtoMessage message;
    message.text(1, given.name);
    switch (given.form) {
    case Form::whole:
        return message.whole(3, given.wholes[0]).whole(20, 2);
    case Form::text:
        return message.text(4, given.text).whole(20, 3);
    case Form::graph:
        return message.message(6, given.graph->message()).whole(20, 5);
    case Form::wholes:
        break;
    }
    for (std::int64_t value : given.wholes) message.whole(8, value);
    return message.whole(20, 7);
}

void OnnxGraph::add_named(const std::string& output, const std::string& op,
                          const std::vector<std::string>& inputs,
                          const std::vector<OnnxAttribute>& attributes) {
    ProtoMessage node;
    for (const std::string& input : inputs) node.text(1, input);
    node.text(2, output).text(3, "make_" + output).text(4, op);
    for (const OnnxAttribute& each : attributes) node.message(5, attribute(each));
    nodes_.push_back(std::move(node));
}

std::string OnnxGraph::add(const std::string& op, const std::vector<std::string>& inputs,
                           const std::vector<OnnxAttribute>& attributes) {
    std::string output = fresh() + "_" + op;
    add_named(output, op, inputs, attributes);
    return output;
}

std::string OnnxGraph::tensor(OnnxType type, const std::vector<std::int64_t>& dimensions, const void* bytes,
                              std::size_t size, std::string name) {
    if (name.empty()) name = fresh() + "_constant";
    ProtoMessage message;
    for (std::int64_t dimension : dimensions) message.whole(1, dimension);
    message.whole(2, static_cast<int>(type)).text(8, name);
    message.text(9, {static_cast<const char*>(bytes), size});
    constants_.push_back(std::move(message));
    return name;
}

std::string OnnxGraph::constant(const DenseMatrix& matrix, const std::string& name) {
    return tensor(OnnxType::float32, {matrix.rows, matrix.cols}, matrix.values.data(),
                  matrix.values.size() * sizeof(float), name);
}

std::string OnnxGraph::stack(const std::vector<const DenseMatrix*>& matrices, const std::string& name) {
    std::vector<float> all;
    for (const DenseMatrix* each : matrices) all.insert(all.end(), each->values.begin(), each->values.end());
    return tensor(OnnxType::float32,
                  {static_cast<std::int64_t>(matrices.size()), matrices.at(0)->rows, matrices[0]->cols},
                  all.data(), all.size() * sizeof(float), name);
}

namespace {

template <class T>
std::vector<std::int64_t> one_dimension(const std::vector<T>& values, bool scalar) {
    GGSNN_ASSERT(!scalar || values.size() == 1);
    if (scalar) return {};
    return {static_cast<std::int64_t>(values.size())};
}

} // namespace

std::string OnnxGraph::floats(const std::vector<float>& values, bool scalar) {
    return tensor(OnnxType::float32, one_dimension(values, scalar), values.data(),
                  values.size() * sizeof(float), "");
}

std::string OnnxGraph::doubles(const std::vector<double>& values, bool scalar) {
    return tensor(OnnxType::float64, one_dimension(values, scalar), values.data(),
                  values.size() * sizeof(double), "");
}

std::string OnnxGraph::wholes(const std::vector<std::int64_t>& values, bool scalar) {
    return tensor(OnnxType::int64, one_dimension(values, scalar), values.data(),
                  values.size() * sizeof(std::int64_t), "");
}

ProtoMessage OnnxGraph::message() const {
    ProtoMessage made;
    for (const ProtoMessage& node : nodes_) made.message(1, node);
    made.text(2, name_);
    for (const ProtoMessage& constant : constants_) made.message(5, constant);
    for (const ProtoMessage& input : inputs_) made.message(11, input);
    for (const ProtoMessage& output : outputs_) made.message(12, output);
    return made;
}

std::string encode_onnx(const OnnxGraph& graph, int opset, const std::string& about,
                        const std::vector<std::pair<std::string, std::string>>& metadata) {
    ProtoMessage model, operators;
    operators.text(1, "").whole(2, opset);
    model.whole(1, 8).text(2, "ggsnn").text(6, about);
    model.message(7, graph.message()).message(8, operators);
    for (const auto& [key, value] : metadata) {
        ProtoMessage entry;
        model.message(14, entry.text(1, key).text(2, value));
    }
    return model.bytes();
}

} // namespace ggsnn
