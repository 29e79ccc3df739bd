#include "ggsnn/show/explanation.hpp"

#include "ggsnn/show/graph_picture.hpp"
#include "ggsnn/show/labels.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn::show {

namespace {

// Indices of the largest shares by size, the first of equals first.
template <class Items, class Share>
std::vector<std::size_t> largest(const Items& items, Share share, int top) {
    std::vector<std::size_t> order(items.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(share(items[a])) > std::abs(share(items[b]));
    });
    if (order.size() > static_cast<std::size_t>(top)) order.resize(static_cast<std::size_t>(top));
    return order;
}

// White for nothing, red for what speaks for the answer, blue for what speaks against it.
std::string colour_of(double share, double most) {
    const double size = most > 0 ? std::min(1.0, std::abs(share) / most) : 0;
    const int pale = static_cast<int>(std::lround(255 - 175 * size));
    return share >= 0 ? fmt::format("#ff{0:02x}{0:02x}", pale) : fmt::format("#{0:02x}{0:02x}ff", pale);
}

} // namespace

std::string Explained::input_name(const Explanation::Input& input) const {
    if (schema().text) return "told";
    const int types = schema().features, marks = schema().inputs();
    if (input.column < types) return fmt::format("feature {}", input.column);
    if (input.column < marks) return schema().tags.name(input.column - types);
    return fmt::format("argument {}", input.column - marks);
}

std::string Explained::answer_text() const {
    if (is_regression(schema().answer)) return fmt::format("{:.6g}", why.score);
    if (is_each_node(schema().answer)) return label_name(schema(), graph, answer.labels[options.node]);
    std::vector<std::string> names;
    for (int label : answer.labels) names.push_back(label_name(schema(), graph, label));
    return fmt::format("{}", fmt::join(names, ","));
}

OrderedJson explanation_json(const Explained& e) {
    const auto node = [&](int v) { return node_value(e.graph, v); };
    OrderedJson out;
    if (!e.graph.id.empty()) out["id"] = OrderedJson::parse(e.graph.id);
    out["file"] = e.example.place.file;
    out["line"] = e.example.place.line;
    out["question"] = e.schema().question_types.name(e.example.question);
    if (is_each_node(e.schema().answer)) out["of"] = node(e.options.node);
    out["answer"] =
        is_regression(e.schema().answer) ? OrderedJson(e.why.score) : OrderedJson(e.answer_text());
    out["score"] = e.why.score;
    out["baseline"] = e.why.baseline;
    out["explained"] = e.why.explained();
    for (const char* key : {"nodes", "features", "edges"}) out[key] = OrderedJson::array();
    out["edge_types"] = OrderedJson::object();
    for (std::size_t v = 0; v < e.why.nodes.size(); ++v) {
        OrderedJson entry = {{"node", node(static_cast<int>(v))}, {"share", e.why.nodes[v]}};
        if (!e.why.attention.empty()) entry["attention"] = e.why.attention[v];
        out["nodes"].push_back(entry);
    }
    for (const auto& input : e.why.inputs)
        out["features"].push_back({{"node", node(input.node)},
                                   {"feature", e.input_name(input)},
                                   {"value", input.value},
                                   {"share", input.share}});
    for (std::size_t i = 0; i < e.why.inputs.size(); ++i)
        if (e.why.inputs[i].step > 0) out["features"][i]["output"] = e.why.inputs[i].step + 1;
    for (const auto& edge : e.why.edges)
        out["edges"].push_back({{"source", node(edge.source)},
                                {"type", e.schema().edge_types.name(edge.type)},
                                {"target", node(edge.target)},
                                {"share", edge.share}});
    for (std::size_t t = 0; t < e.why.edge_types.size(); ++t)
        out["edge_types"][e.schema().edge_types.name(static_cast<int>(t))] = e.why.edge_types[t];
    if (e.why.reach != 0) out["reach"] = e.why.reach;
    return out;
}

std::string explanation_text(const Explained& e, int top) {
    std::string out;
    const auto name = [&](int v) { return node_name(e.graph, v); };
    out += fmt::format("{}: {}{} -> {}\n", e.example.place.text(),
                       e.schema().question_types.name(e.example.question),
                       is_each_node(e.schema().answer) ? " of " + name(e.options.node) : "", e.answer_text());
    out += fmt::format("{} {:.4f}; with nothing known {:.4f}; explained {:.4f}\n",
                       is_regression(e.schema().answer) ? "number" : "log probability", e.why.score,
                       e.why.baseline, e.why.explained());
    const auto title = [&](const char* text) { out += fmt::format("{}\n", text); };
    title("edge types");
    for (std::size_t t = 0; t < e.why.edge_types.size(); ++t)
        out += fmt::format("  {:>9.4f}  {}\n", e.why.edge_types[t],
                           e.schema().edge_types.name(static_cast<int>(t)));
    if (e.why.reach != 0) out += fmt::format("  {:>9.4f}  heard over more than one edge\n", e.why.reach);
    title("edges");
    for (std::size_t i : largest(e.why.edges, [](const auto& edge) { return edge.share; }, top)) {
        const auto& edge = e.why.edges[i];
        out += fmt::format("  {:>9.4f}  {} {} {}\n", edge.share, name(edge.source),
                           e.schema().edge_types.name(edge.type), name(edge.target));
    }
    title("nodes");
    for (std::size_t v : largest(e.why.nodes, [](double share) { return share; }, top))
        out += fmt::format(
            "  {:>9.4f}  {}{}\n", e.why.nodes[v], name(static_cast<int>(v)),
            e.why.attention.empty() ? "" : fmt::format("  (gates open to {:.2f})", e.why.attention[v]));
    title("what is known of nodes");
    for (std::size_t i : largest(e.why.inputs, [](const auto& input) { return input.share; }, top)) {
        const auto& input = e.why.inputs[i];
        out += fmt::format("  {:>9.4f}  {} of {} = {:.4g}{}\n", input.share, e.input_name(input),
                           name(input.node), input.value,
                           input.step > 0 ? fmt::format(" before output {}", input.step + 1) : "");
    }
    return out;
}

std::string explanation_picture(const Explained& e) {
    constexpr int most_nodes = 24;
    double most = 0, most_edge = 0;
    for (double share : e.why.nodes) most = std::max(most, std::abs(share));
    for (const auto& edge : e.why.edges) most_edge = std::max(most_edge, std::abs(edge.share));
    std::vector<NodeLook> looks;
    std::vector<int> centres = e.example.arguments;
    for (std::size_t v = 0; v < e.why.nodes.size(); ++v) {
        NodeLook look;
        look.label = node_name(e.graph, static_cast<int>(v));
        look.fill = colour_of(e.why.nodes[v], most);
        if (std::abs(e.why.nodes[v]) > most / 20) look.label += fmt::format(" {:+.2f}", e.why.nodes[v]);
        const bool asked = std::find(e.example.arguments.begin(), e.example.arguments.end(),
                                     static_cast<int>(v)) != e.example.arguments.end();
        if (asked) look.ring = "#333";
        looks.push_back(look);
    }
    if (is_each_node(e.schema().answer)) centres = {e.options.node};
    for (int centre : centres) looks[static_cast<std::size_t>(centre)].ring = "#333";
    // Most important nodes near the middle, where a large graph is cut.
    for (std::size_t v : largest(e.why.nodes, [](double share) { return share; }, 8))
        centres.push_back(static_cast<int>(v));
    std::vector<EdgeLook> edges;
    for (const auto& edge : e.why.edges)
        edges.push_back({0.6 + 4 * (most_edge > 0 ? std::abs(edge.share) / most_edge : 0), edge.share < 0});
    return draw_graph(e.graph.graph, e.schema().edge_types, looks, centres, edges, most_nodes);
}

} // namespace ggsnn::show
