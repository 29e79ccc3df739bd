#include "ggsnn/tasks/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

namespace ggsnn {

namespace {

// Canonical numbering by refinement and search (McKay 1981, without his pruning by automorphisms): entities
// get colours, first by the arguments that they are, then by the colours at the other ends of their facts
// until no more are told apart; of each class that is left, every member is tried as the first, and the least
// description wins.
class Numbering {
  public:
    Numbering(const Story& story, const Question& question, long most) : left_(most) {
        std::set<std::string> words;
        for (const Fact& fact : story.facts) words.insert(fact.relation);
        relations_.assign(words.begin(), words.end());
        for (const Fact& fact : story.facts) {
            const auto at = std::lower_bound(relations_.begin(), relations_.end(), fact.relation);
            facts_.push_back({fact.source, static_cast<int>(at - relations_.begin()), fact.target});
        }
        std::vector<std::vector<int>> marks(story.entities.size());
        for (std::size_t i = 0; i < question.arguments.size(); ++i)
            marks[static_cast<std::size_t>(question.arguments[i])].push_back(static_cast<int>(i));
        visit(refine(ranks(marks)));
    }

    // Nothing if the limit was met.
    const std::vector<int>& order() const { return order_; }
    bool complete() const { return left_ >= 0; }
    // The facts in the best numbering, sorted.
    const std::vector<std::array<int, 3>>& facts() const { return best_; }
    const std::vector<std::string>& relations() const { return relations_; }

  private:
    // Equal keys get equal numbers, in the order of the keys.
    static std::vector<int> ranks(const std::vector<std::vector<int>>& keys) {
        const std::set<std::vector<int>> distinct(keys.begin(), keys.end());
        const std::vector<std::vector<int>> sorted(distinct.begin(), distinct.end());
        std::vector<int> colours;
        for (const auto& key : keys)
            colours.push_back(
                static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), key) - sorted.begin()));
        return colours;
    }

    // Entities whose facts differ in colour are told apart until none is.
    std::vector<int> refine(std::vector<int> colours) const {
        for (int classes = -1;;) {
            const int now = colours.empty() ? 0 : *std::max_element(colours.begin(), colours.end());
            if (now == classes) return colours;
            classes = now;
            std::vector<std::vector<std::array<int, 3>>> seen(colours.size());
            for (const auto& [source, relation, target] : facts_) {
                seen[static_cast<std::size_t>(source)].push_back({0, relation, colours[target]});
                seen[static_cast<std::size_t>(target)].push_back({1, relation, colours[source]});
            }
            std::vector<std::vector<int>> keys(colours.size());
            for (std::size_t v = 0; v < colours.size(); ++v) {
                std::sort(seen[v].begin(), seen[v].end());
                keys[v].push_back(colours[v]); // first: classes are only ever split
                for (const auto& fact : seen[v]) keys[v].insert(keys[v].end(), fact.begin(), fact.end());
            }
            colours = ranks(keys);
        }
    }

    void visit(const std::vector<int>& colours) {
        std::vector<int> count(colours.size());
        for (int colour : colours) ++count[static_cast<std::size_t>(colour)];
        const auto shared = std::find_if(count.begin(), count.end(), [](int n) { return n > 1; });
        if (shared == count.end()) {
            if (--left_ >= 0) take(colours);
            return;
        }
        const int colour = static_cast<int>(shared - count.begin());
        for (std::size_t v = 0; v < colours.size() && left_ >= 0; ++v) {
            if (colours[v] != colour) continue;
            std::vector<std::vector<int>> keys;
            for (std::size_t u = 0; u < colours.size(); ++u) keys.push_back({colours[u], u == v ? 0 : 1});
            visit(refine(ranks(keys)));
        }
    }

    void take(const std::vector<int>& numbers) {
        std::vector<std::array<int, 3>> facts;
        for (const auto& [source, relation, target] : facts_)
            facts.push_back({numbers[source], relation, numbers[target]});
        std::sort(facts.begin(), facts.end());
        if (!order_.empty() && facts >= best_) return;
        best_ = std::move(facts);
        order_ = numbers;
    }

    long left_; // numberings that may still be looked at; below 0: there were more
    std::vector<std::string> relations_;
    std::vector<std::array<int, 3>> facts_, best_;
    std::vector<int> order_;
};

} // namespace

std::optional<std::string> canonical_problem(const Story& story, const Question& question, long most) {
    const Numbering numbering(story, question, most);
    if (!numbering.complete()) return std::nullopt;
    std::string text = fmt::format("{} of {}:", question.type, story.entities.size());
    for (int argument : question.arguments) text += fmt::format(" {}", numbering.order()[argument]);
    for (const auto& [source, relation, target] : numbering.facts())
        text += fmt::format("\n{} {} {}", source, numbering.relations()[relation], target);
    return text;
}

std::string literal_problem(const Story& story, const Question& question) {
    std::string text = question.type;
    for (int argument : question.arguments) text += " " + story.entities[argument];
    for (const Fact& fact : story.facts)
        text += fmt::format("\n{} {} {}", story.entities[fact.source], fact.relation,
                            story.entities[fact.target]);
    return text;
}

} // namespace ggsnn
