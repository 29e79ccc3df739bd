#include "ggsnn/tasks/generate_citations.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace ggsnn {

namespace {

// Draws i with a probability that falls as 1 / (i + 1) to the power of `slope`: as words, or papers that many
// cite.
class Zipf {
  public:
    Zipf(int count, double slope) {
        double sum = 0;
        for (int i = 0; i < count; ++i) sums_.push_back(sum += std::pow(i + 1, -slope));
    }
    int draw(Random& random) const {
        const double at = random.uniform(0, sums_.back());
        return static_cast<int>(std::upper_bound(sums_.begin(), sums_.end(), at) - sums_.begin());
    }

  private:
    std::vector<double> sums_;
};

std::vector<CitationEdge> draw_edges(const CitationShape& shape, const std::vector<int>& classes,
                                     Random& random) {
    std::vector<std::vector<int>> members(shape.classes);
    for (int v = 0; v < shape.nodes; ++v) members[classes[v]].push_back(v);
    std::vector<int> order(shape.nodes);
    for (int v = 0; v < shape.nodes; ++v) order[v] = v;
    random.shuffle(order); // who is cited often
    const Zipf popular(shape.nodes, 0.6);
    std::set<std::pair<int, int>> seen;
    std::vector<CitationEdge> edges;
    while (static_cast<int>(edges.size()) < shape.edges) {
        const int source = static_cast<int>(random.below(shape.nodes));
        int target = order[std::min(shape.nodes - 1, popular.draw(random))];
        if (random.chance(shape.homophily) && classes[target] != classes[source])
            target = random.pick(members[classes[source]]);
        if (source == target || !seen.insert(std::minmax(source, target)).second) continue;
        edges.push_back({source, target});
    }
    return edges;
}

// Words of a node, each with a number; columns in increasing order.
std::vector<std::pair<int, float>> draw_words(const CitationShape& shape, int own, const Zipf& common,
                                              Random& random) {
    std::set<int> words;
    const int wanted = std::max(1, shape.words / 2 + static_cast<int>(random.below(shape.words)));
    const int topic = shape.features / shape.classes;
    while (static_cast<int>(words.size()) < wanted)
        words.insert(random.chance(shape.topical) ? own * topic + static_cast<int>(random.below(topic))
                                                  : std::min(shape.features - 1, common.draw(random)));
    std::vector<std::pair<int, float>> out;
    for (int word : words)
        out.emplace_back(word, shape.binary ? 1.0F : static_cast<float>(random.uniform(0.01, 0.12)));
    return out;
}

} // namespace

CitationShape citation_shape(std::string_view name) {
    if (name == "cora-size") return {2708, 5429, 1433, 7, 18, 0.81, 0.25, true, 20, 500, 1000};
    if (name == "pubmed-size") return {19717, 44338, 500, 3, 50, 0.8, 0.2, false, 20, 500, 1000};
    throw UsageError(fmt::format("no citation graph \"{}\"; expected cora-size or pubmed-size", name));
}

Citations generate_citations(const CitationShape& shape, std::uint64_t seed) {
    Random random(seed, {static_cast<std::uint64_t>(shape.nodes)});
    Citations all;
    all.shape = shape;
    for (int v = 0; v < shape.nodes; ++v)
        all.classes.push_back(static_cast<int>(random.below(shape.classes)));
    all.edges = draw_edges(shape, all.classes, random);
    // Frequent words are spread over the vocabulary.
    std::vector<int> place(shape.features);
    for (int j = 0; j < shape.features; ++j) place[j] = j;
    random.shuffle(place);
    const Zipf common(shape.features, 0.5);
    for (int v = 0; v < shape.nodes; ++v) {
        auto words = draw_words(shape, all.classes[v], common, random);
        for (auto& [column, number] : words) column = place[column];
        std::sort(words.begin(), words.end());
        all.words.push_back(std::move(words));
    }
    all.split.assign(shape.nodes, Part::none);
    std::vector<int> order(shape.nodes), taken(shape.classes, 0);
    for (int v = 0; v < shape.nodes; ++v) order[v] = v;
    random.shuffle(order);
    int valid = 0, test = 0;
    for (int v : order) {
        if (taken[all.classes[v]] < shape.train) {
            ++taken[all.classes[v]];
            all.split[v] = Part::train;
        } else if (valid < shape.valid) {
            ++valid;
            all.split[v] = Part::valid;
        } else if (test < shape.test) {
            ++test;
            all.split[v] = Part::test;
        }
    }
    return all;
}

std::string to_json_line(const Citations& c) {
    std::string text = fmt::format("{{\"nodes\": {}, \"edges\": [", c.shape.nodes);
    const auto list = [&](std::size_t i) { return i > 0 ? "," : ""; };
    for (std::size_t i = 0; i < c.edges.size(); ++i)
        text += fmt::format("{}[{},\"cites\",{}]", list(i), c.edges[i].source, c.edges[i].target);
    text += fmt::format("], \"sparse_features\": {{\"width\": {}, \"rows\": [", c.shape.features);
    for (std::size_t v = 0; v < c.words.size(); ++v) {
        text += fmt::format("{}[", list(v));
        for (std::size_t i = 0; i < c.words[v].size(); ++i) {
            const auto& [column, number] = c.words[v][i];
            text += c.shape.binary ? fmt::format("{}{}", list(i), column)
                                   : fmt::format("{}[{},{:.4f}]", list(i), column, number);
        }
        text += "]";
    }
    text += "]}, \"split\": [";
    constexpr const char* parts[] = {"null", "\"train\"", "\"valid\"", "\"test\""};
    for (std::size_t v = 0; v < c.split.size(); ++v)
        text += fmt::format("{}{}", list(v), parts[static_cast<int>(c.split[v])]);
    text += "], \"question\": {\"type\": \"topic\", \"answer\": {\"node_classes\": [";
    for (std::size_t v = 0; v < c.classes.size(); ++v)
        text += fmt::format("{}\"topic{}\"", list(v), c.classes[v]);
    return text + "]}}}\n";
}

} // namespace ggsnn
