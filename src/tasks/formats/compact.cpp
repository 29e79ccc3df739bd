// The compact form of a large graph: a small JSON header that says where its parts are, as arrays of numpy
// (.npy) or CSV files beside it. docs/formats.md lists the keys.
#include "ggsnn/tasks/formats/edge_list.hpp"
#include "ggsnn/tasks/formats/formats.hpp"
#include "ggsnn/tasks/formats/npy.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace ggsnn {

namespace {

constexpr const char* compact_keys[] = {"format", "id",         "nodes",         "edges",
                                        "types",  "edge_types", "edge_features", "features",
                                        "labels", "classes",    "split",         "weights"};
constexpr std::int64_t most_columns = 1 << 24;

class Compact : public SingleGraph {
  public:
    Compact(Input input, const ReadOptions& options)
        : header_(std::move(input.document)),
          place_{input.name(), 1},
          folder_(input.path == "-" ? "" : std::filesystem::path(input.path).parent_path()),
          options_(options) {}
    const char* format() const override { return "compact graph"; }

  private:
    void read(Record& record) override {
        record.place = place_;
        for (const auto& [key, value] : header_.items())
            if (std::find(std::begin(compact_keys), std::end(compact_keys), key) == std::end(compact_keys))
                fail_at(place_, "unknown key \"{}\"; expected one of {}", key, fmt::join(compact_keys, ", "));
        if (!options_.label.empty() && !header_.value("nodes", Json()).is_string())
            throw UsageError(
                fmt::format("--label has no meaning for {}, which has no table of nodes: \"labels\" "
                            "is the array of answers",
                            place_.file));
        if (header_.contains("id")) record.id = header_["id"].dump();
        RawAnswer answer;
        NodeTable nodes;
        read_node_part(record, nodes, answer);
        read_edge_part(record, nodes);
        if (header_.contains("weights")) record.edge_weights = edge_numbers("weights", record, 1);
        if (header_.contains("edge_features")) {
            record.edge_features = edge_numbers("edge_features", record, 0);
            record.edge_width =
                record.edges.empty() ? 0 : width_of(record.edge_features, record.edges.size());
        }
        if (header_.contains("labels")) answer = read_labels_part(record);
        if (header_.contains("split")) read_split_part(record);
        if (header_.contains("features")) read_features_part(record);
        ask(std::move(answer), options_,
            nodes.table.columns() > 0 ? nodes.table.list() : "\"labels\" in the header", record);
    }

    static int width_of(const std::vector<float>& numbers, std::size_t rows) {
        return static_cast<int>(numbers.size() / rows);
    }

    std::string path_of(const Json& value, const char* key) const {
        if (!value.is_string())
            fail_at(place_, "{} is {}; expected the name of a file", key, describe(value));
        return (folder_ / value.get<std::string>()).string();
    }

    // An array with `rows` rows; `width` columns, 1 also without a second dimension, 0: any number of them.
    Npy array(const Json& value, const char* key, std::size_t rows, std::size_t width,
              const char* things) const {
        Npy npy(path_of(value, key));
        const std::vector<std::size_t>& shape = npy.shape();
        const std::size_t columns = shape.size() == 2 ? shape[1] : 1;
        if (shape.empty() || shape[0] != rows || (width > 0 && columns != width) || columns == 0 ||
            columns > most_columns)
            fail("{}: {} of shape {}; expected {} for each of the {} {}", npy.path(), key, npy.shape_text(),
                 width == 1 ? "one number" : "numbers", rows, things);
        return npy;
    }

    static std::vector<float> finite(const Npy& npy) {
        std::vector<float> numbers = npy.floats();
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (!std::isfinite(numbers[i]))
                fail("{}: entry {} is not a finite single-precision number", npy.path(), i);
        return numbers;
    }

    static void check_whole(const Npy& npy, const char* key) {
        if (!npy.is_whole()) fail("{}: {} with fractions; expected whole numbers", npy.path(), key);
    }

    // Numbers from `least` to `most - 1`.
    static std::vector<std::int64_t> numbers_below(const Npy& npy, const char* key, std::int64_t least,
                                                   std::int64_t most) {
        check_whole(npy, key);
        std::vector<std::int64_t> numbers = npy.whole();
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (numbers[i] < least || numbers[i] >= most)
                fail("{}: {}: entry {} is {}; expected {} to {}", npy.path(), key, i, numbers[i], least,
                     most - 1);
        return numbers;
    }

    void read_node_part(Record& record, NodeTable& nodes, RawAnswer& answer) const {
        const Json value = header_.value("nodes", Json());
        if (value.is_string()) {
            nodes = read_node_table(path_of(value, "nodes"));
            record.nodes = nodes.names.size();
            record.names = nodes.names.names();
            read_nodes(nodes.table, nodes.id, options_, false, record, answer);
            return;
        }
        if (!value.is_number_integer() || value.get<std::int64_t>() < 1 ||
            value.get<std::int64_t>() > most_nodes)
            fail_at(place_, "nodes is {}; expected their number, 1 to {}, or the name of a table of them",
                    describe(value), most_nodes);
        record.nodes = value.get<int>();
    }

    void read_edge_part(Record& record, const NodeTable& nodes) const {
        if (!header_.contains("edges"))
            fail_at(place_, "\"edges\" is missing; expected the name of a .npy or CSV file");
        const std::string path = path_of(header_["edges"], "edges");
        if (path.ends_with(".npy")) {
            read_edge_array(Npy(path), record);
            return;
        }
        for (const char* key : {"types", "edge_types"})
            if (header_.contains(key))
                fail_at(place_, "{} goes with edges in a .npy file; those of a CSV file stand in it", key);
        CsvReader csv(std::make_unique<LineReader>(path));
        read_edge_file(csv, record, [&](const std::string& name, const Place& place) {
            if (!record.names.empty()) {
                const int node = nodes.names.find(name);
                if (node < 0) fail_at(place, "node \"{}\" is not in {}", name, nodes.table.file());
                return node;
            }
            const double number = number_in(name).value_or(-1);
            if (number < 0 || number >= record.nodes || number != std::floor(number))
                fail_at(place, "\"{}\" is not a node; expected a whole number from 0 to {}", name,
                        record.nodes - 1);
            return static_cast<int>(number);
        });
    }

    // A row of source and target for each edge; or, as PyG has them, a row of sources and one of targets. Two
    // by two is the former.
    void read_edge_array(const Npy& npy, Record& record) const {
        const auto& shape = npy.shape();
        const bool by_rows = shape.size() == 2 && shape[1] == 2;
        if (!by_rows && (shape.size() != 2 || shape[0] != 2))
            fail("{}: edges of shape {}; expected (edges, 2) or (2, edges)", npy.path(), npy.shape_text());
        const std::size_t edges = by_rows ? shape[0] : shape[1];
        if (edges > 1U << 30) fail("{}: {} edges; expected at most {}", npy.path(), edges, 1U << 30);
        check_whole(npy, "edges");
        const std::vector<std::int64_t> numbers = npy.whole();
        std::vector<std::int64_t> types;
        if (header_.contains("edge_types"))
            types = array(header_["edge_types"], "edge_types", edges, 1, "edges").whole();
        const std::vector<std::string> names = read_names("types");
        record.edges.reserve(edges);
        for (std::size_t e = 0; e < edges; ++e) {
            const auto node = [&](std::size_t end) {
                const std::int64_t number = numbers[by_rows ? e * 2 + end : end * edges + e];
                if (number < 0 || number >= record.nodes)
                    fail("{}: edge {} has the node {}; expected 0 to {}", npy.path(), e, number,
                         record.nodes - 1);
                return static_cast<int>(number);
            };
            const std::int64_t type = types.empty() ? 0 : types[e];
            record.edges.push_back({node(0), type_name(names, type, !types.empty(), e), node(1)});
        }
    }

    std::string type_name(const std::vector<std::string>& names, std::int64_t type, bool typed,
                          std::size_t edge) const {
        if (names.empty()) return typed ? std::to_string(type) : "edge";
        if (type < 0 || type >= static_cast<std::int64_t>(names.size()))
            fail_at(place_, "edge {} is of type {}; expected 0 to {}, as types has names for", edge, type,
                    names.size() - 1);
        return names[static_cast<std::size_t>(type)];
    }

    std::vector<std::string> read_names(const char* key) const {
        std::vector<std::string> names;
        if (!header_.contains(key)) return names;
        if (!header_[key].is_array() || header_[key].empty())
            fail_at(place_, "{} is {}; expected a list of names", key, describe(header_[key]));
        for (const Json& name : header_[key]) {
            if (!name.is_string()) fail_at(place_, "{} holds {}; expected names", key, describe(name));
            names.push_back(name.get<std::string>());
        }
        return names;
    }

    std::vector<float> edge_numbers(const char* key, const Record& record, std::size_t width) const {
        if (!record.edge_weights.empty() && key == std::string_view("weights"))
            fail_at(place_, "weights stand in the CSV file of edges; expected them there or in the header");
        if (record.edge_width > 0 && key == std::string_view("edge_features"))
            fail_at(place_,
                    "features of edges stand in their CSV file; expected them there or in the header");
        return finite(array(header_[key], key, record.edges.size(), width, "edges"));
    }

    void read_features_part(Record& record) const {
        if (record.feature_width > 0)
            fail_at(place_, "features stand in the table of nodes; expected them there or in the header");
        const Json& value = header_["features"];
        if (value.is_object()) {
            read_sparse(value, record);
            return;
        }
        const Npy npy = array(value, "features", record.nodes, 0, "nodes");
        record.features = finite(npy);
        record.feature_width = width_of(record.features, record.nodes);
    }

    // Entries (row, column, number) in any order; without numbers all are 1.
    void read_sparse(const Json& value, Record& record) const {
        for (const auto& [key, ignored] : value.items())
            if (!is_one_of(key, {"rows", "columns", "values", "width"}))
                fail_at(place_, "features: unknown key \"{}\"; expected rows, columns, values and width",
                        key);
        const Json width = value.value("width", Json());
        if (!width.is_number_integer() || width.get<std::int64_t>() < 1 ||
            width.get<std::int64_t>() > most_columns)
            fail_at(place_, "features: width is {}; expected the number of columns, 1 to {}", describe(width),
                    most_columns);
        const Npy row_file(path_of(value.value("rows", Json()), "features: rows"));
        if (row_file.shape().size() != 1 || row_file.size() > 1U << 30)
            fail("{}: rows of shape {}; expected one dimension", row_file.path(), row_file.shape_text());
        const std::size_t count = row_file.size();
        const Npy column_file =
            array(value.value("columns", Json()), "features: columns", count, 1, "entries");
        const auto rows = numbers_below(row_file, "rows", 0, record.nodes);
        const auto columns = numbers_below(column_file, "columns", 0, width.get<std::int64_t>());
        std::vector<float> numbers(count, 1.0F);
        if (value.contains("values"))
            numbers = finite(array(value["values"], "features: values", count, 1, "entries"));
        record.feature_width = width.get<int>();
        record.sparse = sorted_rows(rows, columns, numbers, record.nodes, column_file.path());
    }

    static std::shared_ptr<const SparseRows> sorted_rows(const std::vector<std::int64_t>& rows,
                                                         const std::vector<std::int64_t>& columns,
                                                         const std::vector<float>& numbers, int nodes,
                                                         const std::string& path) {
        std::vector<int> order(rows.size());
        std::iota(order.begin(), order.end(), 0);
        const auto key = [&](int i) { return std::pair(rows[i], columns[i]); };
        std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
        auto sparse = std::make_shared<SparseRows>();
        std::size_t at = 0;
        for (int v = 0; v < nodes; ++v) {
            for (; at < order.size() && rows[order[at]] == v; ++at) {
                if (at > 0 && key(order[at]) == key(order[at - 1]))
                    fail("{}: entries {} and {} are for the same row and column", path, order[at - 1],
                         order[at]);
                sparse->add(static_cast<int>(columns[order[at]]), numbers[order[at]]);
            }
            sparse->end_row();
        }
        return sparse;
    }

    // Whole numbers are classes, -1 for none; others are numbers, NaN for none.
    RawAnswer read_labels_part(const Record& record) const {
        const Npy npy = array(header_["labels"], "labels", record.nodes, 0, "nodes");
        RawAnswer answer;
        answer.present = true;
        if (!npy.is_whole()) {
            answer.kind = AnswerKind::node_values;
            answer.values = npy.floats();
            for (std::size_t i = 0; i < answer.values.size(); ++i)
                if (std::isinf(answer.values[i]))
                    fail("{}: entry {} is not a single-precision number", npy.path(), i);
            return answer;
        }
        if (npy.size() != static_cast<std::size_t>(record.nodes))
            fail("{}: labels of shape {}; expected one class for each of the {} nodes", npy.path(),
                 npy.shape_text(), record.nodes);
        answer.kind = AnswerKind::node_classes;
        const std::vector<std::string> names = read_names("classes");
        for (const std::int64_t label : npy.whole()) {
            if (!names.empty() && (label < -1 || label >= static_cast<std::int64_t>(names.size())))
                fail("{}: the class {}; expected -1 to {}, as classes has names for", npy.path(), label,
                     names.size() - 1);
            answer.missing.push_back(label == -1 ? 1 : 0);
            answer.words.push_back(label == -1     ? ""
                                   : names.empty() ? std::to_string(label)
                                                   : names[static_cast<std::size_t>(label)]);
        }
        return answer;
    }

    static void put(Record& record, std::int64_t node, Part part, const std::string& where) {
        Part& to = record.split[static_cast<std::size_t>(node)];
        if (to != Part::none && to != part) fail("{}: node {} is in two parts", where, node);
        to = part;
    }

    // 0 train, 1 valid, 2 test, -1 none, for each node; or by part a mask, an array or a list of nodes.
    void read_split_part(Record& record) const {
        if (!record.split.empty())
            fail_at(place_, "the split stands in the table of nodes; expected it there or in the header");
        record.split.assign(record.nodes, Part::none);
        const Json& split = header_["split"];
        if (!split.is_object()) {
            const Npy npy = array(split, "split", record.nodes, 1, "nodes");
            const auto numbers = numbers_below(npy, "split", -1, 3);
            for (std::size_t v = 0; v < numbers.size(); ++v)
                record.split[v] = static_cast<Part>(numbers[v] + 1);
            return;
        }
        for (const auto& [name, nodes] : split.items()) {
            read_part(nodes, part_named(name, place_), record);
        }
    }

    void read_part(const Json& nodes, Part part, Record& record) const {
        if (nodes.is_array()) {
            for (const Json& node : nodes) {
                if (!node.is_number_integer() || node.get<std::int64_t>() < 0 ||
                    node.get<std::int64_t>() >= record.nodes)
                    fail_at(place_, "split holds {}; expected nodes, 0 to {}", describe(node),
                            record.nodes - 1);
                put(record, node.get<std::int64_t>(), part, place_.text());
            }
            return;
        }
        const Npy npy(path_of(nodes, "split"));
        if (npy.shape().size() != 1)
            fail("{}: a split of shape {}; expected one dimension", npy.path(), npy.shape_text());
        if (!npy.is_truth()) {
            for (const std::int64_t node : numbers_below(npy, "split", 0, record.nodes))
                put(record, node, part, npy.path());
            return;
        }
        if (npy.size() != static_cast<std::size_t>(record.nodes))
            fail("{}: a mask of shape {}; expected an entry for each of the {} nodes", npy.path(),
                 npy.shape_text(), record.nodes);
        const auto mask = npy.whole();
        for (std::size_t v = 0; v < mask.size(); ++v)
            if (mask[v] != 0) put(record, static_cast<std::int64_t>(v), part, npy.path());
    }

    Json header_;
    Place place_;
    std::filesystem::path folder_; // of the header: files are named from there
    ReadOptions options_;
};

} // namespace

bool is_compact(const Input& input) {
    return input.document.is_object() && input.document.value("format", Json()) == "ggsnn-graph";
}

std::unique_ptr<RecordReader> open_compact(Input input, const ReadOptions& options) {
    return std::make_unique<Compact>(std::move(input), options);
}

} // namespace ggsnn
