#include "records.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace ggsnn::python {

namespace {

std::string item(std::size_t i) {
    return fmt::format("X[{}]", i);
}

void check_length(py::ssize_t found, std::size_t expected, const char* what, const char* things) {
    if (static_cast<std::size_t>(found) != expected)
        fail("{} has {} entries; expected one for each of the {} {}", what, found, expected, things);
}

void check_finite(std::span<const float> numbers, int width, const char* what) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (!std::isfinite(numbers[i]))
            fail("{}: row {}, column {} is {}; expected a finite number", what, i / width, i % width,
                 numbers[i]);
}

std::span<const float> flat(const Floats& array) {
    return {array.data(), static_cast<std::size_t>(array.size())};
}
std::span<const int> flat(const Ints& array) {
    return {array.data(), static_cast<std::size_t>(array.size())};
}

// The width of an array with a row for each of these things.
int width_of(const Floats& array, std::size_t rows, const char* what, const char* things) {
    if (array.ndim() != 2) fail("{} has {} dimensions; expected 2", what, array.ndim());
    check_length(array.shape(0), rows, what, things);
    if (array.shape(1) < 1) fail("{} has 0 columns; expected at least 1", what);
    return static_cast<int>(array.shape(1));
}

void check_arrays(const EdgeArrays& edges) {
    const auto count = static_cast<std::size_t>(edges.sources.size());
    check_length(edges.targets.size(), count, "targets", "edges");
    check_length(edges.types.size(), count, "types", "edges");
    if (edges.weights) {
        check_length(edges.weights->size(), count, "weights", "edges");
        check_finite(flat(*edges.weights), 1, "weights");
    }
    if (edges.features)
        check_finite(flat(*edges.features), width_of(*edges.features, count, "edge_features", "edges"),
                     "edge_features");
}

void add_edges(Record& record, const EdgeArrays& edges) {
    const auto count = static_cast<std::size_t>(edges.sources.size());
    record.edges.reserve(count);
    const auto node = [&](int number, std::size_t e) {
        if (number < 0 || number >= record.nodes)
            fail("edge {}: {} is no node of its graph; expected 0 to {}", e, number, record.nodes - 1);
        return number;
    };
    for (std::size_t e = 0; e < count; ++e) {
        const int type = edges.types.data()[e];
        if (type < 0 || static_cast<std::size_t>(type) >= edges.type_names.size())
            fail("edge {}: its type is {}; expected 0 to {}", e, type, edges.type_names.size() - 1);
        record.edges.push_back(
            {node(edges.sources.data()[e], e), edges.type_names[type], node(edges.targets.data()[e], e)});
    }
    if (edges.weights) record.edge_weights.assign(edges.weights->data(), edges.weights->data() + count);
    if (edges.features) {
        record.edge_width = static_cast<int>(edges.features->shape(1));
        record.edge_features.assign(edges.features->data(), edges.features->data() + edges.features->size());
    }
}

std::shared_ptr<const SparseRows> sparse_rows(const SparseArrays& arrays, int nodes) {
    const auto starts = flat(arrays.starts), columns = flat(arrays.columns);
    const auto values = flat(arrays.values);
    check_length(arrays.starts.size() - 1, nodes, "sparse features", "nodes");
    if (columns.size() != values.size() || starts.front() != 0 ||
        static_cast<std::size_t>(starts.back()) != columns.size())
        fail("sparse features: starts, columns and values do not fit together");
    auto rows = std::make_shared<SparseRows>();
    for (int v = 0; v < nodes; ++v) {
        if (starts[v + 1] < starts[v]) fail("sparse features: starts decrease at row {}", v);
        for (int i = starts[v]; i < starts[v + 1]; ++i) {
            if (columns[i] < 0 || columns[i] >= arrays.width)
                fail("sparse features: row {} has column {}; expected 0 to {}", v, columns[i],
                     arrays.width - 1);
            if (i > starts[v] && columns[i] <= columns[i - 1])
                fail("sparse features: columns of row {} do not increase", v);
            if (!std::isfinite(values[i])) fail("sparse features: row {} holds {}", v, values[i]);
            rows->add(columns[i], values[i]);
        }
        rows->end_row();
    }
    return rows;
}

void check_names(const Record& record) {
    std::set<std::string> seen;
    for (const std::string& name : record.names)
        if (!seen.insert(name).second) fail("node \"{}\" is named twice", name);
}

} // namespace

RecordPtr make_record(int nodes, std::vector<std::string> names, const EdgeArrays& edges,
                      const std::optional<Floats>& features, const std::optional<SparseArrays>& sparse,
                      std::vector<std::pair<int, std::string>> tags, std::string id,
                      std::vector<std::vector<int>> text) {
    if (nodes < 1 || nodes > (1 << 28)) fail("nodes is {}; expected 1 to {}", nodes, 1 << 28);
    auto record = std::make_shared<Record>();
    record->nodes = nodes;
    record->names = std::move(names);
    if (!record->names.empty())
        check_length(static_cast<py::ssize_t>(record->names.size()), nodes, "names", "nodes");
    record->text = std::move(text);
    for (const std::vector<int>& sentence : record->text)
        for (const int node : sentence)
            if (node < 0 || node >= nodes) fail("text: {} is no node; expected 0 to {}", node, nodes - 1);
    if (record->text.empty()) check_names(*record); // a sentence may be called as its word
    check_arrays(edges);
    add_edges(*record, edges);
    if (features) {
        record->feature_width = width_of(*features, nodes, "features", "nodes");
        check_finite(flat(*features), record->feature_width, "features");
        record->features.assign(features->data(), features->data() + features->size());
    }
    if (sparse) {
        if (features) fail("expected either features or sparse features");
        record->feature_width = sparse->width;
        record->sparse = sparse_rows(*sparse, nodes);
    }
    for (const auto& [node, name] : tags)
        if (node < 0 || node >= nodes) fail("types: {} is no node; expected 0 to {}", node, nodes - 1);
    record->tags = std::move(tags);
    record->id = std::move(id);
    return record;
}

namespace {

// The union cut into its graphs.
class Cutter {
  public:
    explicit Cutter(const UnionArrays& arrays)
        : a_(arrays),
          nodes_(static_cast<std::size_t>(arrays.batch.size())),
          edges_(static_cast<std::size_t>(arrays.sources.size())) {
        check_length(a_.targets.size(), edges_, "edge_index", "edges");
        if (a_.types) check_length(a_.types->size(), edges_, "edge_type", "edges");
        if (a_.weights) {
            check_length(a_.weights->size(), edges_, "weights", "edges");
            check_finite(flat(*a_.weights), 1, "weights");
        }
        width_ = width(a_.features, nodes_, "features", "nodes");
        edge_width_ = width(a_.edge_features, edges_, "edge_features", "edges");
        find_graphs();
    }

    std::vector<RecordPtr> records() {
        std::vector<std::shared_ptr<Record>> made;
        made.reserve(starts_.size() - 1);
        for (std::size_t g = 0; g + 1 < starts_.size(); ++g) made.push_back(record(g));
        for (std::size_t e = 0; e < edges_; ++e) add_edge(e, made);
        return {made.begin(), made.end()};
    }

  private:
    static int width(const std::optional<Floats>& rows, std::size_t count, const char* what,
                     const char* things) {
        if (!rows) return 0;
        const int columns = width_of(*rows, count, what, things);
        check_finite(flat(*rows), columns, what);
        return columns;
    }

    // Where the nodes of each graph begin, and how many edges it has.
    void find_graphs() {
        const std::int64_t* const batch = a_.batch.data();
        for (std::size_t v = 0; v < nodes_; ++v) {
            const auto last = static_cast<std::int64_t>(starts_.size()) - 1;
            if (batch[v] == last + 1)
                starts_.push_back(v);
            else if (batch[v] != last)
                fail("batch: node {} is in graph {} after graph {}; expected 0, 1, 2, .. in increasing "
                     "order, none "
                     "left out",
                     v, batch[v], last);
        }
        if (starts_.empty()) fail("batch: there are no nodes");
        counts_.assign(starts_.size(), 0);
        starts_.push_back(nodes_);
        for (std::size_t e = 0; e < edges_; ++e) ++counts_[graph_of(a_.sources.data()[e], e)];
    }

    std::size_t graph_of(std::int64_t node, std::size_t e) const {
        if (node < 0 || static_cast<std::size_t>(node) >= nodes_)
            fail("edge_index: edge {} has node {}; expected nodes 0 to {}", e, node, nodes_ - 1);
        return static_cast<std::size_t>(a_.batch.data()[node]);
    }

    std::shared_ptr<Record> record(std::size_t g) const {
        auto record = std::make_shared<Record>();
        record->nodes = static_cast<int>(starts_[g + 1] - starts_[g]);
        record->edges.reserve(counts_[g]);
        if (a_.weights) record->edge_weights.reserve(counts_[g]);
        record->edge_width = edge_width_;
        record->edge_features.reserve(counts_[g] * static_cast<std::size_t>(edge_width_));
        record->feature_width = width_;
        if (a_.features) {
            const float* const rows = a_.features->data();
            const auto columns = static_cast<std::size_t>(width_);
            record->features.assign(rows + starts_[g] * columns, rows + starts_[g + 1] * columns);
        }
        return record;
    }

    void add_edge(std::size_t e, std::vector<std::shared_ptr<Record>>& records) const {
        const std::int64_t source = a_.sources.data()[e], target = a_.targets.data()[e];
        const std::size_t g = graph_of(source, e);
        if (graph_of(target, e) != g)
            fail("edge_index: edge {} goes from graph {} to graph {}; expected edges within graphs", e, g,
                 graph_of(target, e));
        const int type = a_.types ? a_.types->data()[e] : 0;
        if (type < 0 || static_cast<std::size_t>(type) >= a_.type_names.size())
            fail("edge {}: its type is {}; expected 0 to {}", e, type, a_.type_names.size() - 1);
        Record& to = *records[g];
        const auto first = static_cast<std::int64_t>(starts_[g]);
        to.edges.push_back(
            {static_cast<int>(source - first), a_.type_names[type], static_cast<int>(target - first)});
        if (a_.weights) to.edge_weights.push_back(a_.weights->data()[e]);
        if (a_.edge_features) {
            const float* const row = a_.edge_features->data() + e * static_cast<std::size_t>(edge_width_);
            to.edge_features.insert(to.edge_features.end(), row, row + edge_width_);
        }
    }

    const UnionArrays& a_;
    std::size_t nodes_, edges_;
    int width_ = 0, edge_width_ = 0;
    std::vector<std::size_t> starts_, counts_; // by graph
};

} // namespace

std::vector<RecordPtr> make_records(const UnionArrays& arrays) {
    return Cutter(arrays).records();
}

Questions::Questions(std::vector<RecordPtr> graphs, std::vector<std::string> types,
                     std::vector<std::vector<int>> arguments)
    : graphs_(std::move(graphs)), questions_(graphs_.size()) {
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
        RawQuestion& q = questions_[i];
        q.place.file = item(i);
        q.type = types.empty() ? "question" : std::move(types[i]);
        if (!arguments.empty()) q.arguments = std::move(arguments[i]);
        for (int a : q.arguments)
            if (a < 0 || a >= graphs_[i]->nodes)
                fail_at(q.place, "arguments: {} is no node; expected 0 to {}", a, graphs_[i]->nodes - 1);
    }
}

namespace {

void add_node(RawAnswer& answer, const Record& graph, int node) {
    if (node < 0 || node >= graph.nodes) fail("{} is no node; expected 0 to {}", node, graph.nodes - 1);
    answer.nodes.push_back(node);
}

void read_answer(RawAnswer& answer, const Record& graph, const py::handle& value) {
    const bool each_node = is_each_node(answer.kind), sequence = is_sequence(answer.kind);
    if (is_regression(answer.kind)) {
        const auto numbers = value.cast<Floats>();
        if (each_node) width_of(numbers, graph.nodes, "the answer", "nodes");
        if (numbers.size() == 0) fail("the answer has no numbers; expected at least one");
        answer.values.assign(numbers.data(), numbers.data() + numbers.size());
        for (float x : answer.values)
            if (std::isinf(x)) fail("the answer is infinite; expected numbers, or nan where one is missing");
    } else if (!has_classes(answer.kind)) {
        if (sequence)
            for (int node : value.cast<std::vector<int>>()) add_node(answer, graph, node);
        else
            add_node(answer, graph, value.cast<int>());
    } else if (each_node) {
        for (const py::handle& word : value) {
            answer.missing.push_back(word.is_none() ? 1 : 0);
            answer.words.push_back(word.is_none() ? "" : word.cast<std::string>());
        }
        check_length(static_cast<py::ssize_t>(answer.words.size()), graph.nodes, "the answer", "nodes");
    } else if (sequence) {
        answer.words = value.cast<std::vector<std::string>>();
    } else {
        answer.words.push_back(value.cast<std::string>());
    }
}

} // namespace

void Questions::set_answers(const std::string& kind, const py::sequence& answers) {
    check_length(static_cast<py::ssize_t>(answers.size()), size(), "y", "questions of X");
    for (std::size_t i = 0; i < size(); ++i) {
        RawAnswer& answer = questions_[i].answer;
        answer = {};
        answer.present = true;
        answer.kind = answer_kind_named(kind);
        try {
            read_answer(answer, *graphs_[i], answers[i]);
        } catch (const Error& error) {
            fail("y[{}]: {}", i, error.what());
        } catch (const py::cast_error&) {
            fail("y[{}] is {}; expected an answer of kind {}", i, py::repr(answers[i]).cast<std::string>(),
                 kind);
        }
    }
}

void Questions::set_numbers(const Floats& rows) {
    const int width = width_of(rows, size(), "y", "questions of X");
    for (std::size_t i = 0; i < size(); ++i) {
        RawAnswer& answer = questions_[i].answer;
        answer = {};
        answer.present = true;
        answer.kind = AnswerKind::values;
        const float* const row = rows.data() + i * static_cast<std::size_t>(width);
        answer.values.assign(row, row + width);
        for (float x : answer.values)
            if (std::isinf(x)) fail("y[{}] is infinite; expected numbers, or nan where one is missing", i);
    }
}

void Questions::set_split(const std::vector<std::vector<std::string>>& split) {
    check_length(static_cast<py::ssize_t>(split.size()), size(), "split", "questions of X");
    split_.assign(size(), {});
    for (std::size_t i = 0; i < size(); ++i) {
        for (const std::string& name : split[i]) {
            if (name.empty())
                split_[i].push_back(Part::none);
            else
                split_[i].push_back(part_named(name, questions_[i].place));
        }
        if (split_[i].size() != 1)
            check_length(static_cast<py::ssize_t>(split_[i].size()), graphs_[i]->nodes, "split", "nodes");
    }
}

void Questions::set_hints(std::size_t i, const Ints& bits, const std::optional<Ints>& pointers,
                          const std::optional<Ints>& chosen) {
    const RawQuestion& q = questions_.at(i);
    const int nodes = graphs_[i]->nodes;
    if (bits.ndim() != 3 || bits.shape(0) < 1 || bits.shape(1) != nodes || bits.shape(2) < 1)
        fail_at(q.place, "hints: bits have the shape {}; expected steps x {} nodes x bits",
                py::str(bits.attr("shape")).cast<std::string>(), nodes);
    const auto steps = static_cast<std::size_t>(bits.shape(0));
    auto hints = std::make_shared<Hints>();
    hints->steps = static_cast<int>(steps);
    hints->width = static_cast<int>(bits.shape(2));
    for (const int bit : flat(bits)) {
        if (bit != 0 && bit != 1) fail_at(q.place, "hints: bits holds {}; expected 0 or 1", bit);
        hints->bits.push_back(static_cast<char>(bit));
    }
    const auto add = [&](const Ints& from, const char* what, std::size_t count, int least,
                         std::vector<int>& to) {
        if (static_cast<std::size_t>(from.size()) != count)
            fail_at(q.place, "hints: {} has {} entries; expected {}", what, from.size(), count);
        for (const int node : flat(from)) {
            if (node < least || node >= nodes)
                fail_at(q.place, "hints: {} holds {}; expected {} to {}", what, node, least, nodes - 1);
            to.push_back(node);
        }
    };
    if (pointers) add(*pointers, "pointers", steps * static_cast<std::size_t>(nodes), 0, hints->pointers);
    if (chosen) add(*chosen, "chosen", steps, -1, hints->chosen);
    questions_[i].hints = std::move(hints);
}

void Questions::set_annotations(const std::vector<Floats>& annotations) {
    check_length(static_cast<py::ssize_t>(annotations.size()), size(), "annotations", "questions of X");
    for (std::size_t i = 0; i < size(); ++i) {
        RawQuestion& q = questions_[i];
        const Floats& given = annotations[i];
        if (given.ndim() != 3 || given.shape(1) != graphs_[i]->nodes)
            fail_at(q.place, "annotations: expected outputs x {} nodes x bits", graphs_[i]->nodes);
        q.observed = true;
        q.annotations.assign(given.data(), given.data() + given.size());
        for (float bit : q.annotations)
            if (bit != 0 && bit != 1) fail_at(q.place, "annotations holds {}; expected 0 or 1", bit);
    }
}

std::size_t Questions::end_of_graph(std::size_t first) const {
    std::size_t end = first + 1;
    while (end < size() && graphs_[end] == graphs_[first]) ++end;
    return end;
}

std::size_t Questions::add_to(DatasetBuilder& builder, std::size_t first) const {
    const std::size_t end = end_of_graph(first);
    try {
        builder.add(*graphs_[first], std::span(questions_).subspan(first, end - first),
                    split_.empty() ? std::vector<Part>() : split_[first]);
    } catch (const UsageError&) {
        throw;
    } catch (const Error& error) {
        // Graphs have no place of their own: the same one may be asked about twice.
        const std::string text = error.what();
        throw Error(text.starts_with(": ") ? item(first) + text : text);
    }
    return end;
}

class QuestionReader : public RecordReader {
  public:
    explicit QuestionReader(const Questions& questions) : questions_(questions) {}
    bool next(Record& record) override {
        if (at_ == questions_.size()) return false;
        const std::size_t end = questions_.end_of_graph(at_);
        record = *questions_.graphs_[at_];
        record.place = questions_.questions_[at_].place;
        if (!questions_.split_.empty()) record.split = questions_.split_[at_];
        record.questions.assign(questions_.questions_.begin() + static_cast<std::ptrdiff_t>(at_),
                                questions_.questions_.begin() + static_cast<std::ptrdiff_t>(end));
        at_ = end;
        return true;
    }
    const char* format() const override { return "questions of a program"; }

  private:
    const Questions& questions_;
    std::size_t at_ = 0;
};

std::unique_ptr<RecordReader> Questions::reader() const {
    return std::make_unique<QuestionReader>(*this);
}

} // namespace ggsnn::python
