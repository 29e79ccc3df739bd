// Brute-force answers to the questions of every task, written without a look at the generators: each
// returns what is wrong with a story, or an empty text.
#pragma once

#include "ggsnn/tasks/story.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ggsnn::testing {

using Names = std::vector<std::string>;

struct Line {
    std::string a, relation, b;
};

inline std::vector<Line> lines_of(const Story& story) {
    std::vector<Line> lines;
    for (const Fact& fact : story.facts)
        lines.push_back({story.entities.at(static_cast<std::size_t>(fact.source)), fact.relation,
                         story.entities.at(static_cast<std::size_t>(fact.target))});
    return lines;
}

inline Names arguments_of(const Story& story, const Question& question) {
    Names names;
    for (int argument : question.arguments)
        names.push_back(story.entities.at(static_cast<std::size_t>(argument)));
    return names;
}

// b of all lines `a relation b`.
inline std::set<std::string> follow(const std::vector<Line>& lines, const std::string& a,
                                    const std::string& relation) {
    std::set<std::string> found;
    for (const Line& line : lines)
        if (line.a == a && line.relation == relation) found.insert(line.b);
    return found;
}

inline std::string opposite(const std::string& direction) {
    return direction == "n" ? "s" : direction == "s" ? "n" : direction == "e" ? "w" : "e";
}

using Step = std::pair<std::string, std::string>; // direction or relation, place

// Moves from a place along facts and against them.
inline std::vector<Step> moves(const std::vector<Line>& lines, const std::string& from) {
    std::vector<Step> found;
    for (const Line& line : lines) {
        if (line.a == from) found.push_back({line.relation, line.b});
        if (line.b == from) found.push_back({opposite(line.relation), line.a});
    }
    return found;
}

// All paths from -> to without repeated places, as lists of steps.
inline std::vector<std::vector<Step>>
all_paths(const std::function<std::vector<Step>(const std::string&)>& next, const std::string& from,
          const std::string& to) {
    std::vector<std::vector<Step>> found;
    std::vector<Step> path;
    std::set<std::string> visited = {from};
    const std::function<void(const std::string&)> go = [&](const std::string& at) {
        if (at == to) {
            found.push_back(path);
            return;
        }
        for (const Step& step : next(at)) {
            if (!visited.insert(step.second).second) continue;
            path.push_back(step);
            go(step.second);
            path.pop_back();
            visited.erase(step.second);
        }
    };
    go(from);
    return found;
}

inline std::string check_babi4(const Story& story) {
    const Question& question = story.questions.at(0);
    std::set<std::string> found;
    for (const Step& step : moves(lines_of(story), arguments_of(story, question).at(0)))
        if (step.first == question.type) found.insert(step.second);
    return found == std::set(question.answer.begin(), question.answer.end()) ? "" : "wrong place";
}

inline std::string check_babi15(const Story& story) {
    const auto lines = lines_of(story);
    std::set<std::string> asked;
    for (const Question& question : story.questions) {
        const std::string person = arguments_of(story, question).at(0);
        if (!asked.insert(person).second) return "asked twice";
        const auto animal = follow(lines, person, "is");
        if (animal.size() != 1) return "not one animal";
        const auto feared = follow(lines, *animal.begin(), "has_fear");
        if (feared.size() != 1 || question.answer != Names{*feared.begin()}) return "wrong fear";
        if (feared == animal) return "fears itself";
    }
    return asked.size() * 2 == lines.size() ? "" : "someone is not asked about";
}

inline std::string check_babi16(const Story& story) {
    const auto lines = lines_of(story);
    const std::string person = arguments_of(story, story.questions.at(0)).at(0);
    if (!follow(lines, person, "has_color").empty()) return "the colour is given";
    std::map<std::string, std::set<std::string>> colours; // by animal
    std::set<std::string> all;
    for (const Line& line : lines) {
        if (line.relation != "has_color") continue;
        colours[*follow(lines, line.a, "is").begin()].insert(line.b);
        all.insert(line.b);
    }
    if (all.size() != colours.size()) return "an animal has not its own colour";
    const auto answer = colours[*follow(lines, person, "is").begin()];
    return answer.size() == 1 && story.questions[0].answer == Names{*answer.begin()} ? "" : "wrong colour";
}

// Tries all orders of the objects: the answer holds in each that agrees with the facts.
inline std::string check_babi18(const Story& story) {
    const auto lines = lines_of(story);
    Names order = story.entities;
    std::sort(order.begin(), order.end());
    std::size_t agreeing = 0;
    std::vector<std::size_t> smaller(story.questions.size());
    do {
        std::map<std::string, int> size;
        for (const std::string& name : order) size[name] = static_cast<int>(size.size());
        bool agrees = true;
        for (const Line& line : lines) agrees &= size[line.a] > size[line.b];
        if (!agrees) continue;
        ++agreeing;
        for (std::size_t i = 0; i < smaller.size(); ++i) {
            const Names pair = arguments_of(story, story.questions[i]);
            if (size[pair.at(0)] < size[pair.at(1)]) ++smaller[i];
        }
    } while (std::next_permutation(order.begin(), order.end()));
    if (agreeing == 0) return "the facts contradict one another";
    for (std::size_t i = 0; i < smaller.size(); ++i)
        if (smaller[i] != (story.questions[i].answer == Names{"true"} ? agreeing : 0)) return "wrong truth";
    return "";
}

inline std::string check_babi19(const Story& story) {
    const auto lines = lines_of(story);
    const Question& question = story.questions.at(0);
    const Names ends = arguments_of(story, question);
    const auto paths =
        all_paths([&](const std::string& at) { return moves(lines, at); }, ends.at(0), ends.at(1));
    if (paths.size() != 1) return "not one path";
    Names answer;
    for (const Step& step : paths[0]) answer.push_back(step.first);
    return answer.size() == 2 && answer == question.answer ? "" : "wrong path";
}

inline std::vector<Step> neighbours(const std::vector<Line>& lines, const std::string& at) {
    std::vector<Step> found;
    for (const Line& line : lines)
        if (line.a == at) found.push_back({line.relation, line.b});
    return found;
}

// Everything connected to start, by facts in either direction.
inline std::set<std::string> component(const std::vector<Line>& lines, const std::string& start) {
    std::set<std::string> found = {start};
    for (std::size_t before = 0; before != found.size();) {
        before = found.size();
        for (const Line& line : lines)
            if (found.count(line.a) + found.count(line.b) > 0) found.insert({line.a, line.b});
    }
    return found;
}

inline std::string check_shortest_path(const Story& story) {
    const auto lines = lines_of(story);
    const Question& question = story.questions.at(0);
    const Names ends = arguments_of(story, question);
    std::size_t shortest = lines.size() + 1, count = 0;
    Names best;
    for (const auto& path :
         all_paths([&](const std::string& at) { return neighbours(lines, at); }, ends.at(0), ends.at(1))) {
        if (path.size() > shortest) continue;
        count = path.size() < shortest ? 1 : count + 1;
        shortest = path.size();
        best = {ends[0]};
        for (const Step& step : path) best.push_back(step.second);
    }
    if (count != 1) return "not one shortest path";
    return best.size() >= 3 && best == question.answer ? "" : "wrong path";
}

inline std::string check_eulerian_circuit(const Story& story) {
    const auto lines = lines_of(story);
    const Question& question = story.questions.at(0);
    Names circuit = arguments_of(story, question);
    for (;;) {
        const auto around = neighbours(lines, circuit.back());
        if (around.size() != 2) return "not two neighbours";
        const std::string& before = circuit[circuit.size() - 2];
        const std::string& next = around[0].second == before ? around[1].second : around[0].second;
        if (next == circuit.front()) break;
        circuit.push_back(next);
        if (circuit.size() > lines.size()) return "no circuit";
    }
    return circuit == question.answer ? "" : "wrong circuit";
}

inline std::string check_answers(const std::string& task, const Story& story) {
    static const std::map<std::string, std::string (*)(const Story&)> checks = {
        {"babi4", check_babi4},
        {"babi15", check_babi15},
        {"babi16", check_babi16},
        {"babi18", check_babi18},
        {"babi19", check_babi19},
        {"shortest-path", check_shortest_path},
        {"eulerian-circuit", check_eulerian_circuit}};
    return checks.at(task)(story);
}

} // namespace ggsnn::testing
