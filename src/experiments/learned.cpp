#include "ggsnn/experiments/learned.hpp"

#include "ggsnn/base/html.hpp"
#include "ggsnn/base/random.hpp"
#include "ggsnn/experiments/paper.hpp"
#include "ggsnn/nn/edges.hpp"
#include "ggsnn/nn/explain.hpp"
#include "ggsnn/nn/predict.hpp"
#include "ggsnn/show/explanation.hpp"
#include "ggsnn/tasks/build.hpp"

#include <algorithm>
#include <filesystem>

namespace ggsnn {

namespace {

constexpr int fitted_stories = 50;             // of the training file
constexpr std::size_t changed_questions = 100; // of the test file, for each question type

Dataset read_stories(const Schema& schema, const std::string& path, int most) {
    const auto reader = open_records(path, {});
    DatasetBuilder builder(schema, false);
    Record record;
    for (int i = 0; (most == 0 || i < most) && reader->next(record); ++i) {
        std::erase_if(record.questions,
                      [&](const RawQuestion& q) { return schema.question_types.find(q.type) < 0; });
        const bool known = std::all_of(record.edges.begin(), record.edges.end(),
                                       [&](const RawEdge& e) { return schema.edge_types.find(e.type) >= 0; });
        if (known && !record.questions.empty()) builder.add(record);
    }
    return std::move(builder.data());
}

RuleGraph rule_graph(const Dataset& data, const Example& e) {
    const Graph& graph = data.graphs[static_cast<std::size_t>(e.graph)].graph;
    return {graph.nodes(), edges_of(graph), e.arguments};
}

// The network's answers to the questions of one type.
std::vector<Answered> answers_of(const Model& model, const Dataset& data, int question) {
    std::vector<const Example*> asked;
    for (const Example& e : data.examples)
        if (e.question == question) asked.push_back(&e);
    std::vector<Prediction> predictions;
    Predictor(model, nullptr).predict(data, asked, predictions);
    std::vector<Answered> answered;
    for (std::size_t i = 0; i < asked.size(); ++i)
        answered.push_back({rule_graph(data, *asked[i]), predictions[i].labels});
    return answered;
}

// Questions about graphs that are in no file.
Dataset made_up(const Model& model, int question, const std::vector<RuleGraph>& graphs) {
    Dataset data;
    data.schema = model.schema;
    for (const RuleGraph& g : graphs) {
        Example example;
        example.graph = static_cast<int>(data.graphs.size());
        example.question = question;
        example.arguments = g.arguments;
        GraphRecord record;
        record.graph = Graph(g.nodes, g.edges);
        data.graphs.push_back(std::move(record));
        data.examples.push_back(std::move(example));
    }
    return data;
}

// One edge of a question's graph changed, and what that does to the rule's answer.
struct Change {
    const Answered* before;
    RuleGraph graph;
    bool taken_out;
    std::optional<std::vector<int>> now; // the rule's answer
};

std::vector<Change> draw_changes(const Rule& rule, const std::vector<Answered>& answered,
                                 std::uint64_t seed) {
    std::vector<Change> changes;
    Random random(seed, {0x72756c65});
    for (std::size_t i = 0; i < std::min(changed_questions, answered.size()); ++i) {
        const Answered& a = answered[i];
        if (rule(a.graph) != a.labels) continue;
        for (std::size_t e = 0; e < a.graph.edges.size(); ++e) {
            RuleGraph less = a.graph, other = a.graph;
            less.edges.erase(less.edges.begin() + static_cast<std::ptrdiff_t>(e));
            changes.push_back({&a, less, true, rule(less)});
            other.edges[e].target = static_cast<int>(random.below(static_cast<std::uint64_t>(a.graph.nodes)));
            changes.push_back({&a, other, false, rule(other)});
        }
    }
    return changes;
}

void hold_to_changes(const Model& model, int question, const Rule& rule,
                     const std::vector<Answered>& answered, std::uint64_t seed, Agreement& agreement) {
    const std::vector<Change> changes = draw_changes(rule, answered, seed);
    std::vector<RuleGraph> graphs;
    for (const Change& c : changes) graphs.push_back(c.graph);
    const std::vector<Answered> after = answers_of(model, made_up(model, question, graphs), question);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const std::vector<int>&before = changes[i].before->labels, &now = after[i].labels;
        const auto& said = changes[i].now;
        if (!changes[i].taken_out) {
            if (!said || *said == before) continue;
            ++agreement.moved;
            agreement.followed += now == *said ? 1 : 0;
        } else if (said && *said == before) {
            ++agreement.unused;
            agreement.kept += now == before ? 1 : 0;
        } else {
            ++agreement.used;
            agreement.changed += now != before ? 1 : 0;
        }
    }
}

std::string percent_cell(long part, long all) {
    if (all == 0) return "<td></td>";
    return fmt::format("<td>{:.1f} of {}</td>", 100.0 * static_cast<double>(part) / static_cast<double>(all),
                       all);
}

std::string learned_row(const Learned& l) {
    const Agreement& a = l.agreement;
    return fmt::format("<tr><td>{}</td><td class=\"text\"><code>{}</code></td><td class=\"text\">{}</td>",
                       task_title(l.task), escape_html(l.question), escape_html(l.text)) +
           percent_cell(a.agreed, a.questions) + percent_cell(a.kept, a.unused) +
           percent_cell(a.changed, a.used) + percent_cell(a.followed, a.moved) + "</tr>\n";
}

Json learned_json(const Learned& l) {
    const Agreement& a = l.agreement;
    return {{"table", "learned"},       {"task", l.task},         {"model", l.model},
            {"train", ladder_sizes[0]}, {"question", l.question}, {"rule", l.text},
            {"questions", a.questions}, {"agreed", a.agreed},     {"unused", a.unused},
            {"kept", a.kept},           {"used", a.used},         {"changed", a.changed},
            {"moved", a.moved},         {"followed", a.followed}, {"folds", Json::array()},
            {"mean", nullptr},          {"std", nullptr},         {"seconds", nullptr},
            {"paper", nullptr}};
}

// The first test question that is answered right, as a picture with its story's answer below.
std::string picture_of(const Model& model, const std::string& test_file) {
    const Dataset data = read_stories(model.schema, test_file, 20);
    for (const Example& e : data.examples) {
        std::vector<Prediction> predictions;
        Predictor(model, nullptr).predict(data, {&e}, predictions);
        if (predictions[0].labels != e.labels) continue;
        const GraphRecord& graph = data.graphs[static_cast<std::size_t>(e.graph)];
        const ExplainOptions options;
        const Explanation why = explain(model, data, e, predictions[0], options);
        const show::Explained explained{model, graph, e, predictions[0], why, options};
        std::string asked = model.schema.question_types.name(e.question);
        for (int argument : e.arguments) asked += " " + graph.names[static_cast<std::size_t>(argument)];
        return fmt::format("<figure>{}<figcaption><code>{}</code>: {}</figcaption></figure>\n",
                           show::explanation_picture(explained), escape_html(asked),
                           escape_html(explained.answer_text()));
    }
    return "";
}

constexpr const char* learned_account = "<p>Networks of the first fold, 50 training stories. <b>Rule</b>: "
                                        "the shortest of a family that answers as the "
                                        "network does on 50 training stories; an edge is gone along its "
                                        "direction or against it. <b>Agreed</b>: test "
                                        "questions that rule and network answer alike. Then single edges of "
                                        "the first 100 test graphs are changed. "
                                        "<b>Not used</b>: an edge that the rule has no use for is taken out; "
                                        "percent of the network's answers that "
                                        "stay. <b>Used</b>: an edge that the rule needs is taken out; "
                                        "percent that change. <b>Moved</b>: an edge ends "
                                        "in another node, drawn at random, and the rule says something else "
                                        "than before; percent where the network "
                                        "says the same. Such graphs are like none in training.</p>\n";

constexpr const char* pictures_account = "<p>What mattered for one answer, by integrated gradients: red "
                                         "speaks for it, blue against it; thick edges "
                                         "mattered more. Rings are the arguments of the question.</p>\n";

} // namespace

std::vector<Learned> learned_rules(const Model& model, const Unit& unit, const FoldFiles& files,
                                   std::uint64_t seed) {
    std::vector<Learned> all;
    if (!has_rules(model.schema.answer)) return all;
    const Dataset fitted = read_stories(model.schema, files.train, fitted_stories),
                  tested = read_stories(model.schema, files.test, 0);
    for (int q = 0; q < model.schema.question_types.size(); ++q) {
        Learned learned{unit.task,
                        unit.model,
                        model.schema.question_types.name(q),
                        fit_rule(model.schema.answer, answers_of(model, fitted, q)),
                        "",
                        {}};
        learned.text = rule_text(learned.rule, model.schema);
        const std::vector<Answered> answered = answers_of(model, tested, q);
        learned.agreement.questions = static_cast<long>(answered.size());
        for (const Answered& a : answered)
            learned.agreement.agreed += learned.rule(a.graph) == a.labels ? 1 : 0;
        hold_to_changes(model, q, learned.rule, answered, seed, learned.agreement);
        all.push_back(std::move(learned));
    }
    return all;
}

std::vector<ReportSection> learned_sections(const ExperimentOptions& options) {
    ReportSection section{"learned", "What did the networks learn?", ""};
    std::string rows, pictures;
    std::vector<std::string> seen;
    for (const Row& row : finished_rows(options)) {
        const bool again = std::find(seen.begin(), seen.end(), row.task) != seen.end();
        if (!row.model.starts_with("gg") || row.train != ladder_sizes[0] || again) continue;
        const UnitResult& first = row.folds.front();
        const Unit unit{row.task, row.model, row.train, first.fold};
        const std::string path = unit_model(unit, options);
        const FoldFiles files = fold_files(options.data_folder(), row.task, first.fold);
        if (first.accuracy < solved_percent || !std::filesystem::exists(path) ||
            !std::filesystem::exists(files.test) || !std::filesystem::exists(files.train))
            continue;
        seen.push_back(row.task);
        const Model model = load_model(path);
        for (const Learned& l : learned_rules(model, unit, files)) {
            rows += learned_row(l);
            section.results.push_back(learned_json(l));
        }
        pictures +=
            fmt::format("<div><h3>{}</h3>\n{}</div>\n", task_title(row.task), picture_of(model, files.test));
    }
    if (seen.empty()) return {};
    if (!rows.empty())
        section.html =
            std::string(learned_account) +
            "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th>Task</th><th "
            "class=\"text\">Question</th><th class=\"text\">Rule</th><th>Agreed, %</th><th>Not used, "
            "%</th><th>Used, %</th><th>Moved, %</th></tr></thead><tbody>\n" +
            rows + "</tbody></table></div>\n";
    section.html += std::string(pictures_account) + "<div class=\"charts\">\n" + pictures + "</div>\n";
    return {section};
}

} // namespace ggsnn
