// This project's JSON lines, for any typed graph (docs/formats.md).
#include "ggsnn/nn/metadata.hpp"
#include "ggsnn/tasks/formats/json_lines.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ggsnn {

namespace {

Part part_from(const Json& name, const Place& place) {
    if (name.is_string()) return part_named(name.get<std::string>(), place);
    fail_at(place, "split: {} is not a part; expected train, valid or test", describe(name));
}

// "node, class, ... or classes"
std::string kinds_of_answers() {
    std::string text;
    const auto kinds = answer_kinds();
    for (std::size_t i = 0; i < kinds.size(); ++i)
        text += std::string(i == 0 ? "" : i + 1 == kinds.size() ? " or " : ", ") + name_of(kinds[i]);
    return text;
}

class Graphs : public RecordReader {
  public:
    Graphs(std::unique_ptr<LineReader> lines, const ReadOptions& options)
        : lines_(std::move(lines)), options_(options) {}
    const char* format() const override { return "graphs"; }
    Place place() const override { return lines_.place(); }

    bool next(Record& record) override {
        Json line;
        record = {};
        if (!lines_.next(line)) return false;
        record.place = lines_.place();
        if (line.contains("id")) record.id = line["id"].dump();
        for (const auto& [key, value] : line.items()) {
            static const std::vector<std::string> known = {
                "id",       "nodes",           "edges",      "edge_weights", "edge_features",
                "features", "sparse_features", "node_types", "split",        "question",
                "questions"};
            if (std::find(known.begin(), known.end(), key) == known.end())
                fail_at(record.place, "unknown key \"{}\"; expected one of {}", key, fmt::join(known, ", "));
        }
        read_nodes(line, record);
        read_edges(line, record);
        if (line.contains("edge_weights")) read_edge_weights(line["edge_weights"], record);
        if (line.contains("edge_features")) read_edge_features(line["edge_features"], record);
        if (line.contains("features") && line.contains("sparse_features"))
            fail_at(record.place, "expected either \"features\" or \"sparse_features\"");
        if (line.contains("features")) read_features(line["features"], "features", record);
        if (line.contains("sparse_features")) read_sparse_features(line["sparse_features"], record);
        if (line.contains("node_types")) read_node_types(line["node_types"], record);
        if (line.contains("split")) read_split(line["split"], record);
        if (line.contains("question") == line.contains("questions"))
            fail_at(record.place, "expected either \"question\" or \"questions\"");
        if (line.contains("question")) {
            read_question(line["question"], record);
        } else {
            if (!line["questions"].is_array() || line["questions"].empty())
                fail_at(record.place, "questions is {}; expected a list with at least one",
                        describe(line["questions"]));
            for (const Json& q : line["questions"]) read_question(q, record);
        }
        return true;
    }

  private:
    void read_nodes(const Json& line, Record& record) {
        if (!line.contains("nodes"))
            fail_at(record.place, "\"nodes\" is missing; expected their number or a list of names");
        const Json& nodes = line["nodes"];
        index_.clear();
        if (nodes.is_number_integer()) {
            if (nodes.get<std::int64_t>() < 1 || nodes.get<std::int64_t>() > (1 << 28))
                fail_at(record.place, "nodes is {}; expected 1 to {}", nodes.dump(), 1 << 28);
            record.nodes = nodes.get<int>();
        } else if (nodes.is_array() && !nodes.empty()) {
            for (const Json& name : nodes) {
                if (!name.is_string())
                    fail_at(record.place, "nodes holds {}; expected names", describe(name));
                record.names.push_back(name.get<std::string>());
                if (!index_.emplace(record.names.back(), static_cast<int>(index_.size())).second)
                    fail_at(record.place, "node \"{}\" is named twice", record.names.back());
            }
            record.nodes = static_cast<int>(record.names.size());
        } else {
            fail_at(record.place, "nodes is {}; expected their number or a list of names", describe(nodes));
        }
    }

    int node(const Json& value, const Record& record, const char* what) const {
        if (record.names.empty()) return node_number(value, record.nodes, record.place, what);
        if (!value.is_string())
            fail_at(record.place, "{}: {} is not a node; expected the name of one", what, describe(value));
        const auto at = index_.find(value.get<std::string>());
        if (at == index_.end())
            fail_at(record.place, "{}: \"{}\" is not one of the {} nodes", what, value.get<std::string>(),
                    record.nodes);
        return at->second;
    }

    void read_edges(const Json& line, Record& record) {
        if (!line.contains("edges") || !line["edges"].is_array())
            fail_at(record.place,
                    "\"edges\" is missing or not a list; expected [[source, type, target], ...]");
        for (const Json& edge : line["edges"]) {
            if (!edge.is_array() || edge.size() != 3)
                fail_at(record.place, "edges holds {}; expected [source, type, target]", describe(edge));
            record.edges.push_back({node(edge[0], record, "edges"), type_text(edge[1], record.place, "edges"),
                                    node(edge[2], record, "edges")});
        }
    }

    static void read_edge_weights(const Json& weights, Record& record) {
        check_list(weights, record.edges.size(), "edge_weights", "edges", record.place);
        for (const Json& w : weights)
            record.edge_weights.push_back(finite_number(w, record.place, "edge_weights"));
    }

    static void read_edge_features(const Json& rows, Record& record) {
        check_list(rows, record.edges.size(), "edge_features", "edges", record.place);
        record.edge_width = read_rows(rows, "edge_features", record.place, record.edge_features);
    }

    // {"width": 1433, "rows": [[3, 17, [40, 0.5]], ...]}: columns with a one, or with the number given.
    static void read_sparse_features(const Json& value, Record& record) {
        const Place& place = record.place;
        if (!value.is_object() || value.size() != 2 || !value.contains("width") || !value.contains("rows"))
            fail_at(place, "sparse_features is {}; expected an object with the keys width and rows",
                    describe(value));
        const Json& width = value["width"];
        if (!width.is_number_integer() || width.get<std::int64_t>() < 1 ||
            width.get<std::int64_t>() > most_features)
            fail_at(place, "sparse_features: width is {}; expected 1 to {}", describe(width), most_features);
        record.feature_width = width.get<int>();
        check_list(value["rows"], record.nodes, "sparse_features: rows", "nodes", place);
        auto sparse = std::make_shared<SparseRows>();
        std::map<int, float> row;
        for (const Json& given : value["rows"]) {
            if (!given.is_array())
                fail_at(place,
                        "sparse_features: a row is {}; expected a list of columns or of [column, number]",
                        describe(given));
            row.clear();
            for (const Json& entry : given) {
                const bool pair = entry.is_array() && entry.size() == 2;
                const int column = column_number(pair ? entry[0] : entry, record.feature_width, place);
                const float number = pair ? finite_number(entry[1], place, "sparse_features") : 1.0F;
                if (!row.emplace(column, number).second)
                    fail_at(place, "sparse_features: column {} stands twice in a row", column);
            }
            for (const auto& [column, number] : row) sparse->add(column, number);
            sparse->end_row();
        }
        record.sparse = std::move(sparse);
    }

    static int column_number(const Json& value, int width, const Place& place) {
        if (!value.is_number_integer() || value.get<std::int64_t>() < 0 || value.get<std::int64_t>() >= width)
            fail_at(place, "sparse_features: {} is not a column; expected 0 to {}", describe(value),
                    width - 1);
        return value.get<int>();
    }

    // For each node its type, or several, or null.
    static void read_node_types(const Json& types, Record& record) {
        check_list(types, record.nodes, "node_types", "nodes", record.place);
        for (std::size_t v = 0; v < types.size(); ++v) {
            const int node = static_cast<int>(v);
            if (types[v].is_array()) {
                for (const Json& each : types[v])
                    record.tags.emplace_back(node, type_text(each, record.place, "node_types"));
            } else if (!types[v].is_null()) {
                record.tags.emplace_back(node, type_text(types[v], record.place, "node_types"));
            }
        }
    }

    // "train"; or one for each node, null for none; or {"train": [nodes], "valid": [nodes], "test": [nodes]}.
    void read_split(const Json& split, Record& record) const {
        const Place& place = record.place;
        if (split.is_string()) {
            record.split = {part_from(split, place)};
        } else if (split.is_array()) {
            check_list(split, record.nodes, "split", "nodes", place);
            for (const Json& each : split)
                record.split.push_back(each.is_null() ? Part::none : part_from(each, place));
        } else if (split.is_object()) {
            record.split.assign(record.nodes, Part::none);
            for (const auto& [name, nodes] : split.items()) {
                const Part part = part_named(name, place);
                if (!nodes.is_array())
                    fail_at(place, "split: {} is {}; expected a list of nodes", name, describe(nodes));
                for (const Json& each : nodes) {
                    Part& to = record.split[node(each, record, "split")];
                    if (to != Part::none && to != part)
                        fail_at(place, "split: node {} is in two parts", each.dump());
                    to = part;
                }
            }
        } else {
            fail_at(place, "split is {}; expected a part, a part for each node, or lists of nodes by part",
                    describe(split));
        }
    }

    void read_question(const Json& q, Record& record) {
        if (!q.is_object()) fail_at(record.place, "question is {}; expected an object", describe(q));
        RawQuestion question{"question", {}, {}, {}, false, record.place};
        for (const auto& [key, value] : q.items()) {
            if (key == "type") {
                question.type = type_text(value, record.place, "question");
            } else if (key == "arguments") {
                if (!value.is_array())
                    fail_at(record.place, "arguments is {}; expected a list of nodes", describe(value));
                for (const Json& a : value) question.arguments.push_back(node(a, record, "arguments"));
            } else if (key == "answer") {
                read_answer(value, record, question.answer);
            } else if (key == "annotations") {
                read_annotations(value, record, question);
            } else if (key == "hints") {
                question.hints = read_hints(value, record);
            } else {
                fail_at(
                    record.place,
                    "question: unknown key \"{}\"; expected type, arguments, answer, annotations or hints",
                    key);
            }
        }
        if (!question.answer.present && options_.need_answers)
            fail_at(record.place, "the question has no answer");
        record.questions.push_back(std::move(question));
    }

    // One matrix for each label of a sequence, with a row for each node; widths are the builder's to check.
    void read_annotations(const Json& value, const Record& record, RawQuestion& question) {
        question.observed = true;
        std::optional<std::size_t> width;
        if (!value.is_array())
            fail_at(record.place, "annotations is {}; expected a list of matrices", describe(value));
        for (const Json& matrix : value) {
            if (!matrix.is_array() || static_cast<int>(matrix.size()) != record.nodes)
                fail_at(record.place, "annotations holds {}; expected a row for each of the {} nodes",
                        describe(matrix), record.nodes);
            for (const Json& row : matrix) {
                if (!row.is_array())
                    fail_at(record.place, "annotations: a row is {}; expected numbers", describe(row));
                if (row.size() != width.value_or(row.size()))
                    fail_at(record.place, "annotations: a row has {} numbers; expected {} as in the first",
                            row.size(), *width);
                width = row.size();
                for (const Json& x : row) {
                    const float bit = finite_number(x, record.place, "annotations");
                    if (bit != 0 && bit != 1)
                        fail_at(record.place, "annotations holds {}; expected 0 or 1", describe(x));
                    question.annotations.push_back(bit);
                }
            }
        }
    }

    // {"bits": [[[0, 1], ...], ...], "pointers": [[0, 0, 1], ...], "chosen": [0, null, ...]}: by step.
    std::shared_ptr<const Hints> read_hints(const Json& value, const Record& record) const {
        if (!value.is_object() || !value.contains("bits") || !value["bits"].is_array() ||
            value["bits"].empty())
            fail_at(record.place, "hints is {}; expected an object with bits: a matrix for each step",
                    describe(value));
        auto hints = std::make_shared<Hints>();
        hints->steps = static_cast<int>(value["bits"].size());
        for (const auto& [key, content] : value.items()) {
            if (key != "bits" && key != "pointers" && key != "chosen")
                fail_at(record.place, "hints: unknown key \"{}\"; expected bits, pointers or chosen", key);
            if (!content.is_array() || static_cast<int>(content.size()) != hints->steps)
                fail_at(record.place, "hints: {} is {}; expected a list of {}, one for each step", key,
                        describe(content), hints->steps);
        }
        for (const Json& step : value["bits"]) read_hint_bits(step, record, *hints);
        if (value.contains("pointers"))
            for (const Json& step : value["pointers"]) {
                check_list(step, record.nodes, "hints: pointers", "nodes", record.place);
                for (const Json& each : step) hints->pointers.push_back(node(each, record, "hints"));
            }
        if (value.contains("chosen"))
            for (const Json& each : value["chosen"])
                hints->chosen.push_back(each.is_null() ? -1 : node(each, record, "hints"));
        return hints;
    }

    static void read_hint_bits(const Json& rows, const Record& record, Hints& hints) {
        check_list(rows, record.nodes, "hints: bits", "nodes", record.place);
        for (const Json& row : rows) {
            if (!row.is_array() || row.empty() || row.size() > most_hint_bits)
                fail_at(record.place, "hints: a row of bits is {}; expected a list of 1 to {}", describe(row),
                        most_hint_bits);
            if (hints.width == 0) hints.width = static_cast<int>(row.size());
            if (static_cast<int>(row.size()) != hints.width)
                fail_at(record.place, "hints: a row has {} bits; expected {} as in the first", row.size(),
                        hints.width);
            for (const Json& bit : row) {
                if (bit != 0 && bit != 1)
                    fail_at(record.place, "hints: bits holds {}; expected 0 or 1", describe(bit));
                hints.bits.push_back(bit == 1 ? 1 : 0);
            }
        }
    }

    void read_answer(const Json& value, const Record& record, RawAnswer& answer) {
        if (!value.is_object() || value.size() != 1)
            fail_at(record.place, "answer is {}; expected an object with one key: {}", describe(value),
                    kinds_of_answers());
        const std::string kind = value.begin().key();
        const Json& content = value.begin().value();
        answer.present = true;
        try {
            answer.kind = answer_kind_named(kind);
        } catch (const Error&) {
            fail_at(record.place, "answer: unknown kind \"{}\"; expected {}", kind, kinds_of_answers());
        }
        const bool numbers = is_regression(answer.kind), each_node = is_each_node(answer.kind);
        if (!numbers && !each_node && !is_sequence(answer.kind)) {
            read_item(content, record, answer);
            return;
        }
        if (!content.is_array())
            fail_at(record.place, "answer: {} is {}; expected a list", kind, describe(content));
        if (numbers && !each_node && content.empty())
            fail_at(record.place, "answer: {} is a list of 0; expected at least one number", kind);
        if (numbers && each_node) check_rows(kind, content, record);
        for (const Json& item : content) read_item(item, record, answer);
        if (each_node && static_cast<int>(content.size()) != record.nodes)
            fail_at(record.place, "answer: {} has {} entries; expected one for each of the {} nodes", kind,
                    content.size(), record.nodes);
    }

    // Numbers of nodes: as many for each, and at least one.
    void check_rows(const std::string& kind, const Json& rows, const Record& record) {
        for (std::size_t v = 0; v < rows.size(); ++v) {
            if (!rows[v].is_array())
                fail_at(record.place, "answer: {} holds {}; expected a list of numbers for each node", kind,
                        describe(rows[v]));
            if (rows[v].empty())
                fail_at(record.place, "answer: {}: entry {} is a list of 0; expected at least one number",
                        kind, v);
            if (rows[v].size() != rows[0].size())
                fail_at(record.place, "answer: {}: entry {} has {} numbers; expected {} as in entry 0", kind,
                        v, rows[v].size(), rows[0].size());
        }
    }

    void read_item(const Json& item, const Record& record, RawAnswer& answer) {
        const auto number = [&](const Json& x) {
            answer.values.push_back(x.is_null() ? NAN : finite_number(x, record.place, "answer"));
        };
        const bool each_node = is_each_node(answer.kind);
        if (is_regression(answer.kind)) {
            if (each_node)
                for (const Json& x : item) number(x);
            else
                number(item);
        } else if (!has_classes(answer.kind)) {
            answer.nodes.push_back(node(item, record, "answer"));
        } else {
            const bool missing = each_node && item.is_null();
            if (each_node) answer.missing.push_back(missing ? 1 : 0);
            answer.words.push_back(missing ? "" : type_text(item, record.place, "answer"));
        }
    }

    static constexpr std::size_t most_hint_bits = 64;
    JsonLines lines_;
    ReadOptions options_;
    std::map<std::string, int> index_;
};

} // namespace

std::unique_ptr<RecordReader> open_graphs(std::unique_ptr<LineReader> lines, const ReadOptions& options) {
    return std::make_unique<Graphs>(std::move(lines), options);
}

} // namespace ggsnn
