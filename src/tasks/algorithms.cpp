#include "ggsnn/tasks/algorithms.hpp"

#include "ggsnn/base/json.hpp"
#include "ggsnn/tasks/random_graphs.hpp"

#include <algorithm>
#include <functional>

namespace ggsnn {

namespace {

// Lengths of edges are multiples of this, so that sums of them are exact in single precision.
constexpr int length_steps = 1 << 18;

struct Link {
    int node;
    long length; // in steps; 1 where edges have none
};

// A graph to be solved: neighbours in increasing order.
struct Puzzle {
    std::vector<std::vector<Link>> links;
    std::vector<int> arguments;
    bool hints = false; // are wanted

    int nodes() const { return static_cast<int>(links.size()); }
};

// What a solver knows, and what it did in each step.
struct Trace {
    int nodes, width;
    std::vector<char> bits; // nodes x width
    std::vector<int> pointers;
    int chosen = -1;
    bool kept, points, chooses;
    Hints hints; // kept, if so wanted

    Trace(const Puzzle& puzzle, int w, bool with_pointers, bool with_choice)
        : nodes(puzzle.nodes()),
          width(w),
          bits(static_cast<std::size_t>(nodes) * w, 0),
          kept(puzzle.hints),
          points(with_pointers),
          chooses(with_choice) {
        for (int v = 0; v < nodes; ++v) pointers.push_back(v);
        hints.width = w;
    }

    bool bit(int v, int i) const { return bits[static_cast<std::size_t>(v) * width + i] != 0; }
    void set(int v, int i, bool on = true) { bits[static_cast<std::size_t>(v) * width + i] = on ? 1 : 0; }

    // Steps until one changes nothing, which is the last.
    template <class Step>
    void run(Step&& step) {
        Trace before = *this;
        for (;;) {
            before.bits = bits;
            before.pointers = pointers;
            before.chosen = chosen;
            step(static_cast<const Trace&>(before));
            if (kept) keep();
            if (bits == before.bits && pointers == before.pointers && chosen == before.chosen) return;
        }
    }

  private:
    void keep() {
        hints.bits.insert(hints.bits.end(), bits.begin(), bits.end());
        if (points) hints.pointers.insert(hints.pointers.end(), pointers.begin(), pointers.end());
        if (chooses) hints.chosen.push_back(chosen);
        ++hints.steps;
    }
};

// The first neighbour with this bit, or -1.
int neighbour_with(const Puzzle& puzzle, const Trace& state, int v, int bit) {
    for (const Link& link : puzzle.links[v])
        if (state.bit(link.node, bit)) return link.node;
    return -1;
}

// A wave from the source: who has a neighbour that was reached is reached, and points to it.
void spread(const Puzzle& puzzle, const Trace& before, Trace& now, int source, int reached) {
    for (int v = 0; v < puzzle.nodes(); ++v) {
        if (before.bit(v, reached)) continue;
        const int from = neighbour_with(puzzle, before, v, reached);
        if (from >= 0) now.pointers[v] = from;
        if (from >= 0 || v == source) now.set(v, reached);
    }
}

Trace solve_bfs(const Puzzle& puzzle) {
    Trace trace(puzzle, 1, true, false);
    trace.run([&](const Trace& before) { spread(puzzle, before, trace, puzzle.arguments[0], 0); });
    return trace;
}

// The wave, and each time the farthest node that it has reached.
Trace solve_eccentricity(const Puzzle& puzzle) {
    Trace trace(puzzle, 1, true, true);
    std::vector<int> distance(puzzle.nodes(), 0);
    trace.run([&](const Trace& before) {
        spread(puzzle, before, trace, puzzle.arguments[0], 0);
        int farthest = -1;
        for (int v = 0; v < puzzle.nodes(); ++v) {
            if (!trace.bit(v, 0)) continue;
            if (trace.pointers[v] != v) distance[v] = distance[trace.pointers[v]] + 1;
        }
        for (int v = 0; v < puzzle.nodes(); ++v)
            if (trace.bit(v, 0) && (farthest < 0 || distance[v] > distance[farthest])) farthest = v;
        trace.chosen = farthest;
    });
    return trace;
}

// Nodes beside the tree point to the node of the tree over which they are best reached; the best of them
// joins. along: lengths add up along the tree (Dijkstra), or only the last edge counts (Prim).
Trace grow_tree(const Puzzle& puzzle, bool along) {
    Trace trace(puzzle, 1, true, true);
    std::vector<long> cost(puzzle.nodes(), 0);
    trace.run([&](const Trace& before) {
        trace.chosen = before.bit(puzzle.arguments[0], 0) ? -1 : puzzle.arguments[0];
        for (int v = 0; v < puzzle.nodes(); ++v) {
            if (before.bit(v, 0)) continue;
            bool found = false;
            for (const Link& link : puzzle.links[v]) {
                if (!before.bit(link.node, 0)) continue;
                const long through = link.length + (along ? cost[link.node] : 0);
                if (found && through >= cost[v]) continue;
                found = true;
                cost[v] = through;
                trace.pointers[v] = link.node;
            }
            if (found && (trace.chosen < 0 || cost[v] < cost[trace.chosen])) trace.chosen = v;
        }
        if (trace.chosen >= 0) trace.set(trace.chosen, 0);
    });
    return trace;
}

// The walker goes on to its first neighbour that was not visited, or back to where it came from. Nodes beside
// it that were not visited point to it: the last one to which they do is their parent.
Trace solve_dfs(const Puzzle& puzzle) {
    enum { current, visited };
    Trace trace(puzzle, 2, true, true);
    trace.run([&](const Trace& before) {
        const int source = puzzle.arguments[0];
        int at = -1;
        for (int v = 0; v < puzzle.nodes(); ++v)
            if (before.bit(v, current)) at = v;
        trace.chosen = before.bit(source, visited) ? -1 : source;
        if (at >= 0) {
            trace.set(at, current, false);
            for (const Link& link : puzzle.links[at]) {
                if (before.bit(link.node, visited)) continue;
                trace.pointers[link.node] = at;
                if (trace.chosen < 0) trace.chosen = link.node;
            }
            if (trace.chosen < 0 && before.pointers[at] != at) trace.set(before.pointers[at], current);
        }
        if (trace.chosen < 0) return;
        trace.set(trace.chosen, current);
        trace.set(trace.chosen, visited);
    });
    return trace;
}

// Nodes that are not decided point to the first of themselves and their neighbours that is not decided
// either: who points to itself is in, unless a neighbour is, which puts it out.
Trace solve_mis(const Puzzle& puzzle) {
    enum { in, out };
    Trace trace(puzzle, 2, true, false);
    trace.run([&](const Trace& before) {
        const auto open = [&](int v) { return !before.bit(v, in) && !before.bit(v, out); };
        for (int v = 0; v < puzzle.nodes(); ++v) {
            if (!open(v)) continue;
            int first = v;
            for (const Link& link : puzzle.links[v])
                if (open(link.node)) first = std::min(first, link.node);
            trace.pointers[v] = first;
            const bool beside = neighbour_with(puzzle, before, v, in) >= 0;
            if (beside) {
                trace.set(v, out);
            } else if (first == v) {
                trace.set(v, in);
            }
        }
    });
    return trace;
}

// A wave from the end of the path; when it has come to the begin, a walk along the pointers.
Trace solve_path(const Puzzle& puzzle) {
    enum { current, reached, given };
    Trace trace(puzzle, 3, true, false);
    trace.run([&](const Trace& before) {
        const int begin = puzzle.arguments[0];
        spread(puzzle, before, trace, puzzle.arguments[1], reached);
        int next = before.bit(begin, reached) && !before.bit(begin, given) ? begin : -1;
        for (int v = 0; v < puzzle.nodes(); ++v) {
            if (!before.bit(v, current)) continue;
            trace.set(v, current, false);
            if (before.pointers[v] != v) next = before.pointers[v];
        }
        if (next < 0) return;
        trace.set(next, current);
        trace.set(next, given);
    });
    return trace;
}

// From the first node to the second, and always on to the neighbour that was not given yet.
Trace solve_circuit(const Puzzle& puzzle) {
    enum { current, given };
    Trace trace(puzzle, 2, false, false);
    trace.run([&](const Trace& before) {
        const int first = puzzle.arguments[0];
        int next = before.bit(first, given) ? -1 : first;
        for (int v = 0; v < puzzle.nodes(); ++v) {
            if (!before.bit(v, current)) continue;
            trace.set(v, current, false);
            for (const Link& link : puzzle.links[v])
                if (!before.bit(link.node, given) && (v != first || link.node == puzzle.arguments[1]))
                    next = link.node;
        }
        if (next < 0) return;
        trace.set(next, current);
        trace.set(next, given);
    });
    return trace;
}

struct Algorithm {
    const char* name;
    std::uint64_t key; // names the stream of random numbers: never changes
    bool lengths;      // edges have
    bool source;
    AnswerKind answer;
    Trace (*solve)(const Puzzle&);
};

constexpr Algorithm algorithms[] = {
    {"bfs", 201, false, true, AnswerKind::node_sequence, solve_bfs},
    {"dfs", 202, false, true, AnswerKind::node_sequence, solve_dfs},
    {"dijkstra", 203, true, true, AnswerKind::node_sequence,
     [](const Puzzle& p) { return grow_tree(p, true); }},
    {"mst", 204, true, true, AnswerKind::node_sequence, [](const Puzzle& p) { return grow_tree(p, false); }},
    {"eccentricity", 205, false, true, AnswerKind::values, solve_eccentricity},
    {"mis", 206, false, false, AnswerKind::node_classes, solve_mis},
};

const Algorithm& find_algorithm(const std::string& name) {
    for (const Algorithm& each : algorithms)
        if (each.name == name) return each;
    throw UsageError(
        fmt::format("unknown algorithm '{}'; expected one of {}", name, fmt::join(algorithm_names(), ", ")));
}

// How many pointers lead from a node to one that points to itself.
int depth_of(const Trace& trace, int v) {
    int depth = 0;
    for (; trace.pointers[v] != v; v = trace.pointers[v]) ++depth;
    return depth;
}

RawAnswer answer_of(const Algorithm& algorithm, const Trace& trace) {
    RawAnswer answer;
    answer.present = true;
    answer.kind = algorithm.answer;
    if (algorithm.answer == AnswerKind::values) {
        answer.values = {static_cast<float>(depth_of(trace, trace.chosen))};
    } else if (algorithm.answer == AnswerKind::node_classes) {
        answer.missing.assign(trace.nodes, 0);
        for (int v = 0; v < trace.nodes; ++v) answer.words.emplace_back(trace.bit(v, 0) ? "in" : "out");
    } else {
        answer.nodes = trace.pointers;
    }
    return answer;
}

Record draw_record(const Algorithm& algorithm, const std::string& family, int nodes, bool hints,
                   Random& random) {
    Record record;
    record.nodes = nodes;
    Puzzle puzzle;
    puzzle.hints = hints;
    puzzle.links.resize(nodes);
    for (const auto& [a, b] : draw_graph(family, nodes, random)) {
        const long length = algorithm.lengths ? 1 + static_cast<long>(random.below(length_steps)) : 1;
        for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
            record.edges.push_back({from, "edge", to});
            if (algorithm.lengths) record.edge_weights.push_back(static_cast<float>(length) / length_steps);
            puzzle.links[from].push_back({to, length});
        }
    }
    for (auto& links : puzzle.links)
        std::sort(links.begin(), links.end(), [](const Link& x, const Link& y) { return x.node < y.node; });
    if (algorithm.source) puzzle.arguments.push_back(static_cast<int>(random.below(nodes)));
    Trace trace = algorithm.solve(puzzle);
    RawQuestion question;
    question.type = algorithm.name;
    question.arguments = puzzle.arguments;
    question.answer = answer_of(algorithm, trace);
    if (hints) question.hints = std::make_shared<Hints>(std::move(trace.hints));
    record.questions.push_back(std::move(question));
    return record;
}

} // namespace

const std::vector<std::string>& algorithm_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const Algorithm& each : algorithms) list.emplace_back(each.name);
        return list;
    }();
    return names;
}

void generate_algorithm(const AlgorithmOptions& options, const std::function<void(const Record&)>& sink) {
    const Algorithm& algorithm = find_algorithm(options.task);
    const auto& families = graph_families();
    const auto family = std::find(families.begin(), families.end(), options.family);
    if (options.family != "all" && family == families.end())
        throw UsageError(fmt::format("unknown family of graphs '{}'; expected all, {}", options.family,
                                     fmt::join(families, ", ")));
    const int most = options.hints ? max_hinted_nodes : max_algorithm_nodes;
    if (options.nodes < 4 || options.nodes > most)
        throw UsageError(fmt::format("{} nodes{}; expected 4 to {}", options.nodes,
                                     options.hints ? " with hints" : "", most));
    if (options.count < 1) throw UsageError(fmt::format("count {}; expected at least 1", options.count));
    for (long i = 0; i < options.count; ++i) {
        const std::size_t f = options.family == "all" ? static_cast<std::size_t>(i) % families.size()
                                                      : static_cast<std::size_t>(family - families.begin());
        Random random(options.seed, {algorithm.key, static_cast<std::uint64_t>(options.nodes), f,
                                     static_cast<std::uint64_t>(i)});
        sink(draw_record(algorithm, families[f], options.nodes, options.hints, random));
    }
}

Record walk_record(const Story& story, bool hints) {
    Record record;
    record.names = story.entities;
    record.nodes = static_cast<int>(story.entities.size());
    Puzzle puzzle;
    puzzle.hints = hints;
    puzzle.links.resize(record.nodes);
    for (const Fact& fact : story.facts) {
        record.edges.push_back({fact.source, fact.relation, fact.target});
        puzzle.links[fact.source].push_back({fact.target, 1});
    }
    for (auto& links : puzzle.links)
        std::sort(links.begin(), links.end(), [](const Link& x, const Link& y) { return x.node < y.node; });
    const Question& asked = story.questions.front();
    puzzle.arguments = asked.arguments;
    RawQuestion question;
    question.type = asked.type;
    question.arguments = asked.arguments;
    question.answer.present = true;
    question.answer.kind = AnswerKind::node_sequence;
    for (const std::string& name : asked.answer) question.answer.nodes.push_back(find_entity(story, name));
    if (hints)
        question.hints = std::make_shared<Hints>(
            (asked.type == "shortest-path" ? solve_path(puzzle) : solve_circuit(puzzle)).hints);
    record.questions.push_back(std::move(question));
    return record;
}

namespace {

OrderedJson hints_json(const Hints& hints, int nodes, const std::function<OrderedJson(int)>& node) {
    OrderedJson bits = OrderedJson::array(), pointers = OrderedJson::array(), chosen = OrderedJson::array();
    for (int k = 0; k < hints.steps; ++k) {
        OrderedJson rows = OrderedJson::array(), ends = OrderedJson::array();
        for (int v = 0; v < nodes; ++v) {
            const std::size_t at = static_cast<std::size_t>(k) * nodes + v;
            const auto first = hints.bits.begin() + static_cast<std::ptrdiff_t>(at * hints.width);
            rows.push_back(std::vector<int>(first, first + hints.width));
            if (!hints.pointers.empty()) ends.push_back(node(hints.pointers[at]));
        }
        bits.push_back(std::move(rows));
        pointers.push_back(std::move(ends));
        if (!hints.chosen.empty())
            chosen.push_back(hints.chosen[k] < 0 ? OrderedJson() : node(hints.chosen[k]));
    }
    OrderedJson out = {{"bits", bits}};
    if (!hints.pointers.empty()) out["pointers"] = pointers;
    if (!hints.chosen.empty()) out["chosen"] = chosen;
    return out;
}

OrderedJson answer_json(const RawAnswer& answer, const std::function<OrderedJson(int)>& node) {
    if (answer.kind == AnswerKind::values) return {{name_of(answer.kind), answer.values}};
    if (answer.kind == AnswerKind::node_classes) return {{name_of(answer.kind), answer.words}};
    OrderedJson nodes = OrderedJson::array();
    for (int v : answer.nodes) nodes.push_back(node(v));
    return {{name_of(answer.kind), nodes}};
}

} // namespace

std::string to_json_line(const Record& record) {
    const std::function<OrderedJson(int)> node = [&](int v) {
        return record.names.empty() ? OrderedJson(v) : OrderedJson(record.names[v]);
    };
    OrderedJson edges = OrderedJson::array(), arguments = OrderedJson::array();
    for (const RawEdge& e : record.edges) edges.push_back({node(e.source), e.type, node(e.target)});
    const RawQuestion& q = record.questions.front();
    for (int v : q.arguments) arguments.push_back(node(v));
    OrderedJson line;
    line["nodes"] = record.names.empty() ? OrderedJson(record.nodes) : OrderedJson(record.names);
    line["edges"] = std::move(edges);
    if (!record.edge_weights.empty()) line["edge_weights"] = record.edge_weights;
    OrderedJson question = {
        {"type", q.type}, {"arguments", arguments}, {"answer", answer_json(q.answer, node)}};
    if (q.hints != nullptr) question["hints"] = hints_json(*q.hints, record.nodes, node);
    line["question"] = std::move(question);
    return line.dump() + "\n";
}

} // namespace ggsnn
