// GraphML, as networkx, igraph and Gephi write it: keys that declare what nodes, edges and graphs carry, and
// one record for each graph of the file. table.hpp says what a key means by its name.
#include "ggsnn/tasks/formats/formats.hpp"
#include "ggsnn/tasks/formats/node_table.hpp"
#include "ggsnn/tasks/formats/xml.hpp"

#include <map>

namespace ggsnn {

namespace {

Table::Kind kind_of_type(const std::string& type) {
    if (is_one_of(type, {"int", "integer", "long", "float", "double", "boolean"})) return Table::Kind::number;
    return type.empty() ? Table::Kind::open : Table::Kind::text;
}

// What a <key> declares.
struct GraphmlKey {
    std::string name;
    Table::Kind kind = Table::Kind::open;
    bool nodes = false, edges = false, graphs = false;
    std::string initial; // of those that do not say
};

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

class GraphML : public RecordReader {
  public:
    GraphML(std::string content, const std::string& path, const ReadOptions& options)
        : xml_(std::move(content), path), path_(path), options_(options) {
        if (xml_.next() != XmlReader::Event::start || xml_.name() != "graphml")
            fail_at(xml_.place(), "the outermost element is <{}>; expected <graphml>", xml_.name());
    }
    const char* format() const override { return "GraphML"; }

    // An error ends the file: what follows it would be read out of place.
    bool next(Record& record) override {
        if (done_) return false;
        done_ = true;
        done_ = !read_next(record);
        return !done_;
    }

  private:
    bool read_next(Record& record) {
        for (;;) {
            const XmlReader::Event event = xml_.next();
            if (event == XmlReader::Event::finish) {
                if (!any_) fail_at(xml_.place(), "no <graph>; expected at least one");
                return false;
            }
            if (event != XmlReader::Event::start) continue;
            if (xml_.name() == "key") {
                read_key();
            } else if (xml_.name() == "graph") {
                any_ = true;
                read_graph_element(record);
                return true;
            } else {
                skip();
            }
        }
    }

    // What is being read of a graph.
    struct Parts {
        Table nodes, edges, graph;
        NodeNames names;
        std::vector<std::pair<std::string, std::string>> ends; // of edges, by name
        std::vector<char> undirected;
        bool is_directed = true;
    };

    const std::string& needed(const char* attribute) const {
        const std::string* value = xml_.attribute(attribute);
        if (value == nullptr) fail_at(xml_.place(), "<{}> has no {}", xml_.name(), attribute);
        return *value;
    }

    // Takes the rest of the element that has just begun; its text, unless there are elements in it.
    std::string skip() {
        std::string text;
        bool elements = false;
        for (int depth = 1; depth > 0;) {
            const XmlReader::Event event = xml_.next();
            if (event == XmlReader::Event::text && depth == 1) text += xml_.text();
            if (event == XmlReader::Event::start) ++depth;
            if (event == XmlReader::Event::end) --depth;
            elements = elements || event == XmlReader::Event::start;
        }
        return elements ? "" : trimmed(text);
    }

    void read_key() {
        const std::string id = needed("id");
        GraphmlKey key;
        const std::string* name = xml_.attribute("attr.name");
        const std::string* type = xml_.attribute("attr.type");
        const std::string* of = xml_.attribute("for");
        const bool drawing = xml_.attribute("yfiles.type") != nullptr; // of an editor
        key.name = name != nullptr ? *name : id;
        key.kind = kind_of_type(type != nullptr ? lower(*type) : "");
        const std::string which = of != nullptr ? lower(*of) : "all";
        key.nodes = !drawing && (which == "node" || which == "all");
        key.edges = !drawing && (which == "edge" || which == "all");
        key.graphs = !drawing && (which == "graph" || which == "all");
        const Place place = xml_.place();
        for (XmlReader::Event e = xml_.next(); e != XmlReader::Event::end; e = xml_.next()) {
            if (e != XmlReader::Event::start) continue;
            const bool initial = xml_.name() == "default";
            const std::string text = skip();
            if (initial) key.initial = text;
        }
        if (keys_.contains(id)) fail_at(place, "key \"{}\" stands twice", id);
        order_.push_back(id);
        keys_[id] = key;
    }

    // Columns in the order of the keys, whatever elements have first.
    Table table_for(bool GraphmlKey::* which) const {
        Table table(path_);
        for (const std::string& id : order_)
            if (keys_.at(id).*which) table.column(keys_.at(id).name, keys_.at(id).kind);
        return table;
    }

    void read_data(Table& table, bool GraphmlKey::* which) {
        const Place place = xml_.place();
        const std::string id = needed("key");
        const std::string text = skip();
        const auto key = keys_.find(id);
        if (key == keys_.end()) fail_at(place, "data of the key \"{}\", which no <key> declares", id);
        if (!(key->second.*which)) return;
        const int column = table.find(key->second.name);
        if (table.is_set(column)) fail_at(place, "data of the key \"{}\" stands twice", id);
        table.set(column, text);
    }

    // The data of a node or an edge that has just begun, to its end.
    void read_row(Table& table, bool GraphmlKey::* which) {
        table.add_row(xml_.place().line);
        for (XmlReader::Event e = xml_.next(); e != XmlReader::Event::end; e = xml_.next()) {
            if (e != XmlReader::Event::start) continue;
            if (xml_.name() == "graph") fail_at(xml_.place(), "a graph within a node; expected none");
            if (xml_.name() == "data") {
                read_data(table, which);
            } else {
                skip();
            }
        }
        set_initial(table, which);
    }

    void set_initial(Table& table, bool GraphmlKey::* which) const {
        for (const auto& [id, key] : keys_)
            if (key.*which && !key.initial.empty() && !table.is_set(table.find(key.name)))
                table.set(table.find(key.name), key.initial);
    }

    void read_node(Parts& parts) {
        const std::string id = needed("id");
        if (parts.names.add(id) != parts.nodes.rows()) fail_at(xml_.place(), "node \"{}\" stands twice", id);
        read_row(parts.nodes, &GraphmlKey::nodes);
    }

    void read_edge(Parts& parts) {
        const std::string* directed = xml_.attribute("directed");
        if (directed != nullptr && !is_one_of(*directed, {"true", "false"}))
            fail_at(xml_.place(), "directed is \"{}\"; expected true or false", *directed);
        const bool is_directed = directed != nullptr ? lower(*directed) == "true" : parts.is_directed;
        parts.undirected.push_back(is_directed ? 0 : 1);
        parts.ends.emplace_back(needed("source"), needed("target"));
        read_row(parts.edges, &GraphmlKey::edges);
    }

    void read_graph_element(Record& record) {
        record = {};
        record.place = xml_.place();
        Parts parts{table_for(&GraphmlKey::nodes),
                    table_for(&GraphmlKey::edges),
                    table_for(&GraphmlKey::graphs),
                    {},
                    {},
                    {},
                    true};
        parts.graph.add_row(record.place.line);
        if (const std::string* id = xml_.attribute("id")) record.id = Json(*id).dump(-1, ' ', false, replace);
        if (const std::string* standard = xml_.attribute("edgedefault")) {
            if (!is_one_of(*standard, {"directed", "undirected"}))
                fail_at(xml_.place(), "edgedefault is \"{}\"; expected directed or undirected", *standard);
            parts.is_directed = lower(*standard) == "directed";
        }
        for (XmlReader::Event e = xml_.next(); e != XmlReader::Event::end; e = xml_.next()) {
            if (e != XmlReader::Event::start) continue;
            if (xml_.name() == "node") {
                read_node(parts);
            } else if (xml_.name() == "edge") {
                read_edge(parts);
            } else if (xml_.name() == "data") {
                read_data(parts.graph, &GraphmlKey::graphs);
            } else if (xml_.name() == "hyperedge") {
                fail_at(xml_.place(), "a hyperedge; expected edges between two nodes");
            } else {
                skip();
            }
        }
        set_initial(parts.graph, &GraphmlKey::graphs);
        finish_graph(parts, record);
    }

    void finish_graph(Parts& parts, Record& record) const {
        record.nodes = parts.names.size();
        if (record.nodes == 0) fail_at(record.place, "the graph has no nodes");
        for (std::size_t e = 0; e < parts.ends.size(); ++e) {
            const int source = parts.names.find(parts.ends[e].first);
            const int target = parts.names.find(parts.ends[e].second);
            if (source < 0 || target < 0)
                fail_at(parts.edges.place(static_cast<int>(e)), "\"{}\" is not one of the {} nodes",
                        source < 0 ? parts.ends[e].first : parts.ends[e].second, record.nodes);
            record.edges.push_back({source, "edge", target});
        }
        record.names = std::move(parts.names.names());
        RawAnswer answer;
        const bool labelled = read_graph(parts.graph, options_, record, answer);
        read_nodes(parts.nodes, -1, options_, labelled, record, answer);
        read_edges(parts.edges, {}, record);
        add_reverse(record, parts.undirected);
        ask(std::move(answer), options_,
            fmt::format("{} (nodes) or {} (the graph)", parts.nodes.list(), parts.graph.list()), record);
    }

    static constexpr auto replace = Json::error_handler_t::replace;
    XmlReader xml_;
    std::string path_;
    ReadOptions options_;
    std::map<std::string, GraphmlKey> keys_;
    std::vector<std::string> order_; // ids of keys
    bool any_ = false, done_ = false;
};

} // namespace

bool is_graphml(const Input& input) {
    return input.bytes.find("<graphml") != std::string::npos ||
           input.bytes.find(":graphml") != std::string::npos;
}

std::unique_ptr<RecordReader> open_graphml(Input input, const ReadOptions& options) {
    std::string content;
    for (std::string_view line; input.lines->next(line);) {
        content += line;
        content += '\n';
    }
    return std::make_unique<GraphML>(std::move(content), input.name(), options);
}

} // namespace ggsnn
