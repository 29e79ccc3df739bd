#include "ggsnn/experiments/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ggsnn {

namespace {

constexpr std::size_t most_walks = 5000, longest_walk = 4;

// Nodes that walks of these steps from `start` end in.
std::set<int> ends_of(const RuleGraph& graph, int start, const std::vector<Step>& walk) {
    std::set<int> at = {start};
    for (Step step : walk) {
        std::set<int> next;
        for (const Edge& e : graph.edges) {
            if (e.type != step / 2) continue;
            const bool along = step % 2 == outgoing;
            if (at.contains(along ? e.source : e.target)) next.insert(along ? e.target : e.source);
        }
        at = std::move(next);
    }
    return at;
}

// The steps of the one shortest way between the first two arguments; nothing where there is none or several.
std::optional<std::vector<Step>> way_of(const RuleGraph& graph, const std::vector<Direction>& ways) {
    const int from = graph.arguments[0], to = graph.arguments[1];
    std::vector<int> distance(static_cast<std::size_t>(graph.nodes), -1), count(distance.size(), 0);
    std::vector<std::vector<Step>> way(distance.size());
    distance[from] = 0;
    count[from] = 1;
    std::vector<int> queue = {from};
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const int v = queue[i];
        for (const Edge& e : graph.edges)
            for (Direction direction : ways) {
                const int here = direction == outgoing ? e.source : e.target,
                          there = direction == outgoing ? e.target : e.source;
                if (here != v) continue;
                if (distance[there] < 0) {
                    distance[there] = distance[v] + 1;
                    queue.push_back(there);
                    way[there] = way[v];
                    way[there].push_back(2 * e.type + direction);
                }
                if (distance[there] == distance[v] + 1) count[there] = std::min(2, count[there] + count[v]);
            }
    }
    if (distance[to] < 1 || count[to] != 1) return std::nullopt;
    return way[to];
}

long agreements(const Rule& rule, const std::vector<Answered>& answered) {
    return std::count_if(answered.begin(), answered.end(), [&](const Answered& a) {
        const auto said = rule(a.graph);
        return said && *said == a.labels;
    });
}

// What counts most often; -1 for nothing.
int most_common(const std::map<int, int>& counts) {
    int best = -1, most = 0;
    for (const auto& [value, count] : counts)
        if (count > most) {
            best = value;
            most = count;
        }
    return best;
}

// All walks, the shorter first, as far as there are not too many.
std::vector<std::vector<Step>> all_walks(const std::vector<Answered>& answered) {
    std::set<Step> steps;
    for (const Answered& a : answered)
        for (const Edge& e : a.graph.edges) {
            steps.insert(2 * e.type + incoming);
            steps.insert(2 * e.type + outgoing);
        }
    std::vector<std::vector<Step>> all = {{}};
    for (std::size_t i = 0; i < all.size() && all[i].size() < longest_walk; ++i)
        for (Step step : steps) {
            if (all.size() == most_walks) return all;
            all.push_back(all[i]);
            all.back().push_back(step);
        }
    return all;
}

// The classes that most answers have where the walk is there, and where not.
void choose_classes(Rule& rule, const std::vector<Answered>& answered) {
    std::map<int, int> with, without;
    for (const Answered& a : answered) {
        if (a.graph.arguments.size() < 2 || a.labels.size() != 1) continue;
        const bool there = ends_of(a.graph, a.graph.arguments[0], rule.walk).contains(a.graph.arguments[1]);
        ++(there ? with : without)[a.labels[0]];
    }
    rule.yes = most_common(with);
    rule.no = most_common(without);
}

void choose_class_of_steps(Rule& rule, const std::vector<Answered>& answered) {
    std::map<Step, std::map<int, int>> counts;
    for (const Answered& a : answered) {
        if (a.graph.arguments.size() < 2) continue;
        auto way = way_of(a.graph, rule.ways);
        if (!way || way->size() != a.labels.size()) continue;
        if (rule.backwards) std::reverse(way->begin(), way->end());
        for (std::size_t i = 0; i < way->size(); ++i) ++counts[(*way)[i]][a.labels[i]];
    }
    for (const auto& [step, classes] : counts) rule.class_of[step] = most_common(classes);
}

std::vector<Rule> candidates(AnswerKind answer, const std::vector<Answered>& answered) {
    std::vector<Rule> all;
    Rule rule;
    rule.answer = answer;
    if (answer == AnswerKind::class_sequence) {
        for (const auto& ways : {std::vector{outgoing}, {incoming}, {outgoing, incoming}})
            for (const bool backwards : {false, true}) {
                all.push_back(rule);
                all.back().ways = ways;
                all.back().backwards = backwards;
                choose_class_of_steps(all.back(), answered);
            }
        return all;
    }
    std::size_t arguments = 0;
    for (const Answered& a : answered) arguments = std::max(arguments, a.graph.arguments.size());
    if (answer == AnswerKind::klass) arguments = std::min<std::size_t>(arguments, 1);
    for (const auto& walk : all_walks(answered))
        for (std::size_t start = 0; start < arguments; ++start) {
            rule.walk = walk;
            rule.start = static_cast<int>(start);
            if (answer == AnswerKind::klass) choose_classes(rule, answered);
            all.push_back(rule);
        }
    return all;
}

std::string step_text(Step step, const Schema& schema) {
    return fmt::format("{} {}", step % 2 == outgoing ? "along" : "against", schema.edge_types.name(step / 2));
}

} // namespace

std::optional<std::vector<int>> Rule::operator()(const RuleGraph& graph) const {
    const auto needed = answer == AnswerKind::node ? static_cast<std::size_t>(start) + 1 : 2;
    if (graph.arguments.size() < needed) return std::nullopt;
    if (answer == AnswerKind::class_sequence) {
        auto way = way_of(graph, ways);
        if (!way) return std::nullopt;
        if (backwards) std::reverse(way->begin(), way->end());
        for (int& step : *way) {
            const auto at = class_of.find(step);
            if (at == class_of.end()) return std::nullopt;
            step = at->second;
        }
        return way;
    }
    const std::set<int> ends = ends_of(graph, graph.arguments[static_cast<std::size_t>(start)], walk);
    if (answer == AnswerKind::klass) {
        const int said = ends.contains(graph.arguments[1]) ? yes : no;
        return said >= 0 ? std::optional(std::vector{said}) : std::nullopt;
    }
    if (ends.size() != 1) return std::nullopt;
    return std::vector{*ends.begin()};
}

bool has_rules(AnswerKind answer) {
    return answer == AnswerKind::node || answer == AnswerKind::klass || answer == AnswerKind::class_sequence;
}

Rule fit_rule(AnswerKind answer, const std::vector<Answered>& answered) {
    GGSNN_ASSERT(has_rules(answer));
    Rule best;
    best.answer = answer;
    long most = -1;
    for (const Rule& rule : candidates(answer, answered)) {
        const long agreed = agreements(rule, answered);
        if (agreed <= most) continue;
        most = agreed;
        best = rule;
    }
    return best;
}

std::string rule_text(const Rule& rule, const Schema& schema) {
    std::vector<std::string> steps;
    for (Step step : rule.walk) steps.push_back(step_text(step, schema));
    const std::string walk = steps.empty() ? "stay" : fmt::format("{}", fmt::join(steps, ", "));
    if (rule.answer == AnswerKind::node) return fmt::format("from argument {}: {}", rule.start, walk);
    if (rule.answer == AnswerKind::klass)
        return fmt::format("{} if a walk leads from argument 0 to argument 1: {}; otherwise {}",
                           rule.yes < 0 ? "nothing" : schema.classes.name(rule.yes), walk,
                           rule.no < 0 ? "nothing" : schema.classes.name(rule.no));
    std::vector<std::string> names;
    for (const auto& [step, label] : rule.class_of)
        names.push_back(fmt::format("{} is {}", step_text(step, schema),
                                    label == schema.classes.size() ? "end" : schema.classes.name(label)));
    return fmt::format("the steps of the way from argument 0 to argument 1{}: {}",
                       rule.backwards ? ", last first" : "", fmt::join(names, ", "));
}

} // namespace ggsnn
