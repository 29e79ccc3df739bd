// Graphs and questions as Python gives them: arrays in, records (tasks/record.hpp) out, so that data of a
// program and data of a file take one way. Everything is checked; messages call the i-th item of a list X[i].
#pragma once

#include "ggsnn/tasks/build.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>

namespace ggsnn::python {

namespace py = pybind11;

using Ints = py::array_t<std::int32_t, py::array::c_style | py::array::forcecast>;
using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;
using RecordPtr = std::shared_ptr<const Record>;

// Rows of a sparse matrix: starts, columns, values, and how many columns there are.
struct SparseArrays {
    Ints starts, columns;
    Floats values;
    int width = 0;
};

// What is known of edges: types are numbers into names.
struct EdgeArrays {
    Ints sources, targets, types;
    std::vector<std::string> type_names;
    std::optional<Floats> weights, features;
};

// One graph. Throws Error.
RecordPtr make_record(int nodes, std::vector<std::string> names, const EdgeArrays& edges,
                      const std::optional<Floats>& features, const std::optional<SparseArrays>& sparse,
                      std::vector<std::pair<int, std::string>> tags, std::string id,
                      std::vector<std::vector<int>> text = {});

// Many graphs side by side, as one disjoint union: batch holds for each node the number of its graph, 0, 1,
// 2, .. in increasing order; edges number the nodes of all, and may be in any order.
using Wide = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
struct UnionArrays {
    Wide batch, sources, targets;
    std::optional<Ints> types; // none: all of type 0
    std::vector<std::string> type_names;
    std::optional<Floats> weights, edge_features, features;
};
std::vector<RecordPtr> make_records(const UnionArrays& arrays);

// Questions about graphs, with or without their answers. Consecutive ones about the same graph are read as
// one record with several questions, as one line of a file has them.
class Questions {
  public:
    // types, arguments: one for each, or empty where questions have none.
    Questions(std::vector<RecordPtr> graphs, std::vector<std::string> types,
              std::vector<std::vector<int>> arguments);

    std::size_t size() const { return graphs_.size(); }
    const Record& graph(std::size_t i) const { return *graphs_[i]; }

    // kind: as in the JSON-lines format; answers: by kind a word, a node, numbers, or a list of them. Throws
    // Error.
    void set_answers(const std::string& kind, const py::sequence& answers);
    // Classes and numbers of graphs, many at a time.
    void set_numbers(const py::array_t<float, py::array::c_style | py::array::forcecast>& rows);
    // Of question i, what a solver does step by step (nn/dataset.hpp): steps x nodes x bits, steps x nodes
    // and a node for each step, -1 for none. Throws Error.
    void set_hints(std::size_t i, const Ints& bits, const std::optional<Ints>& pointers,
                   const std::optional<Ints>& chosen);
    // For each graph the part of the data that it is in, or a part for each of its nodes ("" for none).
    void set_split(const std::vector<std::vector<std::string>>& split);
    // Sequences: annotations observed between outputs.
    void set_annotations(const std::vector<Floats>& annotations);

    // Where the questions about the graph of question `first` end.
    std::size_t end_of_graph(std::size_t first) const;
    // Adds the questions from first on that are about one graph; behind the last of them.
    std::size_t add_to(DatasetBuilder& builder, std::size_t first) const;
    std::unique_ptr<RecordReader> reader() const; // must not outlive this

  private:
    friend class QuestionReader;
    std::vector<RecordPtr> graphs_;
    std::vector<RawQuestion> questions_;
    std::vector<std::vector<Part>> split_; // empty: not said
};

} // namespace ggsnn::python
