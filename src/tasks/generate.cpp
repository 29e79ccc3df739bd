#include "ggsnn/tasks/generate.hpp"

#include "ggsnn/base/json.hpp"
#include "ggsnn/tasks/generate_families.hpp"

#include <algorithm>
#include <array>

namespace ggsnn {

namespace {

struct Task {
    std::string name;
    std::uint64_t key; // names the stream of random numbers: never changes
    bool blank_lines;  // between stories
    bool scales;
    Story (*draw)(Random&, int scale);
};

const std::vector<Task>& all_tasks() {
    static const std::vector<Task> tasks = {
        {"babi4", 4, true, false, [](Random& random, int) { return generate_babi4(random); }},
        {"babi15", 15, true, true, generate_babi15},
        {"babi16", 16, true, false, [](Random& random, int) { return generate_babi16(random); }},
        {"babi18", 18, true, false, [](Random& random, int) { return generate_babi18(random); }},
        {"babi19", 19, true, false, [](Random& random, int) { return generate_babi19(random); }},
        {"shortest-path", 101, false, true, generate_shortest_path},
        {"eulerian-circuit", 102, false, true, generate_eulerian_circuit},
    };
    return tasks;
}

const Task& find_task(std::string_view name, int scale) {
    const auto& tasks = all_tasks();
    const auto task = std::find_if(tasks.begin(), tasks.end(), [&](const Task& t) { return t.name == name; });
    if (task == tasks.end())
        throw UsageError(
            fmt::format("unknown task '{}'; expected one of {}", name, fmt::join(task_names(), ", ")));
    if (scale < 1 || scale > max_scale)
        throw UsageError(fmt::format("scale {}; expected 1 to {}", scale, max_scale));
    if (scale > 1 && !task->scales)
        throw UsageError(fmt::format("scale {}: {} has one size only; expected scale 1, or one of the tasks "
                                     "babi15, shortest-path, eulerian-circuit",
                                     scale, name));
    return *task;
}

} // namespace

const std::vector<std::string>& task_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const Task& task : all_tasks()) list.push_back(task.name);
        return list;
    }();
    return names;
}

Story generate_story(std::string_view task, Random& random, int scale) {
    return find_task(task, scale).draw(random, scale);
}

void generate_stories(const GenerateOptions& options, const std::function<void(const Story&)>& sink) {
    const Task& task = find_task(options.task, options.scale);
    if (options.count < 1) throw UsageError(fmt::format("count {}; expected at least 1", options.count));
    for (long i = 0; i < options.count; ++i) {
        Random random(options.seed, {task.key, static_cast<std::uint64_t>(i)});
        sink(task.draw(random, options.scale));
    }
}

void generate(const GenerateOptions& options, const std::function<void(std::string_view)>& sink) {
    const bool blank_lines = find_task(options.task, options.scale).blank_lines;
    std::string text;
    generate_stories(options, [&](const Story& story) {
        if (blank_lines && !text.empty()) sink("\n");
        text.clear();
        write_story(text, story);
        sink(text);
    });
}

StoryBuilder::StoryBuilder(const std::vector<NamedFact>& facts) {
    for (const NamedFact& fact : facts) {
        const int source = intern(fact.source);
        const int target = intern(fact.target);
        story_.facts.push_back({source, fact.relation, target});
    }
}

int StoryBuilder::intern(const std::string& name) {
    const auto [found, added] = index_.try_emplace(name, static_cast<int>(story_.entities.size()));
    if (added) story_.entities.push_back(name);
    return found->second;
}

void StoryBuilder::ask(const std::string& type, const std::vector<std::string>& arguments,
                       std::vector<std::string> answer, int type_position) {
    Question question;
    question.type = type;
    for (const std::string& argument : arguments) question.arguments.push_back(index_.at(argument));
    question.type_position = type_position;
    question.answer = std::move(answer);
    story_.questions.push_back(std::move(question));
}

std::string observed_circuit(const Story& story) {
    const Question& question = story.questions.front();
    std::vector<int> circuit;
    for (const std::string& name : question.answer) circuit.push_back(find_entity(story, name));
    OrderedJson edges = OrderedJson::array(), annotations = OrderedJson::array();
    for (const Fact& f : story.facts)
        edges.push_back({story.entities[f.source], f.relation, story.entities[f.target]});
    const std::size_t nodes = story.entities.size();
    // A row is [given, now, next]; the first step's comes from features and arguments.
    for (std::size_t k = 1; k <= circuit.size(); ++k) {
        std::vector<std::array<int, 3>> rows(nodes, {0, 0, 0});
        for (std::size_t i = 0; i < k; ++i) rows[circuit[i]][0] = 1;
        if (k < circuit.size()) rows[circuit[k]][1] = 1;
        if (k + 1 < circuit.size()) rows[circuit[k + 1]][2] = 1;
        annotations.push_back(rows);
    }
    const OrderedJson line = {{"nodes", story.entities},
                              {"edges", edges},
                              {"features", std::vector<std::array<int, 1>>(nodes, {0})},
                              {"question",
                               {{"type", question.type},
                                {"arguments", {story.entities[circuit[0]], story.entities[circuit[1]]}},
                                {"answer", {{"nodes", question.answer}}},
                                {"annotations", annotations}}}};
    return line.dump() + "\n";
}

} // namespace ggsnn
