// Node-link JSON, as networkx.node_link_data and d3 have it: {"directed": ..., "nodes": [{"id": ...}, ...],
// "links" (or "edges"): [{"source": ..., "target": ...}, ...]}, one document a file, or one a line. table.hpp
// says what attributes mean by their names; a list of numbers is as many columns.
#include "ggsnn/tasks/formats/formats.hpp"
#include "ggsnn/tasks/formats/node_table.hpp"

#include <map>

namespace ggsnn {

namespace {

// Attributes of nodes or edges as rows of a table. All names are known before the first row, so that their
// order does not hang on which element has which: it is that of the alphabet.
class Attributes {
  public:
    Attributes(const Json& elements, const char* what, const Place& place,
               std::initializer_list<const char*> aside)
        : what_(what), place_(place), table_(place.file), aside_(aside.begin(), aside.end()) {
        for (const Json& element : elements) {
            if (!element.is_object())
                fail_at(place_, "{}[{}] is {}; expected an object", what_, rows_, describe(element));
            for (const auto& [name, value] : element.items())
                if (!is_aside(name)) learn(name, value);
            ++rows_;
        }
        for (auto& [name, column] : columns_) add_columns(name, column);
        rows_ = 0;
        for (const Json& element : elements) add(element);
    }
    const Table& table() const { return table_; }

  private:
    struct Shape {
        std::size_t width = 0; // of a list; 0: a number or text
        bool text = false, any = false;
        std::vector<int> numbers; // of its columns
    };

    bool is_aside(const std::string& name) const {
        return std::find(aside_.begin(), aside_.end(), name) != aside_.end();
    }

    void learn(const std::string& name, const Json& value) {
        Shape& shape = columns_[name];
        if (value.is_null()) return;
        if (value.is_object() || (value.is_array() && value.empty()))
            fail_at(place_, "{}[{}]: {} is {}; expected a number, a text or a list of numbers", what_, rows_,
                    name, describe(value));
        const std::size_t width = value.is_array() ? value.size() : 0;
        if (shape.any && shape.width != width)
            fail_at(place_, "{}[{}]: {} is {}; expected {} as before", what_, rows_, name, describe(value),
                    shape.width == 0 ? "a number or a text" : fmt::format("a list of {}", shape.width));
        shape.width = width;
        shape.any = true;
        shape.text = shape.text || value.is_string();
    }

    void add_columns(const std::string& name, Shape& shape) {
        const Table::Kind kind = shape.text  ? Table::Kind::text
                                 : shape.any ? Table::Kind::number
                                             : Table::Kind::open;
        if (shape.width == 0) shape.numbers.push_back(table_.column(name, kind));
        for (std::size_t i = 0; i < shape.width; ++i)
            shape.numbers.push_back(table_.column(fmt::format("{}[{}]", name, i), kind));
    }

    void add(const Json& element) {
        table_.add_row(place_.line);
        for (const auto& [name, value] : element.items()) {
            if (is_aside(name) || value.is_null()) continue;
            const Shape& shape = columns_.at(name);
            for (std::size_t i = 0; i < shape.numbers.size(); ++i) {
                const Json& each = value.is_array() ? value[i] : value;
                if (value.is_array() && !each.is_number() && !each.is_boolean() && !each.is_null())
                    fail_at(place_, "{}[{}]: {} holds {}; expected a number", what_, rows_, name,
                            describe(each));
                if (table_.is_set(shape.numbers[i]))
                    fail_at(place_, "{}[{}]: {} stands twice", what_, rows_, name);
                if (!each.is_null())
                    table_.set(shape.numbers[i], each.is_string() ? each.get<std::string>() : each.dump());
            }
        }
        ++rows_;
    }

    const char* what_;
    Place place_;
    Table table_;
    std::vector<std::string> aside_;
    std::map<std::string, Shape> columns_;
    std::size_t rows_ = 0;
};

class NodeLink : public RecordReader {
  public:
    NodeLink(Input input, const ReadOptions& options) : input_(std::move(input)), options_(options) {}
    const char* format() const override { return "node-link JSON"; }
    Place place() const override { return input_.whole ? Place{input_.name(), 1} : input_.lines->place(); }

    bool next(Record& record) override {
        Json document;
        record = {};
        if (input_.whole) {
            if (input_.document.is_null()) return false;
            document = std::move(input_.document);
            input_.document = nullptr;
            record.place = {input_.name(), 1};
        } else {
            std::string_view line;
            do {
                if (!input_.lines->next(line)) return false;
            } while (line.find_first_not_of(" \t") == std::string_view::npos);
            record.place = input_.lines->place();
            document = parse_json(line, record.place);
        }
        read(document, record);
        return true;
    }

  private:
    static const Json& list(const Json& document, const char* key, const Place& place) {
        if (!document.contains(key) || !document[key].is_array())
            fail_at(place, "\"{}\" is missing or not a list; expected nodes and links", key);
        return document[key];
    }

    void read(const Json& document, Record& record) const {
        if (!document.is_object())
            fail_at(record.place, "the line is {}; expected an object", describe(document));
        const Json& nodes = list(document, "nodes", record.place);
        const char* key = document.contains("links") ? "links" : "edges";
        const Json& links = list(document, key, record.place);
        if (nodes.empty()) fail_at(record.place, "the graph has no nodes");
        if (nodes.size() > most_nodes) fail_at(record.place, "more than {} nodes", most_nodes);
        const Attributes of_nodes(nodes, "nodes", record.place, {"id"}),
            of_links(links, key, record.place, {"source", "target"});
        Table graph(record.place.file);
        graph.add_row(record.place.line);
        if (document.contains("graph")) read_graph_attributes(document["graph"], graph, record.place);
        const NodeNames names = read_names(nodes, record);
        for (std::size_t e = 0; e < links.size(); ++e)
            record.edges.push_back({end_of(links[e], "source", key, e, names, record), "edge",
                                    end_of(links[e], "target", key, e, names, record)});
        RawAnswer answer;
        const bool labelled = read_graph(graph, options_, record, answer);
        read_nodes(of_nodes.table(), -1, options_, labelled, record, answer);
        read_edges(of_links.table(), {}, record);
        if (!is_directed(document, record.place))
            add_reverse(record, std::vector<char>(record.edges.size(), 1));
        ask(std::move(answer), options_,
            fmt::format("{} (nodes) or {} (the graph)", of_nodes.table().list(), graph.list()), record);
    }

    // As networkx takes it: undirected unless it is said.
    static bool is_directed(const Json& document, const Place& place) {
        if (!document.contains("directed")) return false;
        if (!document["directed"].is_boolean())
            fail_at(place, "directed is {}; expected true or false", describe(document["directed"]));
        return document["directed"].get<bool>();
    }

    // Nodes are known by their ids; those without are numbered, as d3 has them. Ids that are texts are also
    // names.
    static NodeNames read_names(const Json& nodes, Record& record) {
        NodeNames names;
        record.nodes = static_cast<int>(nodes.size());
        const bool named = nodes[0].contains("id");
        for (std::size_t v = 0; v < nodes.size(); ++v) {
            if (nodes[v].contains("id") != named)
                fail_at(record.place, "nodes[{}] has {} id; expected the same as nodes[0]", v,
                        named ? "no" : "an");
            const Json id = named ? nodes[v]["id"] : Json(v);
            if (names.add(id.dump()) != static_cast<int>(v))
                fail_at(record.place, "nodes[{}]: the id {} stands twice", v, describe(id));
            if (named) record.names.push_back(id.is_string() ? id.get<std::string>() : id.dump());
        }
        return names;
    }

    static int end_of(const Json& link, const char* end, const char* key, std::size_t e,
                      const NodeNames& names, const Record& record) {
        if (!link.contains(end)) fail_at(record.place, "{}[{}] has no {}", key, e, end);
        const int node = names.find(link[end].dump());
        if (node < 0)
            fail_at(record.place, "{}[{}]: the {} is {}, which is not one of the {} nodes", key, e, end,
                    describe(link[end]), record.nodes);
        return node;
    }

    // Of all that a graph may carry, numbers and texts may be its label or its part.
    static void read_graph_attributes(const Json& attributes, Table& graph, const Place& place) {
        if (!attributes.is_object())
            fail_at(place, "graph is {}; expected an object of attributes", describe(attributes));
        for (const auto& [name, value] : attributes.items()) {
            const std::size_t width = value.is_array() ? value.size() : 1;
            for (std::size_t i = 0; i < width; ++i) {
                const Json& each = value.is_array() ? value[i] : value;
                if (each.is_structured() || each.is_null()) continue;
                const int column = graph.column(value.is_array() ? fmt::format("{}[{}]", name, i) : name,
                                                each.is_string() ? Table::Kind::text : Table::Kind::number);
                if (!graph.is_set(column))
                    graph.set(column, each.is_string() ? each.get<std::string>() : each.dump());
            }
        }
    }

    Input input_;
    ReadOptions options_;
};

} // namespace

bool is_node_link(const Input& input) {
    const Json& d = input.document;
    if (!d.is_object() || !d.contains("nodes") || !d["nodes"].is_array()) return false;
    return (d.contains("links") || d.contains("edges")) && !d["nodes"].empty() && d["nodes"][0].is_object();
}

std::unique_ptr<RecordReader> open_node_link(Input input, const ReadOptions& options) {
    return std::make_unique<NodeLink>(std::move(input), options);
}

} // namespace ggsnn
