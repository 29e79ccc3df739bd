// A graph of ONNX operators while it is put together. Values are known by their names: add() makes a node and
// gives the name of what it computes.
#pragma once

#include "ggsnn/export/protobuf.hpp"
#include "ggsnn/export/weights.hpp"

#include <memory>

namespace ggsnn {

// Types of elements, by their numbers in ONNX.
enum class OnnxType { float32 = 1, int64 = 7, boolean = 9, float64 = 11 };

class OnnxGraph;

struct OnnxAttribute {
    enum class Form { whole, text, wholes, graph };

    OnnxAttribute(std::string given, int value) : name(std::move(given)), wholes{value} {}
    OnnxAttribute(std::string given, const char* value)
        : name(std::move(given)), form(Form::text), text(value) {}
    OnnxAttribute(std::string given, std::vector<std::int64_t> values)
        : name(std::move(given)), form(Form::wholes), wholes(std::move(values)) {}
    OnnxAttribute(std::string given, const OnnxGraph& value)
        : name(std::move(given)), form(Form::graph), graph(&value) {}

    std::string name;
    Form form = Form::whole;
    std::vector<std::int64_t> wholes = {};
    std::string text = {};
    const OnnxGraph* graph = nullptr; // must live until add() returns
};

class OnnxGraph {
  public:
    // Names of values begin with the prefix: a graph within another must not use its names.
    explicit OnnxGraph(std::string name, std::string prefix = "")
        : name_(std::move(name)), prefix_(std::move(prefix)) {}

    // A dimension of an input or output: a number, or a name where it varies.
    struct Dimension {
        Dimension(int value) : size(value) {}         // NOLINT(google-explicit-constructor)
        Dimension(const char* given) : name(given) {} // NOLINT(google-explicit-constructor)
        int size = 0;
        std::string name = {};
    };
    using Dimensions = std::vector<Dimension>;

    std::string input(const std::string& name, OnnxType type, const Dimensions& dimensions);
    void output(const std::string& value, OnnxType type, const Dimensions& dimensions);

    std::string add(const std::string& op, const std::vector<std::string>& inputs,
                    const std::vector<OnnxAttribute>& attributes = {});
    // The same with a name of its own for what is computed.
    void add_named(const std::string& output, const std::string& op, const std::vector<std::string>& inputs,
                   const std::vector<OnnxAttribute>& attributes = {});

    // Constants. Names are kept where they are given.
    std::string constant(const DenseMatrix& matrix, const std::string& name);
    // Matrices of one shape, one after the other: [matrices, rows, cols].
    std::string stack(const std::vector<const DenseMatrix*>& matrices, const std::string& name);
    std::string floats(const std::vector<float>& values, bool scalar = false);
    std::string doubles(const std::vector<double>& values, bool scalar = false);
    std::string wholes(const std::vector<std::int64_t>& values, bool scalar = false);

    ProtoMessage message() const;

  private:
    std::string fresh() { return prefix_ + std::to_string(++count_); }
    std::string tensor(OnnxType type, const std::vector<std::int64_t>& dimensions, const void* bytes,
                       std::size_t size, std::string name);
    static ProtoMessage value_info(const std::string& name, OnnxType type, const Dimensions& dimensions);
    static ProtoMessage attribute(const OnnxAttribute& given);

    std::string name_, prefix_;
    long count_ = 0;
    std::vector<ProtoMessage> nodes_, constants_, inputs_, outputs_;
};

// The bytes of an ONNX file of this opset, with texts that describe it.
std::string encode_onnx(const OnnxGraph& graph, int opset, const std::string& about,
                        const std::vector<std::pair<std::string, std::string>>& metadata);

} // namespace ggsnn
