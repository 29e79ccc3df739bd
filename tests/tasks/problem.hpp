// Problems up to renaming: two questions are the same problem if a renaming of the entities turns the facts
// of one story, in any order, and the arguments into those of the other.
#pragma once

#include "ggsnn/tasks/story.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace ggsnn::testing {

class Problem {
  public:
    Problem(const Story& story, const Question& question) : story_(story), question_(question) {
        std::vector<std::string> colour(story.entities.size());
        for (std::size_t i = 0; i < question.arguments.size(); ++i)
            colour[static_cast<std::size_t>(question.arguments[i])] += fmt::format("argument {};", i);
        visit(refine(colour));
    }

    // Equal for equal problems.
    const std::string& canonical() const { return best_; }

  private:
    using Colours = std::vector<std::string>;

    // Colours become ranks "0".."k-1"; entities whose facts differ in colour are told apart until none is.
    Colours refine(Colours colour) const {
        for (std::size_t classes = 0;;) {
            std::map<std::string, std::vector<std::size_t>> cells;
            for (std::size_t v = 0; v < colour.size(); ++v) cells[colour[v]].push_back(v);
            std::size_t rank = 0;
            for (const auto& [text, members] : cells) {
                for (std::size_t v : members) colour[v] = fmt::format("{:03}", rank);
                ++rank;
            }
            if (cells.size() == classes) return colour;
            classes = cells.size();
            std::vector<std::vector<std::string>> seen(colour.size());
            for (const Fact& fact : story_.facts) {
                const auto a = static_cast<std::size_t>(fact.source),
                           b = static_cast<std::size_t>(fact.target);
                seen[a].push_back(fmt::format("to {} {};", fact.relation, colour[b]));
                seen[b].push_back(fmt::format("from {} {};", fact.relation, colour[a]));
            }
            for (std::size_t v = 0; v < colour.size(); ++v) {
                std::sort(seen[v].begin(), seen[v].end());
                for (const std::string& fact : seen[v]) colour[v] += fact;
            }
        }
    }

    // Tells apart the members of the first class of several, each in turn, and keeps the least description.
    void visit(const Colours& colour) {
        std::map<std::string, std::vector<std::size_t>> cells;
        for (std::size_t v = 0; v < colour.size(); ++v) cells[colour[v]].push_back(v);
        for (const auto& [text, members] : cells) {
            if (members.size() == 1) continue;
            for (std::size_t v : members) {
                Colours split = colour;
                split[v] += "first";
                visit(refine(split));
            }
            return;
        }
        std::string text = describe(colour);
        if (best_.empty() || text < best_) best_ = std::move(text);
    }

    std::string describe(const Colours& colour) const {
        std::vector<std::string> lines;
        for (const Fact& fact : story_.facts)
            lines.push_back(fmt::format("{} {} {}\n", colour[static_cast<std::size_t>(fact.source)],
                                        fact.relation, colour[static_cast<std::size_t>(fact.target)]));
        std::sort(lines.begin(), lines.end());
        std::string text = question_.type;
        for (int argument : question_.arguments) text += " " + colour[static_cast<std::size_t>(argument)];
        text += '\n';
        for (const std::string& line : lines) text += line;
        return text;
    }

    const Story& story_;
    const Question& question_;
    std::string best_;
};

inline std::string canonical_problem(const Story& story, const Question& question) {
    return Problem(story, question).canonical();
}

} // namespace ggsnn::testing
