// Folders of the TU collection of benchmark graphs: one text file for each thing that is known, with a line
// for each edge (DS_A.txt), node (DS_graph_indicator.txt, DS_node_labels.txt, DS_node_attributes.txt) or
// graph (DS_graph_labels.txt, DS_graph_attributes.txt) of all graphs together, which are numbered from 1.
#include "ggsnn/tasks/formats/formats.hpp"
#include "ggsnn/tasks/formats/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace ggsnn {

namespace {

// The fields of a line, by commas and blanks.
void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    for (std::size_t at = 0; (at = line.find_first_not_of(", \t", at)) != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(", \t", at), line.size());
        fields.push_back(line.substr(at, end - at));
        at = end;
    }
}

// A file with a row of as many fields on each line.
template <class Body>
std::size_t for_rows(const std::string& path, Body body) {
    LineReader lines(path);
    std::vector<std::string_view> fields;
    std::size_t width = 0, rows = 0;
    for (std::string_view line; lines.next(line);) {
        split_fields(line, fields);
        if (fields.empty()) continue;
        if (rows == 0) width = fields.size();
        if (fields.size() != width)
            fail_at(lines.place(), "{} fields; expected {} as in the first line", fields.size(), width);
        body(fields, lines.place());
        ++rows;
    }
    return width;
}

float single_number(std::string_view field, const Place& place) {
    const auto number = static_cast<float>(number_in(field).value_or(NAN));
    if (!std::isfinite(number))
        fail_at(place, "\"{}\"; expected a finite single-precision number", field.substr(0, 60));
    return number;
}

int number_from_1(std::string_view field, std::size_t most, const char* what, const Place& place) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (error != std::errc() || end != field.data() + field.size() || number < 1 || number > most)
        fail_at(place, "\"{}\" is not a {}; expected a whole number from 1 to {}", field.substr(0, 60), what,
                most);
    return static_cast<int>(number - 1);
}

// What is in the folder: the name of the data set, before _A.txt.
std::string tu_prefix(const std::string& folder) {
    std::string found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().string();
        if (name.ends_with("_A.txt") && (found.empty() || name < found)) found = name;
    }
    return found.empty() ? found : found.substr(0, found.size() - 6);
}

class Tu : public RecordReader {
  public:
    Tu(const std::string& folder, const ReadOptions& options)
        : prefix_(tu_prefix(folder)), options_(options) {
        read_nodes_and_graphs();
        read_edge_list();
        node_texts(file("node_labels"));
        feature_width_ = numbers("node_attributes", graph_of_.size(), "nodes", features_);
        edge_width_ = numbers("edge_attributes", edges_.size(), "edges", edge_features_);
        edge_texts(file("edge_labels"));
        read_answers();
    }
    const char* format() const override { return "TU folder"; }

    bool next(Record& record) override {
        if (graph_ == begin_.size() - 1) return false;
        record = {};
        const std::size_t g = graph_++;
        const int first = begin_[g];
        record.place = {answer_file_.empty() ? file("graph_indicator") : answer_file_,
                        answer_file_.empty() ? lines_[order_[first]] : static_cast<long>(g) + 1};
        record.id = std::to_string(g + 1);
        record.nodes = begin_[g + 1] - first;
        for (int v = 0; v < record.nodes; ++v) add_node(order_[first + v], v, record);
        for (int at = edge_begin_[g]; at < edge_begin_[g + 1]; ++at) add_edge(edge_order_[at], record);
        record.feature_width = feature_width_;
        record.edge_width = edge_width_;
        record.questions.push_back({"question", {}, answer_of(g), {}, false, record.place});
        return true;
    }

  private:
    struct TuEdge {
        int source, target;
    };

    std::string file(const char* what) const { return fmt::format("{}_{}.txt", prefix_, what); }
    static bool is_there(const std::string& path) { return std::filesystem::is_regular_file(path); }

    static void check_count(const std::string& path, std::size_t found, std::size_t expected,
                            const char* things) {
        if (found != expected)
            fail("{}: {} lines; expected one for each of the {} {}", path, found, expected, things);
    }

    // Groups the nodes by graph: nodes of graph g are order_[begin_[g]] to order_[begin_[g + 1] - 1].
    void read_nodes_and_graphs() {
        for_rows(file("graph_indicator"), [&](const auto& fields, const Place& place) {
            if (graph_of_.size() == most_nodes) fail_at(place, "more than {} nodes", most_nodes);
            graph_of_.push_back(number_from_1(fields[0], most_nodes, "graph", place));
            lines_.push_back(place.line);
        });
        if (graph_of_.empty()) fail("{}: holds no nodes", file("graph_indicator"));
        const std::size_t graphs = *std::max_element(graph_of_.begin(), graph_of_.end()) + std::size_t{1};
        if (graphs > graph_of_.size())
            fail("{}: {} nodes in {} graphs; expected at least one in each", file("graph_indicator"),
                 graph_of_.size(), graphs);
        group(graph_of_, graphs, begin_, order_);
        local_.resize(graph_of_.size());
        for (std::size_t g = 0; g < graphs; ++g) {
            if (begin_[g] == begin_[g + 1])
                fail("{}: no node is in graph {}; expected at least one", file("graph_indicator"), g + 1);
            for (int i = begin_[g]; i < begin_[g + 1]; ++i) local_[order_[i]] = i - begin_[g];
        }
    }

    // Positions sorted by group, those of one group in order.
    static void group(const std::vector<int>& group_of, std::size_t groups, std::vector<int>& begin,
                      std::vector<int>& order) {
        begin.assign(groups + 1, 0);
        for (const int g : group_of) ++begin[g + 1];
        for (std::size_t g = 0; g < groups; ++g) begin[g + 1] += begin[g];
        order.resize(group_of.size());
        std::vector<int> next(begin.begin(), begin.end() - 1);
        for (std::size_t i = 0; i < group_of.size(); ++i) order[next[group_of[i]]++] = static_cast<int>(i);
    }

    void read_edge_list() {
        std::vector<int> graphs;
        for_rows(file("A"), [&](const auto& fields, const Place& place) {
            if (fields.size() != 2) fail_at(place, "{} fields; expected two: source, target", fields.size());
            if (edges_.size() == 1U << 30) fail_at(place, "more than {} edges", 1U << 30);
            const int source = number_from_1(fields[0], graph_of_.size(), "node", place);
            const int target = number_from_1(fields[1], graph_of_.size(), "node", place);
            if (graph_of_[source] != graph_of_[target])
                fail_at(place, "an edge from graph {} to graph {}; expected both ends in one",
                        graph_of_[source] + 1, graph_of_[target] + 1);
            edges_.push_back({source, target});
            graphs.push_back(graph_of_[source]);
        });
        group(graphs, begin_.size() - 1, edge_begin_, edge_order_);
    }

    // Numbers that a file may give for each of so many things; the width, 0 without the file.
    int numbers(const char* what, std::size_t count, const char* things, std::vector<float>& out) const {
        if (!is_there(file(what))) return 0;
        std::size_t rows = 0;
        const std::size_t width = for_rows(file(what), [&](const auto& fields, const Place& place) {
            for (const std::string_view field : fields) out.push_back(single_number(field, place));
            ++rows;
        });
        check_count(file(what), rows, count, things);
        return static_cast<int>(width);
    }

    // Labels of nodes are tags: label=3, or label[0]=3 where there are several.
    void node_texts(const std::string& path) {
        if (!is_there(path)) return;
        std::size_t rows = 0;
        tag_width_ = for_rows(path, [&](const auto& fields, const Place&) {
            for (std::size_t i = 0; i < fields.size(); ++i)
                tags_.push_back(fields.size() == 1 ? fmt::format("label={}", fields[i])
                                                   : fmt::format("label[{}]={}", i, fields[i]));
            ++rows;
        });
        check_count(path, rows, graph_of_.size(), "nodes");
    }

    // Labels of edges are types; several together are one.
    void edge_texts(const std::string& path) {
        if (!is_there(path)) return;
        for_rows(path, [&](const auto& fields, const Place&) {
            types_.push_back(fmt::format("{}", fmt::join(fields, ",")));
        });
        check_count(path, types_.size(), edges_.size(), "edges");
    }

    // Classes where there are labels of graphs, numbers where there are attributes; --label chooses.
    void read_answers() {
        const std::size_t graphs = begin_.size() - 1;
        const std::string& wanted = options_.label.empty() ? options_.trained_label : options_.label;
        if (!wanted.empty() && wanted != "graph_labels" && wanted != "graph_attributes")
            fail("{}: there are no answers \"{}\"; expected graph_labels or graph_attributes", prefix_,
                 wanted);
        const bool labels = wanted.empty() ? is_there(file("graph_labels")) : wanted == "graph_labels";
        const std::string path = file(labels ? "graph_labels" : "graph_attributes");
        if (!is_there(path)) {
            if (options_.need_answers)
                fail("{}: is not there; expected the answers, in graph_labels or graph_attributes", path);
            return;
        }
        answer_file_ = path;
        if (!labels) {
            value_width_ = numbers("graph_attributes", graphs, "graphs", values_);
            return;
        }
        for_rows(path, [&](const auto& fields, const Place& place) {
            if (fields.size() != 1) fail_at(place, "{} labels; expected one", fields.size());
            classes_.emplace_back(fields[0]);
        });
        check_count(path, classes_.size(), graphs, "graphs");
    }

    void add_node(int node, int v, Record& record) const {
        for (int i = 0; i < feature_width_; ++i)
            record.features.push_back(features_[static_cast<std::size_t>(node) * feature_width_ + i]);
        for (std::size_t i = 0; i < tag_width_; ++i)
            record.tags.emplace_back(v, tags_[node * tag_width_ + i]);
    }

    void add_edge(int edge, Record& record) const {
        record.edges.push_back({local_[edges_[edge].source], types_.empty() ? "edge" : types_[edge],
                                local_[edges_[edge].target]});
        for (int i = 0; i < edge_width_; ++i)
            record.edge_features.push_back(edge_features_[static_cast<std::size_t>(edge) * edge_width_ + i]);
    }

    RawAnswer answer_of(std::size_t graph) const {
        RawAnswer answer;
        answer.present = !answer_file_.empty();
        answer.kind = classes_.empty() ? AnswerKind::values : AnswerKind::klass;
        if (!classes_.empty()) answer.words = {classes_[graph]};
        for (int i = 0; i < value_width_; ++i) answer.values.push_back(values_[graph * value_width_ + i]);
        return answer;
    }

    std::string prefix_, answer_file_;
    ReadOptions options_;
    std::vector<int> graph_of_, local_, begin_, order_, edge_begin_, edge_order_;
    std::vector<long> lines_; // of graph_indicator, by node
    std::vector<TuEdge> edges_;
    std::vector<std::string> tags_, types_, classes_;
    std::vector<float> features_, edge_features_, values_;
    int feature_width_ = 0, edge_width_ = 0, value_width_ = 0;
    std::size_t tag_width_ = 0, graph_ = 0;
};

} // namespace

bool is_tu(const Input& input) {
    return input.is_folder() && !tu_prefix(input.path).empty();
}

std::unique_ptr<RecordReader> open_tu(Input input, const ReadOptions& options) {
    return std::make_unique<Tu>(input.path, options);
}

} // namespace ggsnn
